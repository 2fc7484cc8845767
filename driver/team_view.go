package driver

import (
	"slices"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/mux"
)

// TeamView is a team as it is now.
type TeamView struct {
	Name string
	// GUID has braces and upper-case digits.
	GUID string
	// Family is WinOF for a team of the multiplexer, WinOF2 for one of Windows Server (TEAM-15).
	Family          description.Family
	Type            mux.Type
	IPoIB, Failback bool
	// Mode and Algorithm are what Windows Server has in the place of the type; empty for a team of the multiplexer.
	Mode, Algorithm string
	// Primary is the connection that was named as the primary one, empty for none.
	Primary string
	// MAC is the team's address; zero while it has no member.
	MAC description.MAC
	// Miniport is the network device that Windows shows for it, Slot the place of its counters; see
	// device.Lab.VirtualCell.
	Miniport  string
	Slot      int
	Connected bool
	// Why says why it is not up, or only in part; empty when all is well.
	Why     string
	Members []MemberView
	VLANs   []VLANView
	// Discarded are the frames, received and sent, that found nobody in the team so far, such as frames of a VLAN that it
	// has no adapter for. Those that went into a dead member are not among them.
	Discarded [2]uint64
	// Failovers are the newest few, the newest last.
	Failovers []Failover
}

// MemberView is a member of a team.
type MemberView struct {
	// Port is the number that device.Lab knows it by.
	Port int
	// Connection and GUID are its names: "Ethernet 3", and that of the network interface in braces.
	Connection, GUID string
	Role             mux.Role
	Status           mux.Status
	// Why says why it does not carry traffic; empty when it does.
	Why string
	// Receives and Sends are the parts of the team's five-tuples that it carries.
	Receives, Sends float64
}

// VLANView is a VLAN on a team or on a port; the other one of Team and Connection is empty.
type VLANView struct {
	Team, Connection string
	Name             string
	ID, Priority     int
	GUID, Miniport   string
	// Slot is the place of its counters; see device.Lab.VirtualCell.
	Slot int
	// Why says why it carries nothing; empty when it can.
	Why string
}

// The names that Windows shows for virtual network devices (TEAM-12).
const (
	muxMiniport     = "Mellanox Virtual Miniport Driver - Team "
	muxVLANMiniport = "Mellanox Virtual Miniport Driver - VLAN "
	windowsMiniport = "Microsoft Network Adapter Multiplexor Driver"
)

// viewTeams adds the teams and VLANs to a view.
func (h *Host) viewTeams(v *View) {
	v.Teams = h.Teams()
	for a := range v.Adapters {
		for p := range v.Adapters[a].Ports {
			port := &v.Adapters[a].Ports[p]
			if t := h.teamOf(port.Port); t != nil {
				port.Team, port.Role = t.name, t.machine.Role(port.Port)
			}
			for _, w := range h.vlans[port.Port] {
				port.VLANs = append(port.VLANs, h.viewVLAN("", port.Description.Connection, h.family(port.Port), &w))
			}
		}
	}
}

func (h *Host) viewTeam(t *team) TeamView {
	v := TeamView{
		Name: t.name, GUID: t.guid, Family: t.family, Type: t.machine.Type, IPoIB: t.ipoib, Failback: t.machine.Failback,
		Primary: h.connection(t.machine.Primary), MAC: t.mac, Miniport: t.device(), Slot: t.slot,
		Connected: t.machine.Connected(), Failovers: slices.Clone(t.failovers),
	}
	if t.family == description.WinOF2 {
		v.Mode, v.Algorithm = t.machine.Type.Mode(), t.algorithm
	}
	counters := h.lab.Counters()
	at := func(c device.VirtualCounter) uint64 { return counters[h.lab.VirtualCell(t.slot, c)] }
	v.Discarded = [2]uint64{
		at(device.VirtualReceivedDiscards) - at(device.VirtualReceivedLost), at(device.VirtualSentDiscards) - at(device.VirtualSentLost),
	}
	receives, sends := h.carried(t)
	for _, m := range t.machine.Members {
		d, _, _ := h.lab.Port(m.Key)
		v.Members = append(v.Members, MemberView{
			Port: m.Key, Connection: d.Connection, GUID: d.Interface, Role: t.machine.Role(m.Key), Status: h.memberStatus(m.Key),
			Why: h.whyIdle(t, m.Key), Receives: receives[m.Key], Sends: sends[m.Key],
		})
	}
	v.Why = h.whyTeam(t)
	for i := range t.vlans {
		v.VLANs = append(v.VLANs, h.viewVLAN(t.name, "", t.family, &t.vlans[i]))
	}
	return v
}

func (h *Host) viewVLAN(team, connection string, family description.Family, w *vlan) VLANView {
	return VLANView{
		Team: team, Connection: connection, Name: w.Name, ID: w.ID, Priority: w.Priority, GUID: w.GUID, Slot: w.Slot,
		Miniport: vlanDevice(family, w.Name), Why: h.whyVLAN(team, connection, w.ID),
	}
}

// device is what the device manager calls a team (TEAM-12).
func (t *team) device() string {
	if t.family == description.WinOF2 {
		return windowsMiniport
	}
	return muxMiniport + t.name
}

// vlanDevice is what the device manager calls a VLAN of adapters of a family.
func vlanDevice(family description.Family, name string) string {
	if family == description.WinOF2 {
		return windowsMiniport
	}
	return muxVLANMiniport + name
}

// memberStatus is how a port is as a member (TEAM-1).
func (h *Host) memberStatus(port int) mux.Status {
	switch state := h.lab.State(port); {
	case !state.Enabled:
		return mux.Disabled
	case !state.Up:
		return mux.Disconnected
	}
	return mux.Connected
}
