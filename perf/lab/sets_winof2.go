package lab

import (
	"cxdeck/device"
	"cxdeck/perf"
)

// winOF2Sets are the sets of ConnectX-4 and later, but for those of rings, processors and functions.
func winOF2Sets() []counterSet {
	return []counterSet{
		{
			name: "Mellanox WinOF-2 Port Traffic", scope: perPort, has: isWinOF2, total: "_Total",
			sum: "all ports of WinOF-2 adapters, physical and virtual functions together",
			bind: traffic(
				sumOf("Packets Received Frame too long Error", device.FrameTooLong),
				sumOf("Packets Received Frame undersize Error", device.FrameTooShort),
				sumOf("Packets Received Fragments Error", device.FrameFragments),
				sumOf("Packets Received jabbers Error", device.FrameJabbers),
				sumOf("Packets Received Symbol Error", device.SymbolErrors),
				sumOf("Packets Received Bad CRC Error", device.BadCRC),
				sumOf("Packets Received Discarded No Receive WQEs", device.NoDescriptor),
				sumOf("RSC Aborts", device.CoalesceAborts),
				sumOf("RSC Coalesced Events", device.CoalescedEvents),
				sumOf("RSC Coalesced Octets", device.CoalescedBytes),
				sumOf("RSC Coalesced Packets", device.CoalescedPackets),
				binding{counter: "RSC Average Packet Size", reading: coalescedLength},
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
		{name: "Mellanox WinOF-2 Diagnostics", scope: perPort, has: isWinOF2, bind: diagnostics()},
		{name: "Mellanox WinOF-2 Diagnostics Ext 1", scope: perPort, has: isWinOF2, bind: []binding{
			sumOf("Checksum calculated by SW Per Packet", device.SlowChecksums),
			sumOf("CM DREQ", device.RDMAClosed),
			{counter: "Allocated Memory Pages", reading: queuePages},
		}},
		{
			name: "Mellanox WinOF-2 Congestion Control", scope: perPort, has: isWinOF2Ethernet,
			bind: []binding{
				sumOf("Notification Point CNPs Sent Successfully", device.CNPsSent),
				sumOf("Notification Point RoCEv2 ECN Marked Packets", device.ECNMarked),
				sumOf("Reaction Point Successfully Handled CNP Packets", device.CNPsHandled),
				sumOf("Reaction Point Ignored CNP Packets", device.CNPsIgnored),
				sumOf("Reaction Point Current Number of Flows", device.LimitedFlows),
				{counter: "Reaction Point AI Factor Value", reading: additiveRate},
				{counter: "Reaction Point G Factor Value", reading: alphaGain},
				{counter: "Reaction Point RTT Value in Microsec", reading: alphaWindow},
				sumOf("Reaction Point Number of AI Factor Decreased", device.StepLowered),
				sumOf("Reaction Point Number of AI Factor Increased", device.StepRaised),
				sumOf("Reaction Point Number of G Factor Decreased", device.GainLowered),
				sumOf("Reaction Point Number of G Factor Increased", device.GainRaised),
				sumOf("Reaction Point Number of QPs Under CC Decreased", device.LimitersRemoved),
				sumOf("Reaction Point Number of QPs Under CC Increased", device.LimitersAdded),
			},
		},
		{
			name: "Mellanox WinOF-2 Port Diagnostics", scope: perPort, has: isWinOF2,
			bind: []binding{
				less(sumOf("RX Error Lane 0 phy", device.LaneErrors), device.LaneErrors1, device.LaneErrors2, device.LaneErrors3),
				sumOf("RX Error Lane 1 phy", device.LaneErrors1),
				sumOf("RX Error Lane 2 phy", device.LaneErrors2),
				sumOf("RX Error Lane 3 phy", device.LaneErrors3),
				sumOf("RX Kbits phy", device.WireBytesReceived).times(8.0 / 1000),
				sumOf("RX PCS Corrected Bits phy", device.CorrectedBits),
				sumOf("RX PCS Symbol Error phy", device.SymbolErrors),
			},
		},
		{
			name: "Mellanox WinOF-2 IB Port", scope: perPort, has: isWinOF2InfiniBand,
			bind: []binding{
				sumOf("Link Downed", device.LinkDowns),
				sumOf("Link Error Recovery Counter", device.LinkUps),
				sumOf("Port MultiCast Receive Packets", device.HostInMulticast),
				sumOf("Port MultiCast Xmit Packets", device.HostOutMulticast),
				// Data is counted in words of four bytes.
				sumOf("Port Receive Data", device.ReceivedBytes).times(1.0 / 4),
				sumOf("Port Receive Errors", device.ReceiveErrors),
				sumOf("Port Receive Packets", device.ReceivedPackets),
				less(sumOf("Port Unicast Receive Packets", device.ReceivedPackets), device.HostInMulticast),
				less(sumOf("Port Unicast Xmit Packets", device.SentPackets), device.HostOutMulticast),
				sumOf("Port Xmit Data", device.SentBytes).times(1.0 / 4),
				sumOf("Port Xmit Packets", device.SentPackets),
				sumOf("Symbol Error", device.SymbolErrors),
			},
		},
		{name: "Mellanox WinOF-2 PCI Device Diagnostics", scope: perCard, has: isWinOF2, bind: slot()},
		{name: "Mellanox WinOF-2 Device Diagnostics", scope: perCard, has: isWinOF2, bind: engines()},
		{name: "Mellanox WinOF-2 ICMC Diag Counters Ext1", scope: perCard, has: isWinOF2, bind: contexts()},
		{name: "Mellanox WinOf-2 SW Backchannel Diagnostics", scope: perPort, has: isWinOF2},
	}
}

// diagnostics are those of a port.
func diagnostics() []binding {
	return append([]binding{
		sumOf("Link State Change Events", device.LinkDowns, device.LinkUps),
		sumOf("Link State Change Down Events", device.LinkDowns),
		sumOf("Minor Stall Watermark Reached", device.StallsMinor),
		sumOf("Critical Stall Watermark Reached", device.StallsCritical),
		sumOf("Head of Queue timeout Packet discarded", device.HeadOfQueueDrops),
		sumOf("Requester CQEs with Error", device.RequesterCQEErrors),
		sumOf("Requester Out of Order Sequence NAK", device.RequesterOutOfOrder),
		sumOf("Responder Out of Order Sequence Received", device.ResponderOutOfOrder),
		sumOf("Requester QP Transport Retries Exceeded Errors", device.RetriesExceeded),
		sumOf("Requester Retry Exceeded Errors", device.RetriesExceeded),
		sumOf("Dropless Mode Entries", device.DroplessEntries),
		sumOf("Dropless Mode Exits", device.DroplessExits),
		sumOf("Responder CQEs with Error", device.ResponderCQEErrors),
		sumOf("Responder CQEs flushed with error", device.ResponderCQEErrors),
		sumOf("Requester RNR NAK", device.RequesterRNR),
		sumOf("Responder RNR NAK", device.ResponderRNR),
		sumOf("Requester RNR NAK Retries Exceeded Error", device.RNRRetriesExceeded),
		sumOf("Requester Remote Access Errors", device.RequesterAccess),
		sumOf("Responder Remote Access Errors", device.ResponderAccess),
		sumOf("Requester Remote Invalid Request Errors", device.RequesterInvalid),
		sumOf("Responder Remote Invalid Request Errors", device.ResponderInvalid),
		sumOf("Requester Remote Operation Errors", device.RequesterOperation),
		sumOf("Requester Timeout Received", device.RequesterTimeouts),
		sumOf("Received RDMA Read requests", device.ReceivedRDMAReads),
		sumOf("Received RDMA Write requests", device.ReceivedRDMAWrites),
		sumOf("Copied Send Packets", device.SentCopied),
		sumOf("Queued Send Packets", device.SentQueued),
		sumOf("Correct Checksum Packets In Slow Path", device.SlowChecksums),
		sumOf("Receive Completions in Passive/Sec", device.PassiveReceives),
		sumOf("Send Completions in Passive/Sec", device.PassiveSends),
		sumOf("Watch Dog Expired/Sec", device.WatchDogs),
		// The firmware handles the queues whose requests failed.
		sumOf("Current queues under processor handle", device.ErrorQueuePairs),
		sumOf("Total queues under processor handle", device.RequesterCQEErrors),
		sumOf("Send queues priority", device.PriorityUpdates),
		sumOf("Reset Requests", device.Hangs),
		sumOf("Transmission Engine Hang Events", device.Hangs),
		sumOf("Stalled State Packet discarded", device.StalledDiscards),
		sumOf("Requester CQEs flushed with error", device.RequesterFlushed),
	}, tables("MTT Entries Used For ", "CPU MEM-Pages (4K) Mapped By TPT For ")...)
}

// slot are the diagnostics of a card's PCI Express slot.
func slot() []binding {
	return []binding{
		sumOf("PCI back-pressure cycles", device.CardReadBackPressure, device.CardWriteBackPressure),
		sumOf("PCI read back-pressure cycles", device.CardReadBackPressure),
		sumOf("PCI write back-pressure cycles", device.CardWriteBackPressure),
		sumOf("Available PCI BW", device.CardAvailableBytes),
		sumOf("Used PCI BW", device.CardUsedBytes),
		// Tenths of GT/s.
		sumOf("PCI link speed", device.CardSlotSpeed).times(1.0 / 10),
		sumOf("PCI link width", device.CardSlotLanes),
		sumOf("RX PACKET DROPS PCIe BUFFERS", device.CardBufferDrops),
		sumOf("RX PACKET MARKED PCIe BUFFERS", device.CardBufferMarked),
	}
}

// unicastOf is a counter of a function without its multicast, broadcast and RDMA parts.
func unicastOf(counter string, all, multicast, broadcast, rdma device.FunctionCounter) binding {
	return less(sumOf(counter, all), multicast, broadcast, rdma)
}

// functionSets are those of virtual functions.
func functionSets() []counterSet {
	return []counterSet{
		{
			name: perf.SummarySet, scope: perFunctions, has: isAny, suffix: "VFs",
			bind: []binding{
				sumOf(perf.SummaryReceive, device.FunctionsReceivedBytes),
				sumOf(perf.SummarySend, device.FunctionsSentBytes),
				sumOf(perf.SummaryDrops, device.FunctionsDropped),
			},
		},
		{
			name: "Mellanox WinOF-2 VF Diagnostics", scope: perFunction, suffix: "VF ", has: isWinOF2,
			bind: []binding{
				sumOf("Packets Received dropped due to lack of receive WQEs", device.FunctionDropped),
				sumOf("Invalid Commands", device.FunctionFirmwareErrors),
				sumOf("Quota Exceeded Command", device.FunctionQuotaCommands),
				sumOf("Packets Received dropped due to VPort Down", device.FunctionHeldReceived),
				sumOf("Packets Transmitted dropped due to VPort Down", device.FunctionHeldSent),
				sumOf("Allocated Memory Pages", device.FunctionPages),
			},
		},
		{
			name: "Mellanox WinOF-2 VF Port Traffic", scope: perFunction, suffix: "VF ", has: isWinOF2,
			bind: []binding{
				sumOf("Bytes Received/Sec", device.FunctionReceivedBytes),
				unicastOf("Bytes Received Unicast/Sec", device.FunctionReceivedBytes, device.FunctionReceivedMulticastBytes,
					device.FunctionReceivedBroadcastBytes, device.FunctionReceivedRDMABytes),
				unicastOf("Packets Received Unicast/Sec", device.FunctionReceivedPackets, device.FunctionReceivedMulticastPackets,
					device.FunctionReceivedBroadcastPackets, device.FunctionReceivedRDMAPackets),
				sumOf("Bytes Received Multicast/Sec", device.FunctionReceivedMulticastBytes),
				sumOf("Packets Received Multicast/Sec", device.FunctionReceivedMulticastPackets),
				sumOf("Bytes Received Broadcast/Sec", device.FunctionReceivedBroadcastBytes),
				sumOf("Packets Received Broadcast/Sec", device.FunctionReceivedBroadcastPackets),
				sumOf("Rdma Bytes Received Unicast/Sec", device.FunctionReceivedRDMABytes),
				sumOf("Rdma Packets Received Unicast/Sec", device.FunctionReceivedRDMAPackets),
				sumOf("Bytes Sent/Sec", device.FunctionSentBytes),
				unicastOf("Bytes Sent Unicast/Sec", device.FunctionSentBytes, device.FunctionSentMulticastBytes,
					device.FunctionSentBroadcastBytes, device.FunctionSentRDMABytes),
				unicastOf("Packets Sent Unicast/Sec", device.FunctionSentPackets, device.FunctionSentMulticastPackets,
					device.FunctionSentBroadcastPackets, device.FunctionSentRDMAPackets),
				sumOf("Bytes Sent Multicast/Sec", device.FunctionSentMulticastBytes),
				sumOf("Packets Sent Multicast/Sec", device.FunctionSentMulticastPackets),
				sumOf("Bytes Sent Broadcast/Sec", device.FunctionSentBroadcastBytes),
				sumOf("Packets Sent Broadcast/Sec", device.FunctionSentBroadcastPackets),
				sumOf("Rdma Bytes Sent Unicast/Sec", device.FunctionSentRDMABytes),
				sumOf("Rdma Packets Sent Unicast/Sec", device.FunctionSentRDMAPackets),
				sumOf("Packets Received Discarded", device.FunctionDropped),
				sumOf("Mac Anti Spoofing Packets Discarded", device.FunctionWrongAddressPackets),
				sumOf("Mac Anti Spoofing Bytes Discarded", device.FunctionWrongAddressBytes),
				sumOf("Allowed EthType Anti Spoofing Packets Discarded", device.FunctionBarredTypePackets),
				sumOf("Allowed EthType Anti Spoofing Bytes Discarded", device.FunctionBarredTypeBytes),
			},
		},
		{
			name: "Mellanox WinOF-2 VF Internal Traffic Counters", scope: perFunction, suffix: "VF ", has: isWinOF2,
			bind: []binding{
				sumOf("Rx octets", device.FunctionReceivedBytes),
				sumOf("Rx packets", device.FunctionReceivedPackets),
				sumOf("Tx octets", device.FunctionSentBytes),
				sumOf("Tx packets", device.FunctionSentPackets),
			},
		},
		{
			name: "VF Monitoring", scope: perFunction, suffix: "VF ", has: isWinOF2,
			bind: []binding{
				sumOf("FwCpuUsage", device.FunctionFirmwareUse), sumOf("Errors2FW", device.FunctionFirmwareErrors),
			},
		},
	}
}
