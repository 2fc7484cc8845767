package local

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
	"cxdeck/driver/linuxhost"
	"cxdeck/perf"
	"cxdeck/perf/diagnosis/observe"
)

// TestRecordedRDMACounters: the RDMA counters of recorded machines, under their own names and under the names of WinOF.
func TestRecordedRDMACounters(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "dual-port-mlx5.txt")
	for _, line := range recordedLines(t, "infiniband.txt") {
		path, text, _ := strings.Cut(line, " = ")
		m.write(path, text)
	}
	// The ConnectX-4 Lx of the record is the second port of the machine, and has RoCE.
	m.link("class/infiniband/mlx5_0/device", "../../../devices/pci0000:00/0000:00:02.0/0000:04:00.1")
	m.write("class/infiniband/mlx5_0/ports/1/link_layer", "Ethernet")
	for counter, value := range map[string]string{"np_cnp_sent": "42", "out_of_sequence": "17"} {
		m.write("class/infiniband/mlx5_0/ports/1/hw_counters/"+counter, value)
	}
	m.write("class/infiniband/mlx5_0/ports/1/hw_counters/odd", "not a number")
	s := m.open()
	var column perf.Column
	sample(t, s, &column)
	for path, want := range map[string]int64{
		`\Network Interface RDMA(ens1f1np1)\np_cnp_sent`:                                            42,
		`\Network Interface RDMA(ens1f1np1)\out_of_sequence/sec`:                                    17,
		`\Mellanox WinOF-2 Congestion Control(ens1f1np1)\Notification Point CNPs Sent Successfully`: 42,
		`\Mellanox WinOF-2 Diagnostics(ens1f1np1)\Responder Out of Order Sequence Received`:         17,
		`\Network Interface RDMA(ens1f1np1)\odd`:                                                    perf.Missing,
		`\Network Interface RDMA(mlx4_0 port 1)\port_rcv_data`:                                      4 * recordedNumber(t, "class/infiniband/mlx4_0/ports/1/counters/port_rcv_data"),
		`\Mellanox WinOF-2 IB Port(mlx4_0 port 2)\Port Xmit Packets`:                                recordedNumber(t, "class/infiniband/mlx4_0/ports/2/counters/port_xmit_packets"),
	} {
		if got := cellAt(t, s, &column, path); got != want {
			t.Errorf("%s is %d, want %d", path, got, want)
		}
	}
	if _, found := s.Schema().Find(`\Mellanox WinOF-2 IB Port(ens1f1np1)\Port Xmit Packets`); found {
		t.Error("a port with RoCE has counters of InfiniBand")
	}
}

func recordedLines(t *testing.T, name string) (lines []string) {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		lines = append(lines, scanner.Text())
	}
	return lines
}

func recordedNumber(t *testing.T, path string) (n int64) {
	t.Helper()
	for _, line := range recordedLines(t, "infiniband.txt") {
		if text, found := strings.CutPrefix(line, path+" = "); found {
			for _, digit := range text {
				n = 10*n + int64(digit-'0')
			}
		}
	}
	return n
}

// TestFunctionsOfAPort: a physical function's statistics of its virtual functions.
func TestFunctionsOfAPort(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "dual-port-mlx5.txt")
	links := &listedLinks{sysfsReader: newSysfsReader(m.root)}
	s, err := newSource(m.root, "host-a", links, m, func() time.Time { return m.time })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	links.functions = []functionReading{{3, [functionCount]uint64{functionReceived: 5000, functionSentDropped: 2}}}
	var column perf.Column
	sample(t, s, &column)
	for path, want := range map[string]int64{
		`\Mellanox WinOF-2 VF Port Traffic(ens1f0np0 VF 3)\Bytes Received/Sec`:         5000,
		`\Mellanox WinOF-2 VF Port Traffic(ens1f0np0 VF 3)\Packets Outbound Discarded`: 2,
	} {
		if got := cellAt(t, s, &column, path); got != want {
			t.Errorf("%s is %d, want %d", path, got, want)
		}
	}
	links.functions = nil // removed: the series stay and have no value
	sample(t, s, &column)
	if got := cellAt(t, s, &column, `\Mellanox WinOF-2 VF Port Traffic(ens1f0np0 VF 3)\Bytes Received/Sec`); got != perf.Missing {
		t.Errorf("a removed function has %d", got)
	}
}

// listedLinks adds virtual functions to the readings of sysfs, which has none.
type listedLinks struct {
	*sysfsReader
	functions []functionReading
}

func (l *listedLinks) read(dst []linkReading) ([]linkReading, error) {
	all, err := l.sysfsReader.read(dst)
	for i := range all {
		if all[i].name == "ens1f0np0" {
			all[i].functions = l.functions
		}
	}
	return all, err
}

type fixedMachine struct{ machine *linuxhost.Machine }

func (m fixedMachine) Machine() *linuxhost.Machine { return m.machine }
func (fixedMachine) Close()                        {}

