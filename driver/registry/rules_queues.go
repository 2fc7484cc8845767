package registry

import (
	"fmt"
	"math/bits"

	"cxdeck/device/description"
)

// receiveRules are the rules of receiving: frames, rings and processors.
var receiveRules = []Rule{
	{
		Name: "frame-of-switch", Says: "All devices of a network need the same frame size.", Keys: []string{"*JumboPacket"},
		grade: Doubtful,
		against: func(c *check) string {
			if c.facts.SwitchFrame == 0 || c.n <= c.facts.SwitchFrame || !c.changed() {
				return ""
			}
			return fmt.Sprintf("the switch accepts frames of at most %d bytes and drops longer ones", c.facts.SwitchFrame)
		},
	},
	{
		Name: "power-of-two", Says: "The number of receive rings of an Ethernet port is a power of two.", grade: Doubtful,
		Keys: []string{"*NumRSSQueues", "*MaxRSSProcessors", "MaxNumRssCpus"},
		against: func(c *check) string {
			if c.facts.Link != description.Ethernet || c.n == 0 || bits.OnesCount32(c.n) == 1 || c.n > maxProcessors {
				return ""
			}
			return fmt.Sprintf("%d acts as %d: an Ethernet port has a power of two", c.n, 1<<(bits.Len32(c.n)-1))
		},
	},
	{
		Name: "more-rings-than-processors", Says: "There can't be more receive rings than processors that RSS may use.",
		Keys: []string{"*NumRSSQueues"}, With: []string{"*MaxRSSProcessors", "MaxNumRssCpus", "*RssBaseProcNumber"}, grade: Doubtful,
		against: func(c *check) string {
			for _, key := range []string{"*MaxRSSProcessors", "MaxNumRssCpus"} {
				if limit, ok := c.number(Miniport, key); ok && c.n > limit && c.changed() {
					return fmt.Sprintf("%s of %d leaves it %d rings", key, limit, limit)
				}
			}
			if available := c.availableProcessors(); c.n > available && available > 0 && c.changed() {
				return fmt.Sprintf("only %d processors are available for it", available)
			}
			return ""
		},
	},
	{
		Name: "processor-of-node", Says: "RSS needs processors from its base number on, on its NUMA node.", grade: Doubtful,
		Keys: []string{"*RssBaseProcNumber", "*NumaNodeID"}, With: []string{"*NumaNodeID", "*RssBaseProcNumber"},
		against: func(c *check) string {
			if c.availableProcessors() > 0 {
				return ""
			}
			return "the node has no processor from *RssBaseProcNumber on; one ring does all the work"
		},
	},
	{
		Name: "rss-of-both-ports", Says: "Both ports of a card that share interrupts should use RSS, or neither.", grade: Doubtful,
		Keys: []string{"*RSS"},
		against: func(c *check) string {
			if c.row.Family != description.WinOF {
				return ""
			}
			for _, other := range c.beside {
				if n, ok := other.number(Miniport, "*RSS"); ok && n != c.n {
					return "the other port of the card has another RSS mode"
				}
			}
			return ""
		},
	},
	{
		Name: "rss-of-windows", Says: "With RSS off in Windows, a WinOF-2 adapter with RSS does not start.",
		Keys: []string{"*RSS", "EnableRSS"}, With: []string{"*RSS", "EnableRSS"}, grade: Invalid, remedy: NoStart,
		against: func(c *check) string {
			if c.row.Family == description.WinOF2 && c.equals("*RSS", 1) && c.equals("EnableRSS", 0) {
				return "RSS is on in the adapter and off in Windows: the adapter does not start (Code 10)"
			}
			return ""
		},
	},
	{
		Name: "return-beyond-ring", Says: "ReturnPacketThreshold must not exceed the buffers of the ring.", Keys: []string{"ReturnPacketThreshold"},
		With: []string{"*ReceiveBuffers"}, grade: Doubtful,
		against: func(c *check) string {
			if ring, ok := c.number(Miniport, "*ReceiveBuffers"); ok && c.n > ring {
				return fmt.Sprintf("a ring has %d buffers, so %d can never be waiting", ring, c.n)
			}
			return ""
		},
	},
	{
		Name: "threads-beyond-rings", Says: "There can't be more polling threads than receive rings.", grade: Doubtful,
		Keys: []string{"MaximumWorkingThreads"}, With: []string{"*NumRSSQueues"},
		against: func(c *check) string {
			if rings, ok := c.number(Miniport, "*NumRSSQueues"); ok && c.n > rings && c.changed() {
				return fmt.Sprintf("there can't be more threads than the %d rings", rings)
			}
			return ""
		},
	},
	{
		Name: "vmq-not-there", Says: "An adapter that reports VMQ must have it on.", Keys: []string{"*RssOrVmqPreference"},
		With: []string{"*VMQ"}, grade: Doubtful,
		against: func(c *check) string {
			if c.n == 1 && c.equals("*VMQ", 0) {
				return "VMQ is reported but off, and RSS is not reported"
			}
			return ""
		},
	},
	{
		Name: "multicast-address", Says: "The MAC address of an adapter must be a unicast address.", Keys: []string{"NetworkAddress"},
		grade: Invalid, remedy: NoStart,
		against: func(c *check) string {
			if digits, ok := hardwareAddress(c.stored.String()); ok && isMulticast(digits) {
				return "it is a multicast address: the adapter does not start (Code 10)"
			}
			return ""
		},
	},
	{
		Name: "preserved-dumps", Says: "Preserved dumps must leave some to overwrite.", Keys: []string{"DumpMeNowPreservedCountMin", "DumpMeNowTotalCount"},
		With: []string{"DumpMeNowTotalCount", "DumpMeNowPreservedCountMin"}, grade: Doubtful,
		against: func(c *check) string {
			total, ok1 := c.textNumber("DumpMeNowTotalCount")
			preserved, ok2 := c.textNumber("DumpMeNowPreservedCountMin")
			if ok1 && ok2 && preserved >= total {
				return fmt.Sprintf("%d of %d dumps are preserved: none can be overwritten, and new dumps are refused", preserved, total)
			}
			return ""
		},
	},
	{
		Name: "tcp-window", Says: "A custom TCP window can cost an Ethernet adapter its connection.", Keys: []string{"TcpWindowSize"},
		grade: Doubtful,
		against: func(c *check) string {
			if c.n == 65535 {
				return ""
			}
			return "it can cost adapters their connection; delete it or set 65535"
		},
	},
}

