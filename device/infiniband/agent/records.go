package agent

import (
	"bytes"
	"encoding/binary"
	"slices"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
)

// The attributes of subnet administration beside path records, which have the data of attributes of subnet management in them.
const (
	nodeRecord   mad.Attribute = 0x11
	portRecord   mad.Attribute = 0x12
	routeRecord  mad.Attribute = 0x15 // LinearForwardingTableRecord
	smRecord     mad.Attribute = 0x18
	linkRecord   mad.Attribute = 0x20
	memberRecord mad.Attribute = 0x38
)

// Statuses of subnet administration.
const (
	noResources    mad.Status = 1 << 8
	invalidRequest mad.Status = 2 << 8
	tooMany        mad.Status = 4 << 8
)

// part is a field of a record by which requests choose: its bytes, and the bits of the last one; 0 for all bits.
type part struct {
	at, size int
	bits     byte
}

// record is a kind of records: its size in the lists, and the fields of the bits of the mask.
type record struct {
	size  int
	parts map[int]part
	all   func(a *Agent, add func(data []byte))
}

// records are the kinds of records beside the ones of paths.
func records(attribute mad.Attribute, trusted bool) *record {
	switch attribute {
	case nodeRecord:
		return &record{112, map[int]part{
			0: {0, 2, 0}, 2: {4, 1, 0}, 3: {5, 1, 0}, 4: {6, 1, 0}, 5: {7, 1, 0}, 6: {8, 8, 0}, 7: {16, 8, 0}, 8: {24, 8, 0}, 9: {32, 2, 0}, 10: {34, 2, 0},
			11: {36, 4, 0}, 12: {40, 1, 0}, 13: {41, 3, 0}, 14: {44, 64, 0},
		}, (*Agent).nodeRecords}
	case portRecord:
		return &record{72, map[int]part{0: {0, 2, 0}, 1: {2, 1, 0}, 3: {4, 8, 0}, 4: {12, 8, 0}, 5: {20, 2, 0}, 6: {22, 2, 0}, hasCapabilities: {24, 4, 0}}, (*Agent).portRecords}
	case routeRecord:
		return &record{72, map[int]part{0: {0, 2, 0}, 1: {2, 2, 0}}, (*Agent).routeRecords}
	case smRecord:
		return &record{32, map[int]part{0: {0, 2, 0}, 2: {4, 8, 0}, 4: {20, 4, 0}, 5: {24, 1, 0xf0}, 6: {24, 1, 0x0f}}, (*Agent).smRecords}
	case linkRecord:
		return &record{8, map[int]part{0: {0, 2, 0}, 1: {2, 1, 0}, 2: {3, 1, 0}, 3: {4, 2, 0}}, (*Agent).linkRecords}
	case memberRecord:
		return &record{56, map[int]part{
			0: {0, 16, 0}, 1: {16, 16, 0}, 2: {32, 4, 0}, 3: {36, 2, 0}, 6: {39, 1, 0}, 7: {40, 2, 0}, 12: {44, 1, 0xf0}, 15: {48, 1, 0xf0}, 16: {48, 1, 0x0f},
		}, func(a *Agent, add func(data []byte)) { a.memberRecords(trusted, add) }}
	default:
		return nil
	}
}

// matches reports whether a record has the fields that a request asks for.
func (r *record) matches(mask uint64, asked, data []byte) bool {
	for bit, p := range r.parts {
		if mask>>bit&1 == 0 {
			continue
		}
		last := p.at + p.size - 1
		if p.bits != 0 && (asked[last]^data[last])&p.bits != 0 || p.bits == 0 && !bytes.Equal(asked[p.at:last+1], data[p.at:last+1]) {
			return false
		}
	}
	return true
}

// ends returns the end ports that a manager's administration knows: the ones with a LID, in the order of the LIDs.
func (a *Agent) ends() (list []infiniband.Place) {
	for n := range a.Nodes {
		for p := a.Nodes[n].First(); p < len(a.Nodes[n].Ports); p++ {
			if a.Nodes[n].Ports[p].LID != 0 {
				list = append(list, infiniband.Place{Node: n, Port: p})
			}
			if a.Nodes[n].Kind == infiniband.Switch {
				break
			}
		}
	}
	slices.SortFunc(list, func(x, y infiniband.Place) int { return int(a.End(x).LID) - int(a.End(y).LID) })
	return list
}

// begin makes a record that begins with the LID of a port.
func (a *Agent) begin(at infiniband.Place, size int) []byte {
	return binary.BigEndian.AppendUint16(make([]byte, 0, size), a.End(at).LID)[:size]
}

func (a *Agent) nodeRecords(add func([]byte)) {
	for _, at := range a.ends() {
		data := a.begin(at, 112)
		info, _ := a.Get(at, mad.NodeInfo, 0)
		name, _ := a.Get(at, mad.NodeDescription, 0)
		copy(data[4:44], info)
		copy(data[44:108], name)
		add(data)
	}
}

