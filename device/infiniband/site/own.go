package site

import (
	"net/netip"
	"slices"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/qos"
	"cxdeck/device/infiniband/trap"
)

// Crossing names traffic of a port of the lab: with a peer, of a service, 0 for IPoIB.
type Crossing struct {
	Port    int
	Peer    netip.Addr
	Service uint64 `json:",omitempty"`
}

// The directions of a crossing, as in package device.
const (
	inbound = iota
	outbound
)

// crossing is the traffic of a crossing in the current second, by direction.
type crossing struct {
	Crossing
	Ways [2]way
}

// way is the traffic in a direction.
type way struct {
	// Wanted is the demand of the step in bytes, Offered the demand of the second, and Share the fraction that the links let pass.
	Wanted, Offered, Share float64
	// Narrow is the link with the smallest share.
	Narrow infiniband.Place
	// Packets and Bytes passed in the second; Rest are the bytes beyond whole words.
	Packets, Bytes, Rest uint64
}

// The ports of SMB Direct and of the Network Direct tools.
const smbPort, directPort = 445, 6830

// CrossingOf returns the traffic that a flow at a port of the lab belongs to.
func CrossingOf(port int, f *description.Flow) Crossing {
	c := Crossing{Port: port, Peer: f.Peer}
	switch {
	case f.Protocol != description.RDMA:
	case f.Application.SMB():
		c.Service = qos.ConnectionService + smbPort
	default:
		c.Service = qos.ConnectionService + directPort
	}
	return c
}

// find returns the traffic of a crossing, nil when it leaves the subnet. Only a described subnet has links that others use, too.
func (s *Site) find(c Crossing) *crossing {
	if s == nil || !s.described || s.Own[c.Port] == infiniband.Nowhere {
		return nil
	}
	for i := range s.crossings {
		if s.crossings[i].Crossing == c {
			return &s.crossings[i]
		}
	}
	if s.peer(c) == infiniband.Nowhere {
		return nil
	}
	s.crossings = append(s.crossings, crossing{c, [2]way{{Share: 1}, {Share: 1}}})
	return &s.crossings[len(s.crossings)-1]
}

// Want adds a demand in the current step, in bytes.
func (s *Site) Want(c Crossing, direction int, bytes float64) {
	if t := s.find(c); t != nil {
		t.Ways[direction].Wanted += bytes
	}
}

// Share returns the fraction of the demand that the links of a crossing let pass in the current step: the result of the step before.
func (s *Site) Share(c Crossing, direction int) float64 {
	if t := s.find(c); t != nil {
		return t.Ways[direction].Share
	}
	return 1
}

// Narrowest returns the link that lets the smallest fraction of the demand pass, and the fraction: 1 when all links let all pass, 0 without a link
// when no path leads to the peer.
func (s *Site) Narrowest(c Crossing, direction int) (at infiniband.Place, share float64) {
	if t := s.find(c); t != nil && t.Ways[direction].Share < 1 {
		w := &t.Ways[direction]
		if w.Share == 0 && w.Narrow == (infiniband.Place{}) {
			return infiniband.Nowhere, 0
		}
		return w.Narrow, w.Share
	}
	return infiniband.Nowhere, 1
}

// Carry adds the packets that passed in the current step.
func (s *Site) Carry(c Crossing, direction int, packets, bytes uint64) {
	if t := s.find(c); t != nil {
		t.Ways[direction].Packets += packets
		t.Ways[direction].Bytes += bytes
	}
}

// peers returns the ports of the other hosts that cables join with a port, in the order of the nodes.
func peers(f *infiniband.Fabric, from infiniband.Place, own func(node int) bool) (list []infiniband.Place) {
	seen := make([]bool, len(f.Nodes))
	for queue := []infiniband.Place{f.At(from).Far}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		switch {
		case at == infiniband.Nowhere:
		case f.Of(at).Kind == infiniband.Adapter && !own(at.Node):
			list = append(list, at)
		case f.Of(at).Kind == infiniband.Switch && !seen[at.Node]:
			seen[at.Node] = true
			for p := 1; p < len(f.Of(at).Ports); p++ {
				queue = append(queue, f.Of(at).Ports[p].Far)
			}
		}
	}
	slices.SortFunc(list, func(a, b infiniband.Place) int { return (a.Node-b.Node)*infiniband.MaxPorts + a.Port - b.Port })
	return list
}

// peer returns the port of the peer of a crossing: of the node with its address, or without one of another host, chosen by the address.
func (s *Site) peer(c Crossing) infiniband.Place {
	if at, named := s.addresses[c.Peer]; named {
		return at
	}
	list := s.peers[c.Port]
	if len(list) == 0 {
		return infiniband.Nowhere
	}
	bytes := c.Peer.As16()
	return list[int(bytes[15])%len(list)]
}

