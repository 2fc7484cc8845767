package sessions

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/perf/report"
	"cxdeck/views/exec"
	"cxdeck/views/moment"
	document "cxdeck/views/report"
)

// form is a file format for a session; its name is the file's extension and the word after --format.
type form struct {
	name string
	// counters is set if patterns after the file choose the counters.
	counters bool
	// write writes the session, and returns a description of the contents: "3600 samples of 12 counters".
	write func(*exporter, io.Writer) (string, error)
}

func forms() []form {
	samples := func(format report.Format) func(*exporter, io.Writer) (string, error) {
		return func(e *exporter, w io.Writer) (string, error) { return e.samples(w, format) }
	}
	return []form{
		{"csv", true, samples(report.CSV)},
		{"jsonl", true, samples(report.JSON)},
		{"om", true, samples(report.OpenMetrics)},
		{"db", false, (*exporter).history},
		{"reg", false, (*exporter).registry},
		{"ps1", false, (*exporter).script},
		{"txt", false, (*exporter).script},
		{"html", false, func(e *exporter, w io.Writer) (string, error) {
			return e.report(func(d *document.Document) error { return d.HTML(w) })
		}},
		{"md", false, func(e *exporter, w io.Writer) (string, error) {
			return e.report(func(d *document.Document) error { return d.Markdown(w) })
		}},
	}
}

// Forms returns the file extensions of the export formats, which are also the words of --format.
func Forms() (names []string) {
	for _, form := range forms() {
		names = append(names, form.name)
	}
	return names
}

func formOf(path, format string) (form, error) {
	name := format
	if name == "" {
		name = strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	}
	all := forms()
	at := slices.IndexFunc(all, func(f form) bool { return f.name == name })
	switch {
	case at >= 0:
		return all[at], nil
	case format != "":
		return form{}, exec.Mistake("sessions export can't write %s: --format is %s", format, strings.Join(Forms(), ", "))
	case path == "-":
		return form{}, exec.Mistake("sessions export to - requires --format: %s", strings.Join(Forms(), ", "))
	}
	return form{}, exec.Mistake("the format of %q is unknown: end the name with .%s, or give --format", path, strings.Join(Forms(), ", ."))
}

// exporter writes one session.
type exporter struct {
	*recorded
	call     *Call
	patterns []string
	// first and last bound the range; given is set if a range was given.
	first, last time.Time
	given       bool
	// summed is the number of rows that are minutes or hours.
	summed int
}

var (
	errInterrupted = errors.New("interrupted: nothing is written")
	errCutShort    = errors.New("interrupted: the output is cut short")
)

// export writes a session to a file; the extension or --format selects the format.
func export(c *Call) error {
	id, path, patterns := c.id(0), c.Arguments[1], c.Arguments[2:]
	form, err := formOf(path, c.Format)
	if err != nil {
		return err
	}
	if len(patterns) > 0 && !form.counters {
		return exec.Mistake("a .%s file has no counters to choose, and %q was given", form.name, patterns[0])
	}
	if path == "-" && form.name == "db" {
		return exec.Mistake("a database can't be written to -: name a file")
	}
	r, err := c.open(id)
	if err != nil && c.Ctx.Err() != nil {
		return errInterrupted
	} else if err != nil {
		return err
	}
	defer r.source.Close() //nolint:errcheck // nothing was written
	e := &exporter{recorded: r, call: c, patterns: patterns, given: c.From != "" || c.To != ""}
	if e.first, e.last, err = moment.Range(c.From, c.To, r.from.Local(), r.to.Local()); err != nil {
		return &exec.MistakeError{Text: err.Error()}
	}
	if path == "-" {
		out := bufio.NewWriter(c.Out)
		if _, err := form.write(e, out); err != nil && c.Ctx.Err() != nil {
			return errCutShort
		} else if err != nil {
			return err
		}
		return out.Flush()
	}
	var what string
	err = c.writeWhole(path, func(part *os.File) (err error) {
		out := bufio.NewWriterSize(part, 1<<20)
		if what, err = form.write(e, partWriter{out, part.Name()}); err != nil {
			return err
		}
		return out.Flush()
	})
	if err != nil && c.Ctx.Err() != nil {
		return errInterrupted
	} else if err != nil {
		return err
	}
	c.say("Session %d is in %s: %s.", id, exec.Clean(path), exec.Clean(what))
	return nil
}

// partWriter writes to the temporary file; its name is for SQLite, which opens the file itself.
type partWriter struct {
	io.Writer
	name string
}

