package events

import (
	"fmt"

	"cxdeck/driver/eventlog"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// The columns of the table.
const (
	timeColumn = iota
	severityColumn
	adapterColumn
	sourceColumn
	messageColumn
)

var columns = []widget.TableColumn{
	timeColumn:     {Title: "Time", Width: 8},
	severityColumn: {Title: "Severity", Width: 13},
	adapterColumn:  {Title: "Adapter", Width: 14},
	sourceColumn:   {Title: "Source", Width: 9, Rank: 1},
	messageColumn:  {Title: "Message", Width: 36, Grow: 1},
}

// besideFrom is the minimum width for the detail beside the table.
const besideFrom = 110

// Draw draws the screen's body.
func (v *View) Draw(area widget.Area) {
	p := browse.PlacePanels(area.Width, area.Height, besideFrom, v.InPage)
	v.drawBar(p.Bar.In(area))
	v.drawTable(p.Table.In(area))
	p.DrawRule(area, v.InPage)
	v.DrawPage(p.Page.In(area), v.writePage)
}

// drawBar draws the number of visible events and the filters.
func (v *View) drawBar(area widget.Area) {
	muted := themes.Style{Role: themes.Muted}
	first, end := v.log.Span()
	count := fmt.Sprintf("%d of %d", len(v.shown.positions), end-first)
	if v.follow {
		count += "  following"
	}
	area.PrintRight(area.Width, 0, count, muted)
	room := area.Sub(0, 0, area.Width-widget.Width(count)-2, 1)
	x := 0
	for s := eventlog.Error; ; s-- {
		glyph, role := deck.SeverityLook(area.Glyphs(), s)
		style, word := themes.Style{Role: role}, severityWords[s]
		if v.criteria.hidden[s] {
			style, word = muted, "no "+word
		}
		from := x
		x = room.Print(x, 0, string(glyph)+" "+word, style)
		room.Zone(from, 0, x-from, 1, "events.severity", int(s))
		x += 2
		if s == eventlog.Information {
			break
		}
	}
	for _, f := range []struct{ label, value, zone string }{
		{"adapter ", v.criteria.adapter, "events.adapter"}, {"source ", v.criteria.source, "events.source"},
	} {
		if f.value == "" {
			continue
		}
		from := x
		x = room.Print(x, 0, f.label, muted)
		x = room.Print(x, 0, f.value, themes.Style{Role: themes.Accent})
		room.Zone(from, 0, x-from, 1, f.zone, 0)
		x += 2
	}
	v.DrawFilter(room.Sub(x, 0, room.Width-x, 1))
}

// severityWords are the plurals of the severities.
var severityWords = [severityCount]string{"information", "warnings", "errors"}

func (v *View) drawTable(area widget.Area) {
	if area.Height == 0 {
		return
	}
	first, end := v.log.Span()
	empty := "No events yet. Link changes, drops and threshold alarms appear here."
	if end > first {
		empty = fmt.Sprintf("None of %d events is shown: all are filtered out. Esc shows all again.", end-first)
	}
	glyphs := area.Glyphs()
	v.Table.Columns = v.columns()
	v.DrawTable(area, empty, func(row int, cells []widget.TableCell) {
		e := v.log.At(v.shown.newest(row))
		if e == nil {
			return // dropped since the last refresh
		}
		glyph, role := deck.SeverityLook(glyphs, e.Severity)
		muted := themes.Style{Role: themes.Muted}
		cells[timeColumn] = widget.TableCell{Text: deck.EventTime(e.Time, v.now), Style: muted}
		cells[severityColumn] = widget.TableCell{
			Text: string(glyph) + " " + e.Severity.String(), Style: themes.Style{Role: role},
		}
		cells[adapterColumn] = widget.TableCell{Text: widget.CutName(e.Adapter, v.Table.ColumnWidth(adapterColumn), glyphs.Ellipsis)}
		cells[sourceColumn] = widget.TableCell{Text: e.Source, Style: muted}
		cells[messageColumn] = widget.TableCell{Text: deck.EventText(e)}
	})
}

// columns widens the time column for dates when the oldest kept event is from another day.
func (v *View) columns() []widget.TableColumn {
	if first, end := v.log.Span(); end > first && len(deck.EventTime(v.log.At(first).Time, v.now)) > 8 {
		return datedColumns
	}
	return columns
}

var datedColumns = append([]widget.TableColumn{{Title: "Time", Width: 19}}, columns[1:]...)
