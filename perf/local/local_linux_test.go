package local

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
	"cxdeck/perf"
	"cxdeck/perf/diagnosis/observe"
)

// machine is a fake sysfs, and a driver with statistics of the test.
type machine struct {
	t      *testing.T
	root   string
	driver map[string]map[string]uint64
	time   time.Time
}

func newMachine(t *testing.T, fixture string) *machine {
	t.Helper()
	m := &machine{t: t, root: t.TempDir(), driver: map[string]map[string]uint64{}, time: time.Unix(1_700_000_000, 0)}
	if err := os.MkdirAll(filepath.Join(m.root, "class", "net"), 0o700); err != nil {
		t.Fatal(err)
	}
	if fixture == "" {
		return m
	}
	file, err := os.Open(filepath.Join("testdata", fixture))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if path, text, ok := strings.Cut(line, " = "); ok {
			m.write(path, text)
		} else if path, target, ok := strings.Cut(line, " -> "); ok {
			m.link(path, target)
		}
	}
	return m
}

func (m *machine) write(path, text string) {
	m.t.Helper()
	path = filepath.Join(m.root, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text+"\n"), 0o600)); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) link(path, target string) {
	m.t.Helper()
	path = filepath.Join(m.root, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(target, path)); err != nil {
		m.t.Fatal(err)
	}
}

// virtual adds an interface without hardware.
func (m *machine) virtual(name, index string) {
	m.link("class/net/"+name, "../../devices/virtual/net/"+name)
	for file, text := range map[string]string{"ifindex": index, "iflink": index, "type": "1", "operstate": "up", "statistics/rx_bytes": "10"} {
		m.write("devices/virtual/net/"+name+"/"+file, text)
	}
}

func (m *machine) statistics(name string) (map[string]uint64, error) {
	if s, ok := m.driver[name]; ok {
		return s, nil
	}
	return nil, errors.New("operation not supported")
}
func (m *machine) firmware(string) string { return "16.35.2000" }
func (m *machine) close()                 {}

func (m *machine) open() *source {
	m.t.Helper()
	s, err := newSource(m.root, "host-a", newSysfsReader(m.root), m, func() time.Time { return m.time })
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { s.Close() })
	return s
}

func cellAt(t *testing.T, s perf.Source, column *perf.Column, path string) int64 {
	t.Helper()
	i, ok := s.Schema().Find(path)
	if !ok {
		t.Fatalf("there is no %s", path)
	}
	return column.Cells[s.Schema().Series[i].Cell]
}

func TestLocalReadsAnAdapter(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "dual-port-mlx5.txt")
	m.driver["ens1f0np0"] = map[string]uint64{"rx_out_of_buffer": 12, "rx_bytes_phy": 99}
	s := m.open()
	var column perf.Column
	sample(t, s, &column)
	for path, want := range map[string]int64{
		`\Network Interface(ens1f0np0)\Bytes Received/sec`:         -16, // the bit pattern of a counter near its maximum
		`\Network Interface(ens1f0np0)\Bytes Total/sec`:            484, // wrapped
		`\Network Interface(ens1f0np0)\Packets/sec`:                75,
		`\Network Interface(ens1f0np0)\Packets Received Discarded`: 43,
		`\Network Interface(ens1f0np0)\Packets Outbound Discarded`: 7,
		`\Network Interface(ens1f0np0)\Packets Discarded/sec`:      50,
		`\Network Interface(ens1f0np0)\Current Bandwidth`:          100_000_000_000,
		`\Network Interface(ens1f1np1)\Current Bandwidth`:          0,
		`\Network Interface Kernel(ens1f0np0)\rx_missed_errors`:    40,
		`\Network Interface Kernel(ens1f1np1)\running`:             0,
		`\Network Interface Driver(ens1f0np0)\rx_out_of_buffer`:    12,
		`\Network Interface Driver(ens1f0np0)\rx_bytes_phy/sec`:    99,
		`\network interface(lo)\bytes sent/sec`:                    1000,
		`\Network Interface(bond0.100)\Packets Received Errors`:    0,
		`\Network Interface Kernel(ens1f0v0)\running`:              1,
	} {
		if got := cellAt(t, s, &column, path); got != want {
			t.Errorf("%s is %d, want %d", path, got, want)
		}
	}
	i, _ := s.Schema().Find(`\Network Interface(ens1f0np0)\Bytes Received/sec`)
	if series := s.Schema().Series[i]; series.Line != 100_000_000_000 || series.Kind != perf.Rate || series.Unit != perf.Bytes {
		t.Errorf("the series is %+v", series)
	}
	if events := s.Events(); len(events) != 0 {
		t.Errorf("events at the start: %+v", events)
	}
}

