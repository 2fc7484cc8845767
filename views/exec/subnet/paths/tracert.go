package paths

import (
	"encoding/binary"
	"strings"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

var tracertOptions = []subnet.Option{
	subnet.NewOption("force", 'f', "", "go on although an end does not answer"),
	subnet.NewOption("no_info", 'n', "", "write only GUIDs and ports"),
	subnet.NewOption("mlid", 'm', "<mlid>", "follow the tree of this multicast group"),
	subnet.NewOption("node-name-map", 0, "<file>", "names for GUIDs"),
	subnet.NewOption("ports-file", 0, "<file>", "read pairs of addresses from this file"),
}

const traceHops = 63

// stop is a node on a traced path, with the port by which the path enters it.
type stop struct {
	kind, guid      uint64
	name            string
	ports           int
	port            int
	portGUID        uint64
	lid, lmc, state uint64
	enhanced        bool
	// A multicast trace walks a tree: the stop before, the port out of it, and the route.
	up    *stop
	out   int
	route mad.Route
	dist  int
}

// tracer writes a path.
type tracer struct {
	*subnet.Session
	level int // 0 writes nothing, 1 GUIDs and ports, 2 all
	force bool
}

func runTracert(s *subnet.Session) error {
	s.ReadNames()
	t := &tracer{Session: s, level: 2, force: s.Has("force") > 0}
	if s.Has("no_info") > 0 {
		t.level = 1
	}
	words := s.Given.Operands
	file := s.Value("ports-file")
	if file == "" {
		if len(words) < 2 {
			return subnet.ErrUsage
		}
		return t.pair(words[0], words[1], "Failed to get route information")
	}
	data, err := s.ReadFile(file)
	if err != nil {
		return subnet.Failed("cannot open ports-file %s", file)
	}
	pairs, line := 0, 0
	for text := range strings.Lines(string(data)) {
		line++
		words := strings.Fields(text)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) < 2 {
			return subnet.Failed("ports-file, %s, at line %d contains bad data", file, line)
		}
		pairs++
		if err := t.pair(words[0], words[1], "Failed to get route information at line "+strings.TrimSpace(mad.Field{Bits: 32}.Format(uint64(line)))); err != nil {
			return err
		}
	}
	s.Printf("%d lid/guid pairs processed from %s\n", pairs, file)
	return nil
}

// pair traces a path between two addresses.
func (t *tracer) pair(from, to, failure string) error {
	source, ok := t.Route(from)
	if !ok {
		t.Warn("get_route", "can't resolve source port %s", from)
		return subnet.Failed("%s", failure)
	}
	target, ok := t.Route(to)
	if !ok {
		t.Warn("get_route", "can't resolve destination port %s", to)
		return subnet.Failed("%s", failure)
	}
	level := t.level
	t.level = 0
	reached, ok := t.follow(subnet.Self, source)
	t.level = level
	if !ok {
		t.Warn("get_route", "can't find a route to the src port")
		return subnet.Failed("%s", failure)
	}
	if t.Has("mlid") == 0 {
		if _, ok := t.follow(reached, target); !ok {
			t.Warn("get_route", "can't find a route from src to dest")
			return subnet.Failed("%s", failure)
		}
		return nil
	}
	return t.tree(reached, target, failure)
}

// at asks for the node at the end of a route.
func (t *tracer) stop(r mad.Route) (*stop, bool) {
	node, ok := t.Request(r, mad.NodeInfo, 0)
	if !ok {
		return nil, false
	}
	name, ok := t.Request(r, mad.NodeDescription, 0)
	if !ok {
		return nil, false
	}
	port, ok := t.Request(r, mad.PortInfo, 0)
	if !ok {
		return nil, false
	}
	return &stop{
		kind: mad.NodeType.Get(node), guid: mad.NodeGUID.Get(node), name: subnet.Clean(t.Description(name)), ports: int(mad.NumPorts.Get(node)),
		port: int(mad.ArrivalPort.Get(node)), portGUID: mad.PortGUID.Get(node), lid: mad.LID.Get(port), lmc: mad.LMC.Get(port),
		state: mad.State.Get(port), route: r,
	}, true
}

// lookup returns the port to a LID in the table of a switch, and the highest LID of the table.
func (t *tracer) lookup(at *stop, r mad.Route, lid uint16) (out, top int) {
	info, ok := t.Request(r, mad.SwitchInfo, 0)
	if !ok {
		return -1, 0
	}
	at.enhanced = mad.EnhancedPort0.Get(info) != 0
	top = int(mad.LinearTop.Get(info))
	if int(lid) >= int(mad.LinearCap.Get(info)) && int(lid) > top {
		return -1, top
	}
	data, ok := t.Request(r, mad.LinearTable, uint32(lid/mad.Size))
	if !ok {
		return -1, top
	}
	return int(int8(data[lid%mad.Size])), top
}

// inactive reports whether a port does not pass data.
func (n *stop) inactive() bool {
	return n.state != uint64(infiniband.Active) && (n.kind != subnet.KindSwitch || n.enhanced)
}

