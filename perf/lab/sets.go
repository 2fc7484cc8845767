package lab

import (
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf"
)

// scope is the kind of object that has an instance in a set.
type scope uint8

const (
	perPort scope = iota
	perInterface
	perPriority
	perReceiveRing
	perSendRing
	perProcessor
	perCard
	perFunction
	perFunctions // all virtual functions of a port as one
	perHost      // for each processor of the host, regardless of ports
	perVirtual   // for each virtual miniport
)

// counterSet is a set of the catalogue that the lab fills. The binding of a counter is in its row of the catalogue; a counter
// without one has no cause in the lab and stays 0. A rate that the catalogue derives from a cumulative counter shares its cell.
type counterSet struct {
	name  string
	scope scope
	// suffix goes between the port and the number in the name of an instance: "RqNum_".
	suffix string
	// has reports whether a port is in the set; a card is when one of its ports is.
	has func(a *description.Adapter, port *description.Port) bool
	// total is the name of the instance that adds up the others, sum describes its contents; both are empty for a set without a
	// total.
	total, sum string
	// alternative selects one of the bindings of a row with several.
	alternative int
	// virtual returns the name of a virtual miniport in the set, to which a number is added if it is taken.
	virtual func(*driver.VirtualMiniport) string
}

// The console's own sets, beside the one of the Overview: the work of the host for each port, which Windows shows only by
// processor, and the work of each processor for all ports. The sets of WinOF do not include sends.
const (
	workSet      = "cxdeck Port Work"
	processorSet = "cxdeck Processor"
)

// ringStatistics is the set that the vendor's tool shows and can reset.
const ringStatistics = "Ring statistics"

// filledSets returns the sets that the lab fills, in the order in which they are shown.
func filledSets() []counterSet { return sets[:] }

var sets = [...]counterSet{
	{name: perf.SummarySet, has: isAny, total: "_Total", sum: "all ports, no frame counted twice"},
	{
		name: "Mellanox Adapter Traffic Counters", has: isWinOFEthernet,
		total: "_Total", sum: "all Ethernet ports of WinOF adapters, physical and virtual functions together",
	},
	{
		name: "Mellanox IB Adapter Traffic Counters", has: isWinOFInfiniBand,
		total: "_Total", sum: "all IPoIB ports of WinOF adapters, physical and virtual functions together",
	},
	{name: "Mellanox Adapter QoS Counters", scope: perPriority, has: isWinOF},
	{name: "Mellanox Adapter Diagnostics Counters", has: isWinOFEthernet},
	{name: "Mellanox IB Adapter Diagnostic Counters", has: isWinOFInfiniBand},
	{name: "RSC counters", has: isWinOFEthernet},
	{name: "Mellanox WinOF Bus Counters", scope: perCard, has: isWinOF},
	{name: "Device Proprietary Counters", scope: perCard, has: isWinOF},
	{
		name: "Mellanox WinOF-2 Port Traffic", has: isWinOF2,
		total: "_Total", sum: "all ports of WinOF-2 adapters, physical and virtual functions together",
	},
	{name: "Mellanox WinOF-2 Port QoS", scope: perPriority, has: isWinOF2},
	{name: "Mellanox WinOF-2 Diagnostics", has: isWinOF2},
	{name: "Mellanox WinOF-2 Diagnostics Ext 1", has: isWinOF2},
	{name: "Mellanox WinOF-2 Congestion Control", has: isWinOF2Ethernet},
	{name: "Mellanox WinOF-2 Port Diagnostics", has: isWinOF2},
	{name: "Mellanox WinOF-2 IB Port", has: isWinOF2InfiniBand},
	{name: "Mellanox WinOF-2 PCI Device Diagnostics", scope: perCard, has: isWinOF2},
	{name: "Mellanox WinOF-2 Device Diagnostics", scope: perCard, has: isWinOF2},
	{name: "Mellanox WinOF-2 ICMC Diag Counters Ext1", scope: perCard, has: isWinOF2},
	{name: "Mellanox WinOf-2 SW Backchannel Diagnostics", has: isWinOF2},
	{name: perf.SummarySet, scope: perFunctions, has: isAny, suffix: "VFs", alternative: 1},
	{name: "Mellanox WinOF-2 VF Diagnostics", scope: perFunction, suffix: "VF ", has: isWinOF2},
	{name: "Mellanox WinOF-2 VF Port Traffic", scope: perFunction, suffix: "VF ", has: isWinOF2},
	{name: "Mellanox WinOF-2 VF Internal Traffic Counters", scope: perFunction, suffix: "VF ", has: isWinOF2},
	{name: "VF Monitoring", scope: perFunction, suffix: "VF ", has: isWinOF2},
	{name: "RDMA Activity", has: hasRDMA},
	{name: "SMB Direct Connection", has: hasRDMA},
	{name: "Network Interface", scope: perInterface, has: isAny},
	{name: workSet, has: isAny, total: "_Total", sum: "all ports"},
	{name: processorSet, scope: perHost, has: isAny},
	{name: "Mellanox WinOF-2 Receive Datapath Counters", scope: perReceiveRing, suffix: "RqNum_", has: isWinOF2},
	{name: "Mellanox WinOF-2 Transmit Datapath Counters", scope: perSendRing, suffix: "SqNum_", has: isWinOF2},
	{name: ringStatistics, scope: perReceiveRing, suffix: "RX ", has: isWinOF},
	{
		name: "Mellanox Adapter RSS Counters", scope: perProcessor, suffix: "Cpu_", has: isWinOFEthernet,
		total: "Total", sum: "all processors",
	},
	{
		name: "Mellanox WinOF-2 Rss Counters", scope: perProcessor, suffix: "Cpu_", has: isWinOF2Ethernet,
		total: "Total", sum: "all processors",
	},
}

