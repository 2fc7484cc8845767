package sriov

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/perf/labstate"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// View is the SR-IOV screen.
type View struct {
	browse.Browser
	deck *deck.Deck
	// sheets shows the settings of a machine without a lab.
	sheets browse.Sheets
	guide  *change.Forms

	rows       []row
	places     map[string]int // index of each row by its ID
	selected   string         // ID of the row under the cursor; the cursor follows it when rows are added or removed
	marked     map[string]bool
	anchor     string // ID of the first row of a marked range
	group      grouping
	descending bool
	chart      chart

	// The newest state of the monitor.
	state    *labstate.State
	scene    *scene
	now      time.Time
	sparks   map[string]spark
	policies map[string]policy // by connection
	readFor  string            // the newest change for which the policies were read
}

// New returns the screen; it shows the data of the deck.
func New(d *deck.Deck) *View {
	v := &View{deck: d, marked: map[string]bool{}, scene: newScene(nil), sparks: map[string]spark{},
		chart: chart{span: sparkSpan}}
	v.guide = &change.Forms{Deck: d, Drafts: change.NewDrafts(d, "sriov"),
		Refresh: func() bool { v.refresh(); return v.scene.host != nil }}
	v.Browser = browse.NewBrowser("sriov", columns, v.arrange, v.resetPage)
	v.Table.SortColumn = int(idColumn)
	v.Table.Marked = func(at int) bool { return v.marked[v.rows[at].id] }
	return v
}

func (v *View) ID() string { return "sriov" }

func (v *View) Title() string { return "SR-IOV" }

func (v *View) Help() string {
	return "The requirements of SR-IOV at the selected port, from the BIOS to the virtual switch, with the reason where one is " +
		"not met; the number of virtual functions (VFs) that the firmware supports and the driver allows, and how many are " +
		"enabled, attached and free; and every VF with the virtual machine it belongs to, the path that its traffic takes, " +
		"its traffic and its load. n sets up SR-IOV step by step, Z lists the other wizards. Space marks " +
		"rows, V a range, A all; a, d, R, z and e then act on all marked rows. Nothing is changed before its " +
		"review, and u undoes the newest change."
}

func (v *View) Update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case ui.ShowMsg:
		if connection, ok := msg.Arg.(string); ok && connection != "" {
			v.choose(portRowID(connection))
		}
		return ui.Batch(v.deck.LoadSessionsOnce(), v.guide.Drafts.Load(), v.follow())
	case ui.DataMsg:
		v.refresh()
		return v.follow()
	case ui.KeyMsg, ui.PasteMsg:
		v.Take(msg)
	case ui.HitMsg:
		return v.hit(msg)
	case policiesMsg:
		return v.openPolicy(msg)
	default:
		return v.guide.Drafts.Update(msg)
	}
	return nil
}

// follow reads the keys of the ports again after a change.
func (v *View) follow() ui.Cmd {
	if changes := fmt.Sprint(v.deck.Undoable(), v.deck.CannotChange(), v.deck.Monitor().RecordedHostVersion()); v.policies == nil && v.scene.host != nil ||
		v.readFor != changes {
		v.readFor = changes
		return v.readPolicies(nil)
	}
	return nil
}

// refresh takes over the newest state of the monitor.
func (v *View) refresh() {
	m := v.deck.Monitor()
	if m == nil {
		return
	}
	lab := m.Lab()
	v.now = m.Status().Now
	v.Page.Stale = true
	if lab != v.state {
		next := newScene(lab)
		v.keepSelection(next)
		v.state, v.scene = lab, next
		v.arrange()
	}
}

// keepSelection moves the cursor and the marks along with their adapters when a function is attached or detached, so that
// the operator can attach the detached adapters again.
func (v *View) keepSelection(next *scene) {
	moved := func(id string) string {
		at, there := v.places[id]
		if !there || v.rows[at].nic == nil {
			return id
		}
		nic := v.rows[at].nic
		return cmp.Or(next.rowOf(nicName(nic.VM, nic.Name)), id)
	}
	v.selected, v.anchor = moved(v.selected), moved(v.anchor)
	for _, id := range slices.Collect(maps.Keys(v.marked)) {
		if to := moved(id); to != id {
			delete(v.marked, id)
			v.marked[to] = true
		}
	}
}

// arrange rebuilds the rows and keeps the cursor on its row.
func (v *View) arrange() {
	v.rows = v.scene.arrange(&v.Filter, v.group, column(v.Table.SortColumn), v.descending)
	v.Table.Descending = v.descending
	v.places = make(map[string]int, len(v.rows))
	for i := range v.rows {
		v.places[v.rows[i].id] = i
	}
	for id := range v.marked {
		if _, there := v.places[id]; !there && !v.Filter.Active() {
			delete(v.marked, id) // the row was removed
		}
	}
	list := &v.Table.List
	list.SetLength(len(v.rows))
	if at, there := v.places[v.selected]; there {
		list.Select(at)
		v.Page.Stale = true
		return
	}
	v.resetPage()
}

// resetPage scrolls the page to its top if another row is selected.
func (v *View) resetPage() {
	v.Page.Stale = true
	if r := v.row(); r != nil && r.id != v.selected {
		v.selected = r.id
		v.Page.Scroll.Select(0)
	}
}

// choose moves the cursor to the row of an ID as soon as the row exists.
func (v *View) choose(id string) {
	v.selected = id
	v.Page.Scroll.Select(0)
	v.arrange()
}

// row returns the row under the cursor; nil if there is none.
func (v *View) row() *row { return widget.At(&v.Table.List, v.rows) }

// port returns the port of the selected row, or else of the first row; nil if neither has a port.
func (v *View) port() *driver.PortView {
	if r := v.row(); r != nil && r.port != nil {
		return r.port
	}
	if r := v.row(); r != nil && r.group && r.vm != nil {
		for i := range r.vm.Adapters {
			if p := v.scene.ports[r.vm.Adapters[i].Port]; p != nil {
				return p
			}
		}
	}
	return v.scene.ports[0]
}

// portNamed returns the port of a connection; nil if there is none.
func (v *View) portNamed(connection string) *driver.PortView {
	for _, p := range v.scene.order {
		if p.Description.Connection == connection {
			return p
		}
	}
	return nil
}

// cardOf returns the card of a connection; nil if there is none.
func (v *View) cardOf(connection string) *driver.AdapterView {
	if p := v.portNamed(connection); p != nil {
		return v.scene.cards[p.Port]
	}
	return nil
}

// targetRows returns the rows for an action: the marked rows, or else the row under the cursor; never a heading.
func (v *View) targetRows() (rows []*row) {
	for i := range v.rows {
		if r := &v.rows[i]; v.marked[r.id] && !r.group {
			rows = append(rows, r)
		}
	}
	if r := v.row(); len(rows) == 0 && r != nil && !r.group {
		rows = append(rows, r)
	}
	return rows
}