// ends returns the ports between which a crossing goes in a direction.
func (s *Site) ends(c *crossing, direction int) (from, to infiniband.Place) {
	own, peer := s.Own[c.Port], s.peer(c.Crossing)
	if direction == outbound {
		return own, peer
	}
	return peer, own
}

// level returns the service level of a crossing: by the first partition that both ends are in.
func (s *Site) level(c *crossing) uint8 {
	own, peer := s.Own[c.Port], s.peer(c.Crossing)
	key := description.DefaultPKey
	for _, k := range s.Fabric.End(own).PKeys {
		if common([]description.PKey{k}, s.Fabric.End(peer).PKeys) {
			key = k
			break
		}
	}
	return s.Fabric.LevelOf(c.Service, key, peer)
}

// stepSeconds is a step of the lab in seconds.
const stepSeconds = 0.05

// passage is the traffic of a crossing in a direction on its path.
type passage struct {
	*way
	crossing int
	from     infiniband.Place
	path     []infiniband.Place
	level    uint8
	// broken reports that the path ends before the target, refused that its ends share no partition. dropped is the port that has no lane for the
	// level.
	broken, refused bool
	dropped         infiniband.Place
}

// passages returns the traffic of the lab in both directions. A share of 0 belongs to traffic that can't arrive.
func (s *Site) passages() (list []passage) {
	for i := range s.crossings {
		c := &s.crossings[i]
		level := s.level(c)
		for direction := range c.Ways {
			p := passage{way: &c.Ways[direction], crossing: i, level: level}
			var to infiniband.Place
			var whole bool
			p.from, to = s.ends(c, direction)
			p.path, whole = Path(s.Fabric, p.from, to)
			p.broken, p.refused = !whole, !common(s.Fabric.End(p.from).PKeys, s.Fabric.End(to).PKeys)
			p.dropped = s.dropsAt(p.path, level)
			list = append(list, p)
		}
	}
	return list
}

// passes reports whether traffic can arrive at all.
func (p *passage) passes() bool { return !p.broken && !p.refused && p.dropped == infiniband.Nowhere }

// demands holds the rates in Gb/s that want to use links, by lane.
type demands map[infiniband.Place]*[qos.Lanes]float64

// lane returns the lane of a level at a port.
func (s *Site) lane(p infiniband.Place, level uint8) uint8 { return s.Fabric.TablesAt(p).LaneOf[level] }

// dropsAt returns the first port of a path that has no lane for a level, Nowhere when all have one.
func (s *Site) dropsAt(path []infiniband.Place, level uint8) infiniband.Place {
	for _, p := range path {
		if s.lane(p, level) >= qos.Lanes {
			return p
		}
	}
	return infiniband.Nowhere
}

// load adds the rate of a level on a path.
func (s *Site) load(d demands, path []infiniband.Place, level uint8, gbps float64) {
	for _, p := range path {
		lane := s.lane(p, level)
		if lane >= qos.Lanes {
			return
		}
		if d[p] == nil {
			d[p] = new([qos.Lanes]float64)
		}
		d[p][lane] += gbps
	}
}

// described returns the demand of the described flows, which is the same until the subnet moves.
func (s *Site) describedDemand() demands {
	if s.demand != nil {
		return s.demand
	}
	s.demand = demands{}
	for i := range s.flows {
		w := &s.flows[i]
		path, ok := Path(s.Fabric, w.from, w.to)
		if ok && w.gbps > 0 && s.dropsAt(path, w.level) == infiniband.Nowhere && common(s.Fabric.End(w.from).PKeys, s.Fabric.End(w.to).PKeys) {
			s.load(s.demand, path, w.level, w.gbps)
		}
	}
	return s.demand
}

// capacity returns the data rate of a link in Gb/s.
func (s *Site) capacity(p infiniband.Place) float64 {
	return infiniband.DataGbps(s.Fabric.At(p).Width, s.Fabric.At(p).Speed)
}

// Arbitrate ends the demand of a step: the links of each crossing share their capacity among its lane and the others. The described flows
// are traffic like the lab's own.
func (s *Site) Arbitrate() {
	if s == nil || len(s.crossings) == 0 {
		return
	}
	list := s.passages()
	own := demands{}
	for i := range list {
		p := &list[i]
		p.Offered += p.Wanted
		if p.passes() {
			s.load(own, p.path, p.level, p.Wanted*8/1e9/stepSeconds)
		}
		p.Wanted = 0
	}
	described := s.describedDemand()
	shares := make(map[infiniband.Place][qos.Lanes]float64, len(own))
	for at, mine := range own {
		total, sum, lanes := *mine, 0.0, 0
		others := described[at]
		for lane := range total {
			if others != nil {
				total[lane] += others[lane]
			}
			if sum += total[lane]; total[lane] > 0 {
				lanes++
			}
		}
		// The port's own line limits a single lane that nothing else uses.
		if room := s.capacity(at); sum > room && (lanes > 1 || others != nil || !s.atOwn(at)) {
			given := s.Fabric.TablesAt(at).Share(room, total)
			for lane := range given {
				given[lane] /= max(total[lane], 1e-12)
			}
			shares[at] = given
		}
	}
	for i := range list {
		p := &list[i]
		p.Share, p.Narrow = 0, infiniband.Place{}
		if !p.passes() {
			continue
		}
		p.Share = 1
		for _, at := range p.path {
			if given, congested := shares[at]; congested && given[s.lane(at, p.level)] < p.Share {
				p.Share, p.Narrow = given[s.lane(at, p.level)], at
			}
		}
	}
}

