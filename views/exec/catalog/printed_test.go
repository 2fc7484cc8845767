package catalog

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/boot"
	"cxdeck/driver/dump"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/journal"
	"cxdeck/driver/mpi"
	"cxdeck/driver/opensm"
	"cxdeck/driver/packages"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/services"
	"cxdeck/driver/stack"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

// printedPlan is a plan whose printed lines are run by exec, after other plans.
type printedPlan struct {
	first, plan []driver.Operation
	// own is the part of the saved host that no line of a real host can set; empty for none.
	own string
}

func printedPlans() []printedPlan {
	const name, card3 = "Ethernet 7", "ConnectX-3 Pro"
	type ops = []driver.Operation
	machine := virtualization.CreateVM{VM: virtualization.VMRecord{Name: "web 1", Memory: 2048, Adapters: []virtualization.VMAdapterRecord{
		virtualization.NewVMAdapter("Network Adapter", "Switch "+name), virtualization.NewVMAdapter("Backup", ""),
	}}}
	iov := virtualization.CreateVM{VM: virtualization.VMRecord{Name: "it’s [x]", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{
		func() virtualization.VMAdapterRecord {
			a := virtualization.NewVMAdapter("A", "Switch "+name)
			a.IovWeight, a.VLAN, a.RdmaWeight, a.VmmqEnabled, a.MAC, a.StaticMAC = 100, 70, 100, false,
				description.MAC{0, 0x15, 0x5d, 1, 2, 3}, true
			return a
		}(),
	}}}
	plainSwitch := virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "Lab", Connection: "Ethernet 8", ManagementOS: true}}
	service := services.Create{Service: services.Service{Name: "OpenSM", Binary: opensm.Program + " -service", Start: services.Automatic}}
	teamMLX4 := ops{teams.Create{Name: "T 1", Type: "AFT", Family: description.WinOF},
		teams.Attach{Team: "T 1", Connection: "Ethernet 3", Primary: true}}
	teamWindows := ops{teams.Create{Name: "W", Type: "SFT", Family: description.WinOF2},
		teams.Attach{Team: "W", Connection: "Ethernet 8"}}
	records := virtualization.NetVirtualization{
		Lookups: []virtualization.LookupRecord{{
			CustomerAddress: netip.MustParseAddr("172.16.14.5"), ProviderAddress: netip.MustParseAddr("192.168.20.114"),
			VirtualSubnet: 5001, MAC: description.MAC{0, 0x15, 0x5d, 0x72, 1, 0},
		}},
		CustomerRoutes: []virtualization.CustomerRoute{{
			RoutingDomain: "{11111111-2222-3333-4444-000000005001}", VirtualSubnet: 5001, Metric: 255,
			Prefix: netip.MustParsePrefix("172.16.0.0/16"), NextHop: netip.MustParseAddr("0.0.0.0"),
		}},
		ProviderAddresses: []virtualization.ProviderAddress{{
			Connection: "Ethernet 3", Address: netip.MustParseAddr("192.168.20.113"), PrefixLength: 24,
		}},
		ProviderRoutes: []virtualization.ProviderRoute{{
			Connection: "Ethernet 3", Prefix: netip.MustParsePrefix("0.0.0.0/0"), NextHop: netip.MustParseAddr("192.168.20.1"),
		}},
	}
	smbClass := qos.AddClass{Class: qos.Class{Name: "SMB class", Algorithm: qos.ETS, Bandwidth: 50, Priorities: 8}}
	partition := fabric.AddPartition{Connection: "Ethernet 4", Name: "ipoib_4_1", Virtual: "Ethernet 11"}
	capture := ops{edit.SetValue{Connection: "Ethernet 3", Key: "RssMonitoringEnabled", Value: "1"},
		adapters.RestartAdapter{Connection: "Ethernet 3"}, hardware.StartCapture{Connection: "Ethernet 3", Packets: 1024, Bytes: 128}}
	empty := ops{virtualization.RemoveVM{VM: "vm001"}, virtualization.RemoveVM{VM: "vm002"}, virtualization.RemoveVM{VM: "vm003"}, virtualization.RemoveVM{VM: "vm004"},
		virtualization.RemoveSwitch{Switch: "Switch Ethernet 7"}}
	return []printedPlan{
		{first: empty, plan: ops{virtualization.SetRole{}}}, {first: append(slices.Clone(empty), virtualization.SetRole{}), plan: ops{virtualization.SetRole{Installed: true}}},
		{plan: ops{stack.SetSMB{Side: stack.ClientSide, Multichannel: new(false)}}},
		{plan: ops{stack.SetSMB{Side: stack.ServerSide, Sign: new(true), Encrypt: new(true)}}}, {plan: ops{stack.SetNetworkDirect{}}},
		{plan: ops{stack.AddAddress{Connection: "Ethernet 5", Address: netip.MustParsePrefix("10.77.0.5/16")}}},
		{plan: ops{stack.RemoveAddress{Connection: "Ethernet 5", Address: netip.MustParseAddr("10.5.0.10")}}},
		{plan: ops{stack.SetDNS{Connection: "Ethernet 5", Servers: []netip.Addr{netip.MustParseAddr("10.5.0.2"), netip.MustParseAddr("fd00::2")}}}},
		{plan: ops{stack.SetDHCP{Connection: "Ethernet 5", Enabled: true}}},
		{plan: ops{stack.StartServer{Server: stack.TestServer{Tool: "nd_send_bw", Address: netip.MustParseAddr("10.5.0.10")}}}},
		{plan: ops{boot.Change{What: "set up the deployment server", Line: `wdsutil /Initialize-Server /RemInst:C:\RemoteInstall`, WDS: &boot.WDS{Ready: true, Address: netip.MustParseAddr("11.4.12.65")}}}},
		{plan: ops{mpi.SetHost{Port: new(19020)}}}, {first: ops{mpi.SetHost{Port: new(19020)}}, plan: ops{mpi.SetHost{Port: new(0)}}},
		{plan: ops{stack.SetProvider{Provider: "MLX4ND2"}}}, {first: ops{stack.SetProvider{Provider: "MLX5ND"}}, plan: ops{stack.SetProvider{Provider: "MLX5ND", Installed: true}}},
		{plan: ops{service}}, {first: ops{service}, plan: ops{services.Start{Name: "OpenSM"}}}, {first: ops{service}, plan: ops{services.Delete{Name: "OpenSM"}}},
		{plan: ops{services.Create{Service: services.Service{Name: "a b", Display: "it's", Description: "x", Binary: service.Service.Binary, Start: services.Delayed, Running: true}}}},
		{first: ops{service, services.Start{Name: "OpenSM"}}, plan: ops{services.Stop{Name: "OpenSM"}}},
		{first: ops{service}, plan: ops{services.Configure{Name: "OpenSM", Start: new(services.Disabled), Display: new("SM 1"), Description: new("d"), Binary: new("x.exe -a")}}},
		{plan: ops{opensm.Start{Arguments: []string{"-p", "3", "-f", `C:\a b.log`}}}}, {first: ops{opensm.Start{PID: 3600}}, plan: ops{opensm.Stop{PID: 3600}}},
		{plan: ops{stack.SetExecutionPolicy{Policy: "AllSigned"}}}, {first: ops{stack.SetExecutionPolicy{Policy: "Bypass"}}, plan: ops{stack.SetExecutionPolicy{}}},
		{plan: ops{virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "Both", Connection: "Ethernet 8", Members: []string{"Ethernet 8", "Ethernet 5"}, Balance: virtualization.Dynamic}},
			virtualization.AddVMAdapter{Adapter: virtualization.NewVMAdapter("SMB01", "Both")},
			virtualization.SetVMAdapter{Adapter: "SMB01", Mapping: new("Ethernet 5"), PriorityTag: new(true), JumboPacket: new(9014)}}},
		{plan: ops{qos.SetFeature{}}}, {first: ops{qos.SetFeature{}}, plan: ops{qos.SetFeature{Installed: true}}},
		{plan: ops{qos.AddPolicy{Policy: qos.Policy{Name: "TCP1", Store: qos.ActiveStore, Protocol: qos.TCP, SourcePorts: qos.Range{First: 80, Last: 80},
			DestinationPorts: qos.Range{First: 31000, Last: 31999}, Priority: new(0), DSCP: new(16)}}}},
		{plan: ops{qos.AddPolicy{Policy: qos.Policy{Name: "it's", Program: "a b.exe", Port: 445, DSCP: new(0)}}}},
		{plan: ops{qos.AddPolicy{Policy: qos.Policy{Name: "any", Priority: new(2)}}}},
		{plan: ops{qos.AddPolicy{Policy: qos.Policy{Name: "rest", Template: qos.Default, Priority: new(2)}}}},
		{plan: ops{qos.SetPolicy{Policy: qos.Policy{Name: "SMBDirect", Template: "SMB", Priority: new(4)}}}},
		{plan: ops{qos.RemovePolicy{Name: "SMBDirect"}}},
		{first: ops{qos.AddPolicy{Policy: qos.Policy{Name: "SMBDirect", Store: qos.ActiveStore, Protocol: qos.UDP, Priority: new(1)}}},
			plan: ops{qos.RemovePolicy{Name: "SMBDirect", Store: qos.ActiveStore}}},
		{plan: ops{smbClass}}, {first: ops{smbClass}, plan: ops{qos.RemoveClass{Name: "SMB class"}}},
		{first: ops{smbClass}, plan: ops{qos.SetClass{Class: qos.Class{Name: "SMB class", Algorithm: qos.Strict, Priorities: 0x28}}}},
		{plan: ops{qos.SetFlowControl{Priorities: []int{3}}}}, {plan: ops{qos.SetFlowControl{Priorities: []int{0, 5, 7}, Enabled: true}}},
		{plan: ops{qos.SetFlowControl{Connection: name, Priorities: []int{4}, Enabled: true}}}, {plan: ops{qos.SetDCBX{Willing: true}}},
		{plan: ops{qos.SetLimits{Connection: "Ethernet 3", Limits: []qos.Limit{{Class: 3, Mbps: 100}, {Class: 5, Mbps: 25900}}}}},
		{plan: ops{qos.SetAdapter{Connection: name}}}, {plan: ops{qos.SetAdapter{Connection: "Ethernet 6", Enabled: true}}},
		{plan: ops{adapters.RestartAdapter{Connection: name}}}, {plan: ops{adapters.DisableAdapter{Connection: name}}},
		{first: ops{adapters.DisableAdapter{Connection: name}}, plan: ops{adapters.EnableAdapter{Connection: name}}},
		{plan: ops{edit.SetValue{Connection: name, Key: "*JumboPacket", Value: "4088"}}},
		{plan: ops{edit.SetValue{Connection: "Ethernet 3", Key: "RssMonitoringEnabled", Value: "1"}}},
		{plan: ops{edit.SetValue{Connection: name, Key: "DcqcnCnpDscp", Value: "7"}}},
		{plan: ops{edit.SetValue{Connection: "Ethernet 3", Key: "roce_mode", Value: "0"}}},
		{plan: ops{edit.SetValue{Adapter: card3, Key: "bus-driver/LogNumQP", Value: "18"}}},
		{plan: ops{edit.SetValue{Connection: name, Key: "EnableRSS", Value: "0"}}},
		{plan: ops{edit.SetValue{Connection: name, Key: "NetworkAddress", Value: "02AA00112233"}}},
		{first: ops{edit.SetValue{Adapter: card3, Key: "bus-driver/LogNumQP", Value: "18"}},
			plan: ops{edit.DeleteValue{Adapter: card3, Key: "bus-driver/LogNumQP"}}},
		{plan: ops{edit.DeleteValue{Connection: name, Key: "*JumboPacket"}}},
		{plan: ops{edit.StoreValues{Path: `HKLM\SOFTWARE\Vendor`, Values: []edit.StoredValue{
			{Name: "a b", Value: registry.TextValue("it's")}, {Name: "n", Value: registry.NumberValue(70000)}, {Name: "", Value: registry.TextValue("x")}}}}},
		{plan: ops{adapters.ReloadDriver{Driver: "mlx5"}}}, {plan: ops{adapters.ReloadDriver{Driver: "mlx4"}}},
		{plan: ops{adapters.Reboot{Host: "LAB-N4"}}}, {plan: ops{adapters.ResetCard{Adapter: "ConnectX-5 Ex"}}},
		{plan: ops{hardware.ResetStatistics{Connection: "Ethernet 3", Which: hardware.SendStatistics}}},
		{plan: ops{hardware.ResetStatistics{Connection: "Ethernet 3", Which: hardware.ReceiveStatistics}}},
		{plan: teamMLX4}, {first: teamMLX4, plan: ops{teams.Modify{Team: "T 1", Name: "U", Type: "SLB"}}},
		{first: teamMLX4, plan: ops{teams.AddVLAN{Team: "T 1", Name: "V", ID: 5, Priority: 2}}},
		{first: append(slices.Clone(teamMLX4), teams.AddVLAN{Team: "T 1", Name: "V", ID: 5, Priority: 2}),
			plan: ops{teams.ModifyVLAN{Team: "T 1", VLAN: "V", Name: "W", ID: 6, Priority: 1}}},
		{first: append(slices.Clone(teamMLX4), teams.AddVLAN{Team: "T 1", Name: "V", ID: 5}), plan: ops{teams.RemoveVLAN{Team: "T 1", VLAN: "V"}}},
		{first: append(slices.Clone(teamMLX4), teams.AddVLAN{Team: "T 1", Name: "V", ID: 5}), plan: ops{teams.Delete{Team: "T 1"}}},
		{first: teamMLX4, plan: ops{teams.Detach{Team: "T 1", Connection: "Ethernet 3"}}},
		{plan: ops{teams.AddVLAN{Connection: "Ethernet 3", Name: "V", ID: 5, Priority: 2}}},
		{plan: append(slices.Clone(teamWindows), teams.Attach{Team: "W", Connection: "Ethernet 10"}),
			own: "fault tolerance, which shows with the second member"},
		{first: teamWindows, plan: ops{teams.Attach{Team: "W", Connection: "Ethernet 10"}}},
		{first: append(slices.Clone(teamWindows), teams.Attach{Team: "W", Connection: "Ethernet 10"}),
			plan: ops{teams.Detach{Team: "W", Connection: "Ethernet 10"}}},
		{first: teamWindows, plan: ops{teams.Attach{Team: "W", Connection: "Ethernet 10", SetMAC: true}}},
		{first: append(slices.Clone(teamWindows), teams.Attach{Team: "W", Connection: "Ethernet 10"}),
			plan: ops{teams.SetAddress{Team: "W", Connection: "Ethernet 10"}}},
		{first: append(slices.Clone(teamWindows), teams.Attach{Team: "W", Connection: "Ethernet 10"}),
			plan: ops{teams.SetPrimary{Team: "W", Connection: "Ethernet 10"}}, own: "that it is SFT, which to Windows is AFT"},
		{first: teamWindows, plan: ops{teams.Modify{Team: "W", Name: "X", Type: "SLB"}},
			own: "fault tolerance, which shows with the second member"},
		{first: teamWindows, plan: ops{teams.AddVLAN{Team: "W", Name: "V", ID: 5}}},
		{first: append(slices.Clone(teamWindows), teams.AddVLAN{Team: "W", Name: "V", ID: 5}), plan: ops{teams.RemoveVLAN{Team: "W", VLAN: "V"}}},
		{first: append(slices.Clone(teamWindows), teams.AddVLAN{Team: "W", Name: "V", ID: 5}),
			plan: ops{teams.ModifyVLAN{Team: "W", VLAN: "V", Name: "U", ID: 6}}},
		{first: teamWindows, plan: ops{teams.Delete{Team: "W"}}},
		{plan: ops{virtualization.SetFirmware{Adapter: "BlueField-2", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "8"}}}}},
		{first: ops{virtualization.SetFirmware{Adapter: "BlueField-2", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}}}},
			plan: ops{virtualization.SetFirmware{Adapter: "BlueField-2", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: ""}}}}},
		{plan: ops{virtualization.SetNumVFs{Connection: name, NumVFs: 8}}},
		{plan: ops{plainSwitch}}, {first: ops{plainSwitch}, plan: ops{virtualization.RemoveSwitch{Switch: "Lab"}}},
		{plan: ops{virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "I", Connection: "Ethernet 9", IOV: true, Extension: virtualization.ExtensionVFP}}}},
		{first: ops{plainSwitch}, plan: ops{virtualization.SetSwitch{Switch: "Lab", ManagementOS: new(false), Extension: new(virtualization.ExtensionVFP)}}},
		{plan: ops{machine}}, {plan: ops{iov}}, {first: ops{machine}, plan: ops{virtualization.RemoveVM{VM: "web 1"}}},
		{first: ops{machine}, plan: ops{virtualization.SetVMState{VM: "web 1", State: virtualization.VMRunning}}},
		{plan: ops{virtualization.SetVMState{VM: "vm001", State: virtualization.VMPaused}}}, {plan: ops{virtualization.SetVMState{VM: "vm001", State: virtualization.VMSaved}}},
		{plan: ops{virtualization.SetVMState{VM: "vm001", State: virtualization.VMOff}}},
		{plan: ops{virtualization.AddVMAdapter{VM: "vm001", Adapter: virtualization.NewVMAdapter("B", "Switch "+name)}}},
		{plan: ops{virtualization.AddVMAdapter{Adapter: virtualization.NewVMAdapter("NDK", "Switch "+name)}}},
		{plan: ops{virtualization.RemoveVMAdapter{VM: "vm001", Adapter: "Network Adapter"}}},
		{plan: ops{virtualization.SetVMAdapter{VM: "vm001", Adapter: "Network Adapter", Switch: new(""), MAC: &description.MAC{0, 0x15, 0x5d, 1, 2, 3},
			VLAN: new(5), IovWeight: new(0), VmqWeight: new(50), VmmqEnabled: new(false), VmmqQueuePairs: new(4), IovQueuePairs: new(2),
			RdmaWeight: new(100), VirtualSubnet: new(uint32(5001))}}},
		{plan: ops{virtualization.SetVMAdapter{VM: "vm001", Adapter: "Network Adapter", VLAN: new(0), MAC: &description.MAC{}}}},
		{first: ops{virtualization.SetSwitch{Switch: "Switch " + name, Extension: new(virtualization.ExtensionVFP)}},
			plan: ops{virtualization.ReleasePort{VM: "vm001", Adapter: "Network Adapter"}}},
		{plan: ops{virtualization.SetFeature{Connection: "Ethernet 8", Feature: virtualization.FeaturePacketDirect, On: true}}},
		{plan: ops{virtualization.SetFeature{Connection: "Ethernet 8", Feature: virtualization.FeatureNetworkVirtualization, On: true}}},
		{plan: ops{virtualization.SetFeature{Connection: "Switch " + name, Feature: virtualization.FeatureRdma, On: true}}},
		{plan: ops{virtualization.AddNetVirtualization{Records: records}}},
		{first: ops{virtualization.AddNetVirtualization{Records: records}}, plan: ops{virtualization.RemoveNetVirtualization{Records: records}}},
		{plan: ops{virtualization.RestoreNetVirtualization{Records: records}}},
		{plan: ops{packages.Setup{Product: packages.WinOF, File: "MLNX_VPI_WinOF-5_50_51000_All_win2019_x64.exe", Version: "5.50.51000", System: "win2019", Platform: "x64", Unattended: true,
			Restart: packages.NoRestart, SkipFirmware: true, NoProvider: true, NoWMI: true, NoRestore: true, NoTuning: true, Timeout: 30, Folder: `D:\WinOF`, Log: `C:\a b.log`}}},
		{plan: ops{packages.Setup{Product: packages.WinOF2, File: "MLNX_WinOF2-24_4_All_x64.exe", Version: "24.4", Platform: "x64", Remove: true, Unattended: true, Restart: packages.NoRestart}}},
		{plan: ops{packages.Extract{Product: packages.WinOF2, File: "MLNX_WinOF2-24_4_All_x64.exe", Version: "24.4", DriversOnly: true, Folder: `C:\drivers`}}},
		{plan: ops{healing.ResetDevice{Adapter: card3}}}, {plan: ops{dump.RequestIncident{Adapter: card3}}}, {plan: ops{dump.RequestState{Connection: "Ethernet 3"}}}, {plan: ops{dump.StopTrace{Session: dump.SessionName}}},
		{first: ops{dump.RequestIncident{Adapter: card3}}, plan: ops{dump.RemoveFiles{Pattern: "mst_dump.*"}}},
		{first: ops{dump.StopTrace{Session: dump.SessionName}}, plan: ops{dump.StartTrace{Session: dump.SessionName, MaxMB: 16}}},
		{first: capture[:2], plan: capture[2:]},
		{first: capture, plan: ops{hardware.EmptyCapture{Connection: "Ethernet 3"}}},
		{first: capture, plan: ops{hardware.StopCapture{Connection: "Ethernet 3"}}},
		{plan: ops{fabric.AddPartition{Connection: "Ethernet 4", Name: "ipoib_4_1"}}}, {first: ops{partition}, plan: ops{fabric.RemovePartition{Connection: "Ethernet 11"}}},
		{plan: ops{virtualization.Quarantine{VM: "vm001", Adapter: "Network Adapter", Reason: "it floods"}}, own: "the reason"},
		{plan: ops{virtualization.ResetVF{Connection: name, Function: 0}}, own: "which function it is"},
	}
}

