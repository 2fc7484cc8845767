package driver

import (
	"fmt"
	"strings"

	"cxdeck/driver/mux"
)

// carried are the parts of a team's five-tuples that its members carry in each direction. Without any traffic they are
// the parts that there would be.
func (h *Host) carried(t *team) (receives, sends map[int]float64) {
	receives, sends = map[int]float64{}, map[int]float64{}
	var received, sent float64
	for _, m := range t.machine.Members {
		r, s := h.lab.Carried(m.Key)
		receives[m.Key], sends[m.Key] = r, s
		received, sent = received+r, sent+s
	}
	if received == 0 || sent == 0 {
		clear(receives)
		clear(sends)
		for bucket := range t.carriers.Send {
			receives[t.carriers.Receive[bucket]]++
			sends[t.carriers.Send[bucket]]++
		}
		received, sent = float64(len(t.carriers.Receive)), float64(len(t.carriers.Send))
	}
	for port := range receives {
		if received > 0 {
			receives[port] /= received
		}
		if sent > 0 {
			sends[port] /= sent
		}
	}
	return receives, sends
}

// whyIdle says why a member carries nothing; empty when it does.
func (h *Host) whyIdle(t *team, port int) string {
	if t.machine.Role(port) == mux.Active {
		if h.memberStatus(port) != mux.Connected {
			return "it was lost a moment ago, and the team goes on without it"
		}
		return ""
	}
	switch state := h.lab.State(port); {
	case h.miniports[port].state == Restarting:
		return "its driver is starting"
	case !state.Enabled:
		return "it is disabled"
	case !state.Cabled:
		return "its cable is out"
	case !state.Up:
		return "its link is not up"
	case t.machine.Type.Aggregates() && t.machine.Apart:
		return h.apart(t)
	case t.machine.Chosen == mux.Nobody:
		return "it has just come up, and carries traffic in a moment"
	}
	return "it stands by for " + h.connection(t.machine.Chosen)
}

// whyTeam says why a team is not up, or only in part; empty when all is well.
func (h *Host) whyTeam(t *team) string {
	m := &t.machine
	var down []string
	for _, member := range m.Members {
		if h.memberStatus(member.Key) != mux.Connected {
			down = append(down, h.connection(member.Key))
		}
	}
	set := m.ActiveSet()
	switch {
	case len(m.Members) == 0:
		return "it has no members; attach an adapter"
	case len(down) == len(m.Members):
		return "none of its members is connected"
	case m.Type.Aggregates() && m.Apart:
		return h.apart(t)
	}
	switch broken, by := h.broken(t); broken {
	case captureBreaks:
		return fmt.Sprintf("a capture on %s, which stands by, makes traffic go by several members: capture on the team instead",
			h.connection(by))
	case updateBreaks:
		return "queues of virtual machines and NVGRE offload are on, and Windows lacks the update that they need on a team (KB 2975719)"
	}
	switch {
	case len(down) > 0:
		return strings.Join(down, ", ") + " carries nothing"
	case len(m.Members) == 1:
		return "it has one member, and none to stand in for it"
	case len(set) > 0 && m.Type.FaultTolerant() && m.Failback && m.Chosen != m.First():
		return h.connection(m.First()) + ", the primary member, is about to take over again"
	}
	return ""
}

// whyVLAN says why a VLAN on a team or a connection carries nothing; empty when it can.
func (h *Host) whyVLAN(team, connection string, id int) string {
	var ports []int
	if i, err := h.team(team); err == nil {
		t := &h.teams[i]
		if ports = t.machine.ActiveSet(); len(ports) == 0 {
			return "the team " + t.name + " is not up"
		}
	} else if port, err := h.port(connection); err == nil {
		ports = []int{port}
		if !h.lab.State(port).Up {
			return "the link of " + connection + " is not up"
		}
	}
	var held []string
	trunk := true
	for _, port := range ports {
		s := h.lab.SwitchPort(port)
		if trunk = trunk && s.Trunk; !s.Forwards(id) {
			held = append(held, h.connection(port))
		}
	}
	switch {
	case held == nil:
		return ""
	case !trunk:
		return fmt.Sprintf("the switch port of %s is no trunk, and forwards no frames of VLANs", strings.Join(held, ", "))
	}
	return fmt.Sprintf("the trunk at %s does not let the id %d through", strings.Join(held, ", "), id)
}
