package mad

import (
	"testing"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/qos"
	"cxdeck/device/infiniband/topology"
)

// TestFields: each field reads what was written, and leaves its neighbours alone.
func TestFields(t *testing.T) {
	t.Parallel()
	for name, fields := range map[string][]Field{
		"PortInfo": PortFields, "NodeInfo": NodeFields, "SwitchInfo": SwitchFields, "PortCounters": PortCounterFields, "extended counters": ExtendedCounterFields,
	} {
		for _, f := range fields {
			data := make([]byte, CounterSize)
			all := uint64(1)<<f.Bits - 1
			if f.Bits == 64 {
				all = 1<<64 - 1
			}
			f.Set(data, all)
			if got := f.Get(data); got != all {
				t.Errorf("%s %s: %x, expected %x", name, f.Name, got, all)
			}
			bits := 0
			for _, b := range data {
				for ; b > 0; b &= b - 1 {
					bits++
				}
			}
			if bits != f.Bits {
				t.Errorf("%s %s: %d bits are set, expected %d", name, f.Name, bits, f.Bits)
			}
			for _, other := range fields {
				if other.Offset != f.Offset && other.Get(data) != 0 {
					t.Errorf("%s: %s overlaps %s", name, f.Name, other.Name)
				}
			}
			f.SetUpTo(data, 1<<64-1)
			if got := f.Get(data); got != all {
				t.Errorf("%s %s: %x is not its greatest value", name, f.Name, got)
			}
		}
	}
}

// TestRefusals: agents refuse attributes and modifiers that their node does not have.
func TestRefusals(t *testing.T) {
	t.Parallel()
	b := topology.New()
	b.FatTree(2, 1, 2)
	n := &Network{Fabric: b.Fabric, Profile: Hardware()}
	host, leaf := infiniband.Place{Node: b.Named("Host-1"), Port: 1}, infiniband.Place{Node: b.Named("Leaf-1")}
	for _, c := range []struct {
		name      string
		at        infiniband.Place
		attribute Attribute
		modifier  uint32
		want      Status
	}{
		{"SwitchInfo of an adapter", host, SwitchInfo, 0, Unsupported},
		{"linear table of an adapter", host, LinearTable, 0, Unsupported},
		{"multicast table of an adapter", host, MulticastTable, 0, Unsupported},
		{"a port beyond the last", leaf, PortInfo, 37, BadValue},
		{"a block beyond the table", leaf, LinearTable, 768, BadValue},
		{"keys of a port beyond the last", leaf, PKeyTable, 99 << 16, BadValue},
		{"keys beyond the table", leaf, PKeyTable, 9, BadValue},
		{"an attribute that nobody has", leaf, 0x77, 0, Unsupported},
		{"SMInfo without a manager", host, SMInfo, 0, NoAnswer},
		{"the extended bit of a port", leaf, PortInfo, 1<<31 | 1, OK},
		{"a multicast block beyond the table", leaf, MulticastTable, 0xf00001ff, OK},
	} {
		if _, got := n.Get(c.at, c.attribute, c.modifier); got != c.want {
			t.Errorf("%s: status %#x, expected %#x", c.name, got, c.want)
		}
	}
	for number, want := range map[int]Status{0: BadValue, 1: OK, 2: BadValue, AllPortsSelect: BadValue, -1: BadValue} {
		if _, got := n.GetCounters(host, PortCounters, number); got != want {
			t.Errorf("counters of port %d of an adapter: status %#x, expected %#x", number, got, want)
		}
	}
}

