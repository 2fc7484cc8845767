package pdh

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"cxdeck/perf"
)

// header is the first line of a log.
type header struct {
	delimiter byte
	// zone is the difference from the log's clock to UTC; the first cell has it in minutes.
	zone time.Duration
	host string
	// series has one entry per column, in order; scales and line rates are set later.
	series []perf.Series
}

var errNoHeader = errors.New(`the first line is not the header of a Performance Monitor log ("(PDH-CSV 4.0) ..."); make one with typeperf, or with relog -f csv from a binary log`)

// readHeader reads the first line. column is the column of an error, 0 for the whole line.
func readHeader(line []byte) (h header, column int, err error) {
	h.delimiter = headerDelimiter(line)
	var c cells
	c.delimiter = h.delimiter
	c.reset(line)
	first, _, err := c.next()
	if err != nil {
		return h, 1, err
	}
	if h.zone, err = headerZone(string(first)); err != nil {
		return h, 0, err
	}
	taken := make(map[string]int)
	for {
		cell, ok, err := c.next()
		if err != nil {
			return h, c.index + 1, err
		}
		if !ok {
			break
		}
		if len(h.series) == logColumnLimit {
			return h, c.index + 1, fmt.Errorf("the log has more than %d columns; select fewer counters with relog -cf", logColumnLimit)
		}
		h.add(string(cell), taken)
	}
	if len(h.series) == 0 {
		return h, 0, errors.New("the log has no counters: its first line names none")
	}
	return h, 0, nil
}

// headerDelimiter returns the delimiter of the cells: spreadsheets and relog's tab format don't use the comma.
func headerDelimiter(line []byte) byte {
	if end := bytes.Index(line, []byte(`",`)); end >= 0 || len(line) == 0 {
		return ','
	}
	for _, delimiter := range []byte{';', '\t'} {
		if bytes.IndexByte(line, delimiter) >= 0 {
			return delimiter
		}
	}
	return ','
}

// headerZone reads "(PDH-CSV 4.0) (Pacific Daylight Time)(420)". The number is the minutes to add to get UTC; without a number,
// the time is UTC.
func headerZone(head string) (time.Duration, error) {
	if !strings.HasPrefix(head, "(PDH-CSV") && !strings.HasPrefix(head, "(PDH-TSV") {
		return 0, errNoHeader
	}
	opening := strings.LastIndexByte(head, '(')
	minutes, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(head[opening+1:]), ")"))
	if err != nil {
		return 0, nil //nolint:nilerr // without a number, the time is UTC
	}
	if minutes < -24*60 || minutes > 24*60 {
		return 0, fmt.Errorf("the time zone is %d minutes off UTC; correct the number at the end of the first cell", minutes)
	}
	return time.Duration(minutes) * time.Minute, nil
}

// add appends the series of a column. Columns of a second computer and repeated columns get their own instance, so that all
// paths are distinct. taken counts the uses of a path.
func (h *header) add(path string, taken map[string]int) {
	path = perf.CleanText(path, perf.PathLimit)
	host := ""
	if rest, ok := strings.CutPrefix(path, `\\`); ok {
		host, _, _ = strings.Cut(rest, `\`)
	}
	if h.host == "" {
		h.host = host
	}
	s := perf.Series{Kind: perf.Gauge, Cell: len(h.series)}
	var ok bool
	if s.Set, s.Instance, s.Counter, ok = perf.SplitPath(path); !ok {
		s.Set, s.Instance, s.Counter = "Log", "", strings.ReplaceAll(path, `\`, "_")
		if s.Counter == "" {
			s.Counter = fmt.Sprintf("Column %d", len(h.series)+2)
		}
	}
	if host != "" && !strings.EqualFold(host, h.host) {
		s.Instance = strings.TrimSuffix(host+": "+s.Instance, ": ")
	}
	if strings.EqualFold(s.Instance, "_Total") {
		s.Sum = "all instances, as the log has them"
	}
	plain, first := s.Instance, perf.FoldPath(s.Path())
	for taken[perf.FoldPath(s.Path())] > 0 {
		s.Instance = fmt.Sprintf("%s#%d", plain, taken[first])
		taken[first]++
	}
	taken[perf.FoldPath(s.Path())]++
	s.Kind, s.Unit = meaning(s.Set, s.Counter)
	h.series = append(h.series, s)
}

// NewSeries returns the series of a value as Performance Monitor formats it: rates are finished.
func NewSeries(set, instance, counter string) perf.Series {
	s := perf.Series{Set: perf.CleanText(set, perf.NameLimit), Instance: perf.CleanText(instance, perf.NameLimit), Counter: perf.CleanText(counter, perf.NameLimit)}
	if strings.EqualFold(s.Instance, "_Total") {
		s.Sum = "all instances, as Windows adds them up"
	}
	s.Kind, s.Unit = meaning(set, counter)
	return s
}

// meaning returns kind and unit of a formatted value.
func meaning(set, counter string) (perf.Kind, perf.Unit) {
	if known, ok := perf.Catalogue().Counter(set, counter); ok && known.Kind == perf.Cumulative {
		return perf.Cumulative, loggedUnit(set, counter) // the count itself; its increase per second is the rate
	}
	return perf.Gauge, loggedUnit(set, counter)
}

// loggedUnit returns the unit of a column, from the catalogue or else from the counter's name. The values of a log are
// finished: a rate is already per second, and its unit says so.
func loggedUnit(set, counter string) perf.Unit {
	name := strings.ToLower(counter)
	rate := strings.HasSuffix(name, "/sec")
	var unit perf.Unit
	if known, ok := perf.Catalogue().Counter(set, counter); ok {
		unit, rate = known.Unit, known.Kind == perf.Rate
	} else {
		switch {
		case strings.HasPrefix(name, "%"):
			unit = perf.Percent
		case strings.Contains(name, "bytes"):
			unit = bytesUnit(name)
		case strings.Contains(name, "packets"):
			unit = perf.Packets
		case strings.Contains(name, "frames"):
			unit = perf.Frames
		}
	}
	if rate && unit != perf.NoUnit {
		unit = unit.Rate()
	}
	return unit
}

// bytesUnit returns the unit of a counter with bytes in its name, such as "Available MBytes".
func bytesUnit(name string) perf.Unit {
	for _, spelling := range []struct {
		words []string
		unit  perf.Unit
	}{
		{[]string{"kbytes", "kilobytes"}, perf.Kilobytes},
		{[]string{"mbytes", "megabytes"}, perf.Megabytes},
		{[]string{"gbytes", "gigabytes"}, perf.Gigabytes},
	} {
		for _, word := range spelling.words {
			if strings.Contains(name, word) {
				return spelling.unit
			}
		}
	}
	return perf.Bytes
}

// leadingLines is the maximum number of empty lines before the header: the output of typeperf begins with one.
const leadingLines = 16

// readFirstLine reads the header of a file; the reader is at the first row after it.
func readFirstLine(lines *lineReader) (header, int, error) {
	line, _, err := lines.next()
	for n := 0; n < leadingLines && err == nil && len(bytes.TrimSpace(line)) == 0; n++ {
		line, _, err = lines.next()
	}
	switch {
	case errors.Is(err, io.EOF):
		return header{}, 0, errors.New("the file is empty; a log begins with a line that names its counters")
	case errors.Is(err, errLongLine):
		return header{}, 0, fmt.Errorf("the first line is longer than %d MB; this is not a Performance Monitor log", logLineLimit>>20)
	case err != nil:
		return header{}, 0, err
	}
	return readHeader(line)
}
