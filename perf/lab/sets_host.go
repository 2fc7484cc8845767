package lab

import (
	"cxdeck/device"
	"cxdeck/perf"
)

func summary() counterSet {
	return counterSet{
		name: perf.SummarySet, scope: perPort, has: isAny, total: "_Total", sum: "all ports, no frame counted twice",
		bind: []binding{
			sumOf(perf.SummaryReceive, device.ReceivedBytes),
			sumOf(perf.SummarySend, device.SentBytes),
			sumOf(perf.SummaryDrops, device.Discarded, device.NoDescriptor, device.OutboundDiscarded),
		},
	}
}

// What the lab assumes of SMB Direct: the length of a message, and the memory regions of a connection.
const (
	messageBytes        = 128
	regionsOfConnection = 4
)

// windowsSets are those that Windows brings.
func windowsSets() []counterSet {
	return []counterSet{
		{
			name: "RDMA Activity", scope: perPort, has: hasRDMA,
			bind: []binding{
				sumOf("RDMA Accepted Connections", device.RDMAAccepted),
				sumOf("RDMA Active Connections", device.RDMAActive),
				sumOf("RDMA Connection Errors", device.RDMAErrors),
				sumOf("RDMA Failed Connection Attempts", device.RDMAFailed),
				sumOf("RDMA Initiated Connections", device.RDMAInitiated),
				sumOf("RDMA Inbound Bytes/sec", device.RDMAInBytes),
				sumOf("RDMA Inbound Frames/sec", device.RDMAInFrames),
				sumOf("RDMA Outbound Bytes/sec", device.RDMAOutBytes),
				sumOf("RDMA Outbound Frames/sec", device.RDMAOutFrames),
			},
		},
		{
			// Each end counts the data that it moves by RDMA in its own direction. A request is a message, and so is
			// its answer; for each the memory is registered, and its key is taken back with the answer.
			name: "SMB Direct Connection", scope: perPort, has: hasRDMA,
			bind: []binding{
				sumOf("Bytes RDMA Read/sec", device.RDMAInData),
				sumOf("Bytes RDMA Written/sec", device.RDMAOutData),
				sumOf("Bytes Received/sec", device.RDMAMessages).times(messageBytes),
				sumOf("Bytes Sent/sec", device.RDMAMessages).times(messageBytes),
				sumOf("Receives/sec", device.RDMAMessages),
				sumOf("Sends/sec", device.RDMAMessages),
				sumOf("RCQ Notification Events/sec", device.RDMAMessages),
				sumOf("SCQ Notification Events/sec", device.RDMAMessages),
				sumOf("RDMA Registrations/sec", device.RDMAMessages),
				sumOf("Remote Invalidations/sec", device.RDMAMessages),
				sumOf("Memory Regions", device.RDMAActive).times(regionsOfConnection),
				// The other end had no receive posted: a credit was wrong, or there was none.
				less(sumOf("Stalls (Send Credit)/sec", device.RequesterRNR), device.OwnRNR),
			},
		},
		{
			// The operating system's side of a port: RDMA goes past it, and errors are those of all levels.
			name: "Network Interface", scope: perInterface, has: isAny,
			bind: []binding{
				sumOf("Bytes Received/sec", device.HostInBytes),
				sumOf("Bytes Sent/sec", device.HostOutBytes),
				sumOf("Bytes Total/sec", device.HostInBytes, device.HostOutBytes),
				sumOf("Packets/sec", device.HostInPackets, device.HostOutPackets),
				sumOf("Packets Received/sec", device.HostInPackets),
				sumOf("Packets Sent/sec", device.HostOutPackets),
				less(sumOf("Packets Received Unicast/sec", device.HostInPackets), device.HostInMulticast),
				sumOf("Packets Received Non-Unicast/sec", device.HostInMulticast),
				less(sumOf("Packets Sent Unicast/sec", device.HostOutPackets), device.HostOutMulticast),
				sumOf("Packets Sent Non-Unicast/sec", device.HostOutMulticast),
				sumOf("Packets Received Errors", device.ReceiveErrors),
				sumOf("Packets Received Discarded", device.Discarded, device.NoDescriptor),
				sumOf("Packets Outbound Discarded", device.OutboundDiscarded),
				{counter: "Current Bandwidth", reading: lineRate},
				{counter: "TCP RSC Average Packet Size", reading: coalescedLength},
				sumOf("TCP RSC Coalesced Packets/sec", device.CoalescedPackets),
				sumOf("TCP RSC Exceptions/sec", device.CoalesceAborts),
				sumOf("TCP Active RSC Connections", device.CoalescingConnections),
				sumOf("Packets Received Errors/sec", device.ReceiveErrors).asRate(perf.Packets),
				sumOf("Packets Received Discarded/sec", device.Discarded, device.NoDescriptor).asRate(perf.Packets),
				sumOf("Packets Discarded/sec", device.Discarded, device.NoDescriptor, device.OutboundDiscarded).asRate(perf.Packets),
			},
		},
	}
}
