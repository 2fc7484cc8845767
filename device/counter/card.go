package counter

// Card is a counter of the whole card, not of a port.
type Card int

// The counters of a card. Counters with "now" are gauges.
const (
	CardReadBackPressure  Card = iota // clocks in which data to send waited for the slot
	CardWriteBackPressure             // clocks in which received data waited for the slot
	CardContextPressure               // clocks of waiting for contexts that were not cached
	CardUsedBytes                     // bytes that the slot carried, in both directions
	CardAvailableBytes                // bytes that it could have carried
	CardSlotSpeed                     // speed of a lane in tenths of GT/s now
	CardSlotLanes                     // now
	CardBufferDrops                   // packets dropped because the slot was too slow
	CardBufferMarked                  // packets marked for the same reason
	CardNoDescriptor                  // packets of all ports without receive descriptor
	CardDescriptorLookups             // look-ups in the cache of receive descriptors
	CardDescriptorHits                // look-ups that found one
	CardSendQueueMisses               // contexts that were not cached
	CardReceiveQueueMisses
	CardCompletionQueueMisses
	CardEventQueueMisses
	CardTranslationHits
	CardTranslationMisses // memory translations that were not cached
	CardProtectionHits
	CardProtectionMisses  // memory keys that were not cached
	CardDoorbells         // doorbells rung
	CardBlueFlames        // descriptors written directly into the card
	CardArrivedCNPs       // congestion notifications of all ports
	CardQueuePairs        // queue pairs now
	CardCompletionQueues  // now
	CardEventQueues       // now
	CardMemoryRegions     // now
	CardErrorQueuePairs   // queue pairs in the error state now
	CardLimitedPairs      // queue pairs in the limited state now
	CardMaxLimitedPairs   // the maximum of CardLimitedPairs
	CardAllLimitedPairs   // the total of limited queue pairs so far
	CardLastRetransmitted // number of the queue pair of the last retransmission
	CardTemperature       // degrees Celsius now
	CardSteeringHits
	CardSteeringMisses
	// CardLatency0 is the longest cycle of the first of the card's four processors, in microseconds.
	CardLatency0
	CardLatency1
	CardLatency2
	CardLatency3

	// Counters that are derived from the counters above and the ports' counters; see derive.

	CardSendFarMisses    // misses of CardSendQueueMisses that had to be fetched from the host
	CardReceiveFarMisses // of CardReceiveQueueMisses
	CardTranslationFarMisses
	CardProtectionFarMisses
	CardTranslationPressure // clocks in which descriptors waited for translations
	CardBackPressureClocks  // clocks in which pauses stopped sending
	CardBlueFlameSwaps      // descriptors that others evicted from the card
	CardCount
)

// Processor is one of the counters of a logical processor's work for all ports.
type Processor int

// The counters of a logical processor.
const (
	ProcessorBusy       Processor = iota // microseconds of work for network adapters
	ProcessorInterrupts                  // interrupts of network adapters
	ProcessorCount
)
