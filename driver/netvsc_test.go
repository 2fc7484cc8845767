package driver

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/virtualization"
)

// TestCoInstallerOf2012R2: the first machine of Windows Server 2012 R2 gets its virtual function, the next one stays on the synthetic path until
// its devices are cleaned and the protocol is installed, in either order; removal, undo and a restored host keep the state.
func TestCoInstallerOf2012R2(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	h.Advance(time.Second)
	for _, name := range []string{"vm001", "vm002", "vm003"} { // they free their virtual functions
		mustApply(t, h, virtualization.SetVMState{VM: name, State: virtualization.VMOff})
	}
	create := func(name, system string) {
		t.Helper()
		a := virtualization.NewVMAdapter(netAdapter, "Switch Ethernet 7")
		a.IovWeight = virtualization.FullWeight
		mustApply(t, h, virtualization.CreateVM{VM: virtualization.VMRecord{
			Name: name, State: virtualization.VMRunning, GuestDriver: "2.70", System: system, Adapters: []virtualization.VMAdapterRecord{a},
		}})
	}
	expect := func(when, name string, path virtualization.Path, why string) {
		t.Helper()
		if a := vmAdapterOf(t, h, name); a.Path != path || !strings.Contains(a.Why, why) || why == "" && a.Why != "" {
			t.Errorf("%s, %s is on the path %s, because %q", when, name, a.Path, a.Why)
		}
	}
	const r2 = "Windows Server 2012 R2"
	create("first", r2)
	create("second", "Windows Server 2012R2 Standard")
	create("newer", "Windows Server 2016")
	expect("created", "first", virtualization.PathVF, "")
	expect("created", "second", virtualization.PathSynthetic, "co-installer")
	expect("created", "newer", virtualization.PathVF, "")
	mustApply(t, h, virtualization.SetNetVSC{VM: "second", Unbound: new(false)})
	expect("with the protocol", "second", virtualization.PathSynthetic, "stale devices")
	mustApply(t, h, virtualization.SetNetVSC{VM: "second", Stale: new(false)})
	expect("with both", "second", virtualization.PathVF, "")
	mustApply(t, h, virtualization.RemoveVM{VM: "second"})
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	expect("removed and restored", "second", virtualization.PathVF, "")
	back, err := RestoreHost(h.lab.Description(), mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	h = back
	expect("loaded", "second", virtualization.PathVF, "")
	for range 2 {
		if _, err := h.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	expect("undone", "second", virtualization.PathSynthetic, "co-installer")
	mustApply(t, h, virtualization.RemoveVM{VM: "first"})
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	expect("removed and restored", "first", virtualization.PathVF, "")
	for _, bad := range []virtualization.SetNetVSC{{VM: "second"}, {VM: "none", Stale: new(false)}, {VM: "first", Stale: new(false)}} {
		if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{bad}}); err == nil {
			text, _ := json.Marshal(bad)
			t.Errorf("%s was applied", text)
		}
	}
}
