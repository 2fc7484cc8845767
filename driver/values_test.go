package driver

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
)

func mustKey(t *testing.T, h *Host, connection, name string) registry.Key {
	t.Helper()
	k, err := h.Key(connection, name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func set(connection, key, value string) edit.SetValue {
	return edit.SetValue{Connection: connection, Key: key, Value: value}
}

func TestFreshRegistryMatchesDescription(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	for port := range h.miniports {
		d, a, _ := h.lab.Port(port)
		want := setup.DefaultPort(h.lab.Description().Adapters[a].Family, d)
		if got := h.lab.Settings(port); got != want {
			t.Errorf("%s is set up with %+v, and described as %+v", d.Connection, got, want)
		}
		if p := h.View().Adapters[a].Ports[0].Pending; p != "" {
			t.Errorf("%s: %s waits on a fresh host", d.Connection, p)
		}
	}
}

func TestValueTakesEffectAfterARestart(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	const name = "Ethernet 5"
	port := portOf(t, h, name)
	mustApply(t, h, set(name, "jumbopacket", "0x2336"))
	k := mustKey(t, h, name, "*JumboPacket")
	if k.Stored.String() != "9014" || k.Effective.String() != "1514" || !k.Pending || h.lab.Settings(port).MaxFrame != 1514 {
		t.Errorf("before the restart: %+v", k)
	}
	if p := h.pending(port, h.waitingKeys(port)); p != "*JumboPacket 9014" {
		t.Errorf("what waits is %q", p)
	}
	mustApply(t, h, set(name, "*RSS", "0"))
	if p := h.pending(port, h.waitingKeys(port)); p != "*JumboPacket 9014 and 1 more" {
		t.Errorf("what waits is %q", p)
	}
	mustApply(t, h, adapters.RestartAdapter{Connection: name})
	if h.lab.Settings(port).MaxFrame != 1514 {
		t.Error("the value counted before the driver started")
	}
	h.Advance(5 * time.Second)
	k = mustKey(t, h, name, "*JumboPacket")
	if k.Effective.String() != "9014" || k.Pending || h.lab.Settings(port).MaxFrame != 9014 || h.lab.Settings(port).RSS || h.pending(port, h.waitingKeys(port)) != "" {
		t.Errorf("after the restart: %+v", k)
	}
	mustApply(t, h, adapters.DisableAdapter{Connection: name})
	mustApply(t, h, edit.DeleteValue{Connection: name, Key: "*JumboPacket"})
	if h.pending(port, h.waitingKeys(port)) != "" {
		t.Error("something waits for the restart of an adapter that is off")
	}
	mustApply(t, h, adapters.EnableAdapter{Connection: name})
	h.Advance(5 * time.Second)
	if k := mustKey(t, h, name, "*JumboPacket"); k.Stored.Exists() || k.Effective.String() != "1514" {
		t.Errorf("without a value: %+v", k)
	}
}

func TestDynamicValuesTakeEffectAtOnce(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	port := portOf(t, h, "Ethernet 7")
	mustApply(t, h, set("Ethernet 7", "DcqcnRPEnablePrio5", "1"), set("Ethernet 7", "DcqcnRpgAiRate", "200000"))
	s := h.lab.Settings(port)
	if !s.Congestion.Reacts(5) || h.pending(port, h.waitingKeys(port)) != "" {
		t.Error("congestion control waits for a restart")
	}
	if k := mustKey(t, h, "Ethernet 7", "DcqcnRpgAiRate"); k.Effective.String() != "100000" || k.Reason == "" {
		t.Errorf("a rate above the line rate is %+v", k)
	}
	_, err := h.Undo()
	if s = h.lab.Settings(port); err != nil || s.Congestion.Reacts(5) {
		t.Errorf("the undo did not count at once: %v", err)
	}
}

func TestStartEventsOfTheDriver(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		values []edit.SetValue
		event  string
		says   string
		state  AdapterState
	}{
		{"Ethernet 7", []edit.SetValue{set("Ethernet 7", "*JumboPacket", "16000")}, "mlx5.jumbo-capped", "16000 exceeds the firmware limit 9614", Running},
		{"Ethernet 7", []edit.SetValue{set("Ethernet 7", "*RSS", "0")}, "mlx5.rss-off-adapter", "without RSS", Running},
		{"Ethernet 6", []edit.SetValue{set("Ethernet 6", "*FlowControl", "0")}, "mlx5.no-flow-control", "RoCE", Running},
		{"Ethernet 7", []edit.SetValue{set("Ethernet 7", "EnableRSS", "0")}, "mlx5.rss-stack-off", "not started", Failed},
		{"Ethernet 7", []edit.SetValue{set("Ethernet 7", "NetworkAddress", "01-00-5e-00-00-01")}, "mlx5.multicast-mac", "01:00:5E:00:00:01", Failed},
		{"Ethernet 3", []edit.SetValue{set("Ethernet 3", "*RSS", "0")}, "mlx4.eth-rss-mismatch", "different RSS modes", Running},
		{"Ethernet 3", []edit.SetValue{set("Ethernet 3", "roce_mode", "4")}, "mlx4.illegal-port-mix-manual", "not supported", Running},
	} {
		h := newHost(t, 1)
		h.Advance(2 * time.Second)
		from, port := h.events.Last(), portOf(t, h, c.name)
		for _, v := range c.values {
			mustApply(t, h, v)
		}
		mustApply(t, h, adapters.RestartAdapter{Connection: c.name})
		h.Advance(8 * time.Second)
		at := slices.IndexFunc(h.EventsAfter(from), func(e eventlog.Event) bool { return e.Key == c.event && e.Adapter == c.name })
		if at < 0 || !strings.Contains(h.EventsAfter(from)[at].Message, c.says) {
			t.Errorf("%v: the events are %v", c.values, h.EventsAfter(from))
		}
		if h.State(port) != c.state || h.lab.State(port).Up != (c.state == Running) {
			t.Errorf("%v: it is %s", c.values, h.State(port))
		}
		if c.state != Failed {
			continue
		}
		if h.Code(port) != 10 || slices.Contains(newest(h, from, c.name), "mlx5.identity") {
			t.Errorf("%v: a failed start has code %d and events %v", c.values, h.Code(port), newest(h, from, c.name))
		}
		if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{adapters.EnableAdapter{Connection: c.name}}}); !errors.Is(err, adapters.ErrFailed) {
			t.Errorf("a failed adapter is enabled: %v", err)
		}
		mustApply(t, h, adapters.RestartAdapter{Connection: c.name})
		h.Advance(8 * time.Second)
		if h.State(port) != Failed {
			t.Errorf("%v: a restart alone mends it", c.values)
		}
		mustApply(t, h, edit.DeleteValue{Connection: c.name, Key: c.values[0].Key}, adapters.RestartAdapter{Connection: c.name})
		h.Advance(8 * time.Second)
		if h.State(port) != Running || h.Code(port) != 0 || !h.lab.State(port).Up {
			t.Errorf("%v: it stays %s with code %d after the cure", c.values, h.State(port), h.Code(port))
		}
	}
}

