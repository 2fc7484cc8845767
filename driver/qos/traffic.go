package qos

import (
	"fmt"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
)

// flow is a group of flows of the lab as policies see it.
type flow struct {
	*description.Flow
	// marked reports that policies are for it: it is IP traffic of the host itself on Ethernet, to peers that answer with the
	// host's priority. Machines and the senders of a multicast group choose their own.
	marked bool
	// direct is the NetDirect port that an RDMA program listens on or connects to; 0 for traffic of the network stack.
	direct int
	// protocol and local, the port of this end, are of the packets on the line; the peers' ports are dynamic.
	protocol Protocol
	local    int
	program  string
}

// The ports of RDMA programs: SMB Direct has its own, programs that are described with another priority than it get numbers
// from firstDirect on.
const (
	smbDirect   = 445
	firstDirect = 10_000
)

// flows returns the groups of flows of a lab as policies see them. The description has no ports of RDMA programs and no names
// of executables: these follow from its order and from the names of the flows.
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
			if f.direct = smbDirect; f.Application != description.SMBDirect || described(f.Flow) != smb {
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

// smbPriority returns the priority that the port of SMB Direct is described with: of the first flow of SMB Direct that has one.
func smbPriority(d *description.Description) int {
	for i := range d.Flows {
		f := &d.Flows[i]
		if f.Protocol == description.RDMA && f.Application == description.SMBDirect && f.Priority != nil {
			return *f.Priority
		}
	}
	return setup.NoPriority
}

// described returns the priority that a flow is described with.
func described(f *description.Flow) int {
	if f.Priority == nil {
		return setup.NoPriority
	}
	return *f.Priority
}

// programOf returns the name of a flow's executable: "backup-to-tape-host.exe". No two flows have the same.
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

// matches reports whether a policy is for a flow.
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
		return f.protocol != "" && f.local == t.port
	}
	return (p.Protocol == "" || p.Protocol == f.protocol) &&
		(p.SourcePorts == Range{} || p.SourcePorts.has(f.local)) &&
		(p.DestinationPorts == Range{} || p.DestinationPorts.hasDynamic()) &&
		(p.Port == 0 || p.Port == f.local) &&
		(p.Program == "" || strings.EqualFold(p.Program, f.program))
}

func (r Range) has(port int) bool { return port >= r.First && port <= r.Last }

// hasDynamic reports whether a range has all ports that the peers of a flow use.
func (r Range) hasDynamic() bool {
	return r.First <= traffic.FirstDynamic && r.Last == maxPort
}

// policyAt returns the place of the policy that classifies a flow, -1 for none: the most specific one, and the first of
// several that are alike (QOS-16).
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

// Marks returns what the policies give the flows of the lab, for device.Lab; nil when all flows are as they are described.
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

// markOf returns what the policies give a flow. A policy without a priority leaves it none; an application priority of the
// neighbour comes before all policies.
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

// Describe returns the quality of service of a host as its lab is described: PFC where ports have it, and a policy for the
// port or the program of each flow that has a priority. The flows have these priorities then. DCBX is willing where nothing is
// configured, as Windows has it.
func Describe(d *description.Description) *State {
	s := &State{}
	var described []Priorities
	for i := range d.Adapters {
		for j := range d.Adapters[i].Ports {
			p, one := &d.Adapters[i].Ports[j], Port{}
			var set Priorities
			if p.FlowControl == description.PriorityPause {
				set, one.Enabled = Priorities(setup.PrioritySet(p.Lossless)), true
				s.Installed = true
				if s.FlowControl == 0 {
					s.FlowControl = set
				}
			}
			described, s.Ports = append(described, set), append(s.Ports, one)
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
			continue // the port has its policy
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
