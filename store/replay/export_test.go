package replay

import "cxdeck/perf"

// SlabValues exports slabValues.
const SlabValues = slabValues

// Unpacked returns the number of unpacked numbers that a replay has in memory.
func Unpacked(source perf.Source) int { return len(source.(*replay).rows.values) }
