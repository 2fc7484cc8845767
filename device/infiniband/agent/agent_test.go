package agent

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/device/infiniband/qos"
	"cxdeck/device/infiniband/topology"
)

// network is a configured network of a switch and hosts, and the port of the first host.
func network() *Agent {
	b := topology.New()
	b.FatTree(2, 1, 2)
	m := &opensm.Manager{Place: infiniband.Place{Node: b.Named("Leaf-1")}, Engine: opensm.MinHop, Partitions: opensm.DefaultPartitions(), Running: true}
	s := opensm.New(b.Fabric, []*opensm.Manager{m})
	return &Agent{Network: &mad.Network{Fabric: b.Fabric, Managers: s.Managers, Profile: mad.Hardware()}, From: infiniband.Place{Node: b.Named("Host-1"), Port: 1}}
}

// packet makes a request.
func packet(class, method byte, attribute mad.Attribute, modifier uint32, route ...byte) []byte {
	p := make([]byte, Size)
	p[0], p[1], p[2], p[3] = 1, class, 1, method
	binary.BigEndian.PutUint16(p[attributeAt:], uint16(attribute))
	binary.BigEndian.PutUint32(p[modifierAt:], modifier)
	if class == classDirected {
		p[hopAt+1] = byte(len(route))
		copy(p[pathAt+1:], route)
		binary.BigEndian.PutUint32(p[sourceAt:], 0xffffffff)
	}
	return p
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	a := network()
	leaf := infiniband.Place{Node: a.Named("Leaf-1")}
	lid := a.End(leaf).LID
	if lid == 0 {
		t.Fatal("the subnet has no LIDs")
	}
	counters := packet(classPerformance, methodGet, mad.PortCounters, 0)
	counters[dataAt+1] = 1
	old := packet(classLID, methodGet, mad.NodeInfo, 0)
	old[2] = 2
	pointer := packet(classDirected, methodGet, mad.NodeInfo, 0, 1)
	pointer[hopAt] = 1
	long := packet(classDirected, methodGet, mad.NodeInfo, 0)
	long[hopAt+1] = 64
	for _, c := range []struct {
		name   string
		lid    uint16
		packet []byte
		status mad.Status
		err    error
	}{
		{"itself", permissive, packet(classDirected, methodGet, mad.NodeInfo, 0), 0x8000, nil},
		{"the switch", permissive, packet(classDirected, methodGet, mad.SwitchInfo, 0, 1), 0x8000, nil},
		{"no such port", permissive, packet(classDirected, methodGet, mad.NodeInfo, 0, 9), 0, ErrLost},
		{"by LID", lid, packet(classLID, methodGet, mad.NodeDescription, 0), mad.OK, nil},
		{"LID 0", 0, packet(classLID, methodGet, mad.NodeDescription, 0), 0, ErrLost},
		{"a group's LID", 0xc000, packet(classLID, methodGet, mad.NodeDescription, 0), 0, ErrLost},
		{"an attribute of adapters", a.End(a.From).LID, packet(classLID, methodGet, mad.SwitchInfo, 0), mad.Unsupported, nil},
		{"a change of nothing", lid, packet(classLID, methodSet, mad.PortInfo, 1), mad.OK, nil},
		{"a change of the manager's tables", lid, packet(classLID, methodSet, mad.LinearTable, 0), unsupportedMethod, nil},
		{"an old version", lid, old, unsupportedVersion, nil},
		{"counters", lid, counters, mad.OK, nil},
		{"another class", lid, packet(0x0a, methodGet, 1, 0), 0, ErrLost},
		{"an answer", lid, packet(classLID, methodGet|response, mad.NodeInfo, 0), 0, ErrMalformed},
		{"under way", permissive, pointer, 0, ErrMalformed},
		{"too many hops", permissive, long, 0, ErrMalformed},
		{"short", lid, make([]byte, 24), 0, ErrMalformed},
	} {
		answer, reset, err := a.Answer(c.lid, c.packet)
		if !errors.Is(err, c.err) || reset != nil {
			t.Errorf("%s: %v, expected %v", c.name, err, c.err)
			continue
		}
		if err == nil && (mad.Status(binary.BigEndian.Uint16(answer[statusAt:])) != c.status || answer[3] != methodGet|response) {
			t.Errorf("%s: status 0x%x, expected 0x%x", c.name, answer[statusAt:statusAt+2], c.status)
		}
	}
	answer, _, err := a.Answer(permissive, packet(classDirected, methodGet, mad.NodeInfo, 0, 1))
	if err != nil || mad.NodeGUID.Get(answer[dataAt:]) != uint64(a.Of(leaf).GUID) || int(answer[returnAt+1]) != a.At(a.From).Far.Port {
		t.Errorf("the switch: %v, GUID %x, back from port %d", err, mad.NodeGUID.Get(answer[dataAt:]), answer[returnAt+1])
	}
}

