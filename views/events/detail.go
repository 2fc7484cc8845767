package events

import (
	"strconv"
	"strings"

	"cxdeck/driver/eventlog"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// page is the page about an event, and what it was written for.
type page struct {
	sequence uint64
	width    int
	resets   int
	text     *browse.Page
}

// drawDetail draws the selected event with its trigger and remedy.
func (v *View) drawDetail(area widget.Area) {
	if area.Height == 0 || area.Width == 0 {
		return
	}
	area.Zone(0, 0, area.Width, area.Height, "events.detail", 0)
	e := v.event()
	if e == nil {
		area.PrintCut(0, 0, area.Width, "No event is selected.", themes.Style{Role: themes.Muted})
		return
	}
	if resets := v.log.Resets(); v.page.sequence != e.Sequence || v.page.width != area.Width || v.page.resets != resets {
		v.page = page{e.Sequence, area.Width, resets, describe(area.Glyphs(), e, area.Width)}
	}
	v.page.text.Draw(area, &v.detail)
}

// describe writes the page about an event: what the log has, and what the catalogue says about its kind.
func describe(glyphs *themes.Glyphs, e *eventlog.Event, width int) *browse.Page {
	glyph, role := deck.SeverityLook(glyphs, e.Severity)
	title := e.Severity.String()
	if e.Adapter != "" {
		title += "  " + e.Adapter
	}
	p := browse.NewPage(width)
	p.Item(glyph, title, themes.Style{Role: role, Attr: themes.Bold})
	p.Text(e.Message, themes.Style{})
	if row, known := eventlog.Catalogue().Lookup(e.Key); known {
		p.Blank()
		p.Field("Trigger", row.Trigger)
		p.Field("Cause", row.Cause)
		p.Field("Recovery", row.Recovery)
		p.Field("Remedy", row.Remedy)
		p.Field("Keys", strings.Join(row.RelatedKeys, ", "))
	}
	p.Blank()
	p.Field("Time", e.Time.Format("2006-01-02 15:04:05.000"))
	p.Field("Source", e.Source)
	p.Field("Log", e.Channel)
	if e.ID != 0 {
		p.Field("Event ID", strconv.Itoa(e.ID))
	}
	p.Field("Kind", e.Key)
	return p
}
