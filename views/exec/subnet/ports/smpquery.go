package ports

import (
	"encoding/binary"
	"strings"

	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

// query is an operation of smpquery.
type query struct {
	name, alias string
	port        bool // takes a number of a port
	run         func(s *subnet.Session, r mad.Route, port int) error
}

// queries are the operations of smpquery. The package fills the table when it starts, because the help of the operations refers to it.
var queries = []query{
	{"NodeInfo", "NI", false, queryNode},
	{"NodeDesc", "ND", false, queryDescription},
	{"PortInfo", "PI", true, queryPort},
	{"PortInfoExtended", "PIE", true, queryExtended},
	{"SwitchInfo", "SI", false, querySwitch},
	{"PKeyTable", "PKeys", true, queryKeys},
	{"SL2VLTable", "SL2VL", true, queryLanes},
	{"VLArbitration", "VLArb", true, queryArbitration},
	{"GUIDInfo", "GI", false, queryGUIDs},
	{"MlnxExtPortInfo", "MEPI", true, queryVendor},
}

var smpqueryOptions = []subnet.Option{
	subnet.NewOption("combined", 'c', "", "the address is a LID and a directed route from there"),
	subnet.NewOption("node-name-map", 0, "<file>", "names for GUIDs"),
	subnet.NewOption("extended", 'x', "", "ask for the extended speeds, too"),
}

// smpqueryOperands is the usage, with the operations.
func smpqueryOperands() string {
	text := "<op> <dest dr_path|lid|guid> [op params]\n\nOperations, in upper or lower case:\n"
	for _, q := range queries {
		text += "  " + q.name + " (" + q.alias + ") <addr>"
		if q.port {
			text += " [<portnum>]"
		}
		text += "\n"
	}
	return text
}

func runSmpquery(s *subnet.Session) error {
	words := s.Given.Operands
	if len(words) < 2 {
		return subnet.ErrUsage
	}
	s.ReadNames()
	for _, q := range queries {
		if !strings.EqualFold(words[0], q.name) && !strings.EqualFold(words[0], q.alias) {
			continue
		}
		address, rest := words[1], words[2:]
		if s.Has("combined") > 0 {
			if len(rest) == 0 {
				return subnet.ErrUsage
			}
			s.By = subnet.Combined
			address, rest = address+" "+rest[0], rest[1:]
		}
		r, err := s.Resolve(address)
		if err != nil {
			return err
		}
		port := 0
		if len(rest) > 0 {
			port = int(int32(subnet.Number(rest[0])))
		}
		if err := q.run(s, r, port); err != nil {
			return subnet.Failed("operation %s: %w", words[0], err)
		}
		return nil
	}
	return subnet.Failed("operation '%s' not supported", words[0])
}

func queryNode(s *subnet.Session, r mad.Route, _ int) error {
	data, ok := s.Request(r, mad.NodeInfo, 0)
	if !ok {
		return subnet.Failed("node info query failed")
	}
	s.Printf("# Node info: %s\n%s", r, mad.Print(mad.NodeFields, data))
	return nil
}

func queryDescription(s *subnet.Session, r mad.Route, _ int) error {
	node, ok := s.Request(r, mad.NodeInfo, 0)
	if !ok {
		return subnet.Failed("node info query failed")
	}
	data, ok := s.Request(r, mad.NodeDescription, 0)
	if !ok {
		return subnet.Failed("node desc query failed")
	}
	name := s.NameOf(mad.NodeGUID.Get(node), s.Description(data))
	s.Printf("Node Description:%s%s\n", strings.Repeat(".", max(1, 32-len(name))), name)
	return nil
}

func queryPort(s *subnet.Session, r mad.Route, port int) error {
	modifier := uint32(port)
	if s.Has("extended") > 0 {
		modifier |= 1 << 31
	}
	data, ok := s.Request(r, mad.PortInfo, modifier)
	if !ok {
		return subnet.Failed("port info query failed")
	}
	s.Printf("# Port info: %s port %d\n%s%s", r, port, mad.Line(mad.MKey.Name, s.Key(data)), mad.Print(mad.PortFields, data))
	return nil
}

// extendedInfo is the bit of a port that answers PortInfoExtended.
const extendedInfo = 2

func queryExtended(s *subnet.Session, r mad.Route, port int) error {
	if ok, err := hasExtendedInfo(s, r, port); err != nil || !ok {
		if err == nil {
			err = subnet.Failed("port info extended not supported")
		}
		return err
	}
	data, ok := s.Request(r, mad.ExtendedInfo, uint32(port))
	if !ok {
		return subnet.Failed("port info extended query failed")
	}
	s.Printf("# Port info Extended: %s port %d\n%s", r, port, mad.Print(mad.ExtendedInfoFields, data))
	return nil
}

// hasExtendedInfo reports whether a port says that it answers PortInfoExtended.
func hasExtendedInfo(s *subnet.Session, r mad.Route, port int) (bool, error) {
	node, ok := s.Request(r, mad.NodeInfo, 0)
	if !ok {
		return false, subnet.Failed("node info query failed")
	}
	if mad.NodeType.Get(node) == subnet.KindSwitch {
		port = 0
	}
	data, ok := s.Request(r, mad.PortInfo, uint32(port))
	if !ok {
		return false, subnet.Failed("port info query failed")
	}
	const function = "is_port_info_extended_supported"
	if mad.CapMask.Get(data)&mad.HasCapMask2 == 0 {
		s.Warn(function, "port info capability mask2 not supported")
		return false, nil
	}
	if mask := mad.CapMask2.Get(data); mask&extendedInfo == 0 {
		s.Warn(function, "port info capability mask2 = 0x%x doesn't indicate PortInfoExtended support", mask)
		return false, nil
	}
	return true, nil
}

func querySwitch(s *subnet.Session, r mad.Route, _ int) error {
	data, ok := s.Request(r, mad.SwitchInfo, 0)
	if !ok {
		return subnet.Failed("switch info query failed")
	}
	s.Printf("# Switch info: %s\n%s", r, mad.Print(mad.SwitchFields, data))
	return nil
}

func queryVendor(s *subnet.Session, r mad.Route, port int) error {
	data, ok := s.Request(r, mad.VendorPortInfo, uint32(port))
	if !ok {
		return subnet.Failed("Mellanox ext port info query failed")
	}
	s.Printf("# MLNX ext Port info: %s port %d\n%s", r, port, mad.Print(mad.VendorPortFields, data))
	return nil
}

// portOf asks for the node, and checks that it has a port.
func portOf(s *subnet.Session, r mad.Route, port int) (node []byte, err error) {
	node, ok := s.Request(r, mad.NodeInfo, 0)
	if !ok {
		return nil, subnet.Failed("node info query failed")
	}
	if port < 0 || port > int(mad.NumPorts.Get(node)) {
		return nil, subnet.Failed("invalid port number")
	}
	return node, nil
}

func queryKeys(s *subnet.Session, r mad.Route, port int) error {
	node, err := portOf(s, r, port)
	if err != nil {
		return err
	}
	count := int(mad.PartitionCap.Get(node))
	if mad.NodeType.Get(node) == subnet.KindSwitch && port != 0 {
		data, ok := s.Request(r, mad.SwitchInfo, 0)
		if !ok {
			return subnet.Failed("switch info failed")
		}
		count = int(mad.EnforceCap.Get(data))
	}
	for block := range (count + 31) / 32 {
		data, ok := s.Request(r, mad.PKeyTable, uint32(block|port<<16))
		if !ok {
			return subnet.Failed("pkey table query failed")
		}
		for row := block * 32; row < min(count, (block+1)*32); row += 8 {
			s.Printf("%4d:", row)
			for i := range 8 {
				s.Printf(" 0x%04x", binary.BigEndian.Uint16(data[2*(row%32+i):]))
			}
			s.Printf("\n")
		}
	}
	s.Printf("%d pkeys capacity for this port\n", count)
	return nil
}

func queryLanes(s *subnet.Session, r mad.Route, port int) error {
	node, err := portOf(s, r, port)
	if err != nil {
		return err
	}
	s.Printf("# SL2VL table: %s\n#                 SL: |", r)
	for level := range 16 {
		s.Printf("%2d|", level)
	}
	s.Printf("\n")
	last := 0
	if mad.NodeType.Get(node) == subnet.KindSwitch {
		last = int(mad.NumPorts.Get(node))
	} else {
		port = 0
	}
	for in := 0; in <= last; in++ {
		data, ok := s.Request(r, mad.SLToVL, uint32(in<<8|port))
		if !ok {
			return subnet.Failed("slvl query failed")
		}
		s.Printf("ports: in %2d, out %2d: |", in, port)
		for level := range 16 {
			s.Printf("%2d|", data[level/2]>>(4-level%2*4)&0xf)
		}
		s.Printf("\n")
	}
	return nil
}

func queryArbitration(s *subnet.Session, r mad.Route, port int) error {
	if port == 0 {
		node, err := portOf(s, r, 0)
		if err != nil {
			return err
		}
		if mad.NodeType.Get(node) == subnet.KindSwitch {
			data, ok := s.Request(r, mad.SwitchInfo, 0)
			if !ok {
				return subnet.Failed("switch info query failed")
			}
			if mad.EnhancedPort0.Get(data) == 0 {
				s.Printf("# No VLArbitration tables (BSP0): %s port %d\n", r, 0)
				return nil
			}
		}
	}
	data, ok := s.Request(r, mad.PortInfo, uint32(port))
	if !ok {
		return subnet.Failed("port info query failed")
	}
	low, high := int(mad.VLLowCap.Get(data)), int(mad.VLHighCap.Get(data))
	s.Printf("# VLArbitration tables: %s port %d LowCap %d HighCap %d\n", r, port, low, high)
	for _, table := range []struct {
		name         string
		block, count int
	}{{"Low", 1, low}, {"High", 3, high}} {
		if table.count == 0 {
			continue
		}
		s.Printf("# %s priority VL Arbitration Table:", table.name)
		for first := 0; first < table.count; first += 32 {
			data, ok := s.Request(r, mad.VLArbitration, uint32((table.block+first/32)<<16|port))
			if !ok {
				return subnet.Failed("vl arb query failed")
			}
			weights(s, data, min(32, table.count-first))
		}
	}
	return nil
}

// weights writes entries of a table of arbitration.
func weights(s *subnet.Session, data []byte, count int) {
	s.Printf("\nVL    : |")
	for i := range count {
		s.Printf("0x%-2X|", data[2*i]&0xf)
	}
	s.Printf("\nWEIGHT: |")
	for i := range count {
		s.Printf("0x%-2X|", data[2*i+1])
	}
	s.Printf("\n")
}

func queryGUIDs(s *subnet.Session, r mad.Route, _ int) error {
	data, ok := s.Request(r, mad.PortInfo, 0)
	if !ok {
		return subnet.Failed("port info failed")
	}
	count := int(mad.GUIDCap.Get(data))
	for block := range (count + 7) / 8 {
		data, ok := s.Request(r, mad.GUIDInfo, uint32(block))
		if !ok {
			return subnet.Failed("guid info query failed")
		}
		for i := block * 8; i < min(count, (block+1)*8); i += 2 {
			at := i % 8 * 8
			s.Printf("%4d: 0x%016x 0x%016x\n", i, binary.BigEndian.Uint64(data[at:]), binary.BigEndian.Uint64(data[at+8:]))
		}
	}
	s.Printf("%d guids capacity for this port\n", count)
	return nil
}

var smpdumpOptions = []subnet.Option{subnet.NewOption("string", 's', "", "write the data as a text")}

func runSmpdump(s *subnet.Session) error {
	words := s.Given.Operands
	if len(words) < 2 {
		return subnet.ErrUsage
	}
	r := mad.ByLID(uint16(subnet.Number(words[0])))
	if s.By == subnet.ByRoute {
		var ok bool
		if r, ok = subnet.Directed(words[0]); !ok {
			s.Complain("ibpanic: [%d] main: bad path str '%s'\n", s.Computer.PID, words[0])
			return subnet.CodeError(255)
		}
	}
	modifier := uint32(0)
	if len(words) > 2 {
		modifier = uint32(subnet.Number(words[2]))
	}
	data, status := s.Ask(s.From, r, mad.Attribute(subnet.Number(words[1])), modifier)
	if status == mad.NoAnswer {
		s.Complain("ibpanic: [%d] main: recv error: Connection timed out\n", s.Computer.PID)
		return subnet.CodeError(255)
	}
	if r.Direct {
		status |= 0x8000 // the bit of an answer that comes back
	}
	if s.Has("string") > 0 {
		s.Printf("%s\n", s.Description(data))
	} else {
		s.Printf("%s", mad.Hex(data))
	}
	if status != mad.OK {
		s.Printf("SMP status: 0x%x\n", uint16(status))
	}
	return nil
}