// TestResets: a reset is reported, and the shared network stays as it is.
func TestResets(t *testing.T) {
	t.Parallel()
	a := network()
	at := infiniband.Place{Node: a.Named("Leaf-1"), Port: 1}
	a.At(at).Counters.SymbolErrors = 7
	request := packet(classPerformance, methodSet, mad.PortCounters, 0)
	request[dataAt+1], request[dataAt+3], request[dataAt+18] = 1, 0x01, 1
	_, reset, err := a.Answer(a.End(at).LID, request)
	if err != nil || reset == nil || reset.Clear == nil || *reset.Clear != (Clear{Place: at, Mask: 0x10001}) || a.At(at).Counters.SymbolErrors != 7 {
		t.Errorf("%v: %+v", err, reset)
	}
	request[dataAt+1] = 99
	if answer, reset, err := a.Answer(a.End(at).LID, request); err != nil || reset != nil || answer[statusAt+1] != byte(mad.BadValue) {
		t.Errorf("a port that the switch does not have: %v %+v", err, reset)
	}
}

// TestRecords: the administration finds records by their fields, and tells what does not fit into an answer.
func TestRecords(t *testing.T) {
	t.Parallel()
	a := network()
	master := a.End(a.Managers[0].Place).LID
	ask := func(method byte, attribute mad.Attribute, mask uint64, record ...byte) (data []byte, size int, status mad.Status) {
		t.Helper()
		request := packet(classSA, method, attribute, 0)
		request[2] = 2
		binary.BigEndian.PutUint64(request[maskAt:], mask)
		copy(request[recordAt:], record)
		answer, _, err := a.Answer(master, request)
		if err != nil {
			t.Fatal(err)
		}
		return answer[recordAt:], 8 * int(binary.BigEndian.Uint16(answer[recordLengthAt:])), mad.Status(binary.BigEndian.Uint16(answer[statusAt:]))
	}
	lid := byte(a.End(a.From).LID)
	if data, size, status := ask(methodGet, nodeRecord, 1, 0, lid); status != mad.OK || size != 112 || !bytes.HasPrefix(data[44:], []byte("Host-1")) {
		t.Errorf("a node: status %#x, %d bytes, %q", status, size, data)
	}
	for _, c := range []struct {
		name      string
		attribute mad.Attribute
		mask      uint64
		record    []byte
		size, all int
		status    mad.Status
	}{
		{"a node by its name", nodeRecord, 1 << 14, append(make([]byte, 44), "Leaf-2"...), 112, 112, mad.OK},
		{"a port of a switch", portRecord, 3, []byte{0, byte(master), 2}, 72, 72, mad.OK},
		{"the port of the manager", portRecord, 1 << 6, append(make([]byte, 22), 0, 250), 72, 0, mad.OK},
		{"routes", routeRecord, 3, []byte{0, byte(master)}, 72, 72, mad.OK},
		{"managers", smRecord, 0, nil, 32, 32, mad.OK},
		{"all links", linkRecord, 0, nil, 8, 96, mad.OK},
		{"links of a host", linkRecord, 1, []byte{0, lid}, 8, 8, mad.OK},
		{"a group", memberRecord, 1 << 3, append(make([]byte, 36), 0xc0, 0), 56, 56, mad.OK},
	} {
		if data, size, status := ask(getTable, c.attribute, c.mask, c.record...); status != c.status || size != c.size || len(data) != c.all {
			t.Errorf("%s: status %#x, records of %d bytes, %d bytes", c.name, status, size, len(data))
		}
	}
	for name, refused := range map[string]struct {
		method    byte
		attribute mad.Attribute
		mask      uint64
		want      mad.Status
	}{
		"nodes that do not fit":       {getTable, nodeRecord, 0, noResources},
		"one of many":                 {methodGet, linkRecord, 0, tooMany},
		"none":                        {methodGet, smRecord, 1, noRecords},
		"a field that is not one":     {getTable, smRecord, 1 << 40, invalidRequest},
		"an attribute that is not in": {getTable, 0x36, 0, unsupportedMethod},
	} {
		if _, _, status := ask(refused.method, refused.attribute, refused.mask); status != refused.want {
			t.Errorf("%s: status %#x", name, status)
		}
	}
}

