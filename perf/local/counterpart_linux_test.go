package local

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/diagnosis/observe"
)

// recordedStatistics reads the output of ethtool -S.
func recordedStatistics(t *testing.T, name string) map[string]uint64 {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all := map[string]uint64{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		statistic, value, found := strings.Cut(strings.TrimSpace(lines.Text()), ": ")
		if n, err := strconv.ParseUint(value, 10, 64); found && err == nil {
			all[statistic] = n
		}
	}
	return all
}

// TestRecordedStatisticsHaveMeanings: the table has the statistics of the recorded adapters.
func TestRecordedStatisticsHaveMeanings(t *testing.T) {
	t.Parallel()
	for name, least := range map[string]int{"connectx-4-lx-statistics.txt": 150, "connectx-6-dx-statistics.txt": 100, "mlx5-100g-ofed-statistics.txt": 150, "connectx-7-statistics.txt": 5} {
		recorded := recordedStatistics(t, name)
		if len(recorded) < least {
			t.Fatalf("%s: %d statistics", name, len(recorded))
		}
		var unknown []string
		for statistic := range recorded {
			// What MLNX_OFED counts as PET no public page explains: it stays raw.
			if _, _, ok := perf.Statistics().Find("mlx5", statistic); !ok && !strings.HasPrefix(statistic, "rx_pet_") {
				unknown = append(unknown, statistic)
			}
		}
		t.Logf("%s: %d of %d statistics are known", name, len(recorded)-len(unknown), len(recorded))
		if len(unknown) > 0 {
			slices.Sort(unknown)
			t.Errorf("%s: unknown: %q", name, unknown)
		}
	}
}

