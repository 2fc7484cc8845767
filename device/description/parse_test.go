package description

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"cxdeck/device/tomlfile"
)

func TestTheDefaultLabIsWhatTheManualsSay(t *testing.T) {
	t.Parallel()
	d, err := ParseText(DefaultText())
	if err != nil {
		t.Fatal(err)
	}
	if d.Host.Name != "LAB-N4" || d.Host.NUMANodes*d.Host.ProcessorsPerNode != 32 || len(d.Adapters) != 4 {
		t.Errorf("the host is %+v with %d adapters", d.Host, len(d.Adapters))
	}
	ids := map[string]uint16{"ConnectX-3 Pro": 0x1007, "ConnectX-4 Lx": 0x1015, "ConnectX-5 Ex": 0x1019, "BlueField-2": 0xa2d6}
	majors := map[string]string{"ConnectX-3 Pro": "2.42.", "ConnectX-4 Lx": "14.", "ConnectX-5 Ex": "16.", "BlueField-2": "24."}
	for _, a := range d.Adapters {
		if a.VendorID != 0x15b3 || a.DeviceID != ids[a.Name] || !strings.HasPrefix(a.Firmware, majors[a.Name]) || len(a.Ports) != 2 {
			t.Errorf("%s is %04x:%04x with firmware %s and %d ports", a.Name, a.VendorID, a.DeviceID, a.Firmware, len(a.Ports))
		}
	}
	if !d.Epoch.Equal(time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)) {
		t.Errorf("the epoch is %s", d.Epoch)
	}
}

func TestTheHashIsOfTheLabAndNotOfItsText(t *testing.T) {
	t.Parallel()
	a, err := ParseText(append([]byte("# a comment\n"), DefaultText()...))
	if err != nil {
		t.Fatal(err)
	}
	if a.Hash() != Default().Hash() {
		t.Error("a comment changes the hash")
	}
	a.Flows[0].SendGbps++
	b := Default()
	b.Epoch = b.Epoch.AddDate(1, 0, 0)
	if b.Hash() != Default().Hash() {
		t.Error("the hash of a lab changes with the day that it starts on")
	}
	if a.Hash() == Default().Hash() {
		t.Error("another rate does not change the hash")
	}
}

// TestErrorsHaveAPlace changes one line of the default lab and looks for that line in the error.
func TestErrorsHaveAPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, new, problem string }{
		{`name = "LAB-N4"`, `nmae = "LAB-N4"`, `no key "nmae"`},
		{`pci = "05:00.0"`, `pci = "5-0-0"`, `invalid PCI address "5-0-0"`},
		{`pci = "05:00.0"`, `pci = "04:00.0"`, "two adapters have the PCI address 04:00.0"},
		{`mac = "50:6b:4b:a1:f4:20"`, `mac = "51:6b:4b:a1:f4:20"`, "multicast"},
		{`family = "winof"`, `family = "winofx"`, "choose from winof, winof-2"},
		{`connection = "Ethernet 6"`, `connection = "Ethernet 5"`, `two ports are named "Ethernet 5"`},
		{`max_frame = 4092`, `max_frame = 40920`, "max_frame must be 614 to 9614"},
		{`name = "backup"`, `name = "incast"`, `two schedules are named "incast"`},
		{`every = ["110s", "230s"]`, `every = ["230s", "110s"]`, "every must be two durations"},
		{`lasting = ["7s", "12s"]`, `lasting = ["7s", "12 parsecs"]`, "invalid duration"},
		{`port = "Ethernet 4"`, `port = "Ethernet 44"`, `there is no port "Ethernet 44"`},
		{`receive_gbps = 0.35`, `receive_gbps = -1.0`, "receive_gbps must be 0 to 400"},
		{`receive_gbps = 0.35`, `receive_gbps = nan`, "receive_gbps must be 0 to 400"},
		{`receive_gbps = 0.35`, `receive_gbps = "fast"`, "receive_gbps must be a number, not a TOML string"},
		{`speed_gbps = 25`, `speed_gbps = "x"`, "speed_gbps must be an integer"},
		{`management = true`, `management = 1`, "management must be true or false"},
		{`lossless = [3]`, `lossless = 3`, "lossless must be a list"},
		{"[host]", "host = 3\n[host2]", "host must be a table, not a TOML integer"},
		{`family = "winof"`, `family = 4`, "family must be one of winof, winof-2"},
		{`protocol = "ipoib"`, `protocol = 77`, "protocol must be one of"},
		{`period = "53s"`, `period = -5`, "period must be from 0s to 24h"},
		{`kind = "link-flap"`, `kind = 77`, "kind must be one of"},
		{`kind = "link-flap"`, `kind = "send-hang"`, "can't follow a schedule"},
		{"port = \"Ethernet 6\"\nkind = \"bad-cable\"", "port = \"Ethernet 6\"\nkind = \"vf-wrong-address\"", "has no virtual functions"},
		{`packets = [{ ip = 134, share = 1.0 }]`, `packets = [{ ip = 134, share = 0.5 }]`, "add up to 1, not 0.5"},
		{`packets = [{ ip = 134, share = 1.0 }]`, `packets = [{ ip = 64000, share = 1.0 }]`, "fit in a frame"},
		{`share = 4e-5`, `share = 4.0`, "share must be 0 to 1"},
		{`period = "53s"`, `period = "1ms"`, "period must be at least 1s"},
		{`pcie_lanes = 8`, `pcie_lanes = 7`, "pcie_lanes must be"},
		{`local = "10.4.0.10"`, `local = "10.4.0.300"`, "10.4.0.300"},
	} {
		text := string(DefaultText())
		at := strings.Index(text, c.old)
		if at < 0 {
			t.Fatalf("the default lab has no %s", c.old)
		}
		line := 1 + strings.Count(text[:at], "\n")
		_, err := ParseText([]byte(text[:at] + c.new + text[at+len(c.old):]))
		var wrong *tomlfile.Error
		if !errors.As(err, &wrong) || wrong.Line != line || wrong.Column == 0 || !strings.Contains(wrong.Problem, c.problem) {
			t.Errorf("%s in line %d: %v", c.new, line, err)
		}
	}
}

