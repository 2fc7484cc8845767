// Package framesize computes the sizes of a flow's frames: from the lengths of its IP packets to frames with tags and overlays, under the
// frame limits at both ends, with the acknowledgements that answer them.
package framesize

import (
	"cxdeck/device/description"
	"cxdeck/device/offload"
	"cxdeck/device/tunnel"
	"cxdeck/device/wire"
)

// acknowledgement has for each protocol the length of an acknowledgement as an IP packet, and the number of data frames for
// one; 0 when the protocol has none. RDMA: base and acknowledge headers over UDP (PERF-10 gives 70 bytes with a tag); TCP:
// every other segment, with timestamps. Over IPv6 it is longer by the difference of the headers.
var acknowledgement = [...]struct {
	ip  int
	per float64
}{description.TCP: {52, 2}, description.UDP: {}, description.RDMA: {48, 8}, description.IPoIB: {52, 2}, description.OtherIP: {}, description.NotIP: {}}

// Acknowledgement returns the length of an acknowledgement of a flow as an IP packet, and the number of data frames for one.
func Acknowledgement(f *description.Flow) (ip int, per float64) {
	ack := acknowledgement[f.Protocol]
	if f.Peer.Is6() {
		ack.ip += wire.IPv6Longer
	}
	return ack.ip, ack.per
}

// Answered reports whether frames of a flow are acknowledged.
func Answered(f *description.Flow) bool {
	return acknowledgement[f.Protocol].per > 0 && !f.Multicast && f.Transport == description.Reliable
}

// rdmaHeaders is the overhead of a RoCE v2 IP packet in bytes: IP, UDP and base transport headers, and the invariant CRC.
const rdmaHeaders = 20 + 8 + 12 + 4

// RDMAData returns the data of an RDMA application in an IP packet.
func RDMAData(ip int) int { return max(0, ip-rdmaHeaders) }

// roundTrip is the round-trip time of TCP in the networks of labs, in seconds.
const roundTrip = 500e-6

// Windowed returns what is left of a rate in Gb/s with a fixed TCP window, of which a stream sends one each round trip.
func Windowed(f *description.Flow, gbps float64, window int) float64 {
	if f.Protocol != description.TCP || window == 0 {
		return gbps
	}
	return min(gbps, float64(f.Flows)*float64(window)*8/roundTrip/1e9)
}

// Frames are the frames of a flow on a cable.
type Frames struct {
	Flow *description.Flow
	// Tags is the number of 802.1Q tags; Overlay frames are in packets of NVGRE.
	Tags    int
	Overlay bool
	// InfiniBand frames have its own headers around RDMA.
	InfiniBand bool
}

// Mean returns the mean length of the described packets' frames.
func (f *Frames) Mean() (mean float64) {
	for _, size := range f.Flow.Packets {
		mean += float64(f.Length(size.IP)) * size.Share
	}
	return mean
}

func (f *Frames) overlayLength() int {
	if f.Overlay {
		return tunnel.NVGRE.Added()
	}
	return 0
}

// OnCable returns the length of an IP packet's frame with its overlay, from header to FCS.
func (f *Frames) OnCable(ip int) int { return f.Length(ip + f.overlayLength()) }

// Limits are the frame limits of a flow's path: of the port now and as described, of its switch port, and of the payload of RDMA, 0 for
// none.
type Limits struct{ MaxFrame, Described, Switch, RDMAPayload int }

// Length returns the length of an IP packet's frame, from header to FCS.
func (f *Frames) Length(ip int) int {
	if f.Flow.VXLAN {
		ip += tunnel.VXLAN.Added()
	}
	if f.Flow.Protocol == description.IPoIB {
		return wire.IPoIBBytes(ip)
	}
	if f.InfiniBand && f.Flow.Protocol == description.RDMA {
		return wire.InfiniBandBytes(max(0, ip-rdmaHeaders))
	}
	return wire.FrameBytes(ip, f.Tags)
}

// LargestPacket returns the length of the largest IP packet in a frame of a limit.
func (f *Frames) LargestPacket(maxFrame int) int {
	room := maxFrame - wire.EthernetHeader - wire.VLANTag*f.Tags - f.overlayLength()
	if f.Flow.VXLAN {
		room -= tunnel.VXLAN.Added()
	}
	return room
}

// nearlyFull is the free space in a frame, in bytes, up to which a packet is taken to have the maximum size.
const nearlyFull = 16

// Adapted returns the size of a packet under the current frame limit. TCP negotiates segments with its peers, so that full
// ones grow and shrink; RDMA negotiates a path MTU; frames from this end are cut to its own limit; UDP frames of peers arrive
// unchanged.
func (f *Frames) Adapted(ip int, sent bool, limits Limits) int {
	if f.Flow.Protocol == description.IPoIB {
		return min(ip, limits.MaxFrame)
	}
	ours, described := f.LargestPacket(limits.MaxFrame), f.LargestPacket(limits.Described)
	switch {
	case f.Flow.Protocol == description.RDMA:
		around := wire.RoCEPacket(0, 2)
		payload := offload.RoCEMTU(ours)
		if f.InfiniBand {
			payload = wire.InfiniBandPayload
		}
		if limits.RDMAPayload > 0 {
			payload = min(payload, limits.RDMAPayload)
		}
		return min(ip, around+payload)
	case f.Flow.Protocol == description.TCP && ours > described && ip >= described-nearlyFull:
		return max(ip, min(ours, f.LargestPacket(min(limits.Switch, jumbo))))
	case f.Flow.Protocol == description.TCP || sent:
		return min(ip, ours)
	}
	return ip
}

// jumbo is the frame limit of peers with jumbo frames.
const jumbo = 9014
