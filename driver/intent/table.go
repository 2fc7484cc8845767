package intent

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver/qos"
	"cxdeck/driver/wording"
)

// row is a check: its number within its group, the condition that must hold, and its function. unless says why the check applies
// to no object.
type row struct {
	group  Group
	number int
	title  string
	unless string
	run    func(*checker)
}

const (
	noSwitch = "the intent has no such switch"
	noHost   = "the intent has no host adapters on virtual switches"
)

// rows are all checks, in their order. The numbers of the group of the host are from the list of Validate-DCB's checks.
var rows = slices.Concat(intentRows, []row{
	{OfHost, 1, "the adapter's status is Up", "", nicValue("Up", func(n *NIC) string { return n.Status })},
	{OfHost, 2, "the adapter's media is connected", "", nicValue("Connected", func(n *NIC) string { return n.Media })},
	{OfHost, 3, "the adapter's link has 10 Gb/s or more", "", eachNIC(func(c *checker, t target, n *NIC) {
		c.expect(t.Name, n.Gbps >= 10, "10 Gb/s or more", fmt.Sprintf("%d Gb/s", n.Gbps))
	})},
	{OfHost, 4, "the adapter is physical hardware", "", func(c *checker) {
		for _, t := range c.targets() {
			switch {
			case c.facts.nic(t.Name) != nil:
				c.expectEqual(t.Name, "physical", "physical")
			case c.facts.host(t.Name) != nil:
				c.expectEqual(t.Name, "physical", "virtual")
			default:
				c.add(t.Name, Failed, "physical", "no such adapter")
			}
		}
	}},
	{OfHost, 5, "a native adapter is not bound to a virtual switch", "the intent has no native adapters", checkUnbound(true, false, "vms_pp")},
	{OfHost, 6, "the adapter is not in an LBFO team", "", checkUnbound(true, true, "ms_implat")},
	{OfHost, 7, "an adapter of a virtual switch is bound only to the switch", noSwitch, eachNIC(func(c *checker, t target, n *NIC) {
		if t.under != nil {
			stack := without([]string{"vms_pp", "ms_tcpip", "ms_tcpip6", "ms_msclient"}, without([]string{"vms_pp", "ms_tcpip", "ms_tcpip6", "ms_msclient"}, n.Bindings))
			c.expectEqual(t.Name, "vms_pp", listed(stack))
		}
	})},
	{OfHost, 8, "the adapter's driver is supported and recent enough", "", eachNIC(checkDriver)},
	{OfHost, 9, "the adapter has the property *NetworkDirect", "", eachNIC(func(c *checker, t target, n *NIC) {
		_, has := n.Properties["*NetworkDirect"]
		c.expectEqual(t.Name, "present", map[bool]string{true: "present", false: "absent"}[has])
	})},
	{OfHost, 10, "*NetworkDirect is enabled", "", property("*NetworkDirect", "", constant("1"))},
	{OfHost, 11, "VLANID is as declared, or 0 on an adapter of a virtual switch", "", property("VlanID", "", func(t target) (string, bool) {
		if t.under != nil {
			return "0", true
		}
		return numberText(t.VLAN), t.VLAN != nil
	})},
	{OfHost, 12, "*JumboPacket is as declared", "", property("*JumboPacket", "", declared(func(t target) *int { return t.JumboPacket }))},
	{OfHost, 13, "*EncapOverhead is as declared", "", property("*EncapOverhead", "", declared(func(t target) *int { return t.EncapOverhead }))},
	{OfHost, 14, "*RscIPv4 and *RscIPv6 are disabled", "no adapter uses WinOF", func(c *checker) {
		property("*RscIPv4", "mlx4", constant("0"))(c)
		property("*RscIPv6", "mlx4", constant("0"))(c)
	}},
	{OfHost, 15, "*NetworkDirectTechnology is 4 (RoCEv2)", "no adapter uses WinOF-2", property("*NetworkDirectTechnology", "mlx5", constant("4"))},
	{OfHost, 16, "no event 263 of mlx5 since the last start: the driver recommends the installed firmware", "no adapter uses WinOF-2",
		eachNIC(func(c *checker, t target, n *NIC) {
			if n.family() == "mlx5" {
				c.expect(t.Name, n.OldFirmware == "", "no event", cmp.Or(n.OldFirmware, "no event"))
			}
		})},
	{OfHost, 17, "*NetworkDirect of adapters without RDMA is disabled", "the intent has no adapters without RDMA", func(c *checker) {
		for _, a := range c.node.Disabled {
			if n := c.facts.nic(a.Name); n != nil {
				found, has := n.Properties["*NetworkDirect"]
				c.expect(a.Name, !has || found == "0", "0", cmp.Or(found, absent))
			} else {
				c.add(a.Name, Failed, "an adapter of this name", "no such adapter")
			}
		}
	}},
	{OfHost, 18, "the policy exists", "", eachPolicy(func(c *checker, want *Policy, is *qos.PolicyView) {
		c.expectEqual(want.Name, "present", map[bool]string{true: "present", false: "absent"}[is != nil])
	})},
	{OfHost, 19, "the policy's template is as declared", "no policy has a template", policyValue(func(p *Policy) string { return p.Template },
		func(p *qos.PolicyView) string { return cmp.Or(string(p.Template), absent) })},
	{OfHost, 20, "the policy's NetDirect port is as declared", "no policy has a NetDirect port", policyValue(func(p *Policy) string { return numberText(p.NetDirectPort) },
		func(p *qos.PolicyView) string { return strconv.Itoa(p.NetDirectPort) })},
	{OfHost, 21, "the policy's priority is as declared", "", policyValue(func(p *Policy) string { return numberText(p.Priority) },
		func(p *qos.PolicyView) string { return cmp.Or(numberText(p.Priority), absent) })},
	{OfHost, 22, "PFC is on for the priority of RDMA", "no policy has a NetDirect port", func(c *checker) {
		if priority := c.LosslessPriority(); priority >= 0 {
			c.expectEqual(c.facts.Name, "PFC on "+strconv.Itoa(priority), "PFC on "+map[bool]string{true: strconv.Itoa(priority), false: cmp.Or(c.facts.QoS.FlowControl.Ranges(), "no priority")}[c.facts.QoS.FlowControl.Has(priority)])
		}
	}},
	{OfHost, 23, "there is exactly one traffic class for each policy", "", func(c *checker) {
		c.expectEqual(c.facts.Name, strconv.Itoa(len(c.Policies)), strconv.Itoa(len(c.facts.QoS.Classes)))
	}},
	{OfHost, 24, "the policy has a traffic class", "", classValue(func(*Policy) string { return "present" }, func(*qos.ClassView) string { return "present" })},
	{OfHost, 25, "the class's priority is as declared", "", checkClassPriority},
	{OfHost, 26, "the class's share is as declared", "", classValue(func(p *Policy) string { return numberText(p.Bandwidth) },
		func(class *qos.ClassView) string { return strconv.Itoa(class.Bandwidth) })},
	{OfHost, 27, "the class's algorithm is as declared", "", classValue(func(p *Policy) string { return p.Algorithm },
		func(class *qos.ClassView) string { return string(class.Algorithm) })},
	{OfHost, 28, "adapter QoS is enabled", "", eachNIC(func(c *checker, t target, n *NIC) {
		c.expectEqual(t.Name, "on", wording.OnOff(c.facts.QoS.Ports[n.Port].Enabled))
	})},
	{OfHost, 29, "DCBX is not willing", "", eachNIC(func(c *checker, t target, _ *NIC) {
		c.expectEqual(t.Name, "not willing", map[bool]string{true: "willing", false: "not willing"}[c.facts.QoS.Willing])
	})},
	{OfHost, 30, "the virtual switch exists", noSwitch, func(c *checker) {
		for i := range c.node.Switches {
			s := &c.node.Switches[i]
			c.expectEqual(s.Name, "present", map[bool]string{true: "present", false: "absent"}[c.facts.virtualSwitch(s.Name) != nil])
		}
	}},
	{OfHost, 31, "a switch without an embedded team has one adapter", noSwitch, eachSwitch(notEmbedded, func(c *checker, s *Switch, is *VirtualSwitch) {
		c.expectEqual(s.Name, "1", strconv.Itoa(len(is.Adapters)))
	})},
	{OfHost, 32, "a switch without an embedded team is not on an LBFO team", noSwitch, eachSwitch(notEmbedded, noLBFO)},
	{OfHost, 33, "the switch has no embedded team", noSwitch, eachSwitch(notEmbedded, func(c *checker, s *Switch, is *VirtualSwitch) {
		c.expectEqual(s.Name, "no", wording.YesNo(is.Embedded))
	})},
	{OfHost, 34, "the switch's adapter is the declared one", noSwitch, eachSwitch(notEmbedded, func(c *checker, s *Switch, is *VirtualSwitch) {
		c.expect(s.Name, sameNames(s.members(), is.Adapters), listed(s.members()), listed(is.Adapters))
	})},
	{OfHost, 35, "the embedded team has as many adapters as declared", noSwitch, eachSwitch(embedded, func(c *checker, s *Switch, is *VirtualSwitch) {
		c.expectEqual(s.Name, strconv.Itoa(len(s.members())), strconv.Itoa(len(is.Adapters)))
	})},
	{OfHost, 36, "a switch with an embedded team is not on an LBFO team", noSwitch, eachSwitch(embedded, noLBFO)},
	{OfHost, 37, "the switch has an embedded team", noSwitch, eachSwitch(embedded, func(c *checker, s *Switch, is *VirtualSwitch) {
		c.expectEqual(s.Name, "yes", wording.YesNo(is.Embedded))
	})},
	{OfHost, 38, "each declared adapter is a member of the embedded team", noSwitch, eachSwitch(embedded, func(c *checker, s *Switch, is *VirtualSwitch) {
		for _, name := range s.members() {
			member := slices.ContainsFunc(is.Adapters, func(adapter string) bool { return strings.EqualFold(adapter, name) })
			c.expectEqual(name, "a member", map[bool]string{true: "a member", false: "not a member"}[member])
		}
	})},
	{OfHost, 39, "all team members have the same driver", noSwitch, sameDriver(func(n *NIC) string { return n.Driver })},
	{OfHost, 40, "all team members have the same driver version", noSwitch, sameDriver(func(n *NIC) string { return n.DriverVersion })},
	{OfHost, 41, "the teaming mode is switch independent", noSwitch, eachSwitch(embedded, func(c *checker, s *Switch, is *VirtualSwitch) {
		mode := "SwitchIndependent" // embedded teams have no other
		if !is.Embedded {
			mode = absent
		}
		c.expectEqual(s.Name, "SwitchIndependent", mode)
	})},
	{OfHost, 42, "the team's load balancing is as declared, or HyperVPort", noSwitch, eachSwitch(embedded, func(c *checker, s *Switch, is *VirtualSwitch) {
		want, found := cmp.Or(s.Balance, "HyperVPort"), cmp.Or(is.Balance, "HyperVPort")
		c.expect(s.Name, strings.EqualFold(want, found), want, found)
	})},
	{OfHost, 43, "PacketDirect of the switch is off", noSwitch, eachSwitch(anySwitch, func(c *checker, s *Switch, is *VirtualSwitch) {
		c.expectEqual(s.Name, "off", wording.OnOff(is.PacketDirect))
	})},
	{OfHost, 44, "SR-IOV of the switch is off where the intent says so", "the intent turns SR-IOV off on no switch", eachSwitch(withoutIOV, func(c *checker, s *Switch, is *VirtualSwitch) {
		c.expectEqual(s.Name, "off", wording.OnOff(is.IOV))
	})},
	{OfHost, 45, "the adapters support SR-IOV", noIOV, eachMember(withIOV, func(c *checker, n *NIC) { c.expectEqual(n.Name, "Supported", n.IovSupport) })},
	{OfHost, 46, "each adapter has at least one virtual function", noIOV, eachMember(withIOV, func(c *checker, n *NIC) { atLeastOne(c, n.Name, n.VFs) })},
	{OfHost, 47, "SR-IOV of the switch is supported and on", noIOV, eachSwitch(withIOV, func(c *checker, s *Switch, is *VirtualSwitch) {
		c.expectEqual(s.Name, "on, supported", wording.OnOff(is.IOV)+", "+map[bool]string{true: "supported", false: "not supported"}[is.IovSupport])
	})},
	{OfHost, 48, "the switch has at least one queue pair", noIOV, eachSwitch(withIOV, func(c *checker, s *Switch, is *VirtualSwitch) { atLeastOne(c, s.Name, is.QueuePairs) })},
	{OfHost, 49, "the switch has at least one virtual function", noIOV, eachSwitch(withIOV, func(c *checker, s *Switch, is *VirtualSwitch) { atLeastOne(c, s.Name, is.VFs) })},
	{OfHost, 50, "the host's adapter has the name of its VMNetworkAdapter", noHost, hostValue("present", func(*HostAdapter) string { return "present" })},
	{OfHost, 51, "the host's adapter is virtual", noHost, func(c *checker) {
		for _, t := range c.targets() {
			switch {
			case t.under == nil:
			case c.facts.host(t.VMNetworkAdapter) != nil:
				c.expectEqual(t.VMNetworkAdapter, "virtual", "virtual")
			default:
				c.add(t.VMNetworkAdapter, Failed, "virtual", map[bool]string{true: "physical", false: "no such adapter"}[c.facts.nic(t.VMNetworkAdapter) != nil])
			}
		}
	}},
	{OfHost, 52, "the status of the host's adapter is Up", noHost, hostValue("yes", func(a *HostAdapter) string { return wording.YesNo(a.Up) })},
	{OfHost, 53, "the media of the host's adapter is connected", noHost, hostValue("yes", func(a *HostAdapter) string { return wording.YesNo(a.Connected) })},
	{OfHost, 54, "*JumboPacket of the host's adapter is as declared", noHost, eachHost(func(c *checker, t target, a *HostAdapter) {
		if t.JumboPacket != nil {
			c.expectEqual(a.Name, numberText(t.JumboPacket), strconv.Itoa(a.JumboPacket))
		}
	})},
	{OfHost, 55, "the host's adapter is RDMA capable", noHost, hostValue("yes", func(a *HostAdapter) string { return wording.YesNo(a.Capable) })},
	{OfHost, 56, "RDMA is enabled on the host's adapter", noHost, hostValue("yes", func(a *HostAdapter) string { return wording.YesNo(a.Enabled) })},
	{OfHost, 57, "the VMNetworkAdapter exists", noHost, hostValue("present", func(*HostAdapter) string { return "present" })},
	{OfHost, 58, "the status of the VMNetworkAdapter is Ok", noHost, hostValue("Ok", func(a *HostAdapter) string { return a.Status })},
	{OfHost, 59, "the VMNetworkAdapter is connected to the declared switch", noHost, eachHost(func(c *checker, t target, a *HostAdapter) {
		c.expect(a.Name, strings.EqualFold(t.under.Name, a.Switch), t.under.Name, cmp.Or(a.Switch, absent))
	})},
	{OfHost, 60, "IeeePriorityTag is on", noHost, hostValue("on", func(a *HostAdapter) string { return wording.OnOff(a.PriorityTag) })},
	{OfHost, 61, "the VMNetworkAdapter is mapped to its physical adapter", noHost, eachHost(func(c *checker, t target, a *HostAdapter) {
		if t.under.Embedded {
			c.expect(a.Name, strings.EqualFold(t.Name, a.Mapping), t.Name, cmp.Or(a.Mapping, absent))
		}
	})},
	{OfHost, 62, "multichannel of the SMB client is on", "", smbValue(true, func(s *SMB) bool { return s.ClientMultichannel })},
	{OfHost, 63, "the SMB client does not require signing", "", smbValue(false, func(s *SMB) bool { return s.ClientSigning })},
	{OfHost, 64, "the SMB client finds RDMA on each interface", "", capable},
	{OfHost, 65, "multichannel of the SMB server is on", "", smbValue(true, func(s *SMB) bool { return s.ServerMultichannel })},
	{OfHost, 66, "the SMB server does not require encryption", "", smbValue(false, func(s *SMB) bool { return s.ServerEncrypt })},
	{OfHost, 67, "the SMB server does not require signing", "", smbValue(false, func(s *SMB) bool { return s.ServerSigning })},
	{OfHost, 68, "the SMB server finds RDMA on each interface", "", capable},
}, pathRows)

const noIOV = "the intent turns SR-IOV on on no switch"

func noLBFO(c *checker, s *Switch, is *VirtualSwitch) {
	c.expectEqual(s.Name, absent, cmp.Or(is.Team, absent))
}

func sameNames(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(name string) bool {
		return !slices.ContainsFunc(b, func(other string) bool { return strings.EqualFold(name, other) })
	})
}
