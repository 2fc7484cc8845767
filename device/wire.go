package device

// Bytes around an IP packet.
const (
	etherHeader  = 14
	vlanTag      = 4
	shortest     = 60 // the shortest frame before its FCS; shorter packets are padded
	frameCheck   = 4
	preambleGap  = 20 // preamble, start delimiter and the gap between frames; never counted
	ibOverhead   = 8 + 12 + 8 + 4 + 4 + 2
	roceOverhead = 20 + 8 + 12 + 4 // IP, UDP, base transport header and ICRC around an RDMA payload
)

// FrameBytes is the length of an Ethernet frame on the wire from header to FCS, as byte counters have it,
// of an IP packet of ip bytes with this many VLAN tags.
func FrameBytes(ip, tags int) int { return max(shortest, etherHeader+vlanTag*tags+ip) + frameCheck }

// WireBytes is what a frame of that length takes of the line, preamble and gap included (PERF-4).
func WireBytes(frame int) int { return frame + preambleGap }

// IPoIBBytes is the length of the InfiniBand packet of an IP packet: local, base and datagram headers, the IPoIB
// header and both CRCs. InfiniBand has no preamble and no gap.
func IPoIBBytes(ip int) int { return ip + ibOverhead }

// RoCEPacket is the length of the IP packet of an RDMA payload in RoCE v2 (PERF-5).
func RoCEPacket(payload int) int { return payload + roceOverhead }

// FDRRate is the data rate of a 4x FDR link in bits a second, after its 64b/66b coding (PERF-7).
const FDRRate = 54.545454545e9

// infinibandRate gives the data rate in bits a second of a 4x link by its nominal speed in Gb/s (PERF-7).
func infinibandRate(nominal int) float64 {
	switch nominal {
	case 10:
		return 8e9
	case 20:
		return 16e9
	case 40:
		return 32e9
	case 56:
		return FDRRate
	}
	return float64(nominal) * 1e9 * 0.8
}

// PCIeUsable is what a slot carries in one direction in bytes a second: raw rate less packet overhead of 24 bytes for
// each maxPayload bytes (PERF-6). Generations are 1 to 4.
func PCIeUsable(generation, lanes, maxPayload int) float64 {
	return PCIeRaw(generation, lanes) * float64(maxPayload) / float64(maxPayload+24)
}

// PCIeRaw is the raw rate of a slot in one direction in bytes a second (PERF-6).
func PCIeRaw(generation, lanes int) float64 {
	gigatransfers := [...]float64{1: 2.5, 2: 5, 3: 8, 4: 16}[generation]
	encoding := 128.0 / 130
	if generation <= 2 {
		encoding = 0.8
	}
	return float64(lanes) * gigatransfers * encoding * 1e9 / 8
}

// PauseTime is how long a pause of so many quanta stops a link of a rate in bits a second, in microseconds (QOS-3).
func PauseTime(quanta int, rate float64) float64 { return float64(quanta) * 512 / rate * 1e6 }
