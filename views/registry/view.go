package registry

import (
	"cmp"
	"slices"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/profile"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/perf/window"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
	"cxdeck/views/registry/keyset"
)

// part is a part of the screen that can have the focus.
type part uint8

const (
	treePart part = iota
	tablePart
	pagePart
	partCount
)

// noSorting leaves the rows in the order of the tree.
const noSorting = -1

// View is the Registry screen.
type View struct {
	deck  *deck.Deck
	focus part
	// sheets shows the keys of a machine without a lab.
	sheets browse.Sheets

	// The tree: which nodes show, which of them is selected, and what is folded, by the ids of nodes.
	arrangement keyset.Arrangement
	tree        keyset.Tree
	shown       []int
	treeList    widget.List
	place       string
	folded      map[string]bool
	unfolded    map[string]bool // by hand

	table      widget.Table
	rows       []row
	selected   string // the id of the entry under the cursor
	filter     browse.Filter
	scores     map[*registry.Row]int // of the filter; nil for none
	shared     bool                  // the rows include keys that the selected connection shares
	show       show
	group      string // the shown group; empty for all
	sorting    int
	descending bool
	back       []string // the ids from which links were followed
	detail     page

	// snapshot is the newest one of the host; nil before the first. mark is its fingerprint; loading is set while another one
	// is being read, elsewhere if it belongs to another source than the shown one.
	snapshot  *keyset.Snapshot
	monitor   *monitor.Monitor
	mark      uint64
	loading   bool
	elsewhere bool
	err       error

	draft    keyset.Draft
	parked   *keyset.Draft               // the live host's draft during a replay; nil otherwise
	grades   []registry.Grade            // of each entry with the draft applied
	outlooks map[int]*registry.Effective // of ports that the draft changes

	favourites map[string]bool
	keeper     keeper
	profiles   []profile.Profile
	history    history
	schema     *perf.Schema
	window     *window.Recent
	now        time.Time
}

// New returns the screen; its first ui.DataMsg fills it.
func New(d *deck.Deck) *View {
	v := &View{
		deck: d, focus: tablePart, sorting: noSorting, folded: map[string]bool{}, unfolded: map[string]bool{},
		favourites: map[string]bool{}, outlooks: map[int]*registry.Effective{},
	}
	v.table = widget.Table{ID: zoneTable, Columns: slices.Clone(columns), SortColumn: noSorting}
	return v
}

func (v *View) ID() string { return "registry" }

func (v *View) Title() string { return "Registry" }

func (v *View) Help() string {
	return "All keys of the drivers: the stored value, the value that the driver uses, the default, the range and when a new value " +
		"takes effect. The page about the key under the cursor says what it is for, which keys it works with and which " +
		"counters it changes. Nothing is written while you edit: edits collect in a draft, and r reviews it, with warnings, " +
		"the restarts it needs and a forecast, before it is applied as one plan. u undoes the newest plan. ◆ marks a stored " +
		"value that has not taken effect yet."
}

// Typing reports whether the filter receives the keys.
func (v *View) Typing() bool { return v.filter.Typing() }

// Update handles a message.
func (v *View) Update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case ui.ShowMsg:
		return v.shownWith(msg.Arg)
	case ui.DataMsg:
		return v.refresh()
	case snapshotMsg:
		return v.setSnapshot(msg)
	case historyMsg:
		return v.takeHistory(msg)
	case keptMsg:
		return v.takeKept(msg)
	case draftSavedMsg:
		return v.savedDraft(msg)
	case importedMsg:
		return v.saveImported(msg)
	case profilesMsg:
		return v.takeProfiles(msg)
	case elsewhereMsg:
		return v.reloadDraft()
	case rereadMsg:
		return v.handleReread(msg)
	case reviewMsg:
		if msg.err != nil {
			return ui.Toast(ui.Failure, wording.UpperFirst(msg.err.Error()))
		}
		return ui.OpenDialog(newReview(v, msg))
	case appliedMsg:
		return v.applied(msg)
	case ui.KeyMsg, ui.PasteMsg:
		v.key(msg)
	case ui.HitMsg:
		return v.hit(msg)
	}
	return nil
}

// shownWith opens the screen, optionally on a connection or a key.
func (v *View) shownWith(arg any) ui.Cmd {
	cmds := []ui.Cmd{v.deck.LoadSessionsOnce(), v.loadHistory(), v.loadKept(), v.loadProfiles()}
	if focus, ok := arg.(deck.KeyFocus); ok {
		v.filter.Set(focus.Key)
		v.show, v.group = showAll, ""
		v.place, v.focus = cmp.Or(focus.Connection, keyset.AllKeys), tablePart
		v.selected = ""
		v.rebuildTree()
		v.filtered()
	}
	return ui.Batch(slices.DeleteFunc(cmds, func(c ui.Cmd) bool { return c == nil })...)
}

// key passes keys and pasted text that no action has handled to the filter.
func (v *View) key(msg ui.Msg) {
	before := v.table.List.Cursor()
	switch changed, moved := v.filter.Take(&v.table.List, msg); {
	case changed:
		v.filtered()
	case moved:
		if key, ok := msg.(ui.KeyMsg); ok {
			v.skipHeadings(before, key.Name)
		}
	}
}

