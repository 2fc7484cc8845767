package teams

import (
	"fmt"
	"strings"

	"cxdeck/driver/teams/mux"
)

// carried returns the fractions of a team's five-tuples that its members carry in each direction; without traffic, the
// fractions that they would carry.
func (s Set) carried(t *Team) (receives, sends map[int]float64) {
	receives, sends = map[int]float64{}, map[int]float64{}
	var received, sent float64
	for _, m := range t.Machine.Members {
		r, t := s.Lab().Carried(m.Key)
		receives[m.Key], sends[m.Key] = r, t
		received, sent = received+r, sent+t
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

// idleReason returns why a member carries no traffic; empty when it does.
func (s Set) idleReason(t *Team, port int) string {
	if t.Machine.Role(port) == mux.Active {
		if s.memberStatus(port) != mux.Connected {
			return "it failed a moment ago, and the team continues without it"
		}
		return ""
	}
	switch state := s.Lab().State(port); {
	case s.Restarting(port):
		return "its driver is starting"
	case !state.Enabled:
		return "it is disabled"
	case !state.Cabled:
		return "its cable is unplugged"
	case !state.Up:
		return "its link is not up"
	case t.Machine.Type.Aggregates() && t.Machine.Ungrouped:
		return s.aggregationFault(t)
	case t.Machine.Chosen == mux.NoMember:
		return "it has just come up, and will carry traffic in a moment"
	}
	return "it is on standby for " + s.Lab().Connection(t.Machine.Chosen)
}

// whyTeam returns why a team is down or impaired; empty when it is neither.
func (s Set) whyTeam(t *Team) string {
	m := &t.Machine
	var down []string
	for _, member := range m.Members {
		if s.memberStatus(member.Key) != mux.Connected {
			down = append(down, s.Lab().Connection(member.Key))
		}
	}
	set := m.ActiveSet()
	switch {
	case len(m.Members) == 0:
		return "it has no members; attach an adapter"
	case len(down) == len(m.Members):
		return "none of its members is connected"
	case m.Type.Aggregates() && m.Ungrouped:
		return s.aggregationFault(t)
	}
	switch broken, by := s.fault(t); broken {
	case captureFault:
		return fmt.Sprintf("a capture on %s, which is on standby, spreads traffic over several members: capture on the team instead",
			s.Lab().Connection(by))
	case updateFault:
		return "queues of virtual machines and NVGRE offload are on, and Windows lacks the update that they need on a team (KB 2975719)"
	}
	switch {
	case len(down) > 0:
		return strings.Join(down, ", ") + " carries nothing"
	case len(m.Members) == 1:
		return "it has one member, and no standby member"
	case len(set) > 0 && m.Type.FaultTolerant() && m.Failback && m.Chosen != m.First():
		return s.Lab().Connection(m.First()) + ", the primary member, is about to take over again"
	}
	return ""
}

// whyVLAN returns why a VLAN on a team or a connection carries no traffic; empty when it can.
func (s Set) whyVLAN(team, connection string, id int) string {
	var ports []int
	if i, err := s.Find(team); err == nil {
		t := &s.Teams[i]
		if ports = t.Machine.ActiveSet(); len(ports) == 0 {
			return "the team " + t.Name + " is not up"
		}
	} else if port, err := s.Port(connection); err == nil {
		ports = []int{port}
		if !s.Lab().State(port).Up {
			return "the link of " + connection + " is not up"
		}
	}
	var blocked []string
	trunk := true
	for _, port := range ports {
		far := s.Lab().SwitchPort(port)
		if trunk = trunk && far.Trunk; !far.Forwards(id) {
			blocked = append(blocked, s.Lab().Connection(port))
		}
	}
	switch {
	case blocked == nil:
		return ""
	case !trunk:
		return fmt.Sprintf("the switch port of %s is not a trunk, and forwards no VLAN frames", strings.Join(blocked, ", "))
	}
	return fmt.Sprintf("the trunk at %s does not forward VLAN %d", strings.Join(blocked, ", "), id)
}
