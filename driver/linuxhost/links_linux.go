package linuxhost

import (
	"fmt"
	"slices"
)

// addLinkSettings adds the state of the interfaces, their bond, and what a bond or VLAN is made of.
func (m *Machine) addLinkSettings() {
	var bonds []string
	for _, i := range m.Interfaces {
		if i.Kind == "bond" {
			bonds = append(bonds, i.Name)
		}
	}
	for n := range m.Interfaces {
		i := &m.Interfaces[n]
		if i.Index == loopback {
			continue
		}
		i.set("state", map[bool]string{true: "up", false: "down"}[i.Up], "")
		i.bonds = bonds
		switch {
		case i.Kind == "bond":
			i.set("link", bondText(func(option string) string { s, _ := i.Setting("bond." + option); return s.Value }), "")
		case i.Kind == "vlan" && i.Below != "":
			i.set("link", fmt.Sprintf("vlan %d %s", i.VLAN, i.Below), "")
		case i.Kind == "" || i.Kind == "veth" || i.Kind == "dummy":
			master := i.Master
			if master == "" {
				master = Absent
			}
			i.set("master", master, "")
		}
		for k := range i.Settings {
			s := &i.Settings[k]
			switch mode, _ := i.Setting("bond.mode"); {
			case s.Name == "master" && i.Master != "" && !slices.Contains(bonds, i.Master):
				s.Fixed = i.Master + " is no bond"
			case s.Name == "master" && len(bonds) == 0:
				s.Fixed = "there is no bond"
			case s.Name == "link":
				s.Fixed = "it is made and removed as a whole"
			case s.Name == "bond.lacp_rate" && mode.Value != "802.3ad":
				s.Fixed = "only the mode 802.3ad has LACP"
			}
		}
	}
}
