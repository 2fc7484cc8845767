package pdh

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of a log. They are far above what Performance Monitor writes, and limit the memory that another kind of file can take.
const (
	logLineLimit   = 16 << 20 // bytes of a line as UTF-8, the header included
	logCellLimit   = 4 << 10
	logColumnLimit = 200_000
	logBlock       = 256 << 10 // bytes read at once
	smallestBlock  = 4 << 10   // of a short log
)

// blockSize returns the number of bytes to read at once from a log of a size: an even number, so that no UTF-16 unit is split.
func blockSize(size int64) int { return int(min(max(size+size%2, smallestBlock), logBlock)) }

// Error is an error in a log, with its line.
type Error struct {
	File string
	// Line and Column start at 1; they are 0 for an error of the whole file.
	Line, Column int
	// Reason says what is wrong and what to do.
	Reason string
}

func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Reason)
	case e.Column == 0:
		return fmt.Sprintf("%s, line %d: %s", e.File, e.Line, e.Reason)
	}
	return fmt.Sprintf("%s, line %d, column %d: %s", e.File, e.Line, e.Column, e.Reason)
}

// textEncoding is the encoding of a log's text.
type textEncoding uint8

const (
	utf8Text textEncoding = iota
	utf16Little
	utf16Big
)

// width returns the size of a code unit in bytes.
func (e textEncoding) width() int {
	if e == utf8Text {
		return 1
	}
	return 2
}

// textMark reads the byte order mark at the start of a file and returns the encoding and the offset of the first character.
func textMark(file io.ReaderAt) (textEncoding, int64) {
	var mark [3]byte
	n, _ := file.ReadAt(mark[:], 0)
	switch {
	case bytes.HasPrefix(mark[:n], []byte{0xFF, 0xFE}):
		return utf16Little, 2
	case bytes.HasPrefix(mark[:n], []byte{0xFE, 0xFF}):
		return utf16Big, 2
	case bytes.HasPrefix(mark[:n], []byte{0xEF, 0xBB, 0xBF}):
		return utf8Text, 3
	}
	return utf8Text, 0
}

// decode appends UTF-16 text as UTF-8. Unpaired surrogates become the replacement character.
func (e textEncoding) decode(dst, raw []byte) []byte {
	unit := func(i int) rune {
		if e == utf16Little {
			return rune(raw[i]) | rune(raw[i+1])<<8
		}
		return rune(raw[i])<<8 | rune(raw[i+1])
	}
	for i := 0; i+1 < len(raw); i += 2 {
		r := unit(i)
		switch {
		case r < utf8.RuneSelf:
			dst = append(dst, byte(r))
			continue
		case utf16.IsSurrogate(r) && i+3 < len(raw):
			if pair := utf16.DecodeRune(r, unit(i+2)); pair != utf8.RuneError {
				r = pair
				i += 2
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

var errLongLine = errors.New("the line is too long")

// lineReader returns the lines of a file from any offset on, as UTF-8. It buffers a block, or a line if that is longer.
type lineReader struct {
	file     io.ReaderAt
	encoding textEncoding
	// delimiter separates the cells of a row; only the survey uses it.
	delimiter byte
	// block is the number of bytes read at once, an even number; 0 means logBlock.
	block int
	// place is the offset of buffer in the file; start is the offset of the next line in buffer.
	place  int64
	buffer []byte
	start  int
	ended  bool // the file ends with buffer
	text   []byte
}

// offset returns the offset of the next line in the file.
func (r *lineReader) offset() int64 { return r.place + int64(r.start) }

// moveTo moves to the line that begins at an offset.
func (r *lineReader) moveTo(place int64) {
	r.place, r.buffer, r.start, r.ended = place, r.buffer[:0], 0, false
}

// next returns a line without its line end, valid until the next call. whole is false for a last line without a line end, which
// may still be being written.
func (r *lineReader) next() (line []byte, whole bool, err error) {
	searched := r.start
	for {
		if end, ok := r.lineEnd(searched); ok {
			line = r.decoded(r.buffer[r.start:end])
			r.start = end + r.encoding.width()
			return bytes.TrimSuffix(line, []byte{'\r'}), true, nil
		}
		searched = len(r.buffer) - (len(r.buffer)-r.start)%r.encoding.width()
		if r.ended {
			if r.start >= len(r.buffer) {
				return nil, false, io.EOF
			}
			line = r.decoded(r.buffer[r.start:])
			r.start = len(r.buffer)
			return line, false, nil
		}
		if len(r.buffer)-r.start > logLineLimit*r.encoding.width() {
			return nil, false, errLongLine
		}
		searched -= r.start
		if err := r.fill(); err != nil {
			return nil, false, err
		}
		searched += r.start
	}
}

// lineEnd finds the end of the line in the buffer, from an index on.
func (r *lineReader) lineEnd(from int) (int, bool) {
	for from < len(r.buffer) {
		i := bytes.IndexByte(r.buffer[from:], '\n')
		if i < 0 {
			return 0, false
		}
		i += from
		switch odd := (i - r.start) % 2; {
		case r.encoding == utf8Text:
			return i, true
		case r.encoding == utf16Little && odd == 0 && i+1 < len(r.buffer) && r.buffer[i+1] == 0:
			return i, true
		case r.encoding == utf16Big && odd == 1 && r.buffer[i-1] == 0:
			return i - 1, true
		}
		from = i + 1
	}
	return 0, false
}

func (r *lineReader) decoded(raw []byte) []byte {
	if r.encoding == utf8Text {
		return raw
	}
	r.text = r.encoding.decode(r.text[:0], raw)
	return r.text
}

// fill drops the finished lines from the buffer and reads another block.
func (r *lineReader) fill() error {
	left := copy(r.buffer, r.buffer[r.start:])
	r.place += int64(r.start)
	r.start = 0
	block := cmp.Or(r.block, logBlock)
	if cap(r.buffer) < left+block {
		wider := make([]byte, left, max(2*cap(r.buffer), left+block))
		copy(wider, r.buffer[:left])
		r.buffer = wider
	}
	n, err := r.file.ReadAt(r.buffer[left:left+block], r.place+int64(left))
	r.buffer = r.buffer[:left+n]
	if errors.Is(err, io.EOF) {
		r.ended = true
		return nil
	}
	return err
}

// lineNumber returns the number of the line at an offset. It counts the lines only for an error, which is rare.
func lineNumber(file io.ReaderAt, encoding textEncoding, place int64) int {
	block := make([]byte, blockSize(place))
	number := 1
	for at := int64(0); at < place; at += int64(len(block)) {
		n, err := file.ReadAt(block[:min(int64(len(block)), place-at)], at)
		part := block[:n]
		if encoding == utf8Text {
			number += bytes.Count(part, []byte{'\n'})
		} else {
			low := 0 // the index of the low byte in a unit; blocks begin at even offsets
			if encoding == utf16Big {
				low = 1
			}
			for i := 0; i+1 < len(part); i += 2 {
				if part[i+low] == '\n' && part[i+1-low] == 0 {
					number++
				}
			}
		}
		if err != nil {
			break
		}
	}
	return number
}