// sendRules are the rules of large sends.
var sendRules = []Rule{
	{
		Name: "large-sends-off", Says: "Keys of large sends have no effect while both versions are off.", grade: Doubtful,
		Keys: []string{"LSOSize", "LSOMinSegment", "LSOTcpOptions"}, With: []string{"*LsoV2IPv4", "*LsoV2IPv6"},
		against: func(c *check) string {
			if c.changed() && c.equals("*LsoV2IPv4", 0) && c.equals("*LsoV2IPv6", 0) {
				return "it has no effect while large sends are off"
			}
			return ""
		},
	},
	idle("large-sends-ipv4-off", "*LsoV2IPv4", "large sends over IPv4 are off", []uint32{0}, "LSOIpOptions"),
	{
		Name: "large-sends-too-small", Says: "Large send offload needs an LSOSize of at least the MTU and 1024.", grade: Doubtful,
		Keys: []string{"*LsoV2IPv4", "*LsoV2IPv6"}, With: []string{"LSOSize", "*JumboPacket"},
		against: func(c *check) string {
			if c.n != 0 && c.equals("LSOSize", 0) {
				return "it is off anyway: LSOSize can't be used with this *JumboPacket"
			}
			return ""
		},
	},
	{
		Name: "nvgre-card", Says: "Of the WinOF cards only ConnectX-3 Pro supports NVGRE.", Keys: []string{"*EncapsulatedPacketTaskOffload"},
		grade: Doubtful,
		against: func(c *check) string {
			if c.n != 0 && c.facts.DeviceID == connectX3 {
				return "a ConnectX-3 has no NVGRE offload; a ConnectX-3 Pro has"
			}
			return ""
		},
	},
	{
		Name: "vxlan-port-of-both", Says: "Both ports of a card need the same VXLAN port.", Keys: []string{"*VxlanUDPPortNumber"},
		grade: Doubtful,
		against: func(c *check) string {
			for _, other := range c.beside {
				if n, ok := other.number(Miniport, "*VxlanUDPPortNumber"); ok && n != c.n {
					return fmt.Sprintf("the other port of the card has %d: the offload works on one of them", n)
				}
			}
			return ""
		},
	},
}

// availableProcessors returns the number of processors that RSS may use, limited by the keys of this port.
func (e *Effective) availableProcessors() uint32 {
	if e.facts.Processors == 0 || e.facts.Nodes == 0 {
		return maxProcessors
	}
	base, _ := e.number(Miniport, "*RssBaseProcNumber")
	group, _ := e.number(Miniport, "*RssBaseProcGroup")
	node, bound := e.number(Miniport, "*NumaNodeID")
	perNode := e.facts.Processors / e.facts.Nodes
	available := uint32(0)
	for p := range e.facts.Processors {
		number := uint32(p % processorsPerGroup)
		if uint32(p/processorsPerGroup) == group && number >= base && (!bound || uint32(p/perNode) == node) {
			available++
		}
	}
	return available
}

// textNumber returns the number in a text value in use.
func (e *Effective) textNumber(name string) (uint32, bool) {
	r, ok := e.catalogue.Find(name, BusDriver)
	if !ok {
		return 0, false
	}
	return parseNumber(e.readings[r.Index].Value.String())
}
