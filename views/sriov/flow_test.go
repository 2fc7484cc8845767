package sriov

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// openScreen runs a source and opens the screen on it.
func openScreen(t *testing.T, source perf.Source, readOnly bool) (*deck.Deck, *View, *viewtest.Stage) {
	t.Helper()
	d := viewtest.Run(t, source)
	d.ReadOnly = readOnly
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	s.Await(d, "a sample", func() bool { return v.state != nil && len(v.state.Loads) > 1 && v.policies != nil })
	return d, v, s
}

// named returns a built-in lab by its name.
func named(t *testing.T, name string) perf.Source {
	t.Helper()
	labs := description.NamedLabs()
	at := slices.IndexFunc(labs, func(l description.NamedLab) bool { return l.Name == name })
	description, err := description.ParseText(labs[at].Text())
	if err != nil {
		t.Fatal(err)
	}
	model, err := device.New(description, 7)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// nic returns the default adapter of a machine in the default lab.
func (v *View) nic(vm string) *virtualization.VMAdapterView {
	return v.scene.nics[nicName(vm, defaultNIC)]
}

// apply confirms a review and waits for the result.
func apply(t *testing.T, d *deck.Deck, s *viewtest.Stage) {
	t.Helper()
	s.Push("Apply")
	s.AwaitText(d, "of the journal")
	s.Press("esc")
}

// TestEnableContinuesAfterReboot enables SR-IOV on a host without any setting, closes the wizard between the parts, and
// undoes all changes.
func TestEnableContinuesAfterReboot(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, named(t, "manual-winof2"), false)
	s.Want("Firmware ✕ no", "n fixes it: the firmware",
		"The firmware has no virtual functions; set SRIOV_EN and NUM_OF_VFS. n fixes it.")
	s.Press("n")
	s.Want("Enable SR-IOV", "to do")
	s.Press("enter", "tab", "tab", "ctrl+u")
	s.Type("8")
	s.Press("enter")
	s.Want("minimum of 8 in the firmware")
	s.Press("enter", "enter", "enter")
	s.Want("~ NUM_OF_VFS of ConnectX-4", "N/A → 8", "Part 1 of 2", "Restart-Computer")
	s.Push("Apply")
	s.AwaitText(d, "part 1 of 2 done")
	s.Press("esc")
	s.Want("resume SR-IOV setup")
	s.Press("n")
	s.Want("*SRIOV", "minimum of 8 in the firmware") // at the step where it continues
	s.Press("enter", "enter", "enter")
	s.Want("Create the SR-IOV switch MlnxSwitch", "IovWeight of vm/testnic", "0 → 100")
	s.Push("Apply")
	s.AwaitText(d, "vm runs on VF 0 of Ethernet")
	s.Press("esc")
	s.Await(d, "traffic", func() bool { return v.rows[1].vf != nil && v.rows[1].load.Receive > 0 })
	s.Want("8 VFs, 1 attached", "● attached")
	s.Press("u")
	s.Want("* Remove the virtual switch MlnxSwitch", "The network of 1 virtual machine stops: vm.")
	s.Press("y")
	s.Await(d, "undo",
		func() bool { return v.scene.ports[0].SRIOV.Attached == 0 && v.scene.nics["vm/testnic"].IovWeight == 0 })
	s.Press("u")
	s.Want("* Reboot LAB-WINOF2", "It interrupts")
	s.Press("y")
	s.Await(d, "undo of the firmware",
		func() bool { return setting(v.cardOf("Ethernet"), settingCount).Current == "N/A" })
}

// TestWizardKeepsItsDraft closes a wizard and finds the typed text again after a restart of the program.
func TestWizardKeepsItsDraft(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for run := range 2 {
		d := viewtest.Run(t, named(t, "manual-winof2"))
		d.DB = db
		v := New(d)
		s := viewtest.Open(t, d, []ui.View{v})
		s.Await(d, "a sample", func() bool { return v.state != nil && v.policies != nil })
		s.Press("n", "enter")
		if run == 0 {
			s.Press("tab", "tab", "ctrl+u")
			s.Type("77")
		}
		s.Want("77")
		s.Press("esc")
		s.Want("resume SR-IOV setup")
	}
}