func (t *tracer) same(a, b *stop) bool {
	return a.portGUID == b.portGUID || t.force && a.lid == b.lid
}

// follow follows the forwarding tables from the end of a route to a port, and returns the directed route to the port.
func (t *tracer) follow(from, to mad.Route) (mad.Route, bool) {
	const function = "find_route"
	first, ok := t.stop(from)
	target, reached := (*stop)(nil), false
	if ok {
		target, reached = t.stop(to)
	}
	if !ok || !reached {
		t.Warn(function, "can't reach to/from ports")
		if !t.force || first == nil {
			return from, false
		}
		t.Warn(function, "Force: look for lid %d", to.LID)
		target = &stop{lid: uint64(to.LID)}
	}
	lid := to.LID
	if lid == 0 {
		lid = uint16(target.lid)
	}
	at, out, top := first, 0, 0
	t.endNode("From", at)
	badTable := func(n *stop) (mad.Route, bool) {
		t.Warn(function, "Bad forwarding table entry found at: node \"%s\" lid entry %d is %d (top %d)", n.name, lid, out, top)
		return from, false
	}
	if at.kind == subnet.KindSwitch {
		if out, top = t.lookup(at, from, lid); out < 0 || out > at.ports {
			return badTable(at)
		}
	}
	for hop := 0; ; hop++ {
		if hop > traceHops {
			t.Warn(function, "no route found after %d hops", traceHops)
			return from, false
		}
		if at.inactive() {
			t.Warn(function, "Bad port state found: node \"%s\" port %d state %d", at.name, at.port, at.state)
			return from, false
		}
		if t.same(at, target) {
			break
		}
		if at.kind == subnet.KindSwitch {
			if out == 0 {
				return badTable(at)
			}
			from = from.Extend(out, t.Local().LID)
		} else {
			if !t.same(at, first) {
				t.Warn(function, "can't continue: reached CA or router port %x, lid %d", at.portGUID, at.lid)
				return from, false
			}
			out = at.port
			if len(from.Ports) > 0 { // an adapter at the end of a route: its switch is one link back
				entered := int(from.Ports[len(from.Ports)-1])
				from.Ports = from.Ports[:len(from.Ports)-1]
				next, found := t.stop(from)
				if !found {
					t.Warn(function, "can't reach port at %s", from)
					return from, false
				}
				next.port = entered
				if at, out, top, ok = t.step(at, next, from, lid, out); !ok {
					return from, false
				}
				continue
			}
			from = from.Extend(out, t.Local().LID)
		}
		next, found := t.stop(from)
		if !found {
			t.Warn(function, "can't reach port at %s", from)
			return from, false
		}
		if at, out, top, ok = t.step(at, next, from, lid, out); !ok {
			return from, false
		}
	}
	t.endNode("To", at)
	return from, true
}

// step goes to the next node, and looks its way up.
func (t *tracer) step(_, next *stop, r mad.Route, lid uint16, out int) (*stop, int, int, bool) {
	nextOut, top := 0, 0
	if next.kind == subnet.KindSwitch {
		if nextOut, top = t.lookup(next, r, lid); nextOut < 0 || nextOut > next.ports {
			t.Warn("find_route", "Bad forwarding table entry found at: node \"%s\" lid entry %d is %d (top %d)", next.name, lid, nextOut, top)
			return next, nextOut, top, false
		}
	}
	if next.inactive() {
		t.Warn("find_route", "Bad out port state found: node \"%s\" outport %d state %d", next.name, out, next.state)
		return next, nextOut, top, false
	}
	if t.level == 1 {
		t.Printf("[%d] -> {0x%016x}[%d]\n", out, next.portGUID, next.port)
	} else if t.level == 2 || t.Verbose > 0 {
		t.Printf("[%d] -> %s port {0x%016x}[%d] lid %d-%d \"%s\"\n", out, word(next.kind), next.portGUID, next.port, next.lid,
			next.lid+1<<next.lmc-1, t.NameOf(next.guid, next.name))
	}
	return next, nextOut, top, true
}

// word is the word for a kind of node in a path.
func word(kind uint64) string {
	return map[uint64]string{subnet.KindAdapter: "ca", subnet.KindSwitch: "switch", subnet.KindRouter: "router"}[kind]
}

// endNode writes the first or the last node of a path.
func (t *tracer) endNode(prompt string, n *stop) {
	port := n.port
	if n.kind == subnet.KindSwitch {
		port = 0
	}
	switch t.level {
	case 1:
		t.Printf("%s {0x%016x}[%d]\n", prompt, n.guid, port)
	case 2:
		t.Printf("%s %s {0x%016x} portnum %d lid %d-%d \"%s\"\n", prompt, word(n.kind), n.guid, port, n.lid, n.lid+1<<n.lmc-1, t.NameOf(n.guid, n.name))
	}
}

