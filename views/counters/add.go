package counters

import (
	"slices"
	"strconv"

	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/counters/preset"
	"cxdeck/views/counters/search"
)

// The parts of the add dialog, in the order of Tab.
const (
	partSearch = iota
	partSets
	partCounters
	partInstances
	partCount
)

// addDialog chooses counters to add: sets, their counters, their instances.
type addDialog struct {
	screen *Screen
	search *widget.Input
	part   int
	found  search.Found
	// searched is the text that found belongs to.
	searched string
	ready    *search.Index
	lists    [partCount]widget.List
	// ticks holds the chosen counters and instances by the name of their set. Searches and moves between sets keep them.
	ticks map[string]*setTicks
}

// allInstances is the number of rows above the instances: "All instances".
const allInstances = 1

// openAdd opens the dialog; a long list of counters is made outside the terminal loop.
func (s *Screen) openAdd() ui.Cmd {
	d := newAddDialog(s)
	return ui.Batch(s.buildIndex(), ui.OpenDialog(d))
}

func newAddDialog(s *Screen) *addDialog {
	d := &addDialog{screen: s, ticks: map[string]*setTicks{}, search: widget.NewInput("", "search: words of set, counter or instance", 80)}
	d.refresh()
	return d
}

func (d *addDialog) Title() string { return "Add counters" }

func (d *addDialog) Size(width, height int) (int, int) { return min(width, 116), min(height, 30) }

// Typing reports that plain keys are text while the search has the focus.
func (d *addDialog) Typing() bool { return d.part == partSearch }

// Escape ends the search before it closes the dialog.
func (d *addDialog) Escape() bool {
	if d.search.Value() == "" {
		return false
	}
	d.search.SetValue("")
	d.refresh()
	return true
}

// refresh searches again if the text or the index has changed.
func (d *addDialog) refresh() {
	x := d.screen.index.index
	if x == nil || x == d.ready && d.searched == d.search.Value() {
		return
	}
	set, hadSet := d.setName()
	d.bindTicks()
	d.ready, d.searched = x, d.search.Value()
	d.found = x.Find(d.searched)
	d.lists[partSets].SetLength(len(d.found.Sets))
	d.lists[partSets].Select(0)
	for n := range d.found.Sets {
		if hadSet && x.Sets[d.found.Sets[n].Set].Name == set {
			d.lists[partSets].Select(n)
		}
	}
	d.changeSet()
}

// setName returns the set under the cursor.
func (d *addDialog) setName() (string, bool) {
	f := d.set()
	if f == nil {
		return "", false
	}
	return d.ready.Sets[f.Set].Name, true
}

// set returns the set under the cursor, nil when there is none.
func (d *addDialog) set() *search.FoundSet {
	i := d.lists[partSets].Cursor()
	if d.ready == nil || i < 0 || i >= len(d.found.Sets) {
		return nil
	}
	return &d.found.Sets[i]
}

// changeSet shows the counters and instances of the set under the cursor.
func (d *addDialog) changeSet() {
	counters, instances := 0, 0
	if f := d.set(); f != nil {
		counters, instances = len(f.Counters), len(f.Instances)+allInstances
	}
	d.lists[partCounters].SetLength(counters)
	d.lists[partCounters].Select(0)
	d.lists[partInstances].SetLength(instances)
	d.lists[partInstances].Select(0)
}

func (d *addDialog) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		return d.key(msg)
	case ui.PasteMsg:
		if d.part == partSearch {
			d.search.Paste(msg.Text)
		}
	case ui.HitMsg:
		return d.hit(msg)
	}
	d.refresh()
	return false, nil
}

