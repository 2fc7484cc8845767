package survey

import (
	"bytes"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/intent"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/stack"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

var update = flag.Bool("update", false, "rewrite the table of docs/intent.md")

// deviation is one departure of a host that meets its intent: Operations of the host, or a change of the facts where no Operation
// of the lab leads there.
type deviation struct {
	// check is the check that it is for, such as "host 11"; also are checks that depend on it, and fail with it.
	check, also string
	// what describes it in the table.
	what       string
	operations []driver.Operation
	facts      func(f *intent.Facts)
	intent     func(in *intent.Intent)
	// team is for the example with an embedded team, iov for the same with SR-IOV.
	team, iov bool
	// The others have a host of their own. lab changes the description of the lab. bare are Operations of a host before the plan of the
	// intent. meets changes the intent that the plan brings the host to; the check is of the unchanged one. winof has WinOF adapters.
	lab   func(d *description.Description)
	bare  []driver.Operation
	meets func(in *intent.Intent)
	winof bool
}

// own reports whether the deviation needs a host of its own.
func (d *deviation) own() bool { return d.lab != nil || d.bare != nil || d.meets != nil || d.winof }

// winofNames are the adapters of a lab with WinOF, which replace the adapters of the examples.
var winofNames = strings.NewReplacer("'RoCE-01'", "'Ethernet 2'", "'RoCE-02'", "'Ethernet 3'", "@{ Name = 'Mgmt' }", "", "@{ Name = 'Clus' }", "",
	"'TK5-3WP07R0511', 'TK5-3WP07R0512'", "'localhost'")

// ownHost is the host of a deviation that needs its own, brought to the intent that it meets.
func (d *deviation) ownHost(t *testing.T, text string) *driver.Host {
	t.Helper()
	read := func(text string) *intent.Intent {
		in, err := intent.Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if d.iov {
			sriov(in)
		}
		return in
	}
	in, change := read(text), d.lab
	if d.iov {
		change = withFunctions
	}
	h := nodeHost(t, change)
	if d.winof {
		for _, l := range description.NamedLabs() {
			if l.Name == "manual-winof" {
				h = namedHost(t, l.Text())
			}
		}
	}
	if d.iov {
		for _, name := range []string{first, second} {
			apply(t, h, virtualization.RemoveSwitch{Switch: "Switch " + name})
		}
		brought(t, h, in) // the firmware
	}
	apply(t, h, d.bare...)
	if d.intent != nil {
		d.intent(in)
	}
	if d.meets != nil {
		d.meets(in)
	}
	brought(t, h, in)
	return h
}

func apply(t *testing.T, h *driver.Host, list ...driver.Operation) {
	t.Helper()
	if len(list) == 0 {
		return
	}
	if _, err := h.Apply(driver.Plan{Title: "test", Operations: list}); err != nil {
		t.Fatal(err)
	}
	h.Advance(5 * time.Second)
}

// namedHost is a host of an embedded lab.
func namedHost(t *testing.T, text []byte) *driver.Host {
	t.Helper()
	d, err := description.ParseText(text)
	if err != nil {
		t.Fatal(err)
	}
	lab, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	h := driver.NewHost(lab)
	h.Advance(3 * time.Second)
	return h
}

const first, second = "RoCE-01", "RoCE-02"

func key(connection, name, value string) []driver.Operation {
	return []driver.Operation{edit.SetValue{Connection: connection, Key: name, Value: value}, adapters.RestartAdapter{Connection: connection}}
}

func one(o driver.Operation) []driver.Operation { return []driver.Operation{o} }

func policy(name string, template qos.Template, port, priority int) qos.Policy {
	return qos.Policy{Name: name, Template: template, NetDirectPort: port, Priority: &priority}
}

func nic(name string, change func(n *intent.NIC)) func(f *intent.Facts) {
	return func(f *intent.Facts) {
		for i := range f.NICs {
			if f.NICs[i].Name == name {
				change(&f.NICs[i])
			}
		}
	}
}

func vswitch(change func(s *intent.VirtualSwitch)) func(f *intent.Facts) {
	return func(f *intent.Facts) { change(&f.Switches[0]) }
}

// onSwitch changes the switch of the first node.
func onSwitch(change func(s *intent.Switch)) func(in *intent.Intent) {
	return func(in *intent.Intent) { change(&in.Nodes[0].Switches[0]) }
}

func hostAdapter(change func(a *intent.HostAdapter)) func(f *intent.Facts) {
	return func(f *intent.Facts) {
		for i := range f.Hosts {
			if f.Hosts[i].Name == "SMB01" {
				change(&f.Hosts[i])
			}
		}
	}
}

// single makes the intent one of a switch without an embedded team, and the facts a switch that meets it.
func single(in *intent.Intent) {
	s := &in.Nodes[0].Switches[0]
	s.Embedded, s.Enabled = false, s.Enabled[:1]
}

func onOne(change func(s *intent.VirtualSwitch)) func(f *intent.Facts) {
	return func(f *intent.Facts) {
		f.Switches[0].Embedded, f.Switches[0].Adapters = false, []string{first}
		change(&f.Switches[0])
	}
}

// sriov asks for SR-IOV.
func sriov(in *intent.Intent) { in.Nodes[0].Switches[0].IOV = new(true) }

// withFunctions gives the ports virtual functions, and turns SR-IOV off in the firmware.
func withFunctions(d *description.Description) {
	card := &d.Adapters[0]
	card.Flash = map[string]int{flashSRIOV: 0, flashFunctions: 0}
	for i := range card.Ports {
		card.Ports[i].VirtualFunctions = 4
	}
}

// noFunctions leaves no virtual function to Windows.
func noFunctions(connections ...string) (list []driver.Operation) {
	for _, name := range connections {
		list = append(list, virtualization.SetNumVFs{Connection: name})
	}
	return list
}

// withoutSRIOV turns SR-IOV of the card with both adapters off in its firmware.
var withoutSRIOV = []driver.Operation{
	virtualization.SetFirmware{Adapter: "ConnectX-5", Values: []virtualization.FirmwareValue{{Name: flashSRIOV, Value: "0"}}},
	adapters.ResetCard{Adapter: "ConnectX-5"},
}

func deviations() []deviation {
	return []deviation{
		{check: "intent 1", what: "the file has a field `Colour`", intent: func(in *intent.Intent) { in.Problems = []string{"a node has the unknown field Colour"} }},
		{check: "intent 2", what: "no adapter with RDMA", intent: func(in *intent.Intent) { in.Nodes[0].Enabled = nil }},
		{check: "intent 3", also: "host 11", what: "`VLANID` 0", intent: func(in *intent.Intent) { in.Nodes[0].Enabled[0].VLAN = new(0) }},
		{check: "intent 4", also: "host 17", what: "an adapter both with and without RDMA", intent: func(in *intent.Intent) { in.Nodes[0].Disabled[0].Name = first }},
		{check: "intent 5", also: "intent 6, intent 8, host 23", what: "two policies", intent: func(in *intent.Intent) { in.Policies = in.Policies[:2] }},
		{check: "intent 6", also: "host 19, host 24, host 25, host 26, host 27", what: "no policy `Default`", intent: func(in *intent.Intent) { in.Policies[2].Template = "Elsewhere" }},
		{check: "intent 7", also: "host 26", what: "Cluster with 3%, SMB with 58%", intent: func(in *intent.Intent) {
			in.Policies[0].Bandwidth, in.Policies[1].Bandwidth = new(3), new(58)
		}},
		{check: "intent 8", also: "host 26", what: "shares of 99%", intent: func(in *intent.Intent) { in.Policies[1].Bandwidth = new(59) }},
		{check: "intent 9", what: "a policy without an algorithm", intent: func(in *intent.Intent) { in.Policies[0].Algorithm = "" }},

		{check: "host 1", also: "host 2", what: "the adapter is disabled", operations: one(adapters.DisableAdapter{Connection: first})},
		{check: "host 2", also: "host 1", what: "the adapter's cable is pulled", operations: one(hardware.PullCable{Connection: first})},
		{check: "host 3", what: "the switch port has 1 Gb/s", operations: one(fabric.SetSwitchPort{Connection: first, SpeedGbps: new(1)})},
		{check: "host 4", also: "host 1, host 2, host 3, host 5, host 6, host 7, host 8, host 9, host 10, host 11, host 12, host 13, host 14, host 15, host 16, host 28, host 29, host 64, host 68",
			what: "the name belongs to a host adapter on a virtual switch", facts: func(f *intent.Facts) {
				nic(first, func(n *intent.NIC) { n.Name = "other" })(f)
				f.Hosts = append(f.Hosts, intent.HostAdapter{Name: first})
			}},
		{check: "host 5", what: "a virtual switch is created on the adapter", operations: one(virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: first}})},
		{check: "host 6", what: "the adapter is in an LBFO team", operations: []driver.Operation{
			teams.Create{Name: "T", Type: "SFT", Family: description.WinOF2}, teams.Attach{Team: "T", Connection: first}}},
		{check: "host 7", what: "TCP/IPv4 is bound to the adapter again", team: true, operations: one(virtualization.SetFeature{Connection: first, Feature: virtualization.FeatureTCPIPv4, On: true})},
		{check: "host 8", what: "a driver of version 2.50", lab: func(d *description.Description) {
			d.Adapters[0].DriverVersion, d.Adapters[0].Package = "2.50.50000", "WinOF-2 2.50"
		}},
		{check: "host 9", also: "host 10", what: "a driver without the property", facts: nic(first, func(n *intent.NIC) { delete(n.Properties, "*NetworkDirect") })},
		{check: "host 10", also: "host 64, host 68", what: "`*NetworkDirect` is 0", operations: key(first, "*NetworkDirect", "0")},
		{check: "host 11", what: "`VlanID` is 102", operations: key(first, "VlanID", "102")},
		{check: "host 12", what: "`*JumboPacket` is 1514", operations: key(first, "*JumboPacket", "1514")},
		{check: "host 13", what: "`*EncapOverhead` is 64", operations: key(first, "*EncapOverhead", "64"), intent: func(in *intent.Intent) {
			in.Nodes[0].Enabled[0].EncapOverhead = new(0)
		}},
		{check: "host 14", what: "`*RscIPv4` of a WinOF adapter is 1", winof: true, operations: key("Ethernet 2", "*RscIPv4", "1")},
		{check: "host 15", what: "`*NetworkDirectTechnology` is 3", operations: key(first, "*NetworkDirectTechnology", "3")},
		{check: "host 16", what: "event 263", facts: nic(first, func(n *intent.NIC) { n.OldFirmware = "firmware 1, and the driver recommends 2" })},
		{check: "host 17", what: "`*NetworkDirect` of Mgmt is 1", operations: key("Mgmt", "*NetworkDirect", "1")},
		{check: "host 18", also: "host 19, host 21", what: "the policy Cluster is removed", operations: one(qos.RemovePolicy{Name: "Cluster"})},
		{check: "host 19", what: "Cluster has the template LiveMigration", operations: one(qos.SetPolicy{Policy: policy("Cluster", "LiveMigration", 0, 7)})},
		{check: "host 20", also: "path 1, path 3", what: "SMB has NetDirect port 446", operations: one(qos.SetPolicy{Policy: policy("SMB", "", 446, 3)})},
		{check: "host 21", what: "Cluster has priority 6", operations: one(qos.SetPolicy{Policy: policy("Cluster", "Cluster", 0, 6)})},
		{check: "host 22", also: "path 1", what: "PFC is off for priority 3", operations: one(qos.SetFlowControl{Priorities: []int{3}})},
		{check: "host 23", what: "one more traffic class, which is strict", operations: one(qos.AddClass{Class: qos.Class{Name: "More", Algorithm: qos.Strict, Priorities: 1 << 5}})},
		{check: "host 24", also: "host 23, host 25, host 26, host 27", what: "the traffic class Cluster is removed", operations: one(qos.RemoveClass{Name: "Cluster"})},
		{check: "host 25", what: "the class Cluster has priority 6", operations: one(qos.SetClass{Class: qos.Class{Name: "Cluster", Algorithm: qos.ETS, Bandwidth: 1, Priorities: 1 << 6}})},
		{check: "host 26", what: "the class SMB has 50%", operations: one(qos.SetClass{Class: qos.Class{Name: "SMB", Algorithm: qos.ETS, Bandwidth: 50, Priorities: 1 << 3}})},
		{check: "host 27", also: "host 26", what: "the class Cluster is strict", operations: one(qos.SetClass{Class: qos.Class{Name: "Cluster", Algorithm: qos.Strict, Priorities: 1 << 7}})},
		{check: "host 28", also: "path 1", what: "adapter QoS is off", operations: one(qos.SetAdapter{Connection: first})},
		{check: "host 29", what: "DCBX is willing", operations: one(qos.SetDCBX{Willing: true})},
		{check: "host 30", also: "host 35, host 36, host 37, host 38, host 39, host 40, host 41, host 42, host 43, host 59", what: "the switch has another name", team: true, meets: onSwitch(func(s *intent.Switch) { s.Name = "Other" })},
		{check: "host 31", also: "host 34", what: "the switch has two adapters", team: true, intent: single,
			facts: onOne(func(s *intent.VirtualSwitch) { s.Adapters = []string{first, second} })},
		{check: "host 32", also: "host 6, host 7, host 31, host 34", what: "the switch is on an LBFO team", team: true, intent: single, bare: []driver.Operation{
			teams.Create{Name: "T", Type: "SFT", Family: description.WinOF2}, teams.Attach{Team: "T", Connection: first},
			virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "VMSTest", Team: "T"}}}},
		{check: "host 33", what: "the switch has an embedded team", team: true, intent: single, meets: onSwitch(func(s *intent.Switch) { s.Embedded = true })},
		{check: "host 34", also: "host 7", what: "the switch is on another adapter", team: true, intent: single, bare: one(virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "VMSTest", Connection: second}})},
		{check: "host 35", what: "the team has a third adapter", team: true, meets: onSwitch(func(s *intent.Switch) {
			s.Enabled = append(slices.Clone(s.Enabled), s.Enabled[0])
			s.Enabled[2].Name, s.Enabled[2].VMNetworkAdapter = "Mgmt", "SMB03"
		})},
		{check: "host 36", what: "the switch is on an LBFO team", team: true, facts: vswitch(func(s *intent.VirtualSwitch) { s.Team = "T" })},
		{check: "host 37", also: "host 41", what: "the switch has no embedded team", team: true, facts: vswitch(func(s *intent.VirtualSwitch) { s.Embedded = false })},
		{check: "host 38", also: "host 7, host 61", what: "Mgmt is a member instead of RoCE-02", team: true, meets: func(in *intent.Intent) {
			left := in.Nodes[0].Switches[0].Enabled[1]
			left.VMNetworkAdapter, left.VLAN = "", new(0)
			in.Nodes[0].Enabled = append(in.Nodes[0].Enabled, left)
			in.Nodes[0].Switches[0].Enabled[1].Name = "Mgmt"
		}},
		{check: "host 39", what: "one member has the WinOF driver", team: true, facts: nic(second, func(n *intent.NIC) {
			n.Driver, n.Properties["*RscIPv4"], n.Properties["*RscIPv6"] = "mlx4eth63.sys", "0", "0"
		})},
		{check: "host 40", what: "one member has another version", team: true, facts: nic(second, func(n *intent.NIC) { n.DriverVersion = "24.7.50000" })},
		{check: "host 41", also: "host 37", what: "the switch has no embedded team", team: true, facts: vswitch(func(s *intent.VirtualSwitch) { s.Embedded = false })},
		{check: "host 42", what: "the team's load balancing is Dynamic", team: true, operations: one(virtualization.SetSwitch{Switch: "VMSTest", Balance: new(virtualization.Dynamic)})},
		{check: "host 43", what: "PacketDirect of the switch is on", team: true, bare: []driver.Operation{
			virtualization.SetFeature{Connection: first, Feature: virtualization.FeaturePacketDirect, On: true}, virtualization.SetFeature{Connection: second, Feature: virtualization.FeaturePacketDirect, On: true},
			virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "VMSTest", Connection: first, Members: []string{first, second}, PacketDirect: true}}}},
		{check: "host 44", what: "the switch has SR-IOV", iov: true, intent: func(in *intent.Intent) { in.Nodes[0].Switches[0].IOV = new(false) }},
		{check: "host 45", also: "host 47, host 48, host 49", what: "`SRIOV_EN` of the card is 0", iov: true, operations: withoutSRIOV},
		{check: "host 46", what: "`Set-NetAdapterSriov -NumVFs 0` of one adapter", iov: true, operations: noFunctions(second)},
		{check: "host 47", also: "host 48, host 49", what: "the switch was created without SR-IOV", team: true, iov: true, bare: one(virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{
			Name: "VMSTest", Connection: first, Members: []string{first, second}}})},
		{check: "host 48", also: "host 46, host 47, host 49", what: "`Set-NetAdapterSriov -NumVFs 0` of all adapters of the switch", iov: true, operations: noFunctions(first, second)},
		{check: "host 49", also: "host 46, host 47, host 48", what: "`Set-NetAdapterSriov -NumVFs 0` of all adapters of the switch", iov: true, operations: noFunctions(first, second)},
		{check: "host 50", also: "host 51, host 52, host 53, host 54, host 55, host 56, host 57, host 58, host 59, host 60, host 61, host 64, host 68",
			what: "SMB01 is removed", team: true, operations: one(virtualization.RemoveVMAdapter{Adapter: "SMB01"})},
		{check: "host 51", also: "host 50, host 52, host 53, host 54, host 55, host 56, host 57, host 58, host 59, host 60, host 61, host 64, host 68",
			what: "SMB01 is a physical adapter", team: true, facts: func(f *intent.Facts) {
				hostAdapter(func(a *intent.HostAdapter) { a.Name = "other" })(f)
				f.NICs = append(f.NICs, intent.NIC{Name: "SMB01"})
			}},
		{check: "host 52", also: "host 1, host 2, host 53", what: "the cables of all adapters of the switch are pulled", team: true, operations: []driver.Operation{hardware.PullCable{Connection: first}, hardware.PullCable{Connection: second}}},
		{check: "host 53", also: "host 1, host 2, host 52", what: "the cables of all adapters of the switch are pulled", team: true, operations: []driver.Operation{hardware.PullCable{Connection: first}, hardware.PullCable{Connection: second}}},
		{check: "host 54", what: "`*JumboPacket` of SMB01 is 1514", team: true, operations: one(virtualization.SetVMAdapter{Adapter: "SMB01", JumboPacket: new(1514)})},
		{check: "host 55", also: "host 10, host 64, host 68", what: "`*NetworkDirect` of all adapters of the switch is 0", team: true, operations: slices.Concat(key(first, "*NetworkDirect", "0"), key(second, "*NetworkDirect", "0"))},
		{check: "host 56", also: "host 64, host 68", what: "RDMA of SMB01 is off", team: true, operations: one(virtualization.SetFeature{Connection: "SMB01", Feature: virtualization.FeatureRdma})},
		{check: "host 57", also: "host 50, host 51, host 52, host 53, host 54, host 55, host 56, host 58, host 59, host 60, host 61, host 64, host 68",
			what: "SMB01 is removed", team: true, operations: one(virtualization.RemoveVMAdapter{Adapter: "SMB01"})},
		{check: "host 58", what: "Hyper-V reports a fault of SMB01", team: true, facts: hostAdapter(func(a *intent.HostAdapter) { a.Status = "Lost Communication" })},
		{check: "host 59", also: "host 61", what: "SMB01 is connected to another switch", team: true, operations: []driver.Operation{
			virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "Other", Connection: "Mgmt"}}, virtualization.SetVMAdapter{Adapter: "SMB01", Mapping: new("")},
			virtualization.SetVMAdapter{Adapter: "SMB01", Switch: new("Other")}}},
		{check: "host 60", what: "IeeePriorityTag of SMB01 is off", team: true, operations: one(virtualization.SetVMAdapter{Adapter: "SMB01", PriorityTag: new(false)})},
		{check: "host 61", what: "SMB01 is mapped to RoCE-02", team: true, operations: one(virtualization.SetVMAdapter{Adapter: "SMB01", Mapping: new(second)})},
		{check: "host 62", what: "multichannel of the client is off", operations: one(stack.SetSMB{Side: stack.ClientSide, Multichannel: new(false)})},
		{check: "host 63", what: "the client requires signing", operations: one(stack.SetSMB{Side: stack.ClientSide, Sign: new(true)})},
		{check: "host 64", also: "host 68", what: "Network Direct of the host is off", operations: one(stack.SetNetworkDirect{})},
		{check: "host 65", what: "multichannel of the server is off", operations: one(stack.SetSMB{Side: stack.ServerSide, Multichannel: new(false)})},
		{check: "host 66", what: "the server requires encryption", operations: one(stack.SetSMB{Side: stack.ServerSide, Encrypt: new(true)})},
		{check: "host 67", what: "the server requires signing", operations: one(stack.SetSMB{Side: stack.ServerSide, Sign: new(true)})},
		{check: "host 68", also: "host 64", what: "Network Direct of the host is off", operations: one(stack.SetNetworkDirect{})},

		{check: "path 1", what: "the switch port has no flow control", operations: one(fabric.SetSwitchPort{Connection: first, FlowControl: new(description.NoFlowControl)})},
		{check: "path 2", what: "the peers' adapters have no PFC", operations: one(fabric.SetFarEnd{Connection: first, Settings: setup.FarEnd{AdapterFlowControl: new(description.NoFlowControl), Reacts: new(uint8(8)), Notifies: new(uint8(8))}})},
		{check: "path 3", also: "path 1", what: "the adapter trusts the DSCP, and its peers mark with the priority", operations: key(first, "RxTrustedState", "2")},
		{check: "path 4", also: "path 5", what: "the switch pauses the priority all of the time: its queue overflows", operations: one(fabric.SetSwitchPort{Connection: first, PauseShare: new(1.0), PausePriority: new(3)})},
		{check: "path 5", also: "path 4", what: "the switch pauses the priority all of the time", operations: one(fabric.SetSwitchPort{Connection: first, PauseShare: new(1.0), PausePriority: new(3)})},
		{check: "path 6", what: "the adapter does not react on priority 3", operations: one(edit.SetValue{Connection: first, Key: "DcqcnRPEnablePrio3", Value: "0"})},
		{check: "path 7", what: "the adapter's IP address is removed", operations: one(stack.RemoveAddress{Connection: first, Address: netip.MustParseAddr("10.101.1.11")})},
	}
}

