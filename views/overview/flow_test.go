package overview

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

func TestFindTheDropsOfAPort(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 200, nil) // in the middle of a burst
	s := viewtest.Open(t, d, []ui.View{New(d)}, "counters")
	s.Press("s", "s", "s", "home")
	s.Want("sort by place") // it is sorted by drops now
	if first := strings.Split(s.Text(), "\n")[4]; !strings.Contains(first, "ConnectX-4 Lx") || !strings.Contains(first, " i ") {
		t.Fatalf("the adapter that drops most is not at the top: %q", first)
	}
	s.Press("right")
	s.Want("Ethernet 5")
	s.Press("enter")
	s.Want("Why Ethernet 5 is marked", "that it receives", "[ Counters ]")
	s.Press("enter")
	focus, ok := s.ShowArgs["counters"].(deck.Focus)
	received := func(path string) bool {
		return strings.Contains(path, "Ethernet 5") && strings.Contains(path, "Received Discarded")
	}
	if !ok || !strings.HasPrefix(focus.Title, "Ethernet 5: ") || !slices.ContainsFunc(focus.Paths, received) {
		t.Errorf("Enter went to the counters of %+v", s.ShowArgs["counters"])
	}
}

func TestTheKeysOfAnAdapter(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 5, nil)
	s := viewtest.Open(t, d, []ui.View{New(d)}, "registry")
	s.Press("home", "e")
	if focus, ok := s.ShowArgs["registry"].(deck.KeyFocus); !ok || focus.Connection != "Ethernet 7" {
		t.Errorf("e went to the keys of %+v", s.ShowArgs["registry"])
	}
}

func TestPullACableAndUndo(t *testing.T) {
	t.Parallel()
	d := viewtest.Run(t, viewtest.Lab(t))
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	s.Await(d, "rates", func() bool { return v.totals.receive > 0 })
	s.Press("u")
	s.Want("nothing has been changed yet")
	s.Press("/")
	s.Type("ethernet 5")
	s.Press("enter", "home", "down")
	if n := v.node(); n == nil || n.Name != "Ethernet 5" || n.State != perf.StateUp {
		t.Fatalf("the filter leads to %+v", n)
	}
	s.Press("p")
	s.Want("carries your session")
	s.Want("Pull the cable of Ethernet 5?", "It interrupts")
	s.Press("n")
	if len(s.Log) != 0 {
		t.Fatalf("the plan was applied after the answer no: %+v", s.Log)
	}
	s.Press("p", "y", "y") // do it, and still there
	s.AwaitText(d, "○ down")
	s.AwaitText(d, "link is down")
	s.Want("plug cable")
	if len(s.Log) != 1 || !strings.Contains(s.Log[0].What, "Pull the cable of Ethernet 5") {
		t.Errorf("the action log has %+v", s.Log)
	}
	s.Press("u", "y")
	s.AwaitText(d, "● up")
	s.AwaitText(d, "link is up")
	s.Want("pull cable")
}

func TestRestartNamesWhatItInterrupts(t *testing.T) {
	t.Parallel()
	d := viewtest.Run(t, viewtest.Lab(t))
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	s.Await(d, "rates", func() bool { return v.totals.receive > 0 })
	s.Press("home", "R")
	s.Want("Restart ConnectX-5 Ex?", "It interrupts")
	s.Press("y")
	s.AwaitText(d, "link is down")
	if len(s.Log) != 1 || len(s.Log[0].Commands) != 2 || !strings.Contains(s.Log[0].Commands[0], "Restart-NetAdapter") {
		t.Errorf("the action log has %+v", s.Log)
	}
	s.AwaitText(d, "● up")
}

func TestChangesAreRefusedWithAReason(t *testing.T) {
	t.Parallel()
	watched := viewtest.Watch(t, localLab{viewtest.Lab(t)}, 1)
	readOnly := viewtest.Watch(t, viewtest.Lab(t), 1)
	readOnly.ReadOnly = true
	for _, c := range []struct {
		deck *deck.Deck
		want string
	}{{watched, "this machine's adapters are watched, not changed"}, {readOnly, "Read-only mode"}} {
		s := viewtest.Open(t, c.deck, []ui.View{New(c.deck)})
		s.AwaitText(c.deck, "Ethernet 7")
		s.Press("home", "right", "R")
		s.Want(c.want)
		s.Press("p")
		s.Want(c.want)
		if len(s.Log) != 0 {
			t.Errorf("a plan was applied: %+v", s.Log)
		}
	}
}

// localLab presents the lab's adapters as this machine's: it has no method Operator.
type localLab struct{ perf.Source }

func (l localLab) Info() perf.SourceInfo {
	return perf.SourceInfo{Kind: perf.LocalSource, Name: "this machine", Host: "bench"}
}

