package driver

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/mux"
)

// How a team moves. The manuals give no times: a driver that is told of a lost link needs a step of the lab to send
// elsewhere, and an adaptive team compares its members every ten seconds.
const (
	noticing   = device.Step
	comparison = 10 * time.Second
)

// cloneTeams makes the teams and VLANs of a copy its own.
func (h *Host) cloneTeams() {
	h.teams = slices.Clone(h.teams)
	for i := range h.teams {
		t := &h.teams[i]
		t.machine.Members, t.vlans, t.failovers = slices.Clone(t.machine.Members), slices.Clone(t.vlans), slices.Clone(t.failovers)
		t.moved = maps.Clone(t.moved)
	}
	vlans := make(map[int][]vlan, len(h.vlans))
	for port, list := range h.vlans {
		vlans[port] = slices.Clone(list)
	}
	h.vlans = vlans
}

// nextLook is when teams look at their members next: at the end of the lab's step, so that what they see does not
// depend on how time was cut. Without teams it is never.
func (h *Host) nextLook(end time.Duration) time.Duration {
	if len(h.teams) == 0 {
		return end
	}
	return min(end, h.lab.Elapsed().Truncate(device.Step)+device.Step)
}

// look lets the teams see how their members are at the end of a step.
func (h *Host) look() {
	now := h.lab.Elapsed()
	if len(h.teams) == 0 || now%device.Step != 0 {
		return
	}
	h.settleTeams()
	if now%comparison != 0 {
		return
	}
	for i := range h.teams {
		if t := &h.teams[i]; t.machine.Type == mux.ALB {
			h.compare(t)
		}
	}
	h.bind()
}

// settleTeams lets all teams see how their members are, and puts what follows into the lab.
func (h *Host) settleTeams() {
	changed := false
	for i := range h.teams {
		changed = h.settleTeam(&h.teams[i]) || changed
	}
	if changed {
		h.bind()
	}
}

// settleTeam lets a team see how its members are, and says whether that was new.
func (h *Host) settleTeam(t *team) bool {
	m := &t.machine
	changed := m.Apart != (m.Type.Aggregates() && h.apart(t) != "")
	for _, member := range m.Members {
		changed = changed || member.Status != h.memberStatus(member.Key)
	}
	if !changed {
		return false
	}
	before := m.ActiveSet()
	h.see(t)
	if !slices.Equal(before, m.ActiveSet()) { // a member that waits leaves the others what they were relieved of
		t.carriers = m.Carriers()
		h.remember(t, before)
	}
	return true
}

// resettle chooses the members that carry a team's traffic anew after the team was changed. Before are those that
// carried it until then.
func (h *Host) resettle(t *team, before []int) {
	h.see(t)
	t.carriers = t.machine.Carriers()
	h.remember(t, before)
	h.bind()
}

// see takes over how the members of a team are, and chooses the active one.
func (h *Host) see(t *team) {
	m := &t.machine
	m.Apart = m.Type.Aggregates() && h.apart(t) != ""
	for i := range m.Members {
		m.Members[i].Status = h.memberStatus(m.Members[i].Key)
	}
	m.Settle()
}

// compare relieves the member of an adaptive team that has too much to do.
func (h *Host) compare(t *team) {
	busy, moved := map[int]float64{}, map[int][2]uint64{}
	for _, port := range t.machine.ActiveSet() {
		counters := h.lab.Counters()
		now := [2]uint64{counters[device.Cell(port, device.ReceivedBytes)], counters[device.Cell(port, device.SentBytes)]}
		moved[port] = now
		was, seen := t.moved[port]
		if !seen || now[0] < was[0] || now[1] < was[1] {
			continue
		}
		most := float64(max(now[0]-was[0], now[1]-was[1])) * 8
		busy[port] = most / comparison.Seconds() / h.lab.State(port).Rate
	}
	t.moved = moved
	if len(busy) == len(moved) {
		t.carriers, _ = mux.Relieve(t.carriers, busy)
	}
}

// bind puts the teams and VLANs into the lab.
func (h *Host) bind() {
	h.noteBroken()
	if now := h.bindings(); !reflect.DeepEqual(now, h.lab.Bindings()) {
		h.must(h.lab.Bind(now))
		h.settleVirtual() // a virtual switch on a team leads to its members
	}
}

// bindings are the teams and VLANs as the lab knows them.
func (h *Host) bindings() (list []device.Binding) {
	for i := range h.teams {
		t := &h.teams[i]
		b := device.Binding{Team: true, Slot: t.slot, Carriers: t.carriers, VLANs: tagged(t.vlans, t.family)}
		for _, m := range t.machine.Members {
			b.Ports = append(b.Ports, m.Key)
		}
		broken, _ := h.broken(t)
		b.Broken = broken != ""
		list = append(list, b)
	}
	for _, port := range slices.Sorted(maps.Keys(h.vlans)) {
		list = append(list, device.Binding{Ports: []int{port}, Slot: device.NoSlot, VLANs: tagged(h.vlans[port], description.WinOF)})
	}
	return list
}

// renew stops and starts the adapter of a port that was made a member or is one no longer (TEAM-9).
func (h *Host) renew(port int) {
	if h.miniports[port].state == Running {
		h.stop(port, Restarting, stopTime+startTime)
	}
}

func (h *Host) renewAll(members []mux.Member) {
	for _, m := range members {
		h.renew(m.Key)
	}
}

// broken is the row of the event catalogue for what breaks the connectivity of a team, empty for nothing, and the member
// that does.
func (h *Host) broken(t *team) (key string, by int) {
	for _, m := range t.machine.Members {
		if key := h.breaks(t, m.Key); key != "" {
			return key, m.Key
		}
	}
	return "", nowhere
}

// noteBroken writes which teams have lost their connectivity.
func (h *Host) noteBroken() {
	for i := range h.teams {
		t := &h.teams[i]
		key, by := h.broken(t)
		if key != t.broken && key != "" {
			h.note(h.lab.Elapsed(), by, key)
		}
		t.broken = key
	}
}

// The rows of the event catalogue for what breaks the connectivity of a team.
const (
	captureBreaks = "trouble.team-capture"
	updateBreaks  = "trouble.vmq-nvgre-team"
)

// breaks is the row of the event catalogue for what a member does to the connectivity of its team, empty for nothing.
func (h *Host) breaks(t *team, port int) string {
	switch {
	case h.lab.Fault(port, description.Capture) > 0 && t.machine.Breaks(port):
		return captureBreaks
	case h.lab.Fault(port, description.MissingUpdate) > 0 && t.machine.Role(port) == mux.Active &&
		h.is(port, "*VMQ", 1) && h.is(port, "*EncapsulatedPacketTaskOffload", 1):
		return updateBreaks
	}
	return ""
}

// apart says why the switch ports of a team's members are no aggregation group; empty when they are.
func (h *Host) apart(t *team) string {
	group := 0
	for i, m := range t.machine.Members {
		own := h.lab.SwitchPort(m.Key).Aggregation
		switch {
		case own == 0:
			return "the switch port of " + h.connection(m.Key) + " is in no aggregation group, which " +
				t.machine.Type.String() + " needs: set aggregation there"
		case i > 0 && own != group:
			return "the switch ports of " + h.connection(t.machine.Members[0].Key) + " and " + h.connection(m.Key) +
				" are in different aggregation groups: set aggregation to the same number on both"
		}
		group = own
	}
	return ""
}
