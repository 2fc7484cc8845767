package overview

import (
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// drawEvent draws one event into one line: time, severity, adapter, message.
func drawEvent(area widget.Area, now time.Time, e *eventlog.Event) {
	glyph, role := deck.SeverityLook(area.Glyphs(), e.Severity)
	x := area.Print(0, 0, deck.EventTime(e.Time, now), themes.Style{Role: themes.Muted}) + 2
	area.Set(x, 0, glyph, themes.Style{Role: role})
	x += 2
	who := e.Adapter
	if who == "" {
		who = e.Source
	}
	area.PrintCut(x, 0, whoWidth, widget.CutName(who, whoWidth, area.Glyphs().Ellipsis), themes.Style{})
	x += whoWidth + 1
	area.PrintCut(x, 0, area.Width-x, deck.EventText(e), themes.Style{})
}

// opening returns the number of start-up events: the events of a source's first second. They share one row, because they
// would push newer events out of a short list; fewer than minOpening are shown individually. The result stays until the
// log restarts or drops its oldest event.
func opening(log *deck.EventLog, before int) int {
	first, end := log.Span()
	if first > 0 || end == 0 {
		return 0
	}
	n := min(before, end)
	for begin := log.At(0).Time; n < end; n++ {
		if log.At(n).Time.Sub(begin) >= time.Second {
			break
		}
	}
	if n < minOpening {
		return 0
	}
	return n
}

// minOpening is the minimum number of events that share the row.
const minOpening = 4

// footRows returns the number of rows in the short list of events.
func (v *View) footRows() int {
	first, end := v.log.Span()
	if v.opening > 0 {
		return end - first - v.opening + 1
	}
	return end - first
}

// drawStartEvents draws the row for the start-up events, the first count of the log, with the glyph of the highest
// severity.
func drawStartEvents(area widget.Area, now time.Time, log *deck.EventLog, count int) {
	worst, errors, warnings := eventlog.Information, 0, 0
	for n := range count {
		severity := log.At(n).Severity
		worst = max(worst, severity)
		switch severity {
		case eventlog.Error:
			errors++
		case eventlog.Warning:
			warnings++
		case eventlog.Information:
		}
	}
	counted := wording.Count(count, "start-up event")
	if errors > 0 {
		counted += ", " + wording.Count(errors, "error")
	}
	if warnings > 0 {
		counted += ", " + wording.Count(warnings, "warning")
	}
	glyph, role := deck.SeverityLook(area.Glyphs(), worst)
	muted := themes.Style{Role: themes.Muted}
	x := area.Print(0, 0, deck.EventTime(log.At(count-1).Time, now), muted) + 2
	area.Set(x, 0, glyph, themes.Style{Role: role})
	area.PrintCut(x+2, 0, area.Width-x-2, counted+": see Events", muted)
}

// whoWidth is the width of an adapter's name beside an event.
const whoWidth = 14
