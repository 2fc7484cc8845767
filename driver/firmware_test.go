package driver

import (
	"slices"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization"
)

// TestFirmwareShows sets each setting that the lab acts on, of the cards of both drivers: it counts from the next
// reboot.
func TestFirmwareShows(t *testing.T) {
	t.Parallel()
	large := description.Large()
	large.Adapters = large.Adapters[:1]
	large.Flows = slices.DeleteFunc(slices.Clone(large.Flows), func(f description.Flow) bool {
		return f.Port != "Ethernet 1" && f.Port != "Ethernet 2"
	})
	large.Faults = nil
	card := func(family description.Family, firmwareVFs int) *description.Description {
		d := *large
		d.Adapters = slices.Clone(large.Adapters)
		a := &d.Adapters[0]
		a.Family, a.FirmwareVFs = family, firmwareVFs
		a.Ports = slices.Clone(a.Ports)
		for i := range a.Ports {
			if a.Ports[i].VirtualFunctions = 10; firmwareVFs > 0 {
				a.Ports[i].VirtualFunctions = 0
			}
		}
		if family == description.WinOF {
			a.DeviceID = 0x1007
		}
		return &d
	}
	const started, failed = Running, Failed
	for _, c := range []struct {
		name, value string
		family      description.Family
		firmwareVFs int
		open        [2]int
		state       [2]AdapterState
	}{
		{"SRIOV_EN", "0", description.WinOF2, 0, [2]int{}, [2]AdapterState{}},
		{"NUM_OF_VFS", "3", description.WinOF2, 0, [2]int{3, 3}, [2]AdapterState{}},
		{"LINK_TYPE_P1", "1", description.WinOF2, 0, [2]int{10, 10}, [2]AdapterState{failed, started}},
		{"LINK_TYPE_P2", "1", description.WinOF2, 0, [2]int{10, 10}, [2]AdapterState{started, failed}},
		{"SRIOV_EN", "0", description.WinOF, 0, [2]int{}, [2]AdapterState{}},
		{"NUM_OF_VFS", "9", description.WinOF, 0, [2]int{4, 4}, [2]AdapterState{}},
		{"LINK_TYPE_P1", "1", description.WinOF, 0, [2]int{10, 10}, [2]AdapterState{failed, started}},
		{"LINK_TYPE_P2", "1", description.WinOF, 0, [2]int{10, 10}, [2]AdapterState{started, failed}},
		{"sriov_en", "false", description.WinOF, 16, [2]int{}, [2]AdapterState{}},
		{"total_vfs", "6", description.WinOF, 16, [2]int{3, 3}, [2]AdapterState{}},
	} {
		lab, err := device.New(card(c.family, c.firmwareVFs), 1)
		if err != nil {
			t.Fatal(err)
		}
		h := NewHost(lab)
		before := [2]int{h.lab.VirtualFunctions(0), h.lab.VirtualFunctions(1)}
		mustApply(t, h, virtualization.SetFirmware{Adapter: large.Adapters[0].Name, Values: []virtualization.FirmwareValue{{Name: c.name, Value: c.value}}})
		if now := [2]int{h.lab.VirtualFunctions(0), h.lab.VirtualFunctions(1)}; now != before {
			t.Errorf("%s=%s counts before the reboot: %v", c.name, c.value, now)
		}
		mustApply(t, h, adapters.Reboot{Host: h.lab.Description().Host.Name})
		h.Advance(longestStart)
		if now := [2]AdapterState{h.State(0), h.State(1)}; now != c.state {
			t.Errorf("%s=%s: the drivers are %v, want %v", c.name, c.value, now, c.state)
		}
		if now := [2]int{h.lab.VirtualFunctions(0), h.lab.VirtualFunctions(1)}; c.state == [2]AdapterState{} && now != c.open {
			t.Errorf("%s=%s: the ports have %v, want %v", c.name, c.value, now, c.open)
		}
	}
}

// TestFirmwareSettingsAreThoseOfTheCatalogue has each setting in both, with bounds that do not contradict each other.
func TestFirmwareSettingsAreThoseOfTheCatalogue(t *testing.T) {
	t.Parallel()
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		known := 0
		for _, r := range registry.Keys(family).Rows {
			if r.Scope != registry.Firmware {
				continue
			}
			known++
			s, ok := firmware.Find(family == description.WinOF, r.Name)
			switch {
			case !ok:
				t.Errorf("%s is in the catalogue alone", r.Name)
			case r.Summary == "":
				t.Errorf("nothing says what %s is", r.Name)
			case r.Max != nil && *r.Max != s.High:
				t.Errorf("%s is %d at most here, and %d in the catalogue", r.Name, s.High, *r.Max)
			}
			for _, choice := range r.Choices {
				if choice.Value < s.Low || choice.Value > s.High {
					t.Errorf("%s can't be %d", r.Name, choice.Value)
				}
			}
		}
		if settings := firmware.Settings(family == description.WinOF); known != len(settings) {
			t.Errorf("the catalogue has %d settings, and the table %d", known, len(settings))
		}
	}
}

