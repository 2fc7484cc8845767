package registry

import (
	"context"
	"maps"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry/profile"
	"cxdeck/driver/wording"
	"cxdeck/store"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// profilesMsg contains the saved profiles; if open is set, it is the dialog to open with them.
type profilesMsg struct {
	profiles []profile.Profile
	open     *profiles
	err      error
}

// loadProfiles reads the profiles.
func (v *View) loadProfiles() ui.Cmd {
	db := v.deck.DB
	if db == nil {
		return nil
	}
	return ui.Background("Read the profiles", func(ctx context.Context) ui.Msg {
		list, err := readProfiles(ctx, db)
		return profilesMsg{profiles: list, err: err}
	})
}

// openProfiles reads the profiles and the scenarios of the tuning tool, and opens the dialog.
func (v *View) openProfiles() ui.Cmd {
	db, m, connections := v.deck.DB, v.deck.Monitor(), v.connections()
	return ui.Background("Read the profiles", func(ctx context.Context) ui.Msg {
		msg := profilesMsg{open: &profiles{view: v, connections: connections}}
		if db != nil {
			msg.profiles, msg.err = readProfiles(ctx, db)
		}
		if msg.err == nil {
			msg.err = m.ReadHost(ctx, func(h *driver.Host) error {
				msg.open.scenarios = scenarios(h, connections)
				return nil
			})
		}
		return msg
	})
}

func readProfiles(ctx context.Context, db *store.DB) (list []profile.Profile, err error) {
	names, err := db.Profiles(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		p, ok, err := db.Profile(ctx, name)
		if err != nil {
			return list, err
		}
		if ok {
			list = append(list, p)
		}
	}
	return list, nil
}

func (v *View) takeProfiles(msg profilesMsg) ui.Cmd {
	if msg.err != nil {
		return ui.Toast(ui.Caution, "The profiles can't be read: "+msg.err.Error())
	}
	v.profiles = msg.profiles
	if d := msg.open; d != nil && v.snapshot != nil {
		d.kept = slices.Clone(v.profiles)
		d.list.SetLength(len(d.kept) + len(d.scenarios))
		return ui.OpenDialog(d)
	}
	return nil
}

// profilesAction opens the profiles.
func (v *View) profilesAction() ui.Action {
	a := ui.Action{ID: "registry.profiles", Keys: []string{"P"}, Name: "profiles", Hidden: true,
		Help: "Add a profile to the draft for the adapters of the selected branch, or save the current values as a profile"}
	switch {
	case v.deck.CannotChange() != "":
		a.Disabled = v.deck.CannotChange()
	case v.snapshot == nil:
		a.Disabled = "the registry is still being read"
	default:
		a.Run = v.openProfiles
	}
	return a
}

// connections returns the connections of the keys of the selected branch.
func (v *View) connections() (list []string) {
	n := v.node()
	for _, i := range v.tree.Order[n.From:n.To] {
		if c := v.snapshot.Entries[i].Connection; c != "" && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// profiles is the dialog of the saved profiles and the scenarios of the tuning tool.
type profiles struct {
	view        *View
	connections []string
	list        widget.List
	// kept are the operator's own profiles; scenarios follow in the list.
	kept      []profile.Profile
	scenarios []scenario
	done      bool // an action has closed the dialog
}

// row returns the profile of a row, and the scenario if it is the profile of one.
func (d *profiles) row(at int) (*profile.Profile, *scenario) {
	if at < len(d.kept) {
		return &d.kept[at], nil
	}
	s := &d.scenarios[at-len(d.kept)]
	return &s.profile, s
}

func (d *profiles) Title() string {
	where := strings.Join(d.connections, ", ")
	if len(d.connections) > 3 {
		where = count(len(d.connections), "adapter")
	}
	return "Profiles for " + where
}

func (d *profiles) Size(width, height int) (int, int) {
	return min(width, 100), min(height, len(d.kept)+len(d.scenarios)+4)
}

func (d *profiles) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		return d.key(msg.Name)
	case ui.HitMsg:
		if step := msg.Button.WheelRows(); step != 0 {
			d.list.Scroll(step)
		} else if msg.Button == ui.Press && msg.ID == "registry.profile" {
			d.list.Select(msg.Index)
			if msg.Double {
				return d.key("enter")
			}
		}
	}
	return false, nil
}

func (d *profiles) key(name string) (bool, ui.Cmd) {
	if cmd, known := ui.Perform(d.Actions(), name, d.view.deck.ReadOnly); known {
		return d.done, cmd
	}
	d.list.Key(name)
	return false, nil
}

// Actions implements ui.Keyed.
func (d *profiles) Actions() []ui.Action {
	at := d.list.Cursor()
	closing := func(run func() ui.Cmd) func() ui.Cmd {
		return func() ui.Cmd { d.done = true; return run() }
	}
	use := ui.Action{ID: "profiles.use", Keys: []string{"enter"}, Name: "put in the draft", Changes: true,
		Help: "Add the values of the selected profile to the draft, or review a scenario of the tuning tool"}
	export := ui.Action{ID: "profiles.export", Keys: []string{"x"}, Name: "export", Help: "Write the selected profile to a file"}
	remove := ui.Action{ID: "profiles.delete", Keys: []string{"d", "delete"}, Name: "delete", Changes: true,
		Help: "Delete the selected profile"}
	if at >= 0 {
		p, scenario := d.row(at)
		use.Run = closing(func() ui.Cmd { return d.addToDraft(p) })
		export.Run = closing(func() ui.Cmd { return d.view.exportProfile(*p) })
		if scenario != nil {
			use.Name = "review"
			if scenario.base != nil {
				use.Name = "choose processors"
			}
			use.Disabled, export.Disabled = scenario.refusal, scenario.refusal
			use.Run = closing(func() ui.Cmd { return d.view.tune(*scenario) })
		}
	}
	if at >= 0 && at < len(d.kept) {
		remove.Run = closing(func() ui.Cmd { return d.deleteProfile(d.kept[at].Name) })
	} else {
		remove.Disabled = "the scenarios of the tuning tool can't be deleted; select one of your profiles"
	}
	return []ui.Action{use,
		{ID: "profiles.new", Keys: []string{"n"}, Name: "save the current values", Changes: true,
			Help: "Save the current values as a profile", Run: closing(d.keep)},
		export,
		{ID: "profiles.import", Keys: []string{"i"}, Name: "import", Changes: true, Help: "Read a profile from a file",
			Run: closing(d.view.importProfile)},
		remove}
}

// addToDraft puts the values of a profile in the draft, for all connections, and reports the number of values left out.
func (d *profiles) addToDraft(p *profile.Profile) ui.Cmd {
	v := d.view
	before := v.draft.Len()
	left := 0
	for _, connection := range d.connections {
		values := v.snapshot.Profiled(connection, *p)
		left += len(p.Values) - len(values)
		for _, i := range slices.Sorted(maps.Keys(values)) {
			v.draft.Set(&v.snapshot.Entries[i], values[i])
		}
	}
	v.draftChanged()
	said := ""
	if left > 0 {
		said = "; " + count(left, "value") + " left out: the adapter has no such key"
	}
	if v.draft.Len() == before {
		return ui.Toast(ui.Note, "All values of "+p.Name+" are stored or in the draft already"+said+".")
	}
	cmds := []ui.Cmd{ui.Toast(ui.Success, p.Name+": "+count(v.draft.Len()-before, "change")+" in the draft; r reviews it"+said)}
	if keep := v.keepDraft(); keep != nil {
		cmds = append(cmds, keep)
	}
	return ui.Batch(cmds...)
}

// keep asks for a name and saves the values of the first connection that differ from a fresh installation.
func (d *profiles) keep() ui.Cmd {
	v := d.view
	db := v.deck.DB
	switch {
	case db == nil:
		return ui.Toast(ui.Caution, wording.UpperFirst(v.deck.NoDB))
	case len(d.connections) == 0:
		return ui.Toast(ui.Caution, "Select a connection in the tree first.")
	}
	connection := d.connections[0]
	check := func(name string) string {
		if err := profile.CheckName(strings.TrimSpace(name)); err != nil {
			return wording.UpperFirst(err.Error())
		}
		return ""
	}
	return ui.Prompt("Save a profile", "Name for the values of "+connection+" that differ from a fresh installation", "", check, func(name string) ui.Cmd {
		m := v.deck.Monitor()
		return ui.Background("Save the profile", func(ctx context.Context) ui.Msg {
			var p profile.Profile
			err := m.ReadHost(ctx, func(h *driver.Host) (err error) {
				p, err = h.ProfileOf(connection, strings.TrimSpace(name))
				return err
			})
			if err != nil {
				return ui.Toast(ui.Failure, wording.UpperFirst(err.Error()))()
			}
			return keepProfile(db, p)()
		})
	})
}

// deleteProfile asks, and deletes a profile.
func (d *profiles) deleteProfile(name string) ui.Cmd {
	db := d.view.deck.DB
	return ui.Confirm("Delete the profile "+name+"? Adapters keep their values.", "Delete", func() ui.Cmd {
		return ui.Background("Delete the profile", func(ctx context.Context) ui.Msg {
			if err := db.DeleteProfile(ctx, name); err != nil {
				return ui.Toast(ui.Failure, wording.UpperFirst(err.Error()))()
			}
			list, err := readProfiles(ctx, db)
			return profilesMsg{profiles: list, err: err}
		})
	})
}

func (d *profiles) Draw(area widget.Area) {
	body, foot := area.SplitBottom(3)
	d.list.SetHeight(body.Height)
	from, to := d.list.Visible()
	for i := from; i < to; i++ {
		y := i - from
		p, scenario := d.row(i)
		style, kind := text, "yours"
		if scenario != nil {
			kind = "tuning"
			if scenario.refusal != "" {
				style = muted
			}
		}
		body.PrintCut(0, y, 24, p.Name, style)
		body.PrintCut(25, y, body.Width-25-8, p.About, muted)
		body.PrintRight(body.Width, y, kind, muted)
		body.Zone(0, y, body.Width, 1, "registry.profile", i)
		if i == d.list.Cursor() {
			body.Ground(0, y, body.Width, themes.Selected)
		}
	}
	if at := d.list.Cursor(); at >= 0 {
		p, scenario := d.row(at)
		said, style := count(len(p.Values), "value")+": "+profileText(p), muted
		if scenario != nil && scenario.refusal != "" {
			said, style = wording.UpperFirst(scenario.refusal)+".", warn
		}
		for y, l := range widget.Wrap(said, foot.Width) {
			foot.Print(0, 1+y, l, style)
		}
	}
}

// profileText returns the values of a profile in one line.
func profileText(p *profile.Profile) string {
	words := make([]string, len(p.Values))
	for i, v := range p.Values {
		_, name, _ := strings.Cut(v.Key, "/")
		if name == "" {
			name = v.Key
		}
		words[i] = name + " " + v.Value
		if v.Delete {
			words[i] = name + " deleted"
		}
	}
	return strings.Join(words, ", ")
}

func (d *profiles) Hints() []ui.Hint {
	return append(ui.Hints(d.Actions()), ui.Hint{Key: "esc", Name: "close"})
}
