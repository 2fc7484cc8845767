package level

import (
	"math"
	"math/bits"

	"cxdeck/perf"
)

// Kind says how the readings of a cell are aggregated.
type Kind uint8

// The kinds of cells.
const (
	// Value is a number that can rise and fall: its readings are aggregated.
	Value Kind = iota
	// Counter is a number that only rises: its changes per second are aggregated, in thousandths.
	Counter
	// Float is a float64, stored as its bits.
	Float
)

// Cell is a cell of a schema: its kind, and its width in bits when it is a counter.
type Cell struct {
	Kind  Kind
	Width uint8
}

// CellsOf returns the kinds of a schema's cells, from their series.
func CellsOf(schema *perf.Schema) []Cell {
	cells := make([]Cell, schema.Cells)
	for i := range schema.Series {
		series := &schema.Series[i]
		if series.Cell >= len(cells) {
			continue
		}
		cell := &cells[series.Cell]
		switch {
		case series.Scale == perf.FloatCells:
			*cell = Cell{Kind: Float}
		case (series.Kind == perf.Cumulative || series.Kind == perf.Rate) && cell.Kind == Value:
			*cell = Cell{Kind: Counter, Width: series.Width}
		}
	}
	return cells
}

// Column holds the values of a cell in each row of a block.
type Column struct {
	Kind Kind
	// Last is the last reading, perf.Missing where there was none.
	Last []int64
	// Min and Max are bounds of the summed values: cells of a Value, thousandths of a change per second of a Counter, the bits of
	// floats of a Float. They are undefined where Count is 0.
	Min, Max []int64
	// Sum is the sum: of a Value the sum of the differences from Last, of a Counter of the changes, of a Float its bits.
	Sum []int64
	// Count is the number of summed readings, or of summed changes of a Counter.
	Count []int64
}

// Reset makes the column empty, with room for rows.
func (c *Column) Reset(kind Kind, rows int) {
	c.Kind = kind
	for _, list := range []*[]int64{&c.Last, &c.Min, &c.Max, &c.Sum, &c.Count} {
		*list = resized(*list, rows)
		clear(*list)
	}
	for i := range c.Last {
		c.Last[i] = perf.Missing
	}
}

func resized(list []int64, length int) []int64 {
	if cap(list) < length {
		return make([]int64, length)
	}
	return list[:length]
}

// Samples are consecutive samples of a session: the row of each, its time, the number of samples missed before it, and the time
// of the sample before the first.
type Samples struct {
	Row    []int
	Times  []int64
	Missed []int64
	Before int64
}

// Add aggregates the readings of a cell, one for each of the samples. before is the reading before the first, perf.Missing without
// one.
func (c *Column) Add(width uint8, samples *Samples, before int64, readings []int64) {
	switch c.Kind {
	case Counter:
		c.addCounter(width, samples, before, readings)
	case Float:
		for i, reading := range readings {
			if reading != perf.Missing {
				c.addFloat(samples.Row[i], reading)
			}
		}
	default:
		for i, reading := range readings {
			if reading != perf.Missing {
				c.addValue(samples.Row[i], reading, reading, 0, 1, reading)
			}
		}
	}
}

// addValue adds readings that are aggregated already; sum is the sum of their differences from the last.
func (c *Column) addValue(row int, smallest, largest, sum, count, last int64) {
	if c.Count[row] == 0 {
		c.Min[row], c.Max[row] = smallest, largest
	}
	c.Min[row], c.Max[row] = min(c.Min[row], smallest), max(c.Max[row], largest)
	if c.Count[row] > 0 {
		sum += c.Sum[row] + c.Count[row]*(c.Last[row]-last)
	}
	c.Sum[row], c.Last[row] = sum, last
	c.Count[row] += count
}

func (c *Column) addFloat(row int, reading int64) {
	value := math.Float64frombits(uint64(reading))
	c.Last[row] = reading
	if math.IsNaN(value) {
		return
	}
	if c.Count[row] == 0 {
		c.Min[row], c.Max[row], c.Sum[row] = reading, reading, 0
	}
	c.boundFloat(row, reading, reading)
	c.Sum[row] = floatBits(float(c.Sum[row]) + value)
	c.Count[row]++
}

func (c *Column) boundFloat(row int, smallest, largest int64) {
	if float(smallest) < float(c.Min[row]) {
		c.Min[row] = smallest
	}
	if float(largest) > float(c.Max[row]) {
		c.Max[row] = largest
	}
}

func float(cell int64) float64      { return math.Float64frombits(uint64(cell)) }
func floatBits(value float64) int64 { return int64(math.Float64bits(value)) }

