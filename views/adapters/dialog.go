package adapters

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/linuxhost"
	"cxdeck/driver/linuxhost/apply"
	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// dialog lists the settings of one interface with their old and new values.
type dialog struct {
	*Settings
	machine *linuxhost.Machine
	err     error
	table   widget.Table
	rows    []linuxhost.Setting
	filter  browse.Filter
	closed  bool
}

// readMsg brings a reading of the machine; undoMsg the change of the journal that is to be undone, with the plan for it.
type (
	readMsg struct {
		dialog  *dialog
		machine *linuxhost.Machine
		err     error
	}
	undoMsg struct {
		dialog *dialog
		entry  apply.Entry
		plan   linuxhost.Plan
		err    error
	}
	tickMsg struct{ dialog any }
)

func newDialog(s *Settings) *dialog {
	if s.draft == nil {
		s.draft = map[place]string{}
	}
	d := &dialog{Settings: s, table: widget.Table{ID: "settings.rows", Focused: true, SortColumn: -1, Columns: []widget.TableColumn{
		{Title: "Setting", Width: 20, Grow: 3}, {Title: "Now", Width: 12, Grow: 2}, {Title: "New", Width: 12, Grow: 2}, {Title: "At most", Width: 8, Right: true, Rank: 1},
	}}}
	d.filter.Set(s.filter)
	return d
}

func (d *dialog) Title() string { return "Settings of this machine" }

func (d *dialog) Size(width, height int) (int, int) { return width, height }

// Typing reports whether the filter receives the keys.
func (d *dialog) Typing() bool { return d.filter.Typing() }

// Opened reads the machine.
func (d *dialog) Opened() ui.Cmd { return ui.Batch(d.read(), ui.After(refresh, tickMsg{d})) }

// Closed ends the readings. The draft stays.
func (d *dialog) Closed() ui.Cmd {
	d.closed = true
	d.Settings.filter = d.filter.Text()
	return nil
}

// Escape clears the filter first.
func (d *dialog) Escape() bool {
	if !d.filter.Typing() && !d.filter.Active() {
		return false
	}
	if d.filter.Typing() {
		d.filter.Key(ui.KeyMsg{Name: "esc"})
	} else {
		d.filter.Set("")
	}
	d.list()
	return true
}

// refresh is the time between two readings.
const refresh = 5 * time.Second

func (d *dialog) read() ui.Cmd {
	read := d.Read
	return ui.Background("Read the settings", func(context.Context) ui.Msg {
		m, err := read()
		return readMsg{d, m, err}
	})
}

// current returns the shown interface, nil before the first reading.
func (d *dialog) current() *linuxhost.Interface {
	if d.machine == nil || len(d.machine.Interfaces) == 0 {
		return nil
	}
	d.choose()
	if i, ok := d.machine.Interface(d.shown); ok {
		return i
	}
	all := d.machine.Interfaces
	first := max(0, slices.IndexFunc(all, func(i linuxhost.Interface) bool { return i.Adapter != "" }))
	if all[first].Adapter == "" && len(all) > 1 {
		first = 1 // behind loopback
	}
	d.shown = all[first].Name
	return &all[first]
}

// choose shows the interface that the screen wants: one of its names, or one with a setting that passes the filter.
func (d *dialog) choose() {
	wanted := d.wanted
	d.wanted = deck.SettingsFocus{}
	for _, name := range wanted.Interfaces {
		if _, ok := d.machine.Interface(name); ok {
			d.shown = name
			return
		}
	}
	if wanted.Filter == "" {
		return
	}
	fits := func(i *linuxhost.Interface) bool {
		return slices.ContainsFunc(i.Settings, func(s linuxhost.Setting) bool { return d.filter.Match(s.Name) })
	}
	if i, ok := d.machine.Interface(d.shown); ok && fits(i) {
		return
	}
	for n := range d.machine.Interfaces {
		if i := &d.machine.Interfaces[n]; fits(i) {
			d.shown = i.Name
			return
		}
	}
	d.filter.Set("") // no interface has such a setting
}

// list makes the rows of the shown interface.
func (d *dialog) list() {
	d.rows = d.rows[:0]
	if i := d.current(); i != nil {
		for _, s := range i.Settings {
			if d.filter.Match(s.Name) {
				d.rows = append(d.rows, s)
			}
		}
	}
	d.table.List.SetLength(len(d.rows))
}

