package lab

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// opened opens the screen on a running lab.
func opened(t *testing.T) (*deck.Deck, *View, *viewtest.Stage) {
	t.Helper()
	d := viewtest.Run(t, viewtest.Lab(t))
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters", "events")
	s.Await(d, "a sample", func() bool { return v.state != nil && len(v.state.Recent) > 1 })
	return d, v, s
}

func TestPullOfTheMarkedManagementPort(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	mark := adapters.MarkManagement{Connection: "Ethernet 7", Carries: true}
	if _, err := d.Monitor().Apply(t.Context(), driver.Plan{Title: "mark", Operations: []driver.Operation{mark}}); err != nil {
		t.Fatal(err)
	}
	s.Await(d, "the mark", func() bool {
		i := slices.IndexFunc(v.state.Ports, func(p labstate.Port) bool { return p.Description.Connection == mark.Connection })
		return v.state.Ports[i].Management
	})
	s.Press("tab", "tab", "/")
	s.Type("ethernet 7")
	s.Press("enter", "p")
	s.Want("Pull the cable of Ethernet 7?", "carries your session")
}

func TestPullACableAndUndo(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	s.Press("u")
	s.Want("nothing has been changed yet")
	s.Press("tab", "tab", "/")
	s.Type("ethernet 5")
	s.Press("enter", "p")
	s.Want("Pull the cable of Ethernet 5?", "carries your session")
	s.Press("n")
	if len(s.Log) != 0 {
		t.Fatalf("the plan was applied after the answer no: %+v", s.Log)
	}
	s.Press(" ", "y")
	s.Want("Keep this change?")
	s.Press("y")
	s.AwaitText(d, "○ unplugged")
	s.Want("Space plugs it in", "plug cable")
	s.Press("u", "y")
	s.AwaitText(d, "● plugged in")
	if v.port() == nil || !v.port().Cabled {
		t.Error("the cable is unplugged after undo")
	}
	if len(s.Log) != 2 {
		t.Errorf("the action log has %+v", s.Log)
	}
}

func TestStopAndScaleAWorkload(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	s.Press("tab", "/")
	s.Type("web front")
	s.Press("enter")
	s.Await(d, "traffic", func() bool { return v.flow().SendRate > 0 })
	s.Press(" ")
	s.Want("Stop Web front end?", "It interrupts", "(Web front end)")
	s.Press("y")
	s.AwaitText(d, "○ stopped")
	s.Await(d, "silence", func() bool { return v.flow().SendRate+v.flow().ReceiveRate == 0 })
	s.Press("-")
	s.Want("is stopped: Space starts it")
	s.Press(" ")
	s.Await(d, "traffic again", func() bool { return v.flow().Scale == 1 && v.flow().SendRate > 0 })
	s.Press("+")
	s.AwaitText(d, "x1.5")
	s.Press("-", "-")
	s.AwaitText(d, "x0.75")
	s.Press("u")
	s.Await(d, "undo", func() bool { return v.flow().Scale == 1 })
	s.Press("enter")
	if focus, ok := s.ShowArgs["counters"].(deck.Focus); !ok || focus.Title != "Ethernet 5" || !slices.Contains(focus.Instances, "Ethernet 5") {
		t.Errorf("Enter went to the counters of %+v", s.ShowArgs["counters"])
	}
}

func TestSetUpASwitchPort(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	s.Press("tab", "tab", "/")
	s.Type("ethernet 7")
	s.Press("enter")
	s.Await(d, "traffic", func() bool { _, rate := v.traffic(v.port()); return rate > 0 })
	s.Press("e")
	s.Want("Switch port Eth1/7, cabled to Ethernet 7", "MTU, largest frame", "9216")
	s.Press("enter")
	s.Want("Nothing was changed")
	s.Press("right", "e", "down") // also from the page; the form begins at its first field
	s.Press("ctrl+u")
	s.Type("12")
	s.Press("enter")
	s.Want("614 to 65535.")
	s.Press("ctrl+u")
	s.Type("1522")
	s.Press("down", "left", "left", "enter") // PFC, global pause, none
	s.Want("Set up the switch port of Ethernet 7?", "1522 bytes are lost")
	s.Press("y")
	s.AwaitText(d, "(was 9216)")
	d.Exercise = true // the page does not give away what an exercise has changed
	v.page.Stale = true
	s.WantNot("(was 9216)")
	d.Exercise, v.page.Stale = false, true
	s.Want("1522 is lost here.", "The two ends pause in")
	if v.port().Switch.MaxFrame != 1522 || v.port().Switch.FlowControl != 0 {
		t.Errorf("the switch port is %+v", v.port().Switch)
	}
	s.Press("u")
	s.Await(d, "undo", func() bool { return v.port().Switch.MaxFrame == 9216 })
	if got := pauseText(&v.port().Switch); got != "PFC 3" {
		t.Errorf("after undo the switch port pauses by %s", got)
	}
	s.Press("e")
	for range 6 {
		s.Press("up")
	}
	s.Press("down", "down", "down", "down", "down", "down", "down", "down", "down", "down", "down", "left", "down", "ctrl+u")
	s.Type("20")
	s.Press("enter", "y")
	s.Await(d, "a slower slot", func() bool { return slotText(v.port().Slot) == "Gen3 x8" && v.port().ProcessorSpeed == 0.2 })
}

