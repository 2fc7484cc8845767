package sriov

import (
	"fmt"
	"strings"

	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
)

// column is the index of a table column.
type column int

// The columns of the table.
const (
	markColumn column = iota
	idColumn
	vmColumn
	stateColumn
	pathColumn
	macColumn
	vlanColumn
	receiveColumn
	sendColumn
	dropsColumn
	spoofedColumn
	useColumn
	errorsColumn
	pagesColumn
	heatColumn
	sparkColumn
)

// sparkWidth is the width of a sparkline in cells.
const sparkWidth = 8

var columns = []widget.TableColumn{
	markColumn:    {Title: "", Width: 1},
	idColumn:      {Title: "VF", Width: 3, Right: true},
	vmColumn:      {Title: "VM", Width: 10, Grow: 1},
	stateColumn:   {Title: "State", Width: 13},
	pathColumn:    {Title: "Path", Width: 9, Rank: 2},
	macColumn:     {Title: "MAC", Width: 17, Rank: 7},
	vlanColumn:    {Title: "VLAN", Width: 4, Right: true, Rank: 8},
	receiveColumn: {Title: "Receive", Width: 9, Right: true},
	sendColumn:    {Title: "Send", Width: 9, Right: true},
	dropsColumn:   {Title: "Drops", Width: 6, Right: true, Rank: 9},
	spoofedColumn: {Title: "Spoofed", Width: 7, Right: true, Rank: 3},
	useColumn:     {Title: "FW CPU", Width: 6, Right: true, Rank: 4},
	errorsColumn:  {Title: "Errors2FW", Width: 9, Right: true, Rank: 5},
	pagesColumn:   {Title: "Pages", Width: 10, Right: true, Rank: 10},
	heatColumn:    {Title: "Heat", Width: 5, Rank: 11},
	sparkColumn:   {Title: "last 60 s", Width: sparkWidth + 1, Rank: 6},
}

// The styles of the screen.
var (
	text    = themes.Style{}
	bold    = themes.Style{Attr: themes.Bold}
	muted   = themes.Style{Role: themes.Muted}
	accent  = themes.Style{Role: themes.Accent}
	good    = themes.Style{Role: themes.Good}
	warning = themes.Style{Role: themes.Warn}
	bad     = themes.Style{Role: themes.Bad}
	pending = themes.Style{Role: themes.Pending}
	title   = themes.Style{Role: themes.Title, Attr: themes.Bold}
)

// Draw draws the screen's body.
func (v *View) Draw(area widget.Area) {
	if v.scene.host == nil {
		if !v.sheets.Draw(area, v.deck.Monitor(), perf.FunctionsTopic) {
			browse.DrawAbsence(area, v.deck.Monitor(), absence)
		}
		return
	}
	l := place(area.Width, area.Height, v.InPage, v.hasCurves())
	v.drawStrip(l.strip.In(area))
	v.drawBar(l.bar.In(area))
	if l.table.Height > 0 {
		v.drawTable(l.table.In(area))
		v.drawFault(l.why.In(area))
	}
	v.drawCharts(l.title.In(area), l.graph.In(area))
	if l.panels.Beside {
		l.panels.DrawRule(area, v.InPage)
	}
	v.DrawPage(l.page.In(area), v.writePage)
}

// absence is the text of the screen if the source has no virtual functions.
var absence = browse.Absence{
	Session: "A recorded session has counters, events and changes, but no host: it does not say which machine " +
		"had which virtual function. The counters of the functions are on Counters (2), their events on Events (6). " +
		"X closes the replay.",
	Local: "No adapter of this machine can have virtual functions, or they have not been read yet. " +
		"Start cxdeck without --source, and it runs on the embedded lab, where SR-IOV can be set up and tried out.",
	Log: "A log file has counters and no host, so there are no virtual functions to show. Start cxdeck without " +
		"--source, and it runs on the embedded lab, where SR-IOV can be set up and tried out.",
}

// From the width nicFrom on, adapters below their machine show their Windows name in nicWidth cells.
const nicFrom, nicWidth = 100, len(defaultNIC)

func (v *View) drawTable(area widget.Area) {
	glyphs := area.Glyphs()
	name := &v.Table.Columns[vmColumn]
	if name.Width = columns[vmColumn].Width; v.group == byVM && area.Width >= nicFrom {
		name.Width = nicWidth
	}
	v.DrawTable(area, v.emptyText(), func(at int, cells []widget.TableCell) { v.fill(glyphs, &v.rows[at], cells) })
}

// emptyText returns why the table has no rows, and the key that helps.
func (v *View) emptyText() string {
	switch {
	case v.Filter.Active():
		return v.Filter.NoMatch("No virtual function and no adapter matches")
	case v.group != byPort:
		return "There are no virtual functions and no virtual machines yet. n sets up SR-IOV step by step."
	default:
		return "This host has no ports."
	}
}

// why returns the fault of a row, empty if there is none; trouble reports that the operator should act.
func (r *row) why() (reason string, trouble bool) {
	switch {
	case r.group && r.port != nil:
		return r.port.SRIOV.Why, false
	case r.nic != nil && r.nic.Quarantine != "":
		return "in quarantine: " + r.nic.Quarantine + ". z releases it", true
	case r.misbehaviour() != "":
		return fmt.Sprintf("VF %d %s. z puts it into quarantine", r.number(), r.misbehaviour()), true
	case r.nic != nil:
		return r.nic.Why, r.nic.IovWeight > 0 || r.nic.Blocked
	default:
		return "", false
	}
}

// why returns the fault of a row: the missing requirement of its port if there is one, else the fault of the row itself.
func (v *View) why(r *row) (reason string, trouble bool) {
	reason, trouble = r.why()
	own := r.misbehaviour() != "" || r.nic != nil && r.nic.Quarantine != ""
	if r.port == nil || own || !r.group && r.port.SRIOV.Open > 0 && reason != "" {
		return reason, trouble
	}
	if missing, fixable := v.reason(r.port); fixable {
		return missing + ". n fixes it", true
	} else if missing != "" {
		return missing, true
	}
	return reason, trouble
}

// drawFault draws the fault of the selected row in one line or, without a fault, the sort order and the grouping.
func (v *View) drawFault(area widget.Area) {
	r := v.row()
	if r == nil || area.Height == 0 {
		return
	}
	reason, trouble := v.why(r)
	if reason == "" {
		reason = "  under each " + v.group.text() + ", by " + columns[v.Table.SortColumn].Title
		if v.group == flat {
			reason = "  by " + columns[v.Table.SortColumn].Title
		}
		area.PrintCut(0, 0, area.Width, reason, muted)
	} else {
		browse.DrawWhy(area, reason, trouble)
	}
	v.drawHidden(area, widget.Width(reason)+4)
}

// drawHidden draws the names of the hidden columns at the end of the line, with the keys that show them: sorting by a
// column shows it, and the page lists all values.
func (v *View) drawHidden(area widget.Area, behind int) {
	var names []string
	for c := range columns {
		if c := column(c); c != heatColumn && columns[c].Width > 0 && v.Table.ColumnWidth(int(c)) == 0 {
			names = append(names, columns[c].Title)
		}
	}
	if len(names) == 0 {
		return
	}
	for _, hint := range []string{
		"hidden: " + strings.Join(names, ", ") + " (s: sort by column, Tab: details)", wording.Count(len(names), "column") + " hidden (s, Tab)",
	} {
		if behind+widget.Width(hint) <= area.Width {
			area.PrintRight(area.Width, 0, hint, muted)
			return
		}
	}
}
