package qos

import (
	"cxdeck/device/ets"
	"cxdeck/device/setup"
	"cxdeck/driver/cmdlet"
)

// View is the quality of service of a host at one moment, as plain data.
type View struct {
	// Installed reports that Data-Center-Bridging is installed; Willing that the host takes settings from the switch.
	Installed, Willing bool
	Policies           []PolicyView
	// Classes are the traffic classes, the default class first.
	Classes []ClassView
	// FlowControl are the priorities with PFC, for adapters without settings of their own.
	FlowControl Priorities
	// Ports are in the order of the lab.
	Ports []PortView
	// Flows are in the order of the description.
	Flows []FlowView
}

// PolicyView is a policy with what it classifies.
type PolicyView struct {
	Policy
	// Flows are the groups of flows that it gives their priority.
	Flows []string
	// ShadowedBy is the policy that takes all its traffic, because it has the same conditions and comes first; empty for none.
	ShadowedBy string
}

// ClassView is a traffic class.
type ClassView struct {
	Class
	// Default reports that it is the class of all priorities that no other class has.
	Default bool
}

// PortView is what a port has of it.
type PortView struct {
	Port       int
	Connection string
	// Ethernet is false for an InfiniBand port, which has none of it.
	Ethernet bool
	// Enabled is what Windows has set, Offered whether the driver offers QoS (*QOS), and Acts whether the adapter acts on PFC
	// and traffic classes; Why says why it does not.
	Enabled, Offered, Acts bool
	Why                    string
	// Own reports that PFC has settings for this adapter alone; Configured are the priorities with PFC that were asked for,
	// Operational the ones that have it.
	Own                     bool
	Configured, Operational Priorities
	// AsksPause and ObeysPause are global pause as it is used: never together with PFC.
	AsksPause, ObeysPause bool
	// TrustDSCP takes the priority of received frames from their DSCP. DSCP is what RDMA of each priority
	// carries, GlobalDSCP what all of it carries with global pause.
	TrustDSCP  bool
	DSCP       [8]uint8
	GlobalDSCP int
	// Limits are the largest rates of the classes in Mbit/s, by their numbers; 0 is none.
	Limits ets.Limits
	// Classes are the classes that the port sends by, the default class first; none when it does not act on them.
	Classes []ClassView
	// DCBX is the exchange of settings with the switch port.
	DCBX DCBX
}

// FlowView is how a group of flows is classified.
type FlowView struct {
	Name string
	// Port is the port of the lab, Priority the priority of its frames, -1 for frames without one.
	Port, Priority int
	// Policy is the policy that it has its priority from; empty for none.
	Policy string
	// ByNeighbour says that an application priority of the neighbour comes before the policies.
	ByNeighbour bool
	// NetDirectPort is the port of an RDMA program, Program the executable of any other.
	NetDirectPort int
	Program       string
	// Sent and Received are what its frames carry on the cable, with the priorities that adapter and switch port read.
	Sent, Received setup.Header
	// Host is false for traffic that no policy of the host is for: of virtual machines, multicast groups, InfiniBand.
	Host bool
}

// View returns the quality of service as it is now.
func (s Set) View() View {
	v := View{Installed: s.Installed, Willing: s.Willing, FlowControl: s.FlowControl, Classes: s.classes()}
	v.Policies = make([]PolicyView, len(s.Policies))
	for i := range s.Policies {
		v.Policies[i].Policy = s.Policies[i]
		if p := s.shadow(i); p != nil {
			v.Policies[i].ShadowedBy = p.Name
		}
	}
	for port := range s.State.Ports {
		v.Ports = append(v.Ports, s.port(port, v.Classes))
	}
	list := flows(s.Lab().Description())
	lab := s.Lab().Flows()
	for i := range list {
		f := &list[i]
		view := FlowView{Name: f.Name, Port: lab[i].Port, Priority: lab[i].Priority, Sent: lab[i].Sent, Received: lab[i].Received, Host: f.marked}
		if view.Priority > 7 { // untagged
			view.Priority = -1
		}
		if f.marked {
			if view.NetDirectPort = f.direct; f.direct == 0 {
				view.Program = f.program
			}
		}
		if _, view.ByNeighbour = f.priorityBy(s.applications(f.Port)); view.ByNeighbour {
			v.Flows = append(v.Flows, view)
			continue
		}
		if at := s.policyAt(f); at >= 0 {
			view.Policy = s.Policies[at].Name
			v.Policies[at].Flows = append(v.Policies[at].Flows, f.Name)
		}
		v.Flows = append(v.Flows, view)
	}
	return v
}

