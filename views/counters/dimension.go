package counters

import (
	"cxdeck/perf"
)

// dimension says which values share an axis: what they count, and whether in a second. Bits, bytes and kilobytes are
// one dimension, counted in bytes.
type dimension struct {
	unit      perf.Unit
	perSecond bool
}

// bitsPerByte turns bytes into what line rates are given in.
const bitsPerByte = 8

// dimensionOf gives the dimension of a series, and how many of the dimension's units one of the series' units is.
func dimensionOf(series perf.Series) (dimension, float64) {
	rate := series.PerSecond()
	switch counted, _ := series.Unit.Counted(); counted {
	case perf.Kilobytes:
		return dimension{perf.Bytes, rate}, 1000
	case "bits":
		return dimension{perf.Bytes, rate}, 1.0 / bitsPerByte
	case "kilobits":
		return dimension{perf.Bytes, rate}, 1e3 / bitsPerByte
	case "gigabits":
		return dimension{perf.Bytes, rate}, 1e9 / bitsPerByte
	case perf.Frames:
		return dimension{perf.Packets, rate}, 1
	default:
		return dimension{counted, rate}, 1
	}
}

// throughput says whether the dimension can be compared with a line rate.
func (d dimension) throughput() bool { return d.unit == perf.Bytes && d.perSecond }

// number writes a value of the dimension.
func (d dimension) number(value float64, inBytes bool) string {
	return perf.Number(value, d.unit, d.perSecond, inBytes)
}

// shown is how many of the units that are shown one unit of the dimension is: round numbers are round in shown units.
func (d dimension) shown(inBytes bool) float64 {
	switch {
	case d.throughput() && !inBytes:
		return bitsPerByte
	case d.unit == perf.Microseconds:
		return 1e-6 // seconds
	default:
		return 1
	}
}

// name is the unit in words, for the legend and for prompts.
func (d dimension) name(inBytes bool) string {
	switch {
	case d.throughput() && inBytes:
		return "bytes/s"
	case d.throughput():
		return "bits/s"
	case d.unit == perf.NoUnit:
		return "number"
	case d.unit == perf.Microseconds && d.perSecond:
		return "seconds/s"
	case d.unit == perf.Microseconds:
		return "seconds"
	case d.perSecond:
		return string(d.unit) + "/s"
	default:
		return string(d.unit)
	}
}
