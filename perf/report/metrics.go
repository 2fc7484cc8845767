package report

import (
	"bufio"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/prometheus"
)

// metricsWriter writes samples for Prometheus, each at once.
type metricsWriter struct {
	w        *bufio.Writer
	format   Format
	options  Options
	series   int
	families *prometheus.Families
	last     time.Time
	column   *perf.Column
	line     []byte
}

func newMetrics(w *bufio.Writer, series []perf.Series, format Format, options Options) *metricsWriter {
	families := prometheus.NewFamilies(series, []prometheus.Label{{Name: "host", Value: options.Host}}, true)
	return &metricsWriter{w: w, format: format, options: options, series: len(series), families: families}
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
	for _, family := range r.families.List {
		if first && (family.Described || r.column != nil) {
			r.describe(family)
		}
		for n := range family.Lines {
			r.sample(family, &family.Lines[n], t, values)
		}
	}
	r.column = nil
	return r.w.Flush()
}

// sample writes a line, unless there is no value.
func (r *metricsWriter) sample(family *prometheus.Family, line *prometheus.Line, t time.Time, values []float64) {
	var value float64
	switch {
	case !line.Behind:
		value = values[line.Index]
	case r.column == nil:
		return
	default:
		value = line.Series.CellValue(line.Series.CellOf(r.column))
	}
	value, ok := line.Value(value, family.Counter)
	if !ok {
		return
	}
	r.line = append(r.line[:0], line.Head...)
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
func (r *metricsWriter) describe(family *prometheus.Family) {
	if r.format != OpenMetrics {
		r.w.Write(family.AppendHelp(nil))
		return
	}
	kind := "gauge"
	if family.Counter {
		kind = "counter"
	}
	help := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(family.Help)
	r.w.WriteString("# HELP " + family.Name + " " + help + "\n# TYPE " + family.Name + " " + kind + "\n")
	if family.Unit != "" {
		r.w.WriteString("# UNIT " + family.Name + " " + family.Unit + "\n")
	}
}

// Close ends the report.
func (r *metricsWriter) Close() error {
	if r.format == OpenMetrics {
		r.w.WriteString("# EOF\n")
	}
	return r.w.Flush()
}
