package driver

import (
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/packages"
	"cxdeck/driver/registry"
)

// TestTuningBySetup: the setup program of WinOF sets the general tuning unless PERFCHECK=0, an uninstallation restores the values before the first
// tuning, also on a restored host, and the program of WinOF-2 sets nothing.
func TestTuningBySetup(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	port := must(h.port("Ethernet 3"))
	expect := func(when string, want ...string) {
		t.Helper()
		for i, key := range []string{"SackOpts", "FastSendDatagramThreshold", "RssBaseCpu"} {
			if value, _ := (partHost{h}).Stored(port, key, registry.System); value.String() != want[i] {
				t.Errorf("%s: %s is %q, want %q", when, key, value.String(), want[i])
			}
		}
	}
	run := func(product packages.Product, version string, change func(*packages.Setup)) {
		t.Helper()
		o := setupOf(product, version)
		o.NoTuning = false
		change(&o)
		mustApply(t, h, o)
		mustApply(t, h, adapters.Reboot{Host: h.View().Name})
		h.Advance(longestStart)
	}
	old, _ := (partHost{h}).Stored(port, "RssBaseCpu", registry.System)
	before := []string{registry.Value{}.String(), registry.Value{}.String(), old.String()}
	run(packages.WinOF, "5.50.51000", func(o *packages.Setup) { o.NoTuning = true })
	expect("with PERFCHECK=0", before...)
	run(packages.WinOF2, "24.4", func(*packages.Setup) {})
	expect("with WinOF-2", before...)
	run(packages.WinOF, "5.50.52000", func(*packages.Setup) {})
	expect("tuned", "0", "65536", "1")
	run(packages.WinOF, "5.50.51000", func(*packages.Setup) {})
	back, err := RestoreHost(description.Default(), mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	h = back
	expect("tuned again", "0", "65536", "1")
	run(packages.WinOF, "5.50.51000", func(o *packages.Setup) { o.Remove = true })
	expect("uninstalled", before...)
	damaged := packages.State{Products: []packages.Installed{{Product: packages.WinOF, Untuned: []packages.SystemValue{{Key: "SackOpts"}}}}}
	if damaged.Check() == nil {
		t.Error("one of three values is accepted")
	}
}
