package subnet

import (
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
)

// hidden stands for a key that is not shown.
const hidden = "<not displayed>"

// Key writes the management key, if keys are shown.
func (s *Session) Key(data []byte) string {
	if s.showKeys {
		return mad.MKey.Text(data)
	}
	return hidden
}

// Self is the directed route of no hops, to the port that the program sends from.
var Self = mad.Directed()

// Request sends a request of subnet management. It reports false, after a warning, when no answer came or the answer is an error.
func (s *Session) Request(r mad.Route, attribute mad.Attribute, modifier uint32) ([]byte, bool) {
	data, status := s.Ask(s.From, r, attribute, modifier)
	s.noted(r, status)
	return data, status == mad.OK
}

// noted warns of an answer that did not come.
func (s *Session) noted(r mad.Route, status mad.Status) {
	if status == mad.NoAnswer {
		if s.showErrs {
			s.Warn("_do_madrpc", "recv failed: Connection timed out")
		}
		s.Warn("mad_rpc", "_do_madrpc failed; dport (%s)", r)
	} else if status != mad.OK && s.showErrs {
		s.Warn("mad_rpc", "MAD completed with error status 0x%x; dport (%s)", uint16(status), r)
	}
}

// Local is the port that the program sends from.
func (s *Session) Local() *infiniband.Port { return s.End(s.From) }

// Route reads an address.
func (s *Session) Route(address string) (mad.Route, bool) {
	switch s.By {
	case ByRoute:
		return Directed(address)
	case ByGUID:
		guid := Number(address)
		lid, ok := s.lidOf(description.GUID(guid))
		if guid == 0 {
			return mad.Route{}, false
		}
		if !ok {
			s.Warn("ib_path_query_via", "sa call path_query failed")
		}
		return mad.ByLID(lid), ok
	case Combined:
		first, path, _ := strings.Cut(address, " ")
		lid := Number(first)
		tail, ok := Directed(path)
		if lid == 0 || lid > infiniband.MaxLID || !ok {
			return mad.Route{}, false
		}
		r := mad.ByLID(uint16(lid))
		for _, port := range tail.Ports {
			r = r.Extend(int(port), s.Local().LID)
		}
		return r, true
	case ByLID:
	}
	lid := Number(address)
	if lid == 0 || lid > infiniband.MaxLID {
		return mad.Route{}, false
	}
	return mad.ByLID(uint16(lid)), true
}

// Resolve reads an address, or fails.
func (s *Session) Resolve(address string) (mad.Route, error) {
	r, ok := s.Route(address)
	if !ok {
		return r, Failed("can't resolve destination port %s", address)
	}
	return r, nil
}

// Directed reads a directed route: "0,1,5". The first number stands for the sender.
func Directed(text string) (mad.Route, bool) {
	r := mad.Directed()
	for i, word := range strings.Split(strings.TrimSpace(text), ",") {
		port := Number(word)
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
func (s *Session) lidOf(guid description.GUID) (uint16, bool) {
	if _, ok := s.Master(); !ok {
		return 0, false
	}
	for _, end := range s.EndPorts() {
		if port := s.End(end); port.GUID == guid && port.LID != 0 {
			return port.LID, true
		}
	}
	return 0, false
}

// EndPorts are the end ports of the network.
func (s *Session) EndPorts() []infiniband.Place {
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

// Clean returns a node's description without control characters.
func Clean(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return ' '
		}
		return r
	}, strings.TrimRight(name, "\x00"))
}

// NameOf returns the name of a node: the one in the map of names, or its description.
func (s *Session) NameOf(guid uint64, own string) string {
	if name, ok := s.names[description.GUID(guid)]; ok {
		return name
	}
	return Clean(own)
}

// Description asks for the description of a node.
func (s *Session) Description(data []byte) string {
	text, _, _ := strings.Cut(string(data), "\x00")
	return text
}

// ReadNames reads the map of names: lines of a GUID and a name in quotes.
func (s *Session) ReadNames() {
	file := s.Value("node-name-map")
	if file == "" {
		return
	}
	data, err := s.ReadFile(file)
	if err != nil {
		s.Complain("WARNING failed to open node name map \"%s\" (No such file or directory)\n", file)
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
		s.names[description.GUID(Number(strings.TrimSpace(guid)))] = name
	}
}
