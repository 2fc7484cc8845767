package perf

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// quantity is one way to write a unit by hand.
type quantity struct {
	symbol string
	// factor converts to bytes (data), to seconds (time), or to 1.
	factor     float64
	data, time bool
}

// quantities are the symbols that ParseNumber accepts after an SI prefix.
var quantities = []quantity{
	{symbol: "b", factor: 1.0 / 8, data: true},
	{symbol: "bit", factor: 1.0 / 8, data: true},
	{symbol: "bits", factor: 1.0 / 8, data: true},
	{symbol: "B", factor: 1, data: true},
	{symbol: "byte", factor: 1, data: true},
	{symbol: "bytes", factor: 1, data: true},
	{symbol: "s", factor: 1, time: true},
	{symbol: "p", factor: 1},
	{symbol: "packets", factor: 1},
	{symbol: "frames", factor: 1},
	{symbol: "°C", factor: 1},
	{symbol: "C", factor: 1},
	{symbol: "", factor: 1},
}

// factors of the prefixes that ParseNumber accepts; K and g in the wrong case are accepted, m is not: it is ambiguous.
var factors = map[string]float64{
	"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "g": 1e9, "T": 1e12, "t": 1e12, "P": 1e15, "E": 1e18,
}

// smallFactors are the prefixes of seconds.
var smallFactors = map[string]float64{"m": 1e-3, "µ": 1e-6, "μ": 1e-6, "u": 1e-6, "n": 1e-9}

// ParseNumber reads numbers as Number writes them and as people type them ("9.5 Gb/s", "80%", "1k"), and returns the value in
// the unit. Bits (b) and bytes (B) are converted. percent is true for a percentage in a unit other than percent: it is a
// percentage of the line rate.
func ParseNumber(text string, unit Unit) (value float64, percent bool, err error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, false, errors.New("a number is required, such as 1500, 9.5 Gb/s, 20k or 80%")
	}
	number, symbol := splitNumber(text)
	value, err = strconv.ParseFloat(number, 64)
	if err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
		return 0, false, fmt.Errorf("invalid number %.40q; write it like 1500, 9.5 Gb/s, 20k or 80%%", text)
	}
	if symbol == "%" {
		return value, unit != Percent, nil
	}
	per := strings.TrimSuffix(strings.TrimSuffix(symbol, "/s"), "/Sec")
	factor, ok := unitFactor(strings.TrimSpace(per), styleOf(unit))
	if !ok {
		if unit == "" {
			return 0, false, fmt.Errorf("invalid unit %.40q: this counter has no unit", symbol)
		}
		return 0, false, fmt.Errorf("invalid unit %.40q: this counter is in %s", symbol, unit)
	}
	return value * factor, false, nil
}

// splitNumber splits a text into the number and the symbol after it.
func splitNumber(text string) (number, symbol string) {
	end := 0
	for end < len(text) {
		c := text[end]
		exponent := (c == 'e' || c == 'E') && end > 0 && end+1 < len(text) && strings.IndexByte("+-0123456789", text[end+1]) >= 0
		sign := (c == '+' || c == '-') && (end == 0 || text[end-1] == 'e' || text[end-1] == 'E')
		if c != '.' && (c < '0' || c > '9') && !exponent && !sign {
			break
		}
		end++
	}
	return text[:end], strings.TrimSpace(text[end:])
}

// unitFactor returns the factor that converts a number with this symbol to the base unit.
func unitFactor(symbol string, s style) (float64, bool) {
	for _, q := range quantities {
		prefix, fits := strings.CutSuffix(symbol, q.symbol)
		if !fits {
			continue
		}
		switch {
		case q.symbol == "":
			factor, known := factors[prefix]
			return factor, known
		case q.time && s.small:
			if factor, known := smallFactors[prefix]; known {
				return factor / s.factor, true
			}
			if factor, known := factors[prefix]; known {
				return factor / s.factor, true
			}
		case q.data && s.data:
			if factor, known := factors[prefix]; known {
				return factor * q.factor / s.factor, true
			}
		case !q.time && !q.data && !s.data && !s.small:
			if factor, known := factors[strings.TrimSpace(prefix)]; known {
				return factor, true
			}
		}
	}
	return 0, false
}