// unmapped is the reason why the host adapters of the example need an embedded team.
const unmapped = "host adapters can be mapped only to members of an embedded team"

// factsOnly has the reason why no Operation makes a deviation of the facts.
var factsOnly = map[string]string{
	"host 4": "Windows has no second adapter of that name", "host 9": "every driver of the lab has the property",
	"host 16": "the manuals don't say which firmware a driver recommends", "host 37": unmapped, "host 41": unmapped,
	"host 31": "Windows gives a switch without an embedded team one adapter", "host 36": "Windows makes no embedded team of an LBFO team",
	"host 39": "the lab has no embedded team of two families", "host 40": "a host has one version of a driver",
	"host 51": "Windows has no second adapter of that name", "host 58": "the lab has no fault of Hyper-V's adapters",
}

// way says how a deviation is made.
func (d *deviation) way() string {
	switch {
	case d.facts != nil:
		return "facts: " + factsOnly[d.check]
	case d.lab != nil:
		return "the lab file"
	case d.operations != nil || d.own():
		return "change of the host"
	}
	return "the file"
}

// failed lists the checks that failed, each once.
func failed(r *intent.Report) (list []string) {
	for _, result := range r.Failures() {
		if name := fmt.Sprintf("%s %d", result.Group, result.Number); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// TestEveryCheckFailsByItsDeviation departs from each check once: the check fails, and of the others only the ones that depend
// on it. The table of docs/intent.md is made of it.
func TestEveryCheckFailsByItsDeviation(t *testing.T) {
	t.Parallel()
	type base struct{ team, iov bool }
	bases := map[base]*driver.Host{}
	names := map[base]string{{}: "two-adapters.ps1", {team: true}: "embedded-team.ps1", {iov: true}: "embedded-team.ps1"}
	for which, name := range names {
		h, in := example(t, name)
		if which.iov {
			sriov(in)
			h = nodeHost(t, withFunctions)
			for _, name := range []string{first, second} { // the described functions come with a switch
				if _, err := h.Apply(driver.Plan{Title: "test", Operations: one(virtualization.RemoveSwitch{Switch: "Switch " + name})}); err != nil {
					t.Fatal(err)
				}
			}
			brought(t, h, in) // the firmware
		}
		brought(t, h, in)
		if list := failures(t, h, in); len(list) > 0 {
			t.Fatalf("%+v: the plan leaves %+v", which, list)
		}
		bases[which] = h
	}
	titles := map[string]string{}
	var table strings.Builder
	table.WriteString("| Check | What must hold | The deviation that fails it | Made by | Fails with it |\n| --- | --- | --- | --- | --- |\n")
	for _, d := range deviations() {
		which := base{d.team, d.iov}
		h, text := bases[which], string(readFile(t, names[base{d.team && !d.iov, d.iov}]))
		if d.winof {
			text = winofNames.Replace(text)
		}
		if d.own() {
			h = d.ownHost(t, text)
		}
		h = h.Clone()
		in, err := intent.Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if d.iov {
			sriov(in)
		}
		if d.intent != nil {
			d.intent(in)
		}
		if d.operations != nil {
			if _, err := h.Apply(driver.Plan{Title: d.what, Operations: d.operations}); err != nil {
				t.Fatalf("%s: %v", d.check, err)
			}
			h.Advance(5 * time.Second)
		}
		f := Facts(h, in)
		if d.facts != nil {
			d.facts(f)
		}
		r := in.Check(in.NodeOf(f.Name), f)
		for _, result := range r.Results {
			titles[fmt.Sprintf("%s %d", result.Group, result.Number)] = result.Title
		}
		want := []string{d.check}
		if d.also != "" {
			want = append(want, strings.Split(d.also, ", ")...)
		}
		got := failed(r)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s (%s): failed %v, want %v", d.check, d.what, got, want)
		}
		if _, listed := factsOnly[d.check]; listed != (d.facts != nil) {
			t.Errorf("%s: a deviation of the facts has a reason in factsOnly, and no other one", d.check)
		}
		fmt.Fprintf(&table, "| %s | %s | %s | %s | %s |\n", d.check, titles[d.check], d.what, d.way(), d.also)
	}
	const begin, end = "<!-- checks -->\n", "<!-- end -->"
	path := filepath.Join("..", "..", "docs", "intent.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := bytes.Cut(page, []byte(begin))
	_, tail, ended := bytes.Cut(rest, []byte(end))
	if !ok || !ended {
		t.Fatalf("%s has no place for the table", path)
	}
	made := slices.Concat(head, []byte(begin), []byte(table.String()), []byte(end), tail)
	if *update {
		if err := os.WriteFile(path, made, 0o600); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(made, page) {
		t.Errorf("%s is not what the test proves: run it with -update", path)
	}
}
