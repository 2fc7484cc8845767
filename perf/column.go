package perf

import (
	"math"
	"time"
)

// Missing in a cell means that there was no reading.
const Missing int64 = math.MinInt64

// Column is one sample of all counters of a source: one value for each cell of the schema.
type Column struct {
	// Time is the time of the sample, by the source's clock.
	Time time.Time
	// Missed is the number of samples that are missing between the previous column and this one.
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
