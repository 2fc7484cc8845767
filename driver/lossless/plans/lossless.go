package plans

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/intent"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/stack"
	"cxdeck/driver/survey"
)

// Lossless makes RDMA of connections lossless from end to end: policies, class and PFC of the host, adapter, switch port.
type Lossless struct {
	Connections []string
	// Priority is the one that RDMA gets, 0 to 7.
	Priority int
	// Ports are NetDirect ports, 1 to 65535; none for the ports of the RDMA programs at the connections.
	Ports []int
	// Share is the percentage of its traffic class, 1 to 100; 0 leaves the classes as they are.
	Share int
	// Only switches PFC of all other priorities off.
	Only bool
	// TrustDSCP has adapter and switch port read the priority from the DSCP; false leaves it as it is.
	TrustDSCP bool
	// Control switches congestion control of the priority on, at WinOF-2 adapters and switch ports.
	Control bool
}

// smbDirect is the NetDirect port of SMB Direct.
const smbDirect = 445

const maxPort = 65535

// NetDirectPorts returns the ports of the RDMA programs at connections, the one of SMB Direct where there is none.
func NetDirectPorts(view *qos.View, connections []string) []int {
	var list []int
	for i := range view.Flows {
		f := &view.Flows[i]
		if f.NetDirectPort != 0 && slices.Contains(connections, view.Ports[f.Port].Connection) && !slices.Contains(list, f.NetDirectPort) {
			list = append(list, f.NetDirectPort)
		}
	}
	if list == nil {
		list = []int{smbDirect}
	}
	slices.Sort(list)
	return list
}

func (s Lossless) check(h *driver.Host) error {
	switch {
	case len(s.Connections) == 0:
		return errors.New("a port is required")
	case s.Share != 0:
		if err := within("the share", s.Share, 1, 100); err != nil {
			return err
		}
	}
	if err := checkPriority(s.Priority); err != nil {
		return err
	}
	for _, n := range s.Ports {
		if err := within("a NetDirect port", n, 1, maxPort); err != nil {
			return err
		}
	}
	for _, name := range s.Connections {
		at, _, err := ethernet(h, name)
		if err != nil {
			return err
		}
		if h.Lab().Settings(at).RoCE == description.NoRoCE && !networkDirectOff(h, name) {
			return fmt.Errorf("%s has no RoCE: set its RoCE mode first", name)
		}
		if s.TrustDSCP {
			if _, _, err := winOF2(h, name, "trust in the DSCP"); err != nil {
				return err
			}
		}
	}
	return nil
}

// networkDirectOff reports that a connection has no RDMA because *NetworkDirect is off.
func networkDirectOff(h *driver.Host, connection string) bool {
	k, err := h.Key(connection, "*NetworkDirect")
	return err == nil && (k.Effective.Exists() && k.Effective.Number() == 0 || k.Stored.Exists() && k.Stored.String() == "0")
}

// Title names the plan.
func (s Lossless) title() string {
	return fmt.Sprintf("Make RDMA of %s lossless on priority %d", strings.Join(s.Connections, " and "), s.Priority)
}

// Plan implements Setup.
func (s Lossless) Plan(h *driver.Host) (AnnotatedPlan, error) {
	if err := s.check(h); err != nil {
		return AnnotatedPlan{}, err
	}
	b := newBuilder(h, s.title())
	for _, part := range []func(*builder) error{s.keys, s.host, s.class, s.pauses, s.agree, s.control} {
		if err := part(b); err != nil {
			return AnnotatedPlan{}, err
		}
	}
	s.noteOthers(h, b)
	return b.made()
}

// noteOthers notes the other ports that agree with their switch ports before the plan, and not after it: policies and PFC are for all
// adapters of the host.
func (s Lossless) noteOthers(h *driver.Host, b *builder) {
	before, after := h.QoS(), b.host.QoS()
	was, is := h.Paths(&before), b.host.Paths(&after)
	var names []string
	for port := range is {
		d, _, _ := h.Lab().Port(port)
		if len(is[port].Mismatches) > 0 && len(was[port].Mismatches) == 0 && !slices.Contains(s.Connections, d.Connection) {
			names = append(names, d.Connection)
		}
	}
	const shown = 3
	if more := len(names) - shown; more > 0 {
		names = append(names[:shown], fmt.Sprintf("%d more", more))
	}
	if len(names) > 0 {
		b.note("policies and PFC are for all adapters: %s will not agree with the switch; choose them as well", strings.Join(names, ", "))
	}
}

// keys turns on what drivers and Windows may have off.
func (s Lossless) keys(b *builder) error {
	if err := b.add(stack.SetNetworkDirect{Enabled: true}); err != nil {
		return err
	}
	for _, name := range s.Connections {
		if networkDirectOff(b.host, name) {
			if err := b.key(name, "*NetworkDirect", 1); err != nil {
				return err
			}
		}
		view := b.host.QoS()
		at, _, err := port(b.host, name)
		if err != nil {
			return err
		}
		if !view.Ports[at].Offered {
			if err := b.key(name, "*QOS", 1); err != nil {
				return err
			}
		}
		if s.TrustDSCP {
			if err := (Trust{Connection: name, DSCP: true}).apply(b, []int{s.Priority}); err != nil {
				return err
			}
		}
	}
	return b.restarts()
}

