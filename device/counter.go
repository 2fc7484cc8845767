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
	portCounters    // how many there are
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

// Counters are all counters of all ports, in the order of Ports; see Cell and PriorityCell. The slice is the lab's own:
// it may be read until the next Advance, and must not be written.
func (l *Lab) Counters() []uint64 { return l.counters }
