package survey

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/intent"
	"cxdeck/driver/lossless"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry"
	"cxdeck/driver/stack"
	"cxdeck/driver/virtualization"
)

// watched is the lab time for which traffic runs on a copy of the host.
const watched = 2 * time.Second

// properties are the advanced properties that the checks compare.
var properties = []string{"*NetworkDirect", "VlanID", "*JumboPacket", "*EncapOverhead", "*RscIPv4", "*RscIPv6", "*NetworkDirectTechnology"}

// Facts returns the facts about a host for an intent. The host does not change: traffic runs on a copy.
func Facts(h *driver.Host, in *intent.Intent) *intent.Facts {
	seen := readFacts(h)
	return seen.facts(in, func(priority int, list []intent.Path) {
		copied := h.Clone()
		before := readTraffic(copied, priority)
		copied.Advance(watched)
		readTraffic(copied, priority).since(before).fillPaths(list)
	})
}

// HostViews is a host with views of it, which others need as well.
type HostViews struct {
	Host  *driver.Host
	View  *driver.View
	QoS   *qos.View
	Paths []lossless.Path
}

func readFacts(h *driver.Host) HostViews {
	windows := h.QoS()
	return HostViews{h, h.View(), &windows, h.Paths(&windows)}
}

// facts is Facts with a function that fills in what the traffic of the lossless priority shows: whether there was any, drops and
// endless pauses.
func (s *HostViews) facts(in *intent.Intent, watch func(priority int, list []intent.Path)) *intent.Facts {
	h, view, stack := s.Host, s.View, s.Host.Stack()
	f := &intent.Facts{Name: view.Name, QoS: s.QoS, SMB: intent.SMB{
		ClientMultichannel: !stack.Client.NoMultichannel, ClientSigning: stack.Client.Sign,
		ServerMultichannel: !stack.Server.NoMultichannel, ServerSigning: stack.Server.Sign, ServerEncrypt: stack.Server.Encrypt,
	}}
	paths := s.pathsOf(&stack, in)
	if priority := in.LosslessPriority(); priority >= 0 {
		watch(priority, paths)
	}
	for i := range view.Adapters {
		for j := range view.Adapters[i].Ports {
			p := &view.Adapters[i].Ports[j]
			n := nicOf(h, view, &view.Adapters[i], p)
			n.NoRDMA, n.Path = stack.WhyIncapable(p.Port), paths[p.Port]
			f.NICs = append(f.NICs, n)
		}
	}
	for i := range view.Switches {
		f.Switches = append(f.Switches, switchOf(view, &view.Switches[i]))
	}
	for i := range view.HostAdapters {
		f.Hosts = append(f.Hosts, hostOf(h, &stack, view, &view.HostAdapters[i]))
	}
	return f
}

// Check compares a host with its node of an intent; it fails when the intent has no node for the host.
func Check(h *driver.Host, in *intent.Intent) (*intent.Report, error) {
	name := h.View().Name
	node := in.NodeOf(name)
	if node == nil {
		return nil, fmt.Errorf("the intent has no node %s; its nodes are %s", name, names(in))
	}
	return in.Check(node, Facts(h, in)), nil
}

// names lists the nodes of an intent for a sentence.
func names(in *intent.Intent) string {
	const maxNames = 5
	var list []string
	for i := range in.Nodes {
		if i == maxNames {
			list = append(list, fmt.Sprintf("%d more", len(in.Nodes)-maxNames))
			break
		}
		list = append(list, cmp.Or(in.Nodes[i].Name, "one without a name"))
	}
	return cmp.Or(strings.Join(list, ", "), "none")
}

func nicOf(h *driver.Host, view *driver.View, card *driver.AdapterView, p *driver.PortView) intent.NIC {
	d := p.Description
	n := intent.NIC{
		Name: d.Connection, Status: "Up", Media: "Connected", Gbps: int(p.Rate / 1e9), Driver: "mlx5.sys", DriverVersion: card.Description.DriverVersion,
		Properties: map[string]string{}, Port: p.Port, IovSupport: string(p.SRIOV.Support), VFs: p.SRIOV.NumVFs,
	}
	if card.Description.Family == description.WinOF {
		n.Driver = "mlx4eth63.sys"
	}
	switch {
	case p.State == driver.Failed:
		n.Status, n.Media = "Not Present", "Unknown"
	case p.State != driver.Running:
		n.Status, n.Media = "Disabled", "Unknown"
	case !p.Up:
		n.Status, n.Media = "Disconnected", "Disconnected"
	}
	for i := range view.Switches {
		if slices.Contains(view.Switches[i].Connections(), d.Connection) {
			n.Bindings = append(n.Bindings, "vms_pp")
		}
	}
	if p.Team != "" {
		n.Bindings = append(n.Bindings, "ms_implat")
	}
	for _, binding := range virtualization.StackBindings() {
		if h.Bound(p.Port, string(binding)) {
			n.Bindings = append(n.Bindings, string(binding))
		}
	}
	for _, name := range properties {
		if value, ok := propertyOf(h, p.Port, name); ok {
			n.Properties[name] = value
		}
	}
	return n
}

