package virtualization

import (
	"errors"
	"fmt"
	"slices"

	"cxdeck/device/description"
	"cxdeck/driver/request"
)

// maxMembers is the maximum number of adapters in an embedded team.
const maxMembers = 8

// checkEmbedded returns why a switch can't have its embedded team. One without a team has nothing to check.
func (v Hypervisor) checkEmbedded(s *SwitchRecord) error {
	switch {
	case s.Balance != "" && s.Balance != HyperVPort && s.Balance != Dynamic:
		return request.Errorf("an embedded team spreads traffic by %s or %s, not by %q", HyperVPort, Dynamic, s.Balance)
	case !s.Embedded() && s.Balance != "":
		return errors.New("only a switch with an embedded team spreads traffic")
	case !s.Embedded():
		return nil
	case s.Team != "" || s.Connection != s.Members[0] || len(s.Members) > maxMembers:
		return fmt.Errorf("an embedded team has 1 to %d connections, and no other team", maxMembers)
	}
	for i, name := range s.Members {
		port, err := v.Port(name)
		if err != nil {
			return err
		}
		at := v.switchOn(name)
		switch d, _, _ := v.Lab().Port(port); {
		case slices.Contains(s.Members[:i], name):
			return fmt.Errorf("%s is in the embedded team twice", name)
		case d.Link != description.Ethernet:
			return fmt.Errorf("%s is an InfiniBand port; an embedded team is of Ethernet ports", name)
		case v.TeamOf(port) != "":
			return fmt.Errorf("%s is a member of the team %s", name, v.TeamOf(port))
		case at >= 0 && v.Switches[at].Name != s.Name:
			return fmt.Errorf("%s has the virtual switch %s already; remove it first", name, v.Switches[at].Name)
		}
	}
	return nil
}

// checkMapping returns why an adapter can't be tied to a member of an embedded team.
func (v Hypervisor) checkMapping(a *VMAdapterRecord) error {
	if a.Mapping == "" {
		return nil
	}
	at, err := v.FindSwitch(a.Switch)
	if err == nil && slices.Contains(v.Switches[at].Members, a.Mapping) {
		return nil
	}
	return fmt.Errorf("%s is not a member of an embedded team of the adapter's switch", a.Mapping)
}

// TakesRDMA reports whether RDMA of the host goes over a port: always, but for a port under an embedded team where no adapter of
// the host has RDMA that may use the port.
func (v Hypervisor) TakesRDMA(port int) bool {
	list, under := v.hostAdaptersOver(port)
	return !under || slices.ContainsFunc(list, func(a Adapter) bool { return a.RdmaWeight > 0 })
}

// HostRDMAFix returns the plan that lets RDMA of the host use a port under an embedded team: through an adapter of the host at the
// switch.
func (v Hypervisor) HostRDMAFix(port int) (title string, fix []Operation) {
	if list, _ := v.hostAdaptersOver(port); len(list) > 0 {
		adapter := list[0].Name
		return "Turn on RDMA of the host adapter " + adapter, []Operation{SetFeature{Connection: adapter, Feature: FeatureRdma, On: true}}
	}
	connection := v.connection(port)
	on := ""
	if at := v.switchOn(connection); at >= 0 {
		on = v.Switches[at].Name
	}
	adapter := "SMB " + connection
	return "Add a host adapter with RDMA to " + on, []Operation{
		AddVMAdapter{Adapter: NewVMAdapter(adapter, on)}, SetVMAdapter{Adapter: adapter, RdmaWeight: new(100), Mapping: &connection},
	}
}

// hostAdaptersOver returns the adapters of the host that may use a port; under is false for a port without an embedded team.
func (v Hypervisor) hostAdaptersOver(port int) (list []Adapter, under bool) {
	name := v.connection(port)
	at := v.switchOn(name)
	if at < 0 || !v.Switches[at].Embedded() {
		return nil, false
	}
	for _, a := range v.Host {
		if i, err := v.FindSwitch(a.Switch); err == nil && i == at && (a.Mapping == "" || a.Mapping == name) {
			list = append(list, a)
		}
	}
	return list, true
}

// StackBindings returns the components that a virtual switch unbinds from its port.
func StackBindings() []AdapterFeature {
	return []AdapterFeature{FeatureTCPIPv4, FeatureTCPIPv6, FeatureClient}
}

// Bound reports whether a component of StackBindings is bound to a port.
func (v Hypervisor) Bound(port int, component AdapterFeature) bool {
	if v.switchOn(v.connection(port)) < 0 {
		return true
	}
	i := slices.Index(StackBindings(), component)
	return i >= 0 && v.Ports[port].Bound>>i&1 == 1
}

// bind binds a component of StackBindings to a port under a switch, or unbinds it.
func (p *Port) bind(component AdapterFeature, on bool) {
	bit := uint8(1) << slices.Index(StackBindings(), component)
	if p.Bound &^= bit; on {
		p.Bound |= bit
	}
}