// TestPing: hosts answer ibping with their name, and no switch does.
func TestPing(t *testing.T) {
	t.Parallel()
	a := network()
	request := packet(classPing, methodGet, 0, 0)
	copy(request[vendorAt+1:], []byte{0, 0x14, 5})
	host := a.End(infiniband.Place{Node: a.Named("Host-2"), Port: 1}).LID
	if answer, _, err := a.Answer(host, request); err != nil || !bytes.HasPrefix(answer[vendorDataAt:], []byte("Host-2\x00")) || answer[3] != methodGet|response {
		t.Errorf("%v, %q", err, answer)
	}
	if _, _, err := a.Answer(a.End(a.Managers[0].Place).LID, request); !errors.Is(err, ErrLost) {
		t.Errorf("a switch: %v", err)
	}
	request[vendorAt+3] = 6
	if _, _, err := a.Answer(host, request); !errors.Is(err, ErrLost) {
		t.Errorf("another vendor: %v", err)
	}
}

// TestManagerSets: while no manager of the lab runs, nodes keep what a manager sets, and refuse what they don't have.
func TestManagerSets(t *testing.T) {
	t.Parallel()
	a := network()
	leaf := infiniband.Place{Node: a.Named("Leaf-1")}
	lid, host := a.End(leaf).LID, infiniband.Nowhere
	for n := range a.Nodes {
		if a.Nodes[n].Kind == infiniband.Adapter {
			host = infiniband.Place{Node: n, Port: 1}
		}
	}
	class := byte(classLID)
	set := func(lid uint16, attribute mad.Attribute, modifier uint32, data ...byte) mad.Status {
		t.Helper()
		request := packet(class, methodSet, attribute, modifier)
		copy(request[dataAt:], data)
		answer, change, err := a.Answer(lid, request)
		if err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change.Port.Apply(a.Network)
		}
		status := mad.Status(binary.BigEndian.Uint16(answer[statusAt:])) &^ (1 << 15)
		if data, _ := a.Get(leaf, attribute, modifier); status == mad.OK && lid == a.End(leaf).LID && !bytes.Equal(data, answer[dataAt:dataAt+mad.Size]) {
			t.Errorf("attribute %#x: the answer is not what the node keeps", attribute)
		}
		return status
	}
	if status := set(lid, mad.LinearTable, 0, 1); status != unsupportedMethod {
		t.Errorf("while a manager of the lab runs: status %#x", status)
	}
	for _, m := range a.Managers {
		m.Running = false
	}
	for _, c := range []struct {
		name      string
		lid       uint16
		attribute mad.Attribute
		modifier  uint32
		data      []byte
		want      mad.Status
	}{
		{"lanes of a level", lid, mad.SLToVL, 1<<8 | 2, []byte{0x32}, mad.OK},
		{"lanes of a port that is not there", lid, mad.SLToVL, 200, []byte{0x32}, mad.BadValue},
		{"the low table", lid, mad.VLArbitration, 1<<16 | 2, []byte{3, 9}, mad.OK},
		{"a lane beyond 14", lid, mad.VLArbitration, 1<<16 | 2, []byte{15, 9}, mad.BadValue},
		{"the second half of a table", lid, mad.VLArbitration, 2<<16 | 2, []byte{3, 9}, mad.BadValue},
		{"a table of an adapter", a.End(host).LID, mad.VLArbitration, 3 << 16, []byte{3, 9}, mad.OK},
		{"a route of a block that is not there yet", lid, mad.LinearTable, 9, []byte{1}, mad.OK},
		{"a route to no port", lid, mad.LinearTable, 0, []byte{200}, mad.BadValue},
		{"routes of an adapter", a.End(host).LID, mad.LinearTable, 0, []byte{1}, mad.Unsupported},
		{"a block beyond the table", lid, mad.LinearTable, 1 << 20, nil, mad.BadValue},
		{"a group", lid, mad.MulticastTable, 3, []byte{0, 6}, mad.OK},
		{"a group beyond the table", lid, mad.MulticastTable, 128, []byte{0, 6}, mad.BadValue},
		{"partitions", a.End(host).LID, mad.PKeyTable, 0, []byte{0xff, 0xff, 0x80, 1}, mad.OK},
		{"partitions that an adapter can't hold", a.End(host).LID, mad.PKeyTable, 4, nil, mad.BadValue},
		{"the description", a.End(host).LID, mad.NodeDescription, 0, []byte("x"), mad.Unsupported},
	} {
		if status := set(c.lid, c.attribute, c.modifier, c.data...); status != c.want {
			t.Errorf("%s: status %#x, not %#x", c.name, status, c.want)
		}
	}
	if t2 := a.TablesAt(infiniband.Place{Node: leaf.Node, Port: 2}); t2.LaneOf[0] != 3 || t2.Low[0] != (qos.Weight{Lane: 3, Weight: 9}) {
		t.Errorf("port 2: %+v", t2)
	}
	if a.At(infiniband.Place{Node: leaf.Node, Port: 3}).Tables != nil {
		t.Error("port 3 has the tables of port 2")
	}
	if keys := a.At(host).PKeys; len(keys) != 2 || keys[1] != 0x8001 || !a.Nodes[leaf.Node].Multicast[96].Has(2) || a.Nodes[leaf.Node].Routes[576] != 1 {
		t.Errorf("the keys are %v", keys)
	}
	// The state goes from Initialize to Armed to Active.
	class = classDirected // a LID leads only to active ports
	port := a.At(a.From)
	port.State = infiniband.Initialize
	for _, step := range []struct {
		state uint64
		want  mad.Status
		after infiniband.State
	}{{toActive, mad.BadValue, infiniband.Initialize}, {toArmed, mad.OK, infiniband.Armed}, {toActive, mad.OK, infiniband.Active}, {toArmed, mad.BadValue, infiniband.Active}} {
		data := make([]byte, mad.Size)
		mad.State.Set(data, step.state)
		mad.LID.Set(data, 77)
		status := set(permissive, mad.PortInfo, 1, data...)
		if status != step.want || port.State != step.after {
			t.Errorf("state %d: status %#x, %s", step.state, status, port.State)
		}
		if step.want == mad.OK && port.LID != 77 {
			t.Errorf("the LID is %d", port.LID)
		}
	}
}

