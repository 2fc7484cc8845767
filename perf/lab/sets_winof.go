package lab

import (
	"slices"

	"cxdeck/device"
)

// Pages of memory of 4 KB that the queues of a kind, and a memory region, take; the manuals don't say how many.
const (
	pagesOfQueuePair       = 4
	pagesOfCompletionQueue = 2
	pagesOfEventQueue      = 2
	pagesOfMemoryRegion    = 256
	descriptorsOfPage      = 64
)

// traffic are the counters that both families have of a port.
func traffic(more ...binding) []binding {
	return append([]binding{
		sumOf("Bytes Received", device.ReceivedBytes),
		sumOf("Packets Received", device.ReceivedPackets),
		sumOf("Bytes Sent", device.SentBytes),
		sumOf("Packets Sent", device.SentPackets),
		sumOf("Bytes Total", device.ReceivedBytes, device.SentBytes),
		sumOf("Packets Total", device.ReceivedPackets, device.SentPackets),
		sumOf("Control Packets", device.ReceivedControl),
		sumOf("Packets Received Errors", device.ReceiveErrors),
		sumOf("Packets Received Discarded", device.Discarded),
		sumOf("Packets Outbound Discarded", device.OutboundDiscarded),
	}, more...)
}

// classes are the counters that both families have of a priority.
func classes(more ...binding) []binding {
	return append([]binding{
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

// tables are what queues and memory take of a card's tables: entries of the translation table, and the pages that they
// map.
func tables(entries, pages string) (list []binding) {
	for _, one := range []struct {
		what    string
		counter device.CardCounter
		pages   float64
	}{
		{"QP", device.CardQueuePairs, pagesOfQueuePair},
		{"CQ", device.CardCompletionQueues, pagesOfCompletionQueue},
		{"EQ", device.CardEventQueues, pagesOfEventQueue},
		{"MR", device.CardMemoryRegions, pagesOfMemoryRegion},
	} {
		list = append(list, sumOf(entries+one.what, one.counter).times(one.pages), sumOf(pages+one.what, one.counter).times(one.pages))
	}
	return list
}

// coalescing are the counters of receive coalescing in the diagnostics of WinOF.
func coalescing() []binding {
	return []binding{
		sumOf("RSC Aborts", device.CoalesceAborts),
		sumOf("RSC Coalesce Events", device.CoalescedEvents),
		sumOf("RSC Coalesce Octets", device.CoalescedBytes),
		sumOf("RSC Coalesce Packets", device.CoalescedPackets),
	}
}

// transport are the diagnostics of WinOF that an IPoIB port has, too.
func transport(more ...binding) []binding {
	return append([]binding{
		sumOf("Requester CQE errors", device.RequesterCQEErrors),
		sumOf("Requester out of order sequence NAK", device.RequesterOutOfOrder),
		sumOf("Responder out of order sequence received", device.ResponderOutOfOrder),
		sumOf("Requester transport retries exceeded errors", device.RetriesExceeded),
		sumOf("TX Ring Is Full Packets", device.SendRingFullDrops),
		sumOf("Responder CQE errors", device.ResponderCQEErrors),
		sumOf("Requester RNR NAK", device.RequesterRNR),
		sumOf("Responder RNR NAK", device.ResponderRNR),
		sumOf("Requester RNR NAK retries exceeded errors", device.RNRRetriesExceeded),
		sumOf("Requester Remote access errors", device.RequesterAccess),
		sumOf("Responder Remote access errors", device.ResponderAccess),
		sumOf("Requester Invalid request errors", device.RequesterInvalid),
		sumOf("Responder Invalid request errors", device.ResponderInvalid),
		sumOf("Requester Remote operation errors", device.RequesterOperation),
		sumOf("Discarded UD packets", device.DatagramsDiscarded),
		sumOf("Discarded UC packets", device.UnreliableDiscarded),
	}, more...)
}

// pressure are the counters of the bus set that the shorter table has, too.
func pressure(more ...binding) []binding {
	return append([]binding{
		sumOf("PCI Back-pressure/sec", device.CardReadBackPressure, device.CardWriteBackPressure),
		sumOf("No-WQE Drops/sec", device.CardNoDescriptor),
		sumOf("SQ Miss/sec", device.CardSendQueueMisses),
		sumOf("RQ Miss/sec", device.CardReceiveQueueMisses),
		sumOf("CQ Miss/sec", device.CardCompletionQueueMisses),
		sumOf("EQ Miss/sec", device.CardEventQueueMisses),
		sumOf("MTT Miss/sec", device.CardTranslationMisses),
		sumOf("MPT Miss/sec", device.CardProtectionMisses),
		// What is received is scattered to the host's memory; descriptors are fetched from there.
		sumOf("Scatter Back-pressure/sec", device.CardWriteBackPressure),
		sumOf("WQE fetch/Atomic Back-pressure/sec", device.CardReadBackPressure),
		sumOf("External Blueflame hit/sec", device.CardBlueFlames),
		sumOf("External Blueflame Replace/sec", device.CardBlueFlameSwaps),
		sumOf("External Doorbell Push/sec", device.CardDoorbells),
	}, more...)
}

// bus are the rest of the bus set.
func bus() []binding {
	return append([]binding{
		sumOf("Receive WQE cache hit/sec", device.CardDescriptorHits),
		sumOf("Receive WQE cache lookup/sec", device.CardDescriptorLookups),
		sumOf("Steering/QPC Back-pressure/sec", device.CardContextPressure),
		sumOf("Internal processor executed commands", device.Commands),
		sumOf("Internal Processor0 Maximum Latency", device.CardLatency0),
		sumOf("Internal Processor1 Maximum Latency", device.CardLatency1),
		sumOf("Internal Processor2 Maximum Latency", device.CardLatency2),
		sumOf("Internal Processor3 Maximum Latency", device.CardLatency3),
		sumOf("QP priority update flow events", device.PriorityUpdates),
		sumOf("Transmission engine hang events", device.Hangs),
		sumOf("Packets discarded due to invalid QP", device.InvalidPairs),
		sumOf("Last Retransmitted QP", device.CardLastRetransmitted),
		sumOf("Current QPS in error state", device.CardErrorQueuePairs),
		sumOf("Current QPS in limited state", device.CardLimitedPairs),
		sumOf("Total QPS in limited state", device.CardAllLimitedPairs),
		sumOf("Maximum QPS in limited state", device.CardMostLimitedPairs),
		sumOf("MPT entries used for QP", device.CardQueuePairs),
		sumOf("MPT entries used for CQ", device.CardCompletionQueues),
		sumOf("MPT entries used for EQ", device.CardEventQueues),
		sumOf("MPT entries used for MR", device.CardMemoryRegions),
		sumOf("Arrived RDMA CNPs", device.CardArrivedCNPs),
		sumOf("Dcqcn reaction point new qp shaped events", device.CardAllLimitedPairs),
		sumOf("Dcqcn reaction point qp rate update events", device.RateCuts),
		// A queue pair under a limiter waits for its turn, and then has it.
		sumOf("Dcqcn reaction point qp scheduled delayed events", device.ShapedTurns),
		sumOf("Dcqcn reaction point qp scheduled permited events", device.ShapedTurns),
		sumOf("Dcqcn reaction point qp scheduled not shaped events", device.FreeTurns),
	}, tables("MTT entries used for ", "CPU MEM-pages (4K) mapped by TPT for ")...)
}

// winOFSets are the sets of ConnectX-3 and ConnectX-3 Pro.
func winOFSets() []counterSet {
	layer2 := []binding{
		sumOf("Packets Received with Frame Length Error", device.FrameTooLong, device.FrameTooShort, device.FrameFragments, device.FrameJabbers),
		sumOf("Packets Received with Symbol Error", device.SymbolErrors),
		sumOf("Packets Received with Bad CRC Error", device.BadCRC),
	}
	return []counterSet{
		{
			name: "Mellanox Adapter Traffic Counters", scope: perPort, has: isWinOFEthernet, total: "_Total",
			sum:  "all Ethernet ports of WinOF adapters, physical and virtual functions together",
			bind: traffic(layer2...),
		},
		{
			name: "Mellanox IB Adapter Traffic Counters", scope: perPort, has: isWinOFInfiniBand, total: "_Total",
			sum: "all IPoIB ports of WinOF adapters, physical and virtual functions together",
			// Without control frames, and without losses for want of room: InfiniBand waits for credits.
			bind: slices.DeleteFunc(traffic(layer2...), func(b binding) bool {
				return b.counter == "Control Packets" || b.counter == "Packets Received Discarded" || b.counter == "Packets Outbound Discarded"
			}),
		},
		{
			name: "Mellanox Adapter QoS Counters", scope: perPriority, has: isWinOF,
			bind: classes(
				sumOf("Received Pause Frames", device.PauseReceived),
				sumOf("Received Pause Duration", device.FarEndPaused),
				sumOf("Sent Discard Frames", device.PrioritySentDiscards),
				sumOf("Requester Ignored Limitation Request", device.PriorityCNPsIgnored),
				sumOf("Requester Successfully Handled Limitation Request", device.PriorityCNPsHandled),
				sumOf("Requester Total Allocated Rate Limiters", device.PriorityLimiters),
				sumOf("Responder CNP Sent Successfully", device.PriorityCNPsSent),
				less(sumOf("Responder ECN Handled Successfully", device.PriorityECNMarked), device.PriorityECNIgnored),
				sumOf("Responder Ignored ECN", device.PriorityECNIgnored),
				sumOf("Responder Ignored ECN due CNP coalesce", device.PriorityECNCoalesced),
				sumOf("Responder Active CNP", device.PriorityNotices),
				sumOf("Requester Allocated Rate Limiters", device.PriorityLimited),
				sumOf("Requester Current Total Rate", device.PriorityRate),
				sumOf("Requester Average Total Rate", device.PriorityRateMean),
				sumOf("Requester Traffic Rate High Peak", device.PriorityRateHigh),
				sumOf("Requester Traffic Rate Low Peak", device.PriorityRateLow),
			),
		},
		{
			name: "Mellanox Adapter Diagnostics Counters", scope: perPort, has: isWinOFEthernet,
			bind: append(transport(
				sumOf("Device detected stalled state", device.StallsCritical),
				sumOf("Packet detected as stalled", device.StallsMinor),
				sumOf("Dropless Mode Entries", device.DroplessEntries),
				sumOf("Dropless Mode Exits", device.DroplessExits),
				sumOf("Packets discarded due to TC in stalled state", device.StalledDiscards),
				sumOf("Link down events", device.LinkDowns),
				sumOf("TX Copied Packets", device.SentCopied),
				sumOf("Packets discarded due to Head-Of-Queue lifetime limit", device.HeadOfQueueDrops),
				sumOf("Requester QP Transport Retries Exceeded Errors", device.RetriesExceeded),
			), coalescing()...),
		},
		{name: "Mellanox IB Adapter Diagnostic Counters", scope: perPort, has: isWinOFInfiniBand, bind: []binding{
			sumOf("TX Ring Is Full Packets", device.SendRingFullDrops),
		}},
		{name: "RSC counters", scope: perPort, has: isWinOFEthernet, bind: coalescing()},
		{name: "Mellanox WinOF Bus Counters", scope: perCard, has: isWinOF, bind: pressure(bus()...)},
		{name: "Device Proprietary Counters", scope: perCard, has: isWinOF, bind: pressure()},
	}
}
