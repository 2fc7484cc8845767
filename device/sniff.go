package device

import (
	"encoding/binary"
	"slices"
	"time"

	"cxdeck/device/capture"
	"cxdeck/device/description"
	"cxdeck/device/traffic"
	"cxdeck/device/wire"
)

// The RoCE v1 header after the Ethernet type: the Global Route Header of InfiniBand, with the Base Transport Header next.
const (
	typeRoCE   = 0x8915
	grhBytes   = 40
	nextHeader = 0x1b
	macBytes   = 12
)

// Sniff returns frames on the cable of an Ethernet port in the last step, received and sent, oldest first and at most packets. The
// frames of each group of flows are as many as its part of the traffic, and at least one in each direction that has any. Their headers
// have the tags and the DSCP that they carry there; udpPort is the destination port of RoCE v2.
func (l *Lab) Sniff(port, packets int, udpPort uint16) []capture.Packet {
	type share struct {
		stream *stream
		frames float64
	}
	var list []share
	sum := 0.0
	for i := range l.plan.streams {
		s := &l.plan.streams[i]
		if int(s.port) != port || s.ack || l.flowBytes[2*int(s.flow)+int(s.direction)] == 0 {
			continue
		}
		n := s.perStep * l.level(int(s.flow)) * l.rhythms[s.flow].Window
		list, sum = append(list, share{s, n}), sum+n
	}
	if sum == 0 || packets <= 0 || !l.plan.ports[port].ethernet {
		return nil
	}
	var all []capture.Packet
	end := l.Now()
	for _, one := range list {
		count := max(1, int(float64(packets)*one.frames/sum))
		for i := range count {
			p := l.frameOf(one.stream, port, i, udpPort)
			p.Time = end.Add(-Step + Step*time.Duration(i)/time.Duration(count))
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b capture.Packet) int { return a.Time.Compare(b.Time) })
	return all[:min(len(all), packets)]
}

// frameOf returns the frame i of a stream.
func (l *Lab) frameOf(s *stream, port, i int, udpPort uint16) capture.Packet {
	described := l.plan.flows[s.flow]
	flow := l.plant.traffic[s.flow]
	header := l.header(l.effectiveFlow(int(s.flow)), port, int(s.direction))
	flow.DSCP, flow.Priority = max(header.DSCP, 0), &header.PCP
	tuple := traffic.TupleOf(&flow, i%max(flow.Flows, 1), traffic.Named(flow.Name))
	if s.direction == send {
		tuple.Source, tuple.Destination = tuple.Destination, tuple.Source
		tuple.SourcePort, tuple.DestinationPort = tuple.DestinationPort, tuple.SourcePort
	}
	v2, v1 := false, false
	if flow.Protocol == description.RDMA {
		if described.rdma || !flow.Application.SMB() {
			v1 = l.setup.Ports[port].RoCE == description.RoCEv1
			v2 = !v1
		} else { // SMB without RDMA
			flow.Protocol = description.TCP
		}
	}
	if v2 {
		if s.direction == send {
			tuple.SourcePort, tuple.DestinationPort = tuple.DestinationPort, tuple.SourcePort
		}
		tuple.DestinationPort = udpPort
	}
	record := capture.Record{Flow: s.flow, Length: uint16(s.frame)}
	if header.Tagged {
		record.Tags = 1
	}
	frame := capture.Frame{Record: &record, Flow: &flow, Tuple: tuple, To: l.Address(port)}
	data := frame.Bytes()
	if s.direction == send {
		mac := l.Address(port)
		copy(data[6:], mac[:])
		if !flow.Multicast {
			peer := capture.PeerAddress(tuple.Destination)
			copy(data, peer[:])
		}
	}
	if v1 {
		data = overEthernet(data, int(record.Tags), header.DSCP)
	}
	return capture.Packet{Length: len(data), Data: data}
}

// overEthernet replaces the headers of RoCE v2 by the ones of v1, whose traffic class has the DSCP.
func overEthernet(data []byte, tags, dscp int) []byte {
	at := macBytes + 4*tags
	for i := range data[at:] {
		data[at+i] = 0
	}
	binary.BigEndian.PutUint16(data[at:], typeRoCE)
	if grh := data[at+2:]; len(grh) > grhBytes {
		binary.BigEndian.PutUint32(grh, 6<<28|uint32(max(dscp, 0))<<22)
		binary.BigEndian.PutUint16(grh[4:], uint16(len(grh)-grhBytes+wire.FrameCheck))
		grh[6], grh[7] = nextHeader, 64
	}
	return data
}
