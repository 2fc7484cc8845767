package driver

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/subnet"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/request"
)

func TestChangesOfTheLabAndBack(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	port := portOf(t, h, "Ethernet 7")
	_, adapter, _ := h.lab.Port(port)
	wasSwitch, wasSlot := h.lab.SwitchPort(port), h.lab.Slot(adapter)
	mustApply(t, h,
		fabric.ScaleFlow{Flow: "Web front end", Scale: 0}, fabric.BurstFlow{Flow: "Web front end", Packets: 900},
		fabric.SetSwitchPort{Connection: "Ethernet 7", MaxFrame: new(1514), FlowControl: new(description.GlobalPause), MarkMin: new(1000.0)},
		hardware.SetSlot{Adapter: "ConnectX-5 Ex", Generation: 1, Lanes: 4},
		hardware.SetProcessorSpeed{Connection: "Ethernet 7", Speed: 0.5},
	)
	now := h.lab.SwitchPort(port)
	want := wasSwitch
	want.MaxFrame, want.FlowControl, want.Marking.Min = 1514, description.GlobalPause, 1000
	flow, _ := h.fabricSet().Flow("Web front end")
	if !reflect.DeepEqual(now, want) || h.lab.Slot(adapter) != (setup.Slot{Generation: 1, Lanes: 4}) ||
		h.lab.ProcessorSpeed(port) != 0.5 || h.lab.Flows()[flow].Scale != 0 || h.lab.Flows()[flow].Burst != 900 {
		t.Errorf("the changes are %+v, %+v", now, h.lab.Slot(adapter))
	}
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(h.lab.SwitchPort(port), wasSwitch) || h.lab.Slot(adapter) != wasSlot ||
		h.lab.ProcessorSpeed(port) != 1 || h.lab.Flows()[flow].Scale != 1 || h.lab.Flows()[flow].Burst != 0 {
		t.Error("the undo left something")
	}
}

func TestChangesOfTheLabThatAreRefused(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	before := h.Clone()
	for _, o := range []Operation{
		fabric.ScaleFlow{Flow: "Web front end", Scale: 101}, fabric.ScaleFlow{Flow: "Web front end", Scale: -1},
		fabric.BurstFlow{Flow: "Web front end", Packets: -1}, fabric.BurstFlow{Flow: "Web front end", Packets: 65537}, hardware.SetSlot{Adapter: "ConnectX-5 Ex", Generation: 5, Lanes: 16},
		hardware.SetSlot{Adapter: "ConnectX-5 Ex", Generation: 3, Lanes: 3}, hardware.SetProcessorSpeed{Connection: "Ethernet 7", Speed: 0}, fabric.SetSwitchPort{Connection: "Ethernet 7"},
		fabric.SetSwitchPort{Connection: "Ethernet 7", MaxFrame: new(60)}, fabric.SetSwitchPort{Connection: "Ethernet 7", PauseShare: new(1.5)},
	} {
		if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{o}}); err == nil {
			t.Errorf("%s was done", o.Describe())
		}
	}
	if !reflect.DeepEqual(likeness(h), likeness(before)) {
		t.Error("a refused change left something behind")
	}
	var flow *fabric.UnknownFlowError
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{fabric.ScaleFlow{Flow: "nothing", Scale: 1}}}); !errors.As(err, &flow) {
		t.Errorf("an unknown flow: %v", err)
	}
	var card *request.UnknownAdapterError
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{hardware.SetSlot{Adapter: "nothing", Generation: 3, Lanes: 8}}}); !errors.As(err, &card) {
		t.Errorf("an unknown card: %v", err)
	}
}

func TestDescriptionsOfOperations(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, o := range everyOperation() {
		words := o.Describe()
		if words == "" || seen[words] || !strings.Contains(words, o.Target()) {
			t.Errorf("%s is described as %q", o.Kind(), words)
		}
		seen[words] = true
	}
	o := fabric.SetSwitchPort{Connection: "a", MaxFrame: new(1514), FlowControl: new(description.PriorityPause), Lossless: new(uint8(9))}
	if got := o.Describe(); got != "set the switch port of a to frames of 1514 bytes, flow control pfc, lossless priorities 0, 3" {
		t.Errorf("described as %q", got)
	}
}

func TestSubnetManagerOfAnIPoIBPort(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	h.Advance(time.Second)
	from, port := h.events.Last(), portOf(t, h, "Ethernet 4")
	absent := description.SubnetAbsent
	mustApply(t, h, fabric.SetSwitchPort{Connection: "Ethernet 4", SubnetManager: &absent})
	h.Advance(3 * time.Second)
	view := h.View().Adapters[2].Ports[1]
	if view.Port != port || view.Subnet != subnet.Init || view.SubnetManager != absent || view.Up {
		t.Errorf("without subnet manager the port is %+v", view)
	}
	if got := newest(h, from, "Ethernet 4"); !slices.Contains(got, "mlx4.eth-link-down") {
		t.Errorf("the events are %v", got)
	}
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	h.Advance(3 * time.Second)
	if got := newest(h, from, "Ethernet 4"); h.lab.State(port).Subnet != subnet.Active || !slices.Contains(got, "mlx4.eth-link-up") {
		t.Errorf("after the undo the port is %s, with events %v", h.lab.State(port).Subnet, got)
	}
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{fabric.SetSwitchPort{Connection: "Ethernet 7", SubnetManager: &absent}}}); err == nil {
		t.Error("an Ethernet port has a subnet manager")
	}
}
