package chunk

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Decode appends the values of one block to dst; block must be exactly one block. It allocates only when dst has no room. With
// an error, which wraps ErrCorrupt, it returns dst unchanged.
func Decode(dst []int64, block []byte) ([]int64, error) {
	count, rest, err := uvarint(block)
	if err != nil {
		return dst, err
	}
	if count > MaxValues {
		return dst, fmt.Errorf("%w: it claims %d values", ErrCorrupt, count)
	}
	if count == 0 {
		return dst, ended(rest)
	}
	first, rest, err := varint(rest)
	if err != nil {
		return dst, err
	}
	if count == 1 {
		if err := ended(rest); err != nil {
			return dst, err
		}
		return append(dst, first), nil
	}
	if len(rest) == 0 {
		return dst, errShort
	}
	form, rest := rest[0], rest[1:]
	switch {
	case form == sparse:
		return decodeSparse(dst, first, int(count)-1, rest)
	case form < sparse:
		return decodePacked(dst, first, int(count)-1, int(form), rest)
	}
	return dst, fmt.Errorf("%w: unknown form %d", ErrCorrupt, form)
}

var (
	errShort    = fmt.Errorf("%w: it ends too early", ErrCorrupt)
	errTrailing = fmt.Errorf("%w: bytes after its end", ErrCorrupt)
)

func decodePacked(dst []int64, first int64, changes, width int, packed []byte) ([]int64, error) {
	smallest, packed, err := varint(packed)
	if err != nil {
		return dst, err
	}
	if len(packed) < packedSize(changes, width) {
		return dst, errShort
	}
	if len(packed) > packedSize(changes, width) {
		return dst, errTrailing
	}
	dst, out := extend(dst, changes+1)
	out[0] = first
	value := first
	if width == 0 {
		for i := range changes {
			value += smallest
			out[1+i] = value
		}
		return dst, nil
	}
	mask := ^uint64(0) >> (64 - width)
	var word uint64
	have := 0
	for i := range changes {
		offset := word
		if have >= width {
			word >>= width
			have -= width
		} else {
			word, packed = next(packed)
			offset |= word << have
			word >>= width - have
			have += 64 - width
		}
		value += smallest + int64(offset&mask)
		out[1+i] = value
	}
	return dst, nil
}

// next returns the next eight bytes, or fewer at the end, and the rest.
func next(packed []byte) (uint64, []byte) {
	if len(packed) >= 8 {
		return binary.LittleEndian.Uint64(packed), packed[8:]
	}
	var word uint64
	for i, b := range packed {
		word |= uint64(b) << (8 * i)
	}
	return word, nil
}

func decodeSparse(dst []int64, first int64, changes int, pairs []byte) ([]int64, error) {
	before := dst
	dst, out := extend(dst, changes+1)
	out[0] = first
	value, at := first, 1
	for len(pairs) > 0 {
		gap, rest, err := uvarint(pairs)
		if err != nil {
			return before, err
		}
		difference, rest, err := varint(rest)
		if err != nil {
			return before, err
		}
		pairs = rest
		if gap >= uint64(len(out)-at) {
			return before, fmt.Errorf("%w: a change past its last value", ErrCorrupt)
		}
		for range gap {
			out[at] = value
			at++
		}
		value += difference
		out[at] = value
		at++
	}
	for ; at < len(out); at++ {
		out[at] = value
	}
	return dst, nil
}

// extend extends dst by count values, and also returns the new part.
func extend(dst []int64, count int) (longer, added []int64) {
	longer = slices.Grow(dst, count)[:len(dst)+count]
	return longer, longer[len(dst):]
}

func uvarint(data []byte) (uint64, []byte, error) {
	if len(data) > 0 && data[0] < 0x80 {
		return uint64(data[0]), data[1:], nil
	}
	number, size := binary.Uvarint(data)
	if size <= 0 {
		return 0, nil, errShort
	}
	return number, data[size:], nil
}

func varint(data []byte) (int64, []byte, error) {
	number, rest, err := uvarint(data)
	return int64(number>>1) ^ -int64(number&1), rest, err
}

func ended(rest []byte) error {
	if len(rest) > 0 {
		return errTrailing
	}
	return nil
}
