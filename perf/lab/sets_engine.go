package lab

import "cxdeck/device"

// engines are the diagnostics of the inside of a WinOF-2 card. The manuals say nothing of them but their names; this is
// how the lab reads those. The fast path is that of RDMA, the slow one that of the host's stack. Each looks for the
// contexts of what is sent (LDB) and of requests that are received (REQSL) in a first cache and then in a second, the
// engines that send (SX) and receive (RX) wait for the slot or for contexts, and what is translated (MTT) and protected
// (MPT) goes through two caches, too.
func engines() []binding {
	return []binding{
		sumOf("Internal RQ out of buffer", device.CardNoDescriptor),
		sumOf("Nic temperature in Celsius degrees unit", device.CardTemperature),

		sumOf("L0 MPT hit", device.CardProtectionHits),
		sumOf("L0 MPT miss", device.CardProtectionMisses),
		less(sumOf("L1 MPT hit", device.CardProtectionMisses), device.CardProtectionFarMisses),
		sumOf("L1 MPT miss", device.CardProtectionFarMisses),
		sumOf("L0 MTT hit", device.CardTranslationHits),
		sumOf("L0 MTT miss", device.CardTranslationMisses),
		less(sumOf("L1 MTT hit", device.CardTranslationMisses), device.CardTranslationFarMisses),
		sumOf("L1 MTT miss", device.CardTranslationFarMisses),
		sumOf("TPT indirect memory key access", device.ReceivedRDMAReads, device.ReceivedRDMAWrites),
		sumOf("WQE address translation back-pressure", device.CardTranslationPressure),

		sumOf("Receive WQE cache hit", device.CardDescriptorHits),
		less(sumOf("Receive WQE cache miss", device.CardDescriptorLookups), device.CardDescriptorHits),
		less(sumOf("Fast packets hit in LDB L1 cache", device.RDMAOutFrames), device.CardSendQueueMisses),
		sumOf("Fast packets miss in LDB L1 cache", device.CardSendQueueMisses),
		less(sumOf("Fast packets hit in REQSL L1", device.RDMAInFrames), device.CardReceiveQueueMisses),
		sumOf("Fast packets miss in REQSL L1", device.CardReceiveQueueMisses),
		sumOf("Slow packets hit in LDB L1 cache", device.HostOutPackets),
		sumOf("Slow packets hit in REQSL L1", device.HostInPackets),
		less(sumOf("Packets hit in LDB L2 cache", device.CardSendQueueMisses), device.CardSendFarMisses),
		sumOf("Packets miss in LDB L2 cache", device.CardSendFarMisses),
		less(sumOf("Packets hit in REQSL L2", device.CardReceiveQueueMisses), device.CardReceiveFarMisses),
		sumOf("Packets miss in REQSL L2", device.CardReceiveFarMisses),
		sumOf("Fast path packets slice load", device.RDMAInFrames, device.RDMAOutFrames),
		sumOf("Slow path packets slice load", device.HostInPackets, device.HostOutPackets),

		less(sumOf("Packets sent by SXW to SXP", device.SentPackets), device.SentControl),
		sumOf("QP done due to work done", device.CardDoorbells),
		sumOf("QP done due to desched", device.FreeTurns),
		sumOf("QP done due to limited", device.ShapedTurns),
		sumOf("QP done due to E2E credits", device.RequesterRNR),
		sumOf("QP done due to VL limited", device.ReceivedControl),
		sumOf("No PXT credits time", device.CardWriteBackPressure),
		sumOf("No send credits for scheduling time", device.CardReadBackPressure),
		sumOf("No slow path send credits for scheduling time", device.CardHeldClocks),
		sumOf("RXS no fast path credits", device.CardWriteBackPressure),
		sumOf("RXS no slow path credits", device.CardContextPressure),
		sumOf("RXT no fast path credits", device.CardWriteBackPressure),
		sumOf("RXT no slow path credits", device.CardContextPressure),

		// So many clocks for a packet, a completion or an interrupt.
		sumOf("CQ slices busy time", device.ReceivedPackets, device.SentPackets).times(2),
		sumOf("EQ slices busy time", device.Interrupts).times(6),
		sumOf("MSI-X slices busy time", device.Interrupts).times(2),
		sumOf("Steering hit", device.CardSteeringHits),
		sumOf("Steering miss", device.CardSteeringMisses),
		sumOf("Steering pipe 0 processing time", device.CardSteeringHits, device.CardSteeringMisses).times(2),
		sumOf("Steering pipe 1 processing time", device.CardSteeringHits, device.CardSteeringMisses).times(2),
		sumOf("Steering processing time", device.CardSteeringHits, device.CardSteeringMisses).times(4),
	}
}

// contexts are the look-ups of contexts in the cache of a WinOF-2 card: those of queue pairs by each RDMA frame, those
// of completion queues by each packet.
func contexts() []binding {
	return []binding{
		less(sumOf("ICMC CQ Hit", device.ReceivedPackets, device.SentPackets), device.CardCompletionQueueMisses),
		sumOf("ICMC CQ Miss", device.CardCompletionQueueMisses),
		less(sumOf("ICMC QP Receive Hit", device.RDMAInFrames), device.CardReceiveQueueMisses),
		sumOf("ICMC QP Receive Miss", device.CardReceiveQueueMisses),
		less(sumOf("ICMC QP Send Hit", device.RDMAOutFrames), device.CardSendQueueMisses),
		sumOf("ICMC QP Send Miss", device.CardSendQueueMisses),
	}
}