// TestFirmwareRefusesWhatNoCardTakes leaves the flash as it is.
func TestFirmwareRefusesWhatNoCardTakes(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	for _, values := range [][]virtualization.FirmwareValue{
		nil, {{Name: "NUM_OF_VFS", Value: "128"}}, {{Name: "SRIOV_EN", Value: "2"}}, {{Name: "sriov_en", Value: "1"}}, {{Name: "LINK_TYPE_P1", Value: "0"}}, {{Name: "SRIOV_EN", Value: "1"}, {Name: "SRIOV_EN", Value: "0"}},
		{{Name: "NUM_OF_VFS", Value: "-1"}}, {{Name: "", Value: "1"}},
	} {
		if _, err := h.Apply(Plan{Title: "refused", Operations: []Operation{virtualization.SetFirmware{Adapter: "ConnectX-5 Ex", Values: values}}}); err == nil {
			t.Errorf("%v was accepted", values)
		}
	}
	view := h.View().Adapters[0].Firmware
	at := func(name string) virtualization.FirmwareView {
		return view[slices.IndexFunc(view, func(f virtualization.FirmwareView) bool { return f.Name == name })]
	}
	if f := at("NUM_OF_VFS"); f.Current != "4" || f.Next != "4" || f.Meaning == "" {
		t.Errorf("NUM_OF_VFS is %+v", f)
	}
	if f := at("LINK_TYPE_P1"); f.Current != "N/A" || f.Default != "2" {
		t.Errorf("LINK_TYPE_P1 is %+v", f)
	}
}

// TestTheFirmwareSaysWhatAPortSpeaks makes the InfiniBand port of a ConnectX-3 one of Ethernet, and back: it does not start
// on the cable that it has (FAM-5), and the other port has virtual functions only while none speaks InfiniBand (IOV-1).
func TestTheFirmwareSaysWhatAPortSpeaks(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	mustApply(t, h, virtualization.SetFirmware{Adapter: "ConnectX-3 Pro", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "8"}}})
	for _, c := range []struct {
		value string
		state AdapterState
		open  int
	}{{"", Running, 0}, {"2", Failed, 4}, {"1", Running, 0}} {
		mustApply(t, h, virtualization.SetFirmware{Adapter: "ConnectX-3 Pro", Values: []virtualization.FirmwareValue{{Name: "LINK_TYPE_P2", Value: c.value}}}, adapters.Reboot{Host: "LAB-N4"})
		h.Advance(longestStart)
		s := sriovOf(t, h, "Ethernet 3")
		if state := h.State(must(h.port("Ethernet 4"))); state != c.state || s.Open != c.open || s.InfiniBand != (c.open == 0) {
			t.Errorf("LINK_TYPE_P2 %q: Ethernet 4 is %v, and Ethernet 3 has %d functions: %s", c.value, state, s.Open, s.Why)
		}
	}
}

// TestThePortWithoutFunctionsHasNoRoCE assigns all virtual functions of a ConnectX-3 to one port (IOV-2): the other one is
// native Ethernet until the ports share them again.
func TestThePortWithoutFunctionsHasNoRoCE(t *testing.T) {
	t.Parallel()
	h := namedHost(t, "manual-winof")
	mustApply(t, h, virtualization.SetFirmware{Adapter: "ConnectX-3", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "16"}}})
	for mode, want := range map[int][2]bool{0: {true, false}, 1: {false, true}, 2: {true, true}} {
		mustApply(t, h, adapters.SetSriovPorts{Adapter: "ConnectX-3", Mode: mode, Port1: 16, Port2: 16}, adapters.Reboot{Host: "LAB-N4LABJSS5EE"})
		h.Advance(longestStart)
		for i, connection := range []string{"Ethernet 2", "Ethernet 3"} {
			if on := h.lab.Settings(must(h.port(connection))).RoCE != description.NoRoCE; on != want[i] {
				t.Errorf("SriovPortMode %d: RoCE of %s is on: %t", mode, connection, on)
			}
		}
	}
}

// TestEachSwitchOfTheBIOSWaitsForAReboot alone, and for no other.
func TestEachSwitchOfTheBIOSWaitsForAReboot(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]virtualization.SetBIOS{
		"SR-IOV": {Host: "LAB-N4", SRIOV: new(false)}, "virtualization": {Host: "LAB-N4", Virtualization: new(false)},
		"addresses above 4 GB": {Host: "LAB-N4", Above4G: new(false)},
	} {
		h := newHost(t, 1)
		if h.virtual.NeedsBoot() {
			t.Fatal("a fresh host waits for a reboot")
		}
		if mustApply(t, h, o); !h.virtual.NeedsBoot() {
			t.Errorf("%s alone does not wait for a reboot", name)
		}
		mustApply(t, h, adapters.Reboot{Host: "LAB-N4"})
		if h.Advance(2 * time.Minute); h.virtual.NeedsBoot() {
			t.Errorf("%s waits for a reboot after one", name)
		}
	}
}

// TestFirmwareSettingsAreThoseOfTheDriver: a card shows the settings that its driver's cards have, of the ports that it has.
func TestFirmwareSettingsAreThoseOfTheDriver(t *testing.T) {
	t.Parallel()
	for _, a := range newHost(t, 1).View().Adapters {
		var want, got []string
		for _, s := range firmware.Settings(a.Description.Family == description.WinOF) {
			if s.Port <= len(a.Description.Ports) {
				want = append(want, s.Name)
			}
		}
		for _, f := range a.Firmware {
			got = append(got, f.Name)
			if f.Meaning == "" {
				t.Errorf("%s: nothing says what %s is", a.Description.Name, f.Name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s shows %v, want %v", a.Description.Name, got, want)
		}
	}
}