// propertyOf returns the effective value of an advanced property of a port; false for a property that the driver does not
// support. A property without a stored value has the driver's default.
func propertyOf(h *driver.Host, port int, name string) (string, bool) {
	value, ok := h.InUse(port, registry.Miniport, name)
	if !ok {
		return "", false
	}
	if value.Exists() {
		return value.String(), true
	}
	s := h.Lab().Settings(port)
	flag := func(on bool) string { return map[bool]string{true: "1", false: "0"}[on] }
	switch name {
	case "*NetworkDirect":
		return "1", true
	case "*RscIPv4":
		return flag(s.CoalesceIPv4), true
	case "*RscIPv6":
		return flag(s.CoalesceIPv6), true
	case "*NetworkDirectTechnology":
		if s.RoCE == description.RoCEv1 {
			return "3", true
		}
		return "4", true
	}
	return "0", true
}

func switchOf(view *driver.View, s *virtualization.SwitchView) intent.VirtualSwitch {
	virtualSwitch := intent.VirtualSwitch{
		Name: s.Name, Adapters: s.Connections(), Team: s.Team, Embedded: s.Embedded(), Balance: string(s.Balance), PacketDirect: s.PacketDirect,
		IOV: s.IOV, IovSupport: s.IovSupport,
	}
	for i := range view.Adapters {
		for j := range view.Adapters[i].Ports {
			if p := &view.Adapters[i].Ports[j]; slices.Contains(s.Ports, p.Port) && s.IOV {
				virtualSwitch.VFs += p.SRIOV.Open
				virtualSwitch.QueuePairs += p.SRIOV.Open * p.SRIOV.QueuePairs
			}
		}
	}
	return virtualSwitch
}

func hostOf(h *driver.Host, stack *stack.Set, view *driver.View, a *virtualization.VMAdapterView) intent.HostAdapter {
	adapter := intent.HostAdapter{
		Name: a.Name, Switch: a.Switch, Status: cmp.Or(a.Why, "Ok"), JumboPacket: cmp.Or(a.JumboPacket, virtualization.DefaultFrame), Enabled: a.RdmaWeight > 0,
		PriorityTag: a.PriorityTag, Mapping: a.Mapping, VLAN: a.VLAN,
	}
	for i := range view.Switches {
		if s := &view.Switches[i]; strings.EqualFold(s.Name, a.Switch) {
			for _, port := range s.Ports {
				adapter.Up = adapter.Up || h.Lab().State(port).Up
				if why := stack.WhyIncapable(port); why == "" {
					adapter.Capable = true
				} else {
					adapter.NoRDMA = why
				}
			}
		}
	}
	adapter.Connected = adapter.Up
	switch {
	case !adapter.Enabled:
		adapter.NoRDMA = "RDMA is off on this adapter"
	case adapter.Capable:
		adapter.NoRDMA = ""
	default:
		adapter.NoRDMA = cmp.Or(adapter.NoRDMA, "no adapter of its switch offers RDMA")
	}
	return adapter
}

// pathsOf returns the paths of all ports, in the order of the lab.
func (s *HostViews) pathsOf(stack *stack.Set, in *intent.Intent) []intent.Path {
	h, windows, lab := s.Host, s.QoS, s.Host.Lab()
	list := make([]intent.Path, lab.Ports())
	priority := in.LosslessPriority()
	for port, path := range s.Paths {
		p := &list[port]
		if p.Known = len(path.Settings) > 0; !p.Known {
			continue
		}
		for _, m := range path.Mismatches {
			switch {
			case m.Kind == lossless.StrayControl: // congestion control has a check of its own
			case m.Place == lossless.OnCable:
				p.Mismatches = append(p.Mismatches, m.Text)
			default:
				p.FarEnd = append(p.FarEnd, m.Text)
			}
		}
		p.FarEndKnown, p.NoControl = true, lab.Family(port) == description.WinOF
		if priority < 0 {
			continue
		}
		settings := lab.Settings(port)
		p.Reacts, p.Notifies = settings.Congestion.Reacts(uint8(priority)), settings.Congestion.Notifies(uint8(priority))
		p.Marks = lab.SwitchPort(port).Marking.Probability > 0
		remote := lab.Remote(port)
		p.PeersReact, p.PeersNotify = remote.Reacts>>priority&1 == 1, remote.Notifies>>priority&1 == 1
		p.LosesNotices = lab.FarEndSettings(port).DropsCNPs
		d, _, _ := lab.Port(port)
		var known []netip.Addr
		for _, g := range h.GIDs(port) {
			known = append(known, g.Address)
		}
		for _, a := range stack.IP(d.Connection).Addresses {
			if settings.RoCE != description.RoCEv2 || slices.Contains(known, a.Addr()) {
				p.GIDs = append(p.GIDs, a.Addr().String())
			}
		}
		for i := range windows.Flows {
			if f := &windows.Flows[i]; f.Port == port && f.NetDirectPort != 0 {
				p.Hops = append(p.Hops, intent.Hop{Where: "policy of " + f.Name, Priority: f.Priority},
					intent.Hop{Where: f.Name + " at " + d.Switch.Name, Priority: f.Sent.Switch}, intent.Hop{Where: f.Name + " at the peers", Priority: f.Sent.Peer},
					intent.Hop{Where: "answers to " + f.Name + " at the peers' switch port", Priority: f.Received.Switch},
					intent.Hop{Where: "answers to " + f.Name + " received by " + d.Connection, Priority: f.Received.Adapter})
			}
		}
		for i := range p.Hops { // frames without a priority
			if p.Hops[i].Priority == counter.Untagged {
				p.Hops[i].Priority = -1
			}
		}
	}
	return list
}
