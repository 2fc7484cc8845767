package registry

import (
	"strings"
	"testing"

	"cxdeck/device/description"
)

// The key tables of the manuals: how many keys each has in a scope, and how many of them have to be created.
func TestTablesHaveEveryKeyOfTheManuals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		family description.Family
		scope  Scope
		keys   int
		create int
	}{
		{description.WinOF, Miniport, 108, 24}, {description.WinOF, BusDevice, 15, 0}, {description.WinOF, BusDriver, 15, 1},
		{description.WinOF, DriverParameters, 10, 0}, {description.WinOF, Firmware, 7, 0}, {description.WinOF, System, 6, 0},
		{description.WinOF, RoCE, 2, 0}, {description.WinOF, Diagnostics, 1, 1},
		{description.WinOF2, Miniport, 94, 25}, {description.WinOF2, Congestion, 42, 0}, {description.WinOF2, Firmware, 13, 0},
		{description.WinOF2, Diagnostics, 6, 6}, {description.WinOF2, System, 5, 1}, {description.WinOF2, BusDriver, 2, 1},
		{description.WinOF2, RoCE, 1, 0},
	} {
		keys, create := 0, 0
		for _, r := range Keys(c.family).Rows {
			if r.Scope != c.scope || strings.Contains(r.Detail().Decision, "An addition to") {
				continue
			}
			keys++
			if r.MustCreate {
				create++
			}
		}
		if keys != c.keys || create != c.create {
			t.Errorf("family %d has %d keys of %s, %d of them to create; the manuals have %d and %d",
				c.family, keys, c.scope, create, c.keys, c.create)
		}
	}
	if n, m := len(Keys(description.WinOF).Rows), len(Keys(description.WinOF2).Rows); n != 164+14 || m != 163+5 {
		t.Errorf("the tables have %d and %d keys", n, m)
	}
}

func TestRowsAreComplete(t *testing.T) {
	t.Parallel()
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		for i := range Keys(family).Rows {
			r := &Keys(family).Rows[i]
			switch {
			case r.Summary == "" || r.Group == "" || r.Detail().Effect == "" || r.Detail().Manual == "":
				t.Errorf("%s says too little", r.Name)
			case r.Type != Number && r.Type != Text:
				t.Errorf("%s has the type %q", r.Name, r.Type)
			case r.Applies != AtRestart && r.Applies != AtOnce && r.Applies != AtReload && r.Applies != AtReboot && r.Applies != AtNewVM:
				t.Errorf("%s counts %q", r.Name, r.Applies)
			case r.Bad != UseDefault && r.Bad != Clamp && r.Bad != FeatureOff:
				t.Errorf("%s does %q about bad values", r.Name, r.Bad)
			case r.Scope.Stored() && r.Scope != Congestion && r.Path("0001") == "":
				t.Errorf("%s is kept nowhere", r.Name)
			case r.Bad == Clamp && r.Scope != Congestion && (r.Min == nil || r.Max == nil):
				t.Errorf("%s has no range to clamp to", r.Name)
			}
			for _, link := range []description.LinkType{description.Ethernet, description.InfiniBand} {
				if d := r.Default(link); d.Exists() && d.Type() != r.Type {
					t.Errorf("%s has the default %s, which is no %s", r.Name, d, r.Type)
				}
			}
		}
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		family description.Family
		link   description.LinkType
		name   string
		want   uint32
	}{
		{description.WinOF, description.Ethernet, "*JumboPacket", 1514},
		{description.WinOF, description.InfiniBand, "*JumboPacket", 4092},
		{description.WinOF2, description.Ethernet, "*JumboPacket", 1514},
		{description.WinOF, description.Ethernet, "*ReceiveBuffers", 4096},
		{description.WinOF, description.InfiniBand, "*ReceiveBuffers", 512},
		{description.WinOF2, description.Ethernet, "*ReceiveBuffers", 512},
		{description.WinOF, description.Ethernet, "*TransmitBuffers", 2048},
		{description.WinOF, description.Ethernet, "*FlowControl", 3},
		{description.WinOF2, description.Ethernet, "*FlowControl", 0},
		{description.WinOF, description.Ethernet, "DelayDropTimeout", 0},
		{description.WinOF2, description.Ethernet, "DelayDropTimeout", 50},
		{description.WinOF, description.Ethernet, "*NumRSSQueues", 8},
		{description.WinOF2, description.Ethernet, "RxIntModerationProfile", 2},
		{description.WinOF2, description.Ethernet, "TxIntModerationProfile", 1},
		{description.WinOF, description.InfiniBand, "GUIDMask", 0xE7},
		{description.WinOF, description.Ethernet, "DefaultRecvRingProcessor", Automatic},
	} {
		r, ok := Keys(c.family).Find(c.name, Miniport)
		if !ok || r.Default(c.link) != NumberValue(c.want) {
			t.Errorf("%s of family %d, link %d, has the default %v; want %d", c.name, c.family, c.link, r.Default(c.link), c.want)
		}
	}
}

func TestFindAndNearest(t *testing.T) {
	t.Parallel()
	c := Keys(description.WinOF)
	for typed, want := range map[string]string{
		"*jumbopacket": "*JumboPacket", "JUMBOPACKET": "*JumboPacket", "RssOnHostVPorts": "*RssOnHostVPorts",
		"bus-driver/permitsriov": "PermitSriov", "lsosize": "LSOSize",
	} {
		if r, ok := c.Find(typed, Miniport, BusDevice, BusDriver); !ok || r.Name != want {
			t.Errorf("%q found %v", typed, r)
		}
	}
	if r, _ := c.Find("bus-driver/PermitSriov", BusDevice, BusDriver); r.Scope != BusDriver {
		t.Errorf("the scope was not heeded: %s", r.Scope)
	}
	if _, ok := c.Find("PermitSriov", Miniport); ok {
		t.Error("a key of the bus was found at a port")
	}
	for typed, want := range map[string]string{
		"*JumboPackets": "*JumboPacket", "receivebufers": "*ReceiveBuffers", "NumRSSQueue": "*NumRSSQueues",
		"": "", "completely different": "", strings.Repeat("x", 10000): "",
	} {
		if got := c.Nearest(typed, Miniport); got != want {
			t.Errorf("nearest to %q is %q, want %q", typed[:min(20, len(typed))], got, want)
		}
	}
}

func TestDamagedTablesAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`[{"naem":"A"}]`, "", "{}", "[", "[{", "[{}", `[{"name":"A"}]]`, `[{"name":"A","scope":"miniport"},]`, `[{"name":"A\u00"}]`, `[{"name":"A}]`, `[{"name":"\`,
		`[{"min":-1}]`, `[{"min":4294967296}]`, `[{"hex":1}]`,
		`[{"name":"A","scope":"miniport"},{"name":"*a","scope":"miniport"}]`, `[{"name":"A","default":1.5}]`,
	} {
		if _, err := read(text, description.WinOF); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
