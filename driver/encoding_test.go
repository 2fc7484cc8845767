package driver

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/dscp"
	"cxdeck/device/infiniband"
	managing "cxdeck/device/infiniband/opensm"
	"cxdeck/device/measurement"
	"cxdeck/device/setup"
	"cxdeck/driver/adapters"
	"cxdeck/driver/boot"
	"cxdeck/driver/dump"
	"cxdeck/driver/fabric"
	"cxdeck/driver/flash"
	"cxdeck/driver/hardware"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/health/installer"
	"cxdeck/driver/intent"
	"cxdeck/driver/journal"
	"cxdeck/driver/linux"
	"cxdeck/driver/mpi"
	"cxdeck/driver/opensm"
	"cxdeck/driver/packages"
	"cxdeck/driver/power"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/services"
	"cxdeck/driver/stack"
	"cxdeck/driver/subnet"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

func everyOperation() []Operation {
	const name = "Ethernet 7"
	return []Operation{
		hardware.PullCable{Connection: name}, hardware.PlugCable{Connection: name}, adapters.RestartAdapter{Connection: name}, adapters.EnableAdapter{Connection: name}, adapters.DisableAdapter{Connection: name},
		edit.SetValue{Connection: name, Key: "*JumboPacket", Value: "0x2336"},
		edit.DeleteValue{Adapter: "ConnectX-3 Pro", Key: "bus-driver/LogNumQP"},
		edit.StoreValues{Path: `HKLM\SOFTWARE\Vendor`, Values: []edit.StoredValue{{Name: "a", Value: registry.TextValue("b")}, {Name: "gone", Value: registry.Value{}}}},
		fabric.ScaleFlow{Flow: "Web front end", Scale: 2.5}, fabric.BurstFlow{Flow: "Market data", Packets: 900},
		fabric.SetFarEnd{Connection: name, Settings: setup.FarEnd{FlowControl: new(description.PriorityPause), Lossless: new(uint8(8)),
			Trust: new(setup.TrustDSCP), DSCP: new(dscp.ConsistentMap()), DropsCNPs: true, SlowPeer: "10.7.0.21", Takes: 0.5, Shares: "Ethernet 9"}},
		fabric.SetSwitchPort{Connection: name, MaxFrame: new(1514), FlowControl: new(description.GlobalPause), Lossless: new(uint8(0))},
		subnet.SetLink{Port: "IB1/36", Unplugged: new(true), SymbolErrors: new(2.5)},
		subnet.SetPort{Port: "IB1/36", Disabled: new(true), Widths: new(infiniband.Widths(1)), Speeds: new(infiniband.UpTo(infiniband.QDR)), Reset: true},
		subnet.SetManager{Node: "IB1", Running: new(false), Priority: new(uint8(3)), Routing: new(managing.UpDown), LMC: new(uint8(1)), Virtual: new(true),
			Partitions: new([]managing.Partition{{Name: "Storage", Key: 0x10, Members: []managing.Member{{Class: managing.Everything, Full: true}}}})},
		subnet.ClearCounters{Port: "IB1/36", Errors: true, Traffic: true},
		hardware.SetSlot{Adapter: "ConnectX-5 Ex", Generation: 2, Lanes: 8},
		hardware.SetProcessorSpeed{Connection: name, Speed: 0.25},
		adapters.ReloadDriver{Driver: "mlx5"}, adapters.Reboot{Host: "LAB-N4"}, adapters.MarkManagement{Connection: name, Carries: true},
		hardware.SetFault{Connection: name, Fault: description.BadCable, Share: 0.01}, hardware.SetDropless{Connection: name, On: true}, hardware.ResetStatistics{Connection: name, Which: hardware.SendStatistics},
		adapters.ResetCard{Adapter: "ConnectX-5 Ex"},
		teams.Create{Name: "T", Type: "3AD", NoFailback: true, GUID: "{C71781EC-F459-4A8E-ABAC-74CA05F13AE8}", Family: description.WinOF},
		teams.Modify{Team: "T", Name: "U", Type: "SFT", Failback: new(false)}, teams.Delete{Team: "T"},
		teams.Restore{Place: 1, Team: teams.Record{
			Name: "T", GUID: "{C71781EC-F459-4A8E-ABAC-74CA05F13AE8}", Type: "AFT", Members: []string{name}, Primary: name,
			VLANs: []teams.VLANRecord{{Name: "V", ID: 3, Priority: 4, GUID: "{3D7CFE4E-0EE9-4CF6-9843-F44CFBE2E223}"}},
		}},
		teams.Attach{Team: "T", Connection: name, Primary: true, SetMAC: true}, teams.Detach{Team: "T", Connection: name}, teams.SetPrimary{Team: "T", Connection: name}, teams.SetAddress{Team: "T", Connection: name},
		teams.AddVLAN{Team: "T", Name: "V", ID: 3, Priority: 4}, teams.ModifyVLAN{Connection: name, VLAN: "V", Name: "W", ID: 5},
		teams.RemoveVLAN{Team: "T", VLAN: "V"},
		virtualization.SetBIOS{Host: "LAB-N4", SRIOV: new(false), Above4G: new(true)}, virtualization.SetRole{Installed: true}, virtualization.SetFirmware{Adapter: "ConnectX-5 Ex", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: ""}}},
		virtualization.SetNumVFs{Connection: name, NumVFs: 16}, adapters.SetSriovPorts{Adapter: "ConnectX-3 Pro", Mode: 2, Port1: 8, Port2: 8},
		virtualization.CreateSwitch{
			Switch: virtualization.SwitchRecord{Name: "S", Connection: name, IOV: true, GUID: "{C71781EC-F459-4A8E-ABAC-74CA05F13AE8}"}, Connected: []virtualization.AdapterName{{VM: "V", Adapter: "A"}},
		},
		virtualization.RemoveSwitch{Switch: "S"}, virtualization.SetSwitch{Switch: "S", ManagementOS: new(true), Extension: new(virtualization.ExtensionVFP)},
		virtualization.CreateVM{VM: virtualization.VMRecord{Name: "V", State: virtualization.VMRunning, GuestDriver: "24.4", Adapters: []virtualization.VMAdapterRecord{virtualization.NewVMAdapter("A", "S")}}}, virtualization.RemoveVM{VM: "V"},
		virtualization.SetVMState{VM: "V", State: virtualization.VMOff, Released: []string{"A"}, Answers: virtualization.Answers{Waiting: []virtualization.AdapterName{{VM: "V", Adapter: "A"}}, Attached: nil}}, virtualization.SetGuestDriver{VM: "V", Version: "24.4"}, virtualization.SetNetVSC{VM: "V", Stale: new(false), Unbound: new(true)},
		virtualization.AddVMAdapter{VM: "V", Adapter: virtualization.NewVMAdapter("B", ""), Place: 2}, virtualization.RemoveVMAdapter{VM: "V", Adapter: "A"},
		virtualization.SetVMAdapter{VM: "V", Adapter: "A", Switch: new(""), MAC: &description.MAC{0, 0x15, 0x5d, 1, 2, 3}, IovWeight: new(100), VirtualSubnet: new(uint32(5001))},
		virtualization.ResetVF{Connection: name, Function: 3}, virtualization.Quarantine{VM: "V", Adapter: "A", Reason: "it floods", Answers: virtualization.Answers{Waiting: nil, Attached: []virtualization.Attachment{{VM: "V", Adapter: "A", Function: 2}}}}, virtualization.ReleasePort{VM: "V", Adapter: "A", Back: true},
		virtualization.SetFeature{Connection: name, Feature: virtualization.FeaturePacketDirect, On: true}, hardware.SetFunctionFault{Connection: name, Function: 3, Fault: description.Storm, Share: 0.5},
		virtualization.AddNetVirtualization{Records: someRecords()}, virtualization.RemoveNetVirtualization{Records: someRecords(), Back: true}, virtualization.RestoreNetVirtualization{Records: someRecords()},
		hardware.StartCapture{Connection: name, Packets: 1024, Bytes: 128}, hardware.StopCapture{Connection: name}, hardware.EmptyCapture{Connection: name},
		qos.SetFeature{Installed: true}, qos.AddPolicy{Policy: qos.Policy{Name: "TCP1", Store: qos.ActiveStore, Protocol: qos.TCP,
			DestinationPorts: qos.Range{First: 31000, Last: 31999}, Priority: new(0), DSCP: new(16)}, Place: 2},
		qos.SetPolicy{Policy: qos.Policy{Name: "SMB", Template: "SMB", Priority: new(3)}}, qos.RemovePolicy{Name: "SMB", Store: qos.ActiveStore},
		qos.AddClass{Class: qos.Class{Name: "SMB class", Algorithm: qos.ETS, Bandwidth: 50, Priorities: 8}}, qos.RemoveClass{Name: "SMB class"},
		qos.SetClass{Class: qos.Class{Name: "SMB class", Algorithm: qos.Strict, Priorities: 8}},
		qos.SetFlowControl{Connection: name, Priorities: []int{3}, Enabled: true}, qos.SetDCBX{Willing: true}, qos.SetAdapter{Connection: name, Enabled: true},
		qos.SetStartup{Lines: []string{"Remove-NetQosPolicy"}}, intent.Keep{File: "rdma.toml", Data: []byte("[[AllNodes]]\nNodeName = \"localhost\"\n")},
		qos.SetLimits{Connection: "Ethernet 3", Limits: []qos.Limit{{Class: 3, Mbps: 250}}},
		stack.SetSMB{Side: stack.ServerSide, Multichannel: new(true), Encrypt: new(false)}, stack.SetNetworkDirect{Enabled: true},
		stack.AddAddress{Connection: name, Address: netip.MustParsePrefix("10.1.0.7/24"), Place: 1}, stack.RemoveAddress{Connection: name, Address: netip.MustParseAddr("10.1.0.7")},
		stack.SetDNS{Connection: name, Servers: []netip.Addr{netip.MustParseAddr("10.1.0.2")}}, stack.SetDHCP{Connection: name, Enabled: true}, stack.SetExecutionPolicy{Policy: "AllSigned"},
		stack.StartTest{Tool: "nd_read_bw", Connection: name, Local: netip.MustParseAddr("10.1.0.7"), Peer: netip.MustParseAddr("10.1.0.8"), Verb: measurement.Read, Priority: -1, Sockets: true, Streams: 8, Window: 65536, Processors: 1, Sizes: []int{1, 4096}, Seconds: 0.5},
		stack.EndTest{Tool: "nd_read_bw", Connection: name}, stack.SetProvider{Provider: "MLX5ND", Installed: true}, boot.Change{What: "set the boot order", Client: &boot.Client{Order: []string{name, boot.Disk}}}, boot.Start{Connection: name, F12: true, OS: 4}, mpi.SetHost{Address: netip.MustParseAddr("10.1.0.8"), Port: new(19020), Pack: new("3.0.2369.0"), Provider: new(true)},
		services.Create{Service: services.Service{Name: "OpenSM", Display: "OpenSM", Binary: opensm.Program + " -service", Start: services.Automatic, Running: true}},
		services.Delete{Name: "OpenSM"}, services.Start{Name: "OpenSM"}, services.Stop{Name: "OpenSM"},
		services.Configure{Name: "OpenSM", Start: new(services.Disabled), Display: new("SM"), Description: new(""), Binary: new("x.exe")},
		power.Down{Host: "LAB-N4", Mode: power.Off}, power.Up{Host: "LAB-N4", MAC: &description.MAC{2}}, opensm.Start{Arguments: []string{"-g", "0x1"}, PID: 3600}, opensm.Stop{PID: 3600}, linux.WriteFile{File: linux.File{Path: linux.Config, Text: "virt_enable 2\n"}},
		stack.StartServer{Server: stack.TestServer{Tool: "nd_read_bw", Address: netip.MustParseAddr("10.1.0.7")}},
		stack.StopServer{Server: stack.TestServer{Tool: "nd_read_bw", Address: netip.MustParseAddr("10.1.0.7")}},
		dump.RequestIncident{Adapter: "ConnectX-3 Pro"}, dump.RequestState{Connection: name}, dump.RemoveFiles{Pattern: `C:\Windows\temp\*`}, dump.StopTrace{Session: dump.SessionName}, dump.StartTrace{Session: dump.SessionName, MaxMB: 16},
		fabric.AddPartition{Connection: name, Name: "ipoib_4_1", PKey: 0xf123, Virtual: "Ethernet 6"}, fabric.RemovePartition{Connection: "Ethernet 6"},
		healing.InjectFault{Connection: name, Function: new(3), Fault: "vf-send-hang", On: true}, healing.ResetDevice{Adapter: "ConnectX-3 Pro"}, installer.Run{Driver: "mlx4", Platform: "x86", Result: "fatal-error"},
		flash.Burn{Adapter: "ConnectX-3 Pro", File: "a.bin", Image: flash.Content{Version: "2.42.5000", PSID: "MT_1", ROM: "3.4", Digest: "00"}, Devices: []uint16{0x1007}, Settings: map[string]uint32{"total_vfs": 16}, Force: true, AllowPSIDChange: true, NotFailsafe: true, Cut: 40},
		flash.Restore{Adapter: "ConnectX-3 Pro", Image: flash.Content{Version: "2.42.5000", PSID: "MT_1"}, Flaws: flash.Flaws{Partial: 40, Damaged: true, NotFailsafe: true}, Settings: map[string]uint32{"total_vfs": 16}, Cut: 3}, flash.CutBurn{Adapter: "ConnectX-3 Pro", Percent: 40},
		packages.Setup{Product: packages.WinOF, File: "a.exe", Version: "5.50.52000", System: "win2016", Platform: "x64", Remove: true, Unattended: true, Restart: packages.NoRestart, SkipFirmware: true, NoProvider: true, NoWMI: true, NoRestore: true, NoTuning: true, Timeout: 30, Folder: `D:\\x`, Log: `C:\\x`},
		packages.Extract{Product: packages.WinOF2, File: "b.exe", Version: "24.4", DriversOnly: true, Folder: `C:\\x`}, packages.SetCondition{Condition: "rdsh", On: true},
	}
}