// score scores the keys of the snapshot that match the filter.
func (v *View) score() {
	v.scores = search(v.filter.Text(), []*registry.Catalogue{registry.Keys(description.WinOF2), registry.Keys(description.WinOF)})
	v.searchUnknown(v.filter.Text())
}

// filtered applies a changed text of the filter.
func (v *View) filtered() {
	v.score()
	v.arrange()
	if v.scores != nil { // select the best match
		v.table.List.Select(0)
		v.skip(1)
	}
}

// move moves the cursor of the table by a key's name.
func (v *View) move(name string) {
	before := v.table.List.Cursor()
	v.table.List.Key(name)
	v.skipHeadings(before, name)
}

// skipHeadings moves the cursor past headings, in the direction in which a key has moved it from a row.
func (v *View) skipHeadings(before int, name string) {
	step := 1
	if v.table.List.Cursor() < before || name == "end" {
		step = -1
	}
	v.skip(step)
}

// refresh reads the newest state of the monitor, and the registry if the host has changed.
func (v *View) refresh() ui.Cmd {
	m := v.deck.Monitor()
	if m == nil {
		return nil
	}
	if m != v.monitor {
		v.monitor, v.elsewhere, v.loading, v.err = m, true, false, nil
		v.parkDraft()
	}
	v.schema, v.window, v.now = m.Schema(), m.Window(), m.Status().Now
	v.detail.Stale = true
	mark := fingerprint(m)
	switch {
	case !m.Readable():
		v.elsewhere = true
		return nil
	case v.loading || !v.elsewhere && mark == v.mark:
		return nil
	}
	v.loading, v.mark = true, mark
	return load(m, v.arrangement)
}

// rebuildTree rebuilds the tree and keeps its folding and selection.
func (v *View) rebuildTree() {
	if v.snapshot == nil {
		v.tree, v.shown = keyset.Tree{}, v.shown[:0]
		v.treeList.SetLength(0)
		v.arrange()
		return
	}
	v.tree = keyset.BuildTree(v.snapshot, v.arrangement)
	v.followTree()
}

// followTree restores folds, selection and rows after a change of the tree.
func (v *View) followTree() {
	for i := range v.tree.Nodes { // levels below connections and groups are folded, unless the operator has unfolded them
		if n := &v.tree.Nodes[i]; n.Depth >= 2-int(min(v.arrangement, 1)) && n.Branch && !v.unfolded[n.ID] {
			v.folded[n.ID] = true
		}
	}
	v.fold()
	v.choosePlace()
	v.arrange()
}

// fold updates the visible nodes after a change of the folds.
func (v *View) fold() {
	v.shown = v.tree.Shown(v.folded, v.shown)
	v.treeList.SetLength(len(v.shown))
}

// choosePlace selects the node in place, or else the first connection.
func (v *View) choosePlace() {
	at := -1
	for i := range v.tree.Nodes {
		n := &v.tree.Nodes[i]
		if n.ID == v.place || n.Label == v.place {
			at = i
			break
		}
	}
	if at < 0 && v.place == "" && v.arrangement == keyset.ByAdapter { // the first connection
		at = slices.IndexFunc(v.tree.Nodes, func(n keyset.Node) bool { return n.Depth == 2 })
	}
	v.selectNode(max(at, 0))
}

// selectNode selects a node of the tree and unfolds its ancestors.
func (v *View) selectNode(at int) {
	for up := v.tree.Nodes[at].Parent; up >= 0; up = v.tree.Nodes[up].Parent {
		delete(v.folded, v.tree.Nodes[up].ID)
	}
	v.fold()
	v.place = v.tree.Nodes[at].ID
	v.treeList.Select(slices.Index(v.shown, at))
}

// node returns the selected node of the tree.
func (v *View) node() *keyset.Node {
	if at := widget.At(&v.treeList, v.shown); at != nil {
		return &v.tree.Nodes[*at]
	}
	return &v.tree.Nodes[0]
}

// moveToBranch shows the keys of the node under the tree's cursor.
func (v *View) moveToBranch() {
	if v.snapshot == nil {
		return
	}
	v.place = v.node().ID
	v.arrange()
}

// draftChanged updates grades and rows after a change of the draft.
func (v *View) draftChanged() {
	v.updateGrades()
	v.detail.Stale = true
	if v.show != showAll || v.sorting != noSorting {
		v.arrange()
	}
}

// updateGrades computes the grades of all entries with the draft applied.
func (v *View) updateGrades() {
	clear(v.outlooks)
	s := v.snapshot
	if s == nil {
		return
	}
	v.grades = append(v.grades[:0], s.Grades...)
	for at := range s.Ports {
		outlook := v.draft.ForecastValues(s, at)
		if outlook == s.Ports[at].Outlook {
			continue
		}
		v.outlooks[at] = outlook
	}
	proposed := func(r keyset.Reader) bool { return v.outlooks[r.Port] != nil }
	for i := range s.Entries {
		e := &s.Entries[i]
		if v.outlooks[e.Port] != nil || slices.ContainsFunc(e.Readers, proposed) {
			v.grades[i] = e.Grade(v.forecastValues)
		}
	}
}

// forecastValues returns the values that the driver of a port would use with the draft applied.
func (v *View) forecastValues(port int) *registry.Effective {
	if o, ok := v.outlooks[port]; ok {
		return o
	}
	return v.snapshot.Ports[port].Outlook
}
