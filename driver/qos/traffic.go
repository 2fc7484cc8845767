package qos

import (
	"fmt"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
)

// flow is a group of flows of the lab with the fields that policies match.
type flow struct {
	*description.Flow
	// marked reports that policies apply: IP traffic of the host itself on Ethernet, to peers that answer with the host's priority.
	// Virtual machines and the senders of a multicast group choose their own priority.
	marked bool
	// direct is the NetDirect port that an RDMA program listens on or connects to; 0 for traffic of the network stack.
	direct int
	// protocol and local, the local port, are the ports of the packets on the wire; the peers' ports are dynamic.
	protocol Protocol
	local    int
	// peer is the port of the peer where this end has the dynamic one, 0 otherwise.
	peer    int
	program string
}

// The ports of RDMA programs: SMB Direct has its own; programs that are described with a different priority get ports from
// firstDirect upwards.
const (
	smbDirect   = 445
	firstDirect = 10_000
)

// flows returns the groups of flows of a lab. The description has neither ports of RDMA programs nor names of executables: they
// are derived from its order and from the names of the flows.
func flows(d *description.Description) []flow {
	ethernet := map[string]bool{}
	for i := range d.Adapters {
		for j := range d.Adapters[i].Ports {
			p := &d.Adapters[i].Ports[j]
			ethernet[p.Connection] = p.Link == description.Ethernet
		}
	}
	list := make([]flow, len(d.Flows))
	smb := smbPriority(d)
	next, taken := firstDirect, map[string]bool{}
	for i := range d.Flows {
		f := &list[i]
		f.Flow = &d.Flows[i]
		f.marked = ethernet[f.Port] && !f.Virtual && !f.Multicast && f.Protocol != description.NotIP &&
			f.Protocol != description.IPoIB
		f.program = programOf(f.Name, taken)
		tuple := traffic.TupleOf(f.Flow, 0, traffic.Named(f.Name))
		switch f.Protocol {
		case description.RDMA:
			if f.direct = smbDirect; !f.Application.SMB() || described(f.Flow) != smb {
				f.direct, next = next, next+1
			}
		case description.TCP:
			f.protocol, f.local = TCP, int(tuple.DestinationPort)
		case description.UDP:
			f.protocol, f.local = UDP, int(tuple.DestinationPort)
		default:
		}
		if f.VXLAN {
			f.protocol, f.local = UDP, setup.VXLANPort
		}
	}
	return list
}

// smbPriority returns the priority of SMB Direct: the described priority of the first SMB Direct flow that has one.
func smbPriority(d *description.Description) int {
	for i := range d.Flows {
		f := &d.Flows[i]
		if f.Protocol == description.RDMA && f.Application.SMB() && f.Priority != nil {
			return *f.Priority
		}
	}
	return setup.NoPriority
}

// described returns the priority in the description of a flow.
func described(f *description.Flow) int {
	if f.Priority == nil {
		return setup.NoPriority
	}
	return *f.Priority
}

// programOf returns the name of a flow's executable: "backup-to-tape-host.exe". Each flow has its own.
func programOf(name string, taken map[string]bool) string {
	word := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return ' '
	}, name)
	word = strings.Join(strings.Fields(word), "-")
	program := word + ".exe"
	for n := 2; taken[program]; n++ {
		program = fmt.Sprintf("%s-%d.exe", word, n)
	}
	taken[program] = true
	return program
}

// matches reports whether a policy matches a flow.
func (p *Policy) matches(f *flow) bool {
	if !f.marked {
		return false
	}
	t, ok := findTemplate(p.Template)
	if ok && t.port == 0 {
		return true
	}
	if f.direct != 0 || p.NetDirectPort != 0 { // RDMA bypasses the network stack and all other conditions
		return f.direct != 0 && f.direct == p.NetDirectPort
	}
	if ok {
		return f.protocol != "" && f.local+f.peer == t.port
	}
	return (p.Protocol == "" || p.Protocol == f.protocol) &&
		p.matchesPorts(f) &&
		(p.Program == "" || strings.EqualFold(p.Program, f.program))
}

func (p *Policy) matchesPorts(f *flow) bool {
	source, destination := p.SourcePorts, p.DestinationPorts
	if f.peer != 0 {
		source, destination = destination, source
	}
	known := f.local + f.peer // one of them is 0
	return (source == Range{} || source.has(known)) && (destination == Range{} || destination.hasDynamic()) && (p.Port == 0 || p.Port == known)
}

