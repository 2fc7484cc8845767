package survey

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/intent"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/stack"
	"cxdeck/driver/virtualization"
)

// Remaining returns the checks that fail after a plan of the intent too, on a copy of the host.
func Remaining(h *driver.Host, in *intent.Intent, plan driver.Plan) ([]intent.Result, error) {
	const start = 5 * watched
	copied := h.Clone()
	if len(plan.Operations) > 0 {
		if _, err := copied.Apply(plan); err != nil {
			return nil, err
		}
	}
	copied.Advance(start)
	report, err := Check(copied, in)
	if err != nil {
		return nil, err
	}
	return report.Failures(), nil
}

// Plan returns the plan that brings a host to its node of an intent: policies, classes and PFC, adapters and their keys, virtual
// switches, SMB, congestion control and the switch ports. It contains only the changes that the host needs. Where the firmware lacks
// SR-IOV, which must be on before a virtual switch is created, the plan only turns it on and resets the cards: the next plan contains the
// rest. It fails if the intent has no node for the host, or names adapters that the host does not have.
func Plan(h *driver.Host, in *intent.Intent) (driver.Plan, error) {
	name := h.View().Name
	node := in.NodeOf(name)
	if node == nil {
		return driver.Plan{}, fmt.Errorf("the intent has no node %s; its nodes are %s", name, names(in))
	}
	p := &planner{Plan: driver.Plan{Title: "Bring " + name + " to its intent"}, in: in, node: node, host: h.Clone()}
	if err := p.firmware(); err != nil || len(p.Operations) > 0 {
		p.Title = "Turn on SR-IOV in the firmware, before " + name + " is brought to its intent"
		return p.Plan, err
	}
	for _, part := range []func() error{p.switches, p.keys, p.policies, p.adapters, p.smb, p.fabric} {
		if err := part(); err != nil {
			return driver.Plan{}, err
		}
	}
	return p.Plan, nil
}

// planner makes a plan. It applies each Operation to its copy of the host, so that later ones contain only what is still missing.
type planner struct {
	driver.Plan
	in   *intent.Intent
	node *intent.Node
	host *driver.Host
}

// add adds Operations that the host needs.
func (p *planner) add(list ...driver.Operation) error {
	for _, o := range list {
		needed, _ := p.host.Needed(driver.Plan{Title: o.Describe(), Operations: []driver.Operation{o}})
		if len(needed.Operations) == 0 {
			continue
		}
		if _, err := p.host.Apply(needed); err != nil {
			return err
		}
		p.Operations = append(p.Operations, o)
	}
	return nil
}

// rdma returns the names of the physical adapters with RDMA.
func (p *planner) rdma() (list []string) {
	for _, a := range p.node.Enabled {
		list = append(list, a.Name)
	}
	for i := range p.node.Switches {
		for _, a := range p.node.Switches[i].Enabled {
			list = append(list, a.Name)
		}
	}
	return list
}

// connection returns a connection as the host spells it.
func (p *planner) connection(name string) string {
	for port := range p.host.Lab().Ports() {
		if d, _, _ := p.host.Lab().Port(port); strings.EqualFold(d.Connection, name) {
			return d.Connection
		}
	}
	return name
}

// The firmware settings of SR-IOV, and the number of virtual functions of a card whose firmware has none.
const (
	flashSRIOV     = "SRIOV_EN"
	flashFunctions = "NUM_OF_VFS"
	planFunctions  = 8
)

