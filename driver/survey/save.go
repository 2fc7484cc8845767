package survey

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/intent"
	"cxdeck/driver/qos"
)

// Save returns what a host has now as an intent in TOML: its Ethernet adapters with QoS and RDMA or without RDMA, its virtual switches with
// the adapters of the host, and the policies that have a template or a NetDirect port. An adapter without a VLAN of its own is
// written with VLANID 0, which a check of the intent then finds.
func Save(h *driver.Host) []byte {
	f := Facts(h, new(intent.Intent))
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# The configuration of %s when this intent was saved.", strings.Map(printable, f.Name))
	line("")
	line("[[AllNodes]]")
	line("NodeName = %s", quoted(f.Name))
	under := map[string]bool{}
	for i := range f.Switches {
		for _, name := range f.Switches[i].Adapters {
			under[name] = true
		}
	}
	for i := range f.NICs {
		n := &f.NICs[i]
		switch {
		case !n.Path.Known || under[n.Name]:
		case n.NoRDMA == "" && !f.QoS.Ports[n.Port].Enabled: // RDMA without QoS, which nobody has set up
		case n.NoRDMA == "":
			line("\n[[AllNodes.RDMAEnabledAdapters]]")
			writeAdapter(line, n)
		default:
			line("\n[[AllNodes.RDMADisabledAdapters]]")
			line("Name = %s", quoted(n.Name))
		}
	}
	for i := range f.Switches {
		writeSwitch(line, f, &f.Switches[i])
	}
	for i := range f.QoS.Policies {
		writePolicy(line, f.QoS, &f.QoS.Policies[i])
	}
	return []byte(b.String())
}

func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return -1
	}
	return r
}

// quoted returns a text as TOML: its escapes are a part of Go's.
func quoted(text string) string { return strconv.Quote(strings.Map(printable, text)) }

func writeAdapter(line func(string, ...any), n *intent.NIC) {
	line("Name = %s", quoted(n.Name))
	line("VLANID = %s", n.Properties["VlanID"])
	line("JumboPacket = %s", n.Properties["*JumboPacket"])
	if n.Properties["*EncapOverhead"] != "" && n.Properties["*EncapOverhead"] != "0" {
		line("EncapOverhead = %s", n.Properties["*EncapOverhead"])
	}
}

func writeSwitch(line func(string, ...any), f *intent.Facts, s *intent.VirtualSwitch) {
	var hosts []*intent.HostAdapter
	rdma := false
	for i := range f.Hosts {
		if a := &f.Hosts[i]; strings.EqualFold(a.Switch, s.Name) {
			hosts, rdma = append(hosts, a), rdma || a.Enabled
		}
	}
	if !rdma || len(s.Adapters) == 0 {
		return // an intent declares only switches with RDMA
	}
	line("\n[[AllNodes.VMSwitch]]")
	line("Name = %s", quoted(s.Name))
	line("EmbeddedTeamingEnabled = %v", s.Embedded)
	if s.Balance != "" {
		line("LoadBalancingAlgorithm = %s", quoted(s.Balance))
	}
	line("IovEnabled = %v", s.IOV)
	free := slices.Clone(s.Adapters)
	for _, a := range hosts {
		if !a.Enabled {
			line("\n[[AllNodes.VMSwitch.RDMADisabledAdapters]]")
			line("VMNetworkAdapter = %s", quoted(a.Name))
			continue
		}
		name := a.Mapping
		if name == "" {
			name = free[0]
		}
		if free = slices.DeleteFunc(free, func(adapter string) bool { return adapter == name }); len(free) == 0 {
			free = slices.Clone(s.Adapters)
		}
		line("\n[[AllNodes.VMSwitch.RDMAEnabledAdapters]]")
		line("Name = %s", quoted(name))
		line("VMNetworkAdapter = %s", quoted(a.Name))
		line("VLANID = %d", a.VLAN)
		line("JumboPacket = %d", a.JumboPacket)
	}
}

func writePolicy(line func(string, ...any), windows *qos.View, p *qos.PolicyView) {
	if p.Template == "" && p.NetDirectPort == 0 || p.Priority == nil || p.Store != qos.Persistent {
		return
	}
	line("\n[[NonNodeData.NetQos]]")
	line("Name = %s", quoted(p.Name))
	if p.Template != "" {
		line("Template = %s", quoted(string(p.Template)))
	} else {
		line("NetDirectPortMatchCondition = %d", p.NetDirectPort)
	}
	line("PriorityValue8021Action = %d", *p.Priority)
	for _, c := range windows.Classes { // the share of the default class belongs to the default policy alone
		if c.Priorities.Has(*p.Priority) && c.Default == (p.Template == qos.Default) {
			line("BandwidthPercentage = %d", c.Bandwidth)
			line("Algorithm = %s", quoted(string(c.Algorithm)))
			break
		}
	}
}
