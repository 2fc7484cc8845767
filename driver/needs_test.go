package driver

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/stack"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

// TestWorkloadsSayWhatTheyLack takes away what SMB Direct needs, one thing at a time: the workload uses TCP and says why, its page and
// path say so, and the plan of the port brings RDMA back.
func TestWorkloadsSayWhatTheyLack(t *testing.T) {
	t.Parallel()
	const name, workload = "Ethernet 8", "SMB Direct mirror"
	for reason, operations := range map[string][]Operation{
		"Network Direct is disabled for the whole host":            {stack.SetNetworkDirect{}},
		"RDMA of the adapter is off (*NetworkDirect 0)":            {edit.SetValue{Connection: name, Key: "*NetworkDirect", Value: "0"}, adapters.RestartAdapter{Connection: name}},
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
		if len(list) != 1 || !strings.Contains(list[0].Text, reason) || !strings.HasPrefix(list[0].Text, "the workload \""+workload+"\" uses TCP in place of RDMA: ") {
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
		if need.Effect == Stops {
			name := h.lab.Description().Flows[need.Flow].Name
			stops[name] = need.Sentence(name)
		}
	}
	if len(stops) != 1 || stops["Weather model over NDSPI"] != "the workload \"Weather model over NDSPI\" stops, because it supports only RDMA: Network Direct is disabled for the whole host" {
		t.Errorf("%v", stops)
	}
	for _, f := range h.lab.Flows() {
		if moves := f.ReceiveRate+f.SendRate > 0; f.Name == "Weather model over NDSPI" && moves || f.Name == "Order book over RDMA datagrams" && !moves {
			t.Errorf("%s moves: %v", f.Name, moves)
		}
	}
}

// TestPlansForRDMA: the reasons that need a restart, a team or a virtual switch to change have plans, too, and after them the workload
// uses RDMA.
func TestPlansForRDMA(t *testing.T) {
	t.Parallel()
	const name, workload = "Ethernet 8", "SMB Direct mirror"
	for _, c := range []struct {
		reason, title string
		operations    []Operation
	}{
		{"the adapter has no RoCE mode", "Set RoCE v2 of Ethernet 8",
			[]Operation{edit.SetValue{Connection: name, Key: "roce_mode", Value: "4"}, adapters.RestartAdapter{Connection: name}}},
		{"the adapter uses RoCE v1, and the peers v2", "Set RoCE v2 of Ethernet 8",
			[]Operation{edit.SetValue{Connection: name, Key: "roce_mode", Value: "0"}, adapters.RestartAdapter{Connection: name}}},
		{"the adapter uses RoCE v1, and the peers v2", "Set RoCE v2 of Ethernet 8",
			[]Operation{edit.SetValue{Connection: name, Key: "*NetworkDirectTechnology", Value: "3"}, adapters.RestartAdapter{Connection: name}}},
		{"the adapter uses RoCE v1, and the peers v2", "Set RoCE v2 of Ethernet 8",
			[]Operation{edit.SetValue{Connection: name, Key: "driver-roce/roce_mode", Value: "0"}, adapters.RestartAdapter{Connection: name}}},
		{"the port is in a team, whose adapter has no RDMA", "Remove Ethernet 8 from the team A",
			[]Operation{teams.Create{Name: "A", Type: "SFT", Family: description.WinOF2}, teams.Attach{Team: "A", Connection: "Ethernet 9", Primary: true},
				teams.Attach{Team: "A", Connection: name}}},
		{"a virtual switch is bound to the port, and no host adapter on the switch has RDMA", "Add a host adapter with RDMA to SET",
			[]Operation{virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "SET", Connection: name, Members: []string{name}}}}},
		{"a virtual switch is bound to the port, and no host adapter on the switch has RDMA", "Turn on RDMA of the host adapter SMB01",
			[]Operation{
				virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "SET", Connection: name, Members: []string{name}}},
				virtualization.AddVMAdapter{Adapter: virtualization.NewVMAdapter("SMB01", "SET")},
			}},
	} {
		h := newHost(t, 1)
		port := portOf(t, h, name)
		flow, err := h.fabricSet().Flow(workload)
		if err != nil {
			t.Fatal(err)
		}
		applyAll(t, h, c.operations...)
		h.Advance(8 * time.Second)
		found := false
		for _, need := range h.WorkloadNeeds() {
			if need.Flow == flow {
				found = need.Why == c.reason && need.Title == c.title && need.Effect == UsesTCP
				if !found {
					t.Errorf("%s: got %q, %q", c.reason, need.Why, need.Title)
				}
			}
		}
		if got := h.lab.Flows()[flow]; !found || got.Protocol == description.RDMA {
			t.Errorf("%s: found %v, protocol %v", c.title, found, got.Protocol)
		}
		plan, err := h.AgreementPlan(port)
		if err != nil {
			t.Fatal(err)
		}
		applyAll(t, h, plan.Operations...)
		h.Advance(8 * time.Second)
		if got := h.lab.Flows()[flow]; got.Protocol != description.RDMA || got.SendRate == 0 {
			t.Errorf("%s: after the plan %+v the workload uses protocol %v with %.0f b/s", c.title, plan.Operations, got.Protocol, got.SendRate)
		}
	}
}