func TestDescriptionLengthLimit(t *testing.T) {
	t.Parallel()
	if _, err := ParseText(make([]byte, maxText+10)); err == nil || !strings.Contains(err.Error(), "longer") {
		t.Errorf("got %v", err)
	}
}

// smallLab is short, so that the fuzzer soon finds other labs.
const smallLab = `epoch = 2026-03-02T14:00:00Z
host = { name = "H", numa_nodes = 1, processors_per_node = 4 }
[[adapter]]
name = "A"
family = "winof-2"
pci = "04:00.0"
pcie_generation = 3
pcie_lanes = 8
pcie_max_payload = 256
[[adapter.port]]
connection = "E"
device = "D"
speed_gbps = 25
max_frame = 1514
flow_control = "pfc"
lossless = [3]
roce = "v2"
buffer_bytes = 65536
host_packets_per_second = 1000
switch = { name = "S", speed_gbps = 25, max_frame = 1514, flow_control = "pfc", lossless = [3] }
[[schedule]]
name = "s"
first = ["0s", "1s"]
every = ["0s", "1s"]
lasting = ["0s", "1s"]
[[flow]]
name = "f"
port = "E"
protocol = "rdma"
flows = 1
priority = 3
receive_gbps = 50.0
packets = [{ ip = 1068, share = 1.0 }]
rhythm = { kind = "burst", schedule = "s", noise = 0.5 }
[[fault]]
port = "E"
kind = "far-end-pause"
schedule = "s"
share = 0.5
priority = 3
`

func TestTheSmallLabIsOne(t *testing.T) {
	t.Parallel()
	if _, err := ParseText([]byte(smallLab)); err != nil {
		t.Error(err)
	}
}

func FuzzParseText(f *testing.F) {
	f.Add([]byte(smallLab))
	f.Add([]byte("name = 1"))
	f.Add([]byte("[[adapter]]\n[[adapter.port]]\nswitch = { name = \"x\" }"))
	f.Add([]byte("[[flow]]\npackets = [{ ip = 1, share = inf }]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ParseText(text)
		if err != nil {
			return
		}
		again, err := ParseText(text)
		if err != nil || !reflect.DeepEqual(d, again) {
			t.Fatalf("a second reading differs: %v", err)
		}
	})
}

// TestTheOwnLabsStayTheSame: hosts are saved under the hash of their lab, and another one would leave them behind.
func TestTheOwnLabsStayTheSame(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lab  *Description
		hash string
	}{"default": {Default(), DefaultHash}, "large": {Large(), "4ee647988e410fd1"}} {
		if err := c.lab.Check(); err != nil {
			t.Errorf("the %s lab: %v", name, err)
		}
		if got := c.lab.Hash(); got != c.hash {
			t.Errorf("the hash of the %s lab is %s, and hosts are saved under %s", name, got, c.hash)
		}
	}
}

// TestVirtualMachinesFitTheirSwitches: an adapter is on a switch that there is, or on none.
func TestVirtualMachinesFitTheirSwitches(t *testing.T) {
	t.Parallel()
	for name, problem := range map[string]string{"": "", "Virtual": "", "Other": `there is no virtual switch "Other"`} {
		d := Default()
		d.Switches = []VirtualSwitch{{Name: "Virtual", Port: "Ethernet 7"}}
		d.Machines = []VirtualMachine{{Name: "VM", Adapters: []VirtualAdapter{{Name: "NIC", Switch: name}}}}
		if err := d.Check(); (err == nil) != (problem == "") || err != nil && !strings.Contains(err.Error(), problem) {
			t.Errorf("an adapter on %q: %v", name, err)
		}
	}
}

// TestAFaultFollowsACourse: a fault with levels needs no schedule but a period, and its levels are fractions.
func TestAFaultFollowsACourse(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]Fault{
		"": {Levels: []float64{0, 1}, Period: Duration(time.Minute)}, "there is no schedule": {Levels: []float64{}, Period: Duration(time.Minute)},
		"period must be at least 1s": {Levels: []float64{0, 1}}, "a level must be 0 to 1": {Levels: []float64{0, 2}, Period: Duration(time.Minute)},
		"at least 2 levels": {Levels: []float64{1}, Period: Duration(time.Minute)},
	} {
		d := Default()
		f.Port, f.Kind, f.Share = d.Adapters[0].Ports[0].Connection, BadCable, 0.1
		d.Faults = append(d.Faults, f)
		if err := d.Check(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