// atOwn reports whether a link is the cable of a port of the lab.
func (s *Site) atOwn(p infiniband.Place) bool {
	return slices.Contains(s.Own, p) || slices.Contains(s.Own, s.Fabric.At(p).Far)
}

// near returns the number of the port of the lab at an end of a link: 2n for the port itself, 2n+1 for the other end of its cable, -1 for
// other links.
func (s *Site) near(p infiniband.Place) int {
	for port, own := range s.Own {
		switch {
		case own == infiniband.Nowhere:
		case own == p:
			return 2 * port
		case s.Fabric.At(own).Far == p:
			return 2*port + 1
		}
	}
	return -1
}

// countCrossings counts the lab's traffic of a second on the links of the subnet. Its own ports and the other ends of their cables have
// counters of the lab; of them it counts the levels. It returns the rates that the traffic offered, and the ones that it used.
func (s *Site) countCrossings() (offered, used demands) {
	offered, used = demands{}, demands{}
	for _, p := range s.passages() {
		packets, bytes := p.Packets, p.Bytes+p.Rest
		data := bytes / Word
		if p.passes() {
			s.load(offered, p.path, p.level, p.Offered*8/1e9)
		}
		s.load(used, p.path, p.level, float64(p.Bytes)*8/1e9)
		for _, at := range p.path {
			if n := s.near(at); n >= 0 {
				s.extra[n].countLevel(p.level, data, true)
			} else {
				s.Fabric.At(at).Counters.Send(p.level, packets, data)
			}
			far := s.Fabric.At(at).Far
			if n := s.near(far); n >= 0 {
				s.extra[n].countLevel(p.level, data, false)
			} else {
				s.Fabric.At(far).Counters.Receive(p.level, packets, data)
			}
		}
		s.countLost(&p)
		p.Packets, p.Bytes, p.Rest = 0, 0, bytes%Word
	}
	s.crossings = slices.DeleteFunc(s.crossings, func(c crossing) bool {
		idle := c.Ways[inbound].Offered+c.Ways[outbound].Offered == 0
		for direction := range c.Ways {
			idle = idle && c.Ways[direction].Rest == 0
		}
		return idle
	})
	for i := range s.crossings {
		for direction := range s.crossings[i].Ways {
			s.crossings[i].Ways[direction].Offered = 0
		}
	}
	return offered, used
}

// countLost counts traffic of the lab that does not arrive.
func (s *Site) countLost(p *passage) {
	lost := uint64(p.Offered / usualPacket)
	if lost == 0 || len(p.path) == 0 {
		return
	}
	far := s.Fabric.At(p.path[0]).Far
	switch {
	case p.broken:
		s.countersAt(s.Fabric.At(p.path[len(p.path)-1]).Far).RelayErrors += lost
	case p.refused:
		number := trap.BadPKey
		if s.Fabric.Of(far).Kind == infiniband.Switch {
			number = trap.BadSwitchPKey
		}
		s.countersAt(far).ReceiveConstraints += lost
		s.Notify(number, far)
	case p.dropped != infiniband.Nowhere:
		s.countersAt(p.dropped).SendDiscards += lost
	}
}

// countersAt returns the counters of a port that the subnet counts: next to the lab's own they are added to the lab's.
func (s *Site) countersAt(at infiniband.Place) *infiniband.Counters {
	if n := s.near(at); n >= 0 {
		return &s.extra[n].Counters
	}
	return &s.Fabric.At(at).Counters
}

// extra are counters of an end of the cable of a port of the lab beyond the ones that the lab itself counts.
type extra struct{ infiniband.Counters }

// countLevel counts data of a service level.
func (e *extra) countLevel(level uint8, data uint64, sent bool) {
	switch {
	case level == 0:
	case sent:
		e.SentLevels[level-1] += data
	default:
		e.ReceivedLevels[level-1] += data
	}
}

// running returns the extra counters of an end of a cable with the data of the second that has not ended.
func (s *Site) running(port int, far bool) infiniband.Counters {
	n := 2 * port
	if far {
		n++
	}
	e := s.extra[n]
	for i := range s.crossings {
		if c := &s.crossings[i]; c.Port == port {
			level := s.level(c)
			for direction := range c.Ways {
				e.countLevel(level, (c.Ways[direction].Bytes+c.Ways[direction].Rest)/Word, (direction == outbound) != far)
			}
		}
	}
	return e.Counters
}
