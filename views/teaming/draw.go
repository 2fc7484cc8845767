package teaming

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// The columns of the table.
const (
	markColumn = iota
	nameColumn
	stateColumn
	speedColumn
	receiveColumn
	receiveShareColumn
	sendColumn
	sendShareColumn
	whyColumn
)

// whyFrom is the minimum width of the table for the column of reasons.
const whyFrom = 112

var columns = []widget.TableColumn{
	markColumn:         {Title: "", Width: 1},
	nameColumn:         {Title: "Team / port", Width: 19, Grow: 1},
	stateColumn:        {Title: "State", Width: 12},
	speedColumn:        {Title: "Link", Width: 7, Rank: 3},
	receiveColumn:      {Title: "Receive", Width: 9, Right: true},
	receiveShareColumn: {Title: "share", Width: 5, Right: true, Rank: 2},
	sendColumn:         {Title: "Send", Width: 9, Right: true},
	sendShareColumn:    {Title: "share", Width: 5, Right: true, Rank: 2},
	whyColumn:          {Title: "", Width: 0, Rank: 4},
}

// The styles of the screen.
var (
	text    = themes.Style{}
	muted   = themes.Style{Role: themes.Muted}
	good    = themes.Style{Role: themes.Good}
	warning = themes.Style{Role: themes.Warn}
	bad     = themes.Style{Role: themes.Bad}
	pending = themes.Style{Role: themes.Pending}
	title   = themes.Style{Role: themes.Title, Attr: themes.Bold}
)

// Draw draws the screen's body.
func (v *View) Draw(area widget.Area) {
	if v.state == nil {
		if !v.sheets.Draw(area, v.deck.Monitor(), perf.TeamsTopic) {
			browse.DrawAbsence(area, v.deck.Monitor(), absence)
		}
		return
	}
	l := place(area.Width, area.Height, len(v.rows), v.showsGuide(), v.InPage)
	v.drawBar(l.bar.In(area))
	if l.table.Height > 0 {
		if l.panels.Beside { // a blank column before the rule
			l.table.Width--
		}
		v.drawTable(l.table.In(area))
		v.drawFault(l.why.In(area))
		v.drawGraph(l.title.In(area), l.graph.In(area))
	}
	if l.panels.Beside {
		l.panels.DrawRule(area, v.InPage)
	}
	v.DrawPage(l.page.In(area), v.writePage)
}

// absence is the text of the screen if the source has no teams.
var absence = browse.Absence{
	Session: "A recorded session has counters, events and changes, but no host to change. Teams are on " +
		"Overview (1), their curves on Counters (2), the failovers on Events (6). X closes the replay.",
	Local: "This machine has no bonds and VLANs, or they have not been read yet. Start cxdeck without " +
		"--source, and it runs on the embedded lab, where you can try out teams.",
	Log: "A log file has counters and no host, so there are no teams to show. Start cxdeck without --source, and it runs " +
		"on the embedded lab, where you can try out teams.",
}

// drawBar draws the number of teams and VLANs, the filter, and the progress of a drill.
func (v *View) drawBar(area widget.Area) {
	free := 0
	for i := range v.rows {
		if v.rows[i].kind == portRow {
			free++
		}
	}
	x := area.Print(1, 0, wording.Count(len(v.state.Teams), "team"), themes.Style{Role: themes.Title, Attr: themes.Bold})
	x = area.Print(x+2, 0, wording.Count(free, "port")+" without a team", muted)
	if v.Filter.Typing() || v.Filter.Active() {
		v.DrawFilter(area.Sub(x+3, 0, area.Width-x-3, 1))
		return
	}
	if d := v.drill; d != nil {
		text := d.progress(area.Glyphs(), v.now)
		area.PrintRight(area.Width, 0, widget.Cut(text, area.Width-x-3), pending)
		area.Zone(x+3, 0, area.Width-x-3, 1, zoneDrill, 0)
	}
}

