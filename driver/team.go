package driver

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/mux"
	"cxdeck/driver/request"
)

// team is several ports that work as one.
type team struct {
	name, guid string
	family     description.Family
	ipoib      bool
	// algorithm is the load balancing algorithm of a team of Windows, empty for one of the multiplexer.
	algorithm string
	// machine says which members carry traffic; keys are ports.
	machine mux.Machine
	// addressOf is the port whose MAC is that of the team, or nowhere; mac is that of the team.
	addressOf int
	mac       description.MAC
	vlans     []vlan
	// carriers say which members carry what.
	carriers device.Carriers
	// lost are the frames that had gone into dead members at the last look; moved what each member of an adaptive team
	// had moved at the last comparison, in bytes.
	lost  [2]uint64
	moved map[int][2]uint64
	// broken is the row of the event catalogue for what a member does to its connectivity, empty for nothing.
	broken string
	// slot is its virtual miniport of the lab.
	slot      int
	failovers []Failover
}

// vlan is a virtual miniport for the frames of one VLAN, on a team or on a port.
type vlan struct {
	Name     string `json:"name"`
	ID       int    `json:"id"`
	Priority int    `json:"priority"`
	GUID     string `json:"guid"`
	Slot     int    `json:"slot"`
}

// UnknownTeamError is a team that the host does not have.
type UnknownTeamError struct{ Team string }

// Error says which, and what to do.
func (e *UnknownTeamError) Error() string {
	return fmt.Sprintf("no team is called %q; use a name that the list of teams shows, or create it first", e.Team)
}

// team finds a team by its name, in any case as Windows compares names.
func (h *Host) team(name string) (int, error) {
	for i := range h.teams {
		if strings.EqualFold(h.teams[i].name, name) {
			return i, nil
		}
	}
	return 0, &UnknownTeamError{name}
}

// teamOf is the team that a port is a member of, or nil.
func (h *Host) teamOf(port int) *team {
	for i := range h.teams {
		if slices.ContainsFunc(h.teams[i].machine.Members, func(m mux.Member) bool { return m.Key == port }) {
			return &h.teams[i]
		}
	}
	return nil
}

// Teams that Windows Server makes have more members than those of the multiplexer, but no lab needs them.
const mostMembers = 8

// CanJoin says why a connection can't be a member of a team, or of a new one of a type when team is empty; nil when it
// can (TEAM-1, TEAM-10).
func (h *Host) CanJoin(team string, t mux.Type, connection string) error {
	port, err := h.port(connection)
	if err != nil {
		return err
	}
	if other := h.teamOf(port); other != nil {
		return fmt.Errorf("%s is a member of the team %s already; detach it there first", connection, other.name)
	}
	if len(h.vlans[port]) > 0 {
		return fmt.Errorf("%s has VLANs of its own; remove them first, and put them on the team", connection)
	}
	for _, s := range h.virtual.Switches {
		if s.Connection == connection {
			return fmt.Errorf("%s has the virtual switch %q; remove that first, and make it anew on the team", connection, s.Name)
		}
	}
	d, _, _ := h.lab.Port(port)
	if v := h.vendor(port); v != 0 && v != ownVendor && h.family(port) == description.WinOF { // TEAM-1
		return fmt.Errorf("%s is on an adapter of another vendor (vendor id %04x), and teams of the WinOF driver take "+
			"adapters of vendor %04x only", connection, v, ownVendor)
	}
	if team == "" {
		if d.Link == description.InfiniBand && t != 0 && t != mux.AFT {
			return fmt.Errorf("%s is a port of InfiniBand, whose teams are of the type AFT only", connection)
		}
		return nil
	}
	i, err := h.team(team)
	if err != nil {
		return err
	}
	of := &h.teams[i]
	switch {
	case h.family(port) != of.family:
		return fmt.Errorf("%s has the driver %s, and the team %s takes adapters of %s only",
			connection, familyDriver(h.family(port)), of.name, familyDriver(of.family))
	case of.ipoib && d.Link != description.InfiniBand:
		return fmt.Errorf("%s is a port of Ethernet, and the team %s takes ports of IPoIB only", connection, of.name)
	case !of.ipoib && d.Link == description.InfiniBand:
		return fmt.Errorf("%s is a port of IPoIB, and the team %s takes ports of Ethernet only", connection, of.name)
	}
	return checkCount(of.machine.Type, of.family, len(of.machine.Members)+1)
}

// ownVendor is the PCI vendor id of the adapters that the drivers are for.
const ownVendor = 0x15b3

// vendor is the PCI vendor id of a port's adapter, 0 where the lab's description has none.
func (h *Host) vendor(port int) uint16 {
	_, adapter, _ := h.lab.Port(port)
	return h.lab.Description().Adapters[adapter].VendorID
}

