package driver

import (
	"fmt"
	"slices"
	"strings"
)

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

// guid reads a GUID, with or without braces, or makes one from the seed.
func (h *Host) guid(given string) (string, error) {
	digits := strings.ToUpper(strings.Trim(given, "{}"))
	if digits == "" {
		h.drawn++
		digits = h.lab.DrawGUID(h.drawn)
	}
	for i, r := range digits {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if len(digits) != 36 || dash != (r == '-') || !dash && !strings.ContainsRune("0123456789ABCDEF", r) {
			return "", fmt.Errorf("%q is no GUID such as {C71781EC-F459-4A8E-ABAC-74CA05F13AE8}", given)
		}
	}
	return "{" + digits + "}", nil
}