func (c *Column) addCounter(width uint8, samples *Samples, before int64, readings []int64) {
	at := samples.Before
	for i, reading := range readings {
		row := samples.Row[i]
		elapsed := samples.Times[i] - at
		at = samples.Times[i]
		change, ok := perf.Change(before, reading, width)
		before = reading
		if reading != perf.Missing {
			c.Last[row] = reading
		}
		if !ok || elapsed <= 0 || samples.Missed[i] > 0 {
			continue
		}
		low, near, high := thousandths(change, elapsed)
		if c.Count[row] == 0 {
			c.Min[row], c.Max[row] = low, high
		}
		c.Min[row], c.Max[row] = min(c.Min[row], low), max(c.Max[row], high)
		c.Sum[row] = plus(c.Sum[row], near)
		c.Count[row]++
	}
}

// maxThousandths limits the change of a counter per second, in thousandths; no adapter counts so fast.
const maxThousandths = 1 << 60

// plus adds numbers that are not negative, and saturates at the maximum.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// thousandths returns a change per second in thousandths, rounded down, to the nearest, and up.
func thousandths(change uint64, elapsed int64) (low, near, high int64) {
	if elapsed == 1e9 && change < maxThousandths/1000 {
		whole := int64(change) * 1000
		return whole, whole, whole
	}
	hi, lo := bits.Mul64(change, 1e12)
	if hi >= uint64(elapsed) {
		return maxThousandths, maxThousandths, maxThousandths
	}
	quotient, rest := bits.Div64(hi, lo, uint64(elapsed))
	if quotient >= maxThousandths {
		return maxThousandths, maxThousandths, maxThousandths
	}
	low, near, high = int64(quotient), int64(quotient), int64(quotient)
	if rest > 0 {
		high++
	}
	if rest >= uint64(elapsed)-rest {
		near = high
	}
	return low, near, high
}

// Merge adds row i of another column of the same kind to a row. From a column of another kind it takes only the last reading.
func (c *Column) Merge(row int, part *Column, i int) {
	switch {
	case part.Count[i] == 0 || part.Kind != c.Kind:
		if part.Last[i] != perf.Missing {
			c.Sum[row] += c.shifted(row, part.Last[i])
			c.Last[row] = part.Last[i]
		}
	case c.Kind == Value:
		c.addValue(row, part.Min[i], part.Max[i], part.Sum[i], part.Count[i], part.Last[i])
	case c.Kind == Float:
		if c.Count[row] == 0 {
			c.Min[row], c.Max[row], c.Sum[row] = part.Min[i], part.Max[i], 0
		}
		c.boundFloat(row, part.Min[i], part.Max[i])
		c.Sum[row] = floatBits(float(c.Sum[row]) + float(part.Sum[i]))
		c.Count[row] += part.Count[i]
		c.Last[row] = part.Last[i]
	default:
		if c.Count[row] == 0 {
			c.Min[row], c.Max[row] = part.Min[i], part.Max[i]
		}
		c.Min[row], c.Max[row] = min(c.Min[row], part.Min[i]), max(c.Max[row], part.Max[i])
		c.Sum[row] = plus(c.Sum[row], max(0, part.Sum[i]))
		c.Count[row] += part.Count[i]
		c.Last[row] = part.Last[i]
	}
}

// shifted returns the change of a Value's sum when its last reading is replaced.
func (c *Column) shifted(row int, last int64) int64 {
	if c.Kind != Value || c.Count[row] == 0 {
		return 0
	}
	return c.Count[row] * (c.Last[row] - last)
}

// Band returns a row of the column as values of a series that reads the cell: smallest, largest, average and last. For a
// Counter the first three describe its change per second, for other cells the readings. The last rate is not stored. NaN means
// no value.
func (c *Column) Band(series *perf.Series, row int) (smallest, largest, average, last float64) {
	last = series.CellValue(c.Last[row])
	if series.Kind == perf.Rate {
		last = math.NaN()
	}
	count := c.Count[row]
	counts := series.Kind == perf.Cumulative || series.Kind == perf.Rate
	if count <= 0 || counts != (c.Kind == Counter) && c.Kind != Float {
		return math.NaN(), math.NaN(), math.NaN(), last
	}
	switch c.Kind {
	case Counter:
		scaled := func(thousandths float64) float64 { return series.Scaled(thousandths / 1000) }
		smallest, largest = scaled(float64(c.Min[row])), scaled(float64(c.Max[row]))
		average = scaled(float64(c.Sum[row]) / float64(count))
	case Float:
		smallest, largest, average = float(c.Min[row]), float(c.Max[row]), float(c.Sum[row])/float64(count)
	default:
		smallest, largest = series.CellValue(c.Min[row]), series.CellValue(c.Max[row])
		average = last + series.Scaled(float64(c.Sum[row])/float64(count))
	}
	// The average of equal numbers may differ from them in its last digit.
	return smallest, largest, min(max(average, smallest), largest), last
}