// spreadSets count received packets by processor and kind: of a port, or of its virtual ports when a virtual switch
// is bound to it (R6).
func spreadSets() []counterSet { return sets[len(sets)-2:] }

// virtualSets returns the sets in which a virtual miniport has an instance: sets in which Windows shows network devices,
// and the console's own.
func virtualSets() []counterSet {
	return []counterSet{
		{name: perf.SummarySet, scope: perVirtual, virtual: perf.SummaryInstance, alternative: 2},
		{
			name: "Network Interface", scope: perVirtual, alternative: 1,
			virtual: func(m *driver.VirtualMiniport) string { return m.Device },
		},
	}
}

// summaryOf returns the Sum of a virtual miniport: like a total it repeats traffic of other instances, and a threshold on all
// instances must not raise two alarms.
func summaryOf(m *driver.VirtualMiniport) string {
	switch {
	case m.VLAN == "" && m.Partition == "":
		return "the part of its members' traffic that belongs to it"
	case m.Team != "":
		return "part of the traffic of its team"
	}
	return "part of the traffic of its port"
}

func isWinOF(a *description.Adapter, _ *description.Port) bool { return a.Family == description.WinOF }
func isWinOF2(a *description.Adapter, _ *description.Port) bool {
	return a.Family == description.WinOF2
}
func isAny(*description.Adapter, *description.Port) bool { return true }

func isWinOFEthernet(a *description.Adapter, p *description.Port) bool {
	return a.Family == description.WinOF && p.Link == description.Ethernet
}

func isWinOF2Ethernet(a *description.Adapter, p *description.Port) bool {
	return a.Family == description.WinOF2 && p.Link == description.Ethernet
}

func isWinOFInfiniBand(a *description.Adapter, p *description.Port) bool {
	return a.Family == description.WinOF && p.Link == description.InfiniBand
}

func isWinOF2InfiniBand(a *description.Adapter, p *description.Port) bool {
	return a.Family == description.WinOF2 && p.Link == description.InfiniBand
}

// hasRDMA is false for IPoIB, which the set does not support.
func hasRDMA(_ *description.Adapter, p *description.Port) bool {
	return p.Link == description.Ethernet && p.RoCE != description.NoRoCE
}
