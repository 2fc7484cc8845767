package driver

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/dscp"
	"cxdeck/device/setup"
	"cxdeck/driver/fabric"
	"cxdeck/driver/lossless"
	"cxdeck/driver/qos"
)

// TestTheEndsOfTheDefaultLabAgree holds that both ends of every cable agree, but for two kinds of RDMA without protection
// that the default lab has on purpose.
func TestTheEndsOfTheDefaultLabAgree(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	for port, path := range pathsOf(h) {
		d, _, _ := h.lab.Port(port)
		for _, m := range path.Mismatches {
			if d.Connection != "Ethernet 3" && d.Connection != "Ethernet 8" || !strings.Contains(m.Text, " sends RDMA ") {
				t.Errorf("%s: %s", d.Connection, m.Text)
			}
		}
		if ethernet := d.Link == description.Ethernet; ethernet != (len(path.Settings) > 0) {
			t.Errorf("%s has %d settings", d.Connection, len(path.Settings))
		}
	}
}

// TestMismatchesAreFound breaks the agreement of the default lab in one way after the other.
func TestMismatchesAreFound(t *testing.T) {
	t.Parallel()
	const port = "Ethernet 7"
	pfc := func(set uint8) fabric.SetSwitchPort {
		return fabric.SetSwitchPort{Connection: port, FlowControl: new(description.PriorityPause), Lossless: &set}
	}
	far := func(f setup.FarEnd) fabric.SetFarEnd { return fabric.SetFarEnd{Connection: port, Settings: f} }
	for name, c := range map[string]struct {
		change   Operation
		priority int
		text     string
	}{
		"no flow control at the switch": {fabric.SetSwitchPort{Connection: port, FlowControl: new(description.NoFlowControl)}, 3,
			"Ethernet 7 has PFC on 3, but Eth1/7 has no flow control"},
		"global pause at the switch": {fabric.SetSwitchPort{Connection: port, FlowControl: new(description.GlobalPause)}, 3,
			"Ethernet 7 has PFC on 3, but Eth1/7 has global pause"},
		"another priority at the switch": {pfc(1 << 5), 3, "Eth1/7 has no PFC on priority 3"},
		"one more at the switch":         {pfc(1<<3 | 1<<5), 5, "Ethernet 7 has no PFC on priority 5"},
		"short frames at the switch":     {fabric.SetSwitchPort{Connection: port, MaxFrame: new(1518)}, -1, "drops frames above 1518 bytes"},
		"QoS off at the adapter":         {qos.SetAdapter{Connection: port}, 3, "Eth1/7 has PFC on 3, but Ethernet 7 ignores its pause frames"},
		"one more at the host":           {qos.SetFlowControl{Priorities: []int{4}, Enabled: true}, 4, "Eth1/7 has no PFC on priority 4"},
		"RDMA on another priority": {qos.SetPolicy{Policy: qos.Policy{Name: "SMBDirect", NetDirectPort: 445, Priority: new(1)}}, 1,
			"sends RDMA on priority 1, which has no PFC"},
		"other PFC at the second switch port":  {far(setup.FarEnd{Lossless: new(uint8(1 << 5))}), 3, "Eth1/7 has PFC on 3 and the peers' switch port PFC on 5"},
		"more PFC at the second switch port":   {far(setup.FarEnd{Lossless: new(uint8(1<<3 | 1<<5))}), 5, "the peers' switch port has PFC on priority 5 and Eth1/7 does not"},
		"no PFC at the peers":                  {far(setup.FarEnd{AdapterFlowControl: new(description.NoFlowControl)}), 3, "the peers' switch port has PFC on 3 and the peers' adapters off"},
		"the second switch port trusts DSCP":   {far(setup.FarEnd{Trust: new(setup.TrustDSCP)}), 3, "which the peers send with DSCP 3 and priority 3 in the tag, on priority 0"},
		"the peers trust DSCP":                 {far(setup.FarEnd{AdapterTrust: new(setup.TrustDSCP)}), 3, "the peers' adapters read priority 0 from RDMA"},
		"the peers don't slow down":            {far(setup.FarEnd{Reacts: new(uint8(0))}), 3, "ignore the congestion notifications of Ethernet 7 on priority 3"},
		"the peers don't notify":               {far(setup.FarEnd{Notifies: new(uint8(0))}), 3, "send no congestion notifications on priority 3"},
		"notifications are dropped on the way": {far(setup.FarEnd{DropsCNPs: true}), -1, "drops congestion notifications"},
		"RDMA without a policy":                {qos.RemovePolicy{Name: "SMBDirect"}, 0, "(and 2 more) sends RDMA on priority 0, which has no PFC"},
	} {
		h := newHost(t, 1)
		if _, err := h.Apply(Plan{Title: name, Operations: []Operation{c.change}}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		found := false
		for _, m := range pathOf(t, h, port).Mismatches {
			found = found || m.Priority == c.priority && strings.Contains(m.Text, c.text)
		}
		if !found {
			t.Errorf("%s: found %+v, want %q on priority %d", name, pathOf(t, h, port).Mismatches, c.text, c.priority)
		}
	}
}

// TestEveryFixEndsItsMismatch sets the ends of a port up at random, and applies the plan of each mismatch: it can be applied,
// and the mismatch is gone. All of them together leave none that a plan fixes, and undo brings back what was there.
func TestEveryFixEndsItsMismatch(t *testing.T) {
	t.Parallel()
	const port = "Ethernet 7"
	modes := []description.FlowControl{description.NoFlowControl, description.GlobalPause, description.PriorityPause}
	fixed := 0
	for seed := range uint64(90) {
		r := rand.New(rand.NewPCG(seed, 15))
		h := newHost(t, 1)
		for range 4 {
			var o Operation
			switch r.IntN(8) {
			case 6:
				o = fabric.SetFarEnd{Connection: port, Settings: setup.FarEnd{FlowControl: &modes[r.IntN(3)], Lossless: new(uint8(r.IntN(256))), Trust: new(setup.Trust(r.IntN(2) == 0))}}
			case 7:
				o = fabric.SetFarEnd{Connection: port, Settings: setup.FarEnd{AdapterFlowControl: &modes[r.IntN(3)], AdapterLossless: new(uint8(r.IntN(256))),
					AdapterTrust: new(setup.Trust(r.IntN(2) == 0)), Reacts: new(uint8(r.IntN(256))), Notifies: new(uint8(r.IntN(256))), DropsCNPs: r.IntN(2) == 0, DSCP: new(dscp.ConsistentMap())}}
			case 0:
				o = fabric.SetSwitchPort{Connection: port, FlowControl: &modes[r.IntN(3)], Lossless: new(uint8(r.IntN(256)))}
			case 1:
				o = fabric.SetSwitchPort{Connection: port, MaxFrame: new(1000 + r.IntN(9000))}
			case 2:
				o = qos.SetAdapter{Connection: port, Enabled: r.IntN(2) == 0}
			case 3:
				o = qos.SetFlowControl{Priorities: []int{r.IntN(8)}, Enabled: r.IntN(2) == 0}
			case 4:
				o = qos.SetFlowControl{Connection: port, Priorities: []int{r.IntN(8)}, Enabled: r.IntN(2) == 0}
			default:
				o = qos.SetPolicy{Policy: qos.Policy{Name: "SMBDirect", NetDirectPort: 445, Priority: new(r.IntN(8))}}
			}
			_, _ = h.Apply(Plan{Title: "at random", Operations: []Operation{o}}) // one that changes nothing is refused
		}
		at := slices.IndexFunc(pathOf(t, h, port).Mismatches, func(m lossless.Mismatch) bool { return len(m.Fix) > 0 })
		if at < 0 {
			continue
		}
		first := pathOf(t, h, port).Mismatches[at]
		host := h.Clone()
		fix, _ := host.firstFix(portOf(t, h, port))
		if _, err := host.Apply(fix); err != nil {
			t.Fatalf("seed %d: %s: %v", seed, fix.Title, err)
		}
		for _, m := range pathOf(t, host, port).Mismatches {
			if m.Text == first.Text {
				t.Errorf("seed %d: %q is there after %q", seed, m.Text, fix.Title)
			}
		}
		plan, err := h.AgreementPlan(portOf(t, h, port))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		before := h.Clone()
		entry, err := h.Apply(plan)
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, plan.Title, err)
		}
		for _, m := range pathOf(t, h, port).Mismatches {
			if len(m.Fix) > 0 {
				t.Errorf("seed %d: after all plans there is %q", seed, m.Text)
			}
		}
		if _, err := h.UndoEntry(entry.Sequence); err != nil {
			t.Fatalf("seed %d: undo: %v", seed, err)
		}
		if !reflect.DeepEqual(pathsOf(h), pathsOf(before)) {
			t.Errorf("seed %d: undo does not bring the mismatches back", seed)
		}
		fixed++
	}
	if fixed < 40 {
		t.Errorf("only %d hosts had a mismatch", fixed)
	}
}

// pathsOf returns the comparisons of all ports.
func pathsOf(h *Host) []lossless.Path {
	view := h.QoS()
	return h.Paths(&view)
}

// pathOf returns the comparison of the ends of a port.
func pathOf(t *testing.T, h *Host, connection string) lossless.Path {
	t.Helper()
	return pathsOf(h)[portOf(t, h, connection)]
}

// BenchmarkPaths compares the ends of the cables of the large lab, as it is done for every column.
func BenchmarkPaths(b *testing.B) {
	lab, err := device.New(description.Large(), 1)
	if err != nil {
		b.Fatal(err)
	}
	h := NewHost(lab)
	for b.Loop() {
		view := h.QoS()
		h.Paths(&view)
	}
}
