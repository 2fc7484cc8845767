package adapters

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cxdeck/driver/linuxhost"
	"cxdeck/driver/linuxhost/apply"
	"cxdeck/driver/script"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// fake is a machine with loopback and one adapter.
type fake struct {
	mu     sync.Mutex
	values map[string]string
	sets   []string
}

func newFake() *fake {
	return &fake{values: map[string]string{"mtu": "1500", "ring.rx": "1024", "pause.rx": "on", "vf.0.state": "auto", "pfc": "none"}}
}

func (f *fake) Machine() *linuxhost.Machine {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := linuxhost.Interface{Name: "ens1f0np0", Index: 2, Up: true, Adapter: "0000:04:00.0"}
	for _, name := range []string{"mtu", "ring.rx", "pause.rx", "pfc", "vf.0.state"} {
		s := linuxhost.Setting{Name: name, Value: f.values[name]}
		if name == "ring.rx" {
			s.Limit = "8192"
		}
		i.Settings = append(i.Settings, s)
	}
	return &linuxhost.Machine{
		Adapters:   []linuxhost.Adapter{{Address: "0000:04:00.0", Driver: "mlx5_core"}},
		Interfaces: []linuxhost.Interface{{Name: "lo", Index: 1, Settings: []linuxhost.Setting{{Name: "mtu", Value: "65536"}}}, i},
	}
}

func (f *fake) Set(c linuxhost.Change) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.values[c.Name] = c.New
	f.sets = append(f.sets, c.Name+"="+c.New)
	return nil
}

func (f *fake) Close() {}

func (f *fake) value(name string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.values[name]
}

// host is an empty screen whose key e opens the settings.
type host struct {
	settings *Settings
	at       deck.SettingsFocus
	export   string // the file of the key x
}

func (h *host) ID() string            { return "lab" }
func (h *host) Title() string         { return "Lab" }
func (h *host) Help() string          { return "" }
func (h *host) Update(ui.Msg) ui.Cmd  { return nil }
func (h *host) Draw(area widget.Area) {}
func (h *host) Actions() []ui.Action {
	return []ui.Action{{ID: "lab.edit", Keys: []string{"e"}, Name: "settings", Run: func() ui.Cmd { return h.settings.Dialog(h.at) }},
		{ID: "lab.export", Keys: []string{"x"}, Name: "export", Run: func() ui.Cmd { return h.settings.Export(h.export) }}}
}

// stage returns the settings of a machine on a stage.
func stage(t *testing.T, f *fake, allowed bool) (*Settings, *viewtest.Stage) {
	t.Helper()
	d := &deck.Deck{Zone: time.UTC}
	s := &Settings{Deck: d, Allowed: allowed, Privileged: func() bool { return true }, Journal: filepath.Join(t.TempDir(), "changes.jsonl"),
		Read: func() (*linuxhost.Machine, error) { return f.Machine(), nil }, Open: func() (apply.Closing, error) { return f, nil }, Try: apply.Try}
	t.Cleanup(s.Close)
	return s, viewtest.Open(t, d, []ui.View{&host{settings: s}})
}

// TestEditReviewApplyUndo: values are typed, toggled and chosen, wrong ones are refused with a sentence, the plan is reviewed with its
// commands, applied at once and undone, and the journal has both changes.
func TestEditReviewApplyUndo(t *testing.T) {
	t.Parallel()
	f := newFake()
	_, stage := stage(t, f, true)
	stage.Press("e", "down", "enter", "9", "9", "9", "9")
	if text := stage.Text(); !strings.Contains(text, "It must be an integer from 1 to 8192") {
		t.Errorf("a wrong value has no reason:\n%s", text)
	}
	stage.Press("esc", "enter", "4", "0", "9", "6", "enter", "down", " ", "up", "up")
	stage.Golden("edited")
	stage.Press("r")
	stage.Golden("review")
	stage.Press("enter") // Back
	if len(f.sets) > 0 {
		t.Fatalf("Back applies: %v", f.sets)
	}
	stage.Press("r", "left", "enter") // Apply
	if f.value("ring.rx") != "4096" || f.value("pause.rx") != "off" {
		t.Fatalf("the plan was not applied: %v\n%s", f.sets, stage.Text())
	}
	stage.Press("u", "left", "enter")
	if f.value("ring.rx") != "1024" || f.value("pause.rx") != "on" {
		t.Errorf("the plan was not undone: %v\n%s", f.sets, stage.Text())
	}
	stage.Press("H")
	if text := stage.Text(); !strings.Contains(text, "kept, undoes 1") || !strings.Contains(text, "ring.rx of ens1f0np0: 1024 -> 4096") {
		t.Errorf("the journal is\n%s", text)
	}
	if len(stage.Log) != 2 || !strings.Contains(strings.Join(stage.Log[0].Commands, "\n"), "ethtool -G ens1f0np0 rx 4096") {
		t.Errorf("the action log is %+v", stage.Log)
	}
}

