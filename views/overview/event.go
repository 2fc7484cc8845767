package overview

import (
	"fmt"
	"time"

	"cxdeck/driver/eventlog"
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
	area.PrintCut(x, 0, whoWidth, who, themes.Style{})
	x += whoWidth + 1
	area.PrintCut(x, 0, area.Width-x, deck.EventText(e), themes.Style{})
}

// opening is how many events a source begins with, all of one second: what each adapter says of itself as it starts
// would push the news out of a short list, so it is one row there. A few events are shown individually. The result
// stays until the log restarts or drops its oldest event.
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

// footRows is how many rows the short list of events has.
func (v *View) footRows() int {
	first, end := v.log.Span()
	if v.opening > 0 {
		return end - first - v.opening + 1
	}
	return end - first
}

// drawOpening draws the row that stands for the first count events, the start-up events. The worst of them gives its
// glyph.
func drawOpening(area widget.Area, now time.Time, log *deck.EventLog, count int) {
	worst, bad := eventlog.Information, 0
	for n := range count {
		if severity := log.At(n).Severity; severity != eventlog.Information {
			worst, bad = max(worst, severity), bad+1
		}
	}
	counted := fmt.Sprintf("%d messages as the adapters started", count)
	if bad > 0 {
		counted += fmt.Sprintf(", %d to look at", bad)
	}
	glyph, role := deck.SeverityLook(area.Glyphs(), worst)
	muted := themes.Style{Role: themes.Muted}
	x := area.Print(0, 0, deck.EventTime(log.At(count-1).Time, now), muted) + 2
	area.Set(x, 0, glyph, themes.Style{Role: role})
	area.PrintCut(x+2, 0, area.Width-x-2, counted+": see Events", muted)
}

// whoWidth is the width of an adapter's name beside an event.
const whoWidth = 14
