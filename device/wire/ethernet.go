package wire

// Bytes around an IP packet on Ethernet.
const (
	EthernetHeader = 14
	VLANTag        = 4
	FrameCheck     = 4
	PreambleGap    = 20 // preamble, start delimiter and the gap between frames; never counted
)

const (
	shortest  = 60 // the shortest frame before its FCS; shorter packets are padded
	tcpHeader = 40 // IPv4 and TCP without options
)

// FrameBytes returns the length of an Ethernet frame from header to FCS, as in byte counters, of an IP packet of ip bytes with
// a number of VLAN tags.
func FrameBytes(ip, tags int) int { return max(shortest, EthernetHeader+VLANTag*tags+ip) + FrameCheck }

// LineBytes returns the length of a frame on the line, with preamble and gap (PERF-4).
func LineBytes(frame int) int { return frame + PreambleGap }

// FrameRate returns the number of frames per second that fill a line of a rate in bits per second, each of line LineBytes
// (PERF-4).
func FrameRate(rate float64, line int) float64 { return rate / 8 / float64(line) }

// TCPShare returns the fraction of the line rate that is payload of TCP over IPv4, in full packets of ip bytes (PERF-4).
func TCPShare(ip, tags int) float64 {
	return float64(ip-tcpHeader) / float64(LineBytes(FrameBytes(ip, tags)))
}

// IPv6Longer is the length of an IPv6 header less the length of an IPv4 header, in bytes.
const IPv6Longer = 20

// Headers after the Ethernet header of an RDMA packet.
const (
	ipv4Header    = 20
	udpHeader     = 8
	globalRoute   = 40 // GRH
	baseTransport = 12 // BTH
	invariantCRC  = 4  // ICRC
)

// RoCEPacket returns the length of an RDMA packet after the Ethernet header: in RoCE v2 an IP packet, in v1 one with a global
// route header (PERF-5).
func RoCEPacket(payload, version int) int {
	if version == 1 {
		return globalRoute + baseTransport + payload + invariantCRC
	}
	return ipv4Header + udpHeader + baseTransport + payload + invariantCRC
}

// RoCEShare returns the fraction of the line rate that is RDMA payload, in full packets (PERF-5).
func RoCEShare(payload, version int) float64 {
	return float64(payload) / float64(LineBytes(FrameBytes(RoCEPacket(payload, version), 0)))
}
