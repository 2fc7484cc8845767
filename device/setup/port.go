package setup

import (
	"fmt"

	"cxdeck/device/bounds"
	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/dscp"
	"cxdeck/device/ring"
)

// Port is the driver's setup of a port when the miniport starts. The tag key names the registry key that sets a field; fields
// without the tag name the keys that they are derived from in brackets. The tag range holds the minimum and the maximum.
type Port struct {
	// MaxFrame is the largest frame in bytes with header, without FCS.
	MaxFrame int `key:"*JumboPacket" range:"614 9614"`
	// ReceiveBuffers and TransmitBuffers are the descriptors of a ring.
	ReceiveBuffers  int `key:"*ReceiveBuffers" range:"1 65536"`
	TransmitBuffers int `key:"*TransmitBuffers" range:"1 65536"`

	// RSS distributes received packets over rings; Queues and MaxProcessors limit the number of rings; RSSUDP and RSSRawIP
	// also hash UDP and raw IP packets.
	RSS           bool `key:"*RSS"`
	RSSUDP        bool `key:"UseRSSForUDP"`
	RSSRawIP      bool `key:"UseRSSForRawIP"`
	Queues        int  `key:"*NumRSSQueues" range:"0 1024"`
	MaxProcessors int  `key:"*MaxRSSProcessors" range:"0 1024"`
	// MachineQueues uses as many rings as RSS would have as queues of virtual machines (*RssOrVmqPreference, *VMQ). Without
	// RSS the host, and each virtual machine without a queue of its own, uses the first ring.
	MachineQueues bool
	// BaseProcessor is the first processor of the rings within ProcessorGroup; Node is the NUMA node of the rings, or AnyNode.
	BaseProcessor  int `key:"*RssBaseProcNumber" range:"0 1024"`
	ProcessorGroup int `key:"*RssBaseProcGroup" range:"0 64"`
	Node           int `key:"*NumaNodeID" range:"-1 64"`
	// DefaultProcessor handles packets without a hash (DefaultRecvRingProcessor); -1 is the processor of the first ring.
	DefaultProcessor int `range:"-1 1024"`

	// Moderation lets several packets share an interrupt; ReceiveProfile and SendProfile are 0 low latency, 1 moderate, 2
	// aggressive; AdaptiveModeration follows the traffic (RxIntModeration), between bounds in packets per second.
	Moderation         bool `key:"*InterruptModeration"`
	AdaptiveModeration bool
	ReceiveProfile     int `key:"RxIntModerationProfile" range:"0 2"`
	SendProfile        int `key:"TxIntModerationProfile" range:"0 2"`
	RateLow            int `key:"pkt_rate_low" range:"0 1000000000"`
	RateHigh           int `key:"pkt_rate_high" range:"0 1000000000"`
	// Completion is the method by which receive completions are found (RecvCompletionMethod). A polling ring continues after more than
	// PassThreshold packets in its last pass, or more than AverageThreshold on average; the last pass has a weight of
	// AverageFactor/256 in the average. IdleCycles is the number of empty passes before the ring waits for an interrupt.
	Completion       CompletionMethod `range:"0 1"`
	PassThreshold    int              `key:"ThisPollThreshold" range:"0 1000"`
	AverageThreshold int              `key:"AveragePollThreshold" range:"0 1000"`
	AverageFactor    int              `key:"AverageFactor" range:"0 256"`
	IdleCycles       int              `key:"ThreadPoll" range:"0 200000"`
	// KeepsBursts holds packets in a reserve when the ring is empty; Reserve is the size of the reserve in rings.
	KeepsBursts bool `key:"AsyncReceiveIndicate"`
	Reserve     int  `key:"RfdReservationFactor" range:"0 64"`
	// ReturnThreshold is the number of used receive buffers that collect before the driver returns them to the card; 0 means two
	// thirds of the ring.
	ReturnThreshold int `key:"ReturnPacketThreshold" range:"0 65536"`
	// SplitsHeaders puts header and payload of received packets into two buffers. ThreadedDPC lets other work preempt the
	// driver's DPCs. MulticastFilters is the number of multicast groups that the card filters; Windows filters if there are more.
	SplitsHeaders    bool `key:"*HeaderDataSplit"`
	ThreadedDPC      bool
	MulticastFilters int `key:"MaxNumOfMCList" range:"0 1024"`

	// AsksPause sends global pause frames when the receive buffer fills, ObeysPause stops sending on received ones
	// (*FlowControl). Lossless has a bit for each priority with PFC; a port has either PFC or global pause, and PFC takes
	// precedence.
	AsksPause, ObeysPause bool
	Lossless              uint8
	// UntaggedLossless puts untagged frames into the lossless receive buffer while PFC is on. UntaggedPriority is the priority
	// under which untagged frames are counted; 0 counts them separately.
	UntaggedLossless bool `key:"RxUntaggedMapToLossless"`
	// BarePriority sends frames with a priority but without a VLAN untagged, and so do the peers. Sent frames are still counted
	// under their priority.
	BarePriority     bool `key:"TxUntagPriorityTag"`
	UntaggedPriority int  `key:"DefaultUntaggedPriority" range:"0 7"`
	// DropsHeadOfQueue drops frames that a pause has held for longer than HeadLimit.
	DropsHeadOfQueue bool `key:"TCHeadOfQueueLifeTimeLimitEnable"`
	// HeadLimit is in milliseconds; 0 means DefaultHeadLimit, as in labs that were saved without the field.
	HeadLimit int `key:"TCHeadOfQueueLifeTimeLimit" range:"0 60000"`
	// PauseSends and PauseObeys have a bit for each priority for which the port may send and obey PFC frames (PerPriRxPause,
	// PerPriTxPause).
	PauseSends, PauseObeys uint8
	// PauseUnderDebugger keeps flow control on while a kernel debugger is attached (AllowFlowControlUnderDebugger).
	PauseUnderDebugger bool

	// LargeSendIPv4 and LargeSendIPv6 pass TCP sends of up to LargeSendBytes to the adapter for segmentation. LargeSendMin is the
	// minimum number of segments of such a send; LargeSendOptions includes sends with TCP options.
	LargeSendIPv4    bool `key:"*LsoV2IPv4"`
	LargeSendIPv6    bool `key:"*LsoV2IPv6"`
	LargeSendBytes   int  `key:"LSOSize" range:"0 1048576"`
	LargeSendMin     int  `key:"LSOMinSegment" range:"2 32" json:"LargeSendLeast"`
	LargeSendOptions bool `key:"LSOTcpOptions"`
	// SendDistribution chooses the ring of sent packets (TxHashDisrtibution).
	SendDistribution ring.Distribution `range:"1 3"`
	// SendRings is the number of send rings (TxRingNum, of drivers that read it); 0 is all of them.
	SendRings int `range:"0 64" json:",omitempty"`
	// SendProcessor handles send completions (TxInterruptProcessor); -1 is the sending processor.
	SendProcessor int `range:"-1 1024"`
	// Forwards gives half of the send work to a second processor (SingleStream): ForwardProcessor, where -1 means the processor
	// after the one of the last ring.
	Forwards         bool `key:"SingleStream"`
	ForwardProcessor int  `range:"-1 1024"`
	// FastDatagram is the longest UDP datagram in bytes that Windows sends on its fast path (FastSendDatagramThreshold). Window
	// is the fixed TCP window in bytes, 0 for none (TcpWindowSize). SlowRecovery: TCP has no selective acknowledgements
	// (SackOpts 0).
	FastDatagram int `range:"0 65536"`
	Window       int `range:"0 1073741824"`
	SlowRecovery bool
	// SendBuffers is the number of buffers that small sends are copied into.
	SendBuffers int `key:"NumTcb" range:"1 64"`
	// The checksums that the adapter computes: 0 none, 1 of sent packets, 2 of received packets, 3 of both.
	ChecksumTCPIPv4 int `key:"*TCPUDPChecksumOffloadIPv4" range:"0 3"`
	ChecksumTCPIPv6 int `key:"*TCPUDPChecksumOffloadIPv6" range:"0 3"`
	ChecksumUDPIPv4 int `key:"*TCPUDPChecksumOffloadIPv4" range:"0 3"`
	ChecksumUDPIPv6 int `key:"*TCPUDPChecksumOffloadIPv6" range:"0 3"`
	// ChecksumHeader is the same for IPv4 header checksums.
	ChecksumHeader int `key:"*IPChecksumOffloadIPv4" range:"0 3"`
	// InnerOffload extends checksum and send offload to the inner packets of VXLAN, which the adapter recognises by the UDP port
	// TunnelPort; OverlayOffload extends them to the inner packets of NVGRE.
	InnerOffload   bool `key:"*EncapsulatedPacketTaskOffloadVxlan"`
	OverlayOffload bool `key:"*EncapsulatedPacketTaskOffload"`
	TunnelPort     int  `key:"*VxlanUDPPortNumber" range:"0 65535"`
	// CoalesceIPv4 and CoalesceIPv6 join received segments (*RscIPv4, *RscIPv6).
	CoalesceIPv4, CoalesceIPv6 bool

	// QoS enables PFC and ETS. Shares are the ETS percentages of the priorities, StrictPriorities has a bit for each priority
	// with strict precedence.
	QoS              bool `key:"*QOS"`
	Shares           [8]float64
	StrictPriorities uint8
	// Joined puts priorities into one traffic class: 1 + the priority whose share and strictness count for the class, or 0
	// for a priority with a class of its own.
	Joined [8]uint8 `json:",omitzero"`
	// Limits are the maximum send rates of the classes in Mbit/s, each at the priority that Class returns for its class; 0 means no limit.
	Limits [8]int `json:",omitzero"`
	// LLDP is the port's part in DCBX.
	LLDP LLDP `json:",omitzero"`
	// TrustDSCP takes a received packet's priority from its DSCP and not from its tag (RxTrustedState 2).
	TrustDSCP bool
	// DSCP is the DSCP of RDMA packets by priority (PriorityToDscpMappingTable_0 to 7), GlobalDSCP the DSCP of all RDMA packets
	// under global pause. DSCPClasses chooses the traffic class of sent IP packets by their DSCP.
	DSCP        dscp.Map
	GlobalDSCP  int  `key:"DscpForGlobalFlowControl" range:"0 63"`
	DSCPClasses bool `key:"DscpBasedEtsEnabled"`
	// VLAN is the id of the port's own VLAN, 0 for none. Promiscuous accepts frames of all VLANs. Tags selects what the port
	// writes to and reads from tags: TagPriority, TagVLAN or both.
	VLAN        int  `key:"VlanId" range:"0 4095"`
	Tags        int  `key:"*PriorityVLANTag" range:"0 3"`
	Promiscuous bool `key:"PromiscuousVlan"`
	// IgnoreFCS accepts frames with a wrong FCS.
	IgnoreFCS bool `key:"IgnoreFCS"`

	// BlueFlame writes small descriptors directly into the card while the card has little load.
	BlueFlame bool `key:"BlueFlame"`
	// Connections is the maximum number of reliable RDMA connections (LogNumQP, LogNumRdmaRc); 0 is more than any port has.
	Connections int `range:"0 1073741824" json:",omitempty"`
	// StallDrops is the number of frames of a traffic class that are dropped behind one pause before the class counts as stalled, and
	// drops all that waits; 0 is never.
	StallDrops int `key:"TCStallCount" range:"0 1000000000" json:",omitempty"`
	// SubnetTimeout is the time between two queries of the subnet administrator in milliseconds, SubnetRetries how often a query
	// is repeated. PathQueries asks it for the path to each peer.
	SubnetTimeout int  `key:"SaTimeout" range:"0 60000" json:",omitempty"`
	SubnetRetries int  `key:"SaRetries" range:"0 64" json:",omitempty"`
	PathQueries   bool `key:"EnableQPR" json:",omitempty"`
	// FiltersVLANs chooses the queues of virtual machines by VLAN, too; without it the virtual switch looks at each VLAN.
	FiltersVLANs bool `key:"*VMQVlanFiltering"`
	// DropTimeout is the time for which a packet waits for a descriptor in dropless mode, in units of 100 µs; 0 disables the
	// mode, dropless.Unlimited means no limit.
	DropTimeout int `key:"DelayDropTimeout" range:"0 65535"`
	// StallWatermark and StallTimeout are the milliseconds without a packet received by the host after which the port counts a
	// stall, and stops sending pause frames; 0 means never.
	StallWatermark int `key:"DeviceRxStallWatermark" range:"0 1000000000"`
	StallTimeout   int `key:"DeviceRxStallTimeout" range:"0 1000000000"`

	// CountRSS counts received packets by processor and kind; CountFromStart counts from the start of the driver, not from the
	// first time that the counters are read.
	CountRSS       bool `key:"RssMonitoringEnabled"`
	CountFromStart bool `key:"RssCountersActivatedAtStartup"`

	// RoCE is the RoCE mode, NoRoCE for no RDMA (roce_mode, *NetworkDirect); see rdma.go. RDMAPayload is the maximum payload of
	// an RDMA packet in bytes (RoceMaxFrameSize); 0 fills the frame (ROCE-10).
	RoCE        description.RoCEMode `range:"0 2"`
	RDMAPayload int                  `range:"0 4096"`
	// RoCEUnheard: requests for RDMA connections don't reach their peers (roce_udp_dport, MaxCMRetries). SendsWithoutCredit: a
	// requester does not wait until the other end has receives posted (RoceRcE2EFlowControlEnable).
	RoCEUnheard, SendsWithoutCredit bool
	// NoticePriority is the priority of the port's congestion notifications; PriorityOfMarked copies it from the marked packet
	// (DcqcnCnpPrioMode, DcqcnCnp802pPrio).
	NoticePriority int `range:"-1 7"`
	// CNPDSCP is the DSCP of congestion notifications, the peers' included (DcqcnCnpDscp).
	CNPDSCP int `range:"0 63"`

	// Address replaces the card's MAC address (NetworkAddress); zero keeps the card's.
	Address description.MAC

	// Functions is the number of virtual functions of the port (PermitSriov, SriovPortMode, MaxVFPort1, *SRIOV). Bars are the
	// frame types that virtual functions may not send (VFAllowedTxEtherTypeListEnable, VFAllowedTxEtherType0).
	Functions int `range:"0 127"`
	Bars      FrameTypeSet

	// Congestion are the parameters of congestion control.
	Congestion dcqcn.Parameters
}