func (d *addDialog) key(key ui.KeyMsg) (bool, ui.Cmd) {
	defer d.refresh()
	switch key.Name {
	case "tab":
		d.part = (d.part + 1) % partCount
		return false, nil
	case "shift+tab":
		d.part = (d.part + partCount - 1) % partCount
		return false, nil
	case "enter":
		return d.nextPart()
	}
	if d.part == partSearch {
		if key.Name == "down" {
			d.part = partSets
		} else {
			d.search.Key(key.Name, key.Runes)
		}
		return false, nil
	}
	switch key.Name {
	case "/":
		d.part = partSearch
	case "left", "h":
		d.part = max(d.part-1, partSets)
	case "right", "l":
		d.part = min(d.part+1, partInstances)
	default:
		if cmd, known := ui.Perform(d.Actions(), key.Name, false); known {
			return false, cmd
		}
		if key.Name == "up" && d.lists[d.part].Cursor() == 0 {
			d.part = partSearch
			return false, nil
		}
		d.moveInList(d.part, func(list *widget.List) { list.Key(key.Name) })
	}
	return false, nil
}

// moveInList moves the cursor in the list of a part. A move to another set shows the counters and instances of that set.
func (d *addDialog) moveInList(part int, move func(*widget.List)) {
	list := &d.lists[part]
	if part == partSets {
		d.bindTicks() // fix the chosen instances of the old set
	}
	before := list.Cursor()
	move(list)
	switch moved := list.Cursor() != before; {
	case moved && part == partSets:
		d.changeSet()
	case moved && part == partInstances:
		if name, ok := d.setName(); ok && d.ticks[name] != nil {
			d.ticks[name].all = false // the row under the cursor decides again
		}
	}
}

// Actions implements ui.Keyed: the actions of the three lists.
func (d *addDialog) Actions() []ui.Action {
	do := func(run func()) func() ui.Cmd {
		return func() ui.Cmd { run(); return nil }
	}
	list := []ui.Action{
		{ID: "add.choose", Keys: []string{" "}, Name: "choose", Help: "Toggle the row under the cursor", Run: do(func() {
			d.toggle(d.lists[d.part].Cursor())
			d.moveInList(d.part, func(list *widget.List) { list.Move(1) })
		})},
		{ID: "add.all", Keys: []string{"A", "ctrl+a"}, Name: "all", Help: "Choose all rows of the list", Run: do(d.chooseAll)},
		{ID: "add.empty", Keys: []string{"E"}, Name: "clear the selection", Help: "Clear the selection", Run: do(func() { clear(d.ticks) })},
	}
	list[0].Hidden = d.part < partCounters // sets are not chosen
	list[1].Hidden = list[0].Hidden
	list[2].Hidden = len(d.chosenLines()) == 0
	return list
}

// nextPart moves to the next part; at the last one, or with chosen counters, it adds the counters.
func (d *addDialog) nextPart() (bool, ui.Cmd) {
	chosen := d.part == partCounters && d.count(partCounters)+d.count(partInstances) > 0
	if d.part < partInstances && !chosen {
		d.part++
		return false, nil
	}
	paths := d.paths()
	if len(paths) == 0 {
		return false, nil
	}
	return true, d.screen.addPaths(paths)
}

// toggle chooses a row, or clears its choice.
func (d *addDialog) toggle(row int) {
	f := d.set()
	if f == nil || row < 0 || d.part != partCounters && d.part != partInstances {
		return
	}
	if d.part == partInstances && row == 0 {
		d.chooseAll()
		return
	}
	d.ticked(d.part).toggle(d.text(d.part, d.rowIndex(d.part, row)))
}

// rowIndex returns the index of a row's counter or instance in the set.
func (d *addDialog) rowIndex(part, row int) int32 {
	f := d.set()
	if part == partCounters {
		return f.Counters[row]
	}
	return f.Instances[row-allInstances]
}

// chooseAll chooses every row of a part, except totals of instances, which would count the others twice. If all are chosen
// already, it clears the choice.
func (d *addDialog) chooseAll() {
	f := d.set()
	if f == nil || d.part != partCounters && d.part != partInstances {
		return
	}
	chosen := d.ticked(d.part)
	rows := f.Counters
	if d.part == partInstances {
		rows = d.instancesUnderCursor()
	}
	missing := slices.ContainsFunc(rows, func(n int32) bool { return !(*chosen)[d.text(d.part, n)] })
	for _, n := range rows {
		if name := d.text(d.part, n); (*chosen)[name] != missing {
			chosen.toggle(name)
		}
	}
}