// TestWinOFCardWithInfiniBandHasNoFunctions checks that one InfiniBand port of a WinOF card rules out functions.
func TestWinOFCardWithInfiniBandHasNoFunctions(t *testing.T) {
	t.Parallel()
	_, v, s := openScreen(t, viewtest.Lab(t), false)
	for connection, has := range map[string]bool{"Ethernet 7": true, "Ethernet 3": false, "Ethernet 4": false} {
		if (v.noSRIOV(connection) == "") != has {
			t.Errorf("%s: %q", connection, v.noSRIOV(connection))
		}
	}
	v.choose(portRowID("Ethernet 3"))
	s.Press("n")
	s.Want("the other port of the card is InfiniBand")
}

// TestConnectX3HasFewerFunctions checks that the highest number offered is the limit of the card's firmware.
func TestConnectX3HasFewerFunctions(t *testing.T) {
	t.Parallel()
	_, _, s := openScreen(t, named(t, "manual-winof"), false)
	s.Press("n", "enter")
	s.Want("NUM_OF_VFS", "1 to 126; 16 are safe")
}

// TestFormulaFollowsTheAnswers checks the manual's example: requests of 24 and 8 share 16 functions as 12 and 4.
func TestFormulaFollowsTheAnswers(t *testing.T) {
	t.Parallel()
	_, v, _ := openScreen(t, named(t, "manual-winof"), false)
	for _, p := range v.scene.order {
		if v.noSRIOV(p.Description.Connection) != "" {
			continue
		}
		facts := v.formula(p, wizard.Values{fieldFirmwareVFs: {Text: "16"}, fieldMode: {Text: "2"},
			fieldPort1: {Text: "24"}, fieldPort2: {Text: "8"}})
		if len(facts) != 2 || facts[0].Word != "12 VFs" || facts[1].Word != "4 VFs" ||
			!strings.Contains(facts[0].Text, "24 x 16 / (24 + 8) = 12") {
			t.Errorf("%+v", facts)
		}
		return
	}
	t.Error("no port of the lab can have functions")
}

func TestDetachAttachAndUndoSeveralAdapters(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, viewtest.Lab(t), false)
	v.choose(vfRowID("Ethernet 7", 0))
	s.Press(" ", " ", "d")
	s.Want("Detach virtual functions: 2 rows", "[x] vm001/Network Adapter", "[x] vm002/Network Adapter",
		"[ ] vm003/Network Adapter")
	s.Press("enter")
	s.Want("IovWeight of vm001/Network Ad", "100 → 0")
	apply(t, d, s)
	s.Await(d, "two on the synthetic path", func() bool {
		return v.nic("vm001").Path == virtualization.PathSynthetic && v.nic("vm002").Path == virtualization.PathSynthetic &&
			v.nic("vm003").Path == virtualization.PathVF
	})
	s.Press("esc")
	v.choose(nicRowID("vm001/" + defaultNIC))
	s.Press("a", "enter")
	apply(t, d, s)
	s.Await(d, "one back", func() bool { return v.nic("vm001").Path == virtualization.PathVF })
	s.Press("u")
	s.Await(d, "undo", func() bool { return v.nic("vm001").IovWeight == 0 })
	s.Press("u")
	s.Await(d, "both back",
		func() bool {
			return v.nic("vm001").Path == virtualization.PathVF && v.nic("vm002").Path == virtualization.PathVF
		})
	s.Press("A")
	if len(v.targetRows()) != 4 {
		t.Errorf("%d target rows", len(v.targetRows()))
	}
	s.Press("c")
	s.Want("Compare 4", "IovWeight", "vm001", "vm004")
	s.Press("esc", "esc")
	if len(v.marked) != 0 {
		t.Errorf("%d are marked", len(v.marked))
	}
	v.choose(vfRowID("Ethernet 7", 1))
	s.Press(" ")
	v.choose(vfRowID("Ethernet 7", 3))
	s.Press("V")
	if len(v.marked) != 3 {
		t.Errorf("%d rows in the range are marked", len(v.marked))
	}
}

