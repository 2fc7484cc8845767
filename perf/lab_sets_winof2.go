package perf

import "cxdeck/device"

// winOF2Sets are the sets of ConnectX-4 and later, but for those of rings, processors and functions.
func winOF2Sets() []labSet {
	return []labSet{
		{
			name: "Mellanox WinOF-2 Port Traffic", scope: perPort, has: isWinOF2, total: "_Total",
			sum: "all ports of WinOF-2 adapters, physical and virtual functions together",
			bind: traffic(
				sumOf("Packets Received Frame too long Error", device.FrameTooLong),
				sumOf("Packets Received Symbol Error", device.SymbolErrors),
				sumOf("Packets Received Bad CRC Error", device.BadCRC),
				sumOf("Packets Received Discarded No Receive WQEs", device.NoDescriptor),
				sumOf("RSC Aborts", device.CoalesceAborts),
				sumOf("RSC Coalesced Events", device.CoalescedEvents),
				sumOf("RSC Coalesced Octets", device.CoalescedBytes),
				sumOf("RSC Coalesced Packets", device.CoalescedPackets),
				labBinding{counter: "RSC Average Packet Size", reading: coalescedLength},
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
		{name: "Mellanox WinOF-2 Diagnostics Ext 1", scope: perPort, has: isWinOF2, bind: []labBinding{
			sumOf("Checksum calculated by SW Per Packet", device.SlowChecksums),
		}},
		{
			name: "Mellanox WinOF-2 Congestion Control", scope: perPort, has: isWinOF2Ethernet,
			bind: []labBinding{
				sumOf("Notification Point CNPs Sent Successfully", device.CNPsSent),
				sumOf("Notification Point RoCEv2 ECN Marked Packets", device.ECNMarked),
				sumOf("Reaction Point Successfully Handled CNP Packets", device.CNPsHandled),
				sumOf("Reaction Point Ignored CNP Packets", device.CNPsIgnored),
				sumOf("Reaction Point Current Number of Flows", device.LimitedFlows),
				{counter: "Reaction Point AI Factor Value", reading: additiveRate},
				{counter: "Reaction Point G Factor Value", reading: alphaGain},
				{counter: "Reaction Point RTT Value in Microsec", reading: alphaWindow},
				sumOf("Reaction Point Number of QPs Under CC Decreased", device.LimitersRemoved),
				sumOf("Reaction Point Number of QPs Under CC Increased", device.LimitersAdded),
			},
		},
		{
			name: "Mellanox WinOF-2 Port Diagnostics", scope: perPort, has: isWinOF2,
			bind: []labBinding{
				sumOf("RX Error Lane 0 phy", device.LaneErrors),
				sumOf("RX Kbits phy", device.WireBytesReceived).times(8.0 / 1000),
				sumOf("RX PCS Corrected Bits phy", device.CorrectedBits),
				sumOf("RX PCS Symbol Error phy", device.SymbolErrors),
			},
		},
		{
			name: "Mellanox WinOF-2 IB Port", scope: perPort, has: isWinOF2InfiniBand,
			bind: []labBinding{
				sumOf("Link Downed", device.LinkDowns),
				sumOf("Port MultiCast Receive Packets", device.HostInMulticast),
				sumOf("Port MultiCast Xmit Packets", device.HostOutMulticast),
				// Data is counted in words of four bytes.
				sumOf("Port Receive Data", device.ReceivedBytes).times(1.0 / 4),
				sumOf("Port Receive Errors", device.ReceiveErrors),
				sumOf("Port Receive Packets", device.ReceivedPackets),
				less(sumOf("Port Unicast Receive Packets", device.ReceivedPackets), device.HostInMulticast),
				less(sumOf("Port Unicast Xmit Packets", device.SentPackets), device.HostOutMulticast),
				sumOf("Port Xmit Data", device.SentBytes).times(1.0 / 4),
				sumOf("Port Xmit Discards", device.OutboundDiscarded),
				sumOf("Port Xmit Packets", device.SentPackets),
				sumOf("Symbol Error", device.SymbolErrors),
			},
		},
		{name: "Mellanox WinOF-2 PCI Device Diagnostics", scope: perCard, has: isWinOF2, bind: slot()},
		{name: "Mellanox WinOF-2 Device Diagnostics", scope: perCard, has: isWinOF2, bind: caches()},
		{
			name: "Mellanox WinOF-2 ICMC Diag Counters Ext1", scope: perCard, has: isWinOF2,
			bind: []labBinding{
				sumOf("ICMC CQ Miss", device.CardCompletionQueueMisses),
				sumOf("ICMC QP Receive Miss", device.CardReceiveQueueMisses),
				sumOf("ICMC QP Send Miss", device.CardSendQueueMisses),
			},
		},
		{name: "Mellanox WinOf-2 SW Backchannel Diagnostics", scope: perPort, has: isWinOF2},
	}
}

// diagnostics are those of a port.
func diagnostics() []labBinding {
	return append([]labBinding{
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
		sumOf("Requester Timeout Received", device.RequesterTimeouts),
		sumOf("Received RDMA Read requests", device.ReceivedRDMAReads),
		sumOf("Received RDMA Write requests", device.ReceivedRDMAWrites),
		sumOf("Copied Send Packets", device.SentCopied),
		sumOf("Queued Send Packets", device.SentQueued),
		sumOf("Correct Checksum Packets In Slow Path", device.SlowChecksums),
	}, tables("MTT Entries Used For ", "CPU MEM-Pages (4K) Mapped By TPT For ")...)
}

// slot are the diagnostics of a card's PCI Express slot.
func slot() []labBinding {
	return []labBinding{
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

// caches are the diagnostics of a card's inside.
func caches() []labBinding {
	return []labBinding{
		sumOf("Internal RQ out of buffer", device.CardNoDescriptor),
		sumOf("L0 MPT hit", device.CardProtectionHits),
		sumOf("L0 MPT miss", device.CardProtectionMisses),
		sumOf("L0 MTT hit", device.CardTranslationHits),
		sumOf("L0 MTT miss", device.CardTranslationMisses),
		sumOf("Nic temperature in Celsius degrees unit", device.CardTemperature),
		sumOf("Receive WQE cache hit", device.CardDescriptorHits),
		less(sumOf("Receive WQE cache miss", device.CardDescriptorLookups), device.CardDescriptorHits),
		sumOf("Steering hit", device.CardSteeringHits),
		sumOf("Steering miss", device.CardSteeringMisses),
	}
}

// unicastOf is a counter of a function without its multicast and RDMA parts.
func unicastOf(counter string, all, multicast, rdma device.FunctionCounter) labBinding {
	return less(sumOf(counter, all), multicast, rdma)
}

// functionSets are those of virtual functions.
func functionSets() []labSet {
	return []labSet{
		{
			name: summarySet, scope: perFunctions, has: isWinOF2, suffix: "VFs",
			bind: []labBinding{
				sumOf(summaryReceive, device.FunctionsReceivedBytes),
				sumOf(summarySend, device.FunctionsSentBytes),
				sumOf(summaryDrops, device.FunctionsDropped),
			},
		},
		{
			name: "Mellanox WinOF-2 VF Diagnostics", scope: perFunction, suffix: "VF ", has: isWinOF2,
			bind: []labBinding{
				sumOf("Packets Received dropped due to lack of receive WQEs", device.FunctionDropped),
			},
		},
		{
			name: "Mellanox WinOF-2 VF Port Traffic", scope: perFunction, suffix: "VF ", has: isWinOF2,
			bind: []labBinding{
				sumOf("Bytes Received/Sec", device.FunctionReceivedBytes),
				unicastOf("Bytes Received Unicast/Sec", device.FunctionReceivedBytes,
					device.FunctionReceivedMulticastBytes, device.FunctionReceivedRDMABytes),
				unicastOf("Packets Received Unicast/Sec", device.FunctionReceivedPackets,
					device.FunctionReceivedMulticastPackets, device.FunctionReceivedRDMAPackets),
				sumOf("Bytes Received Multicast/Sec", device.FunctionReceivedMulticastBytes),
				sumOf("Packets Received Multicast/Sec", device.FunctionReceivedMulticastPackets),
				sumOf("Rdma Bytes Received Unicast/Sec", device.FunctionReceivedRDMABytes),
				sumOf("Rdma Packets Received Unicast/Sec", device.FunctionReceivedRDMAPackets),
				sumOf("Bytes Sent/Sec", device.FunctionSentBytes),
				less(sumOf("Bytes Sent Unicast/Sec", device.FunctionSentBytes), device.FunctionSentRDMABytes),
				less(sumOf("Packets Sent Unicast/Sec", device.FunctionSentPackets), device.FunctionSentRDMAPackets),
				sumOf("Rdma Bytes Sent Unicast/Sec", device.FunctionSentRDMABytes),
				sumOf("Rdma Packets Sent Unicast/Sec", device.FunctionSentRDMAPackets),
				sumOf("Packets Received Discarded", device.FunctionDropped),
			},
		},
		{
			name: "Mellanox WinOF-2 VF Internal Traffic Counters", scope: perFunction, suffix: "VF ", has: isWinOF2,
			bind: []labBinding{
				sumOf("Rx octets", device.FunctionReceivedBytes),
				sumOf("Rx packets", device.FunctionReceivedPackets),
				sumOf("Tx octets", device.FunctionSentBytes),
				sumOf("Tx packets", device.FunctionSentPackets),
			},
		},
		{name: "VF Monitoring", scope: perFunction, suffix: "VF ", has: isWinOF2},
	}
}