func (d *dialog) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case readMsg:
		if msg.dialog == d {
			if d.err = msg.err; msg.err == nil {
				d.machine = msg.machine
				if !d.busy() { // what is not confirmed may come back to the draft
					d.prune(msg.machine)
				}
				d.list()
			}
		}
	case tickMsg:
		if msg.dialog == d && !d.closed {
			return false, ui.Batch(d.read(), ui.After(refresh, tickMsg{d}))
		}
	case undoMsg:
		if msg.dialog == d {
			return false, d.reviewUndo(msg)
		}
	case endedMsg:
		return false, d.read()
	case ui.KeyMsg, ui.PasteMsg:
		return false, d.key(msg)
	case ui.HitMsg:
		d.hit(msg)
	}
	return false, nil
}

func (d *dialog) key(msg ui.Msg) ui.Cmd {
	if d.filter.Typing() {
		d.filter.Follow(&d.table.List, msg, d.list, func() {})
		return nil
	}
	key, ok := msg.(ui.KeyMsg)
	if !ok || d.table.List.Key(key.Name) {
		return nil
	}
	cmd, _ := ui.Perform(d.Actions(), key.Name, false)
	return cmd
}

func (d *dialog) hit(msg ui.HitMsg) {
	if step := msg.Button.WheelRows(); step != 0 {
		d.table.List.Scroll(step)
	} else if msg.ID == d.table.ID && msg.Button == ui.Press && msg.Index < len(d.rows) {
		d.table.List.Select(msg.Index)
	}
	widget.ScrollHit(&d.table.List, msg.Hit)
}

// selected returns the selected setting, nil for none.
func (d *dialog) selected() *linuxhost.Setting { return widget.At(&d.table.List, d.rows) }

// drafted returns the new value of a setting of the shown interface; empty for none.
func (d *dialog) drafted(name string) string { return d.draft[place{d.shown, name}] }

// Actions are the keys of the dialog.
func (d *dialog) Actions() []ui.Action {
	edit := ui.Action{ID: "settings.edit", Keys: []string{"enter", "e"}, Name: "edit", Help: "Type or choose the new value of the selected setting", Run: d.edit}
	toggle := ui.Action{ID: "settings.toggle", Keys: []string{" "}, Name: "on or off", Hidden: true, Help: "Turn the selected setting on or off", Run: d.edit}
	drop := ui.Action{ID: "settings.drop", Keys: []string{"backspace"}, Name: "drop", Help: "Remove the new value of the selected setting", Run: func() ui.Cmd {
		delete(d.draft, place{d.shown, d.selected().Name})
		return nil
	}}
	review := ui.Action{ID: "settings.review", Keys: []string{"r"}, Name: "review", Help: "Review the plan: values, what it interrupts, the equivalent commands; and apply it", Run: d.review}
	empty := ui.Action{ID: "settings.discard", Keys: []string{"E"}, Name: "empty", Hidden: true, Help: "Remove all new values", Run: func() ui.Cmd {
		clear(d.draft)
		return nil
	}}
	switch s := d.selected(); {
	case s == nil:
		edit.Disabled, toggle.Disabled, drop.Disabled = "nothing is selected", "nothing is selected", "nothing is selected"
	case s.Fixed != "":
		edit.Disabled, toggle.Disabled = s.Fixed, s.Fixed
	default:
		edit.Object = s.Name
		if s.Value != "on" && s.Value != "off" {
			toggle.Disabled = s.Name + " is not a switch: Enter edits it"
		}
		if d.drafted(s.Name) == "" {
			drop.Disabled = s.Name + " has no new value"
		}
	}
	if len(d.draft) == 0 {
		review.Disabled, empty.Disabled = "there are no new values: Enter edits a setting", "there are no new values"
	}
	if d.busy() {
		review.Disabled = "a change is being applied"
	}
	undo := ui.Action{ID: "settings.undo", Keys: []string{"u"}, Name: "undo", Help: "Undo the newest change that was kept, after a review", Run: d.undo}
	if undo.Disabled = strings.TrimSuffix(d.Refusal(), "."); undo.Disabled == "" && d.busy() {
		undo.Disabled = "a change is being applied"
	}
	create := ui.Action{ID: "settings.create", Keys: []string{"n"}, Name: "new", Help: "Make a bond or a VLAN, after a review", Run: d.create}
	remove := ui.Action{ID: "settings.remove", Keys: []string{"d"}, Name: "remove", Hidden: true, Help: "Remove the shown bond or VLAN, after a review", Run: d.remove}
	if i := d.current(); i == nil {
		create.Disabled, remove.Disabled = "the machine is being read", "the machine is being read"
	} else if _, ok := i.Setting("link"); !ok {
		remove.Disabled = i.Name + " is neither a bond nor a VLAN"
	} else {
		remove.Object, remove.Hidden = i.Name, false
	}
	if d.busy() {
		create.Disabled, remove.Disabled = "a change is being applied", "a change is being applied"
	}
	return []ui.Action{
		edit, toggle, review, drop, undo, empty, create, remove,
		{ID: "settings.tab", Keys: []string{"."}, Name: "next interface", Help: "Show the settings of the next interface", Run: func() ui.Cmd { return d.turn(1) }},
		{ID: "settings.tab-before", Keys: []string{","}, Name: "interface before", Hidden: true, Help: "Show the settings of the interface before", Run: func() ui.Cmd { return d.turn(-1) }},
		{ID: "settings.filter", Keys: []string{"/"}, Name: "filter", Help: "Show only settings that match a text; | divides alternatives", Run: func() ui.Cmd { d.filter.Open(); return nil }},
		{ID: "settings.journal", Keys: []string{"H"}, Name: "journal", Help: "Show the changes of this machine", Run: d.journal},
		{ID: "settings.refresh", Keys: []string{"f5"}, Name: "read again", Hidden: true, Help: "Read the settings again", Run: d.read},
	}
}