func TestFoldsAndFilterWithTheMouse(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 20, nil)
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters", "events")
	s.Press("home", "left")
	s.WantNot("▸ Ethernet 7")
	s.Press("l")
	s.Want("▸ Ethernet 7")
	s.Hit("overview.tree", 1, false)
	if n := v.node(); n == nil || n.Name != "Ethernet 7" {
		t.Fatalf("the mouse selected %+v", n)
	}
	s.Press(" ")
	s.Want("▾ Ethernet 7")
	s.Press("left", "left")
	if n := v.node(); n == nil || n.Name != "ConnectX-5 Ex" {
		t.Fatalf("left went to %+v", n)
	}
	s.Hit("overview.tree.head", dropsColumn, false)
	s.Want("sort by place")
	s.Hit("overview.tree.head", dropsColumn, false)
	s.Want("sort by name")
	s.Hit("overview.tree", 1, true)
	if _, ok := s.ShowArgs["counters"].(deck.Focus); !ok {
		t.Error("a double press did not open the counters")
	}
	s.Press("1", "/")
	s.Type("blue")
	s.Want("BlueField-2", "Ethernet 9")
	s.WantNot("ConnectX-4 Lx")
	s.Press("esc")
	s.Want("ConnectX-4 Lx")
	s.Press("b")
	s.Want("GB/s")
	s.Press("tab", "tab", "enter")
	if focus, ok := s.ShowArgs["events"].(deck.EventFocus); !ok || focus.Sequence == 0 {
		t.Errorf("Enter on an event went to %+v", s.ShowArgs["events"])
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
	d := viewtest.WatchLab(t, 70, nil)
	v = shown(d)
	for focus := range partCount {
		v.focus = focus
		viewtest.EverySize(t, v)
	}
}

func TestTheInsideOfAPort(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 90, nil)
	s := viewtest.Open(t, d, []ui.View{New(d)}, "counters")
	s.Resize(80, 24)
	s.Press("home", "down", "tab") // Tab opens the details on a narrow screen
	s.Want("Health")
	s.Press("right")
	s.Want("Rings", "RqNum_", "counters of rings")
	s.Press("tab", "tab")
	s.Resize(200, 60)
	s.Press("home", "down")
	s.Want("Rings", "RqNum_", "CPUs", "% of packets", "Priorities", "Congestion", "ECN marks", "No WQEs")
	s.Press("tab", "right", "right", "right", "right")
	s.Want("counters of congestion")
	s.Press("enter")
	focus, _ := s.ShowArgs["counters"].(deck.Focus)
	if want := `\Mellanox WinOF-2 Congestion Control(Ethernet 7)\Notification Point RoCEv2 ECN Marked Packets`; focus.Title !=
		"Ethernet 7: congestion" || !slices.Contains(focus.Paths, want) {
		t.Errorf("Enter on the congestion of Ethernet 7 went to %+v", focus)
	}
	s.Press("1", "right") // past the last section, no section is chosen
	s.Press("enter")
	if focus, _ := s.ShowArgs["counters"].(deck.Focus); len(focus.Instances) == 0 {
		t.Errorf("Enter with no section chosen went to %+v", focus)
	}
	for _, c := range []struct{ node, has, lacks string }{
		{"Ethernet 3", "RssMonitoringEnabled", "CPU "}, // a key makes WinOF count by processor
		{"Ethernet 4", "RX ", "RssMonitoringEnabled"},  // but never for IPoIB
		{"ConnectX-5 Ex", "Adapter", "Congestion"},
	} {
		v := shown(d)
		for i := range v.rows {
			if v.inventory.Nodes[v.rows[i].node].Name == c.node {
				v.table.List.Select(i)
			}
		}
		v.remember()
		text := viewtest.Body(v, 120, 50).Text()
		if !strings.Contains(text, c.has) || strings.Contains(text, c.lacks) {
			t.Errorf("%s: want %q, and not %q:\n%s", c.node, c.has, c.lacks, text)
		}
	}
}

func TestTheProcessorsOfAWinOFPort(t *testing.T) {
	t.Parallel()
	v := shown(viewtest.WatchLab(t, 30, map[int]driver.Operation{
		2: edit.SetValue{Connection: "Ethernet 3", Key: "RssMonitoringEnabled", Value: "1"},
		3: edit.SetValue{Connection: "Ethernet 3", Key: "RssCountersActivatedAtStartup", Value: "1"},
		4: adapters.RestartAdapter{Connection: "Ethernet 3"},
	}))
	for i := range v.rows {
		if v.inventory.Nodes[v.rows[i].node].Name == "Ethernet 3" {
			v.table.List.Select(i)
		}
	}
	v.remember()
	text := viewtest.Body(v, 120, 40).Text()
	if !strings.Contains(text, "% of packets") || strings.Contains(text, "RssMonitoringEnabled") {
		t.Errorf("RSS counts by processor, and the panel does not say so:\n%s", text)
	}
}

func TestTheInsideOfFunctions(t *testing.T) {
	t.Parallel()
	v := shown(viewtest.WatchLab(t, 90, nil))
	delete(v.folded, v.node().ID)
	v.arrange()
	v.table.List.Select(2) // the physical function has its port's counters
	v.remember()
	if text := viewtest.Body(v, 120, 50).Text(); !strings.Contains(text, "RqNum_") || !strings.Contains(text, "Congestion") {
		t.Errorf("PF:\n%s", text)
	}
	v.table.List.Select(3)
	v.remember()
	if text := viewtest.Body(v, 120, 50).Text(); !strings.Contains(text, "Functions") || !strings.Contains(text, "VF 0") {
		t.Errorf("VFs:\n%s", text)
	}
}
