package site

import (
	"cmp"
	"maps"
	"math"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/qos"
	"cxdeck/device/infiniband/trap"
)

// Word is the unit of the data counters in bytes.
const Word = 4

// usualPacket is the length of a packet of a flow that names none, in bytes.
const usualPacket = 2048

// maxPath is the highest number of links of a path.
const maxPath = 64

// flow is traffic between two end ports.
type flow struct {
	from, to infiniband.Place
	gbps     float64
	bytes    float64
	// rest is the part of a packet that is left over.
	rest float64
	// level is its service level.
	level uint8
}

func (b *builder) flows(s *description.InfiniBandSubnet) []flow {
	flows := make([]flow, len(s.Flows))
	for i := range s.Flows {
		f := &s.Flows[i]
		end := func(name string) infiniband.Place {
			n := b.nodes[name]
			return infiniband.Place{Node: n, Port: b.Nodes[n].First()}
		}
		flows[i] = flow{end(f.From), end(f.To), f.Gbps, float64(f.Bytes), 0, uint8(f.Level)}
		if f.Bytes == 0 {
			flows[i].bytes = usualPacket
		}
	}
	return flows
}

// Path returns the ports that packets from an end port to another one leave from, along the forwarding tables; false when they don't
// arrive: a port is not active, a table has no entry, or it leads in a circle.
func Path(f *infiniband.Fabric, from, to infiniband.Place) (ports []infiniband.Place, ok bool) {
	lid, at := f.End(to).LID, from
	if f.Of(from).Kind == infiniband.Switch {
		at.Port = -1
	}
	for range maxPath {
		if node := f.Of(at); node.Kind == infiniband.Switch {
			if f.End(at).LID == lid {
				return ports, true
			}
			if int(lid) >= len(node.Routes) || node.Routes[lid] == infiniband.NoRoute {
				return ports, false
			}
			at.Port = int(node.Routes[lid])
		} else if node.Ports[at.Port].LID == lid {
			return ports, true
		} else if at != from {
			return ports, false // an adapter passes nothing on
		}
		far, up := f.Far(at)
		if !up || f.At(at).State != infiniband.Active {
			return ports, false
		}
		ports = append(ports, at)
		at = far
	}
	return ports, false
}

// move counts the traffic and the errors of a second.
func (s *Site) move() {
	f := s.Fabric
	if len(s.flows)+len(s.crossings) > 0 {
		s.moveTraffic()
	}
	for n := range f.Nodes {
		for i := range f.Nodes[n].Ports {
			if p := &f.Nodes[n].Ports[i]; p.SymbolErrors > 0 && p.Physical == infiniband.LinkUp {
				p.Counters.SymbolErrors += errorsIn(p.SymbolErrors, s.counted)
				p.Counters.ReceiveErrors += errorsIn(p.SymbolErrors/10, s.counted)
				if p.SymbolErrors >= integrityErrors {
					p.Counters.IntegrityErrors++
					s.Notify(trap.LinkIntegrity, infiniband.Place{Node: n, Port: i})
				}
			}
		}
	}
}

// moveTraffic counts the traffic of a second.
func (s *Site) moveTraffic() {
	f := s.Fabric
	paths := make([][]infiniband.Place, len(s.flows))
	described := demands{}
	for i := range s.flows {
		path, ok := Path(f, s.flows[i].from, s.flows[i].to)
		if !ok || s.flows[i].gbps == 0 || s.refused(&s.flows[i], path) {
			continue
		}
		if at := s.dropsAt(path, s.flows[i].level); at != infiniband.Nowhere { // the level has no lane: its packets are dropped
			f.At(at).Counters.SendDiscards += uint64(s.flows[i].gbps * 1e9 / 8 / s.flows[i].bytes)
			continue
		}
		paths[i] = path
		s.load(described, path, s.flows[i].level, s.flows[i].gbps)
	}
	offered, used := s.countCrossings()
	shares := s.shareLinks(described, offered, used)
	for i, path := range paths {
		if path == nil {
			continue
		}
		share := 1.0
		for _, p := range path {
			share = min(share, shares[p][s.lane(p, s.flows[i].level)])
		}
		s.flows[i].count(f, path, share)
	}
}

