package lab

import (
	"slices"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/perf/window"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// part is a part of the screen that can have the focus: one of the lists, or the page about the selected row.
type part uint8

const (
	scenesPart part = iota
	flowsPart
	portsPart
	pagePart
)

// listCount is the number of lists; the page follows them.
const listCount = int(pagePart)

// View is the Lab screen.
type View struct {
	deck *deck.Deck
	// sheets shows the settings of a machine without a lab.
	sheets browse.Sheets

	tables [listCount]widget.Table
	// rows holds the indexes of the matching elements of each list.
	rows   [listCount][]int
	list   part // the list whose selected row the page describes
	inPage bool
	filter browse.Filter

	// The newest state of the monitor.
	state  *labstate.State
	schema *perf.Schema
	window *window.Recent
	log    *deck.EventLog
	now    time.Time
	// running holds the running scenes by index.
	running map[int]runningScene
	// chosen holds the connections that the operator has chosen for scenes, by index; empty for the default.
	chosen map[int]string
	sparks sparks
	points []perf.Point // for rise
	page   browse.Page
}

// New returns the screen; its first ui.DataMsg fills it.
func New(d *deck.Deck) *View {
	v := &View{deck: d, log: &deck.EventLog{}, running: map[int]runningScene{}, chosen: map[int]string{}}
	for i := range v.tables {
		v.tables[i] = widget.Table{ID: tableIDs[i], Columns: slices.Clone(tableColumns[i]), SortColumn: -1}
	}
	return v
}

func (v *View) ID() string { return "lab" }

func (v *View) Title() string { return "Lab" }

func (v *View) Help() string {
	return "The environment of the lab's adapters: ready-made scenes, workloads, cables and switch ports, all of which can be changed. A scene sets up a situation from the manuals at one port; the page beside it says what happens, which " +
		"counters change and which events are written. Space runs the selected scene and ends it again, stops and starts " +
		"a workload, pulls and plugs a cable; + and - raise and lower a workload's demand; e sets up a switch port, B injects a fault at it. Enter opens the counters of the selected row. Each change is in the journal, and u undoes " +
		"the newest."
}

// Typing reports whether the filter receives the keys.
func (v *View) Typing() bool { return v.filter.Typing() }

// Update handles a message.
func (v *View) Update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case ui.ShowMsg:
		return v.deck.LoadSessionsOnce()
	case ui.DataMsg:
		v.refresh()
	case ui.KeyMsg, ui.PasteMsg:
		v.filter.Follow(&v.tables[v.list].List, msg, v.arrange, v.resetPage)
	case ui.HitMsg:
		return v.hit(msg)
	}
	return nil
}

// refresh reads the newest state of the monitor.
func (v *View) refresh() {
	m := v.deck.Monitor()
	if m == nil {
		return
	}
	v.state, v.schema, v.window = m.Lab(), m.Schema(), m.Window()
	v.now = m.Status().Now
	v.log = v.deck.Events()
	clear(v.running)
	if v.state != nil {
		findRunning(v.running, v.state, m.Journal())
	}
	v.arrange()
	v.page.Stale = true
}

// arrange rebuilds the rows of the lists.
func (v *View) arrange() {
	for i := range v.rows {
		v.rows[i] = v.rows[i][:0]
	}
	if v.state != nil {
		v.choose(scenesPart, len(v.state.Scenes), func(i int) []string {
			s := &v.state.Scenes[i]
			return []string{s.Title, v.place(i), s.Story}
		})
		v.choose(flowsPart, len(v.state.Flows), func(i int) []string {
			f := &v.state.Flows[i]
			return []string{f.Name, f.Connection, protocolText(f.Protocol)}
		})
		v.choose(portsPart, len(v.state.Ports), func(i int) []string {
			p := &v.state.Ports[i]
			return []string{p.Description.Connection, p.Description.Switch.Name, p.Adapter.Name}
		})
	}
	for i := range v.tables {
		v.tables[i].List.SetLength(len(v.rows[i]))
	}
	v.page.Stale = true
}

// choose adds the elements of a list whose texts match the filter.
func (v *View) choose(list part, count int, texts func(int) []string) {
	for i := range count {
		if !v.filter.Active() || v.filter.Match(texts(i)...) {
			v.rows[list] = append(v.rows[list], i)
		}
	}
}

// resetPage rewrites the page from its top; call it when another row may be selected.
func (v *View) resetPage() {
	v.page.Stale = true
	v.page.Scroll.Select(0)
}

// focus returns the part with the focus.
func (v *View) focus() part {
	if v.inPage {
		return pagePart
	}
	return v.list
}

// selected returns the index of the selected element of a list, -1 for none.
func (v *View) selected(list part) int {
	if row := widget.At(&v.tables[list].List, v.rows[list]); row != nil {
		return *row
	}
	return -1
}

// flow returns the selected workload, nil for none.
func (v *View) flow() *labstate.Flow {
	if i := v.selected(flowsPart); i >= 0 {
		return &v.state.Flows[i]
	}
	return nil
}

// port returns the selected port, nil for none.
func (v *View) port() *labstate.Port {
	if i := v.selected(portsPart); i >= 0 {
		return &v.state.Ports[i]
	}
	return nil
}

// scene returns the selected scene, nil for none.
func (v *View) scene() *labstate.Scene {
	if i := v.selected(scenesPart); i >= 0 {
		return &v.state.Scenes[i]
	}
	return nil
}