func (a *Agent) portRecords(add func([]byte)) {
	for _, at := range a.ends() {
		first, last := at.Port, at.Port
		if a.Of(at).Kind == infiniband.Switch {
			last = a.Of(at).External()
		}
		for port := first; port <= last; port++ {
			data := a.begin(at, 72)
			info, _ := a.Get(at, mad.PortInfo, uint32(port))
			data[2] = byte(port)
			copy(data[4:68], info)
			add(data)
		}
	}
}

func (a *Agent) routeRecords(add func([]byte)) {
	for _, at := range a.ends() {
		for block := 0; block*mad.Size < len(a.Of(at).Routes); block++ {
			data := a.begin(at, 72)
			routes, _ := a.Get(at, mad.LinearTable, uint32(block))
			binary.BigEndian.PutUint16(data[2:], uint16(block))
			copy(data[8:], routes)
			add(data)
		}
	}
}

func (a *Agent) smRecords(add func([]byte)) {
	for _, at := range a.ends() {
		if slices.ContainsFunc(a.Managers, func(m *opensm.Manager) bool { return m.Running && a.End(m.Place) == a.End(at) }) {
			data := a.begin(at, 32)
			info, _ := a.Get(at, mad.SMInfo, 0)
			copy(data[4:25], info)
			add(data)
		}
	}
}

func (a *Agent) linkRecords(add func([]byte)) {
	for _, at := range a.ends() {
		node := a.Of(at)
		for port := 1; port <= node.External(); port++ {
			from := infiniband.Place{Node: at.Node, Port: port}
			far, up := a.Far(from)
			if !up || node.Kind != infiniband.Switch && port != at.Port || a.End(far).LID == 0 {
				continue
			}
			data := a.begin(at, 8)
			data[2], data[3] = byte(port), byte(far.Port)
			binary.BigEndian.PutUint16(data[4:], a.End(far).LID)
			add(data)
		}
	}
}

// memberRecords are the groups, or for a request with the key of the administration each group with each of its members.
func (a *Agent) memberRecords(trusted bool, add func([]byte)) {
	for i := range a.Groups {
		g := &a.Groups[i]
		data := make([]byte, 56)
		copy(data, g.GID[:])
		binary.BigEndian.PutUint32(data[32:], g.QKey)
		binary.BigEndian.PutUint16(data[36:], g.LID)
		data[38], data[39] = exactly|g.MTU, g.Class
		binary.BigEndian.PutUint16(data[40:], uint16(g.PKey))
		data[42], data[43] = exactly|g.Rate, exactly|lifetime
		binary.BigEndian.PutUint32(data[44:], uint32(g.Level)<<28|g.Flow<<8)
		data[48] = g.Scope<<4 | 1 // full members
		if !trusted {
			add(data)
			continue
		}
		for _, member := range g.Members {
			data := bytes.Clone(data)
			binary.BigEndian.PutUint64(data[16:], 0xfe80<<48)
			binary.BigEndian.PutUint64(data[24:], uint64(a.End(member).GUID))
			add(data)
		}
	}
}

// trustedKey is the key of requests to which OpenSM tells more by default.
const trustedKey, trustedKeyAt = 1, 36

// hasCapabilities is the bit of the mask of a port record for its capabilities.
const hasCapabilities, capabilitiesAt = 7, recordAt + 24

// findRecords writes the records of a request for another kind than paths behind each other, and returns their size.
func (a *Agent) findRecords(r *record, packet, answer []byte) (size int, status mad.Status) {
	mask := binary.BigEndian.Uint64(packet[maskAt:])
	for bit := range 64 {
		if _, known := r.parts[bit]; mask>>bit&1 == 1 && !known {
			return 0, invalidRequest
		}
	}
	asked := binary.BigEndian.Uint32(packet[capabilitiesAt:])
	bits := r.size == 72 && mask>>hasCapabilities&1 == 1 && packet[modifierAt]&0x80 != 0 // all of these capabilities, and others
	if bits {
		mask &^= 1 << hasCapabilities
	}
	var found [][]byte
	r.all(a, func(data []byte) {
		if bits && binary.BigEndian.Uint32(data[capabilitiesAt-recordAt:])&asked != asked {
			return
		}
		if r.matches(mask, packet[recordAt:], data) {
			found = append(found, data)
		}
	})
	single := packet[3] == methodGet
	clear(answer[recordAt:])
	switch {
	case len(found) == 0:
		return 0, noRecords
	case single && len(found) > 1:
		return 0, tooMany
	case len(found)*r.size > len(answer)-recordAt: // the simulator's library takes one datagram
		return 0, noResources
	}
	binary.BigEndian.PutUint16(answer[recordLengthAt:], uint16(r.size/8))
	copy(answer[recordAt:], bytes.Join(found, nil))
	return len(found) * r.size, mad.OK
}
