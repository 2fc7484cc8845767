package pdh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/regular"
)

// source plays a Performance Monitor log. Everything except the position is fixed when it is opened, so that ranges can be read
// while it plays.
//
// The rows of a log should be in the order of time. Where they are not (the clock was set back, or two logs were joined), rows are shown
// later than their time, see summerClock; of rows with the same time the first is used.
type source struct {
	file     *os.File
	name     string
	encoding textEncoding
	body     int64 // the offset of the first row
	end      int64
	header   header
	survey   *logSurvey

	schema    *perf.Schema
	inventory *perf.Inventory

	lines *lineReader
	cells cells
	// last is the time of the row that Next returned last, by the log's clock; began is false before the first.
	last  int64
	began bool
	// from is the time of the last Seek.
	from int64
	// steps are the places where the clock goes back, in order. before is the time of the row that was read last, played or
	// skipped; 0 when it is not the row above the next one.
	steps  atomic.Pointer[[]clockStep]
	before int64
	// reported is the time up to which Events has reported steps, by the log's clock.
	reported int64
}

// Open opens a log of Performance Monitor, typeperf or relog (PDH-CSV 4.0) as a source. It reads the counters' names, the first
// and last rows and a few between; the rest is read when it is played. The source is a perf.Seeker and a perf.RangeReader. For
// an invalid log it fails with an *Error.
//
// The values of a log are finished: rates are per second already, so that every series is a gauge and the unit of a rate says
// so ("bytes per second"). They are stored with six decimals, with nine if all sampled values are small, or with three if they
// are integers or large; values that exceed 64 bits are stored as the largest number. Columns with more digits are stored as
// floats.
func Open(path string) (perf.Source, error) {
	file, err := regular.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the log can't be opened: %w", err)
	}
	s, err := newSource(file, perf.CleanText(filepath.Base(path), perf.NameLimit))
	if err != nil {
		_ = file.Close() // nothing was written
		return nil, err
	}
	return s, nil
}

func newSource(file *os.File, name string) (*source, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("the log can't be read: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, &Error{File: name, Reason: "it is not a file; name a log in PDH-CSV format"}
	}
	s := &source{file: file, name: name, end: info.Size(), from: math.MinInt64, reported: math.MinInt64}
	var start int64
	s.encoding, start = textMark(file)
	s.lines = &lineReader{file: file, encoding: s.encoding, block: blockSize(s.end), place: start}
	header, column, err := readFirstLine(s.lines)
	if err != nil {
		return nil, &Error{File: name, Line: 1, Column: column, Reason: err.Error()}
	}
	s.header, s.body = header, s.lines.offset()
	if s.survey, err = survey(file, s.encoding, s.body, s.end, &s.header); err != nil {
		return nil, &Error{File: name, Line: 2, Reason: err.Error()}
	}
	for n := range s.header.series {
		s.header.series[n].Scale = perf.FloatCells
		if decimals := s.survey.decimals[n]; decimals != floatDecimals {
			s.header.series[n].Scale = 1 / float64(powers[decimals])
		}
	}
	s.findLineRates()
	if err := s.findSteps(); err != nil {
		return nil, err
	}
	if s.schema, err = perf.NewSchema(1, len(s.header.series), s.header.series); err != nil {
		return nil, &Error{File: name, Line: 1, Reason: err.Error()}
	}
	s.inventory = NewInventory(s.header.host, name, s.header.series)
	s.cells.delimiter = s.header.delimiter
	s.lines.moveTo(s.body)
	return s, nil
}

