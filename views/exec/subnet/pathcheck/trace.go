package pathcheck

import (
	"fmt"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
)

const kindSwitch = 2

// node is the answer of a node at the end of a route.
type node struct {
	kind, guid, device uint64
	description        string
	ports, port        int // port is the one by which the route arrives
	lid, lmc           uint64
	route              mad.Route
}

// node asks for the node at the end of a route; it is nil without an answer.
func (r *run) node(route mad.Route) *node {
	info, status := r.Ask(r.at, route, mad.NodeInfo, 0)
	if status != mad.OK {
		return nil
	}
	text, _ := r.Ask(r.at, route, mad.NodeDescription, 0)
	port, _ := r.Ask(r.at, route, mad.PortInfo, 0)
	name, _, _ := strings.Cut(string(text), "\x00")
	return &node{
		kind: mad.NodeType.Get(info), guid: mad.NodeGUID.Get(info), device: mad.DeviceID.Get(info), description: name,
		ports: int(mad.NumPorts.Get(info)), port: int(mad.ArrivalPort.Get(info)), lid: mad.LID.Get(port), lmc: mad.LMC.Get(port), route: route,
	}
}

// owns reports whether a LID is one of the node's.
func (n *node) owns(lid uint16) bool {
	return n.lid != 0 && uint64(lid) >= n.lid && uint64(lid) < n.lid+1<<n.lmc
}

// end is a port of a link.
type end struct {
	*node
	number int
	info   []byte // PortInfo
}

// link is a link of a path, from the output port of a node to the input port of the next one.
type link struct{ from, to end }

// path is a traced path. A path to the local port has no link.
type path struct {
	links []link
	// source and target are the ends; they are the same for the local port.
	source, target end
}

// name returns the name of a node: the one of the topology file, or its description.
func (r *run) name(n *node) string {
	if name, ok := r.names[description.GUID(n.guid)]; ok {
		return name
	}
	return strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return ' '
		}
		return c
	}, n.description)
}

// describe writes a port as the report does.
func (r *run) describe(e end) string {
	return fmt.Sprintf("lid=0x%04x guid=0x%016x dev=%d %s Port=%d", e.lid, e.guid, e.device, r.name(e.node), e.number)
}

// end asks for a port of a node.
func (r *run) end(n *node, number int) end {
	info, _ := r.Ask(r.at, n.route, mad.PortInfo, uint32(number))
	return end{n, number, info}
}

// path traces the path that the options name, and prints it.
func (r *run) path() (*path, error) {
	local := r.node(mad.Directed())
	if len(r.ports) > 0 {
		return r.byRoute(local)
	}
	source, target := local, r.lids[len(r.lids)-1]
	if len(r.lids) == 2 && r.lids[0] != target && !local.owns(r.lids[0]) {
		r.title("Traversing the path from local to source")
		way, err := r.byLID(local, r.lids[0], true)
		if err != nil {
			return nil, err
		}
		source = way.target.node
		r.title("Traversing the path from source to destination")
	} else if !local.owns(target) {
		r.title("Traversing the path from local to destination")
	}
	if local.owns(target) && source == local {
		r.warn("Addressing local node. Only local port will be checked.")
		own := r.end(local, r.at.Port)
		return &path{source: own, target: own}, nil
	}
	return r.byLID(source, target, true)
}

// leave returns the link out of a port of a node, to the node at the end of a route.
func (r *run) leave(n *node, port int, route mad.Route) (link, error) {
	from := r.end(n, port)
	if mad.Physical.Get(from.info) != uint64(infiniband.LinkUp) {
		return link{}, abortf(noRoute, "Illegal route was issued.\nPort #%d of: %s, is DOWN.", port, r.name(n))
	}
	next := r.node(route)
	if next == nil {
		return link{}, abortf(noRoute, "Illegal route was issued.\nCan not exit through Port #%d of the following device:\n%s", port, r.name(n))
	}
	return link{from, r.end(next, next.port)}, nil
}

// add prints a link of a path.
func (r *run) add(p *path, l link, show bool) {
	if show {
		r.info("From: %s", r.describe(l.from))
		r.info("To:   %s", r.describe(l.to))
		r.printf("\n")
	}
	if len(p.links) == 0 {
		p.source = l.from
	}
	p.links, p.target = append(p.links, l), l.to
}

