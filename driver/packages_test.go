package driver

import (
	"net/netip"
	"reflect"
	"slices"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/flash"
	"cxdeck/driver/limits"
	"cxdeck/driver/packages"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/stack"
)

func setupOf(product packages.Product, version string) packages.Setup {
	return packages.Setup{Product: product, File: "setup.exe", Version: version, Platform: "x64", Unattended: true, NoTuning: true}
}

// hostOf returns the default host with another version of Windows.
func hostOf(t *testing.T, system string) *Host {
	t.Helper()
	d := *description.Default()
	d.Host.System = system
	lab, err := device.New(&d, 1)
	if err != nil {
		t.Fatal(err)
	}
	return NewHost(lab)
}

func outcome(h *Host, o packages.Setup) packages.Outcome {
	set := h.Packages()
	return set.Outcome(o)
}

// TestSetupChangesVersions: features come and go with the version of the package, the RoCE mode is kept by an upgrade, and set by a first
// installation.
func TestSetupChangesVersions(t *testing.T) {
	t.Parallel()
	h := hostOf(t, "Windows Server 2016")
	port, _ := h.port("Ethernet 3")
	lacks := func() int {
		n := 0
		for _, l := range limits.All() {
			if l.Part == limits.Driver && h.missingFeature(port, l.Feature) != "" {
				n++
			}
		}
		return n
	}
	now := lacks()
	mustApply(t, h, edit.SetValue{Adapter: flashCard, Key: "driver-roce/roce_mode", Value: "0"})
	mustApply(t, h, setupOf(packages.WinOF, "5.25.50000"))
	h.Advance(20 * time.Second)
	a := h.View().Adapters[2].Description
	if a.Package != "WinOF 5.25.50000" || a.DriverVersion != "5.25.12665" || lacks() <= now || h.miniports[port].state != Running {
		t.Errorf("%+v, lacks %d after %d, %v", a.Versions(), lacks(), now, h.miniports[port].state)
	}
	if h.roceMode(port) != 0 {
		t.Errorf("another version changes the RoCE mode to %d", h.roceMode(port))
	}
	remove := setupOf(packages.WinOF, "5.25.50000")
	remove.Remove = true
	mustApply(t, h, remove)
	h.Advance(20 * time.Second)
	if i := h.packageSet().Installed(packages.WinOF); i.Version != "" || i.Driver == "" || !i.Pending || h.miniports[port].state != Running || h.stack.HasProvider("MLX4ND2") {
		t.Errorf("after the removal: %+v", i)
	}
	if out := outcome(h, setupOf(packages.WinOF, "5.50.52000")); out.Code != 1603 || !out.Stops {
		t.Errorf("while a restart is pending: %+v", out)
	}
	mustApply(t, h, adapters.Reboot{Host: "LAB-N4"})
	h.Advance(2 * time.Minute)
	mustApply(t, h, setupOf(packages.WinOF, "5.50.52000"))
	h.Advance(20 * time.Second)
	if h.roceMode(port) != 2 || lacks() != now || !h.stack.HasProvider("MLX4ND2") {
		t.Errorf("a first installation has RoCE mode %d and lacks %d", h.roceMode(port), lacks())
	}
}

// TestSetupIsSaved saves and restores a host with another package.
func TestSetupIsSaved(t *testing.T) {
	t.Parallel()
	h := hostOf(t, "Windows Server 2016")
	described := h.lab.Description()
	mustApply(t, h, setupOf(packages.WinOF, "5.40.54000"), packages.SetCondition{Condition: "rdsh", On: true})
	h.Advance(20 * time.Second)
	data, err := h.Save()
	if err != nil {
		t.Fatal(err)
	}
	back, err := RestoreHost(described, data)
	if err != nil {
		t.Fatal(err)
	}
	h.Advance(time.Minute)
	back.Advance(time.Minute)
	if !h.lab.Same(back.lab) || !reflect.DeepEqual(h.View(), back.View()) || !reflect.DeepEqual(h.packages, back.packages) {
		t.Error("the restored host differs")
	}
	for name, damage := range map[string]func(*packages.State){
		"unknown product": func(s *packages.State) { s.Products[0].Product = "x" }, "twice": func(s *packages.State) { s.Products = append(s.Products, s.Products[0]) },
		"no driver": func(s *packages.State) { s.Products[0].Driver = "" }, "long": func(s *packages.State) { s.Products[0].Package = string(make([]byte, 5000)) },
		"condition": func(s *packages.State) { s.Conditions = []string{"x"} },
	} {
		state := packages.State{Products: slices.Clone(h.packages.Products)}
		damage(&state)
		if state.Check() == nil {
			t.Errorf("%s: it is valid", name)
		}
	}
}

