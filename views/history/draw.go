package history

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// The columns of the table.
const (
	recordedColumn = iota
	durationColumn
	stateColumn
	hostColumn
	sourceColumn
	samplesColumn
	changesColumn
	eventsColumn
	sizeColumn
	trafficColumn
	dropsColumn
	tagsColumn
	noteColumn
)

// stripWidth is the width of a session's small curve, in cells.
const stripWidth = 12

var columns = []widget.TableColumn{
	recordedColumn: {Title: "Recorded", Width: 16},
	durationColumn: {Title: "Duration", Width: 12, Right: true},
	stateColumn:    {Title: "", Width: 6},
	hostColumn:     {Title: "Host", Width: 8, Rank: 9},
	sourceColumn:   {Title: "Source", Width: 12, Grow: 1, Rank: 5},
	samplesColumn:  {Title: "Samples", Width: 8, Right: true, Rank: 8},
	changesColumn:  {Title: "Changes", Width: 7, Right: true, Rank: 7},
	eventsColumn:   {Title: "Events", Width: 6, Right: true, Rank: 4},
	sizeColumn:     {Title: "Size", Width: 8, Right: true},
	trafficColumn:  {Title: "Traffic", Width: stripWidth, Rank: 2},
	dropsColumn:    {Title: "Drops", Width: stripWidth, Rank: 1},
	tagsColumn:     {Title: "Tags", Width: 8, Grow: 1, Rank: 6},
	noteColumn:     {Title: "Note", Width: 9, Grow: 2, Rank: 3},
}

// besideFrom is the minimum width for the details beside the table: its columns come first.
const besideFrom = 160

// Draw draws the screen's body.
func (v *View) Draw(area widget.Area) {
	if v.comparing {
		v.compared.Draw(area)
		return
	}
	if v.found != nil {
		v.drawResults(area)
		return
	}
	p := browse.PlacePanels(area.Width, area.Height, besideFrom, v.InPage)
	v.drawBar(p.Bar.In(area))
	v.drawTable(v.drawNotes(p.Table.In(area)))
	p.DrawRule(area, v.InPage)
	v.DrawPage(p.Page.In(area), v.writePage)
}

// drawBar draws the filter, the number of visible sessions and their size on disk.
func (v *View) drawBar(area widget.Area) {
	var bytes int64
	for i := range v.sessions {
		bytes += v.sessions[i].Bytes
	}
	count := fmt.Sprintf("%d of %d sessions  %s", len(v.rows), len(v.sessions), perf.Number(float64(bytes), perf.Bytes, false, false))
	if v.working != "" {
		count = v.working + "  " + count
	}
	area.PrintRight(area.Width, 0, count, themes.Style{Role: themes.Muted})
	room := area.Sub(0, 0, area.Width-widget.Width(count)-2, 1)
	if session, ok := v.deck.ReplaySession(); ok && !v.Filter.Typing() {
		text := fmt.Sprintf("%c session %d is open  ", area.Glyphs().Replay, session.ID)
		x := room.Print(0, 0, text, themes.Style{Role: themes.Info})
		room = room.Sub(x, 0, room.Width-x, 1)
	}
	v.DrawFilter(room)
}

// maxNoteLines limits the lines about problems of the history.
const maxNoteLines = 4

// drawNotes draws the problems of the history above the table, and returns the remaining area.
func (v *View) drawNotes(area widget.Area) widget.Area {
	var lines []string
	for _, note := range v.deck.StorageNotes() {
		lines = append(lines, widget.Wrap(string(area.Glyphs().Warning)+" "+wording.UpperFirst(note), area.Width)...)
	}
	lines = lines[:min(len(lines), maxNoteLines, area.Height/2)]
	for y, line := range lines {
		area.PrintCut(0, y, area.Width, line, themes.Style{Role: themes.Warn})
	}
	return area.Sub(0, len(lines), area.Width, area.Height-len(lines))
}

func (v *View) drawTable(area widget.Area) {
	if area.Height == 0 {
		return
	}
	v.Table.SortColumn = v.order.column()
	glyphs := area.Glyphs()
	v.DrawTable(area, v.emptyText(), func(row int, cells []widget.TableCell) {
		v.fillRow(glyphs, &v.sessions[v.rows[row]], cells)
	})
}

// emptyText returns why the table has no rows, and which key helps.
func (v *View) emptyText() string {
	switch {
	case v.deck.DB == nil:
		return wording.UpperFirst(strings.TrimSuffix(v.noDB(), ".")) + ". With a history, every run is recorded as a session, which can be opened here."
	case v.err != nil:
		return "The sessions could not be read: " + strings.TrimSuffix(v.err.Error(), ".") + ". F5 tries again."
	case !v.loaded:
		return "Reading the list of sessions."
	case len(v.sessions) > 0:
		return v.Filter.NoMatch("No session matches")
	default:
		return "No sessions yet: this run becomes the first as soon as its first second is saved. F5 reads the list again."
	}
}

