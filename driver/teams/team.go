package teams

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/request"
	"cxdeck/driver/teams/mux"
)

// Team is a group of ports that act as one.
type Team struct {
	Name, guid string
	Family     description.Family
	ipoib      bool
	// algorithm is the load balancing algorithm of a team of Windows, empty for one of the multiplexer.
	algorithm string
	// Machine chooses the members that carry traffic; its keys are ports.
	Machine mux.Machine
	// addressOf is the port whose MAC address the team was given, or mux.NoMember; Mac is the address of the team.
	addressOf int
	Mac       description.MAC
	VLANs     []VLAN
	// carriers assigns the flows to members.
	carriers setup.Carriers
	// lost counts the frames lost in dead members up to the last update, received and sent; moved are the bytes of each member
	// of an adaptive team up to the last rebalancing.
	lost  [2]uint64
	moved map[int][2]uint64
	// broken is the key of the event that reports how a member limits the team's connectivity, empty for none.
	broken string
	// Slot is its virtual miniport in the lab.
	Slot      int
	Failovers []Failover
}

// VLAN is a virtual miniport for the frames of one VLAN, on a team or on a port.
type VLAN struct {
	Name     string `json:"name"`
	ID       int    `json:"id"`
	Priority int    `json:"priority"`
	GUID     string `json:"guid"`
	Slot     int    `json:"slot"`
}

// UnknownError is a team that the host does not have.
type UnknownError struct{ Team string }

// Error names it and the remedy.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no team %q; use a name from the list of teams, or create it first", request.Word(e.Team))
}

// Find finds a team by its name, and ignores case as Windows does.
func (s *State) Find(name string) (int, error) {
	for i := range s.Teams {
		if strings.EqualFold(s.Teams[i].Name, name) {
			return i, nil
		}
	}
	return 0, &UnknownError{name}
}

// TeamOf returns the team that a port is a member of, or nil.
func (s *State) TeamOf(port int) *Team {
	for i := range s.Teams {
		if slices.ContainsFunc(s.Teams[i].Machine.Members, func(m mux.Member) bool { return m.Key == port }) {
			return &s.Teams[i]
		}
	}
	return nil
}

// maxMembers bounds all teams. Windows Server allows more members than the multiplexer, but no lab needs them.
const maxMembers = 8

// CanJoin returns why a connection can't be a member of a team, or of a new team of type t when team is empty; nil when it can
// (TEAM-1, TEAM-10).
func (s Set) CanJoin(team string, t mux.Type, connection string) error {
	port, err := s.Port(connection)
	if err != nil {
		return err
	}
	if other := s.TeamOf(port); other != nil {
		return fmt.Errorf("%s is a member of the team %s already; detach it there first", connection, other.Name)
	}
	if len(s.VLANs[port]) > 0 {
		return fmt.Errorf("%s has VLANs of its own; remove them first, and put them on the team", connection)
	}
	if name := s.SwitchOn("", connection); name != "" {
		return request.Errorf("%s has the virtual switch %q; remove it first, and recreate it on the team", connection, name)
	}
	d, _, _ := s.Lab().Port(port)
	if v := s.vendorID(port); v != 0 && v != ownVendor && s.Lab().Family(port) == description.WinOF { // TEAM-1
		return fmt.Errorf("%s is on an adapter of another vendor (vendor id %04x), and teams of the WinOF driver take "+
			"adapters of vendor %04x only", connection, v, ownVendor)
	}
	if team == "" {
		if d.Link == description.InfiniBand && t != 0 && t != mux.AFT {
			return fmt.Errorf("%s is an InfiniBand port, which supports only teams of type AFT", connection)
		}
		return nil
	}
	i, err := s.Find(team)
	if err != nil {
		return err
	}
	owner := &s.Teams[i]
	switch {
	case s.Lab().Family(port) != owner.Family:
		return fmt.Errorf("%s has the driver %s, and the team %s takes adapters of %s only",
			connection, driverName(s.Lab().Family(port)), owner.Name, driverName(owner.Family))
	case owner.ipoib && d.Link != description.InfiniBand:
		return fmt.Errorf("%s is an Ethernet port, and the team %s takes only IPoIB ports", connection, owner.Name)
	case !owner.ipoib && d.Link == description.InfiniBand:
		return fmt.Errorf("%s is an IPoIB port, and the team %s takes only Ethernet ports", connection, owner.Name)
	}
	return CheckCount(owner.Machine.Type, owner.Family, len(owner.Machine.Members)+1)
}

