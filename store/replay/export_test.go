package replay

import "cxdeck/perf"

// SlabValues is how many plain numbers of a window are in memory at a time.
const SlabValues = slabValues

// Unpacked returns how many plain numbers a replay has in memory.
func Unpacked(source perf.Source) int { return len(source.(*replay).rows.values) }