// members returns the ports of a switch to the members of a group.
func (t *tracer) members(n *stop, r mad.Route, mlid int) (map[int]bool, bool) {
	info, ok := t.Request(r, mad.SwitchInfo, 0)
	index := mlid - infiniband.FirstMulticastLID
	if !ok || index >= int(mad.MulticastCap.Get(info)) || index < 0 {
		return nil, false
	}
	ports := map[int]bool{}
	for set := range (n.ports + 16) / 16 {
		data, ok := t.Request(r, mad.MulticastTable, uint32(index/32)|uint32(set)<<28)
		if !ok {
			return nil, false
		}
		mask := binary.BigEndian.Uint16(data[index%32*2:])
		for i := range 16 {
			if mask>>i&1 == 1 {
				ports[set*16+i] = true
			}
		}
	}
	return ports, true
}

// tree walks the tree of a group breadth first until it comes to the target.
func (t *tracer) tree(from, to mad.Route, failure string) error {
	mlid := int(subnet.Number(t.Value("mlid")))
	if mlid < infiniband.FirstMulticastLID {
		t.Warn("get_route", "invalid MLID; must be 0xc000 or larger")
	}
	target, ok := t.stop(to)
	if !ok {
		t.Warn("get_route", "can't reach target lid %d", to.LID)
		return subnet.Failed("%s", failure)
	}
	last := t.search(from, target, mlid)
	if last == nil {
		t.Warn("get_route", "can't find a multicast route from src to dest")
		return subnet.Failed("%s", failure)
	}
	t.path(last)
	return nil
}

func (t *tracer) search(from mad.Route, target *stop, mlid int) *stop {
	first, ok := t.stop(from)
	if !ok {
		t.Warn("find_mcpath", "can't reach node %s", from)
		return nil
	}
	if first.portGUID == target.portGUID {
		if first.kind != subnet.KindSwitch {
			t.Warn("find_mcpath", "ibtracert from CA to CA is unsupported")
			return nil
		}
		if ports, ok := t.members(first, from, mlid); !ok || !ports[0] {
			return nil
		}
		return first
	}
	known := map[uint64]bool{first.guid: true}
	for level := []*stop{first}; len(level) > 0; {
		var next []*stop
		for _, n := range level {
			found := t.branches(n, target, mlid, known, &next)
			if found != nil {
				return found
			}
		}
		level = next
	}
	return nil
}

// branches visits the nodes at the ports of a group, and returns the target when it is one of them.
func (t *tracer) branches(n, target *stop, mlid int, known map[uint64]bool, next *[]*stop) *stop {
	ports := map[int]bool{}
	if n.kind == subnet.KindSwitch {
		var ok bool
		if ports, ok = t.members(n, n.route, mlid); !ok {
			t.Warn("find_mcpath", "skipping bad Switch 0x%x", n.guid)
			return nil
		}
	} else if n.dist == 0 {
		ports[n.port] = true
	}
	for port := 1; port <= n.ports; port++ {
		if !ports[port] || n.up != nil && port == n.port {
			continue
		}
		r := n.route.Extend(port, t.Local().LID)
		if n.kind != subnet.KindSwitch && len(n.route.Ports) > 0 {
			r = n.route
			r.Ports = r.Ports[:len(r.Ports)-1]
		}
		found, ok := t.stop(r)
		if !ok {
			continue
		}
		if n.kind != subnet.KindSwitch && len(n.route.Ports) > 0 {
			found.port = int(n.route.Ports[len(n.route.Ports)-1])
		}
		found.up, found.out, found.dist = n, port, n.dist+1
		switch {
		case found.portGUID == target.portGUID:
			found.dist = -1
			return found
		case known[found.guid]:
			if found.kind == subnet.KindSwitch {
				t.Printf("ERR: circle discovered at %s {0x%016x} portnum 0 lid %d-%d \"%s\"\n", word(found.kind), found.guid, found.lid, found.lid+1<<found.lmc-1, found.name)
			}
		default:
			known[found.guid] = true
			*next = append([]*stop{found}, *next...)
		}
	}
	return nil
}

// path writes the path to a node of a tree.
func (t *tracer) path(n *stop) {
	if n.up != nil {
		t.path(n.up)
	}
	name := t.NameOf(n.guid, n.name)
	if n.up == nil {
		t.Printf("From %s 0x%x port %d lid %d-%d \"%s\"\n", word(n.kind), n.guid, n.port, n.lid, n.lid+1<<n.lmc-1, name)
		return
	}
	if t.level == 1 {
		t.Printf("[%d] -> %s {0x%016x}[%d]\n", n.out, word(n.kind), n.guid, n.port)
	} else {
		t.Printf("[%d] -> %s 0x%x[%d] lid %d \"%s\"\n", n.out, word(n.kind), n.guid, n.port, n.lid, name)
	}
	if n.dist < 0 {
		t.Printf("To %s 0x%x port %d lid %d-%d \"%s\"\n", word(n.kind), n.guid, n.port, n.lid, n.lid+1<<n.lmc-1, name)
	}
}
