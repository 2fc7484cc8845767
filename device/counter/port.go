package counter

// Port is one of the counters that the hardware keeps for each port.
type Port int

// The counters of a port. Bytes are frame lengths from header to FCS.
const (
	ReceivedBytes   Port = iota // bytes of delivered frames and control frames
	ReceivedPackets             // delivered frames and control frames
	SentBytes                   // control frames included
	SentPackets                 // control frames included
	HostInBytes                 // part of ReceivedBytes for the host's network stack: all but RDMA and control
	HostInPackets
	HostInMulticast // of HostInPackets, not unicast
	HostOutBytes    // part of SentBytes from the host's network stack
	HostOutPackets
	HostOutMulticast
	ReceivedControl // MAC control frames
	SentControl     // MAC control frames
	ArrivedPackets  // all frames from the wire: delivered, discarded, without descriptor, damaged, control
	Discarded       // error-free, but no room in the receive buffer
	NoDescriptor    // no receive descriptor (WQE) in the ring
	ReceiveErrors   // damaged frames of all classes
	BadCRC          // of ReceiveErrors, wrong FCS
	SymbolErrors    // of ReceiveErrors, wrong symbol
	LinkDowns       // changes from up to down
	RDMAInBytes     // part of ReceivedBytes that is RDMA
	RDMAInFrames    // part of ReceivedPackets
	RDMAInData      // part of RDMAInBytes that is data of applications
	RDMAOutBytes    // part of SentBytes
	RDMAOutFrames   // part of SentPackets
	RDMAOutData     // part of RDMAOutBytes that is data of applications
	RDMAAccepted    // connections that peers opened
	RDMAInitiated   // connections that this end opened
	RDMAActive      // connections that are open now; a gauge
	RDMAErrors      // connections that broke
	RDMAFailed      // connections that could not be opened
	RDMAClosed      // connections that this end closed, finished or broken
	LinkUps         // changes from down to up

	// Counters of the path of a frame.

	FrameTooLong      // part of ReceiveErrors: longer than the port takes (NIC-1)
	FrameTooShort     // part of ReceiveErrors: less than 64 bytes, with the right FCS
	FrameFragments    // part of ReceiveErrors: less than 64 bytes, with a wrong FCS
	FrameJabbers      // part of ReceiveErrors: longer than the port takes, with a wrong FCS
	WireBytesReceived // all bytes from the wire, also damaged ones, without preamble and gap
	LaneErrors        // errors of a lane of the cable, all lanes
	CorrectedBits     // bits that forward error correction fixed
	OutboundDiscarded // frames that were dropped before they were sent
	HeadOfQueueDrops  // of OutboundDiscarded, because a pause exceeded the head-of-queue limit
	SendRingFullDrops // sends that found their ring full and had to wait
	SentCopied        // sends that the driver copied, because they were small or scattered
	SentQueued        // sends that waited in the driver
	SlowChecksums     // received packets whose checksum the processor and not the adapter verified
	CoalescedEvents   // RSC: packets that were joined from several segments
	CoalescedPackets  // RSC: segments in CoalescedEvents
	CoalescedBytes    // RSC: bytes of these segments
	CoalesceAborts    // RSC: times that a segment ended a joined packet early
	DroplessEntries   // times that packets began to wait for descriptors
	DroplessExits     // times that they stopped waiting
	StallsMinor       // receive stalls beyond the watermark
	StallsCritical    // receive stalls beyond the time limit

	// Work of the host's processors for the port.

	HostBusy      // microseconds of work, of all processors
	HostSends     // sends posted; one large send is many frames
	HostIndicates // times that received packets were handed to the network stack

	// RDMA transport.

	RequesterCQEErrors  // completions with an error at this end as the requester
	RetriesExceeded     // requests that failed after all transport retries
	RequesterTimeouts   // answers that timed out
	RequesterOutOfOrder // negative acknowledgements received because of a gap
	ResponderOutOfOrder // packets received after a gap
	RequesterRNR        // answers that the other end had no receive posted
	ResponderRNR        // requests that found no receive posted here
	RNRRetriesExceeded  // requests that failed after all retries because of that
	ResponderCQEErrors  // completions with an error at this end as the responder
	RequesterAccess     // answers that the memory key of a request was wrong
	ResponderAccess     // requests with a wrong memory key
	RequesterInvalid    // answers that a request was invalid
	ResponderInvalid    // invalid requests
	RequesterOperation  // answers that the peer could not execute a request
	ReceivedRDMAReads   // requests
	ReceivedRDMAWrites  // requests
	ErrorQueuePairs     // queue pairs in the error state now; a gauge

	// Work of the driver and the firmware for the port.

	Interrupts       // of receive and send rings
	PassiveReceives  // received packets that a thread found by polling
	PassiveSends     // completions of sends that a thread found by polling
	WatchDogs        // times that the rings occupied a processor beyond the limit
	Commands         // commands that the firmware executed for the driver
	PriorityUpdates  // queues whose priority changed
	InvalidPairs     // packets for queue pairs that no longer exist
	Hangs            // restarts of the driver because send queues made no progress
	StalledDiscards  // part of Discarded: because of a receive stall beyond the time limit
	RequesterFlushed // requests that were posted on broken queue pairs
	UnownedVLAN      // part of Discarded: frames in a VLAN that the host does not have

	// RDMA of applications other than SMB Direct.

	OwnFrames           // part of RDMAInFrames and RDMAOutFrames
	OwnRNR              // part of RequesterRNR
	UnreliableDiscarded // frames over unreliable connections (UC) that found no receive posted
	DatagramsDiscarded  // datagrams (UD) that found no receive posted

	// Congestion control of RoCE v2 (DCQCN).

	ECNMarked       // received RoCE v2 frames with the congestion mark
	CNPsSent        // notifications sent for them
	CNPsHandled     // notifications received that slowed a flow down
	CNPsIgnored     // notifications received for a priority that does not react
	LimitedFlows    // queue pairs under a rate limiter now; a gauge
	LimitersAdded   // times that a queue pair came under a limiter
	RateCuts        // times that the rate of queue pairs was cut
	LimitersRemoved // times that a queue pair left a limiter
	ShapedFrames    // RDMA frames sent under a rate limiter
	FreeFrames      // RDMA frames sent without a rate limiter
	StepRaised      // times that the additive step of the rate was raised
	StepLowered     // and lower
	GainRaised      // times that the gain of alpha was raised
	GainLowered     // and lower

	// The part of the traffic that belongs to virtual functions; see Function.

	FunctionsReceivedBytes
	FunctionsReceivedPackets
	FunctionsReceivedMulticastBytes
	FunctionsReceivedMulticastPackets
	FunctionsSentBytes
	FunctionsSentPackets
	FunctionsSentMulticastBytes
	FunctionsSentMulticastPackets
	FunctionsReceivedRDMABytes
	FunctionsReceivedRDMAPackets
	FunctionsSentRDMABytes
	FunctionsSentRDMAPackets
	FunctionsDropped
	FunctionsWrongAddress   // frames with a wrong source address
	FunctionsDisallowedType // frames with a disallowed Ethertype
	FunctionsFirmwareUse    // use of the firmware, a sum of percentages
	FunctionsFirmwareErrors // failed commands

	// The traffic of virtual machines through the host, without virtual functions.

	SyntheticReceivedBytes
	SyntheticReceivedPackets
	SyntheticSentBytes
	SyntheticSentPackets
	SyntheticDropped // received packets that found no descriptor

	// The encapsulated part of the synthetic traffic: of machines in virtual subnets, see Overlay.

	OverlayReceivedBytes
	OverlayReceivedPackets
	OverlaySentBytes
	OverlaySentPackets
	OverlayDropped

	// Counters that are derived from the counters above; see derive.

	LaneErrors1           // part of LaneErrors on the cable's second lane
	LaneErrors2           // on the third lane
	LaneErrors3           //
	RDMAMessages          // requests of RDMA applications, and their answers
	ShapedTurns           // send turns of queue pairs under a rate limiter
	FreeTurns             // send turns without a rate limiter
	CoalescingConnections // TCP connections with coalesced segments now
	PortCount             // the number of counters
)
