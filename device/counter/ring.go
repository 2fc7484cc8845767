package counter

// ReceiveRing is one of the counters kept for each receive ring of a port.
type ReceiveRing int

// The counters of a receive ring. Counters whose comment ends in "now" are gauges.
const (
	RingPackets ReceiveRing = iota // packets that the host took from the ring
	RingBytes                      // bytes of RingPackets
	RingDropped                    // packets that found no descriptor in the ring
	RingInterrupts
	RingInterruptPackets // packets of RingPackets that were handled after an interrupt
	RingPollingPackets   // packets of RingPackets that polling found
	RingFewIndicates     // receive indications of less than 40 packets, which the network stack may keep
	RingSomeIndicates    // receive indications of 40 to 79 packets
	RingManyIndicates    // receive indications of 80 packets or more
	RingLowIndicates     // receive indications with the request to return the buffers at once
	RingTransitions      // changes between latency and bandwidth traffic
	RingLowResource      // packets indicated with the request to return the buffer at once
	RingMaxReceives      // DPC passes that reached the packet limit
	RingECNMarkedIPv4    // packets with the congestion mark
	RingECNMarkedIPv6
	RingSingleStarvations // DPC passes that exceeded their time limit
	RingTotalStarvations  // times that all passes together exceeded their time limit
	RingPosted            // buffers in the ring now
	RingProcessor         // the processor that serves the ring now
	RingAverage           // packets in an indication now
	ReceiveRingCount
)

// SendRing is one of the counters kept for each send ring of a port.
type SendRing int

// The counters of a send ring. Counters whose comment ends in "now" are gauges.
const (
	SendRingPosted           SendRing = iota // sends posted; one large send is many frames
	SendRingCompleted                        // sends completed
	SendRingPackets                          // frames of the posted sends
	SendRingFull                             // sends that found the ring full
	SendRingCopied                           // sends that the driver copied
	SendRingInterruptPackets                 // packets of SendRingCompleted that were completed after an interrupt
	SendRingPollingPackets                   // packets of SendRingCompleted that polling found
	SendRingInterrupts
	SendRingTransitions // changes between latency and bandwidth traffic
	SendRingAverage     // completions in a pass now
	SendRingProcessor   // the processor that serves the ring now
	SendRingCount
)
