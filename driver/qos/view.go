package qos

import (
	"cxdeck/device/ets"
	"cxdeck/device/setup"
	"cxdeck/driver/cmdlet"
)

// View is a snapshot of a host's QoS state as plain data.
type View struct {
	// Startup is the script that runs at boot; nil for none.
	Startup *Startup
	// Installed reports that Data-Center-Bridging is installed, Willing that the host accepts settings from the switch.
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

// PolicyView is a policy with the flows that it classifies.
type PolicyView struct {
	Policy
	// Flows are the groups of flows that the policy classifies.
	Flows []string
	// ShadowedBy is the policy that matches all traffic of this one first, because it has the same conditions; empty for none.
	ShadowedBy string
}

// ClassView is a traffic class.
type ClassView struct {
	Class
	// Default reports the class of all priorities that no other class has.
	Default bool
}

// PortView is the QoS state of a port.
type PortView struct {
	Port       int
	Connection string
	// Ethernet is false for an InfiniBand port, which has no QoS.
	Ethernet bool
	// Enabled is the setting of Windows, Offered reports that the driver offers QoS (*QOS), and Acts that the adapter uses PFC and
	// traffic classes; Why says why it does not.
	Enabled, Offered, Acts bool
	Why                    string
	// Own reports that the adapter has its own PFC settings; Configured are the priorities for which PFC is requested, Operational
	// the priorities that use it.
	Own                     bool
	Configured, Operational Priorities
	// AsksPause and ObeysPause report that global pause is sent and obeyed; never together with PFC.
	AsksPause, ObeysPause bool
	// UntaggedLossless reports that frames without a tag go to the lossless receive buffer while PFC is on.
	UntaggedLossless bool
	// TrustDSCP reports that the DSCP gives the priority of received frames. DSCP is the DSCP of RDMA frames by priority,
	// GlobalDSCP the DSCP of all RDMA frames under global pause.
	TrustDSCP  bool
	DSCP       [8]uint8
	GlobalDSCP int
	// Limits are the maximum rates of the classes in Mbit/s by number; 0 means no limit.
	Limits ets.Limits
	// Classes are the effective classes of the port, the default class first; none while QoS is off.
	Classes []ClassView
	// DCBX is the exchange of settings with the switch port.
	DCBX DCBX
}

// FlowView is the classification of a group of flows.
type FlowView struct {
	Name string
	// Port is the port of the lab, Priority the priority of its frames, -1 for frames without one.
	Port, Priority int
	// Policy is the policy that gives the flows their priority; empty for none.
	Policy string
	// ByNeighbour reports that an application priority of the neighbour takes precedence over the policies.
	ByNeighbour bool
	// NetDirectPort is the port of an RDMA program, Program the executable of another program.
	NetDirectPort int
	Program       string
	// Sent and Received are the header fields of the frames on the cable, with the priorities that adapter and switch port read.
	Sent, Received setup.Header
	// Host is false for traffic to which the host's policies do not apply: of virtual machines, multicast groups, InfiniBand.
	Host bool
}

// View returns the current QoS state.
func (s Set) View() View {
	v := View{Startup: s.Startup, Installed: s.Installed, Willing: s.Willing, FlowControl: s.FlowControl, Classes: s.classes()}
	v.Policies = make([]PolicyView, len(s.Policies))
	for i := range s.Policies {
		v.Policies[i].Policy = s.Policies[i]
		if p := s.shadowedBy(i); p != nil {
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
	stored := s.State.Ports[port]
	_, err := s.ethernet(d.Connection)
	v := PortView{
		Port: port, Connection: d.Connection, Ethernet: err == nil, Enabled: stored.Enabled, Offered: s.Offers(port), Own: stored.FlowControl != nil,
		Configured: s.flowControl(port), AsksPause: now.AsksPause, ObeysPause: now.ObeysPause, UntaggedLossless: now.UntaggedLossless, TrustDSCP: now.TrustDSCP, DSCP: now.DSCP, GlobalDSCP: now.GlobalDSCP,
		Limits: stored.Limits, DCBX: s.exchange(port),
	}
	switch {
	case !v.Ethernet:
		v.Why = "InfiniBand has service levels and credits instead of priorities and pause frames"
	case !s.Installed:
		v.Why = NotInstalledError{}.Error()
	case !v.Enabled:
		v.Why = "QoS is off on the adapter; " + cmdlet.New("Enable-NetAdapterQos").String() + " turns it on"
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

// EffectOf returns why the policy of an applied Operation has no effect, a sentence without its full stop; empty if it has one.
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
	if first := s.shadowedBy(i); first != nil {
		return "the QoS policy " + policy.Name + " has no effect: " + first.Name + first.Store.within() + " comes first and has the same conditions"
	}
	return ""
}

// Cautions returns which traffic lost its class by a change, a sentence without its full stop for each.
func (s Set) Cautions(before *State) (list []string) {
	for _, c := range before.Classes {
		if _, err := s.findClass(c.Name); err != nil && s.usedPriorities()&c.Priorities != 0 {
			list = append(list, (s.usedPriorities()&c.Priorities).Words()+" of the traffic class "+c.Name+" has traffic, which moves to another class")
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
