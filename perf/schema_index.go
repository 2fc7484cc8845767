package perf

import (
	"bytes"
	"hash/maphash"
)

// pathIndex finds series by their path, ignoring case. It is a hash table of the indexes of series. It does not store the
// paths, which would be larger than the rest of a schema: they are built only for comparisons.
type pathIndex struct {
	series []Series
	seed   maphash.Seed
	// slots hold the index of a series plus one; 0 is empty. At least half of them are empty.
	slots []int32
	mask  uint64
}

func newPathIndex(series []Series) *pathIndex {
	size := 4
	for size < 2*len(series) {
		size *= 2
	}
	p := &pathIndex{series: series, seed: maphash.MakeSeed(), slots: make([]int32, size), mask: uint64(size - 1)}
	var path []byte
	for i := range series {
		path = appendFoldedPath(path[:0], &series[i])
		at := maphash.Bytes(p.seed, path) & p.mask
		for p.slots[at] != 0 {
			at = (at + 1) & p.mask
		}
		p.slots[at] = int32(i + 1)
	}
	return p
}

// find returns the index of the first series with a path.
func (p *pathIndex) find(path string) (int, bool) {
	wanted := appendFolded(make([]byte, 0, 128), path)
	var other []byte
	for at := maphash.Bytes(p.seed, wanted) & p.mask; p.slots[at] != 0; at = (at + 1) & p.mask {
		i := int(p.slots[at] - 1)
		if other = appendFoldedPath(other[:0], &p.series[i]); bytes.Equal(other, wanted) {
			return i, true
		}
	}
	return 0, false
}

// appendFoldedPath appends the path of a series, folded; see JoinPath.
func appendFoldedPath(to []byte, s *Series) []byte {
	to = appendFolded(append(to, '\\'), s.Set)
	if s.Instance != "" {
		to = append(appendFolded(append(to, '('), s.Instance), ')')
	}
	return appendFolded(append(to, '\\'), s.Counter)
}
