package driver

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/fabric"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/stack"
)

// TestWorkloadsSayWhatTheyLack takes away what SMB Direct needs, one thing at a time: the workload uses TCP and says why, its page and
// path say so, and the plan of the port brings RDMA back.
func TestWorkloadsSayWhatTheyLack(t *testing.T) {
	t.Parallel()
	const name, workload = "Ethernet 8", "SMB Direct mirror"
	for reason, operations := range map[string][]Operation{
		"Network Direct is disabled for the whole host":            {stack.SetNetworkDirect{}},
		"RDMA of the adapter is off (*NetworkDirect 0)":            {edit.SetValue{Connection: name, Key: "*NetworkDirect", Value: "0"}, RestartAdapter{name}},
		"the IP address 10.8.0.10 is missing, and so is its GID":   {stack.RemoveAddress{Connection: name, Address: netip.MustParseAddr("10.8.0.10")}},
		"multichannel of the SMB server is off, and SMB Direct":    {stack.SetSMB{Side: stack.ServerSide, Multichannel: new(false)}},
		"multichannel of the SMB client is off, and SMB Direct":    {stack.SetSMB{Side: stack.ClientSide, Multichannel: new(false)}},
		"the SMB client requires signed packets, which SMB Direct": {stack.SetSMB{Side: stack.ClientSide, Sign: new(true)}},
		"the SMB server requires signed packets, which SMB Direct": {stack.SetSMB{Side: stack.ServerSide, Sign: new(true)}},
		"the SMB server requires encryption, which SMB Direct":     {stack.SetSMB{Side: stack.ServerSide, Encrypt: new(true)}},
	} {
		h := newHost(t, 1)
		port := portOf(t, h, name)
		flow, err := h.fabricSet().Flow(workload)
		if err != nil {
			t.Fatal(err)
		}
		if needs := h.WorkloadNeeds(); len(needs) != 0 {
			t.Fatalf("at first %+v are missing", needs)
		}
		applyAll(t, h, operations...)
		h.Advance(6 * time.Second)
		if got := h.lab.Flows()[flow]; got.Protocol != description.TCP || got.ReceiveRate == 0 {
			t.Errorf("%s: the workload uses protocol %d with %.0f b/s", reason, got.Protocol, got.ReceiveRate)
		}
		view := h.QoS()
		list := h.Paths(&view)[port].Needs
		if len(list) != 1 || !strings.Contains(list[0].Text, reason) || !strings.HasPrefix(list[0].Text, workload+" uses TCP in place of RDMA: ") {
			t.Fatalf("%s: the path says %+v", reason, list)
		}
		found := false
		for _, a := range h.View().Adapters {
			for _, p := range a.Ports {
				found = found || p.Port == port && len(p.Needs) == 1 && p.Needs[0] == list[0].Text
			}
		}
		if !found {
			t.Errorf("%s: the view of the port does not say so", reason)
		}
		plan, err := h.AgreementPlan(port)
		if err != nil {
			t.Fatal(err)
		}
		applyAll(t, h, plan.Operations...)
		h.Advance(6 * time.Second)
		for _, need := range h.WorkloadNeeds() {
			if need.Port == port {
				t.Errorf("%s: after the plan %s", reason, need.Why)
			}
		}
		if got := h.lab.Flows()[flow]; got.Protocol != description.RDMA {
			t.Errorf("%s: after the plan the workload uses protocol %d", reason, got.Protocol)
		}
	}
}

// TestProgramsWithoutAFallbackStop: NDSPI needs Network Direct, verbs only the adapter.
func TestProgramsWithoutAFallbackStop(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	applyAll(t, h, fabric.ScaleFlow{Flow: "Weather model over NDSPI", Scale: 1}, fabric.ScaleFlow{Flow: "Order book over RDMA datagrams", Scale: 1},
		stack.SetNetworkDirect{})
	h.Advance(3 * time.Second)
	stops := map[string]string{}
	for _, need := range h.WorkloadNeeds() {
		if need.Stops {
			name := h.lab.Description().Flows[need.Flow].Name
			stops[name] = need.Sentence(name)
		}
	}
	if len(stops) != 1 || stops["Weather model over NDSPI"] != "Weather model over NDSPI stops, because it has only RDMA: Network Direct is disabled for the whole host" {
		t.Errorf("%v", stops)
	}
	for _, f := range h.lab.Flows() {
		if moves := f.ReceiveRate+f.SendRate > 0; f.Name == "Weather model over NDSPI" && moves || f.Name == "Order book over RDMA datagrams" && !moves {
			t.Errorf("%s moves: %v", f.Name, moves)
		}
	}
}