func (v *View) drawTable(area widget.Area) {
	copy(v.Table.Columns, columns)
	if area.Width >= whyFrom {
		v.Table.Columns[whyColumn].Title, v.Table.Columns[whyColumn].Width, v.Table.Columns[whyColumn].Grow = "Why", 24, 2
	} else {
		v.Table.Columns[whyColumn].Rank = 9
		v.Table.Columns[whyColumn].Width = area.Width // the first column to be hidden
	}
	glyphs := area.Glyphs()
	v.DrawTable(area, v.emptyText(), func(at int, cells []widget.TableCell) { v.fill(glyphs, &v.rows[at], cells) })
}

// emptyText returns why the table has no rows, and the key that helps.
func (v *View) emptyText() string {
	if v.Filter.Active() {
		return v.Filter.NoMatch("No team and no port matches")
	}
	return "This host has no ports, so no team can be created."
}

// fill fills the cells of a row.
func (v *View) fill(glyphs *themes.Glyphs, r *row, cells []widget.TableCell) {
	mark, style := v.curveMark(glyphs, r)
	cells[markColumn] = widget.TableCell{Text: mark, Style: style}
	reason, isFault := r.why()
	cells[whyColumn] = widget.TableCell{Text: reason, Style: muted}
	if isFault {
		cells[whyColumn].Style = warning
	}
	room := v.Table.ColumnWidth(nameColumn)
	name := func(before, name, after string, style themes.Style) {
		width := room - widget.Width(before) - widget.Width(after)
		cells[nameColumn] = widget.TableCell{Text: before + widget.CutName(name, width, glyphs.Ellipsis) + after,
			Style: style}
	}
	switch r.kind {
	case teamRow:
		name("", r.team.Name, "  "+r.team.Type.String(), themes.Style{Attr: themes.Bold})
		cells[stateColumn] = teamState(glyphs, r.team)
		receive, send := v.teamRates(r.team)
		v.rates(cells, receive, send)
	case memberRow:
		after := ""
		if r.member.Connection == r.team.Primary {
			after = " primary"
		}
		name("  ", r.member.Connection, after, text)
		cells[stateColumn] = v.memberState(glyphs, r)
		v.portRates(cells, r.port)
		cells[receiveShareColumn], cells[sendShareColumn] = share(r.member.Receives), share(r.member.Sends)
	case vlanRow:
		name("  ", r.vlan.Name, fmt.Sprintf("  id %d", r.vlan.ID), text)
		cells[stateColumn] = widget.TableCell{Text: string(glyphs.Up) + " up", Style: good}
		if r.vlan.Why != "" {
			cells[stateColumn] = widget.TableCell{Text: string(glyphs.Warning) + " blocked", Style: warning}
		}
		cells[speedColumn] = widget.TableCell{Text: fmt.Sprintf("prio %d", r.vlan.Priority), Style: muted}
		receive, send := v.vlanRates(r.vlan)
		v.rates(cells, receive, send)
	case headRow:
		cells[nameColumn] = widget.TableCell{Text: "Ports without a team", Style: themes.Style{Role: themes.Title}}
	default:
		style := text
		if r.port.JoinRefusal != "" { // it can't join a team
			style = muted
		}
		name("", r.port.Description.Connection, "", style)
		cells[stateColumn] = v.portState(glyphs, r.port)
		v.portRates(cells, r.port)
	}
}

// teamState returns the state of a team: up, degraded or down.
func teamState(glyphs *themes.Glyphs, t *teams.View) widget.TableCell {
	switch {
	case !t.Connected:
		return widget.TableCell{Text: string(glyphs.Down) + " down", Style: bad}
	case t.Why != "":
		return widget.TableCell{Text: string(glyphs.Warning) + " degraded", Style: warning}
	default:
		return widget.TableCell{Text: string(glyphs.Up) + " up", Style: good}
	}
}