// ticks is the number of ticks in a second that packets wait for credits all the time; the architecture leaves the length of a tick open.
// One is a word's time at 1 Gb/s.
const ticks = 1e9 / 32

// shareLinks returns for each link the fractions of the described traffic that its lanes carry, and counts the time for which packets wait. The
// lab's own traffic offered some more; what it used in the second is not given twice.
func (s *Site) shareLinks(described, offered, used demands) map[infiniband.Place][qos.Lanes]float64 {
	none := new([qos.Lanes]float64)
	shares := make(map[infiniband.Place][qos.Lanes]float64, len(described))
	links := maps.Clone(described)
	maps.Copy(links, offered)
	for p := range links {
		mine, others, carried := cmp.Or(described[p], none), cmp.Or(offered[p], none), cmp.Or(used[p], none)
		var total, share [qos.Lanes]float64
		sum, given := 0.0, 0.0
		for lane := range total {
			total[lane] = mine[lane] + others[lane]
			sum += total[lane]
			given += carried[lane]
		}
		room := s.capacity(p)
		counters := s.countersAt(p)
		for lane, got := range s.Fabric.TablesAt(p).Share(room, total) {
			share[lane] = got / max(total[lane], 1e-12)
			if waits := (total[lane] - got) / max(total[lane], 1e-12); waits > 1e-9 {
				counters.LaneWaits[lane] += uint64(waits * ticks)
			}
		}
		if sum > room {
			counters.SendWait += uint64((sum - room) / sum * ticks)
		}
		part := 0.0
		for lane := range share {
			part += share[lane] * mine[lane]
		}
		if part > 0 && given+part > room {
			for lane := range share {
				share[lane] *= max(0, room-given) / part
			}
		}
		shares[p] = share
	}
	return shares
}

// integrityErrors is the number of symbol errors in a second from which a port reports that its link has lost its integrity. The
// architecture leaves the threshold to the device.
const integrityErrors = 100

// refused reports whether the ends of a flow have no partition in common. The switch at the sender drops its packets, counts them, and
// reports the key; without a switch the receiver does.
func (s *Site) refused(w *flow, path []infiniband.Place) bool {
	f := s.Fabric
	if len(path) == 0 || common(f.End(w.from).PKeys, f.End(w.to).PKeys) {
		return false
	}
	at, number := f.At(path[0]).Far, trap.BadPKey
	if f.Of(at).Kind == infiniband.Switch {
		number = trap.BadSwitchPKey
	}
	f.At(at).Counters.ReceiveConstraints += uint64(w.gbps * 1e9 / 8 / w.bytes)
	s.Notify(number, at)
	return true
}

// common reports whether ports with tables of keys can talk: they share a partition, of which one is a full member.
func common(a, b []description.PKey) bool {
	for _, key := range a {
		for _, other := range b {
			if key.Full() == other.Full() && (key == key.Full() || other == other.Full()) {
				return true
			}
		}
	}
	return false
}

// errorsIn spreads a rate of errors evenly over the seconds.
func errorsIn(rate float64, second int64) uint64 {
	return uint64(math.Floor(rate*float64(second+1)) - math.Floor(rate*float64(second)))
}

// count counts a second of a flow along its path.
func (w *flow) count(f *infiniband.Fabric, path []infiniband.Place, share float64) {
	packets := w.gbps*1e9/8*share/w.bytes + w.rest
	whole := math.Floor(packets)
	w.rest = packets - whole
	n, data := uint64(whole), uint64(whole*w.bytes/Word)
	for _, p := range path {
		f.At(p).Counters.Send(w.level, n, data)
		f.At(f.At(p).Far).Counters.Receive(w.level, n, data)
	}
}