func (r Range) has(port int) bool { return port >= r.First && port <= r.Last }

// hasDynamic reports whether a range contains all ports that the peers of a flow use.
func (r Range) hasDynamic() bool {
	return r.First <= traffic.FirstDynamic && r.Last == maxPort
}

// policyAt returns the index of the policy that classifies a flow, -1 for none: the most specific one, or the first of several
// with equal specificity (QOS-16).
func (s *State) policyAt(f *flow) int {
	chosen, best := -1, 0
	for i := range s.Policies {
		p := &s.Policies[i]
		if !p.matches(f) {
			continue
		}
		if n := p.specificity(); chosen < 0 || n > best {
			chosen, best = i, n
		}
	}
	return chosen
}

// Marks returns the marks that the policies give the flows of the lab; nil if all flows keep their described marks.
func (s Set) Marks() []setup.Mark {
	list := flows(s.Lab().Description())
	marks, differs := make([]setup.Mark, len(list)), false
	for i := range list {
		f := &list[i]
		marks[i] = s.markOf(f, s.applications(f.Port))
		m := marks[i]
		differs = differs || m.Priority != setup.AsDescribed && m.Priority != described(f.Flow) ||
			m.DSCP != setup.AsDescribed && m.DSCP != f.DSCP
	}
	if !differs {
		return nil
	}
	return marks
}

// markOf returns the mark that the policies give a flow. With a policy without a priority the flow has no priority; an application
// priority of the neighbour takes precedence over all policies.
func (s *State) markOf(f *flow, rows []description.SwitchApplication) setup.Mark {
	m := setup.Mark{Priority: setup.AsDescribed, DSCP: setup.AsDescribed}
	if !f.marked {
		return m
	}
	m.Priority = setup.NoPriority
	at := s.policyAt(f)
	if priority, ok := f.priorityBy(rows); ok {
		m.Priority = priority
		if at >= 0 && s.Policies[at].DSCP != nil && f.direct == 0 {
			m.DSCP = *s.Policies[at].DSCP
		}
		return m
	}
	if at < 0 {
		if f.VLAN != 0 && described(f.Flow) == 0 { // the tag of a VLAN has a priority
			m.Priority = setup.AsDescribed
		}
		return m
	}
	p := &s.Policies[at]
	if p.Priority != nil {
		m.Priority = *p.Priority
	}
	if p.DSCP != nil && f.direct == 0 {
		m.DSCP = *p.DSCP
	}
	return m
}

// Describe returns the QoS state that follows from the description of a lab: PFC where ports have it, and a policy for the port or
// the program of each flow with a priority. The policies then give the flows these priorities. As in Windows, DCBX is willing if
// nothing is configured.
func Describe(d *description.Description) *State {
	s := &State{}
	var described []Priorities
	for i := range d.Adapters {
		for j := range d.Adapters[i].Ports {
			p, port := &d.Adapters[i].Ports[j], Port{}
			var set Priorities
			if p.FlowControl == description.PriorityPause {
				set, port.Enabled = Priorities(setup.PrioritySet(p.Lossless)), true
				s.Installed = true
				if s.FlowControl == 0 {
					s.FlowControl = set
				}
			}
			described, s.Ports = append(described, set), append(s.Ports, port)
		}
	}
	for port := range s.Ports {
		if s.Ports[port].Enabled && described[port] != s.FlowControl {
			s.Ports[port].FlowControl = &described[port]
		}
	}
	s.Willing = !s.Installed
	s.describePolicies(d)
	return s
}

func (s *State) describePolicies(d *description.Description) {
	list := flows(d)
	for i := range list {
		f := &list[i]
		if !f.marked || f.Priority == nil || f.Protocol != description.RDMA && f.VLAN != 0 && *f.Priority == 0 {
			continue
		}
		if s.policyAt(f) >= 0 {
			continue // a policy matches already
		}
		p := Policy{Name: f.Name, Priority: new(*f.Priority)}
		switch {
		case f.direct == smbDirect:
			p.Name, p.NetDirectPort = "SMBDirect", smbDirect
		case f.direct != 0:
			p.NetDirectPort = f.direct
		default:
			p.Program = f.program
		}
		for n := 1; s.checkNewPolicy(&p) != nil; n++ { // the name of a flow can be too long, or taken
			p.Name = fmt.Sprintf("Policy %d", n)
		}
		s.Policies = append(s.Policies, p)
	}
}
