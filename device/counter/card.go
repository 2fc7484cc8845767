package counter

// Card is a counter of the whole card, not of a port.
type Card int

// The counters of a card. Counters that say "now" rise and fall.
const (
	CardReadBackPressure  Card = iota // clocks in which data to send waited for the slot
	CardWriteBackPressure             // clocks in which received data waited for the slot
	CardContextPressure               // clocks in which what needs contexts that were not in the card waited for them
	CardUsedBytes                     // bytes that the slot carried, both ways
	CardAvailableBytes                // bytes that it could have carried
	CardSlotSpeed                     // of a lane in tenths of GT/s now
	CardSlotLanes                     // now
	CardBufferDrops                   // packets dropped because the slot was too slow
	CardBufferMarked                  // packets marked for the same reason
	CardNoDescriptor                  // packets of all ports without receive descriptor
	CardDescriptorLookups             // look-ups in the cache of receive descriptors
	CardDescriptorHits                // reads of these that found one
	CardSendQueueMisses               // contexts that were not in the card
	CardReceiveQueueMisses
	CardCompletionQueueMisses
	CardEventQueueMisses
	CardTranslationHits
	CardTranslationMisses // memory translations that were not in the card
	CardProtectionHits
	CardProtectionMisses  // memory keys that were not in the card
	CardDoorbells         // doorbells rung
	CardBlueFlames        // descriptors written into the card at once
	CardArrivedCNPs       // congestion notifications of all ports
	CardQueuePairs        // queue pairs now
	CardCompletionQueues  // now
	CardEventQueues       // now
	CardMemoryRegions     // now
	CardErrorQueuePairs   // queue pairs in the error state now
	CardLimitedPairs      // queue pairs in the limited state now
	CardMaxLimitedPairs   // the maximum of these
	CardAllLimitedPairs   // all of these so far
	CardLastRetransmitted // number of the queue pair that sent again last
	CardTemperature       // degrees Celsius now
	CardSteeringHits
	CardSteeringMisses
	// CardLatency0 is the longest cycle of the first of the card's four processors, in microseconds.
	CardLatency0
	CardLatency1
	CardLatency2
	CardLatency3

	// What follows from the counters above and the ports' counters; see derive.

	CardSendFarMisses    // misses of CardSendQueueMisses that had to be fetched from the host
	CardReceiveFarMisses // of CardReceiveQueueMisses
	CardTranslationFarMisses
	CardProtectionFarMisses
	CardTranslationPressure // clocks in which descriptors waited for translations
	CardBackPressureClocks  // clocks in which pauses held back what was to be sent
	CardBlueFlameSwaps      // descriptors that others pushed out of the card again
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
