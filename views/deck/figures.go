package deck

import (
	"math"

	"cxdeck/perf"
	"cxdeck/perf/window"
)

// Newest returns the sum of the series' newest values, NaN if there are none.
func Newest(window *window.Recent, series []int) float64 {
	if window == nil || len(series) == 0 {
		return math.NaN()
	}
	if value, ok := window.LastSum(series); ok {
		return value
	}
	return math.NaN()
}

// Known returns the value, or 0 for NaN.
func Known(value float64) float64 {
	if math.IsNaN(value) {
		return 0
	}
	return value
}

// ByteRate formats bytes per second in the operator's unit.
func (d *Deck) ByteRate(bytes float64) string { return perf.Number(bytes, perf.Bytes, true, d.InBytes) }

// BitRate formats bits per second in the operator's unit.
func (d *Deck) BitRate(bits float64) string { return d.ByteRate(bits / 8) }

// UnitOf returns the unit of the first series, and whether it is per second; bytes per second without a series.
func UnitOf(schema *perf.Schema, series []int) (unit perf.Unit, perSecond bool) {
	if schema == nil || len(series) == 0 || series[0] < 0 || series[0] >= len(schema.Series) {
		return perf.Bytes, true
	}
	s := &schema.Series[series[0]]
	return s.Unit, s.PerSecond()
}