func TestLocalInventory(t *testing.T) {
	t.Parallel()
	v := newMachine(t, "dual-port-mlx5.txt").open().Inventory()
	var tree []string
	for _, n := range v.Nodes {
		depth := 0
		for p := n.Parent; p >= 0; p = v.Nodes[p].Parent {
			depth++
		}
		tree = append(tree, strings.Repeat("  ", depth)+n.Name+", "+n.Detail+", "+n.SpeedText)
	}
	want := []string{
		"ConnectX-5 Ex, 04:00 mlx5_core, ",
		"  ens1f0np0, port 1, 100 GbE",
		"    ens1f0v0, function 04:00.2, 25 GbE",
		"  ens1f1np1, port 2, ",
		"virtual, , ",
		"  bond0, bond, ",
		"  bond0.100, vlan, ",
		"  lo, loopback, ",
	}
	if !slices.Equal(tree, want) {
		t.Errorf("the tree is\n%s\nwant\n%s", strings.Join(tree, "\n"), strings.Join(want, "\n"))
	}
	if len(v.Receive) != 2 || len(v.Drops) != 2 || v.TotalLabel != "Total (physical ports)" {
		t.Errorf("totals are over %v: %s", v.Receive, v.TotalLabel)
	}
	adapter := v.Nodes[0]
	wantFields := []perf.Field{
		{Label: "Address", Value: "0000:04:00.0"}, {Label: "Device", Value: "15b3:1019"}, {Label: "PCIe", Value: "Gen3 x8, 63 Gb/s"}, {Label: "Driver", Value: "mlx5_core"},
		{Label: "Firmware", Value: "16.35.2000"}, {Label: "NUMA", Value: "node 1"},
	}
	if !slices.Equal(adapter.Identity, wantFields) {
		t.Errorf("identity is %v", adapter.Identity)
	}
	if len(adapter.Health) != 1 || !strings.Contains(adapter.Health[0].Text, "supports Gen4 x16") {
		t.Errorf("health is %v", adapter.Health)
	}
	if len(adapter.Receive) != 2 || adapter.Instances[1] != "ens1f1np1" {
		t.Errorf("the adapter has %v, %v", adapter.Receive, adapter.Instances)
	}
}

func TestLocalInterfacesAreAddedAndRemoved(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "")
	m.virtual("veth0", "7")
	s := m.open()
	first := s.Schema()
	var column perf.Column
	sample(t, s, &column)

	m.virtual("veth1", "8")
	m.driver["veth1"] = map[string]uint64{"drops": 4}
	sample(t, s, &column)
	second := s.Schema()
	if second.Generation <= first.Generation || len(second.Series) <= len(first.Series) {
		t.Fatal("there is no new schema after a new interface")
	}
	for i, series := range first.Series {
		if second.Series[i] != series {
			t.Fatalf("series %d was %+v and is %+v", i, series, second.Series[i])
		}
	}
	if got := cellAt(t, s, &column, `\Network Interface Driver(veth1)\drops`); got != 4 {
		t.Errorf("the driver's drops are %d", got)
	}

	if err := os.Remove(filepath.Join(m.root, "class/net/veth0")); err != nil {
		t.Fatal(err)
	}
	m.write("devices/virtual/net/veth1/operstate", "down")
	sample(t, s, &column)
	if got := cellAt(t, s, &column, `\Network Interface(veth0)\Bytes Received/sec`); got != perf.Missing {
		t.Errorf("a removed interface reads %d", got)
	}
	if len(s.Inventory().Nodes) != 2 {
		t.Errorf("the inventory still has %d nodes", len(s.Inventory().Nodes))
	}

	if err := os.RemoveAll(filepath.Join(m.root, "devices/virtual/net/veth0")); err != nil {
		t.Fatal(err)
	}
	m.virtual("veth0", "9")
	sample(t, s, &column)
	if got := cellAt(t, s, &column, `\Network Interface(veth0)\Bytes Received/sec`); got != 10 {
		t.Errorf("an interface that was added again reads %d", got)
	}
	var told []string
	for n, e := range s.Events() {
		if e.Sequence != uint64(n+1) || e.Source != "local" || !e.Time.Equal(m.time) {
			t.Errorf("event %+v", e)
		}
		told = append(told, e.Adapter+": "+e.Message)
	}
	want := []string{"veth1: the interface was added", "veth1: link down", "veth0: the interface was removed", "veth0: the interface was added"}
	if !slices.Equal(told, want) {
		t.Errorf("events are %q, want %q", told, want)
	}
}

