package driver

import (
	"net/netip"
	"reflect"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/stack"
)

// TestSMBTravelsAsItIsSet holds that SMB Direct moves by TCP, at no lower a rate, where Windows does not use RDMA; that undo brings RDMA
// back; and that a saved host keeps the settings.
func TestSMBTravelsAsItIsSet(t *testing.T) {
	t.Parallel()
	for _, o := range []Operation{
		stack.SetSMB{Side: stack.ClientSide, Multichannel: new(false)}, stack.SetSMB{Side: stack.ClientSide, Sign: new(true)},
		stack.SetSMB{Side: stack.ServerSide, Multichannel: new(false)}, stack.SetSMB{Side: stack.ServerSide, Sign: new(true)},
		stack.SetSMB{Side: stack.ServerSide, Encrypt: new(true)}, stack.SetNetworkDirect{},
	} {
		h := newHost(t, 1)
		protocol := func() (description.Protocol, float64) {
			h.Advance(2 * time.Second)
			f := h.lab.Flows()[0]
			return f.Protocol, f.ReceiveRate + f.SendRate
		}
		if p, rate := protocol(); p != description.RDMA || rate == 0 {
			t.Fatalf("at first %v at %g", p, rate)
		}
		mustApply(t, h, o)
		if p, rate := protocol(); p != description.TCP || rate < 1e9 {
			t.Errorf("%s: %v at %g", o.Describe(), p, rate)
		}
		data, err := h.Save()
		if err != nil {
			t.Fatal(err)
		}
		back, err := RestoreHost(h.lab.Description(), data)
		if err != nil || !reflect.DeepEqual(back.stack, h.stack) {
			t.Errorf("%s: the saved host has %+v, %v", o.Describe(), back.stack, err)
		}
		if _, err := h.Undo(); err != nil {
			t.Fatal(err)
		}
		if p, _ := protocol(); p != description.RDMA || !reflect.DeepEqual(h.stack, stack.State{}) {
			t.Errorf("%s: %v after undo, %+v", o.Describe(), p, h.stack)
		}
	}
}

// TestAddressesComeAndGo holds that the addresses of a connection are its workloads' until they are set, and that undo leaves nothing.
func TestAddressesComeAndGo(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	before := h.Stack().IP("Ethernet 5")
	plan := []Operation{
		stack.AddAddress{Connection: "Ethernet 5", Address: netip.MustParsePrefix("10.77.0.5/16"), Place: 1},
		stack.RemoveAddress{Connection: "Ethernet 5", Address: before.Addresses[0].Addr()},
		stack.SetDNS{Connection: "Ethernet 5", Servers: []netip.Addr{netip.MustParseAddr("10.5.0.2")}}, stack.SetDHCP{Connection: "Ethernet 5", Enabled: true},
	}
	mustApply(t, h, plan...)
	if got := h.Stack().IP("Ethernet 5"); got.Addresses[0].String() != "10.77.0.5/16" || len(got.Addresses) != len(before.Addresses) || got.Static {
		t.Errorf("got %+v", got)
	}
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	if got := h.Stack().IP("Ethernet 5"); !reflect.DeepEqual(got, before) || h.stack.Interfaces != nil {
		t.Errorf("after undo %+v, kept %+v", got, h.stack.Interfaces)
	}
}

// TestExecutionPolicy holds that the policy of PowerShell is stored, that Undefined removes it, and that undo restores it.
func TestExecutionPolicy(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mustApply(t, h, stack.NewExecutionPolicy("AllSigned"))
	mustApply(t, h, stack.NewExecutionPolicy("Undefined"))
	if got := h.Stack().ExecutionPolicy; got != "" {
		t.Errorf("after Undefined it is %q", got)
	}
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	if got := h.Stack().ExecutionPolicy; got != "AllSigned" {
		t.Errorf("after undo it is %q", got)
	}
	if o := stack.NewExecutionPolicy("Default"); o.Policy != stack.DefaultExecutionPolicy {
		t.Errorf("the default is %q", o.Policy)
	}
	for _, o := range []Operation{stack.NewExecutionPolicy("AllSigned"), stack.SetExecutionPolicy{Policy: "Undefined"}, stack.SetExecutionPolicy{Policy: "x"}} {
		if _, err := h.Apply(Plan{Title: "policy", Operations: []Operation{o}}); err == nil {
			t.Errorf("%s was not refused", o.Describe())
		}
	}
}