func TestQuarantineAndRelease(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, viewtest.Lab(t), false)
	v.choose(vfRowID("Ethernet 7", 1))
	s.Press("z", "tab")
	s.Type("sends spam")
	s.Press("enter")
	s.Want("sends spam", "off the network until it is released")
	apply(t, d, s)
	s.Await(d, "quarantine",
		func() bool {
			return v.nic("vm002").Quarantine == "sends spam" && v.nic("vm002").Path == virtualization.NoPath
		})
	v.choose(nicRowID("vm002/" + defaultNIC))
	s.Want("quarantined", "In quarantine: sends spam", "release")
	s.Press("z", "enter")
	apply(t, d, s)
	s.Await(d, "release", func() bool { return v.nic("vm002").Path == virtualization.PathVF })
}

func TestEditAnAdapter(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, viewtest.Lab(t), false)
	v.choose(vfRowID("Ethernet 7", 0))
	s.Press("e", "enter")
	s.Want("advice for 100 GbE: 8")
	s.Type("00155D010203")
	s.Press("tab", "ctrl+u")
	s.Type("55")
	s.Press("enter")
	s.Want("MAC address of vm001", "VLAN of vm001")
	apply(t, d, s)
	s.Await(d, "the change", func() bool { return v.nic("vm001").VLAN == 55 && v.nic("vm001").StaticMAC })
	s.Press("u")
	s.Await(d, "undo", func() bool { return v.nic("vm001").VLAN == 0 && !v.nic("vm001").StaticMAC })
}

// TestWizardsOfTheList opens each wizard of the list and continues to its review with the proposed values.
func TestWizardsOfTheList(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id   string
		keys []string
		want []string // in the review
	}{
		{numVFsID, []string{"tab", "ctrl+u", "8", "enter"},
			[]string{"NumVFs of Ethernet 7", "32 → 8", "Set-NetAdapterSriov"}},
		{ethertypesID, []string{"tab", "tab", "end", "up", " ", "enter"},
			[]string{"Entry 0 of Ethernet 7", "none → IPv4 (0x0800)", "Restart Ethernet 7"}},
		{dhcpID, []string{"tab", " ", "enter"}, []string{"RedirectVfDHCPToPF of Ethernet 7", "promiscuous mode"}},
		{dhcpID, []string{"tab", " ", "tab", " "}, []string{"without it DHCP stays"}},
		{monitorID, []string{"enter"}, []string{"VfCpuMonFwCpuUsageMax of Ether", "none → 50"}},
		{memoryID, []string{"tab", "4", "0", "9", "6", "enter"}, []string{"MaxFWPagesUsagePerVF of Ethernet 7"}},
		{vmqID, []string{"tab", " ", "enter"}, []string{"VmqWeight of vm001", "100 → 0"}},
		{vmmqID, []string{"enter", "tab", "tab", "ctrl+u", "8", "enter"}, []string{"VmmqQueuePairs of vm001"}},
		// VMMQ is on by default.
		{vmmqID, []string{"tab", " ", "enter", "enter"}, []string{"*RssOnHostVPorts of Ethernet 7", "none → 0"}},
		{rdmaID, []string{"enter"}, []string{"RdmaWeight of vm001", "0 → 100", "100 → 0"}},
		{ndkID, []string{"enter", "enter"}, []string{"RDMA", "Add-VMNetworkAdapter -ManagementOS"}},
		{nvgreRemovalID, []string{"enter"}, []string{"No differences from the current state"}},
	} {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			_, v, s := openScreen(t, viewtest.Lab(t), false)
			v.choose(vfRowID("Ethernet 7", 0))
			s.Press("Z")
			for _, w := range v.wizards() {
				if w.id == c.id {
					break
				}
				s.Press("down")
			}
			s.Press("enter")
			s.Press(c.keys...)
			s.Want(c.want...)
		})
	}
}