// checkNewTeam says why no team of a name can be made.
func (h *Host) checkNewTeam(name string) error {
	if err := request.CheckName("team", name); err != nil {
		return err
	}
	if _, err := h.team(name); err == nil {
		return fmt.Errorf("a team is called %q already; names of teams are unique", name)
	}
	return nil
}

// checkType says why no team of a family can be of a type.
func checkType(t mux.Type, ipoib bool, family description.Family) error {
	switch {
	case ipoib && t != mux.AFT:
		return fmt.Errorf("teams of IPoIB are of the type AFT only, and not %s", t)
	case ipoib && family == description.WinOF2:
		return errors.New("teams of IPoIB are made by the driver mlx4 only; Windows has none for InfiniBand")
	case t == mux.RLB && family == description.WinOF2:
		return errors.New("teams of Windows don't spread what is received by address; use ALB or SLB")
	}
	return nil
}

// algorithmOf is the load balancing algorithm of a team of a type and family that asks for one, or keeps the one that it
// has, or has neither. Only teams of Windows have one.
func algorithmOf(t mux.Type, family description.Family, asked, has string) (string, error) {
	switch {
	case family != description.WinOF2 && asked != "":
		return "", errors.New("teams of the WinOF driver have a type and no load balancing algorithm; leave it out")
	case family != description.WinOF2:
		return "", nil
	case asked == "" && t.Allows(has):
		return has, nil
	case asked == "":
		return t.Algorithm(), nil
	}
	algorithm, err := mux.ParseAlgorithm(asked)
	if err == nil && !t.Allows(algorithm) {
		err = fmt.Errorf("a team of the type %s does not use the load balancing algorithm %s; change the type to %s", t,
			algorithm, mux.WindowsType(t.Mode(), algorithm))
	}
	return algorithm, err
}

// checkFailback says why a team of a family can't be without failback.
func checkFailback(failback bool, family description.Family) error {
	if !failback && family == description.WinOF2 {
		return errors.New("a team of Windows always goes back to the member that is not on standby; leave failback on")
	}
	return nil
}

// checkCount says why a team of a type can't have so many members.
func checkCount(t mux.Type, family description.Family, members int) error {
	switch {
	case members > mostMembers:
		return fmt.Errorf("a team has %d members at most", mostMembers)
	case family == description.WinOF2 && t.FaultTolerant() && members > mostStandby+1:
		return fmt.Errorf("a team of the type %s has %d members at most, because Windows lets %d adapter stand by",
			t, mostStandby+1, mostStandby)
	}
	return nil
}

// mostStandby is how many adapters of a team Windows lets stand by.
const mostStandby = 1

// slots are the virtual miniports of a team and its VLANs.
func (t *team) slots() []int {
	list := []int{t.slot}
	for _, w := range t.vlans {
		list = append(list, w.Slot)
	}
	return list
}

// freeSlot is a virtual miniport of the lab that nobody has.
func (h *Host) freeSlot() (int, error) {
	taken := map[int]bool{}
	take := func(list []vlan) {
		for _, w := range list {
			taken[w.Slot] = true
		}
	}
	for i := range h.teams {
		taken[h.teams[i].slot] = true
		take(h.teams[i].vlans)
	}
	for _, list := range h.vlans {
		take(list)
	}
	for slot := range device.VirtualSlots {
		if !taken[slot] {
			return slot, nil
		}
	}
	return 0, fmt.Errorf("the host has %d teams and VLANs, which is the most it can have; remove one first", device.VirtualSlots)
}

// address finds the team's MAC anew after its members changed (TEAM-11).
func (h *Host) address(t *team) {
	if len(t.machine.Members) == 0 {
		t.mac, t.addressOf = description.MAC{}, nowhere
		return
	}
	first := t.machine.Members[0].Key
	// Windows takes the first member's as it is.
	t.mac = mux.Address(h.mac(first), t.family == description.WinOF2)
	if t.addressOf >= 0 {
		t.mac = h.mac(t.addressOf)
	}
}

// mac is the MAC address that a port uses.
func (h *Host) mac(port int) description.MAC { return h.lab.Address(port) }

// readdress gives teams their MAC addresses anew after a member has another one.
func (h *Host) readdress(port int) {
	for i := range h.teams {
		if t := &h.teams[i]; slices.ContainsFunc(t.machine.Members, func(m mux.Member) bool { return m.Key == port }) {
			h.address(t)
		}
	}
}

// connection is the name of a port's connection.
func (h *Host) connection(port int) string {
	if port < 0 {
		return ""
	}
	d, _, _ := h.lab.Port(port)
	return d.Connection
}

func byID(a, b vlan) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name)) }
