package perf

import (
	"slices"
	"strings"
	"testing"
)

// TestStatisticsAreComplete: each statistic has its unit, meaning and place, and its counterparts are counters of the manuals with the
// same unit.
func TestStatisticsAreComplete(t *testing.T) {
	t.Parallel()
	groups := []string{"port", "priority", "vport", "device", "pcie", "ring", "rdma", "rdma port"}
	table := Statistics()
	if n := len(table.Statistics); n < 450 {
		t.Errorf("%d statistics", n)
	}
	counterpart := func(of, text string, unit Unit) {
		set, name, _ := strings.Cut(strings.ReplaceAll(text, "#", "0"), "|")
		counter, ok := Catalogue().Counter(set, name)
		if !ok {
			t.Errorf("%s: the unknown counterpart %s", of, text)
			return
		}
		same := map[Unit]Unit{"kilobits": "bits", Kilobytes: Bytes}[counter.Unit]
		if counter.Unit != unit && same != unit && counter.Unit != NoUnit && (!isCount(unit) || !isCount(counter.Unit)) {
			t.Errorf("%s is in %s, its counterpart %s in %s", of, unit, text, counter.Unit)
		}
	}
	for _, s := range table.Statistics {
		if !slices.Contains(groups, s.Group) || len(s.Drivers) == 0 || s.Unit == NoUnit || s.Where == "" || !strings.HasSuffix(s.Summary, ".") {
			t.Errorf("%s is incomplete: %+v", s.Name, s)
		}
		if s.Advice != "" && !strings.HasSuffix(s.Advice, ".") {
			t.Errorf("%s: the advice is no sentence: %s", s.Name, s.Advice)
		}
		for _, c := range s.Counterparts {
			counterpart(s.Name, c, s.Unit)
		}
	}
	for _, sum := range table.Sums {
		for _, name := range sum.Of {
			s, _, ok := table.Find("", strings.ReplaceAll(name, "#", "3"))
			if !ok {
				t.Errorf("the sum %s adds up the unknown %s", sum.Counterpart, name)
				continue
			}
			counterpart(name, sum.Counterpart, s.Unit)
		}
	}
}

// isCount reports whether a unit counts things: the manuals call packets events now and then.
func isCount(unit Unit) bool {
	return slices.Contains([]Unit{Packets, Frames, "events", "errors", "entries", "connections", "clocks"}, unit)
}

func TestFindStatistic(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ driver, name, want, number string }{
		{"mlx5", "rx_out_of_buffer", "rx_out_of_buffer", ""},
		{"mlx5", "rx_prio3_pause_duration", "rx_prio#_pause_duration", "3"},
		{"mlx5", "rx17_csum_none", "rx[#]_csum_none", "17"},
		{"mlx5", "rx_csum_none", "rx[#]_csum_none", ""},
		{"mlx5", "rx_1024_to_1518_bytes_phy", "rx_1024_to_1518_bytes_phy", ""},
		{"mlx5", "rx_err_lane_2_phy", "rx_err_lane_#_phy", "2"},
		{"mlx5", "ptp_tx0_packets", "tx[#]_packets", "0"},
		{"mlx5", "rx4_xsk_csum_none", "rx[#]_csum_none", "4"},
		{"mlx5", "rx_xsk_packets", "rx[#]_xsk_packets", ""},
		{"mlx4", "rx_pause_prio_5", "rx_pause_prio_#", "5"},
		{"mlx4", "rx_pause", "rx_pause", ""},
		{"mlx5", "rx_pause_prio_5", "", ""},
		{"", "np_cnp_sent", "np_cnp_sent", ""},
		{"mlx5", "rx_prio3", "", ""},
		{"mlx5", "", "", ""},
		{"mlx5", "tx_queue_99_magic", "", ""},
		{"mlx5", "#", "", ""},
	} {
		found, number, ok := Statistics().Find(c.driver, c.name)
		if ok != (c.want != "") || ok && (found.Name != c.want || number != c.number) {
			t.Errorf("%s %s: got %+v, %q", c.driver, c.name, found, number)
		}
	}
	counter, ok := Catalogue().Counter(DriverSet, "rx_prio3_discards/sec")
	if !ok || counter.Kind != Rate || counter.Unit != Packets || !strings.Contains(counter.Describe(), "packets received discarded") {
		t.Errorf("the catalogue has %+v", counter)
	}
	if _, ok := Catalogue().Counter("Network Interface Kernel", "rx_prio3_discards"); ok {
		t.Error("the kernel's set has a driver's statistic")
	}
}

// TestStatisticsReject: a damaged table is refused.
func TestStatisticsReject(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"kind":  `{"statistics": [{"name": "a", "drivers": ["mlx5"], "kind": "rhythm"}]}`,
		"twice": `{"statistics": [{"name": "a[#]_b", "drivers": ["mlx5"]}, {"name": "a_b", "drivers": ["mlx5", "mlx4"]}]}`,
		"JSON":  `{"statistics": `,
	} {
		if _, err := readStatistics(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