// TestKernelRDMAOfWinOFNeedsFlowControl is the last sentence of ROCE-6: without flow control SMB Direct uses TCP, with global pause or PFC
// RDMA; programs of the verbs are not of the kernel.
func TestKernelRDMAOfWinOFNeedsFlowControl(t *testing.T) {
	t.Parallel()
	const name = "Ethernet 3"
	h := newHost(t, 1)
	port := portOf(t, h, name)
	kernel, err1 := h.fabricSet().Flow("Archive over SMB Direct")
	verbs, err2 := h.fabricSet().Flow("Order book over RDMA datagrams")
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	check := func(when string, rdma bool) {
		t.Helper()
		h.Advance(6 * time.Second)
		list := h.lab.Flows()
		if list[kernel].Protocol == description.RDMA != rdma || list[verbs].Protocol != description.RDMA {
			t.Errorf("%s: SMB Direct uses protocol %v, the verbs %v", when, list[kernel].Protocol, list[verbs].Protocol)
		}
		said := slices.ContainsFunc(h.WorkloadNeeds(), func(n WorkloadNeed) bool { return n.Flow == kernel && n.Why == stack.NoFlowControl })
		if said == rdma {
			t.Errorf("%s: the needs say so: %v", when, said)
		}
	}
	check("with PFC", true)
	applyAll(t, h, qos.SetAdapter{Connection: name}, edit.SetValue{Connection: name, Key: "*FlowControl", Value: "0"}, adapters.RestartAdapter{Connection: name})
	check("without", false)
	applyAll(t, h, edit.SetValue{Connection: name, Key: "*FlowControl", Value: "3"}, adapters.RestartAdapter{Connection: name})
	check("with global pause", true)
	applyAll(t, h, edit.SetValue{Connection: name, Key: "*FlowControl", Value: "0"}, adapters.RestartAdapter{Connection: name})
	check("without again", false)
	plan, err := h.AgreementPlan(port)
	if err != nil {
		t.Fatal(err)
	}
	applyAll(t, h, plan.Operations...)
	check("after the plan", true)
}

