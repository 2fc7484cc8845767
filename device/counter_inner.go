package device

import "cxdeck/device/description"

// ReceiveRingCounter is one of the counters kept for each receive ring of a port.
type ReceiveRingCounter int

// The counters of a receive ring. Counters that say "now" rise and fall.
const (
	RingPackets          ReceiveRingCounter = iota // packets that the host took from the ring
	RingBytes                                      // their bytes
	RingDropped                                    // packets that found no descriptor in the ring
	RingInterrupts                                 // interrupts
	RingInterruptPackets                           // packets of RingPackets that were handled after an interrupt
	RingPollingPackets                             // packets of RingPackets that polling found
	RingFewIndicates                               // times that the network stack was handed less than 40 packets to keep
	RingSomeIndicates                              // times that it was handed 40 to 79 of them
	RingManyIndicates                              // times that it was handed more
	RingLowIndicates                               // times that it had to give the buffers back at once
	RingTransitions                                // changes between latency and bandwidth traffic
	RingLowResource                                // packets handed up with the request to give the buffer back at once
	RingMaxReceives                                // times that a pass took as many packets as it may
	RingECNMarkedIPv4                              // packets with the congestion mark
	RingECNMarkedIPv6
	RingSingleStarvations // passes that ran for longer than one may
	RingTotalStarvations  // times that all passes together ran for longer than they may
	RingPosted            // buffers in the ring now
	RingProcessor         // the processor that serves the ring now
	RingAverage           // packets in an indication now
	receiveRingCounters
)

// SendRingCounter is one of the counters kept for each send ring of a port.
type SendRingCounter int

// The counters of a send ring. Counters that say "now" rise and fall.
const (
	SendRingPosted           SendRingCounter = iota // sends posted; one large send is many frames
	SendRingCompleted                               // sends completed
	SendRingPackets                                 // frames that became of them
	SendRingFull                                    // sends that found the ring full
	SendRingCopied                                  // sends that the driver copied
	SendRingInterruptPackets                        // packets of SendRingCompleted that were completed after an interrupt
	SendRingPollingPackets                          // packets of SendRingCompleted that polling found
	SendRingInterrupts                              // interrupts
	SendRingTransitions                             // changes between latency and bandwidth traffic
	SendRingAverage                                 // completions in a pass now
	SendRingProcessor                               // the processor that serves the ring now
	sendRingCounters
)

// CardCounter is one of the counters that a card keeps for itself, whatever the port.
type CardCounter int

// The counters of a card. Counters that say "now" rise and fall.
const (
	CardReadBackPressure  CardCounter = iota // clocks in which what is to be sent waited for the slot
	CardWriteBackPressure                    // clocks in which what was received waited for the slot
	CardContextPressure                      // clocks in which what needs contexts that were not in the card waited for them
	CardUsedBytes                            // bytes that the slot carried, both ways
	CardAvailableBytes                       // bytes that it could have carried
	CardSlotSpeed                            // of a lane in tenths of GT/s now
	CardSlotLanes                            // now
	CardBufferDrops                          // packets dropped because the slot took too little
	CardBufferMarked                         // packets marked for that
	CardNoDescriptor                         // packets of all ports without receive descriptor
	CardDescriptorLookups                    // look-ups in the cache of receive descriptors
	CardDescriptorHits                       // reads of these that found one
	CardSendQueueMisses                      // contexts that were not in the card
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
	CardMostLimitedPairs  // the most that were
	CardAllLimitedPairs   // all that ever were
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
	CardHeldClocks          // clocks in which pauses held back what was to be sent
	CardBlueFlameSwaps      // descriptors that others pushed out of the card again
	cardCounters
)

// ProcessorCounter is one of the counters of a logical processor's work for all ports.
type ProcessorCounter int

// The counters of a logical processor.
const (
	ProcessorBusy       ProcessorCounter = iota // microseconds of work for network adapters
	ProcessorInterrupts                         // interrupts of network adapters
	processorCounters
)

// FunctionCounter is one of the counters kept for each virtual function.
type FunctionCounter int

// The counters of a virtual function; multicast, broadcast and RDMA are parts of the totals, and of one of them each.
const (
	FunctionReceivedBytes FunctionCounter = iota
	FunctionReceivedPackets
	FunctionReceivedMulticastBytes
	FunctionReceivedMulticastPackets
	FunctionReceivedBroadcastBytes
	FunctionReceivedBroadcastPackets
	FunctionSentBytes
	FunctionSentPackets
	FunctionSentMulticastBytes
	FunctionSentMulticastPackets
	FunctionSentBroadcastBytes
	FunctionSentBroadcastPackets
	FunctionReceivedRDMABytes
	FunctionReceivedRDMAPackets
	FunctionSentRDMABytes
	FunctionSentRDMAPackets
	FunctionDropped
	FunctionWrongAddressPackets
	FunctionWrongAddressBytes
	FunctionBarredTypePackets
	FunctionBarredTypeBytes
	FunctionFirmwareUse
	FunctionFirmwareErrors
	FunctionQuotaCommands // commands that failed because they asked for more than a quota allows
	FunctionHeldReceived  // frames for it that were dropped because its virtual port is down; see Guest.Held
	FunctionHeldSent      // and that it sent
	FunctionPages         // pages of the host's memory that it has now, 4 KB each
	functionCounters
)

