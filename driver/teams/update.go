package teams

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/teams/mux"
)

// Times of a team. The manuals give none: a driver needs a step of the lab to react to a lost link, and an adaptive team
// compares its members every ten seconds.
const (
	Reaction          = device.Step
	rebalanceInterval = 10 * time.Second
)

// NextUpdate returns the time of the next check of the members: the end of the lab's step, so that the result does not depend
// on the size of an advance. Without teams, it is end.
func (s Set) NextUpdate(end time.Duration) time.Duration {
	if len(s.Teams) == 0 {
		return end
	}
	return min(end, s.Lab().Elapsed().Truncate(device.Step)+device.Step)
}

// Update reads the states of the teams' members at the end of a step, and rebalances adaptive teams.
func (s Set) Update() {
	now := s.Lab().Elapsed()
	if len(s.Teams) == 0 || now%device.Step != 0 {
		return
	}
	s.updateAll()
	if now%rebalanceInterval != 0 {
		return
	}
	for i := range s.Teams {
		if t := &s.Teams[i]; t.Machine.Type == mux.ALB {
			s.rebalance(t)
		}
	}
	s.Bind()
}

// updateAll updates all teams with the state of their members, and applies the result to the lab.
func (s Set) updateAll() {
	changed := false
	for i := range s.Teams {
		changed = s.updateTeam(&s.Teams[i]) || changed
	}
	if changed {
		s.Bind()
	}
}

// updateTeam reads the states of a team's members, and reports whether one has changed.
func (s Set) updateTeam(t *Team) bool {
	m := &t.Machine
	changed := m.Ungrouped != (m.Type.Aggregates() && s.aggregationFault(t) != "")
	for _, member := range m.Members {
		changed = changed || member.Status != s.memberStatus(member.Key)
	}
	if !changed {
		return false
	}
	before := m.ActiveSet()
	s.refresh(t)
	if !slices.Equal(before, m.ActiveSet()) { // otherwise the result of the last rebalancing stays
		t.carriers = m.Carriers()
		s.recordFailover(t, before)
	}
	return true
}

// reselect chooses the members that carry a team's traffic after a change of the team; before are the members that carried it
// before the change.
func (s Set) reselect(t *Team, before []int) {
	s.refresh(t)
	t.carriers = t.Machine.Carriers()
	s.recordFailover(t, before)
	s.Bind()
}

// refresh reads the states of a team's members, and chooses the active one.
func (s Set) refresh(t *Team) {
	m := &t.Machine
	m.Ungrouped = m.Type.Aggregates() && s.aggregationFault(t) != ""
	for i := range m.Members {
		m.Members[i].Status = s.memberStatus(m.Members[i].Key)
	}
	m.ChooseActive()
}

// rebalance moves flows away from an overloaded member of an adaptive team.
func (s Set) rebalance(t *Team) {
	busy, moved := map[int]float64{}, map[int][2]uint64{}
	for _, port := range t.Machine.ActiveSet() {
		counters := s.Lab().Counters()
		now := [2]uint64{counters[counter.Cell(port, counter.ReceivedBytes)], counters[counter.Cell(port, counter.SentBytes)]}
		moved[port] = now
		was, seen := t.moved[port]
		if !seen || now[0] < was[0] || now[1] < was[1] {
			continue
		}
		bits := float64(max(now[0]-was[0], now[1]-was[1])) * 8
		busy[port] = bits / rebalanceInterval.Seconds() / s.Lab().State(port).Rate
	}
	t.moved = moved
	if len(busy) == len(moved) {
		t.carriers, _ = mux.Rebalance(t.carriers, busy)
	}
}

// Bind passes the teams and VLANs to the lab.
func (s Set) Bind() {
	s.logFaults()
	if now := s.bindings(); !reflect.DeepEqual(now, s.Lab().Bindings()) {
		panicOn(s.Lab().Bind(now))
		s.BindingsChanged() // a virtual switch on a team uses its members
	}
}

// bindings returns the teams and VLANs in the form of the lab.
func (s Set) bindings() (list []setup.Binding) {
	for i := range s.Teams {
		t := &s.Teams[i]
		b := setup.Binding{Team: true, Slot: t.Slot, Carriers: t.carriers, VLANs: taggedMiniports(t.VLANs, t.Family)}
		for _, m := range t.Machine.Members {
			b.Ports = append(b.Ports, m.Key)
		}
		broken, _ := s.fault(t)
		b.Broken = broken != ""
		list = append(list, b)
	}
	for _, port := range slices.Sorted(maps.Keys(s.VLANs)) {
		list = append(list, setup.Binding{Ports: []int{port}, Slot: setup.NoSlot, VLANs: taggedMiniports(s.VLANs[port], description.WinOF)})
	}
	return list
}

// restart restarts the adapter of a port that joined or left a team (TEAM-9).
func (s Set) restart(port int) {
	if s.Running(port) {
		s.Restart(port)
	}
}

func (s Set) restartAll(members []mux.Member) {
	for _, m := range members {
		s.restart(m.Key)
	}
}

// fault returns the key of the event that reports why the connectivity of a team is limited, empty for none, and the member
// that causes it.
func (s Set) fault(t *Team) (key string, by int) {
	for _, m := range t.Machine.Members {
		if key := s.memberFault(t, m.Key); key != "" {
			return key, m.Key
		}
	}
	return "", mux.NoMember
}

// logFaults logs the teams that have lost their connectivity.
func (s Set) logFaults() {
	for i := range s.Teams {
		t := &s.Teams[i]
		key, by := s.fault(t)
		if key != t.broken && key != "" {
			s.Note(by, key)
		}
		t.broken = key
	}
}

// The keys of the events that report why the connectivity of a team is limited.
const (
	captureFault = "trouble.team-capture"
	updateFault  = "trouble.vmq-nvgre-team"
)

// memberFault returns the key of the event that reports how a member limits its team's connectivity, empty for none.
func (s Set) memberFault(t *Team, port int) string {
	switch {
	case s.Lab().Fault(port, description.Capture) > 0 && t.Machine.Breaks(port):
		return captureFault
	case s.Lab().Fault(port, description.MissingUpdate) > 0 && t.Machine.Role(port) == mux.Active &&
		s.QueuesAndNVGRE(port):
		return updateFault
	}
	return ""
}

// aggregationFault returns why the switch ports of a team's members do not form an aggregation group; empty when they are.
func (s Set) aggregationFault(t *Team) string {
	group := 0
	for i, m := range t.Machine.Members {
		own := s.Lab().SwitchPort(m.Key).Aggregation
		switch {
		case own == 0:
			return "the switch port of " + s.Lab().Connection(m.Key) + " is in no aggregation group, which " +
				t.Machine.Type.String() + " needs: set aggregation there"
		case i > 0 && own != group:
			return "the switch ports of " + s.Lab().Connection(t.Machine.Members[0].Key) + " and " + s.Lab().Connection(m.Key) +
				" are in different aggregation groups: set aggregation to the same number on both"
		}
		group = own
	}
	return ""
}
