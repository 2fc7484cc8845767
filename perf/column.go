package perf

import (
	"math"
	"time"
)

// Missing in a cell means that there was no reading.
const Missing int64 = math.MinInt64

// Column is one sample of everything a source has: one cell for each of the schema's cells.
type Column struct {
	// Time is when the sample was taken, in the source's own time.
	Time time.Time
	// Missed is how many samples should have come between the one before and this one, and did not.
	Missed int
	// Cells holds the stored numbers. A 64-bit counter is the bit pattern of its unsigned value; a number with a
	// fraction is stored times 1/Scale of its series.
	Cells []int64
}

// Grow makes the column n cells long, new cells Missing. Memory is reused.
func (c *Column) Grow(n int) {
	for len(c.Cells) < n {
		c.Cells = append(c.Cells, Missing)
	}
	c.Cells = c.Cells[:n]
}
