package teams

import (
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/teams/mux"
)

// View is the current state of a team.
type View struct {
	Name string
	// GUID has braces and upper-case digits.
	GUID string
	// Family is WinOF for a team of the multiplexer, WinOF2 for one of Windows Server (TEAM-15).
	Family          description.Family
	Type            mux.Type
	IPoIB, Failback bool
	// Mode and Algorithm replace the type on Windows Server; empty for a team of the multiplexer.
	Mode, Algorithm string
	// Primary is the connection that was set as the primary member, empty for none.
	Primary string
	// MAC is the team's address; zero while it has no member.
	MAC description.MAC
	// Miniport is the network device that Windows shows for it, Slot the place of its counters; see
	// device.Lab.VirtualCell.
	Miniport  string
	Slot      int
	Connected bool
	// Why is the reason why it is down or impaired; empty when it is neither.
	Why     string
	Members []MemberView
	VLANs   []VLANView
	// Discarded counts the frames, received and sent, without a receiver in the team so far, such as frames of a VLAN that it
	// has no adapter for. Frames sent to a failed member are not counted here.
	Discarded [2]uint64
	// Failovers are the newest ones, the latest last.
	Failovers []Failover
}

// MemberView is a member of a team.
type MemberView struct {
	// Port is its number in device.Lab.
	Port int
	// Connection and GUID are its names: "Ethernet 3", and the GUID of the network interface in braces.
	Connection, GUID string
	Role             mux.Role
	Status           mux.Status
	// Why is the reason why it does not carry traffic; empty when it does.
	Why string
	// Receives and Sends are the fractions of the team's five-tuples that it carries.
	Receives, Sends float64
}

// VLANView is a VLAN on a team or on a port; either Team or Connection is empty.
type VLANView struct {
	Team       string `json:"team,omitempty"`
	Connection string `json:"connection,omitempty"`
	Name       string `json:"name"`
	ID         int    `json:"id"`
	Priority   int    `json:"priority"`
	GUID       string `json:"guid"`
	Miniport   string `json:"device"`
	// Slot is the place of its counters; see device.Lab.VirtualCell.
	Slot int `json:"-"`
	// Why is the reason why it carries nothing; empty when it can.
	Why string `json:"why,omitempty"`
}

// The names that Windows shows for virtual network devices (TEAM-12).
const (
	muxMiniport     = "Mellanox Virtual Miniport Driver - Team "
	muxVLANMiniport = "Mellanox Virtual Miniport Driver - VLAN "
	windowsMiniport = "Microsoft Network Adapter Multiplexor Driver"
)

// Views returns the current state of all teams.
func (s Set) Views() []View {
	list := make([]View, len(s.Teams))
	for i := range s.Teams {
		list[i] = s.viewTeam(&s.Teams[i])
	}
	return list
}

// PortVLANs returns the VLANs of a port without a team.
func (s Set) PortVLANs(port int) (list []VLANView) {
	for _, w := range s.VLANs[port] {
		list = append(list, s.viewVLAN("", s.Lab().Connection(port), s.Lab().Family(port), &w))
	}
	return list
}

// RoleOf returns the name of the team that a port is a member of, empty for none, and its role there.
func (s Set) RoleOf(port int) (team string, role mux.Role) {
	if t := s.TeamOf(port); t != nil {
		return t.Name, t.Machine.Role(port)
	}
	return "", role
}

func (s Set) viewTeam(t *Team) View {
	v := View{
		Name: t.Name, GUID: t.guid, Family: t.Family, Type: t.Machine.Type, IPoIB: t.ipoib, Failback: t.Machine.Failback,
		Primary: s.Lab().Connection(t.Machine.Primary), MAC: t.Mac, Miniport: t.Device(), Slot: t.Slot,
		Connected: t.Machine.Connected(), Failovers: slices.Clone(t.Failovers),
	}
	if t.Family == description.WinOF2 {
		v.Mode, v.Algorithm = t.Machine.Type.Mode(), t.algorithm
	}
	counters := s.Lab().Counters()
	at := func(c counter.Virtual) uint64 { return counters[s.Lab().VirtualCell(t.Slot, c)] }
	v.Discarded = [2]uint64{
		at(counter.VirtualReceivedDiscards) - at(counter.VirtualReceivedLost), at(counter.VirtualSentDiscards) - at(counter.VirtualSentLost),
	}
	receives, sends := s.carried(t)
	for _, m := range t.Machine.Members {
		d, _, _ := s.Lab().Port(m.Key)
		v.Members = append(v.Members, MemberView{
			Port: m.Key, Connection: d.Connection, GUID: d.Interface, Role: t.Machine.Role(m.Key), Status: s.memberStatus(m.Key),
			Why: s.idleReason(t, m.Key), Receives: receives[m.Key], Sends: sends[m.Key],
		})
	}
	v.Why = s.whyTeam(t)
	for i := range t.VLANs {
		v.VLANs = append(v.VLANs, s.viewVLAN(t.Name, "", t.Family, &t.VLANs[i]))
	}
	return v
}

func (s Set) viewVLAN(team, connection string, family description.Family, w *VLAN) VLANView {
	return VLANView{
		Team: team, Connection: connection, Name: w.Name, ID: w.ID, Priority: w.Priority, GUID: w.GUID, Slot: w.Slot,
		Miniport: VLANDevice(family, w.Name), Why: s.whyVLAN(team, connection, w.ID),
	}
}

// Device returns the name of a team in Device Manager (TEAM-12).
func (t *Team) Device() string {
	if t.Family == description.WinOF2 {
		return windowsMiniport
	}
	return muxMiniport + t.Name
}

// VLANDevice returns the name of a VLAN of adapters of a family in Device Manager.
func VLANDevice(family description.Family, name string) string {
	if family == description.WinOF2 {
		return windowsMiniport
	}
	return muxVLANMiniport + name
}

// memberStatus returns the status of a port as a member (TEAM-1).
func (s Set) memberStatus(port int) mux.Status {
	switch state := s.Lab().State(port); {
	case !state.Enabled:
		return mux.Disabled
	case !state.Up:
		return mux.Disconnected
	}
	return mux.Connected
}
