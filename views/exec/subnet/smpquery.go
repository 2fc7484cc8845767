package subnet

import (
	"encoding/binary"
	"strings"

	"cxdeck/device/infiniband/mad"
)

// query is an operation of smpquery.
type query struct {
	name, alias string
	port        bool // takes a number of a port
	run         func(s *session, r mad.Route, port int) error
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

var smpqueryOptions = []option{
	{"combined", 'c', "", "the address is a LID and a directed route from there"},
	{"node-name-map", 0, "<file>", "names for GUIDs"},
	{"extended", 'x', "", "ask for the extended speeds, too"},
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

func runSmpquery(s *session) error {
	words := s.given.operands
	if len(words) < 2 {
		return errUsage
	}
	s.readNames()
	for _, q := range queries {
		if !strings.EqualFold(words[0], q.name) && !strings.EqualFold(words[0], q.alias) {
			continue
		}
		address, rest := words[1], words[2:]
		if s.has("combined") > 0 {
			if len(rest) == 0 {
				return errUsage
			}
			s.by = combined
			address, rest = address+" "+rest[0], rest[1:]
		}
		r, err := s.resolve(address)
		if err != nil {
			return err
		}
		port := 0
		if len(rest) > 0 {
			port = int(int32(number(rest[0])))
		}
		if err := q.run(s, r, port); err != nil {
			return failed("operation %s: %w", words[0], err)
		}
		return nil
	}
	return failed("operation '%s' not supported", words[0])
}

func queryNode(s *session, r mad.Route, _ int) error {
	data, ok := s.ask(r, mad.NodeInfo, 0)
	if !ok {
		return failed("node info query failed")
	}
	s.printf("# Node info: %s\n%s", r, mad.Print(mad.NodeFields, data))
	return nil
}

func queryDescription(s *session, r mad.Route, _ int) error {
	node, ok := s.ask(r, mad.NodeInfo, 0)
	if !ok {
		return failed("node info query failed")
	}
	data, ok := s.ask(r, mad.NodeDescription, 0)
	if !ok {
		return failed("node desc query failed")
	}
	name := s.nameOf(mad.NodeGUID.Get(node), s.description(data))
	s.printf("Node Description:%s%s\n", strings.Repeat(".", max(1, 32-len(name))), name)
	return nil
}

// hidden stands for a key that is not shown.
const hidden = "<not displayed>"

func queryPort(s *session, r mad.Route, port int) error {
	modifier := uint32(port)
	if s.has("extended") > 0 {
		modifier |= 1 << 31
	}
	data, ok := s.ask(r, mad.PortInfo, modifier)
	if !ok {
		return failed("port info query failed")
	}
	s.printf("# Port info: %s port %d\n%s%s", r, port, mad.Line(mad.MKey.Name, s.key(data)), mad.Print(mad.PortFields, data))
	return nil
}

// key writes the management key, if keys are shown.
func (s *session) key(data []byte) string {
	if s.showKeys {
		return mad.MKey.Text(data)
	}
	return hidden
}

// extendedInfo is the bit of a port that answers PortInfoExtended.
const extendedInfo = 2

func queryExtended(s *session, r mad.Route, port int) error {
	if ok, err := s.hasExtendedInfo(r, port); err != nil || !ok {
		if err == nil {
			err = failed("port info extended not supported")
		}
		return err
	}
	data, ok := s.ask(r, mad.ExtendedInfo, uint32(port))
	if !ok {
		return failed("port info extended query failed")
	}
	s.printf("# Port info Extended: %s port %d\n%s", r, port, mad.Print(mad.ExtendedInfoFields, data))
	return nil
}

// hasExtendedInfo reports whether a port says that it answers PortInfoExtended.
func (s *session) hasExtendedInfo(r mad.Route, port int) (bool, error) {
	node, ok := s.ask(r, mad.NodeInfo, 0)
	if !ok {
		return false, failed("node info query failed")
	}
	if mad.NodeType.Get(node) == kindSwitch {
		port = 0
	}
	data, ok := s.ask(r, mad.PortInfo, uint32(port))
	if !ok {
		return false, failed("port info query failed")
	}
	const function = "is_port_info_extended_supported"
	if mad.CapMask.Get(data)&mad.HasCapMask2 == 0 {
		s.warn(function, "port info capability mask2 not supported")
		return false, nil
	}
	if mask := mad.CapMask2.Get(data); mask&extendedInfo == 0 {
		s.warn(function, "port info capability mask2 = 0x%x doesn't indicate PortInfoExtended support", mask)
		return false, nil
	}
	return true, nil
}

func querySwitch(s *session, r mad.Route, _ int) error {
	data, ok := s.ask(r, mad.SwitchInfo, 0)
	if !ok {
		return failed("switch info query failed")
	}
	s.printf("# Switch info: %s\n%s", r, mad.Print(mad.SwitchFields, data))
	return nil
}

func queryVendor(s *session, r mad.Route, port int) error {
	data, ok := s.ask(r, mad.VendorPortInfo, uint32(port))
	if !ok {
		return failed("Mellanox ext port info query failed")
	}
	s.printf("# MLNX ext Port info: %s port %d\n%s", r, port, mad.Print(mad.VendorPortFields, data))
	return nil
}

// portOf asks for the node, and checks that it has a port.
func (s *session) portOf(r mad.Route, port int) (node []byte, err error) {
	node, ok := s.ask(r, mad.NodeInfo, 0)
	if !ok {
		return nil, failed("node info query failed")
	}
	if port < 0 || port > int(mad.NumPorts.Get(node)) {
		return nil, failed("invalid port number")
	}
	return node, nil
}

func queryKeys(s *session, r mad.Route, port int) error {
	node, err := s.portOf(r, port)
	if err != nil {
		return err
	}
	count := int(mad.PartitionCap.Get(node))
	if mad.NodeType.Get(node) == kindSwitch && port != 0 {
		data, ok := s.ask(r, mad.SwitchInfo, 0)
		if !ok {
			return failed("switch info failed")
		}
		count = int(mad.EnforceCap.Get(data))
	}
	for block := range (count + 31) / 32 {
		data, ok := s.ask(r, mad.PKeyTable, uint32(block|port<<16))
		if !ok {
			return failed("pkey table query failed")
		}
		for row := block * 32; row < min(count, (block+1)*32); row += 8 {
			s.printf("%4d:", row)
			for i := range 8 {
				s.printf(" 0x%04x", binary.BigEndian.Uint16(data[2*(row%32+i):]))
			}
			s.printf("\n")
		}
	}
	s.printf("%d pkeys capacity for this port\n", count)
	return nil
}

func queryLanes(s *session, r mad.Route, port int) error {
	node, err := s.portOf(r, port)
	if err != nil {
		return err
	}
	s.printf("# SL2VL table: %s\n#                 SL: |", r)
	for level := range 16 {
		s.printf("%2d|", level)
	}
	s.printf("\n")
	last := 0
	if mad.NodeType.Get(node) == kindSwitch {
		last = int(mad.NumPorts.Get(node))
	} else {
		port = 0
	}
	for in := 0; in <= last; in++ {
		data, ok := s.ask(r, mad.SLToVL, uint32(in<<8|port))
		if !ok {
			return failed("slvl query failed")
		}
		s.printf("ports: in %2d, out %2d: |", in, port)
		for level := range 16 {
			s.printf("%2d|", data[level/2]>>(4-level%2*4)&0xf)
		}
		s.printf("\n")
	}
	return nil
}

func queryArbitration(s *session, r mad.Route, port int) error {
	if port == 0 {
		node, err := s.portOf(r, 0)
		if err != nil {
			return err
		}
		if mad.NodeType.Get(node) == kindSwitch {
			data, ok := s.ask(r, mad.SwitchInfo, 0)
			if !ok {
				return failed("switch info query failed")
			}
			if mad.EnhancedPort0.Get(data) == 0 {
				s.printf("# No VLArbitration tables (BSP0): %s port %d\n", r, 0)
				return nil
			}
		}
	}
	data, ok := s.ask(r, mad.PortInfo, uint32(port))
	if !ok {
		return failed("port info query failed")
	}
	low, high := int(mad.VLLowCap.Get(data)), int(mad.VLHighCap.Get(data))
	s.printf("# VLArbitration tables: %s port %d LowCap %d HighCap %d\n", r, port, low, high)
	for _, table := range []struct {
		name         string
		block, count int
	}{{"Low", 1, low}, {"High", 3, high}} {
		if table.count == 0 {
			continue
		}
		s.printf("# %s priority VL Arbitration Table:", table.name)
		for first := 0; first < table.count; first += 32 {
			data, ok := s.ask(r, mad.VLArbitration, uint32((table.block+first/32)<<16|port))
			if !ok {
				return failed("vl arb query failed")
			}
			s.weights(data, min(32, table.count-first))
		}
	}
	return nil
}

// weights writes entries of a table of arbitration.
func (s *session) weights(data []byte, count int) {
	s.printf("\nVL    : |")
	for i := range count {
		s.printf("0x%-2X|", data[2*i]&0xf)
	}
	s.printf("\nWEIGHT: |")
	for i := range count {
		s.printf("0x%-2X|", data[2*i+1])
	}
	s.printf("\n")
}

func queryGUIDs(s *session, r mad.Route, _ int) error {
	data, ok := s.ask(r, mad.PortInfo, 0)
	if !ok {
		return failed("port info failed")
	}
	count := int(mad.GUIDCap.Get(data))
	for block := range (count + 7) / 8 {
		data, ok := s.ask(r, mad.GUIDInfo, uint32(block))
		if !ok {
			return failed("guid info query failed")
		}
		for i := block * 8; i < min(count, (block+1)*8); i += 2 {
			at := i % 8 * 8
			s.printf("%4d: 0x%016x 0x%016x\n", i, binary.BigEndian.Uint64(data[at:]), binary.BigEndian.Uint64(data[at+8:]))
		}
	}
	s.printf("%d guids capacity for this port\n", count)
	return nil
}

var smpdumpOptions = []option{{"string", 's', "", "write the data as a text"}}

func runSmpdump(s *session) error {
	words := s.given.operands
	if len(words) < 2 {
		return errUsage
	}
	r := mad.ByLID(uint16(number(words[0])))
	if s.by == byRoute {
		var ok bool
		if r, ok = directed(words[0]); !ok {
			s.complain("ibpanic: [%d] main: bad path str '%s'\n", s.computer.PID, words[0])
			return code(255)
		}
	}
	modifier := uint32(0)
	if len(words) > 2 {
		modifier = uint32(number(words[2]))
	}
	data, status := s.Ask(s.at, r, mad.Attribute(number(words[1])), modifier)
	if status == mad.NoAnswer {
		s.complain("ibpanic: [%d] main: recv error: Connection timed out\n", s.computer.PID)
		return code(255)
	}
	if r.Direct {
		status |= 0x8000 // the bit of an answer that comes back
	}
	if s.has("string") > 0 {
		s.printf("%s\n", s.description(data))
	} else {
		s.printf("%s", mad.Hex(data))
	}
	if status != mad.OK {
		s.printf("SMP status: 0x%x\n", uint16(status))
	}
	return nil
}
