package pdh

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"cxdeck/perf"
)

var (
	errLongCell  = fmt.Errorf("a cell has more than %d bytes; this is not a Performance Monitor log", logCellLimit)
	errOpenQuote = errors.New("a quotation mark is not closed; close it, or delete the line")
)

// cells iterates over the cells of a line.
type cells struct {
	line      []byte
	delimiter byte
	// index is the index of the cell that next returned last, from 0.
	index   int
	done    bool
	scratch []byte
}

func (c *cells) reset(line []byte) { c.line, c.index, c.done = line, -1, false }

// next returns a cell without its quotation marks; ok is false after the last.
func (c *cells) next() (cell []byte, ok bool, err error) {
	if c.done {
		return nil, false, nil
	}
	c.index++
	if len(c.line) > 0 && c.line[0] == '"' {
		cell, err = c.quoted()
	} else if end := bytes.IndexByte(c.line, c.delimiter); end >= 0 {
		cell, c.line = c.line[:end], c.line[end+1:]
	} else {
		cell, c.line, c.done = c.line, nil, true
	}
	if err == nil && len(cell) > logCellLimit {
		err = errLongCell
	}
	return cell, err == nil, err
}

func (c *cells) quoted() ([]byte, error) {
	rest := c.line[1:]
	end := bytes.IndexByte(rest, '"')
	if end < 0 {
		return nil, errOpenQuote
	}
	cell := rest[:end]
	if end+1 < len(rest) && rest[end+1] == '"' { // doubled inside
		c.scratch = c.scratch[:0]
		for {
			c.scratch = append(c.scratch, rest[:end]...)
			rest = rest[end+1:]
			if len(rest) == 0 || rest[0] != '"' {
				break
			}
			c.scratch = append(c.scratch, '"')
			rest = rest[1:]
			if end = bytes.IndexByte(rest, '"'); end < 0 {
				return nil, errOpenQuote
			}
		}
		cell = c.scratch
	} else {
		rest = rest[end+1:]
	}
	for len(rest) > 0 && rest[0] == ' ' && c.delimiter != ' ' {
		rest = rest[1:]
	}
	switch {
	case len(rest) == 0:
		c.line, c.done = nil, true
	case rest[0] == c.delimiter:
		c.line = rest[1:]
	default:
		return nil, fmt.Errorf("unexpected %q after a closing quotation mark; double the marks inside a cell", rest[0])
	}
	return cell, nil
}

// powers of ten that fit in 64 bits.
var powers = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// largest is the largest stored number; larger values are stored as it, never wrapped.
const largest = math.MaxInt64

// parseScaled reads a number and returns it times 10 to the power of decimals. An empty cell and a number that is not finite
// ("-1.#IND" of older tools) are Missing. If point is the comma, points group digits, and the other way round; spaces group
// digits, too.
func parseScaled(cell []byte, point byte, decimals int) (int64, bool) {
	i, negative := 0, false
	for i < len(cell) && cell[i] == ' ' {
		i++
	}
	if i == len(cell) {
		return perf.Missing, true
	}
	if cell[i] == '-' || cell[i] == '+' {
		negative = cell[i] == '-'
		i++
	}
	var number uint64
	digits, fraction, behind, full, up := 0, 0, false, false, uint64(0)
	for ; i < len(cell); i++ {
		switch c := cell[i]; {
		case c >= '0' && c <= '9':
			digits++
			if behind {
				fraction++
				if fraction > decimals { // the first dropped digit decides the rounding
					if fraction == decimals+1 && c >= '5' {
						up = 1
					}
					continue
				}
			}
			if number > (math.MaxUint64-9)/10 {
				full = true
				continue
			}
			number = number*10 + uint64(c-'0')
		case c == point && !behind:
			behind = true
		case digits > 0 && !behind && (c == ',' || c == '.' || c == ' ' || c == '\''):
		case c == 0xC2 && i+1 < len(cell) && cell[i+1] == 0xA0: // a no-break space
			i++
		case c == ' ' && len(bytes.TrimSpace(cell[i:])) == 0:
			i = len(cell)
		default:
			return parseOdd(cell, point, decimals)
		}
	}
	if digits == 0 {
		return perf.Missing, false
	}
	stored := uint64(largest)
	switch {
	case full:
	default:
		if factor := powers[decimals-min(fraction, decimals)]; number <= largest/factor {
			stored = number*factor + up
		}
	}
	stored = min(stored, largest)
	if negative {
		return -int64(stored), true
	}
	return int64(stored), true
}

