package codec

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"

	"cxdeck/perf/chunk"
)

// A group is a row of the chunk table: its cells one after the other, each with an unsigned varint as its tag. An even tag is
// twice the length of the cell's block, which follows. An odd tag is twice the number of an earlier cell plus one: this cell
// has the same differences, and its first value follows as a signed varint.
//
// Adapters count many things under several names, for example bytes of a port, of its only priority in use and of its
// interface. Without references, a third of the default lab's data would be repetitions.

// shortestTwin is the length of a block's differences, in bytes, from which on a reference is always shorter.
const shortestTwin = 16

// DuplicateFinder remembers the blocks of a window, to find cells with the same differences.
type DuplicateFinder struct {
	seed   maphash.Seed
	seen   map[uint64]twin
	deltas []byte // the blocks' differences one after the other
	block  []byte
}

// twin is a cell, and the range of its differences in DuplicateFinder.deltas.
type twin struct{ cell, from, to int }

// Reset forgets all blocks; call it before each window.
func (t *DuplicateFinder) Reset() {
	if t.seen == nil {
		t.seed, t.seen = maphash.MakeSeed(), map[uint64]twin{}
	}
	clear(t.seen)
	t.deltas = t.deltas[:0]
}

// Append adds a cell to a group, as a block or as a reference.
func (t *DuplicateFinder) Append(group []byte, cell int, values []int64) []byte {
	t.block = chunk.Append(t.block[:0], values)
	// The count and the first value precede the differences; equal differences are equal bytes.
	_, count := binary.Uvarint(t.block)
	first, size := binary.Varint(t.block[count:])
	deltas := t.block[count+size:]
	if len(deltas) >= shortestTwin {
		key := maphash.Bytes(t.seed, deltas)
		known, ok := t.seen[key]
		if ok && bytes.Equal(t.deltas[known.from:known.to], deltas) {
			group = binary.AppendUvarint(group, uint64(known.cell)<<1|1)
			return binary.AppendVarint(group, first)
		}
		from := len(t.deltas)
		t.deltas = append(t.deltas, deltas...)
		t.seen[key] = twin{cell, from, len(t.deltas)}
	}
	group = binary.AppendUvarint(group, uint64(len(t.block))<<1)
	return append(group, t.block...)
}

// Member is a cell as stored in a group.
type Member struct {
	Block []byte // nil for a reference
	Like  int    // the earlier cell with the same differences
	First int64  // the cell's first value, of a reference
}

// NextMember reads the next cell of a group.
func NextMember(group []byte) (m Member, rest []byte, err error) {
	tag, n := binary.Uvarint(group)
	if n <= 0 {
		return m, nil, errGroup
	}
	group = group[n:]
	if tag&1 == 0 {
		if tag>>1 > uint64(len(group)) {
			return m, nil, errGroup
		}
		return Member{Block: group[:tag>>1]}, group[tag>>1:], nil
	}
	first, n := binary.Varint(group)
	if n <= 0 || tag>>1 >= MaximumCells {
		return m, nil, errGroup
	}
	return Member{Like: int(tag >> 1), First: first}, group[n:], nil
}

var errGroup = fmt.Errorf("%w: a truncated group", chunk.ErrCorrupt)

// MemberOf returns the cell with index at of a group.
func MemberOf(group []byte, at int) (m Member, err error) {
	for range at + 1 {
		if m, group, err = NextMember(group); err != nil {
			return m, err
		}
	}
	return m, nil
}

// UnpackReference appends the values of a cell that refers to a cell of a group.
func (m *Member) UnpackReference(dst []int64, group []byte, samples int) ([]int64, error) {
	twin, err := MemberOf(group, m.Like%GroupCells)
	if err != nil {
		return dst, err
	}
	if twin.Block == nil {
		return dst, fmt.Errorf("%w: a reference to a reference", chunk.ErrCorrupt)
	}
	before := len(dst)
	dst, err = Unpack(dst, twin.Block, samples)
	Shift(dst[before:], m.First)
	return dst, err
}

// Shift turns the values of a cell into the values of its twin, which begins at first.
func Shift(values []int64, first int64) {
	if len(values) == 0 {
		return
	}
	offset := first - values[0]
	for i := range values {
		values[i] += offset
	}
}

// Unpack appends the values of one block to dst. The block must have one value per sample.
func Unpack(dst []int64, block []byte, samples int) ([]int64, error) {
	before := len(dst)
	dst, err := chunk.Decode(dst, block)
	if err != nil {
		return dst[:before], err
	}
	if len(dst)-before != samples {
		return dst[:before], fmt.Errorf("%w: %d values instead of %d", chunk.ErrCorrupt, len(dst)-before, samples)
	}
	return dst, nil
}