// TestNothingIsAppliedWithoutPermission: without --allow-changes, in read-only mode and without privileges the review says why, and has
// no button that applies.
func TestNothingIsAppliedWithoutPermission(t *testing.T) {
	t.Parallel()
	for want, prepare := range map[string]func(*Settings){
		"start cxdeck with --allow-changes":       func(s *Settings) { s.Allowed = false },
		"start cxdeck without --read-only":        func(s *Settings) { s.Deck.ReadOnly = true },
		"Changes require root, or the capability": func(s *Settings) { s.Privileged = func() bool { return false } },
	} {
		f := newFake()
		s, stage := stage(t, f, true)
		prepare(s)
		stage.Press("e")
		if text := stage.Text(); !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
		stage.Press("down", "enter", "4", "0", "9", "6", "enter", "r")
		if text := stage.Text(); !strings.Contains(text, want) || strings.Contains(text, "[ Apply") || !strings.Contains(text, "ethtool -G ens1f0np0 rx 4096") {
			t.Errorf("the review is\n%s", text)
		}
		stage.Press("y", "u")
		if len(f.sets) > 0 {
			t.Errorf("%q: something was set: %v", want, f.sets)
		}
	}
}

// TestConfirmOrRevert: a change stays when it is confirmed; when it is not, in time or before the end of the console, the old values are
// restored.
func TestConfirmOrRevert(t *testing.T) {
	t.Parallel()
	plan := linuxhost.Plan{{Interface: "ens1f0np0", Name: "mtu", Old: "1500", New: "9000"}}
	for name, c := range map[string]struct {
		within time.Duration
		act    func(s *Settings, q *question)
		want   string
	}{
		"kept":      {time.Minute, func(_ *Settings, q *question) { q.Update(ui.KeyMsg{Name: "y"}) }, "9000"},
		"reverted":  {time.Minute, func(_ *Settings, q *question) { q.Update(ui.KeyMsg{Name: "n"}) }, "1500"},
		"closed":    {time.Minute, func(_ *Settings, q *question) { q.Closed() }, "1500"},
		"in time":   {10 * time.Millisecond, func(*Settings, *question) {}, "1500"},
		"ends":      {time.Minute, func(s *Settings, _ *question) { go s.Close() }, "1500"},
		"kept once": {time.Minute, func(_ *Settings, q *question) { q.Update(ui.KeyMsg{Name: "y"}); q.Closed() }, "9000"},
	} {
		f := newFake()
		s := &Settings{Deck: &deck.Deck{}, Journal: filepath.Join(t.TempDir(), "changes.jsonl"), Open: func() (apply.Closing, error) { return f, nil }, Try: apply.Try}
		trial := s.begin("Change 1 setting", plan, nil, 0, c.within)
		<-trial.applied
		if !s.busy() && name != "in time" {
			t.Errorf("%s: a waiting change is not busy", name)
		}
		q := newQuestion(trial)
		canvas := widget.NewCanvas(64, 6)
		canvas.SetGlyphs(themes.UnicodeGlyphs())
		q.Draw(canvas.All())
		if text := canvas.Text(); !strings.Contains(text, "s left") {
			t.Errorf("%s: the question is\n%s", name, text)
		}
		c.act(s, q)
		<-trial.done
		if got := f.value("mtu"); got != c.want || s.busy() {
			t.Errorf("%s: the MTU is %s", name, got)
		}
		entries, _, err := apply.ReadJournal(s.Journal)
		if err != nil || len(entries) != 1 || (entries[0].Outcome == apply.Kept) != (c.want == "9000") {
			t.Errorf("%s: the journal has %+v, %v", name, entries, err)
		}
	}
}

// TestFilterAndInterfaces: the filter narrows the settings, esc clears it, and . and , show the other interfaces.
func TestFilterAndInterfaces(t *testing.T) {
	t.Parallel()
	_, stage := stage(t, newFake(), true)
	stage.Press("e", "/", "v", "f", "enter")
	if text := stage.Text(); !strings.Contains(text, "vf.0.state") || strings.Contains(text, "ring.rx") {
		t.Errorf("the filter shows\n%s", text)
	}
	stage.Press("enter", "u", "p")
	if text := stage.Text(); !strings.Contains(text, "auto, enable, disable") {
		t.Errorf("the words are not named:\n%s", text)
	}
	stage.Press("esc", "esc", ".")
	if text := stage.Text(); !strings.Contains(text, "interface 1 of 2") || !strings.Contains(text, "65536") {
		t.Errorf("the next interface is not shown:\n%s", text)
	}
	stage.Press(",", "esc")
	if text := stage.Text(); strings.Contains(text, "Settings of this machine") {
		t.Errorf("esc does not close:\n%s", text)
	}
}

