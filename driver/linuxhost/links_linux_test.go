package linuxhost

import (
	"strings"
	"testing"
)

// bondedMachine has two ports, of which one is in a bond with a VLAN.
func bondedMachine() *Machine {
	m := &Machine{Interfaces: []Interface{
		{Name: "lo", Index: 1, Up: true}, {Name: "eth1", Index: 2, Up: true}, {Name: "eth2", Index: 3, Up: true, Master: "bond0"},
		{Name: "bond0", Index: 4, Kind: "bond", Up: true, Members: []Member{{Name: "eth2"}}, Settings: []Setting{
			{Name: "bond.mode", Value: "802.3ad"}, {Name: "bond.miimon", Value: "100"}, {Name: "bond.xmit_hash_policy", Value: "layer3+4"}, {Name: "bond.lacp_rate", Value: "fast"}}},
		{Name: "bond0.7", Index: 5, Kind: "vlan", VLAN: 7, Below: "bond0", Up: true},
		{Name: "bond1", Index: 6, Kind: "bond"}, {Name: "eth3", Index: 7, Master: "br0"}, {Name: "br0", Index: 8, Kind: "bridge"},
	}}
	m.addLinkSettings()
	return m
}

func commandsOf(p Plan) string {
	var lines []string
	for i := range p {
		lines = append(lines, p[i].Command())
	}
	return strings.Join(lines, "\n")
}

// TestPlansOfLinks: bonds, members and VLANs are planned in the order that the kernel requires, and the inverse makes them again.
func TestPlansOfLinks(t *testing.T) {
	t.Parallel()
	set := func(m *Machine, name, assignment string) (Plan, error) { return NewPlan(m, name, []string{assignment}) }
	for name, c := range map[string]struct {
		plan      func(m *Machine) (Plan, error)
		want, not string
	}{
		"bond": {func(m *Machine) (Plan, error) {
			return AddBond(m, "bond9", []string{"mode=802.3ad", "lacp_rate=fast", "members=eth1"})
		}, `ip link add name bond9 type bond mode 802.3ad miimon 100 xmit_hash_policy layer2 lacp_rate fast
ip link set dev eth1 down
ip link set dev eth1 master bond9
ip link set dev bond9 up`, `ip link set dev bond9 down
ip link set dev eth1 nomaster
ip link set dev eth1 up
ip link del dev bond9`},
		"vlan": {func(m *Machine) (Plan, error) { return AddVLAN(m, "eth1", "42", "") }, `ip link add link eth1 name eth1.42 type vlan id 42
ip link set dev eth1.42 up`, `ip link set dev eth1.42 down
ip link del dev eth1.42`},
		"remove a VLAN": {func(m *Machine) (Plan, error) { return RemoveLink(m, "bond0.7") }, `ip link set dev bond0.7 down
ip link del dev bond0.7`, `ip link add link bond0 name bond0.7 type vlan id 7
ip link set dev bond0.7 up`},
		"remove a bond": {func(m *Machine) (Plan, error) {
			m.Interfaces[4].Below = ""
			return RemoveLink(m, "bond0")
		}, `ip link set dev bond0 down
ip link set dev eth2 nomaster
ip link del dev bond0`, `ip link add name bond0 type bond mode 802.3ad miimon 100 xmit_hash_policy layer3+4 lacp_rate fast
ip link set dev eth2 master bond0
ip link set dev bond0 up`},
		"join": {func(m *Machine) (Plan, error) { return set(m, "eth1", "master=bond0") }, `ip link set dev eth1 down
ip link set dev eth1 master bond0`, `ip link set dev eth1 nomaster
ip link set dev eth1 up`},
		"move": {func(m *Machine) (Plan, error) { return set(m, "eth2", "master=bond1") }, `ip link set dev eth2 nomaster
ip link set dev eth2 master bond1`, `ip link set dev eth2 nomaster
ip link set dev eth2 master bond0`},
		"lacp rate": {func(m *Machine) (Plan, error) { return set(m, "bond0", "bond.lacp_rate=slow") }, `ip link set dev bond0 down
ip link set dev bond0 type bond lacp_rate slow
ip link set dev bond0 up`, `ip link set dev bond0 down
ip link set dev bond0 type bond lacp_rate fast
ip link set dev bond0 up`},
	} {
		plan, err := c.plan(bondedMachine())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := commandsOf(plan); got != c.want {
			t.Errorf("%s:\n%s", name, got)
		}
		if got := commandsOf(plan.Inverse()); got != c.not {
			t.Errorf("the inverse of %s:\n%s", name, got)
		}
	}
}

// TestPlansOfLinksAreRefused: wrong names, options and members have a reason.
func TestPlansOfLinksAreRefused(t *testing.T) {
	t.Parallel()
	m := bondedMachine()
	add := func(name string, options ...string) error { _, err := AddBond(m, name, options); return err }
	vlan := func(parent, id, name string) error { _, err := AddVLAN(m, parent, id, name); return err }
	remove := func(name string) error { _, err := RemoveLink(m, name); return err }
	set := func(name, assignment string) error { _, err := NewPlan(m, name, []string{assignment}); return err }
	for want, err := range map[string]error{
		"there is an interface bond0 already": add("bond0"), "1 to 15 characters": add("a/b"), "is no name of an interface": add("averylongnamehere"), "\"..\" is no name": add(".."),
		"no option \"speed\"": add("b", "speed=1"), "must be one of balance-rr": add("b", "mode=fast"), "for the mode 802.3ad only": add("b", "lacp_rate=fast"),
		"no interface \"eth9\"": add("b", "members=eth9"), "eth2 can't be a member: it is a member of bond0": add("b", "members=eth2"), "given twice": add("b", "members=eth1,eth1"),
		"must be OPTION=VALUE": add("b", "mode"), "the interface bond1 can't be a member": add("b", "members=bond1"),
		"from 1 to 4094": vlan("eth1", "4095", ""), "has the VLAN 7 already: bond0.7": vlan("bond0", "7", "x"), "no interface \"eth8\"": vlan("eth8", "1", ""), "carries no VLANs": vlan("lo", "1", ""),
		"carries bond0.7: remove it first": remove("bond0"), "neither a bond nor a VLAN": remove("eth1"),
		"can't be changed: br0 is no bond": set("eth3", "master=none"), "made and removed as a whole": set("bond0", "link=none"), "up, down": set("eth1", "state=on"),
		"must be one of none, bond0, bond1": set("eth1", "master=eth2"),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