// memberState returns the role of a connected member, or else its fault.
func (v *View) memberState(glyphs *themes.Glyphs, r *row) widget.TableCell {
	if r.port != nil && r.port.State != driver.Running {
		return v.portState(glyphs, r.port)
	}
	switch {
	case r.member.Status == mux.Disabled:
		return widget.TableCell{Text: string(glyphs.Down) + " disabled", Style: warning}
	case r.member.Status == mux.Disconnected && r.port != nil && !r.port.Cabled:
		return widget.TableCell{Text: string(glyphs.Down) + " unplugged", Style: bad}
	case r.member.Status == mux.Disconnected:
		return widget.TableCell{Text: string(glyphs.Down) + " down", Style: bad}
	case r.member.Role == mux.Active:
		return widget.TableCell{Text: string(glyphs.Up) + " active", Style: good}
	default:
		return widget.TableCell{Text: string(glyphs.Down) + " backup", Style: text}
	}
}

// portState returns the state of a port with its glyph.
func (*View) portState(glyphs *themes.Glyphs, p *labstate.Port) widget.TableCell {
	switch {
	case p.State == driver.Restarting:
		return widget.TableCell{Text: string(glyphs.Restarting) + " restarting", Style: pending}
	case p.State == driver.Stopped:
		return widget.TableCell{Text: string(glyphs.Down) + " disabled", Style: warning}
	case p.State == driver.Failed:
		return widget.TableCell{Text: string(glyphs.Failed) + " failed", Style: bad}
	case p.Up:
		return widget.TableCell{Text: string(glyphs.Up) + " up", Style: good}
	case !p.Cabled:
		return widget.TableCell{Text: string(glyphs.Down) + " unplugged", Style: warning}
	default:
		return widget.TableCell{Text: string(glyphs.Down) + " down", Style: warning}
	}
}

// portRates fills the cells of a port's speed and traffic.
func (v *View) portRates(cells []widget.TableCell, p *labstate.Port) {
	if p == nil {
		return
	}
	n := v.nodes[p.Description.Connection]
	if n == nil {
		return
	}
	cells[speedColumn] = widget.TableCell{Text: n.SpeedText}
	if !p.Up {
		cells[speedColumn].Style = muted // the speed when the link is up
	}
	v.rates(cells, deck.Newest(v.window, n.Receive), deck.Newest(v.window, n.Send))
}

// rates fills the cells of received and sent traffic.
func (v *View) rates(cells []widget.TableCell, receive, send float64) {
	cells[receiveColumn], cells[sendColumn] = v.rateCell(receive), v.rateCell(send)
}

func (v *View) rateCell(value float64) widget.TableCell {
	cell := widget.TableCell{Text: v.deck.ByteRate(value)}
	if !(value > 0) {
		cell.Style = muted
	}
	return cell
}

// teamRates returns the sum of the members' rates.
func (v *View) teamRates(t *teams.View) (receive, send float64) {
	for i := range t.Members {
		if n := v.nodes[t.Members[i].Connection]; n != nil {
			receive += deck.Known(deck.Newest(v.window, n.Receive))
			send += deck.Known(deck.Newest(v.window, n.Send))
		}
	}
	return receive, send
}

// share returns the share of a team's flows that a member carries.
func share(part float64) widget.TableCell {
	if part == 0 {
		return widget.TableCell{Text: "0", Style: muted}
	}
	return widget.TableCell{Text: fmt.Sprintf("%.0f%%", 100*part)}
}

// drawFault draws the fault of the selected row in one line.
func (v *View) drawFault(area widget.Area) {
	if r := v.row(); r != nil {
		reason, isFault := r.why()
		browse.DrawWhy(area, reason, isFault)
	}
}

// drawGuide explains teams in place of the curves.
func (v *View) drawGuide(head, body widget.Area) {
	if len(v.state.Teams) > 0 {
		head.PrintCut(0, 0, head.Width, "Select a team or a port: its curves show here.", muted)
		return
	}
	head.Print(0, 0, "There is no team yet", title)
	guide := "A team combines several ports: with AFT one of them carries all traffic and another takes over when it fails; the " +
		"balancing types distribute the flows over all of them. n creates a team step by step; nothing is changed before its review. B then pulls a cable for a few seconds and reports what was lost."
	for y, line := range widget.Wrap(guide, body.Width) {
		body.Print(0, y, line, muted)
	}
}

// familyText returns the name of a driver family: "WinOF-2".
func familyText(f description.Family) string {
	if f == description.WinOF2 {
		return "WinOF-2"
	}
	return "WinOF"
}
