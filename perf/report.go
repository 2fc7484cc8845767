package perf

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// ReportFormat is how a report of counters is written.
type ReportFormat string

// The formats of reports.
const (
	// TableReport is for people: fixed widths, numbers as on the screen.
	TableReport ReportFormat = "table"
	// CSVReport is a log that Performance Monitor and relog read.
	CSVReport ReportFormat = "csv"
	// JSONReport is one JSON document a sample, each on a line of its own.
	JSONReport ReportFormat = "json"
	// PrometheusReport is the text format of Prometheus, as a scrape or a file for node_exporter has it.
	PrometheusReport ReportFormat = "prometheus"
	// OpenMetricsReport is text of OpenMetrics 1.0, as promtool makes blocks of it. Of several samples the metadata stands
	// before the first; OpenMetrics would have the samples of a metric together, which no stream can.
	OpenMetricsReport ReportFormat = "openmetrics"
)

// ReportFormats are all formats, for help and completion.
func ReportFormats() []ReportFormat {
	return []ReportFormat{TableReport, CSVReport, JSONReport, PrometheusReport, OpenMetricsReport}
}

// ReportOptions are the choices for a report.
type ReportOptions struct {
	// Host is the computer that the numbers are of.
	Host string
	// Zone is whose clock tables and logs show; nil is UTC. JSON and OpenMetrics are in UTC always.
	Zone *time.Location
	// InBytes shows rates of bytes in bytes a second, not in bits.
	InBytes bool
	// Width of the terminal for tables, 0 for 120. A table that is wider is written with a line for each counter.
	Width int
	// Count is how many samples there will be, 0 for not known. A single one of PrometheusReport has no time of its own.
	Count int
}

// Report writes samples of chosen series. It is used by one goroutine.
type Report interface {
	// Row adds a sample: a value for each series, NaN for one that has none. Times must rise.
	Row(t time.Time, values []float64) error
	// Close ends the report; it does not close the writer.
	Close() error
}

// CellReport is a Report that also gives the counters of which the chosen rates are made.
type CellReport interface {
	// Cells takes the column of the next Row.
	Cells(column *Column)
}

// NewReport begins a report over series of a schema, by their indexes. What names hold that could harm a terminal or a
// reader never gets out.
func NewReport(format ReportFormat, w io.Writer, schema *Schema, series []int, options ReportOptions) (Report, error) {
	chosen := make([]Series, len(series))
	for n, index := range series {
		if index < 0 || index >= len(schema.Series) {
			return nil, fmt.Errorf("the source has no series %d", index)
		}
		chosen[n] = schema.Series[index]
	}
	if options.Zone == nil {
		options.Zone = time.UTC
	}
	options.Host = logHost(options.Host)
	buffered := bufio.NewWriter(w)
	switch format {
	case TableReport:
		return newTableReport(buffered, chosen, options), nil
	case CSVReport:
		return newCSVReport(w, chosen, options), nil
	case JSONReport:
		return newJSONReport(buffered, chosen, options)
	case PrometheusReport, OpenMetricsReport:
		return newMetricsReport(buffered, chosen, format, options), nil
	}
	var words []string
	for _, known := range ReportFormats() {
		words = append(words, string(known))
	}
	return nil, fmt.Errorf("%.40q is no format of a report; there are %s", string(format), strings.Join(words, ", "))
}

// WriteList writes the paths of series, one a line.
func WriteList(w io.Writer, schema *Schema, series []int) error {
	out := bufio.NewWriter(w)
	for _, index := range series {
		if index < 0 || index >= len(schema.Series) {
			return fmt.Errorf("the source has no series %d", index)
		}
		out.WriteString(CleanText(schema.Series[index].Path(), PathLimit))
		out.WriteByte('\n')
	}
	return out.Flush()
}

// reportUnit is what the values of a series are in, as one word: "bytes_per_second"; empty for a plain number.
func reportUnit(s Series) string {
	unit := s.Unit
	if s.Kind == Rate {
		unit = unit.Rate()
	}
	return metricWord(string(unit))
}

// csvReport is a log.
type csvReport struct{ log *LogWriter }

func newCSVReport(w io.Writer, series []Series, options ReportOptions) *csvReport {
	paths := make([]string, len(series))
	for n, one := range series {
		paths[n] = one.Path()
	}
	return &csvReport{NewLogWriter(w, options.Host, options.Zone, paths...)}
}

func (r *csvReport) Row(t time.Time, values []float64) error {
	if err := r.log.Write(t, values); err != nil {
		return err
	}
	return r.log.Flush()
}

func (r *csvReport) Close() error { return r.log.Flush() }

// checkRow says whether a row fits its report.
func checkRow(values []float64, series []Series) error {
	if len(values) != len(series) {
		return fmt.Errorf("a row of the report has %d values for %d counters", len(values), len(series))
	}
	return nil
}

// finite says whether a value can be written as a number.
func finite(value float64) bool { return !math.IsNaN(value) && !math.IsInf(value, 0) }
