package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"

	"cxdeck/perf/chunk"
)

// A group is a row of the chunk table: its cells one after the other, each as an unsigned varint and what that
// announces. An even one is twice the length of the cell's block, which follows. An odd one is twice the number of an
// earlier cell plus one: this cell moved exactly as that one did, and its first value follows as a signed varint.
//
// Adapters count many things under several names, as bytes of a port, of its one priority in use and of the interface
// on it. A third of the default lab's bytes would be such repetitions.

// minTwin is the length of a block's moves from which a reference is shorter for certain.
const minTwin = 16

// twins remembers the blocks of a window, to find cells that moved alike.
type twins struct {
	seed  maphash.Seed
	seen  map[uint64]twin
	moves []byte // the blocks' moves one after the other
	block []byte
}

// twin is a cell and where its moves lie.
type twin struct{ cell, from, to int }

// reset forgets all; it comes before each window.
func (t *twins) reset() {
	if t.seen == nil {
		t.seed, t.seen = maphash.MakeSeed(), map[uint64]twin{}
	}
	clear(t.seen)
	t.moves = t.moves[:0]
}

// append adds a cell to a group, as a block or as a reference.
func (t *twins) append(group []byte, cell int, values []int64) []byte {
	t.block = chunk.Append(t.block[:0], values)
	// Behind the count and the first value stand the moves, which are the same bytes if the moves are the same.
	_, count := binary.Uvarint(t.block)
	first, size := binary.Varint(t.block[count:])
	moves := t.block[count+size:]
	if len(moves) >= minTwin {
		key := maphash.Bytes(t.seed, moves)
		known, ok := t.seen[key]
		if ok && bytes.Equal(t.moves[known.from:known.to], moves) {
			group = binary.AppendUvarint(group, uint64(known.cell)<<1|1)
			return binary.AppendVarint(group, first)
		}
		from := len(t.moves)
		t.moves = append(t.moves, moves...)
		t.seen[key] = twin{cell, from, len(t.moves)}
	}
	group = binary.AppendUvarint(group, uint64(len(t.block))<<1)
	return append(group, t.block...)
}

// member is a cell as it stands in a group.
type member struct {
	block []byte // nil for a reference
	like  int    // the earlier cell that it moved like
	first int64
}

// nextMember reads the next cell of a group.
func nextMember(group []byte) (m member, rest []byte, err error) {
	tag, n := binary.Uvarint(group)
	if n <= 0 {
		return m, nil, errGroup
	}
	group = group[n:]
	if tag&1 == 0 {
		if tag>>1 > uint64(len(group)) {
			return m, nil, errGroup
		}
		return member{block: group[:tag>>1]}, group[tag>>1:], nil
	}
	first, n := binary.Varint(group)
	if n <= 0 || tag>>1 >= MaximumCells {
		return m, nil, errGroup
	}
	return member{like: int(tag >> 1), first: first}, group[n:], nil
}

var errGroup = fmt.Errorf("%w: a group that is cut short", chunk.ErrCorrupt)

// memberOf finds one cell of a group; at is its place in it.
func memberOf(group []byte, at int) (m member, err error) {
	for range at + 1 {
		if m, group, err = nextMember(group); err != nil {
			return m, err
		}
	}
	return m, nil
}

// shift turns the values of a cell into the values of one that moved alike and began at first.
func shift(values []int64, first int64) {
	if len(values) == 0 {
		return
	}
	apart := first - values[0]
	for i := range values {
		values[i] += apart
	}
}

// unpack appends the values of one block to dst, which must be as many as samples.
func unpack(dst []int64, block []byte, samples int) ([]int64, error) {
	before := len(dst)
	dst, err := chunk.Decode(dst, block)
	if err != nil {
		return dst[:before], err
	}
	if len(dst)-before != samples {
		return dst[:before], fmt.Errorf("%w: %d values where %d belong", chunk.ErrCorrupt, len(dst)-before, samples)
	}
	return dst, nil
}
