package report

import (
	"bufio"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"cxdeck/perf"
)

// metricsWriter writes samples for Prometheus, each at once.
type metricsWriter struct {
	w        *bufio.Writer
	format   Format
	options  Options
	series   int
	families []*metricFamily
	last     time.Time
	column   *perf.Column
	line     []byte
}

// metricFamily is a counter of a set with all its instances.
type metricFamily struct {
	metric
	// origin identifies the family's counter; it is empty while the family has only counters behind rates.
	origin string
	lines  []metricLine
	// places are the indexes of lines by their labels.
	places map[string]int
}

// metricLine is one series of a family.
type metricLine struct {
	head   []byte
	series perf.Series
	// value is the index of its number in a row, -1 for the counter behind a rate, whose number is in the column.
	value      int
	times, per float64
}

func newMetrics(w *bufio.Writer, series []perf.Series, format Format, options Options) *metricsWriter {
	r := &metricsWriter{w: w, format: format, options: options, series: len(series)}
	byName := make(map[string]*metricFamily)
	for n, item := range series {
		r.add(byName, item, n)
		if item.Kind == perf.Rate {
			item.Kind = perf.Cumulative
			item.Counter = trimPerSecond(item.Counter)
			r.add(byName, item, -1) // the counter behind the rate
		}
	}
	return r
}

// add adds a series to its family. Different counters with the same metric name get a number.
func (r *metricsWriter) add(byName map[string]*metricFamily, s perf.Series, value int) {
	m := metricOf(s)
	// A counter in kilobytes is the same as one in bytes.
	origin := strings.ReplaceAll(perf.FoldPath(perf.JoinPath(s.Set, "", s.Counter)), "kbytes", "bytes") + "\x00" + s.Kind.String() + m.unit
	labels := r.labels(m.labels)
	plain := m.name
	for number := 2; ; number++ {
		family := byName[m.name]
		if family == nil {
			family = &metricFamily{metric: m, places: make(map[string]int)}
			byName[m.name] = family
			r.families = append(r.families, family)
		}
		at, taken := family.places[labels]
		switch same := family.counter == m.counter; {
		case value < 0 && same && taken:
			return // the counter itself is in the report
		case same && taken && family.origin == origin && family.lines[at].series.Unit != s.Unit:
			return // the same counter in another unit
		case value < 0 && same:
		case !same, family.origin != "" && family.origin != origin, taken && family.lines[at].value >= 0:
			m.name = withNumber(plain, m.unit, number)
			continue
		default:
			family.origin, family.help = origin, m.help
		}
		line := metricLine{head: []byte(family.sample() + labels + " "), series: s, value: value, times: m.times, per: m.per}
		if taken {
			family.lines[at] = line
			return
		}
		family.places[labels] = len(family.lines)
		family.lines = append(family.lines, line)
		return
	}
}

// withNumber inserts a number before the unit of a name.
func withNumber(name, unit string, number int) string {
	if unit == "" {
		return fmt.Sprintf("%s_%d", name, number)
	}
	return fmt.Sprintf("%s_%d_%s", strings.TrimSuffix(name, "_"+unit), number, unit)
}

// labels writes the labels of a series after the host's label.
func (r *metricsWriter) labels(labels []metricLabel) string {
	var b strings.Builder
	b.WriteString(`{host="` + escapeLabel(r.options.Host))
	for _, label := range labels {
		b.WriteString(`",` + label.name + `="` + escapeLabel(label.value))
	}
	return b.String() + `"}`
}

// escapeLabel cleans and escapes the value of a label.
func escapeLabel(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(perf.CleanText(text, perf.PathLimit))
}

// Cells sets the column of the next row.
func (r *metricsWriter) Cells(column *perf.Column) { r.column = column }

// Row writes a sample; the first row also writes the metadata.
func (r *metricsWriter) Row(t time.Time, values []float64) error {
	if len(values) != r.series {
		return fmt.Errorf("a row of the report has %d values for %d counters", len(values), r.series)
	}
	first := r.last.IsZero()
	if !first && !t.After(r.last) {
		return errors.New("the times of a report must be in ascending order")
	}
	r.last = t
	for _, family := range r.families {
		if first && (family.origin != "" || r.column != nil) {
			r.describe(family)
		}
		for n := range family.lines {
			r.sample(family, &family.lines[n], t, values)
		}
	}
	r.column = nil
	return r.w.Flush()
}

// sample writes a line, unless there is no value.
func (r *metricsWriter) sample(family *metricFamily, line *metricLine, t time.Time, values []float64) {
	var value float64
	switch {
	case line.value >= 0:
		value = values[line.value]
	case r.column == nil:
		return
	default:
		value = line.series.CellValue(line.series.CellOf(r.column))
	}
	if value = value * line.times / line.per; !finite(value) || family.counter && value < 0 {
		return
	}
	r.line = append(r.line[:0], line.head...)
	r.line = strconv.AppendFloat(r.line, value, 'g', -1, 64)
	switch {
	case r.format == OpenMetrics:
		r.line = append(r.line, ' ')
		r.line = strconv.AppendFloat(r.line, float64(t.UnixMilli())/1e3, 'f', 3, 64)
	case r.options.Count != 1:
		r.line = append(r.line, ' ')
		r.line = strconv.AppendInt(r.line, t.UnixMilli(), 10)
	}
	r.w.Write(append(r.line, '\n'))
}

// describe writes the metadata of a metric: help, type and unit.
func (r *metricsWriter) describe(family *metricFamily) {
	kind, name, help := "gauge", family.name, strings.ReplaceAll(family.help, `\`, `\\`)
	if family.counter {
		kind = "counter"
	}
	if r.format == OpenMetrics {
		help = strings.ReplaceAll(help, `"`, `\"`)
	} else {
		name = family.sample()
	}
	r.w.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " " + kind + "\n")
	if r.format == OpenMetrics && family.unit != "" {
		r.w.WriteString("# UNIT " + name + " " + family.unit + "\n")
	}
}

// Close ends the report.
func (r *metricsWriter) Close() error {
	if r.format == OpenMetrics {
		r.w.WriteString("# EOF\n")
	}
	return r.w.Flush()
}