func TestOperationsKeepTheirKind(t *testing.T) {
	t.Parallel()
	for _, o := range everyOperation() {
		data, err := journal.MarshalOperation(o)
		if err != nil {
			t.Fatal(err)
		}
		back, err := journal.UnmarshalOperation(data)
		if err != nil || !reflect.DeepEqual(o, back) {
			t.Errorf("%s came back as %#v, %v", data, back, err)
		}
	}
	if len(journal.Kinds()) != len(everyOperation()) {
		t.Errorf("there are %d kinds and the test has %d", len(journal.Kinds()), len(everyOperation()))
	}
	const text = `{"kind":"pull-cable","operation":{"connection":"Ethernet 7"}}`
	if data, _ := journal.MarshalOperation(hardware.PullCable{Connection: "Ethernet 7"}); string(data) != text {
		t.Errorf("the stored form is %s: sessions on disk have %s", data, text)
	}
}

func TestAnUnknownKindIsNamed(t *testing.T) {
	t.Parallel()
	_, err := journal.UnmarshalOperation([]byte(`{"kind":"paint-firmware","operation":{}}`))
	var unknown *journal.UnknownOperationError
	if !errors.As(err, &unknown) || unknown.Operation != "paint-firmware" {
		t.Errorf("got %v", err)
	}
}

