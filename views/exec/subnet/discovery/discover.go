package discovery

import (
	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

// found is a node that a discovery came to.
type found struct {
	kind             uint64
	guid             uint64
	name             string
	info, switchInfo []byte
	ports            []*foundPort
	route            mad.Route
	// lid and lmc belong to a switch's port 0.
	lid, lmc uint64
	chassis  int
}

// foundPort is a port of a node; info is empty when the port was not asked.
type foundPort struct {
	*found
	number       int
	guid         uint64
	info, vendor []byte
	lid, lmc     uint64
	far          *foundPort
}

// scan is the result of a discovery. Its nodes are in the order of the programs: the newest first.
type scan struct {
	nodes    []*found
	from     *found
	fromPort int
	hops     int
	requests int
	chassis  []uint64     // the GUIDs of systems of several nodes
	order    []*foundPort // in the order in which their attributes came
}

// pending is a request of a discovery that waits for its answer.
type pending struct {
	route     mad.Route
	attribute mad.Attribute
	modifier  uint32
	answered  func(data []byte)
}

// discovery is a discovery that goes on. Requests are answered in their order.
type discovery struct {
	*subnet.Session
	scan
	byGUID  map[uint64]*found
	queue   []pending
	limit   int // of hops; 0 for none
	initial int
}

// discoverFrom walks the network from a port. It reports false when not even the first node answers.
func discoverFrom(s *subnet.Session, from mad.Route, limit int) (*scan, bool) {
	d := &discovery{Session: s, byGUID: map[uint64]*found{}, limit: limit, initial: len(from.Ports)}
	d.askNode(from, nil, 0)
	for len(d.queue) > 0 {
		request := d.queue[0]
		d.queue = d.queue[1:]
		data, status := s.Ask(s.From, request.route, request.attribute, request.modifier)
		if status == mad.OK {
			request.answered(data)
		}
	}
	d.group()
	return &d.scan, d.from != nil
}

func (d *discovery) send(r mad.Route, attribute mad.Attribute, modifier uint32, answered func([]byte)) {
	d.requests++
	d.queue = append(d.queue, pending{r, attribute, modifier, answered})
}

// askNode asks for the node at the end of a route, which leads out of a port.
func (d *discovery) askNode(r mad.Route, near *found, port int) {
	d.send(r, mad.NodeInfo, 0, func(data []byte) { d.node(r, near, port, data) })
}

func (d *discovery) node(r mad.Route, near *found, nearPort int, data []byte) {
	guid, number := mad.NodeGUID.Get(data), int(mad.ArrivalPort.Get(data))
	n, known := d.byGUID[guid]
	if !known {
		n = &found{kind: mad.NodeType.Get(data), guid: guid, info: data, route: r, ports: make([]*foundPort, mad.NumPorts.Get(data)+1)}
		d.byGUID[guid] = n
		d.nodes = append([]*found{n}, d.nodes...)
	}
	if number >= len(n.ports) {
		return
	}
	port := n.port(number)
	port.guid = mad.PortGUID.Get(data)
	if near == nil {
		d.from, d.fromPort = n, number
	} else {
		link(port, near.port(nearPort))
	}
	if d.Has("show") > 0 {
		d.shown(r, port, !known)
	}
	if !known {
		d.send(r, mad.NodeDescription, 0, func(data []byte) { n.name = d.Description(data) })
		if n.kind == subnet.KindSwitch {
			d.send(r, mad.SwitchInfo, 0, func(data []byte) { n.switchInfo = data })
			d.send(r, mad.PortInfo, 0, func(data []byte) {
				d.port(r, n, 0, data)
				for i := 1; i < len(n.ports); i++ {
					d.askPort(r, n, i)
				}
			})
		}
	}
	if n.kind != subnet.KindSwitch {
		d.askPort(r, n, number)
	}
}

// port returns a port, which it creates.
func (n *found) port(number int) *foundPort {
	if n.ports[number] == nil {
		n.ports[number] = &foundPort{found: n, number: number, guid: mad.PortGUID.Get(n.info)}
	}
	return n.ports[number]
}

func link(a, b *foundPort) {
	if a.far != nil {
		a.far.far = nil
	}
	if b.far != nil {
		b.far.far = nil
	}
	a.far, b.far = b, a
}

func (d *discovery) askPort(r mad.Route, n *found, number int) {
	d.send(r, mad.PortInfo, uint32(number), func(data []byte) { d.port(r, n, number, data) })
}

func (d *discovery) port(r mad.Route, n *found, number int, data []byte) {
	p := n.port(number)
	if p.info == nil {
		d.order = append(d.order, p)
	}
	p.info, p.vendor = data, make([]byte, mad.Size)
	p.lid, p.lmc = mad.LID.Get(data), mad.LMC.Get(data)
	if number == 0 {
		n.lid, n.lmc = p.lid, p.lmc
	} else if n.kind == subnet.KindSwitch {
		p.lid, p.lmc = n.lid, n.lmc
	}
	// A link of 10 Gb/s a lane may be FDR10, which only the vendor's attribute tells.
	if d.vendor(n) && mad.Physical.Get(data) == 5 && mad.SpeedActive.Get(data) == 4 && p.extendedActive() == 0 {
		d.send(r, mad.VendorPortInfo, uint32(number), func(data []byte) {
			p.vendor = data
			d.proceed(r, n, number)
		})
		return
	}
	d.proceed(r, n, number)
}

// proceed asks for the node beyond a port.
func (d *discovery) proceed(r mad.Route, n *found, number int) {
	p := n.ports[number]
	if number == 0 || mad.Physical.Get(p.info) != 5 {
		return
	}
	isStart := n == d.from && number == d.fromPort
	// A switch answered through its local port, from where the discovery came.
	if !isStart && (n.kind != subnet.KindSwitch || number == int(mad.LocalPort.Get(p.info))) {
		return
	}
	if d.limit > 0 && d.hops > d.limit {
		return
	}
	if n.kind != subnet.KindSwitch && isStart && len(r.Ports) > 1 {
		// The walk began at an adapter that a directed route leads to: go back over its link.
		d.hops++
		r.Ports = r.Ports[:len(r.Ports)-1]
	} else {
		if r.LID != 0 && n.kind != subnet.KindSwitch || len(r.Ports) >= mad.MaxHops {
			return // nothing passes an adapter
		}
		r = r.Extend(number, d.Local().LID)
		if len(r.Ports)-d.initial > d.hops {
			d.hops++
		}
	}
	d.askNode(r, n, number)
}

// vendor reports whether a node answers the vendor's PortInfo.
func (d *discovery) vendor(n *found) bool { return subnet.HasVendorPortInfo(mad.DeviceID.Get(n.info)) }

// capabilities returns the capability mask that counts for a port: a switch has one for all its ports.
func (p *foundPort) capabilities() (mask uint64, known bool) {
	info := p.info
	if p.kind == subnet.KindSwitch {
		if p.ports[0] == nil {
			return 0, false
		}
		info = p.ports[0].info
	}
	return mad.CapMask.Get(info), len(info) > 0
}

// extendedActive returns the extended speed of a port's link, 0 for none.
func (p *foundPort) extendedActive() uint64 {
	if mask, _ := p.capabilities(); mask&mad.HasExtendedSpeeds != 0 {
		return mad.ExtendedActive.Get(p.info)
	}
	return 0
}

// base is the LID that a port is reached by.
func (p *foundPort) base() uint64 {
	if p.kind == subnet.KindSwitch {
		return p.found.lid
	}
	return p.lid
}

// group numbers the systems of several nodes.
func (d *discovery) group() {
	members := map[uint64]int{}
	for _, n := range d.nodes {
		members[mad.SystemGUID.Get(n.info)]++
	}
	numbers := map[uint64]int{}
	for _, n := range d.nodes {
		system := mad.SystemGUID.Get(n.info)
		if system == 0 || members[system] < 2 {
			continue
		}
		if numbers[system] == 0 {
			d.chassis = append(d.chassis, system)
			numbers[system] = len(d.chassis)
		}
		n.chassis = numbers[system]
	}
}

// shown writes a node as the discovery comes to it.
func (d *discovery) shown(r mad.Route, p *foundPort, isNew bool) {
	prompt, number := "known", p.number
	if isNew {
		prompt = "new"
	}
	if p.kind == subnet.KindSwitch {
		number = 0
	}
	way := r.String()
	if r.LID == 0 {
		way = "DR path slid 0; dlid 0; " + r.Path()
	}
	d.Printf("%s -> %s %s {%016x} portnum %d lid %d-%d \"%s\"\n", way, prompt, mad.NodeType.Text(p.found.info), p.found.guid, number,
		p.lid, p.lid+1<<p.lmc-1, p.name)
}

// find returns the node that a GUID of a port belongs to.
func (s *scan) find(guid uint64) *found {
	for _, n := range s.nodes {
		for _, p := range n.ports {
			if p != nil && p.guid == guid {
				return n
			}
		}
	}
	return nil
}
