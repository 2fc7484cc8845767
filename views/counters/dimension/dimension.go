// Package dimension decides which counters can share an axis, and parses and formats their values: bits, bytes and kilobytes
// are one dimension. It chooses no colours and scales no axis.
package dimension

import (
	"strings"

	"cxdeck/perf"
)

// Dimension is the unit of an axis, per second or not. Bits, bytes and kilobytes are one dimension, counted in bytes.
type Dimension struct {
	Unit      perf.Unit
	PerSecond bool
}

// BitsPerByte converts bytes to the unit of line rates.
const BitsPerByte = 8

// Of returns the dimension of a series, and the factor that converts its values to the unit of the dimension.
func Of(series perf.Series) (Dimension, float64) {
	rate := series.PerSecond()
	switch counted, _ := series.Unit.Counted(); counted {
	case perf.Kilobytes:
		return Dimension{perf.Bytes, rate}, 1000
	case "bits":
		return Dimension{perf.Bytes, rate}, 1.0 / BitsPerByte
	case "kilobits":
		return Dimension{perf.Bytes, rate}, 1e3 / BitsPerByte
	case "gigabits":
		return Dimension{perf.Bytes, rate}, 1e9 / BitsPerByte
	case perf.Frames:
		return Dimension{perf.Packets, rate}, 1
	default:
		return Dimension{counted, rate}, 1
	}
}

// Throughput reports whether the dimension can be compared with a line rate.
func (d Dimension) Throughput() bool { return d.Unit == perf.Bytes && d.PerSecond }

// Number formats a value of the dimension, with its unit.
func (d Dimension) Number(value float64, inBytes bool) string {
	return perf.Number(value, d.Unit, d.PerSecond, inBytes)
}

// Shown returns the factor from the unit of the dimension to the displayed unit. An axis is rounded in displayed units.
func (d Dimension) Shown(inBytes bool) float64 {
	switch {
	case d.Throughput() && !inBytes:
		return BitsPerByte
	case d.Unit == perf.Microseconds:
		return 1e-6 // seconds
	default:
		return 1
	}
}

// Name returns the unit in words, for the legend and for prompts.
func (d Dimension) Name(inBytes bool) string {
	switch {
	case d.Throughput() && inBytes:
		return "bytes/s"
	case d.Throughput():
		return "bits/s"
	case d.Unit == perf.NoUnit:
		return "number"
	case d.Unit == perf.Microseconds && d.PerSecond:
		return "seconds/s"
	case d.Unit == perf.Microseconds:
		return "seconds"
	case d.PerSecond:
		return string(d.Unit) + "/s"
	default:
		return string(d.Unit)
	}
}

// Parse reads a value of the dimension as an operator types it: a plain number is in the displayed unit.
func (d Dimension) Parse(text string, inBytes bool) (value float64, percent bool, err error) {
	unit := d.Unit
	switch {
	case d.Throughput() && !inBytes:
		unit = perf.Bits
	case d.Unit == perf.Microseconds && strings.Trim(text, " +-0123456789.eE") == "":
		text += "s"
	}
	value, percent, err = perf.ParseNumber(text, unit)
	if err == nil && !percent && unit != d.Unit {
		value /= BitsPerByte
	}
	return value, percent, err
}
