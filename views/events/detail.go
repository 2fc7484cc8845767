package events

import (
	"strconv"
	"strings"

	"cxdeck/driver/eventlog"
	"cxdeck/themes"
	"cxdeck/views/deck"
)

// writePage writes the selected event's entry in the log, and the catalogue's text about its kind.
func (v *View) writePage() {
	p, e := &v.Page, v.event()
	if e == nil {
		p.Text("No event is selected.", themes.Style{Role: themes.Muted})
		return
	}
	glyph, role := deck.SeverityLook(p.Glyphs, e.Severity)
	title := e.Severity.String()
	if e.Adapter != "" {
		title += "  " + e.Adapter
	}
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
}