// FuzzAnswer: whatever comes, an answer has the size of a datagram, and the network stays as it is.
func FuzzAnswer(f *testing.F) {
	a := network()
	f.Add(uint16(1), packet(classLID, methodGet, mad.PortInfo, 1))
	f.Add(uint16(permissive), packet(classDirected, methodGet, mad.LinearTable, 0, 1, 2))
	f.Add(uint16(2), packet(classPerformance, methodSet, mad.PortCounters, 0))
	f.Add(uint16(2), packet(classLID, methodGet, mad.VLArbitration, 0x30001))
	unmanaged := network()
	unmanaged.Managers = nil
	for _, attribute := range []mad.Attribute{nodeRecord, portRecord, routeRecord, smRecord, linkRecord, memberRecord} {
		request := packet(classSA, getTable, attribute, 1<<31)
		request[2], request[maskAt+7] = 2, 0x81
		f.Add(a.End(a.Managers[0].Place).LID, request)
	}
	f.Add(uint16(2), packet(classLID, methodSet, mad.VLArbitration, 0x30001))
	f.Add(uint16(1), packet(classLID, methodSet, mad.LinearTable, 1))
	f.Add(uint16(permissive), packet(classDirected, methodSet, mad.PortInfo, 0, 1, 2))
	f.Fuzz(func(t *testing.T, lid uint16, data []byte) {
		answer, reset, err := a.Answer(lid, data)
		if len(data) == Size && data[1] != classPerformance {
			outside := &Agent{Network: &mad.Network{Fabric: unmanaged.Clone(), Profile: unmanaged.Profile}, From: unmanaged.From}
			if _, change, _ := outside.Answer(lid, data); change != nil && change.Port != nil {
				change.Port.Apply(outside.Network)
				if err := outside.Restore(outside.Save()); err != nil {
					t.Error(err)
				}
			}
		}
		if (err == nil) != (len(answer) >= recordAt && len(answer) <= Size) || err != nil && reset != nil {
			t.Errorf("%d bytes, %v, %v", len(answer), reset, err)
		}
	})
}

