package driver

import (
	"strings"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/setup"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
)

// flowOf returns the view of a group of flows.
func flowOf(t *testing.T, h *Host, name string) qos.FlowView {
	t.Helper()
	for _, f := range h.QoS().Flows {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no flow %q", name)
	return qos.FlowView{}
}

// restarted sets keys of a port and restarts it.
func restarted(t *testing.T, h *Host, port string, keys ...string) {
	t.Helper()
	for i := 0; i < len(keys); i += 2 {
		mustApply(t, h, edit.SetValue{Connection: port, Key: keys[i], Value: keys[i+1]})
	}
	mustApply(t, h, adapters.RestartAdapter{Connection: port})
	h.Advance(5 * time.Second)
}

// TestTheDSCPOfRDMA holds which DSCP RDMA carries: the table's by priority, the older name's, that of global pause (QOS-12).
func TestTheDSCPOfRDMA(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	const flow, port = "Archive over SMB Direct", "Ethernet 3"
	check := func(what string, want int) {
		t.Helper()
		if f := flowOf(t, h, flow); f.Sent.DSCP != want || f.Received.DSCP != want {
			t.Errorf("%s: RDMA is sent with DSCP %d and comes with %d, want %d", what, f.Sent.DSCP, f.Received.DSCP, want)
		}
	}
	check("by default", 3)
	restarted(t, h, port, "RroceDscpMarkPriorityFlowControl_3", "11")
	check("by the older name", 11)
	restarted(t, h, port, "PriorityToDscpMappingTable_3", "24")
	check("by both names", 24)
	restarted(t, h, port, "*QOS", "0", "*FlowControl", "3")
	check("with global pause", 26)
	restarted(t, h, port, "DscpForGlobalFlowControl", "46")
	check("with another DSCP of global pause", 46)
	for _, s := range pathOf(t, h, port).Settings {
		if s.Name == "DSCP of RDMA" && !strings.HasPrefix(s.Adapter, "46 on 3") {
			t.Errorf("the path shows %q", s.Adapter)
		}
	}
}

// TestPrioritiesOnEachHop holds the priority of RDMA at the host, at the switch port and where its answers arrive, with each
// kind of trust at both ends, and that the plan for what is lost on the way ends the loss (QOS-9 to QOS-13).
func TestPrioritiesOnEachHop(t *testing.T) {
	t.Parallel()
	const flow, port = "SMB Direct reads, volume 1", "Ethernet 7"
	dscp := setup.TrustDSCP
	for name, c := range map[string]struct {
		keys  []string
		trust *setup.Trust
		hops  [3]int
		lost  string
	}{
		"tags":                               {nil, nil, [3]int{3, 3, 3}, ""},
		"the adapter trusts the default map": {[]string{"RxTrustedState", "2"}, nil, [3]int{3, 3, 0}, "Ethernet 7 reads priority 0"},
		"the switch trusts the default map":  {nil, &dscp, [3]int{3, 0, 3}, "Eth1/7 queues RDMA"},
		"both trust a consistent map":        {[]string{"RxTrustedState", "2", "PriorityToDscpMappingTable_3", "24"}, &dscp, [3]int{3, 3, 3}, ""},
		"both trust another map":             {[]string{"RxTrustedState", "2", "PriorityToDscpMappingTable_3", "40"}, &dscp, [3]int{3, 5, 5}, "Eth1/7 queues RDMA"},
	} {
		h := newHost(t, 1)
		if c.keys != nil {
			restarted(t, h, port, c.keys...)
		}
		if c.trust != nil {
			mustApply(t, h, fabric.SetSwitchPort{Connection: port, Trust: c.trust})
		}
		f := flowOf(t, h, flow)
		if got := [3]int{f.Sent.Adapter, f.Sent.Switch, f.Received.Adapter}; got != c.hops {
			t.Errorf("%s: the priorities are %v, want %v", name, got, c.hops)
		}
		n, _ := h.port(port)
		by := moved(h, n, 2*time.Second)
		if by[c.hops[0]] == 0 || by[c.hops[2]] == 0 {
			t.Errorf("%s: the bytes by priority are %v", name, by)
		}
		texts := ""
		for _, m := range pathOf(t, h, port).Mismatches {
			texts += m.Text + "\n"
		}
		if c.lost == "" && texts != "" || !strings.Contains(texts, c.lost) {
			t.Errorf("%s: found %q, want %q", name, texts, c.lost)
		}
		plan, err := h.AgreementPlan(n)
		if err != nil {
			t.Fatal(err)
		}
		if len(plan.Operations) > 0 {
			mustApply(t, h, plan.Operations...)
			h.Advance(5 * time.Second)
		}
		if f := flowOf(t, h, flow); f.Sent.Switch != 3 || f.Received.Adapter != 3 {
			t.Errorf("%s: after the plan the switch reads %d, and the adapter %d", name, f.Sent.Switch, f.Received.Adapter)
		}
	}
}

// TestAPauseProtectsWhatBothEndsQueueAlike: a slow receiver loses frames that the switch has in another queue than the one
// whose pause it asks for, and no others.
func TestAPauseProtectsWhatBothEndsQueueAlike(t *testing.T) {
	t.Parallel()
	dscp := setup.TrustDSCP
	for _, trust := range []bool{false, true} {
		h := newHost(t, 1)
		mustApply(t, h, hardware.SetSlot{Adapter: "ConnectX-5 Ex", Generation: 1, Lanes: 4})
		if trust {
			mustApply(t, h, fabric.SetSwitchPort{Connection: "Ethernet 7", Trust: &dscp})
		}
		h.Advance(5 * time.Second)
		port, _ := h.port("Ethernet 7")
		lost := h.lab.Counters()[counter.PriorityCell(port, 3, counter.PriorityDiscarded)]
		if (lost > 0) != trust {
			t.Errorf("trust in DSCP at the switch %v: %d frames of priority 3 are lost", trust, lost)
		}
	}
}
