package qos

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// still is the screen of a lab that stands still and can be changed, with a connection shown.
func still(t *testing.T, changes map[int]driver.Operation, connection string) (*deck.Deck, *View, *viewtest.Stage) {
	t.Helper()
	d, _ := viewtest.PauseLab(t, 30, changes, nil)
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	s.Await(d, "a port", func() bool { return v.port() != nil })
	v.at = slices.IndexFunc(v.ports, func(at int) bool { return v.state.Ports[at].Description.Connection == connection })
	v.selectionChanged()
	return d, v, s
}

// open opens a wizard of the list by its place there.
func open(s *viewtest.Stage, place int, title string) {
	s.Press("Z")
	s.Want("What for")
	for range place {
		s.Press("down")
	}
	s.Press("enter")
	s.WaitIdle()
	s.Want(title)
}

// retype replaces the text of the field with the focus.
func retype(s *viewtest.Stage, text string) {
	s.Press("ctrl+u")
	s.Type(text)
}

// applied applies the reviewed plan, and waits for its check.
func applied(t *testing.T, d *deck.Deck, s *viewtest.Stage, texts ...string) {
	t.Helper()
	s.Push("Apply")
	s.AwaitText(d, "every check passes")
	s.Want(texts...)
}

// undone undoes the plan by the key of its result.
func undone(d *deck.Deck, s *viewtest.Stage) {
	s.Press("u")
	s.WaitIdle()
	if strings.Contains(s.Text(), "anyway?") || strings.Contains(s.Text(), "Do it?") {
		s.Press("y")
	}
	s.Await(d, "undo", func() bool {
		return slices.ContainsFunc(d.Monitor().Journal(), func(e driver.Entry) bool { return e.Undoes != 0 && e.Err == "" })
	})
}

func TestLosslessWizard(t *testing.T) {
	t.Parallel()
	d, v, s := still(t, map[int]driver.Operation{10: withoutPFC}, "Ethernet 7")
	s.Press("n")
	s.WaitIdle()
	s.Want("Make RDMA lossless", "445")
	s.Golden("wizard-lossless-rdma")
	s.Press("enter")
	s.Want("Share", "No other PFC")
	s.Golden("wizard-lossless-class")
	s.Press("enter")
	s.Want("Congestion control", "Ethernet 7 has PFC on 3")
	s.Golden("wizard-lossless-path")
	s.Press("enter")
	s.WaitIdle()
	s.Want("switch port of Ethernet 7", "flow control")
	s.Golden("wizard-lossless-review")
	applied(t, d, s, "The switch port agrees with the adapter")
	s.Golden("wizard-lossless-result")
	s.Await(d, "agreement", func() bool { return len(v.path().Mismatches) == 0 })
	undone(d, s)
	s.Await(d, "undo", func() bool { return len(v.path().Mismatches) == 1 })
}

func TestTrustWizard(t *testing.T) {
	t.Parallel()
	d, _, s := still(t, nil, "Ethernet 7")
	open(s, 1, "Trust the DSCP")
	s.Golden("wizard-trust")
	s.Press("enter")
	s.Want("Priority 3", "24")
	s.Press("tab", "tab", "tab")
	retype(s, "64")
	s.Press("enter")
	s.Want("integer from 0 to 63")
	retype(s, "26")
	s.Golden("wizard-trust-marks")
	s.Press("enter")
	s.WaitIdle()
	s.Want("RxTrustedState", "PriorityToDscpMappingTable_3")
	s.Golden("wizard-trust-review")
	applied(t, d, s, "Ethernet 7 trusts the DSCP", "Eth1/7 trusts the DSCP", "keeps")
	undone(d, s)
}

func TestSharesWizard(t *testing.T) {
	t.Parallel()
	d, v, s := still(t, nil, "Ethernet 7")
	open(s, 2, "ETS shares")
	s.Press("a")
	s.Type("SMB class")
	s.Press("tab")
	s.Type("8")
	s.Press("enter")
	s.Want("8 is out of range")
	retype(s, "3")
	s.Press("enter")
	s.Golden("wizard-shares-classes")
	s.Press("tab", "enter")
	if !strings.Contains(s.Text(), "Shares of the line") {
		s.Press("enter")
	}
	s.Want("[Default]", "90%", "SMB class", "10%")
	s.Press("down", "right", "right", "-", "-")
	s.Want("99%", "1%") // a class keeps one percent
	s.Press("+", "+", "+", "+", "+", "l", "left")
	s.Want("49%", "51%")
	s.Golden("wizard-shares-bar")
	s.Press("enter")
	s.WaitIdle()
	s.Want("SMB class", "51%")
	applied(t, d, s, "SMB class has 51%: 51%", "[Default] has 49%: 49%")
	s.Await(d, "the class", func() bool { return len(v.state.QoS.Classes) == 2 })
	undone(d, s)
	s.Await(d, "undo", func() bool { return len(v.state.QoS.Classes) == 1 })
}

