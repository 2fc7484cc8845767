package driver

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/virtualization/hyperv"
)

// TestADescriptionOfHyperV has all that a description says of switches, machines and cards.
func TestADescriptionOfHyperV(t *testing.T) {
	t.Parallel()
	d := description.Default()
	mac := description.MAC{0, 2, 3, 4, 5, 6}
	d.Switches = []description.VirtualSwitch{
		{Name: "S", Port: "Ethernet 9", IOV: true, ManagementOS: true, VFP: true},
		{Name: "D", Port: "Ethernet 10", PacketDirect: true, GUID: "{C71781EC-F459-4A8E-ABAC-74CA05F13AE8}"},
		{Name: "E", Port: "Ethernet 5"},
	}
	d.Machines = []description.VirtualMachine{
		{Name: "on", GuestDriver: "24.4", Adapters: []description.VirtualAdapter{
			{Name: "A", Switch: "S", MAC: mac, VLAN: 71, VF: true, SwitchPort: "D6D05AB4-0000-0000-0000-000000000001"},
			{Name: "B", Switch: "D"},
		}},
		{Name: "off", Off: true},
	}
	mode := 1
	for i := range d.Adapters {
		switch a := &d.Adapters[i]; a.Name {
		case "BlueField-2":
			a.Flash = map[string]int{"SRIOV_EN": 1, "NUM_OF_VFS": 5}
		case "ConnectX-3 Pro":
			a.FirmwareVFs, a.SriovPortMode = 12, &mode
		case "ConnectX-5 Ex":
			a.Ports = slices.Clone(a.Ports)
			a.Ports[0].VirtualFunctions, a.Ports[1].VirtualFunctions, a.Ports[1].Switch.Name = 4, 40, "Eth1/8"
		}
	}
	h := NewHost(must(device.New(d, 5)))
	s, direct := h.View().Switches[0], h.View().Switches[1]
	if s.Name != "S" || !s.IOV || !s.ManagementOS || s.Extension != virtualization.ExtensionVFP || s.GUID == "" ||
		direct.Extension != "" || !direct.PacketDirect {
		t.Errorf("the switches are %+v and %+v", s, direct)
	}
	on9, on10 := h.virtual.Ports[must(h.port("Ethernet 9"))].PacketDirect, h.virtual.Ports[must(h.port("Ethernet 10"))].PacketDirect
	if direct.GUID != d.Switches[1].GUID || !on10 || on9 {
		t.Errorf("the switch is %+v", direct)
	}
	on, off := h.View().VMs[0], h.View().VMs[1]
	if on.State != virtualization.VMRunning || on.GuestDriver != "24.4" || off.State != virtualization.VMOff || len(on.Adapters) != 2 {
		t.Errorf("the machines are %+v and %+v", on, off)
	}
	a, b := on.Adapters[0], on.Adapters[1]
	if a.MAC != mac || !a.StaticMAC || a.VLAN != 71 || a.IovWeight != virtualization.FullWeight || !a.Blocked ||
		b.IovWeight != 0 || b.StaticMAC || b.MAC == (description.MAC{}) {
		t.Errorf("the adapters are %+v and %+v", a, b)
	}
	named := func(p virtualization.SwitchPortView) bool {
		return p.Name == d.Machines[0].Adapters[0].SwitchPort && p.Blocked
	}
	if !slices.ContainsFunc(h.SwitchPorts(), named) {
		t.Errorf("the ports are %+v", h.SwitchPorts())
	}
	if list := h.lab.Guests(must(h.port("Ethernet 5"))); list == nil || len(list) > 0 {
		t.Errorf("a switch without machines has %v", list)
	}
	guids := map[string]bool{}
	for _, s := range h.View().Switches {
		guids[s.GUID] = true
	}
	if len(guids) != len(h.View().Switches) {
		t.Errorf("%d switches have %d GUIDs", len(h.View().Switches), len(guids))
	}
	for connection, want := range map[string][2]int{"Ethernet 9": {5, 32}, "Ethernet 7": {40, 32}, "Ethernet 8": {40, 40}, "Ethernet 3": {12, 32}} {
		if s := sriovOf(t, h, connection); s.FirmwareVFs != want[0] || s.NumVFs != want[1] || connection == "Ethernet 8" && s.Open != 40 {
			t.Errorf("%s has %d in the firmware, %d open, NumVFs %d; want %v", connection, s.FirmwareVFs, s.Open, s.NumVFs, want)
		}
	}
	if s := sriovOf(t, h, "Ethernet 3"); s.Mode != 1 {
		t.Errorf("SriovPortMode is %d", s.Mode)
	}
}

