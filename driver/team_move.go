package driver

import "slices"

// cloneTeams makes the teams and VLANs of a copy its own.
func (h *Host) cloneTeams() {
	h.teams = slices.Clone(h.teams)
	for i := range h.teams {
		t := &h.teams[i]
		t.machine.Members, t.vlans, t.failovers = slices.Clone(t.machine.Members), slices.Clone(t.vlans), slices.Clone(t.failovers)
	}
	vlans := make(map[int][]vlan, len(h.vlans))
	for port, list := range h.vlans {
		vlans[port] = slices.Clone(list)
	}
	h.vlans = vlans
}

// settleTeams lets all teams see how their members are.
func (h *Host) settleTeams() {
	for i := range h.teams {
		m := &h.teams[i].machine
		for j := range m.Members {
			m.Members[j].Status = h.memberStatus(m.Members[j].Key)
		}
		m.Settle()
	}
}

// renew stops and starts the adapter of a port that was made a member or is one no longer (TEAM-9).
func (h *Host) renew(port int) {
	if h.miniports[port].state == Running {
		h.stop(port, Restarting, stopTime+startTime)
	}
}