// turn shows another interface.
func (d *dialog) turn(step int) ui.Cmd {
	if i := d.current(); i != nil {
		all := d.machine.Interfaces
		at := slices.IndexFunc(all, func(other linuxhost.Interface) bool { return other.Name == i.Name })
		d.shown = all[(at+step+len(all))%len(all)].Name
		d.table.List.Select(0)
		d.list()
	}
	return nil
}

// edit turns a switch, or asks for the new value.
func (d *dialog) edit() ui.Cmd {
	s, i := d.selected(), d.current()
	at := place{i.Name, s.Name}
	now := s.Value
	if value := d.draft[at]; value != "" {
		now = value
	}
	set := func(value string) {
		if d.draft[at] = value; value == s.Value {
			delete(d.draft, at)
		}
	}
	if now == "on" || now == "off" {
		set(map[string]string{"on": "off", "off": "on"}[now])
		return nil
	}
	label := s.Name + " of " + i.Name + ", now " + s.Value
	if words := linuxhost.Words(i, *s); len(words) > 0 {
		label += ": " + strings.Join(words, ", ")
	} else if s.Limit != "" {
		label += ", at most " + s.Limit
	}
	check := func(text string) string {
		if _, err := linuxhost.Check(i, *s, strings.TrimSpace(text)); err != nil {
			return "It " + err.Error()
		}
		return ""
	}
	return ui.Prompt("New value", label, now, check, func(text string) ui.Cmd {
		value, err := linuxhost.Check(i, *s, strings.TrimSpace(text))
		if err != nil {
			return ui.Toast(ui.Caution, err.Error())
		}
		set(value)
		return nil
	})
}

// review shows the plan of the draft.
func (d *dialog) review() ui.Cmd {
	plan, left := d.plan(d.machine)
	title := "Change " + wording.Count(len(plan), "setting")
	if names := interfacesOf(plan); len(names) == 1 {
		title += " of " + names[0]
	}
	return d.show(title, plan, left, 0)
}

func interfacesOf(plan linuxhost.Plan) (names []string) {
	for i := range plan {
		if !slices.Contains(names, plan[i].Interface) {
			names = append(names, plan[i].Interface)
		}
	}
	return names
}

// show shows a plan and asks; without permission it only shows it.
func (d *dialog) show(title string, plan linuxhost.Plan, left []string, undoes int) ui.Cmd {
	if len(plan) == 0 {
		return ui.Toast(ui.Caution, strings.Join(append(left, "Nothing changes: the settings have these values."), "; "))
	}
	var lines []change.ReviewLine
	for i := range plan {
		c := &plan[i]
		lines = append(lines, change.ReviewLine{Mark: '~', Text: fmt.Sprintf("%s of %s: %s -> %s", c.Name, c.Interface, c.Old, c.New), Role: themes.Info})
	}
	for _, text := range left {
		lines = append(lines, change.ReviewLine{Mark: '!', Text: wording.UpperFirst(text) + ".", Role: themes.Warn})
	}
	lines = append(lines, change.ReviewLine{Mark: ' ', Role: themes.Text}, change.ReviewLine{Mark: '*', Text: "Equivalent commands", Role: themes.Text})
	commands := plan.Commands(d.machine)
	for _, line := range commands {
		lines = append(lines, change.ReviewLine{Mark: ' ', Text: line, Role: themes.Muted})
	}
	question := interrupts(plan)
	if why := d.Refusal(); why != "" {
		return change.ShowReview(d.Deck, title, lines, append(question, why), nil, nil)
	}
	buttons := []widget.Button{{Label: "Apply, confirm in 60 s or revert"}, {Label: "Apply", Dangerous: len(question) > 0}}
	return change.ShowReview(d.Deck, title, lines, question, buttons, func(button int) ui.Cmd {
		within := confirmWithin
		if button == 1 {
			within = 0
		}
		return await(d.begin(title, plan, commands, undoes, within))
	})
}

