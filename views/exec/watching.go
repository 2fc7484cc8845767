package exec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf/report"
	"cxdeck/views/settings"
)

// The bounds of what a command does at once.
const (
	longestAdvance = 24 * time.Hour
	mostRows       = 10_000
)

// number is the value of a flag that takes a count.
func (c *call) number(flag string, otherwise int) (int, error) {
	text, given := c.flags[flag]
	if !given {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > mostRows {
		return 0, mistake("%q is no number for --%s: it is a whole number up to %d", text, flag, mostRows)
	}
	return n, nil
}

func advance(c *call) (answer, error) {
	d, err := time.ParseDuration(c.arguments[0])
	if err != nil || d <= 0 || d > longestAdvance {
		return answer{}, mistake("%q is no time to let pass: write 500ms, 10s, 1m30s or 2h, at most 24h", c.arguments[0])
	}
	if err := c.host.Advance(c.ctx, d); err != nil {
		return answer{}, err
	}
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	return answer{
		result: struct {
			Passed float64   `json:"passed_seconds"`
			Now    time.Time `json:"now"`
		}{d.Seconds(), view.Now.UTC()},
		text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "It is %s on %s now.\n", c.stamp(view.Now), Clean(view.Name))
			return err
		},
	}, nil
}

// eventRow is an event as JSON.
type eventRow struct {
	Sequence uint64    `json:"sequence"`
	Time     time.Time `json:"time"`
	Key      string    `json:"key,omitempty"`
	ID       int       `json:"id,omitempty"`
	Source   string    `json:"source"`
	Channel  string    `json:"channel"`
	Severity string    `json:"severity"`
	Adapter  string    `json:"adapter,omitempty"`
	Message  string    `json:"message"`
}

func eventOf(e eventlog.Event) eventRow {
	return eventRow{e.Sequence, e.Time.UTC(), e.Key, e.ID, e.Source, e.Channel, e.Severity.String(), e.Adapter, e.Message}
}

func events(c *call) (answer, error) {
	last, err := c.number("last", 100)
	if err != nil {
		return answer{}, err
	}
	after, err := c.after()
	if err != nil {
		return answer{}, err
	}
	least, err := c.severity()
	if err != nil {
		return answer{}, err
	}
	adapter := ""
	if len(c.arguments) > 0 {
		view, err := c.view()
		if err != nil {
			return answer{}, err
		}
		if adapter, err = connection(view, c.arguments[0]); err != nil {
			return answer{}, err
		}
	}
	rows := []eventRow{}
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		for _, e := range h.EventsAfter(after) {
			if e.Severity >= least && (adapter == "" || e.Adapter == adapter) {
				rows = append(rows, eventOf(e))
			}
		}
		return nil
	})
	rows = rows[max(0, len(rows)-last):]
	return answer{
		result: struct {
			Events []eventRow `json:"events"`
		}{rows},
		text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "There are no such events.")
				return err
			}
			t := newTable(w, "NUMBER", "TIME", "SEVERITY", "SOURCE", "ID", "ADAPTER", "MESSAGE")
			for _, e := range rows {
				id := ""
				if e.ID != 0 {
					id = strconv.Itoa(e.ID)
				}
				t.row(strconv.FormatUint(e.Sequence, 10), c.stamp(e.Time), e.Severity, e.Source, id, e.Adapter, e.Message)
			}
			return t.Flush()
		},
	}, err
}

// after is the number after which events are wanted.
func (c *call) after() (uint64, error) {
	text, given := c.flags["after"]
	if !given {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, mistake("%q is no number for --after: it is that of an event", text)
	}
	return n, nil
}

// severity is the mildest that is wanted.
func (c *call) severity() (eventlog.Severity, error) {
	text, given := c.flags["severity"]
	if !given {
		return eventlog.Information, nil
	}
	all := []eventlog.Severity{eventlog.Information, eventlog.Warning, eventlog.Error}
	var names []string
	for _, s := range all {
		if strings.EqualFold(s.String(), text) {
			return s, nil
		}
		names = append(names, s.String())
	}
	return 0, mistake("--severity can't be %q%s", text, suggest(text, names, "there are "+strings.Join(names, ", ")))
}

