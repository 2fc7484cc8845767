package document

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"

	"cxdeck/store/fault"
)

// The limits of text that is read back. A small deflated row can expand to a huge text, and a small text can represent a huge
// value, so both are checked before they take memory.
const (
	MaxText = 128 << 20
	// MaxHost limits the state of a host, in bytes.
	MaxHost = 64 << 20
	// maxParts limits the objects, lists and members of a JSON text. Even a short one may take some 300 bytes of memory.
	maxParts = 1 << 18
	// MaxPlanParts is the limit for a plan or profile: the draft of an import may have 100,000 values.
	MaxPlanParts = 1 << 22
)

// Deflate packs a text. Lists and inventories repeat the same few words, and shrink to about a tenth.
func Deflate(text []byte) ([]byte, error) {
	return DeflateFrom(func(to io.Writer) error {
		_, err := to.Write(text)
		return err
	})
}

// DeflateFrom packs the text that write writes, for texts that are too long for the memory.
func DeflateFrom(write func(to io.Writer) error) ([]byte, error) {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if err := write(w); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// Inflate returns the text that Deflate packed. It fails with ErrDamaged when the text is longer than limit, in bytes.
func Inflate(packed []byte, limit int) ([]byte, error) {
	const usualRatio = 10
	read := bytes.NewBuffer(make([]byte, 0, min(usualRatio*len(packed), limit)+bytes.MinRead))
	_, err := read.ReadFrom(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), int64(limit)+1))
	text := read.Bytes()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", fault.ErrDamaged, err)
	case len(text) > limit:
		return nil, fmt.Errorf("a packed text is longer than %d MB: %w", limit>>20, fault.ErrDamaged)
	}
	return text, nil
}

// Decode is json.Unmarshal for a text from a file: it fails with ErrDamaged, also when the text has more than maxParts parts.
func Decode(text []byte, into any) error { return DecodeParts(text, into, maxParts) }

// DecodeParts is Decode with limit in place of maxParts.
func DecodeParts(text []byte, into any, limit int) error {
	if n := countParts(text); n > limit {
		return fmt.Errorf("a text has %d objects, lists and members: %w", n, fault.ErrDamaged)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%w: %w", fault.ErrDamaged, err)
	}
	return nil
}

// countParts returns the number of objects, lists and members of a JSON text.
func countParts(text []byte) (n int) {
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