// TestOldDriverWorksWithOldFirmware: the firmware that WinOF 5.50 asks for is not asked for by a driver of its time.
func TestOldDriverWorksWithOldFirmware(t *testing.T) {
	t.Parallel()
	d := description.Default()
	d.Adapters[2].Firmware, d.Adapters[2].DriverVersion = "2.31.5000", "4.95.10777"
	lab, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHost(lab)
	h.Advance(3 * time.Second)
	if port := portOf(t, h, "Ethernet 3"); h.State(port) != Running {
		t.Errorf("it is %s with events %v", h.State(port), newest(h, 0, "Ethernet 3"))
	}
}

func TestOldFirmwareStopsTheStart(t *testing.T) {
	t.Parallel()
	d := description.Default()
	d.Adapters[2].Firmware = "2.36.5150"
	lab, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHost(lab)
	h.Advance(3 * time.Second)
	port := portOf(t, h, "Ethernet 3")
	if h.State(port) != Failed || h.Code(port) != 10 || lab.State(port).Up || !slices.Contains(newest(h, 0, "Ethernet 3"), "mlx4.eth-old-firmware") {
		t.Errorf("it is %s with events %v", h.State(port), newest(h, 0, "Ethernet 3"))
	}
	mustApply(t, h, set("Ethernet 3", "CheckFwVersion", "0"), adapters.DisableAdapter{Connection: "Ethernet 3"}, adapters.EnableAdapter{Connection: "Ethernet 3"})
	h.Advance(8 * time.Second)
	if h.State(port) != Running || !lab.State(port).Up {
		t.Errorf("without the check it is %s", h.State(port))
	}
	for _, c := range []struct {
		a, b string
		old  bool
	}{{"2.40.6999", "2.40.7000", true}, {"2.40.7000", "2.40.7000", false}, {"10.0.0", "2.40.7000", false}, {"x", "2.40.7000", false}, {"2.40", "2.40.7000", true}} {
		if limits.Older(c.a, c.b) != c.old {
			t.Errorf("%s older than %s: %t", c.a, c.b, !c.old)
		}
	}
}

