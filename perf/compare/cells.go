package compare

import (
	"math"
	"time"

	"cxdeck/perf"
)

// SumCells summarises series of a source that reads the values of one cell after the other. The samples before index lead are
// used only for rates. read returns a cell's values at the given times, valid until the next call.
func SumCells(schema *perf.Schema, times []int64, lead int, read func(cell int) []int64) []Summary {
	readers := make([][]int, schema.Cells)
	for i := range schema.Series {
		if cell := schema.Series[i].Cell; cell < len(readers) {
			readers[cell] = append(readers[cell], i)
		}
	}
	summaries := make([]Summary, len(schema.Series))
	none := (&summation{}).summary()
	for i := range summaries {
		summaries[i] = none
	}
	for cell, series := range readers {
		if len(series) == 0 {
			continue
		}
		values := read(cell)
		for _, i := range series {
			summaries[i] = summarise(&schema.Series[i], times, values, lead)
		}
	}
	return summaries
}

// summarise summarises one series.
func summarise(series *perf.Series, times, cells []int64, lead int) Summary {
	var sum summation
	for n := lead; n < len(cells); n++ {
		value := math.NaN()
		switch series.Kind {
		case perf.Rate, perf.Cumulative:
			if n > 0 && series.Scale != perf.FloatCells {
				value = series.Rate(cells[n-1], cells[n], time.Duration(times[n]-times[n-1]))
			}
		case perf.Gauge, perf.Maximum:
			value = series.CellValue(cells[n])
		case perf.Identity:
		}
		if !math.IsNaN(value) {
			sum.add(value)
		}
	}
	return sum.summary()
}
