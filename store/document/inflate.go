package document

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"cxdeck/store/fault"
)

// The bounds of text that is read back. A small deflated row can claim to be a huge text, and a small text can stand
// for a huge value, so both are counted before they take memory.
const (
	MaxText = 128 << 20
	// MaxHost is how many bytes the state of a host may have.
	MaxHost = 64 << 20
	// maxParts is how many objects, lists and members of them a JSON text may have. Each may take some 300 bytes of
	// memory, however short it is.
	maxParts = 1 << 18
	// MaxPlanParts is the limit for a plan or profile: an import may have made a draft of 100,000 values.
	MaxPlanParts = 1 << 22
)

// Deflate packs a text: the same few words again and again, lists and inventories become about a tenth.
func Deflate(text []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// Inflate returns the text that deflate packed, if it is not longer than limit.
func Inflate(packed []byte, limit int) ([]byte, error) {
	const usualRatio = 10
	read := bytes.NewBuffer(make([]byte, 0, min(usualRatio*len(packed), limit)+bytes.MinRead))
	_, err := read.ReadFrom(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), int64(limit)+1))
	text := read.Bytes()
	switch {
	case err != nil:
		return nil, errors.Join(err, fault.ErrDamaged)
	case len(text) > limit:
		return nil, fmt.Errorf("a packed text is longer than %d MB: %w", limit>>20, fault.ErrDamaged)
	}
	return text, nil
}

// Decode is json.Unmarshal for a text from a file.
func Decode(text []byte, into any) error { return DecodeParts(text, into, maxParts) }

// DecodeParts is Decode with a limit of its own for the parts of the text.
func DecodeParts(text []byte, into any, limit int) error {
	if n := parts(text); n > limit {
		return fmt.Errorf("a text has %d parts: %w", n, fault.ErrDamaged)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return errors.Join(err, fault.ErrDamaged)
	}
	return nil
}

// parts counts what begins an object, a list or a member of either, outside strings.
func parts(text []byte) (n int) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			quoted = !quoted
		case '\\':
			i++ // it ends no string
		case '{', '[', ',':
			if !quoted {
				n++
			}
		}
	}
	return n
}
