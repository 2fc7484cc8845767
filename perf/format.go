package perf

import (
	"math"
	"strconv"
	"strings"
)

// prefixes are the SI prefixes from 1 up, in steps of a thousand.
var prefixes = [...]string{"", "k", "M", "G", "T", "P", "E"}

// style says how to write numbers of a unit.
type style struct {
	// factor turns a stored value into the written unit: kilobytes into bytes, microseconds into seconds.
	factor float64
	symbol string
	// data: the symbol and size follow the choice of bits or bytes; factor leads to bytes.
	data bool
	// rate: the number is per second already.
	rate bool
	// small: prefixes below 1 are used (only for time).
	small bool
	// tight: no space before the symbol, and no prefixes.
	tight bool
	// name: the number is an identifier, written with all digits.
	name bool
	hex  bool
}

// rateWords is the end of the unit of a number per second, as in logs.
const rateWords = " per second"

// styles of all units except plain counts. Kilo is 1000; the manuals don't define it.
var styles = map[Unit]style{
	Bytes:        {factor: 1, data: true},
	Kilobytes:    {factor: 1e3, data: true},
	Megabytes:    {factor: 1e6, data: true},
	Gigabytes:    {factor: 1e9, data: true},
	"bits":       {factor: 1.0 / 8, data: true},
	"kilobits":   {factor: 1e3 / 8, data: true},
	Bits:         {factor: 1.0 / 8, data: true, rate: true},
	Gigabits:     {factor: 1e9 / 8, data: true, rate: true},
	Packets:      {factor: 1, symbol: "p"},
	Frames:       {factor: 1, symbol: "p"},
	Microseconds: {factor: 1e-6, symbol: "s", small: true},
	Percent:      {factor: 1, symbol: "%", tight: true},
	Celsius:      {factor: 1, symbol: " °C", tight: true},
	"CPU number": {factor: 1, name: true},
	"QP number":  {factor: 1, name: true},
	"bitmask":    {factor: 1, name: true, hex: true},
}

// Counted returns the unit without "per second", and whether it had it: "packets" and true for "packets per second".
func (u Unit) Counted() (counted Unit, perSecond bool) {
	text, perSecond := strings.CutSuffix(string(u), rateWords)
	return Unit(text), perSecond
}

// Rate returns the unit per second: "packets per second" for packets.
func (u Unit) Rate() Unit {
	if strings.HasSuffix(string(u), rateWords) {
		return u
	}
	return Unit(strings.TrimSpace(string(u) + rateWords))
}

// PerSecond reports whether a number in the unit is a rate by itself, as bits per second are.
func (u Unit) PerSecond() bool { return styleOf(u).rate }

// LinePercent returns one percent of the line rate in the unit of the series; ok is false when it does not measure data or
// its port has no link.
func (s *Series) LinePercent() (value float64, ok bool) {
	style := styleOf(s.Unit)
	if !style.data || s.Line == 0 {
		return 0, false
	}
	return float64(s.Line) / 8 / style.factor / 100, true
}

// styleOf finds the style of a unit; "packets per second" is written as a rate of packets.
func styleOf(unit Unit) style {
	if s, special := styles[unit]; special {
		return s
	}
	counted, rate := unit.Counted()
	s, special := styles[counted]
	if !special {
		s.factor = 1
	}
	s.rate = s.rate || rate
	return s
}

// Number writes a value for people: three significant digits, SI prefixes. A per-second value of bytes is written in bits
// ("18.4 Gb/s") unless inBytes is set ("2.30 GB/s"); amounts of bytes stay bytes ("1.21 TB"); packets and frames are "1.52
// Mp/s", durations "1.50 ms", units without a symbol "1.52 k", and per second "1.52 k/s". Whole amounts below a thousand have
// no decimals, rates always three digits, so that they change in place. Zero is "0", NaN is "-".
func Number(value float64, unit Unit, perSecond, inBytes bool) string {
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return "-"
	case value == 0:
		return "0"
	}
	var room [32]byte
	return string(appendNumber(room[:0], value, unit, perSecond, inBytes))
}

func appendNumber(dst []byte, value float64, unit Unit, perSecond, inBytes bool) []byte {
	s := styleOf(unit)
	perSecond = (perSecond || s.rate) && unit != Percent // a percentage per second is a percentage
	symbol := s.symbol
	value *= s.factor
	if s.data {
		symbol = "B"
		if perSecond && !inBytes {
			symbol = "b"
			value *= 8
		}
	}
	switch {
	case s.hex && value > 0 && value < math.MaxUint64:
		return strconv.AppendUint(append(dst, "0x"...), uint64(value), 16)
	case s.name:
		return strconv.AppendFloat(dst, value, 'f', 0, 64)
	case s.tight:
		dst = appendDigits(dst, value, perSecond)
		dst = append(dst, symbol...)
	default:
		scaled, prefix := scale(value, s.small)
		dst = appendDigits(dst, scaled, perSecond || prefix != "")
		if prefix != "" || symbol != "" || perSecond {
			dst = append(dst, ' ')
		}
		dst = append(dst, prefix...)
		dst = append(dst, symbol...)
	}
	if perSecond {
		dst = append(dst, "/s"...)
	}
	return dst
}

// scale scales a value to less than a thousand after rounding to three digits, so that "1000 k" never appears.
func scale(value float64, small bool) (scaled float64, prefix string) {
	size := math.Abs(value)
	if small {
		for _, smaller := range [...]string{"m", "µ"} {
			if size*1e3 >= 999.5 {
				break
			}
			value, size, prefix = value*1e3, size*1e3, smaller
		}
		if prefix != "" {
			return value, prefix
		}
	}
	power := 0
	for size >= 999.5 && power < len(prefixes)-1 {
		value /= 1e3
		size /= 1e3
		power++
	}
	return value, prefixes[power]
}

// appendDigits writes three significant digits; below one, three decimals.
func appendDigits(dst []byte, value float64, fixed bool) []byte {
	size := math.Abs(value)
	decimals := 0
	switch {
	case size >= 1e5:
		return strconv.AppendFloat(dst, value, 'e', 2, 64)
	case size >= 99.95 || !fixed && value == math.Trunc(value):
	case size >= 9.995:
		decimals = 1
	case size >= 0.9995:
		decimals = 2
	default:
		decimals = 3
	}
	return strconv.AppendFloat(dst, value, 'f', decimals, 64)
}