func TestKeysThatPortsShare(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	shared := edit.SetValue{Adapter: "ConnectX-3 Pro", Key: "roce_mode", Value: "0"}
	mustApply(t, h, shared)
	for _, name := range []string{"Ethernet 3", "Ethernet 4"} {
		if k := mustKey(t, h, name, "roce_mode"); k.Stored.String() != "0" || !k.Pending || !strings.HasSuffix(k.Path, `mlx4_bus\Parameters\Roce`) {
			t.Errorf("%s: %+v", name, k)
		}
	}
	if keys := h.waitingKeys(portOf(t, h, "Ethernet 7")); len(keys) > 0 {
		t.Errorf("the other driver waits for %d keys", len(keys))
	}
	keys, err := h.AdapterKeys("ConnectX-3 Pro")
	if err != nil || slices.ContainsFunc(keys, func(k registry.Key) bool { return k.Row.Scope == registry.Miniport }) {
		t.Errorf("the keys of a card: %v", err)
	}
	k, err := h.AdapterKey("ConnectX-3 Pro", "PermitSriov")
	if err != nil || k.Row.Scope != registry.BusDevice || !strings.Contains(k.Path, `\0073\Parameters`) {
		t.Errorf("%+v, %v", k, err)
	}
}

func TestKeysOfAConnection(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	all := map[string]int{}
	for _, name := range []string{"Ethernet 3", "Ethernet 4", "Ethernet 7"} {
		keys, err := h.Keys(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = len(keys)
		for _, k := range keys {
			if k.Row.MustCreate && k.Stored.Exists() && k.Row.Name != "*SRIOV" { // its virtual functions are described
				t.Errorf("%s: %s exists, and must be created", name, k.Row.Name)
			}
			if !k.Row.MustCreate && !k.Row.Optional && k.Default.Exists() && !k.Stored.Exists() {
				t.Errorf("%s: %s is absent, and has a default", name, k.Row.Name)
			}
			if k.Row.Scope == registry.Firmware || k.Row.Scope == registry.DriverParameters {
				t.Errorf("%s: %s is not kept in the registry", name, k.Row.Name)
			}
		}
	}
	if _, err := h.Key("Ethernet 4", "RoceMaxFrameSize"); err == nil {
		t.Error("an IPoIB port has a key of Ethernet alone")
	}
	if _, err := h.Key("Ethernet 3", "GUIDMask"); err == nil {
		t.Error("an Ethernet port has a key of IPoIB alone")
	}
	if all["Ethernet 7"] < 140 || all["Ethernet 3"] < 130 {
		t.Errorf("there are too few keys: %v", all)
	}
}

func TestRefusedValuesChangeNothing(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	before := h.Clone()
	for _, c := range []struct {
		operation Operation
		says      string
	}{
		{set("Ethernet 7", "*JumboPackets", "1514"), "did you mean *JumboPacket?"},
		{set("Ethernet 7", "nonsense and more", "1"), "has no key"},
		{set("Ethernet 7", "*JumboPacket", "big"), "must be an integer"},
		{set("Ethernet 99", "*JumboPacket", "1514"), "there is no adapter"},
		{edit.SetValue{Adapter: "ConnectX-9", Key: "roce_mode", Value: "2"}, "there is no adapter card"},
		{edit.SetValue{Adapter: "ConnectX-3 Pro", Connection: "Ethernet 3", Key: "roce_mode", Value: "2"}, "not both"},
		{edit.SetValue{Adapter: "ConnectX-3 Pro", Key: "*JumboPacket", Value: "1514"}, "belongs to a connection"},
		{edit.DeleteValue{Connection: "Ethernet 7", Key: "TxUntagPriorityTag"}, "does not exist"},
	} {
		_, err := h.Apply(Plan{Title: "x", Operations: []Operation{set("Ethernet 8", "*RSS", "0"), c.operation}})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.operation.Describe(), err)
		}
	}
	if !reflect.DeepEqual(likeness(h), likeness(before)) {
		t.Error("a refused change left something behind")
	}
}

