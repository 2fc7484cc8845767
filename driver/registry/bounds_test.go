package registry

import (
	"fmt"
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// TestHiveSizeLimit: the value that reaches a limit is taken, and the next is not.
func TestHiveSizeLimit(t *testing.T) {
	t.Parallel()
	at := Place{Scope: OtherPath, Path: `HKLM\X`}
	h := &Hive{}
	if err := h.Fits(strings.Repeat("n", maxTextSize), TextValue(strings.Repeat("x", maxDataSize))); err != nil {
		t.Errorf("the longest value with the longest name: %v", err)
	}
	long := TextValue(strings.Repeat("x", maxDataSize))
	for i := 0; h.size+maxDataSize+len(at.Path)+4 < maxBytes; i++ {
		h.Set(at, fmt.Sprintf("%04d", i), long)
	}
	room := maxBytes - h.size
	for length, fits := range map[int]bool{room - 1: true, room: true, room + 1: false} {
		if err := h.Fits("name", TextValue(strings.Repeat("x", length-len("name")))); (err == nil) != fits {
			t.Errorf("%d bytes in a room of %d: %v", length, room, err)
		}
	}
	all := h.All()
	h.Set(at, "name", TextValue(strings.Repeat("x", room-len(at.Path)-len("name"))))
	if again, err := Load(h.All()); err != nil || again.Len() != h.Len() || again.size != maxBytes {
		t.Errorf("a hive of %d bytes is not loaded: %v", h.size, err)
	}
	if _, err := Load(append(all, Stored{at.Scope, 0, at.Path, "name", TextValue(strings.Repeat("x", room+1))})); err == nil {
		t.Errorf("a hive of more than %d bytes is loaded", maxBytes)
	}
}

func TestHiveValueLimit(t *testing.T) {
	t.Parallel()
	values := make([]Stored, maxValues+1)
	for i := range values {
		values[i] = Stored{OtherPath, i, "", "n", NumberValue(1)}
	}
	h, err := Load(values[:maxValues])
	if err != nil {
		t.Fatal(err)
	}
	if h.Fits("one more", NumberValue(1)) == nil {
		t.Errorf("a hive of %d values takes one more", h.Len())
	}
	h.Delete(values[0].Place(), "n")
	if err := h.Fits("one more", NumberValue(1)); err != nil {
		t.Error(err)
	}
	if _, err := Load(values); err == nil {
		t.Errorf("a hive of %d values is loaded", len(values))
	}
}

func TestLoadRefusesDamage(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxTextSize)
	for what, c := range map[string]struct {
		stored Stored
		loaded bool
	}{
		"the longest":   {Stored{OtherPath, 0, long, long, TextValue(strings.Repeat("x", maxDataSize))}, true},
		"a long name":   {Stored{OtherPath, 0, "", long + "x", NumberValue(1)}, false},
		"a long path":   {Stored{OtherPath, 0, long + "x", "", NumberValue(1)}, false},
		"a long value":  {Stored{OtherPath, 0, "", "", TextValue(strings.Repeat("x", maxDataSize+1))}, false},
		"no value":      {Stored{OtherPath, 0, "", "name", Value{}}, false},
		"an empty text": {Stored{OtherPath, 0, "", "name", TextValue("")}, true},
	} {
		if _, err := Load([]Stored{c.stored}); (err == nil) != c.loaded {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestFormsOfKeys: how a key is typed follows from what its row says; one key of each kind in both families.
func TestFormsOfKeys(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Form{
		"*JumboPacket": Count, "*SpeedDuplex": List, "LSOSize": Count, "*FlowControl": List, "roce_mode": List, "RoceMaxFrameSize": List,
		"RxIntModerationProfile": List, "RxIntModeration": List, "*TCPUDPChecksumOffloadIPv4": List, "*RSS": Toggle, "*QOS": Toggle, "RecvCompletionMethod": Toggle,
		"*EncapsulatedPacketTaskOffload": Toggle, "GUIDMask": Mask, "SHSensorsDumpMask": Mask, "ParentBusRegPath": Words,
		"DumpMeNowDirectory": Path, "NetworkAddress": MAC,
	} {
		found := false
		for _, family := range []description.Family{description.WinOF, description.WinOF2} {
			for i := range Keys(family).Rows {
				if r := &Keys(family).Rows[i]; r.Name == name {
					found = true
					if r.Form != want {
						t.Errorf("%s of family %v has the form %q, want %q", name, family, r.Form, want)
					}
				}
			}
		}
		if !found {
			t.Errorf("no key %s", name)
		}
	}
}

// TestFormsFollowFromTheRow at the ends of each rule.
func TestFormsFollowFromTheRow(t *testing.T) {
	t.Parallel()
	to := func(v uint32) *uint32 { return &v }
	choices := func(values ...uint32) (list []Choice) {
		for _, v := range values {
			list = append(list, Choice{Value: v})
		}
		return list
	}
	for want, rows := range map[Form][]Row{
		Mask:   {{Type: Number, Bits: make([]Choice, 1)}},
		Words:  {{Type: Text}},
		Toggle: {{Type: Number, Choices: choices(0, 1)}, {Type: Number, Choices: choices(1, 0)}, {Type: Number, Min: to(0), Max: to(1)}},
		List: {
			{Type: Number, Choices: choices(1, 2)}, {Type: Number, Choices: choices(0, 1, 2)},
			{Type: Number, Choices: choices(0, 1, 2), Min: to(0), Max: to(2)}, {Type: Number, Choices: choices(0, 1, 2), Max: to(2)},
			{Type: Number, Choices: choices(5, 6, 7), Min: to(5), Max: to(7)}, {Type: Number, Choices: choices(0, 2), Min: to(0), Max: to(2), Taken: choices(1)},
		},
		Count: {
			{Type: Number}, {Type: Number, Choices: choices(0)}, {Type: Number, Min: to(0), Max: to(2)}, {Type: Number, Min: to(1), Max: to(1)},
			{Type: Number, Min: to(0)}, {Type: Number, Choices: choices(0, 1, 2), Min: to(0), Max: to(3)}, {Type: Text, Min: to(0), Max: to(9)},
			{Type: Text, Max: to(9)}, {Type: Text, Min: to(9)}, {Type: Number, Max: to(0)}, {Type: Number, Choices: choices(5), Min: to(0), Max: to(7)},
		},
	} {
		for _, r := range rows {
			if got := r.form(); got != want {
				t.Errorf("%+v has the form %q, want %q", r, got, want)
			}
		}
	}
}

// TestMomentsOfKeys: congestion settings take effect at once, keys of the bus driver when it is loaded, others with the
// restart of the adapter, unless the row says more.
func TestMomentsOfKeys(t *testing.T) {
	t.Parallel()
	for table, want := range map[string]EffectTime{
		`[{"name": "A", "scope": "dcqcn"}]`:                                      AtOnce,
		`[{"name": "A", "scope": "miniport"}]`:                                   AtRestart,
		`[{"name": "A", "scope": "miniport", "applies": "driver-reload"}]`:       AtRestart,
		`[{"name": "A", "scope": "miniport", "applies": "dynamic"}]`:             AtOnce,
		`[{"name": "A", "scope": "bus-driver"}]`:                                 AtReload,
		`[{"name": "A", "scope": "bus-device"}]`:                                 AtReload,
		`[{"name": "A", "scope": "bus-device", "applies": "adapter-restart"}]`:   AtReload,
		`[{"name": "A", "scope": "bus-driver", "applies": "dynamic"}]`:           AtOnce,
		`[{"name": "A", "scope": "driver-roce", "applies": "adapter-restart"}]`:  AtRestart,
		`[{"name": "A", "scope": "driver-roce", "applies": "driver-reload"}]`:    AtReload,
		`[{"name": "A", "scope": "dcqcn", "applies": "adapter-restart"}]`:        AtRestart,
		`[{"name": "A", "scope": "firmware", "applies": "reboot", "type": "" }]`: AtReboot,
	} {
		c, err := read(table, description.WinOF2)
		if err != nil {
			t.Errorf("%s: %v", table, err)
			continue
		}
		if r := &c.Rows[0]; r.Applies != want || r.Type != Number || r.Bad != UseDefault || r.Stride != 1 {
			t.Errorf("%s takes effect at %q, want %q: %+v", table, r.Applies, want, r)
		}
	}
}

// TestKernelPaths: letters of drives from a to z, names of 260 characters, and no characters that Windows reserves.
func TestKernelPaths(t *testing.T) {
	t.Parallel()
	full := `\??\C:\` + strings.Repeat("x", 260-len(`\??\C:\`))
	for path, want := range map[string]bool{
		`\??\a:\`: true, `\??\z:\x`: true, `\??\A:\`: true, `\??\Z:\dump`: true, `\SystemRoot\Dumps`: true, `\SystemRoot\`: true,
		`\??\@:\`: false, `\??\[:\`: false, "\\??\\`:\\": false, `\??\{:\`: false, `\??\C:`: false, `\??\C`: false, `\??\`: false, `\??\CC\`: false,
		`C:\Dumps`: false, `\SystemRoot`: false, `\??\C:\a?`: false, `\??\C:\a"b`: false, `\??\C:\a|`: false, `\??\C:\a/b`: false,
		full: true, full + "x": false,
	} {
		if got := isKernelPath(path); got != want {
			t.Errorf("%.40q: %t", path, got)
		}
	}
}

func TestHardwareAddressesInTheirOrder(t *testing.T) {
	t.Parallel()
	want := [6]byte{0x02, 0x15, 0x5D, 0xA0, 0xFE, 0x01}
	for _, typed := range []string{"02155DA0FE01", "02-15-5d-a0-fe-01", " 02:15:5d:a0:fe:01 "} {
		if got, ok := hardwareAddress(typed); !ok || got != want {
			t.Errorf("%q is %x, %t", typed, got, ok)
		}
	}
	for _, typed := range []string{"", "02155DA0FE0", "02155DA0FE011", "02155DA0FE0x"} {
		if got, ok := hardwareAddress(typed); ok {
			t.Errorf("%q is %x", typed, got)
		}
	}
}

// TestBoundsOfTheHost: keys that name processors, their groups and nodes end with what the host has.
func TestBoundsOfTheHost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ processors, base, group uint32 }{{1, 0, 0}, {64, 63, 0}, {65, 64, 1}, {128, 127, 1}, {129, 128, 2}} {
		f := facts(description.Ethernet)
		f.Processors = int(c.processors)
		e := Read(Keys(description.WinOF2), f, func(*Row) Value { return Value{} })
		for name, want := range map[string]uint32{"*RssBaseProcNumber": c.base, "*RssBaseProcGroup": c.group, "*NumaNodeID": 1} {
			r, ok := Keys(description.WinOF2).Find(name, Miniport)
			if !ok {
				t.Fatalf("no key %s", name)
			}
			if _, most := e.Bounds(r); most == nil || *most != want {
				t.Errorf("%d processors: %s ends at %v, want %d", c.processors, name, most, want)
			}
		}
	}
}

// TestFramesOfAVirtualFunction end with the frames of its host, where they are known and smaller.
func TestFramesOfAVirtualFunction(t *testing.T) {
	t.Parallel()
	r, _ := Keys(description.WinOF2).Find("*JumboPacket", Miniport)
	for _, c := range []struct {
		virtual    bool
		host, want uint32
	}{{false, 4088, 9614}, {true, 0, 9614}, {true, 4088, 4088}, {true, 9614, 9614}, {true, 9999, 9614}} {
		f := facts(description.Ethernet)
		f.Virtual, f.HostFrame = c.virtual, c.host
		_, most := Read(Keys(description.WinOF2), f, func(*Row) Value { return Value{} }).Bounds(r)
		if *most != c.want {
			t.Errorf("%+v: the largest frame is %d", c, *most)
		}
	}
}

// TestEtherTypesOfVirtualFunctions: the list bars what it does not name; without entries it names IPv4, ARP and IPv6
// (IOV-8).
func TestEtherTypesOfVirtualFunctions(t *testing.T) {
	t.Parallel()
	const on, first = "VFAllowedTxEtherTypeListEnable", "VFAllowedTxEtherType0"
	for _, c := range []struct {
		stored map[string]Value
		want   setup.FrameTypeSet
	}{
		{nil, setup.SetOfFrameTypes(setup.TrialFrame)},
		{n(first, 0x0806), setup.SetOfFrameTypes(setup.IPv4Frame, setup.IPv6Frame, setup.TrialFrame)},
		{n(on, 1, first, 0x88B5), setup.SetOfFrameTypes(setup.IPv4Frame, setup.ARPFrame, setup.IPv6Frame)},
		{n(on, 0, first, 0x0806), 0},
	} {
		s := reading(description.WinOF2, description.Ethernet, c.stored).Settings(setup.DefaultPort(description.WinOF2, &description.Port{MaxFrame: 1514}))
		if s.Bars != c.want {
			t.Errorf("%v bars %04b, want %04b", c.stored, s.Bars, c.want)
		}
	}
}

// TestModesOfFirmware: the highest mode of RoCE that each version and card has (ROCE-5).
func TestModesOfFirmware(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id              uint16
		firmware        string
		requested, want uint32
	}{
		{connectX3, "2.29.9999", RoCEv1, NoRoCE}, {connectX3, "2.30.3000", RoCEv1, RoCEv1}, {connectX3, "2.42.5000", RoCEIP, RoCEIP},
		{connectX3, "2.42.5000", RoCEv2, RoCEIP}, {connectX3Pro, "2.31.5049", RoCEv2, RoCEIP}, {connectX3Pro, "2.31.5050", RoCEv2, RoCEv2},
		{connectX3Pro, "2.42.5000", NoRoCE, NoRoCE}, {connectX3, "", RoCEv2, RoCEv2}, {connectX3, "unknown", RoCEv1, RoCEv1},
		{connectX3Pro, "unknown", RoCEv2, RoCEv2},
	} {
		if got := SupportedRoCE(description.WinOF, c.id, c.firmware, c.requested); got != c.want {
			t.Errorf("mode %d on %04x with firmware %q becomes %d, want %d", c.requested, c.id, c.firmware, got, c.want)
		}
	}
}

// TestNearestNeedsLetters: two letters must be near, from three on they may stand inside a name.
func TestNearestNeedsLetters(t *testing.T) {
	t.Parallel()
	c := Keys(description.WinOF2)
	for typed, want := range map[string]string{
		"Rs": "*RSS", "RST": "*RSS", "Rxs": "*RSS", "umbo": "*JumboPacket", "um": "",
		"ReceiveBufers": "*ReceiveBuffers", "eceiveBuffers": "*ReceiveBuffers", "RecieveBuffers": "*ReceiveBuffers", "xJumboPacket": "*JumboPacket",
		"*JumboPacketttt": "*JumboPacket", "*JumboPackettttttt": "",
	} {
		if got := c.Nearest(typed, Miniport); got != want {
			t.Errorf("nearest to %q is %q, want %q", typed, got, want)
		}
	}
}