// classes returns the traffic classes, the default class first.
func (s *State) classes() []ClassView {
	percent, priorities := s.rest()
	list := []ClassView{{Class{DefaultClass, ETS, percent, priorities}, true}}
	for _, c := range s.Classes {
		list = append(list, ClassView{c, false})
	}
	return list
}

func (s Set) port(port int, classes []ClassView) PortView {
	d, _, _ := s.Lab().Port(port)
	now, _ := s.Lab().Operational(port)
	one := s.State.Ports[port]
	_, err := s.ethernet(d.Connection)
	v := PortView{
		Port: port, Connection: d.Connection, Ethernet: err == nil, Enabled: one.Enabled, Offered: s.Offers(port), Own: one.FlowControl != nil,
		Configured: s.flowControl(port), AsksPause: now.AsksPause, ObeysPause: now.ObeysPause, TrustDSCP: now.TrustDSCP, DSCP: now.DSCP, GlobalDSCP: now.GlobalDSCP,
		Limits: one.Limits, DCBX: s.exchange(port),
	}
	switch {
	case !v.Ethernet:
		v.Why = "InfiniBand has service levels and credits in place of priorities and pauses"
	case !s.Installed:
		v.Why = NotInstalledError{}.Error()
	case !v.Enabled:
		v.Why = "QoS is off on the adapter; " + cmdlet.New("Enable-NetAdapterQos").String() + " switches it on"
	case !v.Offered:
		v.Why = "the driver offers no QoS: *QOS is 0"
	default:
		v.Acts, v.Classes, v.Operational = true, classes, Priorities(now.Lossless)
		if v.DCBX.HostAccepts && v.DCBX.Neighbour.Classes != nil {
			v.Classes = v.DCBX.Neighbour.Classes
		}
	}
	return v
}

// EffectOf reports that a policy, as an Operation has left it, has no effect, a sentence without its end; empty when it has one.
func (s *State) EffectOf(o Operation) string {
	var policy Policy
	switch o := o.(type) {
	case AddPolicy:
		policy = o.Policy
	case SetPolicy:
		policy = o.Policy
	default:
		return ""
	}
	i, err := s.findPolicy(policy.Name, policy.Store)
	if err != nil {
		return ""
	}
	if first := s.shadow(i); first != nil {
		return "the QoS policy " + policy.Name + " has no effect: " + first.Name + first.Store.within() + " comes first and has the same conditions"
	}
	return ""
}

// Cautions returns which traffic loses the class that it had before a change, a sentence without its end for each.
func (s Set) Cautions(before *State) (list []string) {
	for _, c := range before.Classes {
		if _, err := s.findClass(c.Name); err != nil && s.usedPriorities()&c.Priorities != 0 {
			list = append(list, (s.usedPriorities()&c.Priorities).Words()+" of the traffic class "+c.Name+" has traffic, and goes to another class")
		}
	}
	return list
}

// usedPriorities returns the priorities that policies give to flows of the lab.
func (s Set) usedPriorities() (set Priorities) {
	for _, f := range s.Lab().Flows() {
		if f.Priority <= 7 {
			set |= 1 << f.Priority
		}
	}
	return set
}