// TestNoDriverAfterRemoval: Windows Server 2012 R2 has no driver for ConnectX-4 and later cards.
func TestNoDriverAfterRemoval(t *testing.T) {
	t.Parallel()
	h := hostOf(t, "Windows Server 2012 R2")
	port, _ := h.port("Ethernet 7")
	four, _ := h.port("Ethernet 3")
	for _, product := range []packages.Product{packages.WinOF, packages.WinOF2} {
		o := setupOf(product, map[packages.Product]string{packages.WinOF: "5.50.52000", packages.WinOF2: "2.20"}[product])
		o.Remove = true
		mustApply(t, h, o)
		h.Advance(20 * time.Second)
		mustApply(t, h, adapters.Reboot{Host: "LAB-N4"})
		h.Advance(3 * time.Minute)
	}
	if m := &h.miniports[port]; m.state != Failed || m.code != noDriver {
		t.Errorf("ConnectX-5 Ex is %v with code %d", m.state, m.code)
	}
	keys := func() bool {
		value, _ := (partHost{h}).Stored(four, "LogNumQP", registry.BusDriver)
		return value.Exists()
	}
	if h.miniports[four].state != Running || h.roceMode(four) != 0 || !keys() {
		t.Errorf("the driver of Windows is %v with RoCE mode %d", h.miniports[four].state, h.roceMode(four))
	}
	mustApply(t, h, setupOf(packages.WinOF, "5.40.54000"))
	h.Advance(20 * time.Second)
	if !keys() {
		t.Error("5.40 deletes LogNumQP of the driver of Windows")
	}
	mustApply(t, h, setupOf(packages.WinOF2, "2.20"))
	h.Advance(20 * time.Second)
	if h.miniports[port].state != Running {
		t.Errorf("after an installation ConnectX-5 Ex is %v", h.miniports[port].state)
	}
}

// TestReturnCodes has a host for each return code of a setup program.
func TestReturnCodes(t *testing.T) {
	t.Parallel()
	burn := func(change func(*flash.Burn)) func(*testing.T, *Host, *packages.Setup) {
		return func(t *testing.T, h *Host, _ *packages.Setup) {
			o := burnOf("2.40.7000")
			change(&o)
			mustApply(t, h, o)
		}
	}
	for name, c := range map[string]struct {
		code   int
		stops  bool
		before func(t *testing.T, h *Host, o *packages.Setup)
	}{
		"success":   {0, false, func(*testing.T, *Host, *packages.Setup) {}},
		"firmware":  {0, false, burn(func(*flash.Burn) {})},
		"processor": {1633, true, func(_ *testing.T, _ *Host, o *packages.Setup) { o.Platform = "x86" }},
		"system":    {1633, true, func(_ *testing.T, _ *Host, o *packages.Setup) { o.System = "win2012" }},
		"RDSH": {1603, true, func(t *testing.T, h *Host, _ *packages.Setup) {
			mustApply(t, h, packages.SetCondition{Condition: "rdsh", On: true})
		}},
		"disk": {1603, true, func(t *testing.T, h *Host, _ *packages.Setup) {
			mustApply(t, h, packages.SetCondition{Condition: "disk-full", On: true})
		}},
		"not installed": {1603, true, func(t *testing.T, h *Host, o *packages.Setup) {
			o.Remove = true
			mustApply(t, h, *o)
			mustApply(t, h, adapters.Reboot{Host: "LAB-N4"})
			h.Advance(2 * time.Minute)
		}},
		"disabled": {1004, false, func(t *testing.T, h *Host, _ *packages.Setup) {
			mustApply(t, h, adapters.DisableAdapter{Connection: "Ethernet 3"}, adapters.DisableAdapter{Connection: "Ethernet 4"})
		}},
		"several images": {1006, false, burn(func(o *flash.Burn) { o.Image.PSID, o.AllowPSIDChange = "MT_1090111023", true })},
		"force":          {1007, false, burn(func(o *flash.Burn) { o.NotFailsafe, o.Image.ROM = true, "3.4.752" })},
		"mixed":          {1008, false, burn(func(o *flash.Burn) { o.Cut = 40 })},
		"mixed ROM":      {1008, false, burn(func(o *flash.Burn) { o.Image.ROM = "1.0" })},
		"not restored": {3, false, func(t *testing.T, h *Host, _ *packages.Setup) {
			mustApply(t, h, packages.SetCondition{Condition: "settings-not-restored", On: true})
		}},
		"RoCE off": {9, false, func(t *testing.T, h *Host, o *packages.Setup) {
			o.Version = "5.25.50000"
			older := burnOf("2.31.5050")
			older.Image.ROM = "3.4.306"
			mustApply(t, h, older, edit.SetValue{Adapter: flashCard, Key: "driver-roce/roce_mode", Value: "4"})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := hostOf(t, "Windows Server 2016")
			o := setupOf(packages.WinOF, "5.50.52000")
			c.before(t, h, &o)
			if name == "firmware" { // its expansion ROM came with it
				image := burnOf("2.40.7000")
				image.Image.ROM = "3.4.752"
				mustApply(t, h, image)
			}
			out := outcome(h, o)
			if out.Code != c.code || out.Stops != c.stops || (out.Code != 0) != (out.What != "") {
				t.Fatalf("%+v", out)
			}
			if name == "firmware" && (len(out.Burns) != 1 || out.Needs == "") {
				t.Errorf("%+v", out)
			}
			before := h.events.Last()
			mustApply(t, h, o)
			h.Advance(20 * time.Second)
			if found := slices.ContainsFunc(h.EventsAfter(before), func(e eventlog.Event) bool { return e.Key == codesOf(c.code) }); found != (c.code != 0) {
				t.Errorf("the event %q is logged: %t", codesOf(c.code), found)
			}
			if list := h.Dumps().Files.List("MLNX_WinOF.log0"); len(list) != 1 {
				t.Errorf("the logs are %v", list)
			}
		})
	}
}