// create asks for a bond or a VLAN, and shows its plan.
func (d *dialog) create() ui.Cmd {
	ask := func(title, label, initial string, plan func(words []string) (linuxhost.Plan, error)) func() ui.Cmd {
		return func() ui.Cmd {
			check := func(text string) string {
				if _, err := plan(strings.Fields(text)); err != nil {
					return wording.UpperFirst(err.Error())
				}
				return ""
			}
			return ui.Prompt(title, label, initial, check, func(text string) ui.Cmd {
				words := strings.Fields(text)
				made, err := plan(words)
				if err != nil {
					return ui.Toast(ui.Caution, wording.UpperFirst(err.Error())+".")
				}
				return d.show(title+" "+words[0], made, nil, 0)
			})
		}
	}
	name := d.current().Name
	return ui.Choose("New", "What shall be made?", []ui.Choice{
		{Key: "b", Label: "Bond", Then: ask("Make the bond", "name mode=MODE members=A,B; also miimon, xmit_hash_policy, lacp_rate", "bond0 mode=active-backup members="+name,
			func(words []string) (linuxhost.Plan, error) {
				if len(words) == 0 {
					return nil, fmt.Errorf("the bond requires a name")
				}
				return linuxhost.AddBond(d.machine, words[0], words[1:])
			})},
		{Key: "v", Label: "VLAN", Then: ask("Make the VLAN on", "interface and number, and a name if it is not INTERFACE.NUMBER", name+" 2",
			func(words []string) (linuxhost.Plan, error) {
				if len(words) < 2 || len(words) > 3 {
					return nil, fmt.Errorf("it requires the interface and the number of the VLAN")
				}
				return linuxhost.AddVLAN(d.machine, words[0], words[1], strings.Join(words[2:], ""))
			})},
		{Key: "n", Label: "Cancel"},
	})
}

// remove shows the plan that removes the shown bond or VLAN.
func (d *dialog) remove() ui.Cmd {
	plan, err := linuxhost.RemoveLink(d.machine, d.current().Name)
	if err != nil {
		return ui.Toast(ui.Caution, wording.UpperFirst(err.Error())+".")
	}
	return d.show("Remove "+d.current().Name, plan, nil, 0)
}

// undo reads the newest change from the journal.
func (d *dialog) undo() ui.Cmd {
	return ui.Background("Read the journal", func(context.Context) ui.Msg {
		entry, err := d.undoable()
		if err != nil {
			return undoMsg{dialog: d, err: err}
		}
		m, err := d.Read()
		if err != nil {
			return undoMsg{dialog: d, err: err}
		}
		return undoMsg{d, entry, apply.UndoPlan(m, entry), nil}
	})
}

func (d *dialog) reviewUndo(msg undoMsg) ui.Cmd {
	if msg.err != nil {
		return ui.Toast(ui.Caution, wording.UpperFirst(msg.err.Error())+".")
	}
	return d.show(fmt.Sprintf("Undo change %d of %s", msg.entry.Number, d.Deck.Local(msg.entry.Time).Format(time.DateTime)), msg.plan, nil, msg.entry.Number)
}

// journal shows the changes of the journal.
func (d *dialog) journal() ui.Cmd {
	path, local := d.Journal, d.Deck.Local
	return ui.Background("Read the journal", func(context.Context) ui.Msg {
		entries, damaged, err := apply.ReadJournal(path)
		switch {
		case err != nil:
			return ui.Toast(ui.Failure, err.Error())()
		case len(entries) == 0:
			return ui.Toast(ui.Note, "Nothing was changed on this machine yet.")()
		}
		var b strings.Builder
		for _, e := range slices.Backward(entries) {
			fmt.Fprintf(&b, "%d  %s  %s", e.Number, local(e.Time).Format(time.DateTime), e.Outcome)
			if e.Undoes > 0 {
				fmt.Fprintf(&b, ", undoes %d", e.Undoes)
			}
			if e.Reason != "" {
				fmt.Fprintf(&b, ": %s", strings.ReplaceAll(e.Reason, "\n", "; "))
			}
			for _, c := range e.Changes {
				fmt.Fprintf(&b, "\n     %s of %s: %s -> %s", c.Name, c.Interface, c.Old, c.New)
			}
			b.WriteByte('\n')
		}
		if damaged > 0 {
			fmt.Fprintf(&b, "%d lines can't be read.\n", damaged)
		}
		return ui.ShowText("Changes of this machine", b.String())()
	})
}

func (d *dialog) Hints() []ui.Hint {
	return append(ui.Hints(d.Actions()), ui.Hint{Key: "esc", Name: "close"})
}