// firmware turns on SR-IOV in the firmware of the cards under a virtual switch with SR-IOV, and resets these cards.
func (p *planner) firmware() error {
	for i := range p.node.Switches {
		if s := &p.node.Switches[i]; s.IOV == nil || !*s.IOV {
			continue
		}
		view := p.host.View()
		for j := range view.Adapters {
			card := &view.Adapters[j]
			if !slices.ContainsFunc(p.node.Switches[i].Enabled, func(a intent.Adapter) bool {
				return slices.ContainsFunc(card.Ports, func(port driver.PortView) bool { return strings.EqualFold(port.Description.Connection, a.Name) })
			}) {
				continue
			}
			set := virtualization.SetFirmware{Adapter: card.Description.Name}
			for _, f := range card.Firmware {
				switch {
				case f.Name == flashSRIOV && !slices.Contains([]string{"1", "True", "True(1)"}, f.Next):
					set.Values = append(set.Values, virtualization.FirmwareValue{Name: f.Name, Value: "1"})
				case f.Name == flashFunctions && (f.Next == "0" || f.Next == "N/A" || f.Next == ""):
					set.Values = append(set.Values, virtualization.FirmwareValue{Name: f.Name, Value: strconv.Itoa(planFunctions)})
				}
			}
			if len(set.Values) == 0 {
				continue
			}
			if err := p.add(set, adapters.ResetCard{Adapter: card.Description.Name}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *planner) switches() error {
	for i := range p.node.Switches {
		s := &p.node.Switches[i]
		view := p.host.View()
		if at := slices.IndexFunc(view.Switches, func(v virtualization.SwitchView) bool { return strings.EqualFold(v.Name, s.Name) }); at < 0 {
			if err := p.add(virtualization.CreateSwitch{Switch: p.record(s)}); err != nil {
				return err
			}
		} else if view.Switches[at].Embedded() {
			balance := virtualization.Balance(s.Balance)
			if view.Switches[at].Balance != balance && (balance != "" || view.Switches[at].Balance == virtualization.Dynamic) {
				if err := p.add(virtualization.SetSwitch{Switch: s.Name, Balance: &balance}); err != nil {
					return err
				}
			}
		}
		for _, a := range s.Enabled {
			if err := p.hostAdapter(s, &a); err != nil {
				return err
			}
		}
		for _, a := range s.Disabled {
			if a.VMNetworkAdapter != "" && !p.hasHost(a.VMNetworkAdapter) {
				if err := p.add(virtualization.AddVMAdapter{Adapter: virtualization.NewVMAdapter(a.VMNetworkAdapter, s.Name)}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// record returns a virtual switch as the intent declares it.
func (p *planner) record(s *intent.Switch) virtualization.SwitchRecord {
	r := virtualization.SwitchRecord{Name: s.Name, IOV: s.IOV != nil && *s.IOV, Balance: virtualization.Balance(s.Balance)}
	for _, a := range s.Enabled {
		if name := p.connection(a.Name); !slices.Contains(r.Members, name) {
			r.Members = append(r.Members, name)
		}
	}
	if len(r.Members) > 0 {
		r.Connection = r.Members[0]
	}
	if !s.Embedded {
		r.Members, r.Balance = nil, ""
	}
	return r
}

func (p *planner) hasHost(name string) bool {
	return slices.ContainsFunc(p.host.View().HostAdapters, func(a virtualization.VMAdapterView) bool { return strings.EqualFold(a.Name, name) })
}

// hostAdapter creates and configures a host adapter on a virtual switch.
func (p *planner) hostAdapter(s *intent.Switch, a *intent.Adapter) error {
	if !p.hasHost(a.VMNetworkAdapter) {
		if err := p.add(virtualization.AddVMAdapter{Adapter: virtualization.NewVMAdapter(a.VMNetworkAdapter, s.Name)}); err != nil {
			return err
		}
	}
	set := virtualization.SetVMAdapter{Adapter: a.VMNetworkAdapter}
	for _, now := range p.host.View().HostAdapters {
		if !strings.EqualFold(now.Name, a.VMNetworkAdapter) {
			continue
		}
		if set.Adapter = now.Name; !strings.EqualFold(now.Switch, s.Name) {
			set.Switch = &s.Name
		}
		if a.VLAN != nil && now.VLAN != *a.VLAN {
			set.VLAN = a.VLAN
		}
		if a.JumboPacket != nil && now.JumboPacket != *a.JumboPacket {
			set.JumboPacket = a.JumboPacket
		}
		if !now.PriorityTag {
			set.PriorityTag = new(true)
		}
		if name := p.connection(a.Name); s.Embedded && now.Mapping != name {
			set.Mapping = &name
		}
		if now.RdmaWeight == 0 {
			if err := p.add(virtualization.SetFeature{Connection: now.Name, Feature: virtualization.FeatureRdma, On: true}); err != nil {
				return err
			}
		}
	}
	return p.add(set)
}

// keys sets the advanced properties, and restarts the adapters that need it.
func (p *planner) keys() error {
	type want struct {
		name  string
		value *int
	}
	set := func(connection string, list ...want) error {
		before := len(p.Operations)
		for _, w := range list {
			if w.value == nil {
				continue
			}
			value := strconv.Itoa(*w.value)
			port, err := p.port(connection)
			if err != nil {
				return err
			}
			if now, has := propertyOf(p.host, port, w.name); !has || now == value {
				continue
			}
			if err := p.add(edit.SetValue{Connection: connection, Key: w.name, Value: value}); err != nil {
				return err
			}
		}
		if len(p.Operations) > before {
			return p.add(adapters.RestartAdapter{Connection: connection})
		}
		return nil
	}
	one := func(a *intent.Adapter, vlan *int) error {
		name := p.connection(a.Name)
		port, err := p.port(name)
		if err != nil {
			return err
		}
		list := []want{{"*NetworkDirect", new(1)}, {"VlanID", vlan}, {"*JumboPacket", a.JumboPacket}, {"*EncapOverhead", a.EncapOverhead}}
		if p.host.Lab().Family(port) == description.WinOF {
			list = append(list, want{"*RscIPv4", new(0)}, want{"*RscIPv6", new(0)})
		} else {
			list = append(list, want{"*NetworkDirectTechnology", new(4)})
			if priority := p.in.LosslessPriority(); priority >= 0 {
				for _, point := range []string{"RP", "NP"} {
					key := fmt.Sprintf("Dcqcn%sEnablePrio%d", point, priority)
					if err := p.add(edit.SetValue{Connection: name, Key: key, Value: "1"}); err != nil {
						return err
					}
				}
			}
		}
		return set(name, list...)
	}
	for i := range p.node.Enabled {
		if err := one(&p.node.Enabled[i], p.node.Enabled[i].VLAN); err != nil {
			return err
		}
	}
	for i := range p.node.Switches {
		for j := range p.node.Switches[i].Enabled {
			if err := one(&p.node.Switches[i].Enabled[j], new(0)); err != nil {
				return err
			}
		}
	}
	for _, a := range p.node.Disabled {
		if err := set(p.connection(a.Name), want{"*NetworkDirect", new(0)}); err != nil {
			return err
		}
	}
	return nil
}

func (p *planner) port(connection string) (int, error) {
	for port := range p.host.Lab().Ports() {
		if d, _, _ := p.host.Lab().Port(port); d.Connection == connection {
			return port, nil
		}
	}
	return 0, fmt.Errorf("the intent names the adapter %s, which the host does not have", connection)
}

// policies sets policies, classes and PFC. It removes other policies with the conditions of a declared policy, which would shadow
// it.
func (p *planner) policies() error {
	if err := p.add(qos.SetFeature{Installed: true}, qos.SetDCBX{Willing: false}); err != nil {
		return err
	}
	declared := func(name string) *intent.Policy {
		for i := range p.in.Policies {
			if strings.EqualFold(p.in.Policies[i].Name, name) {
				return &p.in.Policies[i]
			}
		}
		return nil
	}
	for _, now := range p.host.QoS().Policies {
		alike := slices.ContainsFunc(p.in.Policies, func(w intent.Policy) bool {
			return w.NetDirectPort != nil && now.NetDirectPort == *w.NetDirectPort || w.Template != "" && strings.EqualFold(string(now.Template), w.Template)
		})
		if alike && (declared(now.Name) == nil || now.Store != qos.Persistent) {
			if err := p.add(qos.RemovePolicy{Name: now.Name, Store: now.Store}); err != nil {
				return err
			}
		}
	}
	for _, now := range p.host.QoS().Classes {
		if w := declared(now.Name); !now.Default && (w == nil || !isClass(w, &now)) {
			if err := p.add(qos.RemoveClass{Name: now.Name}); err != nil {
				return err
			}
		}
	}
	for i := range p.in.Policies {
		if err := p.policy(&p.in.Policies[i]); err != nil {
			return err
		}
	}
	priority := p.in.LosslessPriority()
	if priority < 0 {
		return nil
	}
	others := qos.AllPriorities &^ (1 << priority)
	return p.add(qos.SetFlowControl{Priorities: others.List()}, qos.SetFlowControl{Priorities: []int{priority}, Enabled: true})
}

// isClass reports whether a class is as a policy declares it.
func isClass(w *intent.Policy, now *qos.ClassView) bool {
	return w.Priority != nil && *w.Priority >= 0 && *w.Priority <= 7 && now.Priorities == 1<<*w.Priority &&
		strings.EqualFold(w.Algorithm, string(now.Algorithm)) && (now.Algorithm == qos.Strict || w.Bandwidth != nil && now.Bandwidth == *w.Bandwidth)
}

// policy creates or sets a policy, and creates its class unless it is the default class.
func (p *planner) policy(w *intent.Policy) error {
	record := qos.Policy{Name: w.Name, Template: qos.Template(w.Template), Priority: w.Priority}
	if w.NetDirectPort != nil {
		record.NetDirectPort = *w.NetDirectPort
	}
	var change driver.Operation = qos.AddPolicy{Policy: record}
	if slices.ContainsFunc(p.host.QoS().Policies, func(now qos.PolicyView) bool {
		return strings.EqualFold(now.Name, w.Name) && now.Store == qos.Persistent
	}) {
		change = qos.SetPolicy{Policy: record}
	}
	if err := p.add(change); err != nil {
		return err
	}
	exists := slices.ContainsFunc(p.host.QoS().Classes, func(now qos.ClassView) bool { return strings.EqualFold(now.Name, w.Name) })
	if strings.EqualFold(w.Template, string(qos.Default)) || exists || w.Priority == nil {
		return nil
	}
	set, err := qos.SetOf(*w.Priority)
	if err != nil {
		return err
	}
	class := qos.Class{Name: w.Name, Algorithm: qos.ETS, Priorities: set}
	switch {
	case strings.EqualFold(w.Algorithm, string(qos.Strict)):
		class.Algorithm = qos.Strict
	case w.Bandwidth == nil:
		return nil // the intent declares no share for the class
	default:
		class.Bandwidth = *w.Bandwidth
	}
	return p.add(qos.AddClass{Class: class})
}

// adapters turns adapter QoS on, and removes their own PFC settings.
func (p *planner) adapters() error {
	for _, name := range p.rdma() {
		connection := p.connection(name)
		for _, port := range p.host.QoS().Ports {
			if port.Connection == connection && port.Own {
				if err := p.add(qos.SetFlowControl{Connection: connection, Inherit: true}); err != nil {
					return err
				}
			}
		}
		if err := p.add(qos.SetAdapter{Connection: connection, Enabled: true}); err != nil {
			return err
		}
	}
	return nil
}

func (p *planner) smb() error {
	return p.add(stack.SetNetworkDirect{Enabled: true},
		stack.SetSMB{Side: stack.ClientSide, Multichannel: new(true), Sign: new(false)},
		stack.SetSMB{Side: stack.ServerSide, Multichannel: new(true), Sign: new(false), Encrypt: new(false)})
}

// fabric makes the switch ports agree with the adapters, and turns marking on. The copy advances until adapters have started.
func (p *planner) fabric() error {
	const start = 5 * watched
	p.host.Advance(start)
	for _, name := range p.rdma() {
		connection := p.connection(name)
		port, err := p.port(connection)
		if err != nil {
			return err
		}
		agreement, err := p.host.AgreementPlan(port)
		if err != nil {
			return err
		}
		for _, o := range agreement.Operations { // traffic that the intent does not name keeps its policies
			switch o.(type) {
			case fabric.SetSwitchPort, fabric.SetFarEnd:
			default:
				continue
			}
			if err := p.add(o); err != nil {
				return err
			}
		}
		if p.host.Lab().SwitchPort(port).Marking.Probability == 0 {
			if err := p.add(fabric.SetSwitchPort{Connection: connection, MarkProbability: new(0.01)}); err != nil {
				return err
			}
		}
		if err := p.peers(port); err != nil {
			return err
		}
	}
	return nil
}

// peers turns congestion control of the peers of a port on, on the lossless priority.
func (p *planner) peers(port int) error {
	priority := p.in.LosslessPriority()
	if priority < 0 {
		return nil
	}
	lab, bit := p.host.Lab(), uint16(1)<<priority
	remote, settings := lab.Remote(port), lab.FarEndSettings(port)
	if remote.Reacts&bit != 0 && remote.Notifies&bit != 0 && !settings.DropsCNPs {
		return nil
	}
	settings.Reacts, settings.Notifies, settings.DropsCNPs = new(uint8(remote.Reacts|bit)), new(uint8(remote.Notifies|bit)), false
	return p.add(fabric.SetFarEnd{Connection: lab.Connection(port), Settings: settings})
}