// codesOf returns the event of a return code.
func codesOf(code int) string {
	return map[int]string{
		1603: "setup.1603", 1633: "setup.1633", 1004: "fwburn.1004", 1005: "fwburn.1005", 1006: "fwburn.1006", 1007: "fwburn.1007", 1008: "fwburn.1008", 3: "restoreconf.3", 9: "fwupgrade.9",
	}[code]
}

// TestSetupAndPrograms: an unattended run closes the programs that hold files of the driver; an attended one leaves the old filter driver in
// memory.
func TestSetupAndPrograms(t *testing.T) {
	t.Parallel()
	for _, unattended := range []bool{true, false} {
		h := hostOf(t, "Windows Server 2016")
		mustApply(t, h, stack.StartServer{Server: stack.TestServer{Tool: "nd_send_bw", Address: netip.MustParseAddr("10.3.0.10")}})
		o := setupOf(packages.WinOF, "5.40.54000")
		o.Unattended = unattended
		before := h.events.Last()
		mustApply(t, h, o)
		h.Advance(20 * time.Second)
		mismatch := slices.ContainsFunc(h.EventsAfter(before), func(e eventlog.Event) bool { return e.Key == "mlx4.ndfltr-mismatch" })
		if closed := len(h.stack.Servers) == 0; closed != unattended || mismatch == unattended {
			t.Errorf("unattended %t: the program is closed: %t, the versions differ: %t", unattended, closed, mismatch)
		}
	}
}

// TestOEMCards: the firmware of cards of other vendors is left alone, and a host without fitting cards is refused.
func TestOEMCards(t *testing.T) {
	t.Parallel()
	d := *description.Default()
	d.Adapters = slices.Clone(d.Adapters)
	d.Adapters[2].PSID, d.Adapters[2].Firmware, d.Host.System = "HP_1380110017", "2.40.7000", "Windows Server 2016"
	lab, err := device.New(&d, 1)
	if err != nil {
		t.Fatal(err)
	}
	if out := outcome(NewHost(lab), setupOf(packages.WinOF, "5.50.52000")); out.Code != 0 || len(out.Burns) != 0 {
		t.Errorf("%+v", out)
	}
	winof, err := description.ParseText(description.NamedLabs()[0].Text())
	if err != nil {
		t.Fatal(err)
	}
	for _, named := range description.NamedLabs() {
		if named.Name == "manual-winof" {
			if winof, err = description.ParseText(named.Text()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if lab, err = device.New(winof, 1); err != nil {
		t.Fatal(err)
	}
	if out := outcome(NewHost(lab), setupOf(packages.WinOF2, "24.4")); out.Code != 1633 {
		t.Errorf("WinOF-2 without a card: %+v", out)
	}
}

// TestCatalogueOfPackages: each package is found by its version, and its firmware exists.
func TestCatalogueOfPackages(t *testing.T) {
	t.Parallel()
	list := packages.Catalogue()
	for i := range list {
		p := &list[i]
		if found, ok := packages.Find(p.Product, p.Version); !ok || found.Version != p.Version || p.Source == "" || len(p.Systems) == 0 {
			t.Errorf("%s %s is found as %+v", p.Product, p.Version, found)
		}
		device, version := uint16(0x1007), p.Firmware
		if p.Product == packages.WinOF2 {
			device, version = 0x1015, "14."+p.Firmware
		}
		if _, ok := flash.FindRelease(device, version); !ok {
			t.Errorf("%s: there is no firmware %s", p, version)
		}
		if i > 0 && list[i-1].Product == p.Product && !limits.Older(list[i-1].Driver, p.Driver) {
			t.Errorf("%s does not follow %s", p, &list[i-1])
		}
	}
}