// ReceiveKinds is how many kinds of received packets a processor counts for a port: the counters of package rss.
const ReceiveKinds = 28

// layout is where the counters are that come after the ports' counters.
type layout struct {
	processors int
	slots      []int // rings that a port can have, of each kind
	firstRing  []int // the number of its first ring among the rings of all ports
	rings      int
	receive    []int // first cell of a port's receive rings
	send       []int
	kinds      []int // first cell of a port's counts by processor and kind, which the counts by ring and kind follow
	functions  []int
	guests     []int
	host       int
	cards      int
	virtual    int
	cells      int
}

// The most rings that a port can have, by driver (RSS-5).
const (
	maxRingsWinOF  = 64
	maxRingsWinOF2 = 16
)

func newLayout(d *description.Description) *layout {
	l := &layout{processors: d.Host.NUMANodes * d.Host.ProcessorsPerNode}
	take := func(n int) (at int) {
		at = l.cells
		l.cells += n
		return at
	}
	for i := range d.Adapters {
		l.cells += len(d.Adapters[i].Ports) * portStride
	}
	for i := range d.Adapters {
		a := &d.Adapters[i]
		for range a.Ports {
			slots := maxRingsWinOF2
			if a.Family == description.WinOF {
				slots = maxRingsWinOF
			}
			slots = min(slots, l.processors)
			l.slots = append(l.slots, slots)
			l.firstRing = append(l.firstRing, l.rings)
			l.rings += slots
			l.receive = append(l.receive, take(slots*int(receiveRingCounters)))
			l.send = append(l.send, take(slots*int(sendRingCounters)))
			l.kinds = append(l.kinds, take((l.processors+sharedWays*slots)*ReceiveKinds))
			l.functions = append(l.functions, take(MaxFunctions*int(functionCounters)))
			l.guests = append(l.guests, take(GuestSlots*int(guestCounters)))
		}
	}
	l.host = take(l.processors * int(processorCounters))
	l.cards = take(len(d.Adapters) * int(cardCounters))
	l.virtual = take(VirtualSlots * int(virtualCounters))
	return l
}

// Processors is the number of logical processors of the host.
func (l *Lab) Processors() int { return l.plant.layout.processors }

// RingSlots is how many receive rings, and how many send rings, a port can have at most; see Rings.
func (l *Lab) RingSlots(port int) int { return l.plant.layout.slots[port] }

// VirtualFunctions is how many virtual functions a port has open; see Settings.Functions.
func (l *Lab) VirtualFunctions(port int) int { return l.settings[port].Functions }

// ReceiveRingCell is the place of a receive ring's counter in Counters; rings count from 0 to RingSlots.
func (l *Lab) ReceiveRingCell(port, ring int, c ReceiveRingCounter) int {
	return l.plant.layout.receive[port] + ring*int(receiveRingCounters) + int(c)
}

// SendRingCell is the place of a send ring's counter in Counters; rings count from 0 to RingSlots.
func (l *Lab) SendRingCell(port, ring int, c SendRingCounter) int {
	return l.plant.layout.send[port] + ring*int(sendRingCounters) + int(c)
}

// KindCell is the place in Counters of the packets that a processor received from a port, by kind, which is a counter
// of package rss (RSS-3). It leaves out virtual functions, and all virtual ports but the default one;
// see VirtualPorts.
func (l *Lab) KindCell(port, processor, kind int) int {
	return l.plant.layout.kinds[port] + processor*ReceiveKinds + kind
}

// sharedWays are the ways of packets that virtual ports share: in an overlay, and without.
const sharedWays = 2

// sharedKinds are the places in Counters of the packets of a ring that virtual ports share, from the first kind on.
func (l *Lab) sharedKinds(port int, by way, ring int) int {
	row := l.plant.layout.processors + ring
	if by == byOverlay {
		row += l.plant.layout.slots[port]
	}
	return l.KindCell(port, row, 0)
}

// sharedKindsOf are all of a port.
func (l *Lab) sharedKindsOf(port int) []uint64 {
	return l.counters[l.sharedKinds(port, byHost, 0):][:sharedWays*l.plant.layout.slots[port]*ReceiveKinds]
}

// ProcessorCell is the place of a logical processor's counter in Counters.
func (l *Lab) ProcessorCell(processor int, c ProcessorCounter) int {
	return l.plant.layout.host + processor*int(processorCounters) + int(c)
}

// CardCell is the place of a card's counter in Counters.
func (l *Lab) CardCell(adapter int, c CardCounter) int {
	return l.plant.layout.cards + adapter*int(cardCounters) + int(c)
}

// FunctionCell is the place of a virtual function's counter in Counters; functions count from 0 to VirtualFunctions.
func (l *Lab) FunctionCell(port, function int, c FunctionCounter) int {
	return l.plant.layout.functions[port] + function*int(functionCounters) + int(c)
}