// withoutCounterpart lists the kinds of Operations without a command on a real host.
var withoutCounterpart = []string{
	"start-network-direct-test", "end-network-direct-test", "stop-network-direct-server", // a tool runs and ends by itself
	"pull-cable", "plug-cable", "scale-flow", "burst-flow", "set-switch-port", "set-far-end", "set-slot", "set-processor-speed", "mark-management",
	"set-fault", "set-startup-script", "keep-intent", "set-dropless", "set-bios", "set-guest-driver", "set-netvsc", "power-down", "power-up", "set-function-fault",
	"inject-fault", "run-installer", "cut-burn", "write-linux-file", "boot-from-network", "set-setup-condition",
	"burn-firmware", "restore-firmware", // their commands need the file of an image
	"set-subnet-link", "set-subnet-port", "set-subnet-manager", "clear-subnet-counters",
}

// TestPrintedLinesCanBeTyped: the lines printed for a real host change the lab's host like the plan.
func TestPrintedLinesCanBeTyped(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	for _, p := range printedPlans() {
		t.Run(p.plan[0].Kind(), func(t *testing.T) {
			t.Parallel()
			typed := newBench(t, nil)
			for _, o := range p.first {
				step := driver.Plan{Title: "x", Operations: []driver.Operation{o}}
				if _, err := typed.host.Apply(t.Context(), step); err != nil {
					t.Fatalf("%s: %v", o.Describe(), err)
				}
				if o.Kind() == (adapters.RestartAdapter{}).Kind() {
					typed.script("advance 3s")
				}
			}
			var by *driver.Host
			look(t, typed, func(h *driver.Host) { by = h.Clone() })
			plan := driver.Plan{Title: "x", Operations: p.plan}
			lines := by.PlanCommands(plan)
			if _, err := by.Apply(plan); err != nil {
				t.Fatal(err)
			}
			if len(lines) == 0 {
				t.Fatal("nothing is printed")
			}
			if status := typed.script(lines...); status != exec.Done {
				t.Fatalf("%q: %s", lines, typed.errs.String())
			}
			a := stateOf(t, by)
			look(t, typed, func(h *driver.Host) {
				if b := stateOf(t, h); p.own == "" && !reflect.DeepEqual(a, b) {
					t.Errorf("%q leave another host:\n%s", lines, stateDifference(a, b))
				}
			})
		})
	}
}

