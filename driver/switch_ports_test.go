package driver

import (
	"regexp"
	"testing"
)

// TestSwitchPortsNameTheirAdapters: each port of a switch has the GUIDs of its machine and adapter, which stay what they
// are, and says whether the adapter has a queue of its own; the filter platform blocks a machine again when it is started
// anew (VIRT-4).
func TestSwitchPortsNameTheirAdapters(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	sw := SwitchRecord{Name: "S", Connection: "Ethernet 8", IOV: true, ManagementOS: true, Extension: ExtensionVFP}
	one, two := NewVMAdapter("one", "S"), NewVMAdapter("two", "S")
	two.VmqWeight = 0
	mustApply(t, h, CreateSwitch{Switch: sw}, CreateVM{VM: VMRecord{Name: "web", State: VMRunning, Adapters: []VMAdapterRecord{one, two}}})
	const guid = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
	port := func(adapter string) SwitchPortView {
		for _, p := range h.SwitchPorts() {
			if p.Adapter == adapter {
				return p
			}
		}
		t.Fatalf("there is no port for %s", adapter)
		return SwitchPortView{}
	}
	for adapter, form := range map[string]string{"one": guid + "--" + guid, "two": guid + "--" + guid, "S": guid} {
		if nic := port(adapter).NIC; !regexp.MustCompile("^" + form + "$").MatchString(nic) {
			t.Errorf("%s is called %q", adapter, nic)
		}
	}
	if a, b := port("one").NIC, port("two").NIC; a[:36] != b[:36] || a[38:] == b[38:] {
		t.Errorf("the adapters of one machine are %s and %s", a, b)
	}
	if !port("one").VMQ || port("two").VMQ || port("S").VMQ {
		t.Error("queues of their own are not where they were asked for")
	}
	nic := port("one").NIC
	for range 2 {
		mustApply(t, h, ReleasePort{"web", "one", false})
		if port("one").Blocked {
			t.Error("it is blocked though it was taken out of the platform")
		}
		mustApply(t, h, SetVMState{VM: "web", State: VMOff}, SetVMState{VM: "web", State: VMRunning})
		if !port("one").Blocked {
			t.Error("it is not blocked again after the machine was started anew")
		}
	}
	if port("one").NIC != nic {
		t.Error("it is called otherwise after a start")
	}
}
