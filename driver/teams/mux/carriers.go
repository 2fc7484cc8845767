package mux

import (
	"maps"
	"slices"

	"cxdeck/device/setup"
)

// Carriers returns the members that carry the flows of the team now, bucket by bucket (TEAM-3); none for a team that is not
// connected.
func (m *Machine) Carriers() setup.Carriers {
	set := m.ActiveSet()
	if len(set) == 0 {
		return setup.Carriers{}
	}
	c := setup.Carriers{ByAddress: m.Type == RLB || m.Type == ALB}
	receives := set[0]
	if first := m.First(); slices.Contains(set, first) {
		receives = first
	}
	for bucket := range setup.Buckets {
		sends := set[bucket%len(set)]
		switch {
		case m.Type.FaultTolerant() || m.Type == SLB: // peers know the address of only one member
			c.Receive = append(c.Receive, receives)
		case m.Type.Aggregates(): // the switch has a hash of its own
			c.Receive = append(c.Receive, set[(setup.Buckets-1-bucket)%len(set)])
		default:
			c.Receive = append(c.Receive, sends)
		}
		c.Send = append(c.Send, sends)
	}
	return c
}

// A member is overloaded when the utilisation of its link is at least minLoad, and minImbalance times the lowest one.
const (
	minLoad      = 0.1
	minImbalance = 1.25
)

// Rebalance moves address pairs of an adaptive team away from an overloaded member, and reports whether it moved any. busy is the
// utilisation of each carrier's link, from 0 to 1.
func Rebalance(c setup.Carriers, busy map[int]float64) (setup.Carriers, bool) {
	var busiest, idlest int
	found := false
	for _, key := range slices.Sorted(maps.Keys(busy)) {
		if !found {
			busiest, idlest, found = key, key, true
		}
		if busy[key] > busy[busiest] {
			busiest = key
		}
		if busy[key] < busy[idlest] {
			idlest = key
		}
	}
	if !found || busy[busiest] < minLoad || busy[busiest] < minImbalance*busy[idlest] {
		return c, false
	}
	has := 0
	for _, key := range c.Send {
		if key == busiest {
			has++
		}
	}
	// Half of the difference, assuming the same traffic in all pairs.
	move := int(float64(has) * (busy[busiest] - busy[idlest]) / busy[busiest] / 2)
	if move = max(1, move); has < 2 {
		return c, false
	}
	c.Send = slices.Clone(c.Send)
	for bucket := range c.Send {
		if move > 0 && c.Send[bucket] == busiest {
			c.Send[bucket] = idlest
			move--
		}
	}
	c.Receive = c.Send
	return c, true
}

// Breaks reports whether a capture on a member breaks the connectivity of the team: its promiscuous mode lets traffic into a
// member that should stand by (TEAM-14).
func (m *Machine) Breaks(captured int) bool {
	if !m.Type.FaultTolerant() || !m.Connected() {
		return false
	}
	return m.connected(captured) && m.Role(captured) == Backup
}