// ownVendor is the PCI vendor id of the adapters that the drivers are for.
const ownVendor = 0x15b3

// vendorID returns the PCI vendor id of a port's adapter, 0 where the lab's description has none.
func (s Set) vendorID(port int) uint16 {
	_, adapter, _ := s.Lab().Port(port)
	return s.Lab().Description().Adapters[adapter].VendorID
}

// checkNewTeam returns why a name can't be that of a new team.
func (s Set) checkNewTeam(name string) error {
	if err := request.CheckName("team", name); err != nil {
		return err
	}
	if _, err := s.Find(name); err == nil {
		return request.Errorf("there is a team %q already; names of teams are unique", name)
	}
	return nil
}

// CheckType returns why no team of a family can be of a type.
func CheckType(t mux.Type, ipoib bool, family description.Family) error {
	switch {
	case ipoib && t != mux.AFT:
		return fmt.Errorf("IPoIB teams must be of type AFT, not %s", t)
	case ipoib && family == description.WinOF2:
		return errors.New("only the driver mlx4 supports IPoIB teams; Windows does not")
	case t == mux.RLB && family == description.WinOF2:
		return errors.New("RLB is not supported by Windows teams (LBFO); use ALB or SLB")
	}
	return nil
}

// algorithmOf returns the load balancing algorithm of a new or changed team: the requested one, else the current one. Only teams of
// Windows have one.
func algorithmOf(t mux.Type, family description.Family, asked, has string) (string, error) {
	switch {
	case family != description.WinOF2 && asked != "":
		return "", errors.New("teams of the WinOF driver have a type and no load balancing algorithm; omit it")
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

// CheckFailback returns why a team of a family can't be without failback.
func CheckFailback(failback bool, family description.Family) error {
	if !failback && family == description.WinOF2 {
		return errors.New("a team of Windows always fails back to the member that is not on standby; leave failback on")
	}
	return nil
}

// CheckCount returns why a team of a type can't have a number of members.
func CheckCount(t mux.Type, family description.Family, members int) error {
	switch {
	case members > maxMembers:
		return fmt.Errorf("a team can have at most %d members", maxMembers)
	case family == description.WinOF2 && t.FaultTolerant() && members > maxStandby+1:
		return fmt.Errorf("a team of the type %s can have at most %d members, because Windows allows %d standby adapter",
			t, maxStandby+1, maxStandby)
	}
	return nil
}

// maxStandby is the maximum number of standby adapters in a Windows team.
const maxStandby = 1

// slots returns the virtual miniports of a team and its VLANs.
func (t *Team) slots() []int {
	list := []int{t.Slot}
	for _, w := range t.VLANs {
		list = append(list, w.Slot)
	}
	return list
}

// freeSlot returns an unused virtual miniport of the lab.
func (s Set) freeSlot() (int, error) {
	taken := map[int]bool{}
	take := func(list []VLAN) {
		for _, w := range list {
			taken[w.Slot] = true
		}
	}
	for i := range s.Teams {
		taken[s.Teams[i].Slot] = true
		take(s.Teams[i].VLANs)
	}
	for _, list := range s.VLANs {
		take(list)
	}
	for slot := range counter.VirtualSlots {
		if !taken[slot] {
			return slot, nil
		}
	}
	return 0, fmt.Errorf("the host has %d teams and VLANs, the maximum; remove one first", counter.VirtualSlots)
}

// updateAddress computes the team's MAC address after its members changed (TEAM-11).
func (s Set) updateAddress(t *Team) {
	if len(t.Machine.Members) == 0 {
		t.Mac, t.addressOf = description.MAC{}, mux.NoMember
		return
	}
	first := t.Machine.Members[0].Key
	// Windows uses the first member's address unchanged.
	t.Mac = mux.Address(s.Lab().Address(first), t.Family == description.WinOF2)
	if t.addressOf >= 0 {
		t.Mac = s.Lab().Address(t.addressOf)
	}
}

// UpdateAddresses computes the MAC addresses of teams after the address of a member changed.
func (s Set) UpdateAddresses(port int) {
	for i := range s.Teams {
		if t := &s.Teams[i]; slices.ContainsFunc(t.Machine.Members, func(m mux.Member) bool { return m.Key == port }) {
			s.updateAddress(t)
		}
	}
}

// driverName returns the driver of a family: "mlx4", "mlx5".
func driverName(f description.Family) string {
	if f == description.WinOF {
		return "mlx4"
	}
	return "mlx5"
}

func byID(a, b VLAN) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name)) }