// byRoute follows the directed route of the options.
func (r *run) byRoute(local *node) (*path, error) {
	r.title("Traversing the path from local to destination")
	p, at := &path{}, local
	for i, port := range r.ports {
		switch {
		case i == mad.MaxHops:
			return nil, abortf(tooManyHops, "The directed route has more than %d links.", mad.MaxHops)
		case i > 0 && at.kind != kindSwitch:
			return nil, abortf(noRoute, "Illegal direct route was issued.\nThe provided direct route passes through a HCA:\n%s\n(which cannot forward direct route mads).", r.name(at))
		case int(port) > at.ports:
			return nil, abortf(noRoute, "Illegal direct route was issued.\nThe following device: %s\ndoes not have port number %d.", r.name(at), port)
		}
		l, err := r.leave(at, int(port), mad.Directed(r.ports[:i+1]...))
		if err != nil {
			return nil, err
		}
		r.add(p, l, true)
		at = l.to.node
	}
	return p, nil
}

// byLID follows the forwarding tables from a node to a LID.
func (r *run) byLID(source *node, lid uint16, show bool) (*path, error) {
	p, at, route := &path{}, source, source.route
	visited := map[uint64]bool{}
	for hop := 0; !at.owns(lid); hop++ {
		port := at.port
		switch {
		case visited[at.guid]:
			return nil, abortf(noRoute, "Lid route loop detected: when following the LID-route for LID %d from device\n%s", lid, r.name(at))
		case hop == mad.MaxHops, len(route.Ports) >= mad.MaxHops && at.kind == kindSwitch:
			return nil, abortf(tooManyHops, "The path to LID %d has more than %d links.", lid, mad.MaxHops)
		case at.kind == kindSwitch:
			out, err := r.entry(at, lid)
			if err != nil {
				return nil, err
			}
			port, route = out, route.Extend(out, 0)
		case hop > 0:
			last := p.links[hop-1].from
			return nil, abortf(noRoute, "LID-route deadend was detected.\nEntry %d of LFT of the following switch\n%s\nis %d, but port %d leads to\nHCA %s.",
				lid, r.name(last.node), last.number, last.number, r.name(at))
		case len(route.Ports) > 0: // a remote adapter: its switch is one link back
			route.Ports = route.Ports[:len(route.Ports)-1]
		default:
			route = route.Extend(r.at.Port, 0)
		}
		visited[at.guid] = true
		l, err := r.leave(at, port, route)
		if err != nil {
			return nil, err
		}
		if hop == 0 && at.kind != kindSwitch && len(source.route.Ports) > 0 { // the answer came from the side of the local port
			l.to = r.end(l.to.node, int(source.route.Ports[len(source.route.Ports)-1]))
		}
		if mad.State.Get(l.from.info) == uint64(infiniband.Initialize) {
			return nil, abortf(noRoute, "%s Port=%d is in INIT state.", r.name(at), port)
		}
		r.add(p, l, show)
		at = l.to.node
	}
	if len(p.links) == 0 { // the source is the destination
		own := r.end(at, at.port)
		p.source, p.target = own, own
	}
	return p, nil
}

// entry reads the port to a LID from the forwarding table of a switch.
func (r *run) entry(n *node, lid uint16) (int, error) {
	data, status := r.Ask(r.at, n.route, mad.LinearTable, uint32(lid/mad.Size))
	if status != mad.OK {
		return 0, abortf(noRoute, "Could not read the forwarding table of %s.", r.name(n))
	}
	out := int(data[lid%mad.Size])
	if out == 0 || out > n.ports {
		return 0, abortf(noRoute, "Reached a dead end: when reading LID %d from the forwarding table of device\n%s.", lid, r.name(n))
	}
	return out, nil
}

// discover walks the subnet by directed routes, and returns each end port that answers, the nearest first.
func (r *run) discover() []*node {
	first := r.node(mad.Directed())
	known := map[[2]uint64]bool{{first.guid, uint64(first.port)}: true}
	found := []*node{first}
	for i := 0; i < len(found); i++ {
		n := found[i]
		ports := []int{}
		switch {
		case i == 0 && n.kind != kindSwitch:
			ports = append(ports, r.at.Port)
		case n.kind == kindSwitch:
			for port := 1; port <= n.ports; port++ {
				ports = append(ports, port)
			}
		}
		if len(n.route.Ports) == mad.MaxHops {
			continue
		}
		for _, port := range ports {
			next := r.node(n.route.Extend(port, 0))
			if next == nil {
				continue
			}
			key := [2]uint64{next.guid, uint64(next.port)}
			if next.kind == kindSwitch {
				key[1] = 0
			}
			if !known[key] {
				known[key] = true
				found = append(found, next)
			}
		}
	}
	return found
}
