package setup

import (
	"fmt"

	"cxdeck/device/counter"
	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/ring"
)

// Port is the driver's setup of a port when the miniport starts. The names in brackets are the registry keys that
// they come from.
type Port struct {
	// MaxFrame is the largest frame in bytes with header, without FCS (*JumboPacket).
	MaxFrame int
	// ReceiveBuffers and TransmitBuffers are the descriptors of a ring (*ReceiveBuffers, *TransmitBuffers).
	ReceiveBuffers, TransmitBuffers int

	// RSS spreads what is received over rings (*RSS); Queues and MaxProcessors bound their number (*NumRSSQueues,
	// *MaxRSSProcessors); RSSUDP and RSSRawIP hash these packets, too (UseRSSForUDP, UseRSSForRawIP).
	RSS, RSSUDP, RSSRawIP bool
	Queues, MaxProcessors int
	// MachineQueues keeps as many rings as RSS would have, as queues of virtual machines (*RssOrVmqPreference, *VMQ). Without
	// RSS the host and all that has no queue of its own use the first of them.
	MachineQueues bool
	// BaseProcessor is the first processor of the rings in its group (*RssBaseProcNumber), ProcessorGroup the group
	// (*RssBaseProcGroup), Node the NUMA node that they stay on, or AnyNode (*NumaNodeID).
	BaseProcessor, ProcessorGroup, Node int
	// DefaultProcessor serves packets without a hash (DefaultRecvRingProcessor); -1 is the processor of the first ring.
	DefaultProcessor int

	// Moderation lets several packets share an interrupt (*InterruptModeration); ReceiveProfile and SendProfile are 0
	// low latency, 1 moderate, 2 aggressive (RxIntModerationProfile, TxIntModerationProfile); AdaptiveModeration
	// follows the traffic (RxIntModeration), between bounds in packets a second (pkt_rate_low, pkt_rate_high).
	Moderation, AdaptiveModeration bool
	ReceiveProfile, SendProfile    int
	RateLow, RateHigh              int
	// Completion is how receive completions are found (RecvCompletionMethod). A ring that polls goes on with more packets than
	// PassThreshold in its last pass, or more than AverageThreshold on average, in which a pass has a weight of so many 256ths
	// as AverageFactor says (ThisPollThreshold, AveragePollThreshold, AverageFactor). IdleCycles is how often it looks in vain
	// before it waits for an interrupt (ThreadPoll).
	Completion                                     CompletionMethod
	PassThreshold, AverageThreshold, AverageFactor int
	IdleCycles                                     int
	// KeepsBursts keeps packets in a reserve when the ring is empty (AsyncReceiveIndicate).
	KeepsBursts bool

	// AsksPause: a receive buffer that fills sends global pause. ObeysPause: a global pause that is received holds
	// sending (*FlowControl). Lossless has a bit for each priority with PFC; PFC and global pause exclude each
	// other, and PFC wins.
	AsksPause, ObeysPause bool
	Lossless              uint8
	// UntaggedLossless gives frames without a tag room in the lossless part of the receive buffer, too, while there is PFC
	// (RxUntaggedMapToLossless). UntaggedPriority is the priority that they count for; 0 counts them on their own
	// (DefaultUntaggedPriority).
	UntaggedLossless bool
	// BarePriority sends frames that have a priority and no VLAN without the tag (TxUntagPriorityTag). They still count
	// for their priority.
	BarePriority     bool
	UntaggedPriority int
	// DropsHeadOfQueue throws frames away that a pause has held for too long (TCHeadOfQueueLifeTimeLimitEnable).
	DropsHeadOfQueue bool

	// LargeSend hands large TCP sends to the adapter (*LsoV2IPv4, *LsoV2IPv6), of up to LargeSendBytes (LSOSize).
	// LargeSendLeast is the minimum number of segments of such a send (LSOMinSegment), LargeSendOptions cuts also
	// segments with TCP options (LSOTcpOptions).
	LargeSendIPv4, LargeSendIPv6   bool
	LargeSendBytes, LargeSendLeast int
	LargeSendOptions               bool
	// SendDistribution chooses the ring of what is sent (TxHashDisrtibution).
	SendDistribution ring.Distribution
	// SendProcessor deals with sends that are done (TxInterruptProcessor); -1 is the sending processor.
	SendProcessor int
	// SendBuffers is how many buffers small sends are copied into (NumTcb).
	SendBuffers int
	// The checksums that the adapter makes: 0 none, 1 of sent, 2 of received packets, 3 of both
	// (*TCPChecksumOffloadIPv4 and its like).
	ChecksumTCPIPv4, ChecksumTCPIPv6, ChecksumUDPIPv4, ChecksumUDPIPv6 int
	// ChecksumHeader is the same for the checksum of an IPv4 header (*IPChecksumOffloadIPv4).
	ChecksumHeader int
	// InnerOffload does all of this for what is inside of VXLAN packets, too (*EncapsulatedPacketTaskOffloadVxlan); TunnelPort
	// is the UDP port by which the adapter knows them (*VxlanUDPPortNumber). OverlayOffload does it for what is inside of
	// NVGRE packets (*EncapsulatedPacketTaskOffload).
	InnerOffload   bool
	OverlayOffload bool
	TunnelPort     int
	// CoalesceIPv4 and CoalesceIPv6 join received segments (*RscIPv4, *RscIPv6).
	CoalesceIPv4, CoalesceIPv6 bool

	// QoS makes PFC and ETS act (*QOS). Shares are the ETS percentages of the priorities, StrictPriorities has a bit
	// for each that goes before all others.
	QoS              bool
	Shares           [8]float64
	StrictPriorities uint8
	// TrustDSCP takes a received packet's priority from its DSCP and not from its tag (RxTrustedState 2).
	TrustDSCP bool
	// VLAN is the id of the port's own VLAN, 0 for none (VlanId). Promiscuous takes frames of all VLANs (PromiscuousVlan). Tags has
	// a bit for priorities and one for VLANs in the tags that the port writes and reads (*PriorityVLANTag).
	VLAN, Tags  int
	Promiscuous bool
	// IgnoreFCS takes damaged frames (IgnoreFCS).
	IgnoreFCS bool

	// BlueFlame writes small descriptors into the card at once while it has little to do (BlueFlame).
	BlueFlame bool
	// DropTimeout is for how long a packet waits for a descriptor in dropless mode, in units of 100 µs; 0 allows no
	// such mode, UnlimitedWait has no end (DelayDropTimeout).
	DropTimeout int
	// StallWatermark and StallTimeout are after how many milliseconds without a packet taken by the host the port counts
	// a stall, and stops to ask for pauses; 0 is never (DeviceRxStallWatermark, DeviceRxStallTimeout).
	StallWatermark, StallTimeout int

	// CountRSS keeps the counts of received packets by processor and kind (RssMonitoringEnabled), CountFromStart from
	// the start of the driver and not only when someone looks (RssCountersActivatedAtStartup).
	CountRSS, CountFromStart bool

	// RoCE is how RDMA travels, NoRoCE is no RDMA (roce_mode, *NetworkDirect); see rdma.go. RDMAPayload is the maximum
	// data of an RDMA packet in bytes (RoceMaxFrameSize); 0 fills the frame (ROCE-10).
	RoCE        description.RoCEMode
	RDMAPayload int
	// RoCEUnheard: requests for RDMA connections don't reach their peers (roce_udp_dport, MaxCMRetries). SendsWithoutCredit: a
	// requester does not wait until the other end has receives posted (RoceRcE2EFlowControlEnable).
	RoCEUnheard, SendsWithoutCredit bool
	// NoticePriority is the priority of the port's congestion notifications; OfMarked copies it from the marked packet
	// (DcqcnCnpPrioMode, DcqcnCnp802pPrio).
	NoticePriority int

	// Address is the MAC address in place of the card's own (NetworkAddress); zero keeps the card's.
	Address description.MAC

	// Functions is how many virtual functions the port opens (PermitSriov, SriovPortMode,
	// MaxVFPort1, *SRIOV). Bars are the kinds of frames that they may not send (VFAllowedTxEtherTypeListEnable,
	// VFAllowedTxEtherType0).
	Functions int
	Bars      FrameTypeSet

	// Congestion are the parameters of congestion control.
	Congestion dcqcn.Parameters
}