func TestSetUpASubnetManager(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	s.Press("tab", "tab", "/")
	s.Type("ethernet 4")
	s.Press("enter")
	s.Await(d, "traffic", func() bool { _, rate := v.traffic(v.port()); return rate > 0 })
	s.Want("Port state", "ACTIVE", "manager up")
	s.Press("e")
	s.Want("Switch port IB1/4", "Subnet manager", "PCIe slot of the card")
	s.WantNot("PFC on priorities", "ECN marks")
	s.Press("down", "down", "left", "enter") // up, down, absent
	s.Want("Set up the switch port of Ethernet 4?", "no port of the subnet is active")
	s.Press("y")
	s.AwaitText(d, "waits in INIT")
	s.Want("manager absent", "(was up)")
	s.Press("u")
	s.Await(d, "undo", func() bool { return v.port().Up })
}

func TestFormReadsWhatItShows(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 2, nil)
	v := shown(d)
	for i := range v.state.Ports {
		f := newPortForm(v, &v.state.Ports[i])
		for n, field := range f.fields {
			to := v.state.Ports[i]
			if err := field.read(f.text(n), &to); err != nil {
				t.Errorf("%s of %s: %v", field.label, f.port.Description.Connection, err)
			}
			if got := field.show(&to); got != f.text(n) {
				t.Errorf("%s: %q became %q", field.label, f.text(n), got)
			}
		}
		if list, err := f.operations(); err != nil || len(list) != 0 {
			t.Errorf("an untouched form makes %v, %v", list, err)
		}
	}
	for _, text := range []string{"8", "3 9", "x", "-1"} {
		if _, err := priorities(text); err == nil {
			t.Errorf("priorities %q are accepted", text)
		}
	}
	if set, err := priorities("3, 5"); err != nil || set != 1<<3|1<<5 {
		t.Errorf("priorities 3, 5 are %b, %v", set, err)
	}
}

func TestScales(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ at, more, less float64 }{{0, 0.1, 0}, {0.1, 0.25, 0}, {1, 1.5, 0.75}, {1.2, 1.5, 1}, {10, 0, 5}} {
		if stepAbove(c.at) != c.more || stepBelow(c.at) != c.less {
			t.Errorf("from %g it goes up to %g and down to %g", c.at, stepAbove(c.at), stepBelow(c.at))
		}
	}
}

func TestChangesAreRefusedWithAReason(t *testing.T) {
	t.Parallel()
	watched := viewtest.Watch(t, localLab{viewtest.Lab(t)}, 1)
	s := viewtest.Open(t, watched, []ui.View{New(watched)})
	s.AwaitText(watched, "There is no lab to change here: this machine's adapters are watched, not changed")
	for _, key := range []string{" ", "tab", "+", "tab", "e", "p", "u", "enter"} {
		s.Press(key)
	}
	readOnly := viewtest.Watch(t, viewtest.Lab(t), 1)
	readOnly.ReadOnly = true
	r := viewtest.Open(t, readOnly, []ui.View{New(readOnly)})
	r.AwaitText(readOnly, "Ethernet 7")
	r.Press("tab", "tab", "p")
	r.Want("Read-only mode")
	if len(s.Log)+len(r.Log) != 0 {
		t.Errorf("a plan was applied: %+v %+v", s.Log, r.Log)
	}
}

// localLab presents the lab's adapters as this machine's: it has no method Operator.
type localLab struct{ perf.Source }

func (l localLab) Info() perf.SourceInfo {
	return perf.SourceInfo{Kind: perf.LocalSource, Name: "this machine", Host: "bench"}
}

func TestMouse(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 20, nil)
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	s.Hit("lab.ports.title", 2, false)
	s.Hit("lab.ports", 3, false)
	if p := v.port(); v.list != portsPart || p.Description.Connection != "Ethernet 6" {
		t.Fatalf("the mouse selected %+v in list %d", p, v.list)
	}
	s.Hit("lab.workloads", 1, true)
	if focus, ok := s.ShowArgs["counters"].(deck.Focus); !ok || focus.Title != "Ethernet 7" {
		t.Errorf("a double press went to the counters of %+v", s.ShowArgs["counters"])
	}
}

func TestEverySize(t *testing.T) {
	t.Parallel()
	v := New(&deck.Deck{})
	viewtest.EverySize(t, v) // without a monitor
	for _, a := range v.Actions() {
		if a.Run != nil && a.Disabled == "" {
			a.Run()
		}
	}
	v = shown(viewtest.WatchLab(t, 70, nil))
	for focus := range pagePart + 1 {
		v.nextPart(focus)()
		viewtest.EverySize(t, v)
	}
	if len(v.tables[flowsPart].Columns) != flowSpark+1 || !strings.Contains(viewtest.Body(v, 80, 24).Text(), "Ethernet") {
		t.Error("the screen shows no port")
	}
}

func BenchmarkDraw(b *testing.B) {
	v := shown(viewtest.WatchLab(b, 90, nil))
	canvas := viewtest.Body(v, 120, 40)
	b.ReportAllocs()
	for b.Loop() {
		canvas.Clear()
		v.Draw(canvas.All())
	}
}

// BenchmarkData measures the handling of a new sample, with the redraw.
func BenchmarkData(b *testing.B) {
	v := shown(viewtest.WatchLab(b, 90, nil))
	canvas := viewtest.Body(v, 120, 40)
	b.ReportAllocs()
	for b.Loop() {
		v.Update(ui.DataMsg{})
		v.sparks.texts = nil
		canvas.Clear()
		v.Draw(canvas.All())
	}
}