// findLineRates sets the line rate of an interface's series, if the log has it.
func (s *source) findLineRates() {
	rates := make(map[string]uint64)
	for n, series := range s.header.series {
		if perf.FoldPath(series.Counter) == "current bandwidth" && s.survey.biggest[n] < math.MaxUint64/2 {
			rates[perf.FoldPath(series.Set+`\`+series.Instance)] = uint64(s.survey.biggest[n])
		}
	}
	for n := range s.header.series {
		series := &s.header.series[n]
		series.Line = rates[perf.FoldPath(series.Set+`\`+series.Instance)]
	}
}

// Info describes the computer that wrote the log.
func (s *source) Info() perf.SourceInfo {
	return perf.SourceInfo{Kind: perf.LogSource, Name: s.name, Host: s.header.host, Started: s.utc(s.survey.first)}
}

func (s *source) Schema() *perf.Schema       { return s.schema }
func (s *source) Inventory() *perf.Inventory { return s.inventory }

// Close closes the file.
func (s *source) Close() error { return s.file.Close() }

func (s *source) utc(clock int64) time.Time {
	return time.Unix(0, clock).UTC().Add(s.header.zone)
}

func (s *source) clock(t time.Time) int64 { return t.Add(-s.header.zone).UnixNano() }

// Span returns the times of the first and the last complete row when the log was opened.
func (s *source) Span() (from, to time.Time) { return s.utc(s.survey.first), s.utc(s.survey.last) }

// Seek finds the row by bisection, which takes some thirty reads in a log of 1 GB.
func (s *source) Seek(to time.Time) error {
	from := s.clock(to)
	place, err := s.locate(from)
	if err != nil {
		return err
	}
	s.lines.moveTo(place)
	s.from, s.began, s.before, s.reported = from, false, 0, from
	return nil
}

// locate returns the place of the first row at or after a time of the log's clock.
func (s *source) locate(from int64) (int64, error) {
	lines := &lineReader{file: s.file, encoding: s.encoding, block: blockSize(s.end)}
	low, high := s.body, s.end
	for high-low > logBlock {
		middle := low + (high-low)/2
		middle -= (middle - s.body) % int64(s.encoding.width())
		lines.moveTo(middle)
		if _, _, err := lines.next(); err != nil {
			high = middle
			continue
		}
		at, t, err := s.nextTime(lines)
		switch {
		case errors.Is(err, io.EOF) || err == nil && t >= from:
			high = middle
		case err != nil:
			return 0, err
		default:
			low = at
		}
	}
	lines.moveTo(low)
	for {
		at, t, err := s.nextTime(lines)
		if errors.Is(err, io.EOF) {
			return s.end, nil
		}
		if err != nil {
			return 0, err
		}
		if t >= from {
			return at, nil
		}
	}
}

// nextTime returns the place of the next row and its shown time; io.EOF after the last.
func (s *source) nextTime(lines *lineReader) (at, t int64, err error) {
	at, t, err = s.rawTime(lines)
	return at, t + s.shiftAt(at), err
}

func badTime(cell []byte) error {
	if bytes.HasPrefix(cell, []byte("(PDH-")) {
		return errors.New("a second log with other counters begins here; split the file before this line")
	}
	return fmt.Errorf("invalid time %.40q: its format differs from the times above it; correct it, or delete the line", cell)
}

// lineError adds the line number to an error.
func (s *source) lineError(at int64, column int, err error) error {
	if errors.Is(err, io.EOF) {
		return err
	}
	var path *os.PathError
	if errors.As(err, &path) || errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("%s can't be read: %w", s.name, err)
	}
	if errors.Is(err, errLongLine) {
		err = fmt.Errorf("the line is longer than %d MB; this is not a Performance Monitor log", logLineLimit>>20)
	}
	return &Error{File: s.name, Line: lineNumber(s.file, s.encoding, at), Column: column, Reason: err.Error()}
}

// Next returns the next row that is interval later, or the first one after that.
func (s *source) Next(ctx context.Context, interval time.Duration, column *perf.Column) error {
	wanted := s.from
	if s.began {
		// Rows of a log are never exactly evenly spaced: a row that is nearly late enough is accepted.
		wanted = max(s.last+1, s.last+int64(interval-min(interval, s.survey.spacing)/2))
	}
	for count := 0; ; count++ {
		if count%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		at := s.lines.offset()
		line, whole, err := s.lines.next()
		if err != nil {
			return s.lineError(at, 0, err)
		}
		if line = rowOf(line, s.header.delimiter); len(line) == 0 {
			continue
		}
		t, err := s.row(line, at, wanted, column)
		switch {
		case err != nil && !whole:
			return io.EOF // the end of a log that is still being written
		case err != nil:
			return s.lineError(at, s.cells.index+1, err)
		case t < wanted:
			continue
		case !whole && s.cells.index < len(s.header.series):
			return io.EOF
		}
		column.Time, column.Missed = s.utc(t), 0
		if s.began {
			step := max(interval, s.survey.spacing)
			column.Missed = max(0, int((t-s.last+int64(step)/2)/int64(step))-1)
		}
		s.last, s.began = t, true
		return nil
	}
}

// row returns the shown time of the line at a place and, if that is not before wanted, reads its cells. Cells missing at the
// end are Missing.
func (s *source) row(line []byte, place, wanted int64, column *perf.Column) (int64, error) {
	s.cells.reset(line)
	cell, _, err := s.cells.next()
	if err != nil {
		return 0, err
	}
	t, ok := parseTime(cell, s.survey.order)
	if !ok {
		return 0, badTime(cell)
	}
	if t = s.displayTime(place, t); t < wanted {
		return t, nil
	}
	column.Grow(len(s.header.series))
	for n := range column.Cells {
		cell, more, err := s.cells.next()
		if err != nil {
			return 0, err
		}
		if !more {
			for ; n < len(column.Cells); n++ {
				column.Cells[n] = perf.Missing
			}
			break
		}
		if column.Cells[n], ok = s.survey.parse(cell, n); !ok {
			return 0, fmt.Errorf("invalid number %.40q (%s); correct it, or empty the cell", cell, s.header.series[n].Path())
		}
		if s.header.series[n].Kind == perf.Cumulative && column.Cells[n] < 0 {
			column.Cells[n] = perf.Missing // a count is never below 0
		}
	}
	return t, nil
}

// displayTime returns the shown time of a row that is played. It also finds steps that were missed when the log was opened.
func (s *source) displayTime(place, raw int64) int64 {
	clock := summerClock{spacing: int64(s.survey.spacing), last: s.before, began: s.before != 0}
	if step := s.stepBefore(place); step != nil {
		clock.summer, clock.shift = step.summer, step.shift
	}
	at, ok := s.step(&clock, place, raw)
	if ok {
		s.before = at
	}
	return at
}

// Events reports where the clock of the log goes back, and how its rows are shown.
func (s *source) Events() []eventlog.Event {
	if !s.began {
		return nil
	}
	var events []eventlog.Event
	report := func(at int64, severity eventlog.Severity, text string) {
		if at >= s.reported && at <= s.last {
			events = append(events, eventlog.Event{Time: s.utc(at), Source: "log", Severity: severity, Message: text})
		}
	}
	if hint := s.languageHint(); hint != "" {
		report(s.survey.first, eventlog.Warning, hint)
	}
	for _, step := range *s.steps.Load() {
		severity := eventlog.Information
		if step.back > 0 {
			severity = eventlog.Warning
		}
		report(step.at, severity, step.describe())
	}
	s.reported = s.last + 1
	return events
}

// maxNotes is the number of clock steps that Notes describes; it counts the others.
const maxNotes = 2

// Notes reports names in another language, and the clock steps that were found when the log was opened.
func (s *source) Notes() []string {
	var notes []string
	if hint := s.languageHint(); hint != "" {
		notes = append(notes, s.name+": "+hint)
	}
	back := slices.DeleteFunc(slices.Clone(*s.steps.Load()), func(step clockStep) bool { return step.back == 0 })
	for n := range back[:min(len(back), maxNotes)] {
		notes = append(notes, fmt.Sprintf("%s, %s: %s", s.name, s.utc(back[n].at).Format(time.DateTime), back[n].describe()))
	}
	if more := len(back) - maxNotes; more > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d more places where the clock goes back", s.name, more))
	}
	return notes
}

// ReadRange reads one series of a period of the log. It may run beside Next.
func (s *source) ReadRange(ctx context.Context, series int, from, to time.Time, dst []perf.Point) ([]perf.Point, error) {
	if series < 0 || series >= len(s.header.series) {
		return dst, fmt.Errorf("the log has no series %d", series)
	}
	place, err := s.locate(s.clock(from))
	if err != nil {
		return dst, err
	}
	lines := &lineReader{file: s.file, encoding: s.encoding, block: blockSize(s.end)}
	lines.moveTo(place)
	c := cells{delimiter: s.header.delimiter}
	last := s.clock(from) - 1
	for count := 0; ; count++ {
		if count%256 == 0 && ctx.Err() != nil {
			return dst, ctx.Err()
		}
		at := lines.offset()
		line, whole, err := lines.next()
		if errors.Is(err, io.EOF) || err == nil && !whole {
			return dst, nil
		}
		if err != nil {
			return dst, s.lineError(at, 0, err)
		}
		if line = rowOf(line, s.header.delimiter); len(line) == 0 {
			continue
		}
		c.reset(line)
		cell, _, err := c.next()
		t, ok := parseTime(cell, s.survey.order)
		t += s.shiftAt(at)
		switch {
		case err != nil || !ok:
			return dst, s.lineError(at, 1, badTime(cell))
		case t > s.clock(to):
			return dst, nil
		case t <= last:
			continue
		}
		last = t
		value := math.NaN()
		for more := true; more && err == nil && c.index <= series; {
			cell, more, err = c.next()
		}
		if err != nil {
			return dst, s.lineError(at, c.index+1, err)
		}
		if stored, ok := s.survey.parse(cell, series); ok && stored != perf.Missing && c.index == series+1 {
			value = s.header.series[series].CellValue(stored)
		}
		dst = append(dst, perf.Point{Time: s.utc(t).UnixNano(), Value: value})
	}
}
