// Package chunk packs a period of one series, integers at even steps, into few bytes. Most counters of adapters are constant,
// some change rarely, and a few change all the time; each block has the shorter of two forms. The package knows nothing of
// time, series or files.
//
// A block is the number of values as an unsigned varint, and unless that is 0, the first value as a signed varint. With
// two or more values a form byte follows, then the differences from one value to the next, modulo 2^64:
//
//	form 0..64  packed: the smallest difference as a signed varint, then each difference less the smallest in that many
//	            bits, lowest bit first, the last byte filled with zero bits
//	form 65     sparse: for each difference that is not zero, the number of zero differences before it as an unsigned
//	            varint and the difference as a signed varint, to the end of the block
package chunk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// MaxValues is the maximum number of values in a block, so that a corrupt count can't take much memory.
const MaxValues = 1 << 16

// ErrCorrupt is wrapped by every error of Decode.
var ErrCorrupt = errors.New("corrupt sample block")

// sparse is the form byte of sparse blocks; lower ones are widths of packed ones.
const sparse = 65

// Append packs values as one block at the end of dst. It allocates only when dst has no room, and panics for more than
// MaxValues, which is a bug of the caller.
func Append(dst []byte, values []int64) []byte {
	if len(values) > MaxValues {
		panic(fmt.Sprintf("chunk: %d values in a block that holds %d", len(values), MaxValues))
	}
	dst = binary.AppendUvarint(dst, uint64(len(values)))
	if len(values) == 0 {
		return dst
	}
	dst = binary.AppendVarint(dst, values[0])
	if len(values) == 1 {
		return dst
	}
	smallest, width, sparseSize := measure(values)
	if packedSize(len(values)-1, width)+varintSize(smallest) <= sparseSize {
		dst = append(dst, byte(width))
		dst = binary.AppendVarint(dst, smallest)
		return appendPacked(dst, values, smallest, width)
	}
	return appendSparse(append(dst, sparse), values)
}

// measure returns the smallest difference, the bits that the others need above it, and the bytes of the sparse form.
func measure(values []int64) (smallest int64, width, sparseSize int) {
	smallest = values[1] - values[0]
	largest, previous := smallest, values[0]
	changes, gap := 0, 0
	for _, value := range values[1:] {
		if value == previous {
			gap++
			continue
		}
		difference := value - previous
		previous = value
		smallest, largest = min(smallest, difference), max(largest, difference)
		sparseSize += uvarintSize(uint64(gap)) + varintSize(difference)
		changes++
		gap = 0
	}
	if changes < len(values)-1 {
		smallest, largest = min(smallest, 0), max(largest, 0)
	}
	return smallest, bits.Len64(uint64(largest) - uint64(smallest)), sparseSize
}

func appendPacked(dst []byte, values []int64, smallest int64, width int) []byte {
	if width == 0 {
		return dst
	}
	dst = slices.Grow(dst, packedSize(len(values)-1, width)+8)
	var word uint64
	filled := 0
	previous := values[0]
	for _, value := range values[1:] {
		offset := uint64(value) - uint64(previous) - uint64(smallest)
		previous = value
		word |= offset << filled
		filled += width
		if filled >= 64 {
			dst = binary.LittleEndian.AppendUint64(dst, word)
			filled -= 64
			word = offset >> (width - filled) // a shift by 64, when nothing is left over, gives 0
		}
	}
	for ; filled > 0; filled -= 8 {
		dst = append(dst, byte(word))
		word >>= 8
	}
	return dst
}

func appendSparse(dst []byte, values []int64) []byte {
	previous, gap := values[0], uint64(0)
	for _, value := range values[1:] {
		if value == previous {
			gap++
			continue
		}
		dst = binary.AppendUvarint(dst, gap)
		dst = binary.AppendVarint(dst, value-previous)
		previous = value
		gap = 0
	}
	return dst
}

// packedSize returns the size of changes differences of a width, in bytes.
func packedSize(changes, width int) int { return (changes*width + 7) / 8 }

// uvarintSize and varintSize are the lengths of numbers as varints.
func uvarintSize(number uint64) int { return (bits.Len64(number|1) + 6) / 7 }

func varintSize(number int64) int { return uvarintSize(uint64(number<<1) ^ uint64(number>>63)) }