func TestPauseWizard(t *testing.T) {
	t.Parallel()
	d, _, s := still(t, nil, "Ethernet 7")
	open(s, 3, "Global pause")
	s.Want("global pause and PFC exclude each", "ends")
	s.Golden("wizard-pause")
	s.Press("enter")
	s.WaitIdle()
	s.Want("*FlowControl", "PFC of Ethernet 7")
	s.Golden("wizard-pause-review")
	applied(t, d, s, "Ethernet 7 has no PFC")
	undone(d, s)
	s.Press("esc")
	open(s, 3, "Global pause")
	s.Press("tab", " ", "enter")
	s.Want("the port uses PFC on priority 3")
}

func TestLimitWizard(t *testing.T) {
	t.Parallel()
	d, _, s := still(t, nil, "Ethernet 3")
	open(s, 4, "Limit classes")
	s.Want("only WinOF adapters limit traffic")
	s.Press("tab", "tab", "tab", "tab")
	retype(s, "1250")
	s.Golden("wizard-limit")
	s.Press("enter")
	s.WaitIdle()
	s.Want("Class 3 gets 1200 Mbit/s")
	applied(t, d, s, "Class 3: at most 1200 Mbit/s")
	undone(d, s)
}

func TestCongestionWizard(t *testing.T) {
	t.Parallel()
	d, _, s := still(t, nil, "Ethernet 7")
	open(s, 5, "Congestion control")
	s.Press("enter")
	s.Golden("wizard-congestion")
	s.Press("down")
	s.Want("conservative")
	s.Golden("wizard-congestion-conservative")
	s.Press("enter")
	s.Want("RpgTimeReset", "200")
	s.Press("tab", "tab", "tab", "tab", "tab", "tab", "tab")
	retype(s, "32")
	s.Press("enter")
	s.Want("integer from 1 to 31")
	retype(s, "6")
	s.Golden("wizard-congestion-parameters")
	s.Press("enter")
	s.WaitIdle()
	s.Want("DcqcnRpgThreshold")
	applied(t, d, s, "The parameters are as requested")
	undone(d, s)
}

func TestRoCEWizard(t *testing.T) {
	t.Parallel()
	d, _, s := still(t, nil, "Ethernet 7")
	open(s, 6, "RoCE mode")
	s.Press("tab", "down")
	s.Golden("wizard-roce")
	s.Press("enter")
	s.WaitIdle()
	s.Want("roce_mode", "Both ends of a connection must use the same RoCE mode")
	applied(t, d, s, "RoCE of Ethernet 7 is v1")
	undone(d, s)
}

func TestDroplessWizard(t *testing.T) {
	t.Parallel()
	d, _, s := still(t, nil, "Ethernet 7")
	open(s, 7, "Dropless mode")
	s.Press("tab", "tab")
	retype(s, "101")
	s.Press("enter")
	s.Want("integer from 1 to 100")
	retype(s, "70")
	s.Golden("wizard-dropless")
	s.Press("enter")
	s.WaitIdle()
	s.Want("DelayDropTimeout")
	applied(t, d, s, "Dropless mode of Ethernet 7 is on", "at most 7 ms")
	undone(d, s)
}

// TestWizardsRefuse holds that a recording can't be changed, and that ports that can't be set up can't be chosen.
func TestWizardsRefuse(t *testing.T) {
	t.Parallel()
	d := viewtest.Replay(t, 20, nil)
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	for _, key := range []string{"n", "Z"} {
		s.Press(key)
		s.WantNot("What for", "Make RDMA lossless")
		s.Want("recorded")
	}
	_, _, s = still(t, map[int]driver.Operation{
		5: edit.SetValue{Connection: "Ethernet 9", Key: "roce_mode", Value: "4"}, 6: adapters.RestartAdapter{Connection: "Ethernet 9"},
	}, "Ethernet 4")
	s.Press("n")
	s.WaitIdle()
	s.Want("it has no RoCE", "InfiniBand has service levels")
	s.Press("enter")
	s.Want("Choose at least one")
	s.Press("tab")
	retype(s, "8")
	s.Press("enter")
	s.Want("8 is out of range")
}
