package perf

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// PerSecond returns the change of a cumulative number per second: the difference modulo 2^width, divided by the elapsed time. A
// smaller number is treated as wrapped when that is plausible: with 64 bits if it was in the upper half, with fewer bits if the
// wrapped difference is under half of the range. Otherwise it was reset, and ok is false, as it is when a reading is missing or
// no time has elapsed.
func PerSecond(before, after int64, width uint8, elapsed time.Duration) (rate float64, ok bool) {
	change, ok := Change(before, after, width)
	if !ok || elapsed <= 0 {
		return 0, false
	}
	return float64(change) / elapsed.Seconds(), true
}

// Change returns the increase of a cumulative number between two readings, by the rules of PerSecond; ok is false when it
// was reset or a reading is missing.
func Change(before, after int64, width uint8) (change uint64, ok bool) {
	if before == Missing || after == Missing {
		return 0, false
	}
	first, second := uint64(before), uint64(after)
	change = second - first
	if width != 0 && width < 64 {
		change &= 1<<width - 1
		if second < first && change >= 1<<(width-1) {
			return 0, false
		}
	} else if second < first && first < 1<<63 {
		return 0, false
	}
	return change, true
}

// Value returns the value of a series in a column; a rate needs the column before it too, and has no value when samples
// between the two were missed. before may be nil.
func (s *Series) Value(before, column *Column) (value float64, ok bool) {
	cell := s.CellOf(column)
	if s.Kind != Rate {
		value = s.CellValue(cell)
		return value, !math.IsNaN(value)
	}
	if before == nil || column.Missed > 0 {
		return math.NaN(), false
	}
	value = s.Rate(s.CellOf(before), cell, column.Time.Sub(before.Time))
	return value, !math.IsNaN(value)
}

func (s *Series) CellOf(column *Column) int64 {
	if s.Cell >= len(column.Cells) {
		return Missing
	}
	return column.Cells[s.Cell]
}

// CellValue returns the value of a cell by itself; NaN for Missing.
func (s *Series) CellValue(cell int64) float64 {
	switch {
	case cell == Missing:
		return math.NaN()
	case s.Scale == FloatCells:
		return math.Float64frombits(uint64(cell))
	case s.Kind == Cumulative:
		return s.Scaled(float64(uint64(cell)))
	case cell > exactInFloat, cell < -exactInFloat:
		return s.digits(cell)
	}
	return s.Scaled(float64(cell))
}

// digits returns the value of a cell with more digits than a float holds. If Scale is a power of ten, it parses the decimal
// number, because dividing a rounded float would round twice.
func (s *Series) digits(cell int64) float64 {
	if decimals := math.Round(math.Log10(s.inverse())); s.inverse() == math.Pow10(int(decimals)) {
		if value, err := strconv.ParseFloat(fmt.Sprintf("%de-%g", cell, decimals), 64); err == nil {
			return value
		}
	}
	return s.Scaled(float64(cell))
}

// exactInFloat is the number up to which a float64 represents every integer.
const exactInFloat = 1 << 53

// Rate returns the rate between two cells; NaN when there is none.
func (s *Series) Rate(before, after int64, elapsed time.Duration) float64 {
	rate, ok := PerSecond(before, after, s.Width, elapsed)
	if !ok {
		return math.NaN()
	}
	return s.Scaled(rate)
}

// Scaled converts a stored number to the real one. If Scale is 1/n for an integer n, it divides by n: the quotient is the float
// nearest to the decimal number, so that 14.500000000 in a log is 14.5.
func (s *Series) Scaled(stored float64) float64 {
	switch inverse := s.inverse(); {
	case s.Scale == 0:
		return stored
	case inverse != 0:
		return stored / inverse
	}
	return stored * s.Scale
}

// inverse returns the integer n if Scale is 1/n; 0 otherwise.
func (s *Series) inverse() float64 {
	inverse := math.Round(1 / s.Scale)
	if s.Scale <= 0 || s.Scale > 1 || 1/inverse != s.Scale {
		return 0
	}
	return inverse
}
