package overview

import (
	"slices"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/perf/window"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// part is a part of the screen that can have the focus.
type part uint8

const (
	treePart part = iota
	sidePart
	footPart
	partCount
)

// View is the Overview screen.
type View struct {
	deck *deck.Deck

	table  widget.Table
	sum    widget.Table // one row without titles: the totals, in the columns of table
	page   browse.Page  // about the selected node
	foot   widget.List  // events, newest first
	focus  part
	filter browse.Filter
	order  order
	folded map[string]bool // by ID
	seen   map[string]bool // ports that were folded once

	// The newest state of the monitor.
	// old says why no newer data came, "" while they come.
	old       string
	monitor   *monitor.Monitor
	log       *deck.EventLog
	inventory *perf.Inventory
	schema    *perf.Schema
	window    *window.Recent
	now       time.Time
	figures   []nodeValues
	totals    nodeValues
	rows      []row
	moved     bool   // the operator has moved the cursor, which follows the worst host of a fleet until then
	selected  string // ID of the node under the cursor, so that the cursor stays on it while rows come and go
	sparks    map[string]spark
	bands     []widget.Band
	buckets   []window.Bucket
	written   detailsKey   // the key of the written page
	topics    []topic      // of the page
	inside    *innerSeries // of the selected node
	insideKey insideKey
	runs      []run // of the schema
	// evidence holds the counters that show troubles, by instance; evidenceFor is their schema.
	evidence    map[string][]evidence
	evidenceFor *perf.Schema
	curves      curves
	topic       string // title of the section of the details that was chosen
	fitted      fitting
	duplicates  map[string]bool // names that several adapters have
	opening     int             // see opening
}

// New returns the screen; its first ui.DataMsg fills it.
func New(d *deck.Deck) *View {
	v := &View{deck: d, log: &deck.EventLog{}, folded: map[string]bool{}, seen: map[string]bool{}, sparks: map[string]spark{}}
	v.table = widget.Table{ID: "overview.tree", Columns: slices.Clone(columns), SortColumn: -1}
	v.sum = widget.Table{Columns: v.table.Columns, SortColumn: -1}
	return v
}

func (v *View) ID() string { return "overview" }

func (v *View) Title() string { return "Overview" }

func (v *View) Help() string {
	return "All adapters with their ports and functions, and below them the teams of ports with their VLANs: state, link " +
		"speed, what they receive, send and drop, and the last 60 seconds. The details, beside the tree or behind Tab on a narrow screen, describe the selected row: what it is, its health, changes that wait for a restart, and for a port its rings, processors, priorities and congestion. The newest events are below. " +
		"A port is marked with i when it drops received packets, o when it drops packets on the way out, p when pause frames hold " +
		"it or the far end back for 1% of the time or more, and e when frames are damaged; a wide screen has a column for each. " +
		"Enter opens the counters of the selected row; on a marked row it first says why the row is marked. A tall terminal shows a curve for each port. The totals count no frame twice: a frame of a function or a team counts at its port alone."
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
		v.filter.Follow(&v.table.List, msg, v.arrange, v.move)
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
	if m != v.monitor {
		v.monitor, v.page.Stale, v.topics, v.topic = m, true, nil, ""
		clear(v.sparks)
	}
	v.inventory, v.schema, v.window = m.Inventory(), m.Schema(), m.Window()
	status := m.Status()
	v.now, v.old = status.Now, ""
	if status.Stale != nil {
		v.old = "Old data: " + status.Stale.Error()
	}
	alarms := map[int]bool{}
	for _, t := range m.Thresholds() {
		if t.Alarm {
			alarms[t.Series] = true
		}
	}
	nodes := v.nodes()
	v.foldHosts(nodes)
	v.foldFunctions(nodes)
	if v.evidenceFor != v.schema {
		v.evidenceFor, v.evidence = v.schema, findEvidence(v.schema)
	}
	v.figures = measure(nodes, v.window, alarms, v.evidence)
	setUtilisation(nodes, v.figures, v.schema)
	if v.inventory != nil {
		v.totals = measureTotals(v.inventory, v.window, v.figures)
	}
	v.arrange()
	v.log = v.deck.Events()
	v.opening = opening(v.log, v.opening)
	v.foot.SetLength(v.footRows())
}

// foldFunctions folds new ports with functions: most operators look for adapters and ports.
func (v *View) foldFunctions(nodes []perf.Node) {
	for i := range nodes {
		if n := &nodes[i]; n.Kind == perf.PortNode && !v.seen[n.ID] {
			v.seen[n.ID], v.folded[n.ID] = true, true
		}
	}
}

// isFleet reports whether the nodes are hosts with their ports.
func isFleet(nodes []perf.Node) bool { return len(nodes) > 0 && nodes[0].Kind == perf.HostNode }

// foldHosts folds new hosts of a fleet. Before the first one, it sorts hosts by trouble, because the worst host matters most.
func (v *View) foldHosts(nodes []perf.Node) {
	for i := range nodes {
		if n := &nodes[i]; n.Kind == perf.HostNode && !v.seen[n.ID] {
			if len(v.seen) == 0 {
				v.order = byTrouble
			}
			v.seen[n.ID], v.folded[n.ID] = true, true
		}
	}
}

// nodes returns the nodes of the inventory; none without an inventory.
func (v *View) nodes() []perf.Node {
	if v.inventory == nil {
		return nil
	}
	return v.inventory.Nodes
}

// arrange rebuilds the rows and keeps the cursor on its node.
func (v *View) arrange() {
	v.rows = arrange(v.nodes(), v.figures, v.folded, &v.filter, v.order)
	list := &v.table.List
	list.SetLength(len(v.rows))
	if !v.moved && isFleet(v.nodes()) {
		list.Select(0)
		v.remember()
		return
	}
	for i, r := range v.rows {
		if v.inventory.Nodes[r.node].ID == v.selected {
			list.Select(i)
			return
		}
	}
	v.remember()
}

// move keeps the cursor on the node to which the operator has moved it.
func (v *View) move() {
	v.moved = true
	v.remember()
}

// remember stores the node under the cursor, and resets the page if it is another one.
func (v *View) remember() {
	if n := v.node(); n != nil && n.ID != v.selected {
		v.selected, v.topic = n.ID, ""
		v.page.Scroll.Select(0)
	}
}

// node returns the selected node, nil for none.
func (v *View) node() *perf.Node {
	i := v.selectedNode()
	if i < 0 {
		return nil
	}
	return &v.inventory.Nodes[i]
}
