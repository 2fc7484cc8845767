package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/pdh"
	"cxdeck/perf/prometheus"
)

// Format is the format of a report of counters.
type Format string

// The formats of reports.
const (
	// Table is for people: fixed widths, numbers as on the screen.
	Table Format = "table"
	// CSV is a log that Performance Monitor and relog read.
	CSV Format = "csv"
	// JSON is one JSON document per sample, each on its own line.
	JSON Format = "json"
	// Prometheus is the text format of Prometheus, for a scrape or a file for node_exporter.
	Prometheus Format = "prometheus"
	// OpenMetrics is text of OpenMetrics 1.0, from which promtool makes blocks. With several samples the metadata precedes the
	// first; OpenMetrics requires all samples of a metric together, which is impossible in a stream.
	OpenMetrics Format = "openmetrics"
)

// Formats returns all formats, for help and completion.
func Formats() []Format {
	return []Format{Table, CSV, JSON, Prometheus, OpenMetrics}
}

// Options are the options of a report.
type Options struct {
	// Host is the name of the measured computer.
	Host string
	// Zone is the time zone of tables and logs; nil means UTC. JSON and OpenMetrics always use UTC.
	Zone *time.Location
	// InBytes shows rates of bytes in bytes per second instead of bits.
	InBytes bool
	// Width is the width of the terminal for tables, in characters; 0 means 120. A wider table is written with one line per
	// counter.
	Width int
	// Count is the number of samples, 0 if unknown. A single sample of Prometheus is written without its time.
	Count int
}

// Writer writes samples of chosen series. It is used by one goroutine.
type Writer interface {
	// Row adds a sample: a value for each series, NaN for a missing value. Times must increase.
	Row(t time.Time, values []float64) error
	// Close ends the report; it does not close the writer.
	Close() error
}

// CellWriter is a Writer that also writes the counters behind the chosen rates.
type CellWriter interface {
	// Cells sets the column of the next Row.
	Cells(column *perf.Column)
}

// New begins a report over series of a schema, by their indexes. Control characters in names are replaced.
func New(format Format, w io.Writer, schema *perf.Schema, series []int, options Options) (Writer, error) {
	chosen := make([]perf.Series, len(series))
	for n, index := range series {
		if index < 0 || index >= len(schema.Series) {
			return nil, fmt.Errorf("the source has no series %d", index)
		}
		chosen[n] = schema.Series[index]
	}
	if options.Zone == nil {
		options.Zone = time.UTC
	}
	options.Host = pdh.CleanHost(options.Host)
	buffered := bufio.NewWriter(w)
	switch format {
	case Table:
		return newTable(buffered, chosen, options), nil
	case CSV:
		return newCSV(w, chosen, options), nil
	case JSON:
		return newJSON(buffered, chosen, options)
	case Prometheus, OpenMetrics:
		return newMetrics(buffered, chosen, format, options), nil
	}
	var words []string
	for _, known := range Formats() {
		words = append(words, string(known))
	}
	return nil, fmt.Errorf("%.40q is not a report format; choose from %s", string(format), strings.Join(words, ", "))
}

// WriteList writes the paths of series, one per line.
func WriteList(w io.Writer, schema *perf.Schema, series []int) error {
	out := bufio.NewWriter(w)
	for _, index := range series {
		if index < 0 || index >= len(schema.Series) {
			return fmt.Errorf("the source has no series %d", index)
		}
		out.WriteString(perf.CleanText(schema.Series[index].Path(), perf.PathLimit))
		out.WriteByte('\n')
	}
	return out.Flush()
}

// unitWord returns the unit of a series as one word: "bytes_per_second"; empty for a plain number.
func unitWord(s perf.Series) string {
	unit := s.Unit
	if s.Kind == perf.Rate {
		unit = unit.Rate()
	}
	return prometheus.Word(string(unit))
}

// csvWriter writes a log of Performance Monitor.
type csvWriter struct{ log *pdh.Writer }

func newCSV(w io.Writer, series []perf.Series, options Options) *csvWriter {
	paths := make([]string, len(series))
	for n, item := range series {
		paths[n] = item.Path()
	}
	return &csvWriter{pdh.NewWriter(w, options.Host, options.Zone, paths...)}
}

func (r *csvWriter) Row(t time.Time, values []float64) error {
	if err := r.log.Write(t, values); err != nil {
		return err
	}
	return r.log.Flush()
}

func (r *csvWriter) Close() error { return r.log.Flush() }

// checkRow fails when a row does not have one value per series.
func checkRow(values []float64, series []perf.Series) error {
	if len(values) != len(series) {
		return fmt.Errorf("a row of the report has %d values for %d counters", len(values), len(series))
	}
	return nil
}

// finite reports whether a value can be written as a number.
func finite(value float64) bool { return !math.IsNaN(value) && !math.IsInf(value, 0) }