// TestCounterparts: the statistics of a real adapter are also counters of WinOF-2, with the same values.
func TestCounterparts(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "dual-port-mlx5.txt")
	recorded := recordedStatistics(t, "connectx-4-lx-statistics.txt")
	recorded["rx_prio3_pause_duration"], recorded["tx_prio3_pause"], recorded["rx_prio3_bytes"], recorded["tx_prio3_bytes"] = 77, 5, 100, 11
	recorded["rx_err_lane_2_phy"], recorded["rx_global_pause"], recorded["outbound_pci_stalled_wr"] = 9, 8, 31
	recorded["rx_pci_signal_integrity"] = 3
	recorded["odd_statistic"] = 6
	m.driver["ens1f0np0"] = recorded
	m.driver["ens1f1np1"] = map[string]uint64{"rx_pci_signal_integrity": 4, "rx_discards_phy": 1}
	m.driver["ens1f0v0"] = map[string]uint64{"rx_vport_unicast_packets": 21, "rx_out_of_buffer": 2, "rx_steer_missed_packets": 1}
	s := m.open()
	var column perf.Column
	sample(t, s, &column)
	phy := func(name string) int64 { return int64(recorded[name]) }
	for path, want := range map[string]int64{
		`\Mellanox WinOF-2 Port Traffic(ens1f0np0)\Bytes Received`:                                        phy("rx_bytes_phy"),
		`\Mellanox WinOF-2 Port Traffic(ens1f0np0)\KBytes Received/Sec`:                                   phy("rx_bytes_phy"),
		`\Mellanox WinOF-2 Port Traffic(ens1f0np0)\Bytes Total`:                                           phy("rx_bytes_phy") + phy("tx_bytes_phy"),
		`\Mellanox WinOF-2 Port Traffic(ens1f0np0)\Packets Received Discarded`:                            phy("rx_discards_phy"),
		`\Mellanox WinOF-2 Port Traffic(ens1f0np0)\Packets Received Discarded No Receive WQEs`:            phy("rx_out_of_buffer"),
		`\Mellanox WinOF-2 Port Traffic(ens1f1np1)\Packets Received Discarded`:                            1,
		`\Mellanox WinOF-2 Port QoS(ens1f0np0 Priority 3)\Sent Pause Duration`:                            77,
		`\Mellanox WinOF-2 Port QoS(ens1f0np0 Priority 3)\Sent Pause Frames`:                              5,
		`\Mellanox WinOF-2 Port QoS(ens1f0np0 Priority 3)\Bytes Total`:                                    111,
		`\Mellanox WinOF-2 Port QoS(ens1f0np0 Untagged)\Rcv Pause Frames`:                                 8,
		`\Mellanox WinOF-2 Port Diagnostics(ens1f0np0)\RX Error Lane 2 phy`:                               9,
		`\Mellanox WinOF-2 PCI Device Diagnostics(ConnectX-5 Ex)\RX PCI errors`:                           3, // of the first port
		`\Mellanox WinOF-2 VF Port Traffic(ens1f0v0)\Packets Received Unicast/Sec`:                        21,
		`\Mellanox WinOF-2 VF Diagnostics(ens1f0v0)\Packets Received dropped due to lack of receive WQEs`: 2,
		`\cxdeck Port(ens1f0np0)\Bytes Sent/sec`:                                                          phy("tx_bytes_phy"),
		`\cxdeck Port(ens1f1np1)\Packets Discarded/sec`:                                                   1,
		`\Network Interface Driver(ens1f0np0)\odd_statistic/sec`:                                          6,
	} {
		if got := cellAt(t, s, &column, path); got != want {
			t.Errorf("%s is %d, want %d", path, got, want)
		}
	}
	find := func(path string) *perf.Series {
		if i, ok := s.Schema().Find(path); ok {
			return &s.Schema().Series[i]
		}
		return nil
	}
	if stalled := find(`\Network Interface Driver(ens1f0np0)\outbound_pci_stalled_wr`); stalled == nil || stalled.Kind != perf.Gauge || stalled.Unit != perf.Percent {
		t.Errorf("the measure is %+v", stalled)
	}
	for _, path := range []string{
		`\Network Interface Driver(ens1f0np0)\outbound_pci_stalled_wr/sec`,                    // a measure has no rate
		`\Mellanox WinOF-2 Port Traffic(ens1f0v0)\Packets Received Discarded No Receive WQEs`, // of a virtual function
		`\Mellanox WinOF-2 VF Port Traffic(ens1f0np0)\Packets Received Unicast/Sec`,
	} {
		if find(path) != nil {
			t.Errorf("there is %s", path)
		}
	}
	if lost := find(`\Mellanox WinOF-2 Port Traffic(ens1f0np0)\Packets Received Discarded No Receive WQEs`); lost.Width != 32 {
		t.Errorf("%+v", lost)
	}
	if rate := find(`\Mellanox WinOF-2 Port Traffic(ens1f0np0)\KBytes Received/Sec`); rate.Kind != perf.Rate || rate.Unit != perf.Kilobytes || rate.Scale != 1e-3 {
		t.Errorf("%+v", rate)
	}
	port := s.Inventory().Nodes[1]
	if series := s.Schema().Series[port.Receive[0]]; series.Set != perf.SummarySet || !slices.Contains(port.Instances, "ens1f0np0 Priority 3") {
		t.Errorf("the port's traffic is %+v, its instances %q", series, port.Instances)
	}
}

// TestSecondAdapterOfAKind: two equal adapters have two names, and two instances.
func TestSecondAdapterOfAKind(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "dual-port-mlx5.txt")
	m.link("class/net/ens2np0", "../../devices/pci0000:00/0000:00:03.0/0000:81:00.0/net/ens2np0")
	const device = "devices/pci0000:00/0000:00:03.0/0000:81:00.0/"
	for file, text := range map[string]string{"vendor": "0x15b3", "device": "0x1019", "net/ens2np0/ifindex": "12", "net/ens2np0/iflink": "12", "net/ens2np0/type": "1", "net/ens2np0/operstate": "up"} {
		m.write(device+file, text)
	}
	m.link(device+"driver", "../../../../bus/pci/drivers/mlx5_core")
	m.link(device+"net/ens2np0/device", "../../../0000:81:00.0")
	m.driver["ens1f0np0"] = map[string]uint64{"outbound_pci_buffer_overflow": 1}
	m.driver["ens2np0"] = map[string]uint64{"outbound_pci_buffer_overflow": 2}
	s := m.open()
	var column perf.Column
	sample(t, s, &column)
	for instance, want := range map[string]int64{"ConnectX-5 Ex": 1, "ConnectX-5 Ex 2": 2} {
		if got := cellAt(t, s, &column, `\Mellanox WinOF-2 PCI Device Diagnostics(`+instance+`)\RX PACKET DROPS PCIe BUFFERS`); got != want {
			t.Errorf("%s: %d, want %d", instance, got, want)
		}
	}
	var names []string
	for _, n := range s.Inventory().Nodes {
		if n.Kind == perf.AdapterNode {
			names = append(names, n.Name)
		}
	}
	if !slices.Contains(names, "ConnectX-5 Ex 2") {
		t.Errorf("the adapters are %q", names)
	}
}

