package counter

// ReceiveRing is one of the counters kept for each receive ring of a port.
type ReceiveRing int

// The counters of a receive ring. Counters that say "now" rise and fall.
const (
	RingPackets          ReceiveRing = iota // packets that the host took from the ring
	RingBytes                               // their bytes
	RingDropped                             // packets that found no descriptor in the ring
	RingInterrupts                          // interrupts
	RingInterruptPackets                    // packets of RingPackets that were handled after an interrupt
	RingPollingPackets                      // packets of RingPackets that polling found
	RingFewIndicates                        // times that the network stack was handed less than 40 packets to keep
	RingSomeIndicates                       // times that it was handed 40 to 79 of them
	RingManyIndicates                       // times that it was handed more
	RingLowIndicates                        // times that it had to give the buffers back at once
	RingTransitions                         // changes between latency and bandwidth traffic
	RingLowResource                         // packets handed up with the request to give the buffer back at once
	RingMaxReceives                         // times that a pass took as many packets as it may
	RingECNMarkedIPv4                       // packets with the congestion mark
	RingECNMarkedIPv6
	RingSingleStarvations // passes that ran for longer than one may
	RingTotalStarvations  // times that all passes together ran for longer than they may
	RingPosted            // buffers in the ring now
	RingProcessor         // the processor that serves the ring now
	RingAverage           // packets in an indication now
	ReceiveRingCount
)

// SendRing is one of the counters kept for each send ring of a port.
type SendRing int

// The counters of a send ring. Counters that say "now" rise and fall.
const (
	SendRingPosted           SendRing = iota // sends posted; one large send is many frames
	SendRingCompleted                        // sends completed
	SendRingPackets                          // frames that became of them
	SendRingFull                             // sends that found the ring full
	SendRingCopied                           // sends that the driver copied
	SendRingInterruptPackets                 // packets of SendRingCompleted that were completed after an interrupt
	SendRingPollingPackets                   // packets of SendRingCompleted that polling found
	SendRingInterrupts                       // interrupts
	SendRingTransitions                      // changes between latency and bandwidth traffic
	SendRingAverage                          // completions in a pass now
	SendRingProcessor                        // the processor that serves the ring now
	SendRingCount
)