// TestPathRecords: the master's administration finds a path by GUID, and no one else answers.
func TestPathRecords(t *testing.T) {
	t.Parallel()
	a := network()
	leaf, host := infiniband.Place{Node: a.Named("Leaf-1")}, infiniband.Place{Node: a.Named("Host-4"), Port: 1}
	ask := packet(classSA, methodGet, pathRecord, 0)
	ask[2] = 2
	binary.BigEndian.PutUint64(ask[maskAt:], byTargetGID)
	binary.BigEndian.PutUint64(ask[recordAt+targetGIDAt+8:], uint64(a.At(host).GUID))
	answer, _, err := a.Answer(a.End(leaf).LID, ask)
	if err != nil || binary.BigEndian.Uint16(answer[statusAt:]) != 0 {
		t.Fatal(err, answer)
	}
	record, port := answer[recordAt:], a.At(host)
	if binary.BigEndian.Uint16(record[targetLIDAt:]) != port.LID || record[rateAt] != exactly|infiniband.RateCode(port.Width, port.Speed) {
		t.Errorf("LID %d, rate %x", binary.BigEndian.Uint16(record[targetLIDAt:]), record[rateAt])
	}
	if _, _, err := a.Answer(port.LID, ask); !errors.Is(err, ErrLost) {
		t.Errorf("a host without a manager: %v", err)
	}
	binary.BigEndian.PutUint64(ask[recordAt+targetGIDAt+8:], 0x1234)
	if answer, _, err := a.Answer(a.End(leaf).LID, ask); err != nil || mad.Status(binary.BigEndian.Uint16(answer[statusAt:])) != noRecords {
		t.Errorf("nobody: %v", err)
	}
}

// TestPortSettings: what ibportstate asks for is returned, the answer shows the port after it, and the network stays as it is.
func TestPortSettings(t *testing.T) {
	t.Parallel()
	a := network()
	at := infiniband.Place{Node: a.Named("Leaf-1"), Port: 1}
	lid, port := a.End(at).LID, a.At(at)
	ask := func(fill func(data []byte)) (mad.Status, *Port, []byte) {
		t.Helper()
		request := packet(classLID, methodSet, mad.PortInfo, 1)
		fill(request[dataAt:])
		answer, change, err := a.Answer(lid, request)
		if err != nil {
			t.Fatal(err)
		}
		status := mad.Status(binary.BigEndian.Uint16(answer[statusAt:]))
		if change == nil {
			return status, nil, answer[dataAt:]
		}
		return status, change.Port, answer[dataAt:]
	}
	if _, p, data := ask(func(d []byte) { mad.Physical.Set(d, toDisabled) }); p == nil || p.Disabled == nil || !*p.Disabled || p.Place != at ||
		mad.Physical.Get(data) != toDisabled || port.Physical != infiniband.LinkUp {
		t.Errorf("disable: %+v", p)
	}
	if _, p, _ := ask(func(d []byte) { mad.State.Set(d, toDown); mad.Physical.Set(d, toPolling) }); p == nil || !p.Reset || p.Disabled != nil {
		t.Errorf("enable of an enabled port: %+v", p)
	}
	if _, p, data := ask(func(d []byte) { mad.WidthEnabled.Set(d, 1) }); p == nil || p.Enabled == nil || p.Enabled.Widths != 1 || p.Enabled.Speeds != port.Enabled.Speeds ||
		mad.WidthEnabled.Get(data) != 1 || mad.WidthActive.Get(data) == 1 {
		t.Errorf("width: %+v", p)
	}
	if _, p, _ := ask(func(d []byte) { mad.SpeedEnabled.Set(d, 1); mad.ExtendedEnabled.Set(d, noExtendedSpeeds) }); p == nil || p.Enabled == nil ||
		p.Enabled.Speeds.Has(infiniband.FDR) || p.Enabled.Speeds.Has(infiniband.QDR) || !p.Enabled.Speeds.Has(infiniband.SDR) {
		t.Errorf("speed: %+v", p)
	}
	for name, fill := range map[string]func(d []byte){
		"a width of 12": func(d []byte) { mad.WidthEnabled.Set(d, 8) },
		"armed":         func(d []byte) { mad.State.Set(d, toArmed) },
		"HDR":           func(d []byte) { mad.ExtendedEnabled.Set(d, 4) },
	} {
		if status, p, _ := ask(fill); status != mad.BadValue || p != nil {
			t.Errorf("%s: status %#x, %+v", name, status, p)
		}
	}
	if status, p, _ := ask(func(d []byte) { mad.State.Set(d, toActive) }); status != mad.OK || p != nil {
		t.Errorf("an active port: status %#x, %+v", status, p)
	}
}