// instancesUnderCursor returns the instances of the set under the cursor without totals, which would count the others twice.
// A total without other instances is included.
func (d *addDialog) instancesUnderCursor() []int32 {
	f := d.set()
	return slices.DeleteFunc(slices.Clone(f.Instances), func(n int32) bool {
		return len(f.Instances) > 1 && preset.IsTotal(d.ready.Sets[f.Set].Instances[n])
	})
}

// zoneAdd begins the names of the zones of the parts.
const zoneAdd = "counters.add."

func (d *addDialog) hit(hit ui.HitMsg) (bool, ui.Cmd) {
	for part := range partCount {
		if hit.ID != zoneAdd+strconv.Itoa(part) {
			continue
		}
		switch hit.Button {
		case ui.Press:
			d.part = part
			if part == partSearch {
				return false, nil
			}
			d.moveInList(part, func(list *widget.List) { list.Select(hit.Index) })
			switch {
			case part == partSets:
			case hit.Double:
				return d.nextPart()
			default:
				d.toggle(hit.Index)
			}
		case ui.WheelUp, ui.WheelDown:
			d.moveInList(part, func(list *widget.List) { list.Scroll(hit.Button.WheelRows()) })
		case ui.RightPress, ui.Drag, ui.Release:
		}
	}
	if hit.ID == zoneAdd+"button" && hit.Button == ui.Press {
		if paths := d.paths(); len(paths) > 0 {
			return true, d.screen.addPaths(paths)
		}
	}
	return false, nil
}

func (d *addDialog) Hints() []ui.Hint {
	hints := []ui.Hint{{Key: "tab", Name: "next part"}}
	if d.part == partSearch {
		return append(hints, ui.Hint{Key: "down", Name: "list"}, ui.Hint{Key: "enter", Name: "list"}, ui.Hint{Key: "esc", Name: "close"})
	}
	name := "go on"
	if d.part == partInstances || d.count(partCounters) > 0 {
		name = "add"
	}
	return append(append(append(hints, ui.Hint{Key: "enter", Name: name}), ui.Hints(d.Actions())...),
		ui.Hint{Key: "/", Name: "search"}, ui.Hint{Key: "esc", Name: "close"})
}

// description returns the catalogue's description of the counter under the cursor, or of the set.
func (d *addDialog) description() string {
	f := d.set()
	if f == nil {
		return ""
	}
	set := &d.ready.Sets[f.Set]
	catalogue := d.screen.catalogue
	if d.part <= partSets {
		if catalogue != nil {
			if known, ok := catalogue.Set(set.Name); ok {
				return known.Description
			}
		}
		return ""
	}
	row := d.lists[partCounters].Cursor()
	if row < 0 || row >= len(f.Counters) {
		return ""
	}
	name := set.Counters[f.Counters[row]]
	if sum := d.sum(); sum != "" && d.part == partInstances {
		return "Total: contains " + sum + "."
	}
	for _, instance := range f.Instances {
		if i, ok := set.Pairs[[2]int32{f.Counters[row], instance}]; ok {
			if catalogue == nil {
				return name
			}
			return name + ": " + meaning(catalogue, d.ready.Schema.Series[i])
		}
	}
	return name
}

// sum returns the components of the total under the cursor, empty for a counter that is not a total.
func (d *addDialog) sum() string {
	f := d.set()
	row := d.lists[partInstances].Cursor() - allInstances
	counter := d.lists[partCounters].Cursor()
	if row < 0 || row >= len(f.Instances) || counter < 0 || counter >= len(f.Counters) {
		return ""
	}
	i, ok := d.ready.Sets[f.Set].Pairs[[2]int32{f.Counters[counter], f.Instances[row]}]
	if !ok {
		return ""
	}
	return d.ready.Schema.Series[i].Sum
}

// seriesText returns the number of series of a schema; "0" without one.
func seriesText(schema *perf.Schema) string {
	if schema == nil {
		return "0"
	}
	return strconv.Itoa(len(schema.Series))
}
