package perf

import (
	"strings"

	"cxdeck/device"
)

// labScope says what a set has an instance for.
type labScope uint8

const (
	perPort labScope = iota
	perPriority
	perInterface // as perPort, named by the device and not by the connection
)

// labSet binds a set of the catalogue to the counters that the lab's hardware keeps. A counter of the set that is not
// bound has no cause in the lab and stays 0. A rate that the catalogue derives from a cumulative counter takes its cell.
type labSet struct {
	name  string
	scope labScope
	// has says whether a port is in the set.
	has func(family device.Family, port *device.Port) bool
	// sum is what an instance _Total contains; empty for a set without one.
	sum  string
	bind []labBinding
}

// labBinding makes a counter out of hardware counters: the sum of those in plus, less that of those in minus. In a set
// per priority they are device.PriorityCounters, else device.Counters.
type labBinding struct {
	counter     string
	plus, minus []int
	// bandwidth is set for the one counter that is no count: the line rate of a port with a link.
	bandwidth bool
	// extra is the kind of a counter that the set of the catalogue does not have; its unit is packets or bytes.
	extra Kind
	unit  Unit
}

func sumOf[C ~int](counter string, plus ...C) labBinding {
	b := labBinding{counter: counter}
	for _, c := range plus {
		b.plus = append(b.plus, int(c))
	}
	return b
}

func (b labBinding) less(minus device.Counter) labBinding {
	b.minus = []int{int(minus)}
	return b
}

// ownRate makes it a rate that the catalogue does not have.
func (b labBinding) ownRate(unit Unit) labBinding {
	b.extra, b.unit = Rate, unit
	return b
}

// summarySet is the console's own set: what the Overview adds up, in one unit for every kind of port.
const summarySet = "cxdeck Port"

// The counters of summarySet.
const (
	summaryReceive = "Bytes Received/sec"
	summarySend    = "Bytes Sent/sec"
	summaryDrops   = "Packets Discarded/sec"
)

func isWinOF(f device.Family, _ *device.Port) bool  { return f == device.WinOF }
func isWinOF2(f device.Family, _ *device.Port) bool { return f == device.WinOF2 }
func isAny(device.Family, *device.Port) bool        { return true }

// hasRDMA leaves out IPoIB, where the set does not work.
func hasRDMA(_ device.Family, p *device.Port) bool {
	return p.Link == device.Ethernet && p.RoCE != device.NoRoCE
}

// traffic are the counters that both families have of a port.
func traffic(more ...labBinding) []labBinding {
	return append([]labBinding{
		sumOf("Bytes Received", device.ReceivedBytes),
		sumOf("Packets Received", device.ReceivedPackets),
		sumOf("Bytes Sent", device.SentBytes),
		sumOf("Packets Sent", device.SentPackets),
		sumOf("Bytes Total", device.ReceivedBytes, device.SentBytes),
		sumOf("Packets Total", device.ReceivedPackets, device.SentPackets),
		sumOf("Control Packets", device.ReceivedControl),
		sumOf("Packets Received Errors", device.ReceiveErrors),
		sumOf("Packets Received Discarded", device.Discarded),
	}, more...)
}

// classes are the counters that both families have of a priority.
func classes(more ...labBinding) []labBinding {
	return append([]labBinding{
		sumOf("Bytes Received", device.PriorityReceivedBytes),
		sumOf("Packets Received", device.PriorityReceivedPackets),
		sumOf("Bytes Sent", device.PrioritySentBytes),
		sumOf("Packets Sent", device.PrioritySentPackets),
		sumOf("Bytes Total", device.PriorityReceivedBytes, device.PrioritySentBytes),
		sumOf("Packets Total", device.PriorityReceivedPackets, device.PrioritySentPackets),
		// A pause that was sent holds the far end, and so what is received; one that was received holds what is
		// sent.
		sumOf("Sent Pause Frames", device.PauseSent),
		sumOf("Sent Pause Duration", device.SelfPaused),
	}, more...)
}

