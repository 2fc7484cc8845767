package teaming

import (
	"slices"
	"time"

	"cxdeck/driver/teams"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/perf/window"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// View is the Teams screen.
type View struct {
	browse.Browser
	deck *deck.Deck
	// sheets shows the settings of a machine without a lab.
	sheets browse.Sheets
	guide  *change.Forms

	rows     []row
	selected string // ID of the row under the cursor; the cursor follows it when rows are added or removed
	chosen   bool   // the operator has moved the cursor
	graph    graph

	// The newest state of the monitor.
	state  *labstate.State
	schema *perf.Schema
	window *window.Recent
	nodes  map[string]*perf.Node // nodes of ports by connection
	vlans  map[string][]vlanOn   // VLANs by name
	now    time.Time

	drill *drill
	// drilled are the reports of drills in order of time.
	drilled []report
}

// New returns the screen; it shows the data of the deck.
func New(d *deck.Deck) *View {
	v := &View{deck: d, graph: graph{span: graphSpans[0]}}
	v.guide = &change.Forms{Deck: d, Drafts: change.NewDrafts(d, "teams"),
		Refresh: func() bool { v.refresh(); return v.state != nil }}
	v.Browser = browse.NewBrowser("teams", columns, v.arrange, v.resetPage)
	return v
}

func (v *View) ID() string { return "teams" }

func (v *View) Title() string { return "Teams" }

func (v *View) Help() string {
	return "Teams with their members and VLANs, and the ports without a team: which member is active, which are on standby and " +
		"why, the traffic of each one, and the curves of the selected team's members on top of each other, so that a failover is one line " +
		"falling and another rising; ▾ on the axis marks it. n creates a team step by step, e changes the selected " +
		"team, VLAN or port, N adds a VLAN, d removes. B is a drill: it pulls a member's cable for some seconds, " +
		"plugs it in again and reports what was lost. Each change is in the journal, and u undoes the newest."
}

func (v *View) Update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case ui.ShowMsg:
		return ui.Batch(v.deck.LoadSessionsOnce(), v.guide.Drafts.Load())
	case ui.DataMsg:
		v.refresh()
	case ui.KeyMsg, ui.PasteMsg:
		v.Take(msg)
	case ui.HitMsg:
		return v.hit(msg)
	case portVLANMsg:
		return v.openPortVLAN(msg)
	case drillMsg:
		return v.finishDrill(msg)
	default:
		return v.guide.Drafts.Update(msg)
	}
	return nil
}

// refresh takes over the newest state of the monitor.
func (v *View) refresh() {
	m := v.deck.Monitor()
	if m == nil {
		return
	}
	v.state, v.schema, v.window = m.Lab(), m.Schema(), m.Window()
	v.now = m.Status().Now
	v.findNodes(m.Inventory())
	v.arrange()
	v.Page.Stale = true
}

// arrange rebuilds the rows and keeps the cursor on its row.
func (v *View) arrange() {
	v.rows = arrange(v.state, &v.Filter)
	list := &v.Table.List
	list.SetLength(len(v.rows))
	v.Page.Stale = true
	if at := slices.IndexFunc(v.rows, func(r row) bool { return r.id == v.selected }); at >= 0 {
		list.Select(at)
		return
	}
	v.chosen = false
	if v.selected != "" { // the row is gone: select the row at its position
		v.followCursor()
		return
	}
	list.Select(0) // the first team or, without teams, the first port
	v.skipTitle()
}

// resetPage handles a movement of the cursor by the operator.
func (v *View) resetPage() {
	v.chosen = true
	v.followCursor()
}

// followCursor selects the row under the cursor; for another row it scrolls the page to its top.
func (v *View) followCursor() {
	v.skipTitle()
	v.Page.Stale = true
	if r := v.row(); r != nil && r.id != v.selected {
		v.selected = r.id
		v.Page.Scroll.Select(0)
	}
}

// skipTitle moves the cursor off the heading of the ports: down if it came from the row above, else up to the teams.
func (v *View) skipTitle() {
	r, at := v.row(), v.Table.List.Cursor()
	switch {
	case r == nil || r.kind != headRow:
	case at == 0 || v.rows[at-1].id == v.selected:
		v.Table.List.Select(at + 1)
	default:
		v.Table.List.Select(at - 1)
	}
}

// choose moves the cursor to the row of an ID.
func (v *View) choose(id string) {
	v.selected, v.chosen = id, true
	v.Page.Scroll.Select(0)
	v.arrange()
}

// row returns the row under the cursor; nil if there is none.
func (v *View) row() *row { return widget.At(&v.Table.List, v.rows) }

// team returns the team of the selected row; nil if it has none.
func (v *View) team() *teams.View {
	if r := v.row(); r != nil {
		return r.team
	}
	return nil
}

// port returns the port of a connection; nil if there is none.
func (v *View) port(connection string) *labstate.Port {
	if v.state == nil {
		return nil
	}
	for i := range v.state.Ports {
		if v.state.Ports[i].Description.Connection == connection {
			return &v.state.Ports[i]
		}
	}
	return nil
}

// teamNamed returns the team with a name; nil if there is none.
func (v *View) teamNamed(name string) *teams.View {
	if v.state == nil {
		return nil
	}
	for i := range v.state.Teams {
		if v.state.Teams[i].Name == name {
			return &v.state.Teams[i]
		}
	}
	return nil
}

// member returns the team membership of a connection; nil if it is in no team.
func (v *View) member(connection string) *teams.MemberView {
	if v.state == nil {
		return nil
	}
	for i := range v.state.Teams {
		for j := range v.state.Teams[i].Members {
			if m := &v.state.Teams[i].Members[j]; m.Connection == connection {
				return m
			}
		}
	}
	return nil
}
