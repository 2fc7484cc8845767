package driver

import (
	"regexp"
	"testing"

	"cxdeck/driver/virtualization"
)

// TestSwitchPortsNameTheirAdapters: each port of a switch has the GUIDs of its machine and adapter, which stay what they
// are, and reports whether the adapter has a queue of its own; the filter platform blocks a machine again when it is
// restarted (VIRT-4).
func TestSwitchPortsNameTheirAdapters(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	sw := virtualization.SwitchRecord{Name: "S", Connection: "Ethernet 8", IOV: true, ManagementOS: true, Extension: virtualization.ExtensionVFP}
	one, two := virtualization.NewVMAdapter("one", "S"), virtualization.NewVMAdapter("two", "S")
	two.VmqWeight = 0
	mustApply(t, h, virtualization.CreateSwitch{Switch: sw}, virtualization.CreateVM{VM: virtualization.VMRecord{Name: "web", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{one, two}}})
	const guid = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
	port := func(adapter string) virtualization.SwitchPortView {
		for _, p := range h.SwitchPorts() {
			if p.Adapter == adapter {
				return p
			}
		}
		t.Fatalf("there is no port for %s", adapter)
		return virtualization.SwitchPortView{}
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
		mustApply(t, h, virtualization.ReleasePort{VM: "web", Adapter: "one", Back: false})
		if port("one").Blocked {
			t.Error("it is blocked though it was taken out of the platform")
		}
		mustApply(t, h, virtualization.SetVMState{VM: "web", State: virtualization.VMOff}, virtualization.SetVMState{VM: "web", State: virtualization.VMRunning})
		if !port("one").Blocked {
			t.Error("it is not blocked again after the machine was restarted")
		}
	}
	if port("one").NIC != nic {
		t.Error("it is called otherwise after a start")
	}
}