func TestEntryRoundTrip(t *testing.T) {
	t.Parallel()
	entry := Entry{
		Sequence: 3, Time: time.Date(2026, 3, 2, 14, 0, 1, 0, time.UTC), Undoes: 2, Err: "it is disabled already",
		Plan:    Plan{Title: "Both", Operations: []Operation{hardware.PullCable{Connection: "a"}, adapters.RestartAdapter{Connection: "b"}}},
		Inverse: Plan{Title: "Back", Operations: []Operation{hardware.PlugCable{Connection: "a"}}},
	}
	data, err := json.Marshal(entry)
	if err != nil {
		t.Fatal(err)
	}
	var back Entry
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(entry, back) {
		t.Errorf("%s came back as %+v, %v", data, back, err)
	}
}

func FuzzUnmarshalOperation(f *testing.F) {
	for _, o := range everyOperation() {
		data, _ := journal.MarshalOperation(o)
		f.Add(data)
	}
	f.Add([]byte(`{"kind":"pull-cable","operation":{"connection":""}}`))
	f.Add([]byte(`{"kind":"x","operation":null}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := journal.UnmarshalOperation(data)
		if err != nil {
			return
		}
		first, err := journal.MarshalOperation(o)
		if err != nil {
			t.Fatal(err)
		}
		again, err := journal.UnmarshalOperation(first)
		if err != nil {
			t.Fatalf("%s can't be read back: %v", first, err)
		}
		if second, _ := journal.MarshalOperation(again); !bytes.Equal(first, second) {
			t.Fatalf("%s became %s", first, second)
		}
	})
}

func FuzzUnmarshalEntry(f *testing.F) {
	data, _ := json.Marshal(Entry{Sequence: 1, Plan: Plan{Title: "x", Operations: everyOperation()}})
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		var e Entry
		if json.Unmarshal(data, &e) == nil {
			if _, err := json.Marshal(e); err != nil && e.Time.Year() < 10000 && e.Time.Year() >= 0 {
				t.Fatal(err)
			}
		}
	})
}

func someRecords() virtualization.NetVirtualization {
	const domain = "{11111111-2222-3333-4444-000000005001}"
	customer, provider := netip.MustParseAddr("172.16.1.1"), netip.MustParseAddr("192.168.20.1")
	return virtualization.NetVirtualization{
		Lookups:           []virtualization.LookupRecord{{CustomerAddress: customer, ProviderAddress: provider, VirtualSubnet: 5001, MAC: description.MAC{0, 0x15, 0x5d, 1, 2, 3}}},
		CustomerRoutes:    []virtualization.CustomerRoute{{RoutingDomain: domain, VirtualSubnet: 5001, Prefix: netip.MustParsePrefix("172.16.0.0/16"), NextHop: netip.MustParseAddr("0.0.0.0"), Metric: 255}},
		ProviderAddresses: []virtualization.ProviderAddress{{Connection: "Ethernet 7", Address: provider, PrefixLength: 24}},
		ProviderRoutes:    []virtualization.ProviderRoute{{Connection: "Ethernet 7", Prefix: netip.MustParsePrefix("0.0.0.0/0"), NextHop: provider}},
	}
}
