package device

// Counter is one of the counters that the hardware keeps for each port.
type Counter int

// The counters of a port. Bytes are frame lengths from header to FCS.
const (
	ReceivedBytes   Counter = iota // of delivered frames and control frames
	ReceivedPackets                // delivered frames and control frames
	SentBytes                      // control frames included
	SentPackets                    // control frames included
	HostInBytes                    // part of ReceivedBytes that goes up the host's network stack: all but RDMA and control
	HostInPackets
	HostInMulticast // of these, not unicast
	HostOutBytes    // part of SentBytes that came down the host's network stack
	HostOutPackets
	HostOutMulticast
	ReceivedControl // MAC control frames
	SentControl     // MAC control frames
	ArrivedPackets  // all that came off the wire: delivered, discarded, without descriptor, damaged, control
	Discarded       // error-free, but no room in the receive buffer
	NoDescriptor    // no receive descriptor (WQE) in the ring
	ReceiveErrors   // damaged frames of all classes
	BadCRC          // of these, wrong FCS
	SymbolErrors    // of these, wrong symbol
	LinkDowns       // changes from up to down
	RDMAInBytes     // part of ReceivedBytes that is RDMA
	RDMAInFrames    // part of ReceivedPackets
	RDMAOutBytes    // part of SentBytes
	RDMAOutFrames   // part of SentPackets
	RDMAAccepted    // connections that peers opened
	RDMAInitiated   // connections that this end opened
	RDMAActive      // connections that are open now; the one that goes both ways
	RDMAErrors      // connections that broke
	LinkUps         // changes from down to up

	// What the path of a frame adds to the counters above.

	FrameTooLong      // part of ReceiveErrors: longer than the port takes (NIC-1)
	WireBytesReceived // all bytes that came off the wire, damaged ones too, without preamble and gap
	LaneErrors        // errors of a lane of the cable, all lanes
	CorrectedBits     // bits that forward error correction mended
	OutboundDiscarded // frames that were to be sent and were thrown away
	HeadOfQueueDrops  // of these, because a pause outlasted the head-of-queue limit
	SendRingFullDrops // sends that found their ring full and had to wait
	SentCopied        // sends that the driver copied, because they were small or scattered
	SentQueued        // sends that waited in the driver
	SlowChecksums     // received packets whose checksum the processor and not the adapter verified
	CoalescedEvents   // RSC: results that were made of several segments
	CoalescedPackets  // RSC: segments in them
	CoalescedBytes    // RSC: bytes of these
	CoalesceAborts    // RSC: times that a segment ended a result before its time
	StallsMinor       // receive stalls beyond the watermark
	StallsCritical    // receive stalls beyond the time limit

	// RDMA transport.

	RequesterCQEErrors  // completions with an error at this end as the requester
	RetriesExceeded     // requests that were given up after all transport retries
	RequesterTimeouts   // answers that did not come in time
	RequesterOutOfOrder // negative acknowledgements received because of a gap
	ResponderOutOfOrder // packets received after a gap
	ReceivedRDMAReads   // requests
	ReceivedRDMAWrites  // requests
	ErrorQueuePairs     // queue pairs in the error state now; goes both ways

	// Congestion control of RoCE v2 (DCQCN).

	ECNMarked       // received RoCE v2 frames with the congestion mark
	CNPsSent        // notifications sent for them
	CNPsHandled     // notifications received that slowed a flow down
	CNPsIgnored     // notifications received for a priority that does not react
	LimitedFlows    // queue pairs under a rate limiter now; goes both ways
	LimitersAdded   // times that a queue pair came under a limiter
	RateCuts        // times that the rate of queue pairs was cut
	LimitersRemoved // times that one was released

	// The part of the traffic that belongs to virtual functions; see Function.

	FunctionsReceivedBytes
	FunctionsReceivedPackets
	FunctionsReceivedMulticastBytes
	FunctionsReceivedMulticastPackets
	FunctionsSentBytes
	FunctionsSentPackets
	FunctionsReceivedRDMABytes
	FunctionsReceivedRDMAPackets
	FunctionsSentRDMABytes
	FunctionsSentRDMAPackets
	FunctionsDropped
	portCounters // how many there are
)

// PriorityCounter is one of the counters kept for each priority of a port.
type PriorityCounter int

// The counters of a priority.
const (
	PriorityReceivedBytes PriorityCounter = iota
	PriorityReceivedPackets
	PrioritySentBytes
	PrioritySentPackets
	// PauseSent are pause frames sent; FarEndPaused is the time in microseconds that the far end was told to stop.
	PauseSent
	FarEndPaused
	// PauseReceived are pause frames received; SelfPaused is the time in microseconds that this end was held back.
	PauseReceived
	SelfPaused
	PriorityDiscarded
	// PrioritySentDiscards are frames thrown away before they were sent.
	PrioritySentDiscards
	// PriorityECNMarked are received RoCE v2 frames with the congestion mark; PriorityECNIgnored those of them that
	// no notification answers, because the priority does not notify.
	PriorityECNMarked
	PriorityECNIgnored
	PriorityCNPsSent
	PriorityCNPsHandled
	PriorityCNPsIgnored
	// PriorityLimiters are the queue pairs that have come under a rate limiter.
	PriorityLimiters
	priorityCounters
)

// Untagged is the instance beside priorities 0 to 7 that frames without a tag and global pause count on.
const Untagged = 8

// Priorities is how many instances there are: eight priorities and Untagged.
const Priorities = 9

// portStride is the number of cells of one port.
const portStride = int(portCounters) + Priorities*int(priorityCounters)

// Cell is the place of a port's counter in Counters.
func Cell(port int, c Counter) int { return port*portStride + int(c) }

// PriorityCell is the place of a priority's counter in Counters.
func PriorityCell(port, priority int, c PriorityCounter) int {
	return port*portStride + int(portCounters) + priority*int(priorityCounters) + int(c)
}

// Counters are all counters of all ports, in the order of Ports, then those of rings, processors,
// cards and virtual functions; see the functions that give cells. The slice is the lab's own:
// it may be read until the next Advance, and must not be written.
func (l *Lab) Counters() []uint64 {
	l.fillFunctions()
	return l.counters
}