func TestLocalLinkEvents(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "dual-port-mlx5.txt")
	s := m.open()
	const port = "devices/pci0000:00/0000:00:02.0/0000:04:00.1/net/ens1f1np1/"
	m.write(port+"operstate", "up")
	m.write(port+"speed", "50000")
	var column perf.Column
	sample(t, s, &column)
	events := s.Events()
	if len(events) != 1 || events[0].Message != "link up, 50 GbE" || events[0].Severity != eventlog.Information {
		t.Fatalf("events are %+v", events)
	}
	i, _ := s.Schema().Find(`\Network Interface(ens1f1np1)\Bytes Sent/sec`)
	if line := s.Schema().Series[i].Line; line != 50_000_000_000 {
		t.Errorf("the line rate is %d", line)
	}
	if len(s.Events()) != 0 {
		t.Error("events are reported twice")
	}
}

func TestLocalHostileNames(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "")
	m.virtual("a\x1b[31mb", "2")
	m.virtual("a\x07[31mb", "3")
	m.virtual("p(1)\\*#", "4")
	m.driver["p(1)\\*#"] = map[string]uint64{"rx\nbytes": 1, "rx\x00bytes": 2, strings.Repeat("x", 500): 3, "": 4, "y\\z": 5}
	s := m.open()
	var instances []string
	for _, n := range s.Inventory().Nodes[1:] {
		instances = append(instances, n.Name)
	}
	slices.Sort(instances)
	if want := []string{"a?[31mb", "a?[31mb#1", "p[1]___"}; !slices.Equal(instances, want) {
		t.Errorf("instances are %q, want %q", instances, want)
	}
	driven := 0
	for _, series := range s.Schema().Series {
		if strings.ContainsFunc(series.Path(), func(r rune) bool { return r < ' ' || r == 0x7f }) || len(series.Counter) > perf.NameLimit+8 {
			t.Errorf("path %q", series.Path())
		}
		if series.Set == driverSet {
			driven++
		}
	}
	if driven != 6 { // three distinct statistics, each with its rate
		t.Errorf("%d series of the driver", driven)
	}
}

func TestLocalTotalsOfPairs(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "")
	for index, name := range []string{"veth0", "veth1", "dummy0"} {
		m.virtual(name, string(rune('2'+index)))
	}
	m.write("devices/virtual/net/veth0/iflink", "3")
	m.write("devices/virtual/net/veth1/iflink", "2")
	for _, name := range []string{"veth0", "veth1"} {
		m.write("devices/virtual/net/"+name+"/uevent", "DEVTYPE=veth")
	}
	m.virtual("br0", "5") // its frames are counted on the interfaces below it
	m.write("devices/virtual/net/br0/lower_dummy0", "")
	s := m.open()
	var counted []string
	for _, i := range s.Inventory().Receive {
		counted = append(counted, s.Schema().Series[i].Instance)
	}
	slices.Sort(counted)
	if want := []string{"dummy0", "veth0"}; !slices.Equal(counted, want) {
		t.Errorf("totals are over %v, want %v", counted, want)
	}
}

