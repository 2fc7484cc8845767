package paths

import (
	"encoding/binary"
	"fmt"
	"strings"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

var ibrouteOptions = []subnet.Option{
	subnet.NewOption("all", 'a', "", "write all LIDs, also the ones without a port"),
	subnet.NewOption("no_dests", 'n', "", "don't ask for the nodes behind the LIDs"),
	subnet.NewOption("Multicast", 'M', "", "write the multicast table"),
	subnet.NewOption("node-name-map", 0, "<file>", "names for GUIDs"),
}

// table writes a forwarding table of a switch.
type table struct {
	*subnet.Session
	route      mad.Route
	ports      int
	guid       uint64
	name       string
	info       []byte
	all, brief bool
	// While a destination has several LIDs, these are its first and last, and its GUID.
	first, last int
	end         uint64
}

func runRoute(s *subnet.Session) error {
	words := s.Given.Operands
	if len(words) == 0 {
		return subnet.ErrUsage
	}
	s.ReadNames()
	r, err := s.Resolve(words[0])
	if err != nil {
		return err
	}
	var limits [2]int
	for i, word := range words[1:min(len(words), 3)] {
		limits[i] = int(uint32(subnet.Number(word)))
	}
	t := &table{Session: s, route: r, all: s.Has("all") > 0, brief: s.Has("no_dests") > 0}
	if err := t.check(); err != nil {
		return subnet.Failed("dump tables: %w", err)
	}
	if s.Has("Multicast") > 0 {
		t.multicast(limits[0], limits[1])
	} else {
		t.unicast(limits[0], limits[1])
	}
	return nil
}

// check asks for what the heading tells, and whether the node is a switch.
func (t *table) check() error {
	node, ok := t.Request(t.route, mad.NodeInfo, 0)
	if !ok {
		t.Complain("nodeinfo\n%s", mad.Hex(make([]byte, mad.Size)))
		return subnet.Failed("node info failed: valid addr?")
	}
	name, ok := t.Request(t.route, mad.NodeDescription, 0)
	if !ok {
		return subnet.Failed("node desc failed")
	}
	if mad.NodeType.Get(node) != subnet.KindSwitch {
		return subnet.Failed("not a switch")
	}
	t.ports, t.guid = int(mad.NumPorts.Get(node)), mad.NodeGUID.Get(node)
	t.name = t.NameOf(t.guid, t.Description(name))
	if t.info, ok = t.Request(t.route, mad.SwitchInfo, 0); !ok {
		return subnet.Failed("switch info failed: is a switch node?")
	}
	return nil
}

// kindOfList is the word for the entries that are written.
func (t *table) entries() string {
	if t.all {
		return ""
	}
	return "valid "
}

func (t *table) unicast(start, end int) {
	top := int(mad.LinearTop.Get(t.info))
	if end == 0 || end > top {
		end = top
	}
	if end > infiniband.MaxLID {
		t.Warn("dump_unicast_tables", "illegal lft top %d, truncate to %d", end, infiniband.MaxLID)
		end = infiniband.MaxLID
	}
	t.Printf("Unicast lids [0x%x-0x%x] of switch %s guid 0x%016x (%s):\n", start, end, t.route, t.guid, t.name)
	t.Printf("  Lid  Out   Destination\n       Port     Info \n")
	count := 0
	// The last block is left out when the range ends at its first LID, as the real program does.
	for block := start / mad.Size; block < (end+mad.Size-1)/mad.Size; block++ {
		data, status := t.Ask(t.From, t.route, mad.LinearTable, uint32(block))
		if status != mad.OK {
			t.Complain("SubnGet() failed; MAD status 0x%x AM 0x%x\n", uint16(status), block)
			return
		}
		for lid := max(start, block*mad.Size); lid < min(end+1, (block+1)*mad.Size); lid++ {
			out := int(data[lid%mad.Size])
			valid := out <= t.ports
			if !valid && !t.all {
				continue
			}
			t.Printf("0x%04x %03d %s\n", lid, out, t.destination(lid, valid))
			count++
		}
	}
	t.Printf("%d %slids dumped \n", count, t.entries())
}

// destination writes what is behind a LID.
func (t *table) destination(lid int, valid bool) string {
	if t.brief {
		return ""
	}
	if lid <= t.last {
		switch {
		case !valid:
			return fmt.Sprintf(": (path #%d - illegal port)", lid-t.first)
		case t.end == 0:
			return fmt.Sprintf(": (path #%d out of %d)", lid-t.first+1, t.last-t.first+1)
		}
		return fmt.Sprintf(": (path #%d out of %d: portguid 0x%016x)", lid-t.first+1, t.last-t.first+1, t.end)
	}
	if !valid {
		return ": (illegal port)"
	}
	t.end = 0
	r := mad.ByLID(uint16(lid))
	if lid == 0 {
		r = subnet.Self
	}
	name, ok := t.Request(r, mad.NodeDescription, 0)
	port, portOK := []byte(nil), false
	node, nodeOK := []byte(nil), false
	if ok {
		port, portOK = t.Request(r, mad.PortInfo, 0)
	}
	if portOK {
		node, nodeOK = t.Request(r, mad.NodeInfo, 0)
	}
	if !nodeOK {
		return ": (unknown node and type)"
	}
	t.end = mad.PortGUID.Get(node)
	if lmc := mad.LMC.Get(port); lmc > 0 {
		t.first = int(mad.LID.Get(port))
		t.last = t.first + 1<<lmc - 1
	}
	return fmt.Sprintf(": (%s portguid 0x%016x: '%s')", mad.NodeType.Text(node), t.end, t.NameOf(mad.NodeGUID.Get(node), t.Description(name)))
}

// maxMulticastLID is the last LID of a group.
const maxMulticastLID = 0xfffe

func (t *table) multicast(start, end int) {
	capacity, top := int(mad.MulticastCap.Get(t.info)), int(mad.MulticastTop.Get(t.info))
	const first, function = infiniband.FirstMulticastLID, "dump_multicast_tables"
	if end == 0 || end > first+capacity-1 {
		end = first + capacity - 1
	}
	if !t.all && top != 0 && top < end {
		if top < first-1 {
			t.Warn(function, "illegal top mlid %x", top)
		} else {
			end = top
		}
	}
	if start == 0 {
		start = first
	} else if start < first {
		t.Warn(function, "illegal start mlid %x, set to %x", start, first)
		start = first
	}
	if end > maxMulticastLID {
		t.Warn(function, "illegal end mlid %x, truncate to %x", end, maxMulticastLID)
		end = maxMulticastLID
	}
	t.Printf("Multicast mlids [0x%x-0x%x] of switch %s guid 0x%016x (%s):\n", start, end, t.route, t.guid, t.name)
	t.columns()
	if t.Verbose > 0 {
		t.Printf("Switch multicast mlid capability is %d top is 0x%x\n", capacity, top)
	}
	const inBlock = mad.Size / 2
	chunks, count := (t.ports+16)/16, 0
	for block := start / inBlock; block <= end/inBlock; block++ {
		masks := make([][]byte, chunks)
		for chunk := range chunks {
			modifier := uint32(block-first/inBlock) | uint32(chunk)<<28
			data, status := t.Ask(t.From, t.route, mad.MulticastTable, modifier)
			if status != mad.OK {
				t.Complain("SubnGet() failed; MAD status 0x%x AM 0x%x\n", uint16(status), modifier)
				return
			}
			masks[chunk] = data
		}
		for lid := max(start, block*inBlock); lid < min(end+1, (block+1)*inBlock); lid++ {
			if line, has := t.group(masks, lid%inBlock); has || t.all {
				t.Printf("0x%04x      %s\n", lid, line)
				count++
			}
		}
	}
	t.Printf("%d %smlids dumped \n", count, t.entries())
}

// columns writes the heading of a multicast table: the numbers of the ports.
func (t *table) columns() {
	if t.brief {
		t.Printf(" MLid       Port Mask\n")
		return
	}
	var tens, ones strings.Builder
	for i := range t.ports + 1 {
		if i%10 == 0 {
			fmt.Fprintf(&tens, "%c ", '0'+i/10)
		} else {
			tens.WriteString("  ")
		}
		fmt.Fprintf(&ones, "%d ", i%10)
	}
	if t.ports > 9 {
		t.Printf("            %s\n", tens.String())
	}
	t.Printf("     Ports: %s\n MLid\n", ones.String())
}

// group writes the ports of a group, and reports whether it has any.
func (t *table) group(masks [][]byte, index int) (line string, has bool) {
	var b strings.Builder
	if t.brief {
		for _, data := range masks {
			mask := binary.BigEndian.Uint16(data[2*index:])
			has = has || mask != 0
			fmt.Fprintf(&b, "%04x", mask)
		}
		return b.String(), has
	}
	for port := range t.ports + 1 {
		mask := binary.BigEndian.Uint16(masks[port/16][2*index:])
		has = has || mask != 0
		if mask>>(port%16)&1 == 1 {
			b.WriteString("x ")
		} else {
			b.WriteString("  ")
		}
	}
	return b.String(), has
}