// TestConnectX3Counterparts: mlx4 has the counters of WinOF.
func TestConnectX3Counterparts(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "")
	m.link("class/net/eth2", "../../devices/pci0000:00/0000:02:00.0/net/eth2")
	for file, text := range map[string]string{"vendor": "0x15b3", "device": "0x1003", "net/eth2/ifindex": "2", "net/eth2/iflink": "2", "net/eth2/type": "1", "net/eth2/operstate": "up"} {
		m.write("devices/pci0000:00/0000:02:00.0/"+file, text)
	}
	m.link("devices/pci0000:00/0000:02:00.0/driver", "../../../bus/pci/drivers/mlx4_core")
	m.link("devices/pci0000:00/0000:02:00.0/net/eth2/device", "../../../0000:02:00.0")
	m.driver["eth2"] = map[string]uint64{
		"rx_packets": 10, "tx_packets": 4, "rx_bytes": 1000, "tx_bytes": 400, "rx_dropped": 3, "rx0_packets": 10, "rx_prio_3_packets": 9, "tx_prio_3_packets": 1,
		"rx_pause_prio_3": 2, "rx_novlan_bytes": 50, "tx_pause": 1,
	}
	s := m.open()
	var column perf.Column
	sample(t, s, &column)
	for path, want := range map[string]int64{
		`\Mellanox Adapter Traffic Counters(eth2)\Packets Total`:                14,
		`\Mellanox Adapter Traffic Counters(eth2)\Bytes Received/Sec`:           1000,
		`\Mellanox Adapter Traffic Counters(eth2)\Packets Received Discarded`:   3,
		`\Mellanox Adapter QoS Counters(eth2 Priority 3)\Packets Total`:         10,
		`\Mellanox Adapter QoS Counters(eth2 Priority 3)\Received Pause Frames`: 2,
		`\Mellanox Adapter QoS Counters(eth2 Untagged)\Bytes Received`:          50,
		`\Mellanox Adapter QoS Counters(eth2 Untagged)\Sent Pause Frames`:       1,
	} {
		if got := cellAt(t, s, &column, path); got != want {
			t.Errorf("%s is %d, want %d", path, got, want)
		}
	}
}

// TestPauseOfAHostIsFound: findings about pause, which know the counters of WinOF-2 only, appear for a host with Linux.
func TestPauseOfAHostIsFound(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "dual-port-mlx5.txt")
	s := m.open()
	m.driver["ens1f0np0"] = map[string]uint64{
		"rx_prio3_pause": 0, "rx_prio3_pause_duration": 0, "tx_prio3_pause": 0, "rx_discards_phy": 0, "outbound_pci_buffer_overflow": 0, "rx_packets_phy": 0,
	}
	report, err := observe.OfSource(t.Context(), s, func(_ context.Context, d time.Duration) error {
		m.time = m.time.Add(d)
		own := m.driver["ens1f0np0"]
		own["rx_packets_phy"] += 100_000
		own["rx_prio3_pause"] += 1000
		own["rx_prio3_pause_duration"] += uint64(d.Microseconds()) * 4 / 10
		own["outbound_pci_buffer_overflow"] += 10_000
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range report.Findings {
		found = append(found, f.Rule.ID+" of "+f.Subject.Name)
	}
	if len(found) < 3 { // the port without a cable, the pause and PCI Express
		t.Errorf("found %q", found)
	}
	t.Log(found)
}
