package deck

import (
	"fmt"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// Header returns the header line: source and recording at the left, the source's clock in the middle, warnings at the right.
func (d *Deck) Header(glyphs *themes.Glyphs) ui.Header {
	m := d.Monitor()
	if m == nil {
		return ui.Header{}
	}
	status := m.Status()
	h := ui.Header{Middle: d.clockSegments(glyphs, status)}
	h.Left = append(h.Left, sourceSegment(status.Info))
	if status.Info.Twin != "" {
		h.Left = append(h.Left, ui.Segment{Text: fmt.Sprintf("twin, %d assumed", status.Info.Assumed), Style: warn})
	}
	h.Left = append(h.Left, d.recordingSegments(glyphs)...)
	h.Left = append(h.Left, ui.Segment{Text: Interval(status.Interval), Style: muted, Rank: 3})
	h.Right = d.alertSegments(glyphs, m)
	return h
}

var (
	muted  = themes.Style{Role: themes.Muted}
	bad    = themes.Style{Role: themes.Bad}
	warn   = themes.Style{Role: themes.Warn}
	info   = themes.Style{Role: themes.Info}
	wait   = themes.Style{Role: themes.Pending}
	strong = themes.Style{Attr: themes.Bold}
)

// sourceSegment names the source, its kind, and the host if it has another name.
func sourceSegment(info perf.SourceInfo) ui.Segment {
	text := info.Name
	if text == "" {
		text = info.Host
	}
	if string(info.Kind) != "" && string(info.Kind) != text && info.Kind != perf.SessionSource { // the clock says that it is a replay
		text += " (" + string(info.Kind) + ")"
	}
	if info.Host != "" && info.Host != info.Name {
		text += " on " + info.Host
	}
	return ui.Segment{Text: widget.Cut(text, 40), Style: strong}
}

// clockSegments returns the source's time and speed, and whether it is paused, at its end or stopped.
func (d *Deck) clockSegments(glyphs *themes.Glyphs, status monitor.Status) []ui.Segment {
	var segments []ui.Segment
	if session, ok := d.ReplaySession(); ok {
		text := fmt.Sprintf("%c replay of session %d", glyphs.Replay, session.ID)
		segments = append(segments, ui.Segment{Text: text, Style: info})
	}
	if d.past != nil {
		segments = append(segments, ui.Segment{Text: string(glyphs.Replay) + " past", Style: info})
	}
	if !status.Now.IsZero() {
		format := "15:04:05"
		if d.Replay != nil || status.Info.Kind == perf.LogSource {
			format = "2006-01-02 15:04:05" // a recording is usually of another day
		}
		segments = append(segments, ui.Segment{Text: d.Local(status.Now).Format(format)})
	}
	if values, ok := map[time.Duration]string{time.Minute: "1 min values", time.Hour: "1 h values"}[status.Step]; ok {
		segments = append(segments, ui.Segment{Text: values, Style: warn, Rank: 1})
	}
	if at, ok := d.Monitor().RecordedHostTime(); ok && status.Now.Sub(at) >= time.Second && !d.Monitor().Restoring() {
		segments = append(segments, ui.Segment{Text: "host of " + EventTime(at, status.Now), Style: muted, Rank: 4})
	}
	if status.Info.Kind != perf.LocalSource && status.Info.Kind != perf.FleetSource {
		segments = append(segments, ui.Segment{Text: fmt.Sprintf("x%g", status.Speed), Style: muted, Rank: 3})
	}
	if status.RepeatFrom.Before(status.RepeatTo) {
		text := "repeats " + EventTime(status.RepeatFrom.In(status.Now.Location()), status.Now) + " to " +
			EventTime(status.RepeatTo.In(status.Now.Location()), status.Now)
		segments = append(segments, ui.Segment{Text: text, Style: wait, Rank: 2})
	}
	switch {
	case status.Err != nil:
		segments = append(segments,
			ui.Segment{Text: string(glyphs.Failed) + " source stopped", Style: bad},
			ui.Segment{Text: widget.Cut(status.Err.Error(), 60), Style: bad, Rank: 4})
	case status.Stale != nil:
		segments = append(segments,
			ui.Segment{Text: string(glyphs.Warning) + " old data", Style: warn},
			ui.Segment{Text: widget.Cut(status.Stale.Error(), 60), Style: warn, Rank: 4})
	case status.Ended && !status.Paused:
		segments = append(segments, ui.Segment{Text: "at its end", Style: muted, Rank: 1})
	case status.Paused:
		segments = append(segments, ui.Segment{Text: string(glyphs.Frozen) + string(glyphs.Frozen) + " paused", Style: wait})
	}
	if status.Missed > 0 {
		text := fmt.Sprintf("%d missed", status.Missed)
		segments = append(segments, ui.Segment{Text: text, Style: warn, Rank: 2})
	}
	return segments
}

// alertSegments counts warnings, which are alarms and findings, and changes that wait for a restart.
func (d *Deck) alertSegments(glyphs *themes.Glyphs, m *monitor.Monitor) []ui.Segment {
	var segments []ui.Segment
	d.alerts.count(m.Inventory())
	warnings := d.alerts.findings
	for _, t := range m.Thresholds() {
		if t.Alarm {
			warnings++
		}
	}
	if warnings > 0 {
		text := fmt.Sprintf("%d %c", warnings, glyphs.Warning)
		segments = append(segments, ui.Segment{Text: text, Spoken: wording.Count(warnings, "warning"), Style: warn, Rank: 1})
	}
	if d.alerts.pending > 0 {
		text := fmt.Sprintf("%d %c", d.alerts.pending, glyphs.Pending)
		segments = append(segments, ui.Segment{Text: text, Spoken: fmt.Sprintf("%d waiting for a restart", d.alerts.pending), Style: wait, Rank: 1})
	}
	return segments
}

// alerts counts the findings on health in an inventory, and the nodes with a change that waits for a restart. An inventory
// never changes, so it is counted once.
type alerts struct {
	inventory         *perf.Inventory
	findings, pending int
}

func (a *alerts) count(inventory *perf.Inventory) {
	if inventory == a.inventory {
		return
	}
	*a = alerts{inventory: inventory}
	if inventory == nil {
		return
	}
	// An adapter repeats the findings of the nodes below it: count only the deepest nodes with findings.
	covered := make([]bool, len(inventory.Nodes))
	for i := len(inventory.Nodes) - 1; i >= 0; i-- {
		n := &inventory.Nodes[i]
		found := 0
		for _, f := range n.Health {
			if f.Severity >= eventlog.Warning {
				found++
			}
		}
		if !covered[i] {
			a.findings += found
		}
		if n.Parent >= 0 && n.Parent < i {
			covered[n.Parent] = covered[n.Parent] || covered[i] || found > 0
		}
		if n.Pending != "" {
			a.pending++
		}
	}
}

// Interval formats the time between samples: "1 s", "250 ms".
func Interval(d time.Duration) string {
	if d >= time.Second {
		return fmt.Sprintf("%g s", d.Seconds())
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}

// Clock formats a length of time as hours, minutes and seconds, with days before them if there are any.
func Clock(d time.Duration) string {
	s := int64(d / time.Second)
	text := fmt.Sprintf("%02d:%02d:%02d", s/3600%24, s/60%60, s%60)
	if days := s / 86400; days > 0 {
		text = fmt.Sprintf("%d d %s", days, text)
	}
	return text
}