func counters(c *call) (answer, error) {
	over, count, err := c.sampling()
	if err != nil {
		return answer{}, err
	}
	series, err := ChooseSeries(c.host.Schema(), c.host.Inventory(), c.arguments)
	if err != nil {
		return answer{}, err
	}
	if c.flags["list"] != "" {
		return c.listCounters(series), nil
	}
	var host string
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		host = h.Lab().Description().Host.Name
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	format := report.Table
	if c.runner.JSON {
		format = report.JSON
	}
	var out bytes.Buffer
	writer, err := report.New(format, &out, c.host.Schema(), series, report.Options{
		Host: host, Zone: c.runner.Zone, InBytes: c.runner.InBytes,
	})
	if err != nil {
		return answer{}, err
	}
	values := make([]float64, len(series))
	for range count {
		at, err := c.host.Measure(c.ctx, series, over, values)
		if err == nil {
			err = writer.Row(at, values)
		}
		if err != nil {
			return answer{}, err
		}
	}
	if err := writer.Close(); err != nil {
		return answer{}, err
	}
	return answer{result: samplesOf(format, out.Bytes()), text: func(w io.Writer) error {
		_, err := w.Write(out.Bytes())
		return err
	}}, nil
}

// samplesOf puts the documents of a report into a list.
func samplesOf(format report.Format, documents []byte) any {
	if format != report.JSON {
		return nil
	}
	result := struct {
		Samples []json.RawMessage `json:"samples"`
	}{}
	for _, line := range bytes.Split(bytes.TrimSpace(documents), []byte("\n")) {
		result.Samples = append(result.Samples, line)
	}
	return result
}

// sampling is how long each sample of counters takes, 0 for values of now, and how many are wanted.
func (c *call) sampling() (over time.Duration, count int, err error) {
	if text, given := c.flags["interval"]; given {
		if over, err = settings.ParseInterval(text); err != nil {
			return 0, 0, mistake("--interval: %v", err)
		}
	}
	count, err = c.number("count", 1)
	switch {
	case err != nil:
		return 0, 0, err
	case count == 0:
		return 0, 0, mistake("--count is at least 1")
	case count > 1 && over == 0:
		return 0, 0, mistake("more than one sample needs --interval: without it no time passes")
	}
	return over, count, nil
}

func (c *call) listCounters(series []int) answer {
	schema := c.host.Schema()
	if len(c.arguments) == 0 {
		series = series[:0]
		for i := range schema.Series {
			series = append(series, i)
		}
	}
	paths := make([]string, len(series))
	for i, one := range series {
		paths[i] = Clean(schema.Series[one].Path())
	}
	return answer{
		result: struct {
			Counters []string `json:"counters"`
		}{paths},
		text: func(w io.Writer) error { return report.WriteList(w, schema, series) },
	}
}

func labExport(c *call) (answer, error) {
	text := c.runner.LabText
	if len(text) == 0 {
		return answer{}, errors.New("this host has no lab description")
	}
	return answer{
		result: struct {
			TOML string `json:"toml"`
		}{string(text)},
		text: func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		},
	}, nil
}

// labReset begins with a new host. What it forgets can't be had back, so that it wants to be told twice.
func labReset(c *call) (answer, error) {
	var name string
	var changes int
	look := func(h *driver.Host) error {
		name, changes = h.Lab().Description().Host.Name, len(h.Journal())
		return nil
	}
	if err := c.host.Look(c.ctx, look); err != nil {
		return answer{}, err
	}
	if c.flags["yes"] == "" {
		return answer{}, fmt.Errorf("it would forget %s as it is (changes in its journal: %d); add --yes to begin anew",
			name, changes)
	}
	if err := c.host.Reset(c.ctx); err != nil {
		return answer{}, err
	}
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	return answer{
		result: struct {
			Forgotten int       `json:"forgotten_changes"`
			Now       time.Time `json:"now"`
		}{changes, view.Now.UTC()},
		text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s begins anew; it is %s there. Changes that undo no longer knows: %d.\n",
				Clean(name), c.stamp(view.Now), changes)
			return err
		},
	}, nil
}
