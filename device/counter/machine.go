package counter

// Function is one of the counters kept for each virtual function.
type Function int

// The counters of a virtual function; multicast, broadcast and RDMA are parts of the totals, and of one of them each.
const (
	FunctionReceivedBytes Function = iota
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
	FunctionQuotaCommands   // commands that failed because they exceeded a quota
	FunctionBlockedReceived // received frames dropped because its virtual port is down; see Guest.Held
	FunctionBlockedSent     // sent frames dropped for the same reason
	FunctionPages           // pages of host memory that it uses now, 4 KB each
	FunctionCount
)

// Guest is one of the counters of each guest of a port, on both paths.
type Guest int

// The counters of a guest.
const (
	GuestReceivedBytes Guest = iota
	GuestReceivedPackets
	GuestSentBytes
	GuestSentPackets
	GuestDropped // received packets that found no descriptor
	GuestCount
)