// parseOdd reads cells with other characters: exponents, and the spellings of tools for "not a number".
func parseOdd(cell []byte, point byte, decimals int) (int64, bool) {
	text := strings.TrimSpace(string(cell))
	if strings.Contains(text, "#") && strings.Contains(text, "1") || strings.Contains(strings.ToLower(text), "nan") {
		return perf.Missing, true
	}
	if point == ',' {
		text = strings.Replace(text, ",", ".", 1)
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(value, 0) {
		return perf.Missing, false
	}
	return storeScaled(value, decimals), true
}

// parseFloat is parseScaled without rounding: the stored number is the bits of a float.
func parseFloat(cell []byte, point byte) (int64, bool) {
	whole, ok := parseScaled(cell, point, 0)
	if !ok || whole == perf.Missing {
		return perf.Missing, ok
	}
	text := make([]byte, 0, 32)
	for _, c := range cell {
		switch {
		case c == point:
			text = append(text, '.')
		case c >= '0' && c <= '9', c == '-', c == '+', c == 'e', c == 'E':
			text = append(text, c)
		}
	}
	value, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		value = float64(whole)
	}
	return floatCell(value), true
}

// floatCell returns the stored form of a value for a Scale of FloatCells.
func floatCell(value float64) int64 {
	switch {
	case math.IsNaN(value):
		return perf.Missing
	case value == 0: // -0 has the bits of Missing
		return 0
	}
	return int64(math.Float64bits(value))
}

// storeScaled returns the stored form of a value: times 10 to the power of decimals.
func storeScaled(value float64, decimals int) int64 {
	switch scaled := math.Round(value * float64(powers[decimals])); {
	case math.IsNaN(scaled):
		return perf.Missing
	case scaled >= largest:
		return largest
	case scaled <= -largest:
		return -largest
	default:
		return int64(scaled)
	}
}

// dateOrder is the order of day, month and year in a log.
type dateOrder uint8

const (
	monthFirst dateOrder = iota // 08/14/2018, as Performance Monitor writes in every language
	dayFirst                    // 14.08.2018, as spreadsheets may write
	yearFirst                   // 2018-08-14
)

// splitTime splits a time into its numbers: three of the date, hour, minute, second and nanosecond.
func splitTime(cell []byte) (parts [7]int, ok bool) {
	i := 0
	number := func(maxDigits int) (int, bool) {
		from, n := i, 0
		for i < len(cell) && i-from < maxDigits && cell[i] >= '0' && cell[i] <= '9' {
			n = n*10 + int(cell[i]-'0')
			i++
		}
		return n, i > from
	}
	take := func(set string) bool {
		if i < len(cell) && strings.IndexByte(set, cell[i]) >= 0 {
			i++
			return true
		}
		return false
	}
	take(" ")
	separators := [...]string{"", "/.-", "/.-", " T", ":", ":", ".,"}
	for n := range 6 {
		if n > 0 {
			if !take(separators[n]) {
				if n == 5 { // no seconds
					break
				}
				return parts, false
			}
			for n == 3 && i < len(cell) && cell[i] == ' ' {
				i++
			}
		}
		if parts[n], ok = number(4); !ok {
			return parts, false
		}
	}
	if take(separators[6]) {
		from := i
		fraction, ok := number(9)
		if !ok {
			return parts, false
		}
		parts[6] = fraction * int(powers[9-(i-from)])
	}
	for i < len(cell) && cell[i] == ' ' {
		i++
	}
	if rest := string(bytes.ToUpper(cell[i:])); rest != "" {
		switch {
		case rest == "AM" && parts[3] == 12:
			parts[3] = 0
		case rest == "PM" && parts[3] < 12:
			parts[3] += 12
		case rest != "AM" && rest != "PM" && rest != "Z":
			return parts, false
		}
	}
	return parts, true
}

// parseTime reads the time of a row, in nanoseconds since 1970 as the clock of the log showed it.
func parseTime(cell []byte, order dateOrder) (int64, bool) {
	parts, ok := splitTime(cell)
	if !ok {
		return 0, false
	}
	year, month, day := parts[2], parts[0], parts[1]
	switch order {
	case yearFirst:
		year, month, day = parts[0], parts[1], parts[2]
	case dayFirst:
		month, day = day, month
	case monthFirst:
	}
	t := time.Date(year, time.Month(month), day, parts[3], parts[4], parts[5], parts[6], time.UTC)
	if year < 1970 || year > 2200 || month < 1 || month > 12 || t.Day() != day || parts[3] > 23 || parts[4] > 59 || parts[5] > 59 {
		return 0, false
	}
	return t.UnixNano(), true
}