// TestRoutes: a directed route passes switches and no adapter; without a manager no LID is reached.
func TestRoutes(t *testing.T) {
	t.Parallel()
	b := topology.New()
	b.FatTree(2, 1, 2)
	n := &Network{Fabric: b.Fabric, Profile: Hardware()}
	from := infiniband.Place{Node: b.Named("Host-1"), Port: 1}
	for _, c := range []struct {
		route Route
		to    string
	}{
		{Directed(), "Host-1"}, {Directed(1), "Leaf-1"}, {Directed(1, 3), "Spine-1"}, {Directed(1, 3, 2, 1), "Host-3"},
		{Directed(2), ""}, {Directed(1, 9), ""}, {Directed(1, 2, 1), ""}, {Directed(0), ""}, {Directed(1, 255), ""}, {ByLID(1), ""}, {Route{}, ""},
		{Directed(make([]uint8, 64)...), ""},
	} {
		at, ok := n.Arrive(from, c.route)
		if ok != (c.to != "") || ok && n.Of(at).Name != c.to {
			t.Errorf("%s leads to %v (%v), expected %q", c.route, at, ok, c.to)
		}
	}
}

// TestTables: the tables that act without QoS are the ones that the agents of the hardware answer, and the ones of a manager replace them.
func TestTables(t *testing.T) {
	t.Parallel()
	b := topology.New()
	leaf, _ := b.FatTree(2, 1, 2)
	n := &Network{Fabric: b.Fabric, Profile: Hardware()}
	at := infiniband.Place{Node: leaf[0], Port: 1}
	check := func() {
		t.Helper()
		tables := n.Tables()
		data, _ := n.Get(at, SLToVL, 0x0102)
		for level, lane := range tables.LaneOf {
			if got := data[level/2] >> (4 - level%2*4) & 15; got != lane {
				t.Errorf("level %d has lane %d, and acts as %d", level, got, lane)
			}
		}
		for block, table := range map[uint32][]qos.Weight{1: tables.Low, 3: tables.High} {
			data, _ := n.Get(at, VLArbitration, block<<16|1)
			for i, w := range table {
				if data[2*i] != w.Lane || data[2*i+1] != w.Weight {
					t.Errorf("block %d, entry %d: %d:%d, and acts as %+v", block, i, data[2*i], data[2*i+1], w)
				}
			}
		}
		if data, _ := n.Get(at, PortInfo, 1); VLHighLimit.Get(data) != uint64(tables.Limit) {
			t.Errorf("the limit is %d, and acts as %d", VLHighLimit.Get(data), tables.Limit)
		}
	}
	check()
	n.QoS, _ = qos.Parse("qos TRUE\nqos_high_limit 9\nqos_vlarb_high 1:7,0:3\nqos_vlarb_low 2:9\nqos_sl2vl 3,2,1,15\n")
	check()
}

// TestDataByLevel: the attributes by level show what a port counted at each, of a port and of all ports of a switch, and a reset of the data
// resets them.
func TestDataByLevel(t *testing.T) {
	t.Parallel()
	b := topology.New()
	leaf, _ := b.FatTree(2, 1, 2)
	n := &Network{Fabric: b.Fabric, Profile: Hardware()}
	at := infiniband.Place{Node: leaf[0], Port: 1}
	check := func(port int, attribute Attribute, want map[int]uint64) {
		t.Helper()
		data, status := n.GetCounters(at, attribute, port)
		for level := range qos.Levels {
			if got := SentByLevelFields[2+level].Get(data); got != want[level] || status != OK {
				t.Errorf("port %d, level %d: %d, expected %d", port, level, got, want[level])
			}
		}
	}
	n.At(at).Counters.Send(0, 1, 100)
	n.At(at).Counters.Send(3, 2, 50)
	n.At(at).Counters.Receive(15, 1, 7)
	n.Nodes[at.Node].Ports[2].Counters.Send(3, 1, 1000)
	check(1, SentDataByLevel, map[int]uint64{0: 100, 3: 50})
	check(1, ReceivedDataByLevel, map[int]uint64{15: 7})
	check(AllPortsSelect, SentDataByLevel, map[int]uint64{0: 100, 3: 1050})
	n.ClearCounters(at, PortCounters, 1, 1<<12)
	check(1, SentDataByLevel, nil)
	check(1, ReceivedDataByLevel, map[int]uint64{15: 7})
	n.ClearCounters(at, ExtendedCounters, 1, 0)
	check(1, ReceivedDataByLevel, nil)
}
