package host

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/script"
	"cxdeck/perf"
	"cxdeck/perf/forecast"
	"cxdeck/views/exec"
)

// effectRow is a counter that a plan changes, as JSON.
type effectRow struct {
	Counter   string   `json:"counter"`
	PerSecond bool     `json:"per_second"`
	Before    *float64 `json:"before"`
	After     *float64 `json:"after"`
	Change    *float64 `json:"change"`
}

// finite returns nil for NaN and infinity, which JSON does not have.
func finite(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

func planForecast(c *exec.Call) (exec.Answer, error) {
	span := forecast.DefaultSpan
	if text, given := c.Flags["span"]; given {
		var err error
		if span, err = time.ParseDuration(text); err != nil || span < time.Second || span > forecast.MaxSpan {
			return exec.Answer{}, exec.Mistake("invalid time %q: it must be 1s to 10m, such as 60s", text)
		}
	}
	limit, err := numberFlag(c, "limit", 0, 20)
	if err != nil {
		return exec.Answer{}, err
	}
	plan, copied, err := completeDraft(c)
	if err != nil {
		return exec.Answer{}, err
	}
	forecast, err := forecast.RunOn(c.Ctx, copied, plan, forecast.Options{Span: span})
	if err != nil {
		return exec.Answer{}, err
	}
	rows, meanwhile, news := effectsOf(forecast.Differences, limit), effectsOf(forecast.Meanwhile, limit), []eventRow{}
	for _, e := range forecast.Events {
		news = append(news, eventOf(e))
	}
	return exec.Answer{
		Result: struct {
			Span           float64     `json:"span_seconds"`
			RestartSeconds float64     `json:"settled_seconds"`
			Found          int         `json:"found"`
			Counters       []effectRow `json:"counters"`
			Events         []eventRow  `json:"events"`
			FoundMeanwhile int         `json:"found_meanwhile"`
			Meanwhile      []effectRow `json:"meanwhile"`
		}{forecast.Span.Seconds(), forecast.RestartTime.Seconds(), len(forecast.Differences), rows, news, len(forecast.Meanwhile), meanwhile},
		Text: func(w io.Writer) error { return writeForecast(c, w, &plan, forecast, limit) },
	}, nil
}

// effectsOf returns at most limit counters of a list as JSON, the first ones.
func effectsOf(list []forecast.Difference, limit int) []effectRow {
	rows := []effectRow{}
	for _, d := range list[:min(len(list), limit)] {
		rows = append(rows, effectRow{d.Series.Path(), d.PerSecond, finite(d.Before), finite(d.After), finite(d.Change)})
	}
	return rows
}

// completeDraft returns the draft with the restarts that it requires, and a copy of the host.
func completeDraft(c *exec.Call) (plan driver.Plan, copied *driver.Host, err error) {
	if plan, err = currentDraft(c); err != nil {
		return plan, nil, err
	}
	if len(plan.Operations) == 0 {
		return plan, nil, errNoDraft
	}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		copied = h.Clone()
		return nil
	})
	if err != nil {
		return plan, nil, err
	}
	if err := copied.Check(plan); err != nil {
		return plan, nil, fmt.Errorf("the plan can't be applied: %w", err)
	}
	return copied.Complete(plan), copied, nil
}

func writeForecast(c *exec.Call, w io.Writer, plan *driver.Plan, f *forecast.Result, limit int) error {
	when := ""
	if f.RestartTime > 0 {
		when = " afterwards"
		if _, err := fmt.Fprintf(w, "%s: in the first %s, until all restarts are complete, %d counters differ.\n", exec.Clean(plan.Title),
			f.RestartTime, len(f.Meanwhile)); err != nil {
			return err
		}
		if err := writeEffects(c, w, f.Meanwhile, limit); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(w, "%s: %s%s on a copy of the host, compared with a copy without the plan; %d counters differ.\n",
		exec.Clean(plan.Title), f.Span, when, len(f.Differences)); err != nil {
		return err
	}
	if err := writeEffects(c, w, f.Differences, limit); err != nil {
		return err
	}
	var b strings.Builder
	for _, e := range f.Events {
		if e.Severity != eventlog.Information { // information is routine while an adapter restarts
			fmt.Fprintf(&b, "%s: %s\n", e.Severity, exec.Clean(e.Message))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeEffects lists at most limit counters that differ, and says how many more there are.
func writeEffects(c *exec.Call, w io.Writer, list []forecast.Difference, limit int) error {
	if limit = min(limit, len(list)); limit > 0 {
		t := exec.NewTextTable(w, "COUNTER", "WITHOUT", "WITH", "CHANGE")
		for _, d := range list[:limit] {
			number := func(v float64) string { return perf.Number(v, d.Series.Unit, d.PerSecond, c.Runner.InBytes) }
			t.Row(d.Series.Path(), number(d.Before), number(d.After), forecast.ChangeText(d.Change))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	if more := len(list) - limit; more > 0 {
		_, err := fmt.Fprintf(w, "  and %d more; --limit lists them\n", more)
		return err
	}
	return nil
}

// planExport writes the draft for a real host, in the format of the file name's extension.
func planExport(c *exec.Call) (exec.Answer, error) {
	plan, copied, err := completeDraft(c)
	if err != nil {
		return exec.Answer{}, err
	}
	files, omitted, err := script.Files(copied, plan, c.Arguments[0])
	if unknown := (*script.UnknownEndError)(nil); errors.As(err, &unknown) {
		return exec.Answer{}, &exec.MistakeError{Text: err.Error()}
	}
	if err == nil {
		err = c.Write(files)
	}
	if err != nil {
		return exec.Answer{}, err
	}
	title := map[string]string{".ps1": "The script, and the script that undoes it", ".reg": "The registry file, and the registry file that undoes it",
		".md": "The runbook", ".txt": "The ticket"}
	rows := filesOf(files)
	return exec.Answer{
		Result: struct {
			Files []fileRow `json:"files"`
			Left  []string  `json:"left"`
		}{rows, append([]string{}, omitted...)},
		Text: func(w io.Writer) error {
			if err := writtenText(title[strings.ToLower(filepath.Ext(c.Arguments[0]))], rows)(w); err != nil {
				return err
			}
			for _, name := range omitted {
				if _, err := fmt.Fprintln(w, "  not in it: "+exec.Clean(name)); err != nil {
					return err
				}
			}
			return nil
		},
	}, nil
}