// TestEveryKindIsPrinted: each kind of Operation is in a printedPlan, or in withoutCounterpart.
func TestEveryKindIsPrinted(t *testing.T) {
	t.Parallel()
	tried := map[string]bool{"restore-team": true, "set-sriov-ports": true} // by the tests of teams, and of the manual's card
	for _, plan := range printedPlans() {
		for _, o := range plan.plan {
			tried[o.Kind()] = true
		}
	}
	for _, kind := range journal.Kinds() {
		if tried[kind] == slices.Contains(withoutCounterpart, kind) {
			t.Errorf("%s: tried %t", kind, tried[kind])
		}
	}
}

func look(t *testing.T, b *bench, do func(*driver.Host)) {
	t.Helper()
	if err := b.host.ReadHost(t.Context(), func(h *driver.Host) error {
		do(h)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// stateOf returns the saved state of a host, without journal and events.
func stateOf(t *testing.T, h *driver.Host) (state map[string]any) {
	t.Helper()
	data, err := h.Save()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &state); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"journal", "events", "sequence"} {
		delete(state, name)
	}
	return state
}

// stateDifference lists the parts in which two states differ.
func stateDifference(a, b map[string]any) string {
	var lines []string
	for name := range a {
		if !reflect.DeepEqual(a[name], b[name]) {
			x, _ := json.Marshal(a[name])
			y, _ := json.Marshal(b[name])
			i := 0
			for i < min(len(x), len(y)) && x[i] == y[i] {
				i++
			}
			lines = append(lines, name+": "+string(x[max(0, i-120):min(len(x), i+120)])+"\n  typed: "+string(y[max(0, i-120):min(len(y), i+120)]))
		}
	}
	return strings.Join(lines, "\n")
}