// maxLimit is above any line rate, in Mbit/s.
const maxLimit = 1 << 31

// maxDSCP is the highest DSCP, which has six bits.
const maxDSCP = 63

// DefaultReturnThreshold is the manuals' ReturnThreshold, for which the lab's rings are sized. DefaultHeadLimit is the HeadLimit
// in milliseconds without a key; the manuals give none.
const (
	DefaultReturnThreshold = 341
	DefaultHeadLimit       = 20
)

// FastDatagramUsual is the FastDatagram without a key.
const FastDatagramUsual = 1024

const allPriorities = 0xff

// AnyNode means no restriction to a NUMA node.
const AnyNode = -1

// PriorityOfMarked represents the priority of the marked packet.
const PriorityOfMarked = -1

// VXLANPort is the UDP port of the lab's tunnels, as in the standard.
const VXLANPort = 4789

// CompletionMethod is the method by which a ring's completions are found (NIC-13).
type CompletionMethod uint8

// The methods, numbered as in the registry.
const (
	Polling  CompletionMethod = iota // always
	Adaptive                         // after an interrupt, while enough packets arrive
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
		Reserve: 1, ReturnThreshold: DefaultReturnThreshold, MulticastFilters: 128,
		HeadLimit: DefaultHeadLimit, PauseSends: allPriorities, PauseObeys: allPriorities, ForwardProcessor: -1, FastDatagram: FastDatagramUsual,
		PassThreshold: 100, AverageThreshold: 10, AverageFactor: 16, IdleCycles: 10_000, DropsHeadOfQueue: true,
		AsksPause: port.FlowControl == description.GlobalPause, ObeysPause: port.FlowControl == description.GlobalPause,
		LargeSendIPv4: true, LargeSendIPv6: true, LargeSendBytes: 64000, LargeSendMin: 2, LargeSendOptions: true,
		SendDistribution: ring.ByHashAndSize, SendProcessor: -1, SendBuffers: 16, ChecksumHeader: 3, InnerOffload: true, OverlayOffload: true,
		TunnelPort:     VXLANPort,
		NoticePriority: PriorityOfMarked, Functions: port.VirtualFunctions, Bars: SetOfFrameTypes(TrialFrame),
		ChecksumTCPIPv4: 3, ChecksumTCPIPv6: 3, ChecksumUDPIPv4: 3, ChecksumUDPIPv6: 3,
		Tags: TagPriority | TagVLAN, DSCP: dscp.DefaultMap(), GlobalDSCP: dscp.DefaultGlobal,
		QoS: true, BlueFlame: true, RoCE: port.RoCE, Shares: [8]float64{12.5, 12.5, 12.5, 12.5, 12.5, 12.5, 12.5, 12.5},
		StallWatermark: 500, StallTimeout: 1000, // the manuals give no defaults
		FiltersVLANs: true, Congestion: dcqcn.Defaults(),
	}
	if port.Link == description.InfiniBand {
		s.SubnetTimeout, s.SubnetRetries = 1000, 10
	}
	if port.FlowControl == description.PriorityPause {
		s.Lossless = uint8(PrioritySet(port.Lossless))
	}
	if family == description.WinOF && port.Link == description.Ethernet {
		s.ReceiveBuffers = 4096
	}
	if family == description.WinOF2 { // its manuals have no key for the counters by processor, which are always on
		s.DropTimeout = 50
		s.CountRSS, s.CountFromStart = true, true
	}
	for _, p := range port.CongestionControl {
		s.Congestion[dcqcn.RPEnable+dcqcn.Parameter(p)] = 1
		s.Congestion[dcqcn.NPEnable+dcqcn.Parameter(p)] = 1
	}
	return s
}