// TestSurvey: settings and states become sheets, errors and temperature counters with their counterparts.
func TestSurvey(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "dual-port-mlx5.txt")
	s := m.open()
	s.openMachine = func() machineReader {
		return fixedMachine{&linuxhost.Machine{
			Adapters: []linuxhost.Adapter{{Address: "0000:04:00.0", Vendor: "15b3", Device: "1019", Errors: &linuxhost.PCIErrors{Correctable: 3, NonFatal: 2, Fatal: 1},
				Temperatures: []linuxhost.Temperature{{Sensor: "asic", Celsius: 51}}, Reporters: []linuxhost.Reporter{{Name: "tx", Errors: 1}}}},
			Interfaces: []linuxhost.Interface{{Name: "ens1f0np0", Adapter: "0000:04:00.0", Settings: []linuxhost.Setting{{Name: "ring.rx", Value: "1024", Limit: "8192"}, {Name: "vfs", Value: "1", Limit: "8"}},
				Functions: []linuxhost.Function{{Address: "02:00:00:00:00:01", VLAN: 7}}, DCB: &linuxhost.DCB{PFC: []int{3}, PFCClasses: 8, Class: []int{0, 0, 0, 1, 0, 0, 0, 0}, Share: []int{60, 40}, Kind: []string{"ets", "strict"}}},
				{Name: "bond0", Kind: "bond", Members: []linuxhost.Member{{Name: "ens1f0np0", State: "active"}}}},
			Unread: []string{"module of ens1f0np0: it requires root"},
		}}
	}
	var column perf.Column
	for tries := 0; len(s.Inventory().Sheets) == 0; tries++ {
		if tries == 2000 {
			t.Fatal("there are no sheets")
		}
		sample(t, s, &column)
		time.Sleep(time.Millisecond)
	}
	sample(t, s, &column)
	for path, want := range map[string]int64{
		`\Network Interface Hardware(ens1f0np0)\PCI Correctable Errors`: 3, `\Network Interface Hardware(ens1f0np0)\Temperature`: 51,
		`\Network Interface Hardware(ens1f0np0)\Health Errors`: 1, `\Network Interface Hardware(ens1f0np0)\Health Reporters In Error`: 1,
		`\Mellanox WinOF-2 PCI Device Diagnostics(ConnectX-5 Ex)\TX PCI fatal errors`:                 1,
		`\Mellanox WinOF-2 Device Diagnostics(ConnectX-5 Ex)\Nic temperature in Celsius degrees unit`: 51,
	} {
		if got := cellAt(t, s, &column, path); got != want {
			t.Errorf("%s is %d, want %d", path, got, want)
		}
	}
	v := s.Inventory()
	row := func(topic, title string, n int) []string {
		for _, sheet := range v.SheetsOf(topic) {
			if strings.HasPrefix(sheet.Title, title) && n < len(sheet.Rows) {
				return sheet.Rows[n]
			}
		}
		return nil
	}
	for _, c := range []struct {
		topic, title string
		row          int
		want         string
	}{
		{perf.HostTopic, "Adapters", 0, "asic 51 °C"}, {perf.HostTopic, "Health", 0, "error"}, {perf.HostTopic, "Health", 0, "devlink health recover pci/0000:04:00.0 reporter tx"}, {perf.HostTopic, "Interfaces", 0, "1024 of 8192 / -"},
		{perf.HostTopic, "Not read", 0, "module of ens1f0np0: it requires root"}, {perf.FunctionsTopic, "Virtual", 0, "02:00:00:00:00:01"},
		{perf.FunctionsTopic, "Ports", 0, "1 of 8"}, {perf.QoSTopic, "Priorities", 3, "yes"}, {perf.QoSTopic, "Priorities", 3, "40%"}, {perf.TeamsTopic, "Bonds", 0, "active"},
	} {
		if got := row(c.topic, c.title, c.row); !slices.Contains(got, c.want) {
			t.Errorf("%s, %s: %q has no %q", c.topic, c.title, got, c.want)
		}
	}
}

type fixedLog struct{ messages []linuxhost.Message }

func (l *fixedLog) Messages() []linuxhost.Message { m := l.messages; l.messages = nil; return m }
func (*fixedLog) Close() error                    { return nil }

// TestKernelLogEvents: messages of the drivers are events of their interface, with the time at which the kernel wrote them.
func TestKernelLogEvents(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "dual-port-mlx5.txt")
	s := m.open()
	s.booted = m.time.Add(-time.Hour)
	s.kernel = &fixedLog{[]linuxhost.Message{
		{Level: 4, Since: time.Minute, Driver: "mlx5_core", Adapter: "0000:04:00.1", Text: "Port module event: module 1, Cable unplugged"},
		{Level: 3, Since: time.Hour, Driver: "mlx5_core", Adapter: "0000:99:00.0", Text: "health poll: fatal error"},
	}}
	var column perf.Column
	sample(t, s, &column)
	events := s.Events()
	if len(events) != 2 || events[0].Adapter != "ens1f1np1" || events[0].Severity != eventlog.Warning || !events[0].Time.Equal(m.time.Add(-59*time.Minute)) ||
		events[1].Adapter != "0000:99:00.0" || events[1].Severity != eventlog.Error || events[1].Source != "mlx5_core" {
		t.Errorf("%+v", events)
	}
}

// TestHealthFindings: a health reporter in the state error is a finding of its adapter, and a healthy one is none.
func TestHealthFindings(t *testing.T) {
	t.Parallel()
	for _, healthy := range []bool{true, false} {
		m := newMachine(t, "dual-port-mlx5.txt")
		s := m.open()
		s.openMachine = func() machineReader {
			return fixedMachine{&linuxhost.Machine{Adapters: []linuxhost.Adapter{{Address: "0000:04:00.0", Vendor: "15b3", Device: "1019",
				Reporters: []linuxhost.Reporter{{Name: "fw_fatal", Healthy: healthy, Errors: 2, Recoveries: 1}, {Name: "tx", Healthy: true}}}}}}
		}
		report, err := observe.OfSource(t.Context(), s, func(_ context.Context, d time.Duration) error {
			m.time = m.time.Add(d)
			time.Sleep(2 * time.Millisecond) // the survey answers beside the samples
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(report.Findings, func(f *findings.Finding) bool {
			return f.Rule.ID == "health-reporter" && strings.Contains(f.Title, "ens1f0np0")
		})
		if found == healthy {
			t.Errorf("healthy %v: %+v", healthy, report.Findings)
		}
	}
}