func TestLocalThisMachine(t *testing.T) {
	t.Parallel()
	s, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var column perf.Column
	sample(t, s, &column)
	before := cellAt(t, s, &column, `\Network Interface(lo)\Bytes Sent/sec`)
	sendOverLoopback(t)
	sample(t, s, &column)
	if after := cellAt(t, s, &column, `\Network Interface(lo)\Bytes Sent/sec`); after-before < 1<<20 {
		t.Errorf("a megabyte over loopback moved the counter by %d", after-before)
	}
	if info := s.Info(); info.Kind != perf.LocalSource || info.Host == "" || info.Started.IsZero() {
		t.Errorf("info is %+v", info)
	}
}

func BenchmarkLocalNext(b *testing.B) {
	for _, reader := range []string{"netlink", "sysfs"} {
		b.Run(reader, func(b *testing.B) {
			var links linkReader = newSysfsReader("/sys")
			if reader == "netlink" {
				links, _ = newNetlinkReader()
			}
			drivers, err := newEthtoolReader()
			if err != nil {
				b.Fatal(err)
			}
			s, err := newSource("/sys", "host", links, drivers, time.Now)
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			var column perf.Column
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Next(context.Background(), time.Second, &column); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(s.interfaces)), "interfaces")
		})
	}
}

// sendOverLoopback sends a megabyte through loopback.
func sendOverLoopback(t *testing.T) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	received := make(chan error, 1)
	go func() {
		connection, err := listener.Accept()
		if err == nil {
			_, err = io.Copy(io.Discard, connection)
			connection.Close()
		}
		received <- err
	}()
	connection, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_, err = connection.Write(make([]byte, 1<<20))
	if err := errors.Join(err, connection.Close(), <-received); err != nil {
		t.Fatal(err)
	}
}

// sample reads a column, which must not fail.
func sample(t *testing.T, s perf.Source, column *perf.Column) {
	t.Helper()
	if err := s.Next(t.Context(), time.Second, column); err != nil {
		t.Fatal(err)
	}
	if len(column.Cells) != s.Schema().Cells {
		t.Fatalf("the column has %d cells, the schema %d", len(column.Cells), s.Schema().Cells)
	}
}

// TestTotalsAddUpTheRightCounters: on machines of all kinds, totals add up the counters in their names, each interface once.
func TestTotalsAddUpTheRightCounters(t *testing.T) {
	t.Parallel()
	guest := newMachine(t, "") // a virtual function without a visible physical one
	guest.link("class/net/eth0", "../../devices/pci0000:00/0000:00:02.2/net/eth0")
	for file, text := range map[string]string{
		"vendor": "0x15b3", "device": "0x101a", "net/eth0/ifindex": "2", "net/eth0/iflink": "2", "net/eth0/type": "1", "net/eth0/operstate": "up",
	} {
		guest.write("devices/pci0000:00/0000:00:02.2/"+file, text)
	}
	guest.link("devices/pci0000:00/0000:00:02.2/net/eth0/device", "../../../0000:00:02.2")
	guest.link("devices/pci0000:00/0000:00:02.2/physfn", "../0000:00:02.0")
	guest.virtual("dummy0", "3")
	alone := newMachine(t, "")
	alone.virtual("lo", "1")
	alone.write("devices/virtual/net/lo/type", "772")
	pair := newMachine(t, "")
	pair.virtual("dummy0", "2")
	pair.virtual("dummy1", "3")
	for name, c := range map[string]struct {
		machine *machine
		counted []string
	}{
		"adapter": {newMachine(t, "dual-port-mlx5.txt"), []string{"ens1f0np0", "ens1f1np1"}}, "guest": {guest, []string{"eth0"}},
		"loopback alone": {alone, []string{"lo"}}, "virtual": {pair, []string{"dummy0", "dummy1"}},
	} {
		s := c.machine.open()
		v := s.Inventory()
		for counter, list := range map[string][]int{"Bytes Received/sec": v.Receive, "Bytes Sent/sec": v.Send, "Packets Discarded/sec": v.Drops} {
			var counted []string
			for _, i := range list {
				if got := s.Schema().Series[i]; got.Counter != counter {
					t.Errorf("%s: %s is used for %s", name, got.Counter, counter)
				}
				counted = append(counted, s.Schema().Series[i].Instance)
			}
			if slices.Sort(counted); !slices.Equal(counted, c.counted) {
				t.Errorf("%s: the total of %s is of %v", name, counter, counted)
			}
		}
		for _, instance := range c.counted {
			if !slices.ContainsFunc(v.Nodes, func(n perf.Node) bool { return n.Kind == perf.PortNode && n.Name == instance }) {
				t.Errorf("%s: %s has no row", name, instance)
			}
		}
	}
}