func TestUndoOfAChangeWithItsRestart(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	port := portOf(t, h, "Ethernet 5")
	mustApply(t, h, set("Ethernet 5", "*ReceiveBuffers", "4096"), adapters.RestartAdapter{Connection: "Ethernet 5"})
	h.Advance(5 * time.Second)
	if h.lab.Settings(port).ReceiveBuffers != 4096 {
		t.Fatal("the value does not count")
	}
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	h.Advance(5 * time.Second)
	if h.lab.Settings(port).ReceiveBuffers != 512 || h.pending(port, h.waitingKeys(port)) != "" {
		t.Error("the old value is stored, and does not count")
	}
}

func TestCommandsOfValues(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	for _, c := range []struct {
		operation Operation
		plain     string
		onHost    string
	}{
		{
			set("Ethernet 7", "jumbopacket", "0x2336"),
			`Set-NetAdapterAdvancedProperty -Name "Ethernet 7" -RegistryKeyword '*JumboPacket' -RegistryValue "9014" -NoRestart`, "",
		},
		{
			set("Ethernet 7", "TxUntagPriorityTag", "1"),
			`New-NetAdapterAdvancedProperty -Name "Ethernet 7" -RegistryKeyword "TxUntagPriorityTag" -RegistryValue "1" -RegistryDataType REG_SZ -NoRestart`, "",
		},
		{
			set("a'; Stop-Computer", "*SRIOV", "$(x)"),
			`New-NetAdapterAdvancedProperty -Name 'a''; Stop-Computer' -RegistryKeyword '*SRIOV' -RegistryValue '$(x)' -RegistryDataType REG_SZ -NoRestart`, "",
		},
		{set("Ethernet 7", "DcqcnRpgAiRate", "20"), `Mlx5Cmd.exe -Qosconfig -Dcqcn -Name "Ethernet 7" -Set -DcqcnRpgAiRate 20`, ""},
		{set("Ethernet 7", "EnableRSS", "0"), "netsh int tcp set global rss=disabled", ""},
		{
			edit.SetValue{Adapter: "ConnectX-3 Pro", Key: "MaxVFPort1", Value: "8"},
			`New-ItemProperty -Path 'HKLM:\SYSTEM\CurrentControlSet\Control\Class\{4d36e97d-e325-11ce-bfc1-08002be10318}\nn\Parameters' -Name "MaxVFPort1" -Value "8" -PropertyType DWord -Force`,
			`New-ItemProperty -Path 'HKLM:\SYSTEM\CurrentControlSet\Control\Class\{4d36e97d-e325-11ce-bfc1-08002be10318}\0073\Parameters' -Name "MaxVFPort1" -Value "8" -PropertyType DWord -Force`,
		},
		{
			edit.DeleteValue{Connection: "Ethernet 7", Key: "*RSS"},
			`Remove-NetAdapterAdvancedProperty -Name "Ethernet 7" -RegistryKeyword '*RSS' -NoRestart`, "",
		},
	} {
		if got := strings.Join(c.operation.Commands(), "\n"); got != c.plain {
			t.Errorf("%s\nis %s\nnot %s", c.operation.Describe(), got, c.plain)
		}
		if c.onHost == "" {
			c.onHost = c.plain
		}
		if got := strings.Join(h.Commands(c.operation), "\n"); got != c.onHost {
			t.Errorf("%s\nis on the host %s\nnot %s", c.operation.Describe(), got, c.onHost)
		}
	}
}
