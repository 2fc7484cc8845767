package description

import (
	"strings"

	"cxdeck/device/firmware"
)

// MaxMemoryMB bounds the memory of a virtual machine: 12 TB.
const MaxMemoryMB = 12 << 20

// virtual checks the Hyper-V part of a description and its references.
func (c *checker) virtual(d *Description, ports map[string]*Port) {
	for i := range d.Adapters {
		for name, value := range d.Adapters[i].Flash {
			s, ok := firmware.Find(d.Adapters[i].Family == WinOF, name)
			c.require(ok, []any{"adapter", i, "flash"}, "the card has no setting %q", name)
			c.require(!ok || value >= int(s.Low) && value <= int(s.High), []any{"adapter", i, "flash"},
				"%s must be %d to %d, not %d", name, s.Low, s.High, value)
		}
	}
	switches, bound := map[string]bool{}, map[string]bool{}
	for i, s := range d.Switches {
		c.require(!switches[s.Name], []any{"switch", i, "name"}, "two switches are named %q", s.Name)
		c.require(ports[s.Port] != nil && !bound[s.Port], []any{"switch", i, "port"}, "there is no port %q, or it has a switch already", s.Port)
		c.require(s.GUID == "" || IsInterfaceGUID(s.GUID), []any{"switch", i, "guid"}, "invalid GUID %q: it must be in braces and in upper case", s.GUID)
		switches[s.Name], bound[s.Port] = true, true
	}
	machines := map[string]bool{}
	for i, m := range d.Machines {
		c.require(!machines[m.Name], []any{"vm", i, "name"}, "two virtual machines are named %q", m.Name)
		c.number(m.MemoryMB, 0, MaxMemoryMB, "vm", i, "memory_mb")
		machines[m.Name] = true
		adapters := map[string]bool{}
		for j, a := range m.Adapters {
			c.require(!adapters[a.Name], []any{"vm", i, "adapter", j, "name"}, "two adapters of %q are named %q", m.Name, a.Name)
			c.require(a.Switch == "" || switches[a.Switch], []any{"vm", i, "adapter", j, "switch"}, "there is no virtual switch %q", a.Switch)
			c.require(a.SwitchPort == "" || IsInterfaceGUID("{"+a.SwitchPort+"}"), []any{"vm", i, "adapter", j, "switch_port"},
				"invalid GUID %q: it must be in upper case, without braces", a.SwitchPort)
			machine, own, two := strings.Cut(strings.ToUpper(a.NIC), "--")
			c.require(a.NIC == "" || two && IsInterfaceGUID("{"+machine+"}") && IsInterfaceGUID("{"+own+"}"),
				[]any{"vm", i, "adapter", j, "nic"}, "invalid GUIDs %q: two GUIDs without braces are required, with -- between them", a.NIC)
			adapters[a.Name] = true
		}
	}
}