// TestLinkBelowItsBest: a link is slower with fewer lanes or a lower rate than the device supports.
func TestLinkBelowItsBest(t *testing.T) {
	t.Parallel()
	best := pciLink{transfers: 8, lanes: 8}
	for link, slower := range map[pciLink]bool{
		{transfers: 8, lanes: 8}: false, {transfers: 8, lanes: 4}: true, {transfers: 5, lanes: 8}: true, {transfers: 5, lanes: 16}: true,
		{transfers: 16, lanes: 16}: false, {}: false,
	} {
		if link.slower(best) != slower {
			t.Errorf("%+v of %+v: slower %v", link, best, !slower)
		}
	}
}

// TestReadingOfALink checks the interpretation of the kernel's flags and states.
func TestReadingOfALink(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		attributes        netlink.LinkAttrs
		running, loopback bool
	}{
		"up":                 {netlink.LinkAttrs{Flags: net.FlagUp, OperState: netlink.OperUp}, true, false},
		"no carrier":         {netlink.LinkAttrs{Flags: net.FlagUp, OperState: netlink.OperDown}, false, false},
		"set down":           {netlink.LinkAttrs{OperState: netlink.OperUp}, false, false},
		"unknown, carrier":   {netlink.LinkAttrs{Flags: net.FlagUp, OperState: netlink.OperUnknown, RawFlags: unix.IFF_LOWER_UP}, true, false},
		"unknown, none":      {netlink.LinkAttrs{Flags: net.FlagUp, OperState: netlink.OperUnknown}, false, false},
		"down, with carrier": {netlink.LinkAttrs{Flags: net.FlagUp, OperState: netlink.OperDown, RawFlags: unix.IFF_LOWER_UP}, false, false},
		"loopback":           {netlink.LinkAttrs{Flags: net.FlagUp | net.FlagLoopback, OperState: netlink.OperUnknown, RawFlags: unix.IFF_LOWER_UP}, true, true},
	} {
		if got := netlinkReading(&c.attributes, "device"); got.running != c.running || got.loopback != c.loopback {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestLocalIsDiagnosed holds that rules on counters find damaged frames on an interface of a machine, and nothing on a healthy one.
func TestLocalIsDiagnosed(t *testing.T) {
	t.Parallel()
	for damaged, want := range map[uint64]int{0: 0, 50_000: 1} {
		m := newMachine(t, "dual-port-mlx5.txt")
		s := m.open()
		var names []string
		for _, n := range s.Inventory().Nodes {
			if n.Kind == perf.PortNode {
				names = append(names, n.Name)
			}
		}
		m.driver[names[0]] = map[string]uint64{"rx_crc_errors_phy": 0, "rx_symbol_err_phy": 0}
		report, err := observe.OfSource(t.Context(), s, func(_ context.Context, d time.Duration) error {
			m.time = m.time.Add(d)
			m.driver[names[0]]["rx_crc_errors_phy"] += damaged
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		// The second port has no cable, which is information.
		report.Findings = slices.DeleteFunc(report.Findings, func(f *findings.Finding) bool {
			return f.Subject.Name == names[1] && f.Rule.ID == "link-absent"
		})
		if got := len(report.Findings); got != want {
			t.Errorf("%d damaged frames a second make %d findings: %+v", damaged, got, report.Findings)
		}
		for _, f := range report.Findings {
			if f.Subject.Name != names[0] || !strings.HasPrefix(f.Rule.ID, "damaged-frames") {
				t.Errorf("%s: %s", f.Rule.ID, f.Title)
			}
		}
	}
}
