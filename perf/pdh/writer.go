package pdh

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"cxdeck/perf"
)

// Writer writes a log that Performance Monitor, relog and Open read: PDH-CSV 4.0, every cell quoted, lines end with CR LF,
// times are local times of the zone to the millisecond, and a missing value is a space.
type Writer struct {
	w       *bufio.Writer
	host    string
	zone    *time.Location
	columns []string
	// bias is the difference from the zone's clock to UTC. The first row's bias is used for the whole log, because the header
	// has room for only one.
	bias  time.Duration
	begun bool
	cell  []byte
}

// NewWriter makes a writer of a log of one host; columns are perfmon paths without a computer. The header is written with the
// first row. The caller closes w, after Flush.
func NewWriter(w io.Writer, host string, zone *time.Location, columns ...string) *Writer {
	return &Writer{w: bufio.NewWriterSize(w, 64<<10), host: CleanHost(host), zone: zone, columns: columns}
}

// CleanHost returns a computer's name without slashes and control characters, for use in a path.
func CleanHost(host string) string {
	host = strings.NewReplacer(`\`, "", "/", "").Replace(perf.CleanText(host, perf.NameLimit))
	if host == "" {
		return "localhost"
	}
	return host
}

// Write adds a row. There must be one value for each column; NaN is a missing value. Times should rise.
func (l *Writer) Write(t time.Time, values []float64) error {
	if len(values) != len(l.columns) {
		return fmt.Errorf("a row of the log has %d values for %d columns", len(values), len(l.columns))
	}
	l.begin(t)
	l.cell = t.UTC().Add(-l.bias).AppendFormat(append(l.cell[:0], '"'), "01/02/2006 15:04:05.000")
	l.cell = append(l.cell, '"')
	l.w.Write(l.cell)
	for _, value := range values {
		l.cell = append(l.cell[:0], `,"`...)
		l.cell = append(appendValue(l.cell, value), '"')
		l.w.Write(l.cell)
	}
	_, err := l.w.WriteString("\r\n") // the buffer keeps the first error
	return err
}

// appendValue writes a value with all its digits, and with an exponent only if it is very large or very small.
func appendValue(dst []byte, value float64) []byte {
	const plain = 1e18
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return append(dst, ' ')
	case math.Abs(value) < plain && (value == 0 || math.Abs(value) > 1e-9):
		return strconv.AppendFloat(dst, value, 'f', -1, 64)
	}
	return strconv.AppendFloat(dst, value, 'e', -1, 64)
}

// begin writes the header.
func (l *Writer) begin(t time.Time) {
	if l.begun {
		return
	}
	l.begun = true
	zone, east := t.In(l.zone).Zone()
	l.bias = -time.Duration(east) * time.Second
	l.w.WriteString(quoteCell(fmt.Sprintf("(PDH-CSV 4.0) (%s)(%d)", zone, int(l.bias/time.Minute))))
	for _, path := range l.columns {
		path = perf.CleanText(path, perf.PathLimit)
		l.w.WriteString("," + quoteCell(`\\`+l.host+`\`+strings.TrimPrefix(path, `\`)))
	}
	l.w.WriteString("\r\n")
}

// quoteCell puts quotation marks around a text and doubles the marks inside.
func quoteCell(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// Flush writes the buffered rows; a log without rows gets its header.
func (l *Writer) Flush() error {
	l.begin(time.Unix(0, 0))
	return l.w.Flush()
}
