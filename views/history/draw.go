package history

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// The columns of the table.
const (
	startedColumn = iota
	durationColumn
	stateColumn
	hostColumn
	sourceColumn
	samplesColumn
	changesColumn
	eventsColumn
	sizeColumn
	noteColumn
)

var columns = []widget.TableColumn{
	startedColumn:  {Title: "Started", Width: 16},
	durationColumn: {Title: "Duration", Width: 12, Right: true},
	stateColumn:    {Title: "", Width: 6},
	hostColumn:     {Title: "Host", Width: 8, Rank: 6},
	sourceColumn:   {Title: "Source", Width: 12, Grow: 1},
	samplesColumn:  {Title: "Samples", Width: 8, Right: true, Rank: 4},
	changesColumn:  {Title: "Changes", Width: 7, Right: true, Rank: 3},
	eventsColumn:   {Title: "Events", Width: 6, Right: true, Rank: 1},
	sizeColumn:     {Title: "Size", Width: 8, Right: true},
	noteColumn:     {Title: "Note", Width: 9, Grow: 2, Rank: 2},
}

// besideFrom is the minimum width for the details beside the table: its columns come first.
const besideFrom = 160

// Draw draws the screen's body.
func (v *View) Draw(area widget.Area) {
	p := browse.PlacePanels(area.Width, area.Height, besideFrom, v.opened)
	v.drawBar(p.Bar.In(area))
	v.drawTable(v.drawNotes(p.Table.In(area)))
	p.DrawRule(area, v.inDetail)
	v.drawDetail(p.Page.In(area))
}

// drawBar draws the filter, how many sessions show and how much room they take.
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
	if session, ok := v.deck.ReplaySession(); ok && !v.filter.Typing() {
		text := fmt.Sprintf("%c session %d is open  ", area.Glyphs().Replay, session.ID)
		x := room.Print(0, 0, text, themes.Style{Role: themes.Info})
		room = room.Sub(x, 0, room.Width-x, 1)
	}
	v.filter.Draw(room, "history.filter")
}

// maxNoteLines limits the lines about problems of the history.
const maxNoteLines = 4

// drawNotes draws the problems of the history above the table, and returns the remaining area.
func (v *View) drawNotes(area widget.Area) widget.Area {
	var lines []string
	for _, note := range v.deck.StorageNotes() {
		lines = append(lines, widget.Wrap(string(area.Glyphs().Warning)+" "+deck.Sentence(note), area.Width)...)
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
	v.table.Focused = !v.inDetail
	v.table.SortColumn = v.order.column()
	v.table.Empty = v.emptyText()
	glyphs := area.Glyphs()
	v.table.Draw(area, func(row int, cells []widget.TableCell) {
		v.fillRow(glyphs, &v.sessions[v.rows[row]], cells)
	})
}

// emptyText says why the table has no rows, and what helps.
func (v *View) emptyText() string {
	switch {
	case v.deck.DB == nil:
		return deck.Sentence(strings.TrimSuffix(v.noDB(), ".")) + ". With a history, every run is kept here as a session that can be opened again."
	case v.err != nil:
		return "The sessions could not be read: " + strings.TrimSuffix(v.err.Error(), ".") + ". F5 tries again."
	case !v.loaded:
		return "Reading the list of sessions."
	case len(v.sessions) > 0:
		return "No session matches “" + v.filter.Text() + "”. Esc shows all again, / changes the filter."
	default:
		return "No sessions yet: this run becomes the first as soon as its first second is saved. F5 reads the list again."
	}
}

func (v *View) fillRow(glyphs *themes.Glyphs, s *store.Session, cells []widget.TableCell) {
	cells[startedColumn].Text = s.Recorded.Format(minuteFormat)
	cells[durationColumn].Text = deck.Clock(duration(s))
	open, ok := v.deck.ReplaySession()
	switch {
	case v.stopped(s) != nil:
		cells[stateColumn] = widget.TableCell{Text: string(glyphs.Failed) + " REC", Style: themes.Style{Role: themes.Bad}}
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
	cells[noteColumn] = widget.TableCell{Text: s.Note, Style: themes.Style{Role: themes.Info}}
}

// stopped is why this console stopped recording its own session; nil for other sessions.
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

// count is the cell of a small number: muted when it is zero.
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

// page is the page about a session, and what it was written for.
type page struct {
	id    int64
	width int
	text  *browse.Page
}

// drawDetail draws the selected session with its newest events.
func (v *View) drawDetail(area widget.Area) {
	if area.Height == 0 || area.Width == 0 {
		return
	}
	area.Zone(0, 0, area.Width, area.Height, "history.detail", 0)
	s := v.session()
	if s == nil {
		area.PrintCut(0, 0, area.Width, "No session is selected.", themes.Style{Role: themes.Muted})
		return
	}
	if v.page.text == nil || v.page.id != s.ID || v.page.width != area.Width {
		v.page = page{s.ID, area.Width, v.describe(area.Glyphs(), s, area.Width)}
	}
	v.page.text.Draw(area, &v.detail)
}

// describe writes the page about a session.
func (v *View) describe(glyphs *themes.Glyphs, s *store.Session, width int) *browse.Page {
	p := browse.NewPage(width)
	p.Text(fmt.Sprintf("Session %d: %s on %s", s.ID, sourceText(s), s.Host), themes.Style{Role: themes.Title})
	if err := v.stopped(s); err != nil {
		p.Item(glyphs.Failed, "Recording stopped: "+err.Error(), themes.Style{Role: themes.Bad})
	} else if s.Running {
		p.Item(glyphs.Recording, "REC, being recorded now", themes.Style{Role: themes.Bad})
	}
	if s.Pinned {
		p.Item(glyphs.Favourite, "pinned: max_age and max_size keep it", themes.Style{Role: themes.Accent})
	}
	if s.Note != "" {
		p.Text(s.Note, themes.Style{Role: themes.Info})
	}
	p.Text(fmt.Sprintf("Recorded %s, %s long.", s.Recorded.Format(timeFormat), deck.Clock(duration(s))), themes.Style{})
	if s.Started.Sub(s.Recorded).Abs() > time.Minute { // the source has a time of its own
		p.Text(fmt.Sprintf("Time of the source: %s to %s.", s.Started.Format(timeFormat), s.Ended.Format(timeFormat)), themes.Style{})
	}
	text := fmt.Sprintf("%d samples of %d series, one every %s; %d changes.", s.Samples, s.Series, deck.Interval(s.Interval), s.Changes)
	if s.Source.Kind == perf.LabSource {
		text += fmt.Sprintf(" Seed %d.", s.Source.Seed)
	}
	p.Text(text+" Version "+s.Version+".", themes.Style{Role: themes.Muted})
	p.Blank()
	p.Text(fmt.Sprintf("Events (%d)", s.Events), themes.Style{Role: themes.Title})
	events, ok := v.events[s.ID]
	switch {
	case s.Events == 0:
		p.Text("None.", themes.Style{Role: themes.Muted})
	case !ok:
		p.Text("Reading.", themes.Style{Role: themes.Muted})
	}
	for i := range events {
		e := &events[i]
		glyph, role := deck.SeverityLook(glyphs, e.Severity)
		text := e.Time.Format("15:04:05") + "  "
		if e.Adapter != "" {
			text += e.Adapter + "  "
		}
		p.Item(glyph, text+deck.EventText(e), themes.Style{Role: role})
	}
	return p
}
