package driver

import (
	"reflect"
	"testing"

	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
)

// TestASwitchSetsThePreference holds that a switch without SR-IOV lets its port offer VMQ, that the value from before
// comes back with the removal, and that undo of either gives the same registry, also when somebody set the key between.
func TestASwitchSetsThePreference(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 8"
	plain := virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "Lab", Connection: connection}}
	value := func(h *Host) string {
		port := must(h.port(connection))
		stored, ok := partHost{h}.Stored(port, virtualization.PreferenceKey, registry.Miniport)
		if !ok {
			t.Fatal("the port has no such key")
		}
		return stored.String()
	}
	for name, first := range map[string][]Operation{
		"installed": nil,
		"set":       {edit.SetValue{Connection: connection, Key: virtualization.PreferenceKey, Value: "1"}},
		"as text":   {edit.SetValue{Connection: connection, Key: virtualization.PreferenceKey, Value: "0", Type: registry.Text}},
		"absent": {edit.SetValue{Connection: connection, Key: virtualization.PreferenceKey, Value: "0"},
			edit.DeleteValue{Connection: connection, Key: virtualization.PreferenceKey}},
	} {
		h := newHost(t, 3)
		if first != nil {
			mustApply(t, h, first...)
		}
		before := h.hive.Clone()
		same := func(step string, want *registry.Hive) {
			t.Helper()
			if !reflect.DeepEqual(h.hive.All(), want.All()) {
				t.Errorf("%s: %s leaves %q", name, step, value(h))
			}
		}
		mustApply(t, h, plain)
		if value(h) != "1" {
			t.Errorf("%s: with a switch it is %q", name, value(h))
		}
		made := h.hive.Clone()
		mustApply(t, h, virtualization.RemoveSwitch{Switch: "Lab"})
		same("the removal", before)
		undo(t, h)
		same("its undo", made)
		undo(t, h)
		same("the undo of the switch", before)

		mustApply(t, h, plain)
		mustApply(t, h, edit.SetValue{Connection: connection, Key: virtualization.PreferenceKey, Value: "0"})
		by := h.hive.Clone()
		mustApply(t, h, virtualization.RemoveSwitch{Switch: "Lab"})
		same("the removal after a change by hand", by)
		undo(t, h)
		same("its undo", by)
	}
	h := newHost(t, 3)
	was := value(h)
	mustApply(t, h, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "IOV", Connection: connection, IOV: true}})
	if value(h) != was {
		t.Errorf("a switch with SR-IOV sets it to %q", value(h))
	}
}

func undo(t *testing.T, h *Host) {
	t.Helper()
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
}

// TestAMachineKeepsItsMemoryAndSystem over a save, and a removal that is undone.
func TestAMachineKeepsItsMemoryAndSystem(t *testing.T) {
	t.Parallel()
	h := newHost(t, 3)
	mustApply(t, h, virtualization.CreateVM{VM: virtualization.VMRecord{Name: "m", Memory: 8192, System: "Windows Server 2016"}})
	mustApply(t, h, virtualization.RemoveVM{VM: "m"})
	undo(t, h)
	h, err := RestoreHost(h.lab.Description(), mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range h.View().VMs {
		want, system := virtualization.DefaultMemoryMB, h.View().System
		if m.Name == "m" {
			want, system = 8192, "Windows Server 2016"
		}
		if m.Memory != want || m.System != system {
			t.Errorf("%s has %d MB and %s", m.Name, m.Memory, m.System)
		}
	}
	for _, memory := range []int{-1, 1, 31, 12<<20 + 1} {
		if err := h.Check(Plan{Title: "x", Operations: []Operation{virtualization.CreateVM{VM: virtualization.VMRecord{Name: "n", Memory: memory}}}}); err == nil {
			t.Errorf("a machine has %d MB", memory)
		}
	}
}
