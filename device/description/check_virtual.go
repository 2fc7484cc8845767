package description

import (
	"strings"

	"cxdeck/device/firmware"
)

// The most that Hyper-V of a description has.
const (
	maxSwitches        = 64
	maxMachines        = 4096
	maxVirtualAdapters = 8 // of a machine
	maxSpace           = 1 << 24
	maxSriovPortMode   = 2

	// MaxMemoryMB bounds the memory of a virtual machine: 12 TB.
	MaxMemoryMB = 12 << 20
)

// virtual checks what a description says of Hyper-V and what it depends on.
func (c *checker) virtual(d *Description, ports map[string]*Port) {
	c.number(d.Host.SpaceMB, 0, maxSpace, "host", "space_mb")
	for i := range d.Adapters {
		for name, value := range d.Adapters[i].Flash {
			s, ok := firmware.Find(d.Adapters[i].Family == WinOF, name)
			c.need(ok, []any{"adapter", i, "flash"}, "the card has no setting %q", name)
			c.need(!ok || value >= int(s.Low) && value <= int(s.High), []any{"adapter", i, "flash"},
				"%s must be %d to %d, not %d", name, s.Low, s.High, value)
		}
	}
	for i := range d.Adapters {
		if mode := d.Adapters[i].SriovPortMode; mode != nil {
			c.number(*mode, 0, maxSriovPortMode, "adapter", i, "sriov_port_mode")
		}
	}
	c.number(len(d.Switches), 0, maxSwitches, "switch")
	switches, bound := map[string]bool{}, map[string]bool{}
	for i, s := range d.Switches {
		c.name(s.Name, "switch", i, "name")
		c.need(!switches[s.Name], []any{"switch", i, "name"}, "two switches are named %q", s.Name)
		c.need(ports[s.Port] != nil && !bound[s.Port], []any{"switch", i, "port"}, "there is no port %q, or it has a switch already", s.Port)
		c.need(s.GUID == "" || IsInterfaceGUID(s.GUID), []any{"switch", i, "guid"}, "invalid GUID %q: it must be in braces and in upper case", s.GUID)
		switches[s.Name], bound[s.Port] = true, true
	}
	c.number(len(d.Machines), 0, maxMachines, "vm")
	machines := map[string]bool{}
	for i, m := range d.Machines {
		c.name(m.Name, "vm", i, "name")
		c.need(!machines[m.Name], []any{"vm", i, "name"}, "two virtual machines are named %q", m.Name)
		c.text(m.GuestDriver, "vm", i, "guest_driver")
		c.text(m.System, "vm", i, "system")
		c.number(m.MemoryMB, 0, MaxMemoryMB, "vm", i, "memory_mb")
		c.number(len(m.Adapters), 0, maxVirtualAdapters, "vm", i, "adapter")
		machines[m.Name] = true
		adapters := map[string]bool{}
		for j, a := range m.Adapters {
			c.name(a.Name, "vm", i, "adapter", j, "name")
			c.need(!adapters[a.Name], []any{"vm", i, "adapter", j, "name"}, "two adapters of %q are named %q", m.Name, a.Name)
			c.need(a.Switch == "" || switches[a.Switch], []any{"vm", i, "adapter", j, "switch"}, "there is no virtual switch %q", a.Switch)
			c.number(a.VLAN, 0, MaxVLAN, "vm", i, "adapter", j, "vlan")
			c.need(a.SwitchPort == "" || IsInterfaceGUID("{"+a.SwitchPort+"}"), []any{"vm", i, "adapter", j, "switch_port"},
				"invalid GUID %q: it must be in upper case, without braces", a.SwitchPort)
			machine, own, two := strings.Cut(strings.ToUpper(a.NIC), "--")
			c.need(a.NIC == "" || two && IsInterfaceGUID("{"+machine+"}") && IsInterfaceGUID("{"+own+"}"),
				[]any{"vm", i, "adapter", j, "nic"}, "invalid GUIDs %q: two GUIDs without braces are required, with -- between them", a.NIC)
			adapters[a.Name] = true
		}
	}
}