// host installs the feature, takes no settings from the switch, and gives the NetDirect ports their priority.
func (s Lossless) host(b *builder) error {
	if err := b.add(qos.SetFeature{Installed: true}, qos.SetDCBX{Willing: false}); err != nil {
		return err
	}
	view := b.host.QoS()
	ports := s.Ports
	if len(ports) == 0 {
		ports = NetDirectPorts(&view, s.Connections)
	}
	for _, n := range ports {
		found := false
		for i := range view.Policies {
			p := view.Policies[i].Policy
			if p.NetDirectPort != n {
				continue
			}
			found = true
			if p.Priority == nil || *p.Priority != s.Priority {
				p.Priority = &s.Priority
				if err := b.add(qos.SetPolicy{Policy: p}); err != nil {
					return err
				}
			}
		}
		if found {
			continue
		}
		name := fmt.Sprintf("NetworkDirect %d", n)
		if n == smbDirect {
			name = "SMBDirect"
		}
		name = freeName(name, func(name string) bool {
			return slices.ContainsFunc(view.Policies, func(p qos.PolicyView) bool { return strings.EqualFold(p.Name, name) })
		})
		if err := b.add(qos.AddPolicy{Policy: qos.Policy{Name: name, NetDirectPort: n, Priority: &s.Priority}}); err != nil {
			return err
		}
	}
	return nil
}

// freeName returns a name that is not taken, with a number behind it where needed.
func freeName(name string, taken func(string) bool) string {
	free := name
	for n := 2; taken(free); n++ {
		free = fmt.Sprintf("%s %d", name, n)
	}
	return free
}

// class gives the priority a traffic class of its own.
func (s Lossless) class(b *builder) error {
	if s.Share == 0 {
		return nil
	}
	set := qos.Priorities(1) << s.Priority
	view := b.host.QoS()
	for _, c := range view.Classes[1:] {
		switch {
		case c.Priorities == set && c.Algorithm == qos.ETS && c.Bandwidth == s.Share:
			return nil
		case c.Priorities == set:
			return b.add(qos.SetClass{Class: qos.Class{Name: c.Name, Algorithm: qos.ETS, Bandwidth: s.Share, Priorities: set}})
		case c.Priorities.Has(s.Priority):
			c.Priorities &^= set
			if err := b.add(qos.SetClass{Class: c.Class}); err != nil {
				return err
			}
		}
	}
	name := freeName("RDMA", func(name string) bool {
		return slices.ContainsFunc(view.Classes, func(c qos.ClassView) bool { return strings.EqualFold(c.Name, name) })
	})
	return b.add(qos.AddClass{Class: qos.Class{Name: name, Algorithm: qos.ETS, Bandwidth: s.Share, Priorities: set}})
}

// pauses turns PFC on, for the host and the adapters.
func (s Lossless) pauses(b *builder) error {
	set := qos.Priorities(1) << s.Priority
	others := (qos.AllPriorities &^ set).List()
	view := b.host.QoS()
	change := func(connection string, now qos.Priorities) error {
		if now&^set != 0 && s.Only {
			if err := b.add(qos.SetFlowControl{Connection: connection, Priorities: others}); err != nil {
				return err
			}
		}
		if now&set != 0 {
			return nil
		}
		return b.add(qos.SetFlowControl{Connection: connection, Priorities: set.List(), Enabled: true})
	}
	shared := false
	for _, name := range s.Connections {
		at, _, err := port(b.host, name)
		if err != nil {
			return err
		}
		if p := &view.Ports[at]; p.Own {
			err = change(name, p.Configured)
		} else {
			shared = true
		}
		if err != nil {
			return err
		}
	}
	if shared {
		if err := change("", view.FlowControl); err != nil {
			return err
		}
	}
	for _, name := range s.Connections {
		if err := b.add(qos.SetAdapter{Connection: name, Enabled: true}); err != nil {
			return err
		}
	}
	return nil
}

// agree makes the switch ports agree with the adapters.
func (s Lossless) agree(b *builder) error {
	for _, name := range s.Connections {
		at, _, err := port(b.host, name)
		if err != nil {
			return err
		}
		set := uint8(1) << s.Priority
		if there := b.host.Lab().SwitchPort(at); s.Only && (there.FlowControl != description.PriorityPause || there.Lossless != set) {
			mode := description.PriorityPause
			if err := b.add(fabric.SetSwitchPort{Connection: name, FlowControl: &mode, Lossless: &set}); err != nil {
				return err
			}
		}
		if err := b.agree(name, s.Control); err != nil {
			return err
		}
		stack := b.host.Stack()
		if len(stack.IP(name).Addresses) == 0 {
			b.note("%s has no IP address, and so no GID: RDMA needs one", name)
		}
	}
	return b.restarts()
}