// TestPacketDirectAndNVGRE creates switches on a port without a switch, for a machine on another port.
func TestPacketDirectAndNVGRE(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, viewtest.Lab(t), false)
	v.choose(portRowID("Ethernet 8"))
	v.Update(ui.DataMsg{})
	s.Shell.Send(ui.DataMsg{})
	for _, id := range []string{directID, nvgreID} {
		s.Press("Z")
		for _, entry := range v.wizards() {
			if entry.id == id {
				break
			}
			s.Press("down")
		}
		s.Press("enter", "enter")
		if id == nvgreID {
			s.Press("tab", "a", "tab", "tab")
			s.Type("172.16.1.5")
			s.Press("enter", "enter")
			s.Type("192.168.20.1/24")
			s.Press("tab")
			s.Type("172.16.0.0/16")
		}
		s.Press("enter")
		s.Want("Review")
		apply(t, d, s)
		if id == directID {
			s.Await(d, "PacketDirect", func() bool {
				return v.scene.nics["vm001/PacketDirect"] != nil && v.portNamed("Ethernet 8").PacketDirect
			})
			s.Press("u")
			s.Want("It removes the virtual switch PacketDirectSwitch and the adapter PacketDirect")
			s.Press("y")
			s.Await(d, "undo", func() bool {
				return v.scene.nics["vm001/PacketDirect"] == nil && !v.portNamed("Ethernet 8").PacketDirect
			})
		}
	}
	s.Await(d, "NVGRE", func() bool {
		return len(v.scene.host.Net.Lookups) == 1 && v.scene.nics["vm001/NVGRE"].VirtualSubnet == 5001
	})
}

func TestReadOnlyRefuses(t *testing.T) {
	t.Parallel()
	_, v, s := openScreen(t, viewtest.Lab(t), true)
	v.choose(vfRowID("Ethernet 7", 0))
	for _, key := range []string{"n", "Z", "a", "d", "e", "R", "z", "y", "D", "m", "M", "u"} {
		s.Press(key)
		s.Want("read-only")
		s.Press("esc")
	}
}

func TestSortFilterGroupAndMouse(t *testing.T) {
	t.Parallel()
	_, v, s := openScreen(t, viewtest.Lab(t), false)
	s.Press("o", "o")
	if v.group != flat || v.rows[0].group {
		t.Error("the rows still have headings")
	}
	s.Hit(v.Table.ID+".head", int(receiveColumn), false)
	for i := 1; i < len(v.rows); i++ {
		if v.rows[i].load.Receive > v.rows[i-1].load.Receive {
			t.Errorf("row %d receives more than the one before", i)
		}
	}
	s.Hit(v.Table.ID+".head", int(vmColumn), false)
	if v.rows[0].vmName() != "vm001" {
		t.Errorf("the first machine is %q", v.rows[0].vmName())
	}
	s.Press("/")
	s.Type("vm003")
	s.Press("enter")
	if len(v.rows) != 1 || v.rows[0].vmName() != "vm003" {
		t.Errorf("%d rows match", len(v.rows))
	}
	s.Press("esc", "o")
	s.Hit(v.Table.ID, 1, true)
	if focus, ok := s.ShowArgs["counters"].(deck.Focus); !ok || len(focus.Instances) != 1 ||
		!strings.Contains(focus.Instances[0], "VF") {
		t.Errorf("a double click went to %+v", s.ShowArgs["counters"])
	}
}
