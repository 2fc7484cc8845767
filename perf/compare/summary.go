package compare

import (
	"math"

	"cxdeck/perf"
)

// Summary describes the values of a series in a period of time. Numbers are in the unit of the series; a
// cumulative counter is summarised as its rate per second. They are NaN while Count is 0.
type Summary struct {
	Count                  int
	Mean, Minimum, Maximum float64
	// Deviation is the standard deviation of the values, 0 for a single one.
	Deviation float64
}

// summation accumulates a Summary by Welford's method, which needs one pass and loses no digits to large means.
type summation struct {
	count           int
	mean, squares   float64
	lowest, highest float64
}

func (s *summation) add(value float64) {
	if s.count == 0 {
		s.lowest, s.highest = value, value
	}
	s.count++
	delta := value - s.mean
	s.mean += delta / float64(s.count)
	s.squares += delta * (value - s.mean)
	s.lowest, s.highest = min(s.lowest, value), max(s.highest, value)
}

func (s *summation) summary() Summary {
	if s.count == 0 {
		none := math.NaN()
		return Summary{Mean: none, Minimum: none, Maximum: none, Deviation: none}
	}
	return Summary{
		Count: s.count, Mean: s.mean, Minimum: s.lowest, Maximum: s.highest,
		Deviation: math.Sqrt(max(0, s.squares) / float64(s.count)),
	}
}

// Collector summarises the columns of a period, series by series.
type Collector struct {
	schema *perf.Schema
	series []summation
	before perf.Column
	began  bool
}

// Column adds the next column. With lead set, the column lies before the period and is used only for the first rates. A later
// schema begins with the series of the earlier one.
func (c *Collector) Column(schema *perf.Schema, column *perf.Column, lead bool) {
	c.schema = schema
	for len(c.series) < len(schema.Series) {
		c.series = append(c.series, summation{})
	}
	before := &c.before
	if !c.began {
		before = nil
	}
	if !lead {
		for i := range schema.Series {
			if value := valueOf(&schema.Series[i], before, column); !math.IsNaN(value) {
				c.series[i].add(value)
			}
		}
	}
	c.before.Time, c.began = column.Time, true
	c.before.Cells = append(c.before.Cells[:0], column.Cells...)
}

// valueOf returns the value by which a series is compared: the rate of a cumulative counter, NaN for a name.
func valueOf(series *perf.Series, before, column *perf.Column) float64 {
	switch series.Kind {
	case perf.Rate, perf.Cumulative:
		if before == nil || series.Scale == perf.FloatCells {
			return math.NaN()
		}
		return series.Rate(series.CellOf(before), series.CellOf(column), column.Time.Sub(before.Time))
	case perf.Gauge, perf.Maximum:
		return series.CellValue(series.CellOf(column))
	case perf.Identity:
	}
	return math.NaN()
}

// Summaries returns the schema of the columns, nil without any, and a summary for each of its series.
func (c *Collector) Summaries() (*perf.Schema, []Summary) {
	summaries := make([]Summary, len(c.series))
	for i := range c.series {
		summaries[i] = c.series[i].summary()
	}
	return c.schema, summaries
}
