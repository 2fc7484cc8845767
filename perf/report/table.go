package report

import (
	"bufio"
	"strings"
	"time"
	"unicode/utf8"

	"cxdeck/perf"
)

// The widths of a table.
const (
	tableWidth    = 120
	tableTime     = 12 // 13:05:01.123
	tableNumber   = 14
	tableHeadings = 4  // maximum number of lines of a heading
	tableRepeat   = 20 // rows between two headings
)

// tableWriter writes a column for each series, or a line for each if the columns don't fit.
type tableWriter struct {
	w       *bufio.Writer
	series  []perf.Series
	options Options
	heading string
	long    bool
	rows    int
}

func newTable(w *bufio.Writer, series []perf.Series, options Options) *tableWriter {
	if options.Width <= 0 {
		options.Width = tableWidth
	}
	r := &tableWriter{w: w, series: series, options: options}
	r.long = tableTime+len(series)*(tableNumber+2) > options.Width
	if r.long {
		r.heading = padded("Time", tableTime) + "  " + leftPadded("Value", tableNumber) + "  Counter\n"
		return r
	}
	columns := make([][]string, len(series))
	lines := 0
	for n, item := range series {
		columns[n] = tableHeading(item)
		lines = max(lines, len(columns[n]))
	}
	var heading strings.Builder
	for line := range lines {
		text := ""
		if line == lines-1 {
			text = "Time"
		}
		heading.WriteString(padded(text, tableTime))
		for _, column := range columns {
			text := ""
			if from := line - (lines - len(column)); from >= 0 {
				text = column[from]
			}
			heading.WriteString("  " + leftPadded(text, tableNumber))
		}
		heading.WriteByte('\n')
	}
	r.heading = heading.String()
	return r
}

// tableHeading breaks the names of a series into the lines of a column's heading: the instance, cut to one line, then the
// counter.
func tableHeading(s perf.Series) []string {
	var lines []string
	if instance := perf.CleanText(s.Instance, perf.NameLimit); instance != "" {
		lines = append(lines, cutText(instance))
	}
	line := ""
	for _, word := range strings.Fields(perf.CleanText(s.Counter, perf.NameLimit)) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= tableNumber:
			line += " " + word
		default:
			lines = append(lines, cutText(line))
			line = word
		}
	}
	lines = append(lines, cutText(line))
	if len(lines) > tableHeadings {
		last := lines[tableHeadings-1]
		lines = append(lines[:tableHeadings-1], cutText(last+strings.Repeat(".", tableNumber)))
	}
	return lines
}

// cutText cuts a text to the width of a column, with ".." at the end.
func cutText(text string) string {
	runes := []rune(text)
	if len(runes) <= tableNumber {
		return text
	}
	return string(runes[:tableNumber-2]) + ".."
}

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

func leftPadded(text string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text))) + text
}

func (r *tableWriter) Row(t time.Time, values []float64) error {
	if err := checkRow(values, r.series); err != nil {
		return err
	}
	if r.rows%tableRepeat == 0 {
		if r.rows > 0 {
			r.w.WriteByte('\n')
		}
		r.w.WriteString(r.heading)
	}
	r.rows++
	clock := t.In(r.options.Zone).Format("15:04:05.000")
	if !r.long {
		r.w.WriteString(clock)
	}
	for n, value := range values {
		if r.long {
			r.w.WriteString(clock)
		}
		unit, finished := r.series[n].Unit.Counted()
		if finished && r.series[n].Unit.PerSecond() { // a unit that includes "per second"
			unit = r.series[n].Unit
		}
		number := perf.Number(value, unit, finished || r.series[n].Kind == perf.Rate, r.options.InBytes)
		r.w.WriteString("  " + leftPadded(number, tableNumber))
		if r.long {
			r.w.WriteString("  " + perf.CleanText(r.series[n].Path(), perf.PathLimit) + "\n")
		}
	}
	if !r.long {
		r.w.WriteByte('\n')
	}
	return r.w.Flush()
}

func (r *tableWriter) Close() error { return r.w.Flush() }
