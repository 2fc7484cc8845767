package host

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
	"cxdeck/views/exec"
	"cxdeck/views/settings"
)

// numberFlag returns the value of a flag, low to exec.MaxRows, or the default if it was not given.
func numberFlag(c *exec.Call, flag string, low, byDefault int) (int, error) {
	text, given := c.Flags[flag]
	if !given {
		return byDefault, nil
	}
	return exec.Integer(text, "--"+flag, low, exec.MaxRows)
}

func advance(c *exec.Call) (exec.Answer, error) {
	d, err := time.ParseDuration(c.Arguments[0])
	if err != nil || d <= 0 || d > exec.MaxAdvance {
		return exec.Answer{}, exec.Mistake("invalid time %q: write 500ms, 10s, 1m30s or 2h, at most 24h", c.Arguments[0])
	}
	if err := c.Host.Advance(c.Ctx, d); err != nil {
		return exec.Answer{}, err
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{
		Result: struct {
			Passed float64   `json:"passed_seconds"`
			Now    time.Time `json:"now"`
		}{d.Seconds(), view.Now.UTC()},
		Text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "The time is %s on %s.\n", timeText(c, view.Now), exec.Clean(view.Name))
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

func events(c *exec.Call, in *struct {
	Name  string       `is:"connection"`
	Last  exec.Count   `flag:"last" is:"--last" default:"100"`
	After uint64       `flag:"after" is:"--after"`
	Min   severityName `flag:"severity"`
}) (exec.Answer, error) {
	rows := []eventRow{}
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, e := range h.EventsAfter(in.After) {
			if e.Severity >= eventlog.Severity(in.Min) && (in.Name == "" || e.Adapter == in.Name) {
				rows = append(rows, eventOf(e))
			}
		}
		return nil
	})
	rows = rows[max(0, len(rows)-int(in.Last)):]
	return exec.Answer{
		Result: struct {
			Events []eventRow `json:"events"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "No event matches.")
				return err
			}
			t := exec.NewTextTable(w, "NUMBER", "TIME", "SEVERITY", "SOURCE", "ID", "ADAPTER", "MESSAGE")
			for _, e := range rows {
				id := ""
				if e.ID != 0 {
					id = strconv.Itoa(e.ID)
				}
				t.Row(strconv.FormatUint(e.Sequence, 10), timeText(c, e.Time), e.Severity, e.Source, id, e.Adapter, e.Message)
			}
			return t.Flush()
		},
	}, err
}

// severityName is a minimum severity as an argument.
type severityName eventlog.Severity

// Read accepts the name of a severity in any case.
func (n *severityName) Read(_ *exec.Call, text, _ string) error {
	var names []string
	for _, s := range []eventlog.Severity{eventlog.Information, eventlog.Warning, eventlog.Error} {
		if strings.EqualFold(s.String(), text) {
			*n = severityName(s)
			return nil
		}
		names = append(names, s.String())
	}
	return exec.Mistake("invalid severity %q%s", text, exec.Suggest(text, names, "choose from "+strings.Join(names, ", ")))
}

func counters(c *exec.Call) (exec.Answer, error) {
	over, count, err := samplingFlags(c)
	if err != nil {
		return exec.Answer{}, err
	}
	series, err := exec.ChooseSeries(c.Host.Schema(), c.Host.Inventory(), c.Arguments)
	if err != nil {
		return exec.Answer{}, err
	}
	if c.Flags["list"] != "" {
		return listCounters(c, series), nil
	}
	var host string
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		host = h.Lab().Description().Host.Name
		return nil
	})
	if err != nil {
		return exec.Answer{}, err
	}
	format := report.Table
	if c.Runner.JSON {
		format = report.JSON
	}
	var out bytes.Buffer
	writer, err := report.New(format, &out, c.Host.Schema(), series, report.Options{
		Host: host, Zone: c.Runner.Zone, InBytes: c.Runner.InBytes,
	})
	if err != nil {
		return exec.Answer{}, err
	}
	values := make([]float64, len(series))
	for range count {
		at, err := c.Host.Measure(c.Ctx, series, over, values)
		if err == nil {
			err = writer.Row(at, values)
		}
		if err != nil {
			return exec.Answer{}, err
		}
	}
	if err := writer.Close(); err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{Result: samplesOf(format, out.Bytes()), Text: func(w io.Writer) error {
		_, err := w.Write(out.Bytes())
		return err
	}}, nil
}

// samplesOf returns the samples of a JSON report, one document per line, as a list.
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

// samplingFlags returns the values of --interval, 0 without the flag, and --count.
func samplingFlags(c *exec.Call) (over time.Duration, count int, err error) {
	if text, given := c.Flags["interval"]; given {
		if over, err = settings.ParseInterval(text); err != nil {
			return 0, 0, exec.Mistake("--interval: %v", err)
		}
	}
	count, err = numberFlag(c, "count", 1, 1)
	switch {
	case err != nil:
		return 0, 0, err
	case count > 1 && over == 0:
		return 0, 0, exec.Mistake("more than one sample requires --interval: without it no time passes")
	}
	return over, count, nil
}

func listCounters(c *exec.Call, series []int) exec.Answer {
	schema := c.Host.Schema()
	if len(c.Arguments) == 0 {
		series = series[:0]
		for i := range schema.Series {
			series = append(series, i)
		}
	}
	paths := make([]string, len(series))
	for i, index := range series {
		paths[i] = exec.Clean(schema.Series[index].Path())
	}
	return exec.Answer{
		Result: struct {
			Counters []string `json:"counters"`
		}{paths},
		Text: func(w io.Writer) error { return report.WriteList(w, schema, series) },
	}
}

func labExport(c *exec.Call) (exec.Answer, error) {
	text := c.Runner.LabText
	if len(text) == 0 {
		return exec.Answer{}, errors.New("this host has no lab description")
	}
	return exec.Answer{
		Result: struct {
			TOML string `json:"toml"`
		}{string(text)},
		Text: func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		},
	}, nil
}

// labReset replaces the host with a new one. It can't be undone, so it requires --yes.
func labReset(c *exec.Call) (exec.Answer, error) {
	var name string
	var changes int
	look := func(h *driver.Host) error {
		name, changes = h.Lab().Description().Host.Name, len(h.Journal())
		return nil
	}
	if err := c.Host.ReadHost(c.Ctx, look); err != nil {
		return exec.Answer{}, err
	}
	if c.Flags["yes"] == "" {
		return exec.Answer{}, fmt.Errorf("it would discard %s (changes in its journal: %d); add --yes to start over",
			name, changes)
	}
	if err := c.Host.Reset(c.Ctx); err != nil {
		return exec.Answer{}, err
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{
		Result: struct {
			Forgotten int       `json:"forgotten_changes"`
			Now       time.Time `json:"now"`
		}{changes, view.Now.UTC()},
		Text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s is a new host; its time is %s. Changes that can no longer be undone: %d.\n",
				exec.Clean(name), timeText(c, view.Now), changes)
			return err
		},
	}, nil
}