func (v *View) fillRow(glyphs *themes.Glyphs, s *store.Session, cells []widget.TableCell) {
	cells[recordedColumn].Text = s.Recorded.Format(minuteFormat)
	cells[durationColumn].Text = deck.Clock(duration(s))
	open, ok := v.deck.ReplaySession()
	switch {
	case v.stopped(s) != nil:
		cells[stateColumn] = widget.TableCell{Text: string(glyphs.Failed) + " REC", Style: themes.Style{Role: themes.Bad}}
	case v.marked[s.ID]:
		cells[stateColumn] = widget.TableCell{Text: string(glyphs.Checked) + " mark", Style: themes.Style{Role: themes.Accent}}
	case s.Running:
		cells[stateColumn] = widget.TableCell{Text: string(glyphs.Recording) + " REC", Style: themes.Style{Role: themes.Bad}}
	case ok && open.ID == s.ID:
		cells[stateColumn] = widget.TableCell{Text: string(glyphs.Replay) + " open", Style: themes.Style{Role: themes.Info}}
	case s.Pinned:
		cells[stateColumn] = widget.TableCell{Text: string(glyphs.Favourite) + " pin", Style: themes.Style{Role: themes.Accent}}
	}
	cells[hostColumn].Text = s.Host
	cells[sourceColumn].Text = sourceText(s)
	cells[samplesColumn].Text = perf.Number(float64(s.Samples), perf.NoUnit, false, false)
	cells[changesColumn] = count(s.Changes)
	cells[eventsColumn] = count(s.Events)
	cells[sizeColumn].Text = perf.Number(float64(s.Bytes), perf.Bytes, false, false)
	if strip, ok := v.strips[s.ID]; ok {
		cells[trafficColumn] = stripCell(glyphs, &strip.traffic, themes.SeriesRole(0))
		cells[dropsColumn] = stripCell(glyphs, &strip.drops, themes.Warn)
	}
	cells[tagsColumn].Text = strings.Join(s.Tags, " ")
	cells[noteColumn] = widget.TableCell{Text: s.Note, Style: themes.Style{Role: themes.Info}}
}

// stopped returns why this console stopped recording its own session; nil for other sessions.
func (v *View) stopped(s *store.Session) error {
	if v.deck.Recorder == nil {
		return nil
	}
	status := v.deck.Recorder.Status()
	if status.Session != s.ID {
		return nil
	}
	return status.Err
}

// count returns the cell of a small number: muted when it is zero.
func count(n int) widget.TableCell {
	cell := widget.TableCell{Text: strconv.Itoa(n)}
	if n == 0 {
		cell.Style.Role = themes.Muted
	}
	return cell
}

// sourceText names a session's source and its kind.
func sourceText(s *store.Session) string {
	if s.Source.Name == "" || s.Source.Name == string(s.Source.Kind) {
		return string(s.Source.Kind)
	}
	return s.Source.Name + " (" + string(s.Source.Kind) + ")"
}

// writePage writes the details of the selected session with its marks and newest events.
func (v *View) writePage() {
	p, s := &v.Page, v.session()
	if s == nil {
		p.Text("No session is selected.", themes.Style{Role: themes.Muted})
		return
	}
	p.Text(fmt.Sprintf("Session %d: %s on %s", s.ID, sourceText(s), s.Host), themes.Style{Role: themes.Title})
	if err := v.stopped(s); err != nil {
		p.Item(p.Glyphs.Failed, "Recording stopped: "+err.Error(), themes.Style{Role: themes.Bad})
	} else if s.Running {
		p.Item(p.Glyphs.Recording, "REC, being recorded now", themes.Style{Role: themes.Bad})
	}
	if s.Pinned {
		p.Item(p.Glyphs.Favourite, "pinned: max_age and max_size keep it", themes.Style{Role: themes.Accent})
	}
	if s.Note != "" {
		p.Text(s.Note, themes.Style{Role: themes.Info})
	}
	if len(s.Tags) > 0 {
		p.Text("Tags: "+strings.Join(s.Tags, ", "), themes.Style{})
	}
	p.Text(fmt.Sprintf("Recorded %s, %s long.", s.Recorded.Format(timeFormat), deck.Clock(duration(s))), themes.Style{})
	if !s.Started.IsZero() && s.Started.Sub(s.Recorded).Abs() > time.Minute { // the source's time differs from the wall clock
		p.Text(fmt.Sprintf("Time of the source: %s to %s.", s.Started.Format(timeFormat), s.Ended.Format(timeFormat)), themes.Style{})
	}
	if s.Source.Twin != "" {
		p.Text(fmt.Sprintf("Twin of %s; %s assumed.", s.Source.Twin, wording.Count(s.Source.Assumed, "fact")), themes.Style{Role: themes.Warn})
	}
	text := fmt.Sprintf("%s of %d series, one every %s; %s.", wording.Count(int(s.Samples), "sample"), s.Series, deck.Interval(s.Interval), wording.Count(s.Changes, "change"))
	if s.Source.Kind == perf.LabSource {
		text += fmt.Sprintf(" Seed %d.", s.Source.Seed)
	}
	p.Text(text+" Version "+s.Version+".", themes.Style{Role: themes.Muted})
	records, ok := v.records[s.ID]
	if len(records.marks) > 0 {
		p.Blank()
		p.Text(fmt.Sprintf("Marks (%d)", len(records.marks)), themes.Style{Role: themes.Title})
	}
	for i := range records.marks {
		mark := &records.marks[i]
		text := mark.From.Format("15:04:05")
		if mark.To.After(mark.From) {
			text += " to " + mark.To.Format("15:04:05")
		}
		p.Text(text+"  "+mark.Text, themes.Style{Role: themes.Info})
	}
	p.Blank()
	p.Text(fmt.Sprintf("Events (%d)", s.Events), themes.Style{Role: themes.Title})
	switch {
	case s.Events == 0:
		p.Text("None.", themes.Style{Role: themes.Muted})
	case !ok:
		p.Text("Reading.", themes.Style{Role: themes.Muted})
	}
	for i := range records.events {
		e := &records.events[i]
		glyph, role := deck.SeverityLook(p.Glyphs, e.Severity)
		text := e.Time.Format("15:04:05") + "  "
		if e.Adapter != "" {
			text += e.Adapter + "  "
		}
		p.Item(glyph, text+deck.EventText(e), themes.Style{Role: role})
	}
}