// samples writes the samples of the chosen counters; without patterns, of all counters.
func (e *exporter) samples(w io.Writer, format report.Format) (string, error) {
	schema := e.source.Schema()
	var chosen []int
	if len(e.patterns) == 0 {
		for i := range schema.Series {
			chosen = append(chosen, i)
		}
	} else {
		var err error
		if chosen, err = exec.ChooseSeries(schema, e.source.Inventory(), e.patterns); err != nil {
			return "", err
		}
	}
	writer, err := report.New(format, w, schema, chosen, report.Options{Host: e.Host, Zone: time.Local})
	if err != nil {
		return "", err
	}
	rows, err := e.rows(schema, chosen, writer)
	if err == nil && rows == 0 {
		err = e.noSamples()
	}
	if err != nil {
		return "", err
	}
	what := wording.Count(rows, "sample") + " of " + wording.Count(len(chosen), "counter")
	if e.summed > 0 {
		what += fmt.Sprintf("; %d of the samples are minutes or hours, with last values and average rates, because their samples were removed", e.summed)
	}
	return what, writer.Close()
}

func (e *exporter) rows(schema *perf.Schema, chosen []int, writer report.Writer) (count int, err error) {
	// A rate needs the sample before it.
	if err := e.source.(perf.Seeker).Seek(e.first.Add(-2 * e.Interval)); err != nil {
		return 0, err
	}
	var (
		now, before perf.Column
		values      = make([]float64, len(chosen))
		move        = e.call.progress("Exporting")
		length      = int(e.last.Sub(e.first) / time.Millisecond)
		cells, can  = writer.(report.CellWriter)
	)
	defer move(1, 1)
	for began := false; ; began = true {
		now, before = before, now
		if err := e.call.Ctx.Err(); err != nil {
			return count, err
		}
		err := e.source.Next(e.call.Ctx, 0, &now)
		if errors.Is(err, io.EOF) || err == nil && now.Time.After(e.last) {
			return count, nil
		}
		if err != nil {
			return count, err
		}
		if now.Time.Before(e.first) {
			continue
		}
		previous := &before
		if !began {
			previous = nil
		}
		for i, index := range chosen {
			values[i] = math.NaN()
			if value, ok := schema.Series[index].Value(previous, &now); ok {
				values[i] = value
			}
		}
		if can {
			cells.Cells(&now)
		}
		if err := writer.Row(now.Time, values); err != nil {
			return count, err
		}
		if aggregate, ok := e.source.(perf.AggregateSource); ok && aggregate.Step() > 0 {
			e.summed++
		}
		count++
		move(min(int(now.Time.Sub(e.first)/time.Millisecond), length-1), max(length, 1))
	}
}

func (e *exporter) noSamples() error {
	return fmt.Errorf("session %d has no samples from %s to %s", e.ID, wording.Stamp(e.first), wording.Stamp(e.last))
}

// checkSamples fails when the range has no samples. A history gets all of a window that the range touches, also when the range is
// in a gap of the window.
func (e *exporter) checkSamples() error {
	if err := e.source.(perf.Seeker).Seek(e.first); err != nil {
		return err
	}
	for column := (perf.Column{}); ; {
		err := e.source.Next(e.call.Ctx, 0, &column)
		switch {
		case errors.Is(err, io.EOF), err == nil && column.Time.After(e.last):
			return e.noSamples()
		case err != nil || !column.Time.Before(e.first):
			return err
		}
	}
}

// history writes the session, or the range of it, to a history file.
func (e *exporter) history(w io.Writer) (string, error) {
	var from, to time.Time
	if e.given {
		from, to = e.first, e.last
		if err := e.checkSamples(); err != nil {
			return "", err
		}
	}
	err := e.call.DB.Extract(e.call.Ctx, e.ID, from, to, w.(partWriter).name, e.call.progress("Exporting"))
	return "cxdeck --db opens it", err
}

// report writes the session's report.
func (e *exporter) report(write func(*document.Document) error) (string, error) {
	o := document.Options{Session: e.ID, Zone: time.Local, InBytes: e.call.InBytes, Version: e.call.Version, Now: time.Now(), Restore: e.call.Restore}
	if e.given {
		o.From, o.To = e.first, e.last
	}
	d, err := document.Gather(e.call.Ctx, e.call.DB, o, e.call.progress("Reading the session"))
	if err != nil {
		return "", err
	}
	return "its report", write(d)
}
