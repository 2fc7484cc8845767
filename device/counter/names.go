package counter

import (
	"strings"
	"sync"
)

// Class is the kind of object that a counter belongs to.
type Class uint8

// The classes of counters.
const (
	PortCounters        Class = iota // of a port
	PriorityCounters                 // of a priority of a port
	ReceiveRingCounters              // of a receive ring
	SendRingCounters                 // of a send ring
	CardCounters                     // of a card
	FunctionCounters                 // of a virtual function
	ProcessorCounters                // of a processor of the host
	VirtualCounters                  // of a virtual miniport
)

// names lists the names of the counters of each class, spelt as their constants and in their order.
var names = [...]string{
	PortCounters: `
		ReceivedBytes ReceivedPackets SentBytes SentPackets HostInBytes HostInPackets HostInMulticast HostOutBytes
		HostOutPackets HostOutMulticast ReceivedControl SentControl ArrivedPackets Discarded NoDescriptor ReceiveErrors
		BadCRC SymbolErrors LinkDowns RDMAInBytes RDMAInFrames RDMAInData RDMAOutBytes RDMAOutFrames RDMAOutData
		RDMAAccepted RDMAInitiated RDMAActive RDMAErrors RDMAFailed RDMAClosed LinkUps FrameTooLong FrameTooShort
		FrameFragments FrameJabbers WireBytesReceived LaneErrors CorrectedBits OutboundDiscarded HeadOfQueueDrops
		SendRingFullDrops SentCopied SentQueued SlowChecksums CoalescedEvents CoalescedPackets CoalescedBytes
		CoalesceAborts DroplessEntries DroplessExits StallsMinor StallsCritical HostBusy HostSends HostIndicates
		RequesterCQEErrors RetriesExceeded RequesterTimeouts RequesterOutOfOrder ResponderOutOfOrder RequesterRNR
		ResponderRNR RNRRetriesExceeded ResponderCQEErrors RequesterAccess ResponderAccess RequesterInvalid
		ResponderInvalid RequesterOperation ReceivedRDMAReads ReceivedRDMAWrites ErrorQueuePairs Interrupts
		PassiveReceives PassiveSends WatchDogs Commands PriorityUpdates InvalidPairs Hangs StalledDiscards
		RequesterFlushed UnownedVLAN OwnFrames OwnRNR UnreliableDiscarded DatagramsDiscarded ECNMarked CNPsSent
		CNPsHandled CNPsIgnored LimitedFlows LimitersAdded RateCuts LimitersRemoved ShapedFrames FreeFrames StepRaised
		StepLowered GainRaised GainLowered FunctionsReceivedBytes FunctionsReceivedPackets
		FunctionsReceivedMulticastBytes FunctionsReceivedMulticastPackets FunctionsSentBytes FunctionsSentPackets
		FunctionsSentMulticastBytes FunctionsSentMulticastPackets FunctionsReceivedRDMABytes
		FunctionsReceivedRDMAPackets FunctionsSentRDMABytes FunctionsSentRDMAPackets FunctionsDropped
		FunctionsWrongAddress FunctionsDisallowedType FunctionsFirmwareUse FunctionsFirmwareErrors SyntheticReceivedBytes
		SyntheticReceivedPackets SyntheticSentBytes SyntheticSentPackets SyntheticDropped OverlayReceivedBytes
		OverlayReceivedPackets OverlaySentBytes OverlaySentPackets OverlayDropped LaneErrors1 LaneErrors2 LaneErrors3
		RDMAMessages ShapedTurns FreeTurns CoalescingConnections`,
	PriorityCounters: `
		PriorityReceivedBytes PriorityReceivedPackets PrioritySentBytes PrioritySentPackets PauseSent FarEndPaused
		PauseReceived SelfPaused PriorityDiscarded PrioritySentDiscards PriorityECNMarked PriorityECNIgnored
		PriorityCNPsSent PriorityCNPsHandled PriorityCNPsIgnored PriorityECNCoalesced PriorityLimiters PriorityLimited
		PriorityRate PriorityRateMean PriorityRateHigh PriorityRateLow PriorityNotices`,
	ReceiveRingCounters: `
		RingPackets RingBytes RingDropped RingInterrupts RingInterruptPackets RingPollingPackets RingFewIndicates
		RingSomeIndicates RingManyIndicates RingLowIndicates RingTransitions RingLowResource RingMaxReceives
		RingECNMarkedIPv4 RingECNMarkedIPv6 RingSingleStarvations RingTotalStarvations RingPosted RingProcessor
		RingAverage`,
	SendRingCounters: `
		SendRingPosted SendRingCompleted SendRingPackets SendRingFull SendRingCopied SendRingInterruptPackets
		SendRingPollingPackets SendRingInterrupts SendRingTransitions SendRingAverage SendRingProcessor`,
	CardCounters: `
		CardReadBackPressure CardWriteBackPressure CardContextPressure CardUsedBytes CardAvailableBytes CardSlotSpeed
		CardSlotLanes CardBufferDrops CardBufferMarked CardNoDescriptor CardDescriptorLookups CardDescriptorHits
		CardSendQueueMisses CardReceiveQueueMisses CardCompletionQueueMisses CardEventQueueMisses CardTranslationHits
		CardTranslationMisses CardProtectionHits CardProtectionMisses CardDoorbells CardBlueFlames CardArrivedCNPs
		CardQueuePairs CardCompletionQueues CardEventQueues CardMemoryRegions CardErrorQueuePairs CardLimitedPairs
		CardMaxLimitedPairs CardAllLimitedPairs CardLastRetransmitted CardTemperature CardSteeringHits
		CardSteeringMisses CardLatency0 CardLatency1 CardLatency2 CardLatency3 CardSendFarMisses CardReceiveFarMisses
		CardTranslationFarMisses CardProtectionFarMisses CardTranslationPressure CardBackPressureClocks CardBlueFlameSwaps`,
	FunctionCounters: `
		FunctionReceivedBytes FunctionReceivedPackets FunctionReceivedMulticastBytes FunctionReceivedMulticastPackets
		FunctionReceivedBroadcastBytes FunctionReceivedBroadcastPackets FunctionSentBytes FunctionSentPackets
		FunctionSentMulticastBytes FunctionSentMulticastPackets FunctionSentBroadcastBytes FunctionSentBroadcastPackets
		FunctionReceivedRDMABytes FunctionReceivedRDMAPackets FunctionSentRDMABytes FunctionSentRDMAPackets
		FunctionDropped FunctionWrongAddressPackets FunctionWrongAddressBytes FunctionBarredTypePackets
		FunctionBarredTypeBytes FunctionFirmwareUse FunctionFirmwareErrors FunctionQuotaCommands FunctionBlockedReceived
		FunctionBlockedSent FunctionPages`,
	ProcessorCounters: `
		ProcessorBusy ProcessorInterrupts`,
	VirtualCounters: `
		VirtualReceivedBytes VirtualReceivedPackets VirtualReceivedMulticast VirtualReceivedDiscards VirtualSentBytes
		VirtualSentPackets VirtualSentMulticast VirtualSentDiscards VirtualReceivedLost VirtualSentLost`,
}

// Named is a counter of a class.
type Named struct {
	Class   Class
	Counter int
}

var named = sync.OnceValue(func() map[string]Named {
	named := map[string]Named{}
	for class, names := range names {
		for i, name := range strings.Fields(names) {
			named[name] = Named{Class(class), i}
		}
	}
	return named
})

// Find finds a counter by the name of its constant: "ReceivedBytes", "CardDoorbells".
func Find(name string) (counter Named, ok bool) {
	counter, ok = named()[name]
	return counter, ok
}
