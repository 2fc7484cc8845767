package mux

import (
	"maps"
	"slices"

	"cxdeck/device/setup"
)

// Carriers return which members carry the flows of the team now, bucket by bucket (TEAM-3). A team that is not connected has
// none.
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
		case m.Type.FaultTolerant() || m.Type == SLB: // peers have the address of one member alone
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

// A member has too much to do when its line is at least so full, and so many times as full as the one with the least.
const (
	muchToDo = 0.1
	unequal  = 1.25
)

// Rebalance moves address pairs of an adaptive team away from an overloaded member, and reports whether it moved any. busy is the
// utilisation of each carrier's link, from 0 to 1.
func Rebalance(c setup.Carriers, busy map[int]float64) (setup.Carriers, bool) {
	var most, least int
	found := false
	for _, key := range slices.Sorted(maps.Keys(busy)) {
		if !found {
			most, least, found = key, key, true
		}
		if busy[key] > busy[most] {
			most = key
		}
		if busy[key] < busy[least] {
			least = key
		}
	}
	if !found || busy[most] < muchToDo || busy[most] < unequal*busy[least] {
		return c, false
	}
	has := 0
	for _, key := range c.Send {
		if key == most {
			has++
		}
	}
	// Half of the difference, as if all of its pairs had as much.
	move := int(float64(has) * (busy[most] - busy[least]) / busy[most] / 2)
	if move = max(1, move); has < 2 {
		return c, false
	}
	c.Send = slices.Clone(c.Send)
	for bucket := range c.Send {
		if move > 0 && c.Send[bucket] == most {
			c.Send[bucket] = least
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
