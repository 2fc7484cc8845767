package lab

import (
	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/perf"
)

// virtualSets are the sets in which a virtual miniport has an instance, with what fills their counters there: those in
// which Windows shows network devices, and the console's own.
func virtualSets() []counterSet {
	return []counterSet{
		{
			name: perf.SummarySet, scope: perVirtual, virtual: perf.SummaryInstance,
			bind: []binding{
				sumOf(perf.SummaryReceive, device.VirtualReceivedBytes),
				sumOf(perf.SummarySend, device.VirtualSentBytes),
				sumOf(perf.SummaryDrops, device.VirtualReceivedDiscards, device.VirtualSentDiscards),
			},
		},
		{
			name: "Network Interface", scope: perVirtual, virtual: func(m *driver.VirtualMiniport) string { return m.Device },
			bind: []binding{
				sumOf("Bytes Received/sec", device.VirtualReceivedBytes),
				sumOf("Bytes Sent/sec", device.VirtualSentBytes),
				sumOf("Bytes Total/sec", device.VirtualReceivedBytes, device.VirtualSentBytes),
				sumOf("Packets/sec", device.VirtualReceivedPackets, device.VirtualSentPackets),
				sumOf("Packets Received/sec", device.VirtualReceivedPackets),
				sumOf("Packets Sent/sec", device.VirtualSentPackets),
				less(sumOf("Packets Received Unicast/sec", device.VirtualReceivedPackets), device.VirtualReceivedMulticast),
				sumOf("Packets Received Non-Unicast/sec", device.VirtualReceivedMulticast),
				less(sumOf("Packets Sent Unicast/sec", device.VirtualSentPackets), device.VirtualSentMulticast),
				sumOf("Packets Sent Non-Unicast/sec", device.VirtualSentMulticast),
				sumOf("Packets Received Discarded", device.VirtualReceivedDiscards),
				sumOf("Packets Outbound Discarded", device.VirtualSentDiscards),
				{counter: "Current Bandwidth", reading: virtualRate},
				sumOf("Packets Received Discarded/sec", device.VirtualReceivedDiscards).asRate(perf.Packets),
				sumOf("Packets Discarded/sec", device.VirtualReceivedDiscards, device.VirtualSentDiscards).asRate(perf.Packets),
			},
		},
	}
}

// summaryOf says what a virtual miniport repeats: like a total it has nothing that is not in another instance, and a
// threshold on all of them need not ring twice.
func summaryOf(m *driver.VirtualMiniport) string {
	switch {
	case m.VLAN == "" && m.Partition == "":
		return "what its members carry for it"
	case m.Team != "":
		return "a part of what its team carries"
	}
	return "a part of what its port carries"
}