// labSets are the sets that the lab fills.
func labSets() []labSet {
	return []labSet{
		{
			name: summarySet, scope: perPort, has: isAny, sum: "all ports, no frame counted twice",
			bind: []labBinding{
				sumOf(summaryReceive, device.ReceivedBytes).ownRate(Bytes),
				sumOf(summarySend, device.SentBytes).ownRate(Bytes),
				sumOf(summaryDrops, device.Discarded, device.NoDescriptor).ownRate(Packets),
			},
		},
		{
			name: "Mellanox Adapter Traffic Counters", scope: perPort, has: isWinOF,
			sum: "all ports of WinOF adapters, physical and virtual functions together",
			bind: traffic(
				sumOf("Packets Received with Symbol Error", device.SymbolErrors),
				sumOf("Packets Received with Bad CRC Error", device.BadCRC),
			),
		},
		{
			name: "Mellanox Adapter QoS Counters", scope: perPriority, has: isWinOF,
			bind: classes(
				sumOf("Received Pause Frames", device.PauseReceived),
				sumOf("Received Pause Duration", device.FarEndPaused),
			),
		},
		{
			name: "Mellanox WinOF-2 Port Traffic", scope: perPort, has: isWinOF2,
			sum: "all ports of WinOF-2 adapters, physical and virtual functions together",
			bind: traffic(
				sumOf("Packets Received Symbol Error", device.SymbolErrors),
				sumOf("Packets Received Bad CRC Error", device.BadCRC),
				sumOf("Packets Received Discarded No Receive WQEs", device.NoDescriptor),
			),
		},
		{
			name: "Mellanox WinOF-2 Port QoS", scope: perPriority, has: isWinOF2,
			bind: classes(
				sumOf("Rcv Pause Frames", device.PauseReceived),
				sumOf("Rcv Pause Duration", device.FarEndPaused),
				sumOf("packets received discarded", device.PriorityDiscarded),
			),
		},
		{
			name: "RDMA Activity", scope: perPort, has: hasRDMA,
			bind: []labBinding{
				sumOf("RDMA Accepted Connections", device.RDMAAccepted),
				sumOf("RDMA Active Connections", device.RDMAActive),
				sumOf("RDMA Connection Errors", device.RDMAErrors),
				sumOf("RDMA Initiated Connections", device.RDMAInitiated),
				sumOf("RDMA Inbound Bytes/sec", device.RDMAInBytes),
				sumOf("RDMA Inbound Frames/sec", device.RDMAInFrames),
				sumOf("RDMA Outbound Bytes/sec", device.RDMAOutBytes),
				sumOf("RDMA Outbound Frames/sec", device.RDMAOutFrames),
			},
		},
		{
			// The operating system's side of a port: RDMA goes past it, and errors are those of all levels.
			name: "Network Interface", scope: perInterface, has: isAny,
			bind: []labBinding{
				sumOf("Bytes Received/sec", device.HostInBytes),
				sumOf("Bytes Sent/sec", device.HostOutBytes),
				sumOf("Bytes Total/sec", device.HostInBytes, device.HostOutBytes),
				sumOf("Packets/sec", device.HostInPackets, device.HostOutPackets),
				sumOf("Packets Received/sec", device.HostInPackets),
				sumOf("Packets Sent/sec", device.HostOutPackets),
				sumOf("Packets Received Unicast/sec", device.HostInPackets).less(device.HostInMulticast),
				sumOf("Packets Received Non-Unicast/sec", device.HostInMulticast),
				sumOf("Packets Sent Unicast/sec", device.HostOutPackets).less(device.HostOutMulticast),
				sumOf("Packets Sent Non-Unicast/sec", device.HostOutMulticast),
				sumOf("Packets Received Errors", device.ReceiveErrors),
				sumOf("Packets Received Discarded", device.Discarded, device.NoDescriptor),
				{counter: "Current Bandwidth", bandwidth: true},
				sumOf("Packets Received Errors/sec", device.ReceiveErrors).ownRate(Packets),
				sumOf("Packets Received Discarded/sec", device.Discarded, device.NoDescriptor).ownRate(Packets),
				sumOf("Packets Discarded/sec", device.Discarded, device.NoDescriptor).ownRate(Packets),
			},
		},
	}
}

// kilobyte is how many bytes a KBytes counter takes for one; the manuals leave it open.
const kilobyte = 1000

// scaleOf is the scale of a counter that is shown in another unit than it is counted in.
func scaleOf(c *Counter) float64 {
	if strings.HasPrefix(c.Name, "KBytes ") {
		return 1.0 / kilobyte
	}
	return 0
}
