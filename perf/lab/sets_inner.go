package lab

import (
	"cxdeck/device"
	"cxdeck/device/rss"
	"cxdeck/perf"
)

// innerSets are those of rings and processors.
func innerSets() []counterSet {
	return append(ringSets(), spreadSets()...)
}

// ringSets are those of rings.
func ringSets() []counterSet {
	return []counterSet{
		{
			name: "Mellanox WinOF-2 Receive Datapath Counters", scope: perReceiveRing, suffix: "RqNum_", has: isWinOF2,
			bind: []binding{
				sumOf("Packets processed in interrupt mode", device.RingInterruptPackets),
				sumOf("Packets processed in polling mode", device.RingPollingPackets),
				sumOf("Packets in low resource mode", device.RingLowResource),
				sumOf("Average packet count per indicate", device.RingAverage),
				sumOf("Consumed max receives", device.RingMaxReceives),
				sumOf("Number of traffic profile transitions", device.RingTransitions),
				sumOf("DpcWatchDogSingleDpcStarvation", device.RingSingleStarvations),
				sumOf("DpcWatchDogTotalDpcStarvation", device.RingTotalStarvations),
				sumOf("EcnMarkedPacketsIpv4", device.RingECNMarkedIPv4),
				sumOf("EcnMarkedPacketsIpv6", device.RingECNMarkedIPv6),
				sumOf("Number of interrupts", device.RingInterrupts),
				// A buffer is posted anew for every packet that was taken.
				sumOf("Number of receive buffers posted", device.RingPackets),
				sumOf("CpuNumber", device.RingProcessor),
			},
		},
		{
			name: "Mellanox WinOF-2 Transmit Datapath Counters", scope: perSendRing, suffix: "SqNum_", has: isWinOF2,
			bind: []binding{
				sumOf("Packets processed in interrupt mode", device.SendRingInterruptPackets),
				sumOf("Packets processed in polling mode", device.SendRingPollingPackets),
				sumOf("Number of packets posted", device.SendRingPosted),
				sumOf("Number of packets completed", device.SendRingCompleted),
				sumOf("Transmit copy packets", device.SendRingCopied),
				sumOf("Transmit ring is full", device.SendRingFull),
				sumOf("Average packet count per indicate", device.SendRingAverage),
				sumOf("Number of traffic profile transitions", device.SendRingTransitions),
				sumOf("CpuNumber", device.SendRingProcessor),
			},
		},
		{
			name: ringStatistics, scope: perReceiveRing, suffix: "RX ", has: isWinOF,
			bind: []binding{
				sumOf("PacketsReceivedDPC", device.RingInterruptPackets),
				sumOf("PacketsReceivedThread", device.RingPollingPackets),
				sumOf("Average Packets Per DPC", device.RingAverage),
				sumOf("Average Packets Per Thread", device.RingAverage),
				sumOf("ConsumedMaxReceives", device.RingMaxReceives),
				sumOf("NumTrafficProfileTransitions", device.RingTransitions),
				sumOf("PacketsLowResources", device.RingLowIndicates),
				sumOf("DpcWatchDogSingleDpcStarvation", device.RingSingleStarvations),
				sumOf("DpcWatchDogTotalDpcStarvation", device.RingTotalStarvations),
				// The vendor's tool works out the rate of the bytes; the console does that itself.
				sumOf("Ring Throughput", device.RingBytes).times(8e-9).asRate(perf.Gigabits),
				sumOf("Histogram of Number Of Received Packets Per Indicate Call (non-low resources)", device.RingFewIndicates,
					device.RingSomeIndicates, device.RingManyIndicates), // the hits of all its ranges
			},
		},
	}
}

// spreadSets are those of received packets by processor and kind: of a port, or of its virtual ports when a virtual switch
// is bound to it (R6).
func spreadSets() []counterSet {
	return []counterSet{
		{
			name: "Mellanox Adapter RSS Counters", scope: perProcessor, suffix: "Cpu_", has: isWinOFEthernet,
			total: "Total", sum: "all processors", bind: spread(),
		},
		{
			name: "Mellanox WinOF-2 Rss Counters", scope: perProcessor, suffix: "Cpu_", has: isWinOF2Ethernet,
			total: "Total", sum: "all processors", bind: spread(),
		},
	}
}

// ringStatistics is the set that the vendor's tool shows and resets.
const ringStatistics = "Ring statistics"

// spread are the counters of received packets by kind.
func spread() (list []binding) {
	for kind := range rss.Counters {
		list = append(list, sumOf(rss.Counter(kind).String(), receiveKind(kind)))
	}
	return list
}
