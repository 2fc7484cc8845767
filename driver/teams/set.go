package teams

import (
	"maps"
	"slices"
	"time"

	"cxdeck/device"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/operation"
	"cxdeck/driver/request"
)

// State holds the teams and VLANs of a host.
type State struct {
	// Teams are in the order of creation; VLANs are the VLANs of single ports.
	Teams []Team
	VLANs map[int][]VLAN
}

// Ports is the part of the host that teams use: facts about its ports, and actions on them.
type Ports interface {
	Lab() *device.Lab
	// Port returns the number of a connection's port.
	Port(connection string) (int, error)
	// Running and Restarting report the state of a port's driver.
	Running(port int) bool
	Restarting(port int) bool
	// LinkLost returns the time at which the link of a port was lost, 0 while it is up.
	LinkLost(port int) time.Duration
	// QueuesAndNVGRE reports whether the driver of a port offers queues of virtual machines and NVGRE offload.
	QueuesAndNVGRE(port int) bool
	// SwitchOn returns the virtual switch on a team or on a connection, empty for none; TeamRenamed moves it to the new name.
	SwitchOn(team, connection string) string
	TeamRenamed(from, to string)
	// HasGUID reports whether a network interface that belongs to no team and is no VLAN has a GUID.
	HasGUID(guid string) bool
	// GUID returns the GUID of a new miniport: the given one, or the first free one of named, or one from the seed.
	GUID(given string, named []string) (string, error)
	// Restart stops and starts the adapter of a port, unless it is disabled.
	Restart(port int)
	// BindingsChanged is called when the teams' bindings in the lab have changed.
	BindingsChanged()
	// Log adds an event to the event log, Note an event of the catalogue about a port.
	Log(e eventlog.Event)
	Note(port int, event string, values ...string)
	// CopyOfHost returns the teams and VLANs of a copy of the host.
	CopyOfHost() Set
}

// Set gives access to the teams and VLANs of a host and to the ports that they use.
type Set struct {
	Ports
	*State
}

// Operation is a change of teams or VLANs.
type Operation = operation.Of[Set]

// Clone returns an independent copy.
func (s *State) Clone() State {
	c := State{slices.Clone(s.Teams), make(map[int][]VLAN, len(s.VLANs))}
	for i := range c.Teams {
		t := &c.Teams[i]
		t.Machine.Members, t.VLANs, t.Failovers = slices.Clone(t.Machine.Members), slices.Clone(t.VLANs), slices.Clone(t.Failovers)
		t.moved = maps.Clone(t.moved)
	}
	for port, list := range s.VLANs {
		c.VLANs[port] = slices.Clone(list)
	}
	return c
}

// HasGUID reports whether a team or a VLAN has a GUID.
func (s *State) HasGUID(guid string) bool {
	is := func(w VLAN) bool { return w.GUID == guid }
	for i := range s.Teams {
		if s.Teams[i].guid == guid || slices.ContainsFunc(s.Teams[i].VLANs, is) {
			return true
		}
	}
	for _, list := range s.VLANs {
		if slices.ContainsFunc(list, is) {
			return true
		}
	}
	return false
}

// checkGUID returns a GUID in the form of the host, or why no new miniport can have it.
func (s Set) checkGUID(given string) (string, error) {
	guid, err := request.ParseGUID(given)
	if err == nil && (s.State.HasGUID(guid) || s.Ports.HasGUID(guid)) {
		err = request.TakenGUID(guid)
	}
	return guid, err
}

// panicOn panics on an error, which the lab returns only for a port that it does not have.
func panicOn(err error) {
	if err != nil {
		panic("teams: " + err.Error())
	}
}
