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

// Team is several ports that work as one.
type Team struct {
	Name, guid string
	Family     description.Family
	ipoib      bool
	// algorithm is the load balancing algorithm of a team of Windows, empty for one of the multiplexer.
	algorithm string
	// machine is which members carry traffic; keys are ports.
	Machine mux.Machine
	// addressOf is the port whose MAC address the team uses, or mux.NoMember; mac is the address of the team.
	addressOf int
	Mac       description.MAC
	VLANs     []VLAN
	// carriers are which members carry what.
	carriers setup.Carriers
	// lost are the frames that had gone into dead members at the last look; moved what each member of an adaptive team
	// had moved at the last rebalancing, in bytes.
	lost  [2]uint64
	moved map[int][2]uint64
	// broken is the key of the event that reports how a member limits the team's connectivity, empty for none.
	broken string
	// slot is its virtual miniport of the lab.
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
	return fmt.Sprintf("there is no team %q; use a name from the list of teams, or create it first", e.Team)
}

// Find finds a team by its name, in any case as Windows compares names.
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

// CanJoin returns why a connection can't be a member of a team, or of a new one of a type when team is empty; nil when it
// can (TEAM-1, TEAM-10).
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
		return fmt.Errorf("%s has the virtual switch %q; remove it first, and recreate it on the team", connection, name)
	}
	d, _, _ := s.Lab().Port(port)
	if v := s.vendor(port); v != 0 && v != ownVendor && s.Lab().Family(port) == description.WinOF { // TEAM-1
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
	of := &s.Teams[i]
	switch {
	case s.Lab().Family(port) != of.Family:
		return fmt.Errorf("%s has the driver %s, and the team %s takes adapters of %s only",
			connection, driverName(s.Lab().Family(port)), of.Name, driverName(of.Family))
	case of.ipoib && d.Link != description.InfiniBand:
		return fmt.Errorf("%s is an Ethernet port, and the team %s takes only IPoIB ports", connection, of.Name)
	case !of.ipoib && d.Link == description.InfiniBand:
		return fmt.Errorf("%s is an IPoIB port, and the team %s takes only Ethernet ports", connection, of.Name)
	}
	return CheckCount(of.Machine.Type, of.Family, len(of.Machine.Members)+1)
}

// ownVendor is the PCI vendor id of the adapters that the drivers are for.
const ownVendor = 0x15b3

// vendor returns the PCI vendor id of a port's adapter, 0 where the lab's description has none.
func (s Set) vendor(port int) uint16 {
	_, adapter, _ := s.Lab().Port(port)
	return s.Lab().Description().Adapters[adapter].VendorID
}

// checkNewTeam returns why no team of a name can be made.
func (s Set) checkNewTeam(name string) error {
	if err := request.CheckName("team", name); err != nil {
		return err
	}
	if _, err := s.Find(name); err == nil {
		return fmt.Errorf("there is a team %q already; names of teams are unique", name)
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
		return errors.New("teams of Windows don't distribute received traffic by address; use ALB or SLB")
	}
	return nil
}

// algorithmOf returns the load balancing algorithm of a new or changed team: the requested one, else the present one. Only teams of
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

// CheckCount returns why a team of a type can't have so many members.
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

// maxStandby is how many adapters of a team Windows lets stand by.
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

// address recomputes the team's MAC after its members changed (TEAM-11).
func (s Set) address(t *Team) {
	if len(t.Machine.Members) == 0 {
		t.Mac, t.addressOf = description.MAC{}, mux.NoMember
		return
	}
	first := t.Machine.Members[0].Key
	// Windows takes the first member's as it is.
	t.Mac = mux.Address(s.Lab().Address(first), t.Family == description.WinOF2)
	if t.addressOf >= 0 {
		t.Mac = s.Lab().Address(t.addressOf)
	}
}

// Readdress recomputes the MAC addresses of teams after a member has another one.
func (s Set) Readdress(port int) {
	for i := range s.Teams {
		if t := &s.Teams[i]; slices.ContainsFunc(t.Machine.Members, func(m mux.Member) bool { return m.Key == port }) {
			s.address(t)
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