// agree adds the plans of a connection's mismatches; without control not what turns on congestion control.
func (b *builder) agree(connection string, control bool) error {
	at, _, err := port(b.host, connection)
	if err != nil {
		return err
	}
	plan, err := b.host.AgreementPlan(at)
	if err != nil {
		return cause(err)
	}
	for _, o := range plan.Operations {
		set, isKey := o.(edit.SetValue)
		if r, ok := o.(adapters.RestartAdapter); ok {
			b.restart(r.Connection)
		} else if isKey && !control && strings.HasPrefix(set.Key, bothFlags) {
			continue
		} else if err := b.add(o); err != nil {
			return err
		}
	}
	return nil
}

// usualMarking is the probability with which a switch port marks at its upper threshold, where it marked nothing before.
const usualMarking = 0.01

// control turns congestion control on.
func (s Lossless) control(b *builder) error {
	if !s.Control {
		return nil
	}
	for _, name := range s.Connections {
		at, d, err := port(b.host, name)
		if err != nil {
			return err
		}
		if b.host.Lab().Family(at) != description.WinOF2 {
			b.note("%s is a WinOF adapter, which has no congestion control", name)
			continue
		}
		if err := b.enable(name, s.Priority, true); err != nil {
			return err
		}
		if b.host.Lab().SwitchPort(at).Marking.Probability == 0 {
			marking := usualMarking
			if err := b.add(fabric.SetSwitchPort{Connection: d.Connection, MarkProbability: &marking}); err != nil {
				return err
			}
		}
		if err := b.peers(name, at, s.Priority); err != nil {
			return err
		}
	}
	return nil
}

// peers has the peers of a port take part in congestion control of a priority, and the switch pass their notifications.
func (b *builder) peers(connection string, at, priority int) error {
	far, now := b.host.Lab().FarEndSettings(at), b.host.Lab().Remote(at)
	bit := uint16(1) << priority
	if now.Reacts&now.Notifies&bit != 0 && !far.DropsCNPs {
		return nil
	}
	reacts, notifies := uint8(now.Reacts|bit), uint8(now.Notifies|bit)
	far.Reacts, far.Notifies, far.DropsCNPs = &reacts, &notifies, false
	return b.add(fabric.SetFarEnd{Connection: connection, Settings: far})
}

// bothFlags begins the names of keys that set both flags of a priority.
const bothFlags = "DcqcnEnablePrio"

// enable turns congestion control of a priority on or off: senders react, and receivers notify.
func (b *builder) enable(connection string, priority int, on bool) error {
	value := 0
	if on {
		value = 1
	}
	if k, err := b.host.Key(connection, fmt.Sprint(bothFlags, priority)); err == nil && k.Stored.Exists() && k.Stored.Number() != uint32(value) {
		if err := b.add(edit.SetValue{Connection: connection, Key: k.Row.Name, Value: fmt.Sprint(value)}); err != nil {
			return err
		}
	}
	for _, p := range []dcqcn.Parameter{dcqcn.RPEnable, dcqcn.NPEnable} {
		if err := b.key(connection, (p + dcqcn.Parameter(priority)).String(), value); err != nil {
			return err
		}
	}
	return nil
}

// congestionCheckIndex is the index of the congestion control check in the path checks of package intent.
const congestionCheckIndex = 6

// Check runs the path checks of an intent.
func (s Lossless) Check(h *driver.Host) []Finding {
	h = h.Clone()
	h.Advance(settle)
	view := h.QoS()
	ports := s.Ports
	if len(ports) == 0 {
		ports = NetDirectPorts(&view, s.Connections)
	}
	node := intent.Node{Name: h.View().Name}
	in := &intent.Intent{Policies: []intent.Policy{{Name: "RDMA", NetDirectPort: &ports[0], Priority: &s.Priority}}}
	controlled := s.Control
	for _, name := range s.Connections {
		node.Enabled = append(node.Enabled, intent.Adapter{Name: name})
		if at, _, err := port(h, name); err == nil {
			controlled = controlled && h.Lab().Family(at) == description.WinOF2
		}
	}
	in.Nodes = []intent.Node{node}
	var list []Finding
	for _, r := range in.Check(&in.Nodes[0], survey.Facts(h, in)).Results {
		if r.Group != intent.OfPath || r.Outcome == intent.NotApplicable || r.Number == congestionCheckIndex && !controlled {
			continue
		}
		title := r.Title
		if len(s.Connections) > 1 && r.Object != "" {
			title = r.Object + ": " + title
		}
		list = append(list, Finding{Title: title, Text: r.Found, OK: r.Outcome == intent.Passed})
	}
	return list
}