// TestADamagedHyperVIsRefused spoils what a saved host has of Hyper-V.
func TestADamagedHyperVIsRefused(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	mustApply(t, h, virtualization.AddNetVirtualization{Records: someRecords()},
		virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: "Ethernet 8"}})
	good := mustSave(t, h)
	for name, spoil := range map[string]func(*virtualization.State){
		"":            func(*virtualization.State) {},
		"a card less": func(v *virtualization.State) { v.Cards = v.Cards[:3] },
		"a port less": func(v *virtualization.State) { v.Ports = v.Ports[:7] },
		"too many switches": func(v *virtualization.State) {
			v.Switches = make([]virtualization.SwitchRecord, virtualization.MaxSwitches+1)
		},
		"a setting of no card":    func(v *virtualization.State) { v.Cards[0].Next = map[string]uint32{"X": 1} },
		"one of another card":     func(v *virtualization.State) { v.Cards[0].Current = map[string]uint32{firmware.TotalVFs: 1} },
		"a setting too high":      func(v *virtualization.State) { v.Cards[0].Current = map[string]uint32{firmware.Functions: 128} },
		"a setting too low":       func(v *virtualization.State) { v.Cards[0].Next = map[string]uint32{firmware.LinkType1: 0} },
		"NumVFs":                  func(v *virtualization.State) { v.Ports[0].NumVFs = 128 },
		"less than none":          func(v *virtualization.State) { v.Ports[0].NumVFs = -1 },
		"two switches of a name":  func(v *virtualization.State) { v.Switches[1].Name = v.Switches[0].Name },
		"a switch on nothing":     func(v *virtualization.State) { v.Switches[1].Connection = "" },
		"a switch on both":        func(v *virtualization.State) { v.Switches[1].Team = "T" },
		"a switch with an escape": func(v *virtualization.State) { v.Switches[1].Name = "\x1b" },
		"two machines of a name":  func(v *virtualization.State) { v.VMs[1].Name = v.VMs[0].Name },
		"no state":                func(v *virtualization.State) { v.VMs[1].State = "Asleep" },
		"a driver's version":      func(v *virtualization.State) { v.VMs[1].GuestDriver = "\x1b" },
		"a machine's name":        func(v *virtualization.State) { v.VMs[1].Name = "" },
		"nine adapters": func(v *virtualization.State) {
			v.VMs[1].Adapters = make([]virtualization.Adapter, virtualization.MaxAdapters+1)
		},
		"a record of NVGRE":     func(v *virtualization.State) { v.Net.Lookups[0].VirtualSubnet = 1 },
		"no port":               func(v *virtualization.State) { v.VMs[1].Adapters[0].Port = 8 },
		"no place":              func(v *virtualization.State) { v.VMs[1].Adapters[0].Slot = counter.GuestSlots },
		"no function":           func(v *virtualization.State) { v.VMs[1].Adapters[0].Function = counter.MaxFunctions },
		"a function twice":      func(v *virtualization.State) { v.VMs[1].Adapters[0].Function = v.VMs[0].Adapters[0].Function },
		"a function of no port": func(v *virtualization.State) { v.VMs[1].Adapters[0].Port = -1 },
		"an adapter's name":     func(v *virtualization.State) { v.VMs[1].Adapters[0].Name = "\x1b" },
		"a long history": func(v *virtualization.State) {
			v.VMs[1].Adapters[0].History = make([]virtualization.VFChange, virtualization.KeptChanges+1)
		},
		"a weight":               func(v *virtualization.State) { v.VMs[1].Adapters[0].IovWeight = 101 },
		"no switch of that name": func(v *virtualization.State) { v.VMs[1].Adapters[0].Switch = "X" },
	} {
		saved, err := readSaved(good)
		if err != nil {
			t.Fatal(err)
		}
		spoil(saved.Virtual)
		bad, err := json.Marshal(saved)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := RestoreHost(h.lab.Description(), bad); (err != nil) != (name != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAnEarlyDriverOpensFewerFunctions has firmware and Windows allow 64 functions, of which WinOF-2 1.21 opens 32 on a
// ConnectX-4 Lx, says so, and writes the event of a request that it can't fulfil.
func TestAnEarlyDriverOpensFewerFunctions(t *testing.T) {
	t.Parallel()
	for version, opens := range map[string]int{"1.21.51000": 32, "24.4.26429": 64} {
		d := description.Default()
		for i := range d.Adapters {
			if a := &d.Adapters[i]; a.Name == "ConnectX-4 Lx" {
				a.DriverVersion, a.Flash = version, map[string]int{"SRIOV_EN": 1, "NUM_OF_VFS": 64}
			}
		}
		d.Host.SpaceMB = 1 << 16
		h := NewHost(must(device.New(d, 5)))
		mustApply(t, h, set("Ethernet 6", "*SRIOV", "1"), virtualization.SetNumVFs{Connection: "Ethernet 6", NumVFs: 64})
		h.Advance(time.Minute)
		s := sriovOf(t, h, "Ethernet 6")
		if s.Open != opens || s.Allowed != opens || strings.Contains(s.Why, "driver 1.21.51000 opens") != (opens == 32) {
			t.Errorf("driver %s opens %d and allows %d: %q", version, s.Open, s.Allowed, s.Why)
		}
		capped := slices.ContainsFunc(h.EventsAfter(0), func(e eventlog.Event) bool { return e.Key == "mlx5.vf-count-capped" })
		if capped != (opens == 32) {
			t.Errorf("driver %s wrote the event of a capped request: %t", version, capped)
		}
	}
}

// TestTheComputerHasSoMuchSpace has the address space of cards to the megabyte: cards get it in their order, and one that
// does not fit leaves it to the next.
func TestTheComputerHasSoMuchSpace(t *testing.T) {
	t.Parallel()
	d := description.Default()
	for i := range d.Adapters {
		if d.Adapters[i].Family == description.WinOF2 {
			d.Adapters[i].Flash = map[string]int{"SRIOV_EN": 1, "NUM_OF_VFS": 10}
		}
	}
	for space, fits := range map[int][3]bool{120: {true, true, true}, 119: {true, true, false}, 79: {true, false, false}, 39: {}} {
		d := *d
		d.Host.SpaceMB = space
		h := NewHost(must(device.New(&d, 5)))
		used := 0
		for i, connection := range []string{"Ethernet 8", "Ethernet 6", "Ethernet 10"} {
			s := sriovOf(t, h, connection)
			if s.Checks[2].OK != fits[i] || (s.Support == hyperv.NoVfBarSpace) == fits[i] {
				t.Errorf("with %d MB %s has room: %t, and says %s", space, connection, s.Checks[2].OK, s.Support)
			}
			if fits[i] {
				used += 40
			}
		}
		if m := h.View().Machine; m.Space != space || m.Used != used {
			t.Errorf("of %d MB %d are used; want %d", m.Space, m.Used, used)
		}
	}
	h := newHost(t, 5)
	mustApply(t, h, virtualization.SetBIOS{Host: "LAB-N4", Above4G: new(false)}, adapters.Reboot{Host: "LAB-N4"})
	if m := h.View().Machine; m.Space != 2048 || m.Above4G {
		t.Errorf("below 4 GB there is %+v", m)
	}
}

// TestOldSystemsHaveNoSRIOV has the first Windows Server that has it, and systems of which nothing is known.
func TestOldSystemsHaveNoSRIOV(t *testing.T) {
	t.Parallel()
	for system, want := range map[string]bool{
		"Windows Server 2008 R2": false, "Windows Server 2012": false, "Windows Server 2012 R2": true, "Windows Server 2019 Datacenter, Hyper-V": true,
		"Azure Stack HCI": true,
	} {
		d := description.Default()
		d.Host.System = system
		h := NewHost(must(device.New(d, 5)))
		if m := h.View().Machine; m.IovSupport != want || (sriovOf(t, h, "Ethernet 7").Open > 0) != want {
			t.Errorf("%s: %t, %v", system, m.IovSupport, m.IovSupportReasons)
		}
	}
}

// TestSpaceOfCardsOfDifferentSizes has what a virtual function takes with each driver, and a card that is too large: it
// leaves the space to later ones.
func TestSpaceOfCardsOfDifferentSizes(t *testing.T) {
	t.Parallel()
	functions := map[string]int{"ConnectX-5 Ex": 30, "ConnectX-4 Lx": 10, "ConnectX-3 Pro": 4}
	for space, c := range map[int]struct {
		fits [3]bool
		used int
	}{
		288: {[3]bool{true, true, true}, 288}, 287: {[3]bool{true, true, false}, 160}, 168: {[3]bool{true, true, false}, 160},
		119: {[3]bool{false, true, false}, 40}, 39: {},
	} {
		d := description.Default()
		for i := range d.Adapters {
			if n := functions[d.Adapters[i].Name]; n > 0 {
				d.Adapters[i].Flash = map[string]int{"SRIOV_EN": 1, "NUM_OF_VFS": n}
			}
		}
		d.Host.SpaceMB = space
		h := NewHost(must(device.New(d, 5)))
		for i, connection := range []string{"Ethernet 7", "Ethernet 5", "Ethernet 3"} {
			if s := sriovOf(t, h, connection); s.Checks[2].OK != c.fits[i] {
				t.Errorf("with %d MB %s has room: %t; %s", space, connection, s.Checks[2].OK, s.Checks[2].Why)
			}
		}
		if m := h.View().Machine; m.Used != c.used {
			t.Errorf("of %d MB %d are used, want %d", space, m.Used, c.used)
		}
	}
}
