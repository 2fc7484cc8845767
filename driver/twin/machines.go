package twin

import (
	"fmt"
	"net"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/fabric"
	"cxdeck/driver/journal"
)

// The maximum numbers of virtual switches and machines, as of a lab.
const (
	maxSwitches        = 64
	maxMachines        = 4096
	maxMachineAdapters = 8
)

// describeMachines describes the virtual switches and machines.
func (b *build) describeMachines() {
	byDevice := map[string]string{}
	for i := range b.d.Adapters {
		for _, p := range b.d.Adapters[i].Ports {
			byDevice[p.Device] = p.Connection
		}
	}
	known := map[string]bool{}
	for _, r := range b.switches {
		name := r.text("name")
		connection := byDevice[r.text("netadapterinterfacedescription", "netadapterinterfacedescriptions")]
		if connection == "" && slices.ContainsFunc(b.connections(), func(c string) bool { return c == r.text("netadaptername") }) {
			connection = r.text("netadaptername")
		}
		switch {
		case name == "" || known[name] || len(b.d.Switches) == maxSwitches:
			continue
		case connection == "":
			b.leaveOut("the virtual switch %s: its uplink %q is no adapter of the twin", name, r.text("netadapterinterfacedescription", "switchtype"))
			continue
		}
		known[name] = true
		s := description.VirtualSwitch{Name: name, Port: connection}
		s.IOV, _ = r.flag("iovenabled")
		s.PacketDirect, _ = r.flag("packetdirectenabled")
		s.ManagementOS, _ = r.flag("allowmanagementos")
		if guid := "{" + strings.ToUpper(strings.Trim(r.text("id"), "{}")) + "}"; description.IsInterfaceGUID(guid) {
			s.GUID = guid
		}
		b.assume("the virtual switch "+name, "it has no filter platform (VFP)")
		b.d.Switches = append(b.d.Switches, s)
	}
	adapters, taken := map[string][]row{}, map[string]bool{}
	for _, r := range b.machineAdapters {
		name := r.text("vmname")
		adapters[name] = append(adapters[name], r)
	}
	for _, r := range b.machines {
		name := r.text("name", "vmname")
		if name == "" || len(b.d.Machines) == maxMachines || taken[name] {
			continue
		}
		taken[name] = true
		m := description.VirtualMachine{Name: name, Off: word(r, map[int64]string{2: "Running", 3: "Off", 6: "Saved", 9: "Paused"}, "state") != "Running"}
		if memory, ok := r.number("memorystartup", "memoryassigned"); ok && memory > 0 {
			if memory > 1<<20 { // bytes; the lab prints MB
				memory >>= 20
			}
			m.MemoryMB = int(min(memory, 1<<20))
		}
		b.describeMachineAdapters(&m, adapters[name], known)
		b.assume("the machine "+name, "its system is the host's, and it has no driver for virtual functions")
		b.d.Machines = append(b.d.Machines, m)
	}
}

func (b *build) connections() (list []string) {
	for i := range b.d.Adapters {
		for _, p := range b.d.Adapters[i].Ports {
			list = append(list, p.Connection)
		}
	}
	return list
}

func (b *build) describeMachineAdapters(m *description.VirtualMachine, adapters []row, switches map[string]bool) {
	for _, r := range adapters {
		if host, _ := r.flag("ismanagementos"); host || len(m.Adapters) == maxMachineAdapters {
			continue
		}
		a := description.VirtualAdapter{Name: r.text("name")}
		if a.Name == "" || slices.ContainsFunc(m.Adapters, func(o description.VirtualAdapter) bool { return o.Name == a.Name }) {
			a.Name = fmt.Sprintf("Network Adapter %d", len(m.Adapters)+1)
		}
		if name := r.text("switchname"); switches[name] {
			a.Switch = name
		}
		dynamic, _ := r.flag("dynamicmacaddressenabled")
		if hw, err := net.ParseMAC(macText(r.text("macaddress"))); err == nil && len(hw) == 6 && hw[0]&1 == 0 && !dynamic {
			copy(a.MAC[:], hw)
		}
		if weight, ok := r.number("iovweight"); ok && weight > 0 {
			a.VF = true
		}
		if vlan, ok := r.get("vlansetting").(map[string]any); ok {
			inner := foldedRow(vlan)
			if id, ok := inner.number("accessvlanid"); ok && id > 0 && id <= description.MaxVLAN {
				a.VLAN = int(id)
			}
		}
		m.Adapters = append(m.Adapters, a)
	}
}

// apply adds the teams, policies and addresses to the twin, and the lists of what was assumed and what is unknown.
func (b *build) apply(connections map[string]*description.Port) {
	twin := b.d.Twin
	for _, o := range b.operations(connections) {
		if end, ok := o.(fabric.SetSwitchPort); ok && end.Aggregation != nil {
			b.assume(end.Connection, "the far end is in aggregation group %d, as its team requires", *end.Aggregation)
		}
		text, err := journal.MarshalOperation(o)
		if err != nil {
			b.leaveOut("%s: %v", o.Describe(), err)
			continue
		}
		twin.Setup = append(twin.Setup, string(text))
	}
	for _, missing := range []struct {
		rows []row
		what string
	}{
		{b.teams, "the host has no teams, as Get-NetLbfoTeam was not given"}, {b.policies, "the host has no QoS policies, as Get-NetQosPolicy was not given"},
		{b.flowControl, "no priority has flow control, as Get-NetQosFlowControl was not given"}, {b.machines, "the host has no virtual machines, as Get-VM was not given"},
		{b.addresses, "connections have no IP addresses but their workloads', as Get-NetIPAddress was not given"},
	} {
		if len(missing.rows) == 0 {
			b.assume("the settings", "%s", strings.ReplaceAll(missing.what, "was not given", "was not given or has none"))
		}
	}
	twin.Assumed, twin.Unknown = b.assumed, b.unknown
}