// Check rejects values that no adapter supports; the driver checks the ranges of the registry.
func (s *Port) Check() error {
	if err := bounds.Check(s); err != nil {
		return err
	}
	for priority, share := range s.Shares {
		if !(share >= 0 && share <= 100) {
			return fmt.Errorf("the share of priority %d must be 0 to 100 percent, not %v", priority, share)
		}
		if code := s.DSCP[priority]; code > maxDSCP {
			return fmt.Errorf("the DSCP of priority %d must be 0 to %d, not %d", priority, maxDSCP, code)
		}
		if limit := s.Limits[priority]; limit < 0 || limit > maxLimit {
			return fmt.Errorf("the limit of priority %d must be 0 to %d Mbit/s, not %d", priority, maxLimit, limit)
		}
		if leader := s.Joined[priority]; leader > 8 || leader > 0 && s.Joined[leader-1] != leader {
			return fmt.Errorf("priority %d can't join the class of a priority that is in another class", priority)
		}
	}
	return nil
}

// Class returns the priority whose share and strictness count for a priority.
func (s *Port) Class(priority int) int {
	if leader := s.Joined[priority]; leader > 0 {
		return int(leader) - 1
	}
	return priority
}

// ReachesPeers reports whether the RDMA of a port reaches its peers, which all use v2.
func (s *Port) ReachesPeers() bool { return s.RoCE == description.RoCEv2 && !s.RoCEUnheard }

// PrioritySet returns a set with a bit for each of the priorities.
func PrioritySet(priorities []int) (set uint16) {
	for _, p := range priorities {
		set |= 1 << p
	}
	return set
}