// TestStorageSpacesDirectNeeds: a new node lacks all that the manual sets up; the plan of a port provides it, and each need comes back
// alone when its setting is taken away.
func TestStorageSpacesDirectNeeds(t *testing.T) {
	t.Parallel()
	h := storageSpacesHost(t)
	port := portOf(t, h, "SMB 1")
	needs := func() (list []string) {
		for _, need := range h.WorkloadNeeds() {
			if need.Port == port {
				if need.Effect != Unprepared || len(need.Fix) != 1 {
					t.Errorf("%+v", need)
				}
				list = append(list, need.Why)
			}
		}
		return list
	}
	all := []string{
		"Data Center Bridging is not installed", "QoS of SMB 1 is off",
		"the host is willing to take the settings of the switch by DCBX", "no policy gives NetDirect port 445 a priority",
	}
	if got := needs(); !slices.Equal(got, all) {
		t.Fatalf("a new node lacks %q", got)
	}
	plan, err := h.AgreementPlan(port)
	if err != nil {
		t.Fatal(err)
	}
	applyAll(t, h, plan.Operations...)
	view := h.QoS()
	if got := needs(); len(got) != 0 || len(h.Paths(&view)[port].Mismatches) != 0 || !view.Ports[port].Operational.Has(3) {
		t.Fatalf("after the plan it lacks %q, and has %+v", got, h.Paths(&view)[port].Mismatches)
	}
	for _, test := range []struct {
		want      string
		operation Operation
	}{
		{all[0], qos.SetFeature{}},
		{all[1], qos.SetAdapter{Connection: "SMB 1"}},
		{all[2], qos.SetDCBX{Willing: true}},
		{all[3], qos.RemovePolicy{Name: "SMB"}},
	} {
		c := h.Clone()
		applyAll(t, c, test.operation)
		var got []string
		for _, need := range c.WorkloadNeeds() {
			if need.Port == port {
				got = append(got, need.Why)
			}
		}
		if !slices.Equal(got, []string{test.want}) {
			t.Errorf("%s: %q", test.want, got)
		}
	}
	active := qos.Policy{Name: "SMB", NetDirectPort: 445, Priority: new(3), Store: qos.ActiveStore}
	applyAll(t, h, qos.RemovePolicy{Name: "SMB"}, qos.AddPolicy{Policy: active})
	if got := needs(); !slices.Equal(got, []string{"the policy for NetDirect port 445 is only in the active store, which a reboot empties"}) {
		t.Errorf("with a policy in the active store it lacks %q", got)
	}
	if plan, err = h.AgreementPlan(port); err != nil {
		t.Fatal(err)
	}
	applyAll(t, h, plan.Operations...)
	if view = h.QoS(); len(needs()) != 0 || !slices.ContainsFunc(view.Policies, func(p qos.PolicyView) bool {
		return p.Name == "SMB" && p.Store == qos.Persistent && *p.Priority == 3
	}) {
		t.Errorf("the policies are %+v", view.Policies)
	}
}

// storageSpacesHost is a host of the embedded lab for Storage Spaces Direct.
func storageSpacesHost(t *testing.T) *Host {
	t.Helper()
	for _, lab := range description.NamedLabs() {
		if lab.Name == "storage-spaces-direct" {
			d, err := description.ParseText(lab.Text())
			if err != nil {
				t.Fatal(err)
			}
			made, err := device.New(d, 1)
			if err != nil {
				t.Fatal(err)
			}
			return NewHost(made)
		}
	}
	t.Fatal("no such lab")
	return nil
}

// TestStorageSpacesDirectIsSMBDirect: it has the connections of SMB Direct, uses TCP where SMB Direct does, and needs the same.
func TestStorageSpacesDirectIsSMBDirect(t *testing.T) {
	t.Parallel()
	h := storageSpacesHost(t)
	port := portOf(t, h, "SMB 1")
	h.Advance(5 * time.Second)
	if got := h.lab.Flows()[0]; got.Protocol != description.RDMA || got.SendRate == 0 {
		t.Fatalf("without protection it uses protocol %v with %.0f b/s", got.Protocol, got.SendRate)
	}
	applyAll(t, h, stack.SetSMB{Side: stack.ServerSide, Encrypt: new(true)})
	h.Advance(5 * time.Second)
	if got := h.lab.Flows()[0]; got.Protocol != description.TCP || got.SendRate == 0 {
		t.Errorf("with encryption it uses protocol %v with %.0f b/s", got.Protocol, got.SendRate)
	}
	if !slices.ContainsFunc(h.WorkloadNeeds(), func(n WorkloadNeed) bool { return n.Port == port && n.Effect == UsesTCP }) {
		t.Error("no need says that it uses TCP")
	}
}
