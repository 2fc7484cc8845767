package device

import (
	"cmp"

	"cxdeck/device/counter"
	"cxdeck/device/rss"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
)

// lane is the part of a stream that goes through one ring. Traffic that bypasses the rings has one lane without a ring.
type lane struct {
	stream int32
	ring   int32 // of the port; -1 for no cell
	state  int32 // the index of the ring in Lab.rings
	kind   int32 // the cell of the processor's count of this kind of packet; -1 for no cell
	share  float64
	// together is the number of flows of the stream that share the ring.
	together float64
}

// appendLanes appends the lanes of a stream: by the hashes of its flows for received streams (RSS-2, RSS-7), by their fold for
// sent ones (NIC-15).
func (b *streamBuilder) appendLanes(s *stream, number int) {
	p := b.port
	if !s.ring {
		b.plan.lanes = append(b.plan.lanes, lane{stream: int32(number), ring: -1, kind: -1, share: 1, together: 1})
		return
	}
	var counts [counter.MaxRings]int
	settings := &b.lab.setup.Ports[b.at]
	tuples := b.tuples[s.direction]
	packet := traffic.PacketOf(b.flow)
	packet.Encapsulated = packet.Encapsulated || s.overlay
	hashing := rss.Settings{On: settings.RSS, UDP: settings.RSSUDP, RawIP: settings.RSSRawIP}
	table := rss.NewTable(rss.TableSize, len(p.rings))
	switch {
	case s.direction == send:
		rings := min(len(p.rings), cmp.Or(settings.SendRings, len(p.rings)))
		for i := range tuples {
			counts[settings.SendDistribution.ChooseByFold(tuples[i].Fold, int(s.frame), rings)]++
		}
	case hashing.HashType(packet) == rss.NoHash:
		counts[0] = len(tuples)
	default:
		for i := range tuples {
			counts[table.Queue(tuples[i].Hash)]++
		}
	}
	parts := [counter.MaxRings]float64{}
	home, broadcast := b.lab.plant.flows[b.number].port, b.lab.plant.flows[b.number].kind == traffic.LeaseFlow
	addressed := s.synthetic && s.direction == receive && !broadcast
	if addressed { // the machines' addresses select the queues
		parts = b.lab.setup.RingShares(home, b.way, len(p.rings))
	} else {
		for r, n := range counts[:len(p.rings)] {
			parts[r] = float64(n) / float64(len(tuples))
		}
	}
	for r, share := range parts[:len(p.rings)] {
		if share == 0 {
			continue
		}
		added := lane{
			stream: int32(number), ring: int32(r), state: int32(p.firstRing + r), kind: -1,
			share: share,
		}
		added.together = added.share * float64(b.flow.Flows) * b.parts[s.direction]
		if s.direction == receive && p.ethernet && p.countRSS && !s.virtual { // a virtual function has a driver of its own
			processor := p.rings[r].processor
			kind := hashing.CounterOf(packet)
			if addressed && b.at == home && b.lab.setup.Virtual[home].On {
				added.kind = int32(b.lab.SharedKindCell(b.at, b.way == setup.OverlayPath, r) + int(kind))
				b.plan.lanes = append(b.plan.lanes, added)
				continue
			}
			if hashing.HashType(packet) == rss.NoHash && settings.DefaultProcessor >= 0 {
				processor = min(settings.DefaultProcessor, b.lab.Processors()-1)
			}
			added.kind = int32(b.lab.KindCell(b.at, processor, int(kind)))
		}
		b.plan.lanes = append(b.plan.lanes, added)
	}
}
