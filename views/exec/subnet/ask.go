package subnet

import (
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
)

// self is the directed route of no hops, to the port that the program sends from.
var self = mad.Directed()

// ask sends a request of subnet management. It reports false, after a warning, when no answer came or the answer is an error.
func (s *session) ask(r mad.Route, attribute mad.Attribute, modifier uint32) ([]byte, bool) {
	data, status := s.Ask(s.at, r, attribute, modifier)
	s.noted(r, status)
	return data, status == mad.OK
}

// noted warns of an answer that did not come.
func (s *session) noted(r mad.Route, status mad.Status) {
	if status == mad.NoAnswer {
		if s.showErrs {
			s.warn("_do_madrpc", "recv failed: Connection timed out")
		}
		s.warn("mad_rpc", "_do_madrpc failed; dport (%s)", r)
	} else if status != mad.OK && s.showErrs {
		s.warn("mad_rpc", "MAD completed with error status 0x%x; dport (%s)", uint16(status), r)
	}
}

// local is the port that the program sends from.
func (s *session) local() *infiniband.Port { return s.End(s.at) }

// route reads an address.
func (s *session) route(address string) (mad.Route, bool) {
	switch s.by {
	case byRoute:
		return directed(address)
	case byGUID:
		guid := number(address)
		lid, ok := s.lidOf(description.GUID(guid))
		if guid == 0 {
			return mad.Route{}, false
		}
		if !ok {
			s.warn("ib_path_query_via", "sa call path_query failed")
		}
		return mad.ByLID(lid), ok
	case combined:
		first, path, _ := strings.Cut(address, " ")
		lid := number(first)
		tail, ok := directed(path)
		if lid == 0 || lid > infiniband.MaxLID || !ok {
			return mad.Route{}, false
		}
		r := mad.ByLID(uint16(lid))
		for _, port := range tail.Ports {
			r = r.Extend(int(port), s.local().LID)
		}
		return r, true
	case byLID:
	}
	lid := number(address)
	if lid == 0 || lid > infiniband.MaxLID {
		return mad.Route{}, false
	}
	return mad.ByLID(uint16(lid)), true
}

// resolve reads an address, or fails.
func (s *session) resolve(address string) (mad.Route, error) {
	r, ok := s.route(address)
	if !ok {
		return r, failed("can't resolve destination port %s", address)
	}
	return r, nil
}

// directed reads a directed route: "0,1,5". The first number stands for the sender.
func directed(text string) (mad.Route, bool) {
	r := mad.Directed()
	for i, word := range strings.Split(strings.TrimSpace(text), ",") {
		port := number(word)
		if port > infiniband.MaxPorts {
			return r, false
		}
		if i > 0 {
			r.Ports = append(r.Ports, uint8(port))
		}
	}
	return r, len(r.Ports) <= mad.MaxHops
}

// lidOf asks the subnet manager for the LID of a port.
func (s *session) lidOf(guid description.GUID) (uint16, bool) {
	if _, ok := s.administration(); !ok {
		return 0, false
	}
	for _, end := range s.endPorts() {
		if port := s.End(end); port.GUID == guid && port.LID != 0 {
			return port.LID, true
		}
	}
	return 0, false
}

// endPorts are the end ports of the network.
func (s *session) endPorts() []infiniband.Place {
	var ends []infiniband.Place
	for n := range s.Nodes {
		node := &s.Nodes[n]
		for p := node.First(); p < len(node.Ports); p++ {
			ends = append(ends, infiniband.Place{Node: n, Port: p})
			if node.Kind == infiniband.Switch {
				break
			}
		}
	}
	return ends
}

// clean returns a node's description without control characters.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return ' '
		}
		return r
	}, strings.TrimRight(name, "\x00"))
}

// nameOf returns the name of a node: the one in the map of names, or its description.
func (s *session) nameOf(guid uint64, own string) string {
	if name, ok := s.names[description.GUID(guid)]; ok {
		return name
	}
	return clean(own)
}

// description asks for the description of a node.
func (s *session) description(data []byte) string {
	text, _, _ := strings.Cut(string(data), "\x00")
	return text
}

// readNames reads the map of names: lines of a GUID and a name in quotes.
func (s *session) readNames() {
	file := s.value("node-name-map")
	if file == "" {
		return
	}
	data, err := s.read(file)
	if err != nil {
		s.complain("WARNING failed to open node name map \"%s\" (No such file or directory)\n", file)
		return
	}
	s.names = map[description.GUID]string{}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "#")
		guid, name, ok := strings.Cut(strings.TrimSpace(line), "\"")
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(name, "\"")
		s.names[description.GUID(number(strings.TrimSpace(guid)))] = name
	}
}
