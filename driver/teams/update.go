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

// Times of a team. The manuals give none: a driver that learns of a lost link needs a step of the lab to send
// elsewhere, and an adaptive team compares its members every ten seconds.
const (
	Reaction    = device.Step
	rebalancing = 10 * time.Second
)

// NextLook returns when teams check their members next: at the end of the lab's step, so that the result does not
// depend on how time was cut. Without teams it is never.
func (s Set) NextLook(end time.Duration) time.Duration {
	if len(s.Teams) == 0 {
		return end
	}
	return min(end, s.Lab().Elapsed().Truncate(device.Step)+device.Step)
}

// Look updates the teams with the state of their members at the end of a step.
func (s Set) Look() {
	now := s.Lab().Elapsed()
	if len(s.Teams) == 0 || now%device.Step != 0 {
		return
	}
	s.updateAll()
	if now%rebalancing != 0 {
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
		changed = s.update(&s.Teams[i]) || changed
	}
	if changed {
		s.Bind()
	}
}

// update lets a team see how its members are, and reports whether that was new.
func (s Set) update(t *Team) bool {
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
	if !slices.Equal(before, m.ActiveSet()) { // a member that waits leaves the others what they were relieved of
		t.carriers = m.Carriers()
		s.recordFailover(t, before)
	}
	return true
}

// reselect chooses the members that carry a team's traffic after the team was changed. Before are the members that
// carried it until then.
func (s Set) reselect(t *Team, before []int) {
	s.refresh(t)
	t.carriers = t.Machine.Carriers()
	s.recordFailover(t, before)
	s.Bind()
}

// refresh takes over how the members of a team are, and chooses the active one.
func (s Set) refresh(t *Team) {
	m := &t.Machine
	m.Ungrouped = m.Type.Aggregates() && s.aggregationFault(t) != ""
	for i := range m.Members {
		m.Members[i].Status = s.memberStatus(m.Members[i].Key)
	}
	m.ChooseActive()
}

// rebalance relieves the member of an adaptive team that has too much to do.
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
		most := float64(max(now[0]-was[0], now[1]-was[1])) * 8
		busy[port] = most / rebalancing.Seconds() / s.Lab().State(port).Rate
	}
	t.moved = moved
	if len(busy) == len(moved) {
		t.carriers, _ = mux.Rebalance(t.carriers, busy)
	}
}

// Bind puts the teams and VLANs into the lab.
func (s Set) Bind() {
	s.logFaults()
	if now := s.bindings(); !reflect.DeepEqual(now, s.Lab().Bindings()) {
		panicOn(s.Lab().Bind(now))
		s.Rebound() // a virtual switch on a team leads to its members
	}
}

// bindings returns the teams and VLANs in the form of the lab.
func (s Set) bindings() (list []setup.Binding) {
	for i := range s.Teams {
		t := &s.Teams[i]
		b := setup.Binding{Team: true, Slot: t.Slot, Carriers: t.carriers, VLANs: tagged(t.VLANs, t.Family)}
		for _, m := range t.Machine.Members {
			b.Ports = append(b.Ports, m.Key)
		}
		broken, _ := s.fault(t)
		b.Broken = broken != ""
		list = append(list, b)
	}
	for _, port := range slices.Sorted(maps.Keys(s.VLANs)) {
		list = append(list, setup.Binding{Ports: []int{port}, Slot: setup.NoSlot, VLANs: tagged(s.VLANs[port], description.WinOF)})
	}
	return list
}

// restart stops and starts the adapter of a port that was made a member or is one no longer (TEAM-9).
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

// fault returns the row of the event catalogue for what breaks the connectivity of a team, empty for nothing, and the member
// that does.
func (s Set) fault(t *Team) (key string, by int) {
	for _, m := range t.Machine.Members {
		if key := s.memberFault(t, m.Key); key != "" {
			return key, m.Key
		}
	}
	return "", mux.NoMember
}

// logFaults writes which teams have lost their connectivity.
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

// The rows of the event catalogue for what breaks the connectivity of a team.
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

// aggregationFault returns why the switch ports of a team's members are no aggregation group; empty when they are.
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