// AnyNode means no restriction to a NUMA node.
const AnyNode = -1

// OfMarked is the priority of the packet that was marked.
const OfMarked = -1

// VXLANPort is the UDP port of the lab's tunnels, as in the standard.
const VXLANPort = 4789

// UnlimitedWait is the DropTimeout without a time limit.
const UnlimitedWait = 65535

// CompletionMethod is how a ring's completions are found (NIC-13).
type CompletionMethod uint8

// The methods, numbered as in the registry.
const (
	Polling  CompletionMethod = iota // always
	Adaptive                         // after an interrupt, for as long as it pays
)

// The bits of *PriorityVLANTag.
const (
	TagPriority = 1 << iota
	TagVLAN
)

// DefaultPort returns the default setup of a driver family. Receive coalescing is off, as on Windows Server 2019
// (NIC-17).
func DefaultPort(family description.Family, port *description.Port) Port {
	s := Port{
		MaxFrame: port.MaxFrame, ReceiveBuffers: 512, TransmitBuffers: 2048,
		RSS: true, RSSUDP: true, RSSRawIP: true, Queues: 8, MaxProcessors: 8,
		BaseProcessor: port.BaseProcessor, Node: AnyNode, DefaultProcessor: -1,
		Moderation: true, AdaptiveModeration: true, ReceiveProfile: 2, SendProfile: 1,
		RateLow: 150000, RateHigh: 170000, Completion: Adaptive,
		PassThreshold: 100, AverageThreshold: 10, AverageFactor: 16, IdleCycles: 10_000, DropsHeadOfQueue: true,
		AsksPause: port.FlowControl == description.GlobalPause, ObeysPause: port.FlowControl == description.GlobalPause,
		LargeSendIPv4: true, LargeSendIPv6: true, LargeSendBytes: 64000, LargeSendLeast: 2, LargeSendOptions: true,
		SendDistribution: ring.ByHashAndSize, SendProcessor: -1, SendBuffers: 16, ChecksumHeader: 3, InnerOffload: true, OverlayOffload: true,
		TunnelPort:     VXLANPort,
		NoticePriority: OfMarked, Functions: port.VirtualFunctions, Bars: SetOfFrameTypes(TrialFrame),
		ChecksumTCPIPv4: 3, ChecksumTCPIPv6: 3, ChecksumUDPIPv4: 3, ChecksumUDPIPv6: 3,
		Tags: TagPriority | TagVLAN,
		QoS:  true, BlueFlame: true, RoCE: port.RoCE, Shares: [8]float64{12.5, 12.5, 12.5, 12.5, 12.5, 12.5, 12.5, 12.5},
		StallWatermark: 500, StallTimeout: 1000, // the manuals give no defaults
		Congestion: dcqcn.Defaults(),
	}
	if port.FlowControl == description.PriorityPause {
		s.Lossless = uint8(PrioritySet(port.Lossless))
	}
	if family == description.WinOF && port.Link == description.Ethernet {
		s.ReceiveBuffers = 4096
	}
	if family == description.WinOF2 { // no key of its manuals switches the counts by processor on: they are always there
		s.DropTimeout = 50
		s.CountRSS, s.CountFromStart = true, true
	}
	for _, p := range port.CongestionControl {
		s.Congestion[dcqcn.RPEnable+dcqcn.Parameter(p)] = 1
		s.Congestion[dcqcn.NPEnable+dcqcn.Parameter(p)] = 1
	}
	return s
}