// TestMakeAndRemoveLinks: n makes bonds and VLANs with a review of their plan, wrong names have a reason, and d says what can't be removed.
func TestMakeAndRemoveLinks(t *testing.T) {
	t.Parallel()
	_, stage := stage(t, newFake(), false)
	stage.Press("e", "n", "v", "enter")
	if text := stage.Text(); !strings.Contains(text, "ip link add link ens1f0np0 name ens1f0np0.2 type vlan id 2") || !strings.Contains(text, "Make the VLAN on ens1f0np0") {
		t.Errorf("the plan of a VLAN is\n%s", text)
	}
	stage.Press("esc", "n", "b")
	if text := stage.Text(); !strings.Contains(text, "ens1f0np0 can't be a member") {
		t.Errorf("a bond of an interface that can't be a member is\n%s", text)
	}
	stage.Press("esc")
	stage.Press("d")
	if text := stage.Text(); !strings.Contains(text, "neither a bond nor a VLAN") {
		t.Errorf("d says\n%s", text)
	}
}

// TestSizes: no size breaks the dialog.
func TestSizes(t *testing.T) {
	t.Parallel()
	f := newFake()
	d := newDialog(&Settings{Deck: &deck.Deck{}, Privileged: func() bool { return true }})
	for _, m := range []*linuxhost.Machine{nil, {}, f.Machine()} {
		if m != nil {
			d.Update(readMsg{d, m, nil})
		}
		for _, size := range [][2]int{{1, 1}, {12, 3}, {40, 10}, {80, 20}, {200, 60}} {
			canvas := widget.NewCanvas(size[0], size[1])
			canvas.SetGlyphs(themes.UnicodeGlyphs())
			d.Draw(canvas.All())
			d.Actions()
		}
	}
}

// TestOpensWhatTheScreenWants: a screen opens the settings of its interface, or the first interface with a setting of its filter.
func TestOpensWhatTheScreenWants(t *testing.T) {
	t.Parallel()
	for want, at := range map[string]deck.SettingsFocus{
		"65536":      {Interfaces: []string{"gone", "lo"}},
		"vf.0.state": {Filter: "vf|eswitch"},
		"1500":       {Interfaces: []string{"gone"}},
		"pause.rx":   {Filter: "eswitch"},
	} {
		f := newFake()
		s := &Settings{Deck: &deck.Deck{Zone: time.UTC}, Read: func() (*linuxhost.Machine, error) { return f.Machine(), nil }}
		s.Privileged = func() bool { return true }
		s.shown = map[bool]string{true: "lo"}[strings.HasPrefix(at.Filter, "vf")]
		stage := viewtest.Open(t, s.Deck, []ui.View{&host{settings: s, at: at}})
		stage.Press("e")
		if text := stage.Text(); !strings.Contains(text, want) || strings.HasPrefix(at.Filter, "vf") && strings.Contains(text, "ring.rx") {
			t.Errorf("%+v shows\n%s", at, text)
		}
	}
}

// TestExport: the draft becomes files, which say nothing without new values.
func TestExport(t *testing.T) {
	t.Parallel()
	f := newFake()
	d := &deck.Deck{Zone: time.UTC}
	path := filepath.Join(t.TempDir(), "change.sh")
	s := &Settings{Deck: d, Privileged: func() bool { return true }, Read: func() (*linuxhost.Machine, error) { return f.Machine(), nil }}
	stage := viewtest.Open(t, d, []ui.View{&host{settings: s, export: path}})
	s.Files = func(_ *linuxhost.Machine, plan linuxhost.Plan, path string) ([]script.File, error) {
		return []script.File{{Path: path, Data: []byte(plan[0].New)}, {Path: path + "-undo", Data: []byte(plan[0].Old)}}, nil
	}
	stage.Press("x")
	if text := stage.Text(); !strings.Contains(text, "no new values to export") {
		t.Errorf("without a draft:\n%s", text)
	}
	stage.Press("e", "down", "enter", "4", "0", "9", "6", "enter", "esc")
	stage.Press("x")
	for name, want := range map[string]string{path: "4096", path + "-undo": "1024"} {
		if data, err := os.ReadFile(name); err != nil || string(data) != want {
			t.Errorf("%s has %q, %v", name, data, err)
		}
	}
}