// Check finds values that no adapter could be set up with; what the registry allows is the driver's business.
func (s *Port) Check() error {
	for _, bound := range []struct {
		name            string
		value, low, top int
	}{
		{"the largest frame", s.MaxFrame, 614, 9614},
		{"the number of receive buffers", s.ReceiveBuffers, 1, 65536},
		{"the number of transmit buffers", s.TransmitBuffers, 1, 65536},
		{"the number of queues", s.Queues, 0, 1024},
		{"the number of processors", s.MaxProcessors, 0, 1024},
		{"the base processor", s.BaseProcessor, 0, 1024},
		{"the processor group", s.ProcessorGroup, 0, 64},
		{"the NUMA node", s.Node, AnyNode, 64},
		{"the default processor", s.DefaultProcessor, -1, 1024},
		{"the receive profile", s.ReceiveProfile, 0, 2},
		{"the send profile", s.SendProfile, 0, 2},
		{"the low packet rate", s.RateLow, 0, 1e9},
		{"the high packet rate", s.RateHigh, 0, 1e9},
		{"the completion method", int(s.Completion), 0, 1},
		{"the largest send", s.LargeSendBytes, 0, 1 << 20},
		{"the fewest segments of a large send", s.LargeSendLeast, 2, 32},
		{"the distribution of sends", int(s.SendDistribution), 1, 3},
		{"the processor of sends that are done", s.SendProcessor, -1, 1024},
		{"the number of send buffers", s.SendBuffers, 1, 64},
		{"the IPv4 header checksum offload", s.ChecksumHeader, 0, 3},
		{"the UDP port of tunnels", s.TunnelPort, 0, 65535},
		{"the priority of notifications of congestion", s.NoticePriority, OfMarked, 7},
		{"the number of virtual functions", s.Functions, 0, counter.MaxFunctions},
		{"the threshold of a pass", s.PassThreshold, 0, 1000},
		{"the threshold of the average pass", s.AverageThreshold, 0, 1000},
		{"the weight of a pass in the average", s.AverageFactor, 0, 256},
		{"the number of idle cycles", s.IdleCycles, 0, 200_000},
		{"the priority of frames without a tag", s.UntaggedPriority, 0, 7},
		{"the VLAN of a port", s.VLAN, 0, description.MaxVLAN + 1},
		{"the tags", s.Tags, 0, TagPriority | TagVLAN},
		{"the RoCE mode", int(s.RoCE), int(description.NoRoCE), int(description.RoCEv2)},
		{"the data of an RDMA packet", s.RDMAPayload, 0, 4096},
		{"the timer of dropless mode", s.DropTimeout, 0, UnlimitedWait},
		{"the watermark of stalls", s.StallWatermark, 0, 1e9},
		{"the time limit of stalls", s.StallTimeout, 0, 1e9},
		{"the TCP checksum offload for IPv4", s.ChecksumTCPIPv4, 0, 3},
		{"the TCP checksum offload for IPv6", s.ChecksumTCPIPv6, 0, 3},
		{"the UDP checksum offload for IPv4", s.ChecksumUDPIPv4, 0, 3},
		{"the UDP checksum offload for IPv6", s.ChecksumUDPIPv6, 0, 3},
	} {
		if bound.value < bound.low || bound.value > bound.top {
			return fmt.Errorf("%s must be %d to %d, not %d", bound.name, bound.low, bound.top, bound.value)
		}
	}
	for priority, share := range s.Shares {
		if !(share >= 0 && share <= 100) {
			return fmt.Errorf("the share of priority %d must be 0 to 100 percent, not %v", priority, share)
		}
	}
	return nil
}

// ReachesPeers says whether the RDMA of a port reaches its peers, which all use v2.
func (s *Port) ReachesPeers() bool { return s.RoCE == description.RoCEv2 && !s.RoCEUnheard }

// PrioritySet has a bit for each of these priorities.
func PrioritySet(priorities []int) (set uint16) {
	for _, p := range priorities {
		set |= 1 << p
	}
	return set
}
