package local

import (
	"strings"
	"testing"

	"cxdeck/perf"
)

// TestRecordedRoCE: the counters of a real RoCE port all have a meaning, and their values arrive.
func TestRecordedRoCE(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "dual-port-mlx5.txt")
	known, all := 0, 0
	for _, line := range recordedLines(t, "infiniband-roce.txt") {
		path, text, _ := strings.Cut(line, " = ")
		m.write(path, text)
		_, counter, found := strings.Cut(path, "/hw_counters/")
		if !found {
			continue
		}
		all++
		if _, _, ok := perf.Statistics().Find("mlx5", counter); ok {
			known++
		} else {
			t.Errorf("%s is unknown", counter)
		}
	}
	if t.Logf("%d of %d counters are known", known, all); all != 60 {
		t.Errorf("%d counters", all)
	}
	m.link("class/infiniband/mlx5_0/device", "../../../devices/pci0000:00/0000:00:02.0/0000:04:00.0")
	m.link("class/infiniband/mlx5_bond_0/device", "../../../devices/pci0000:00/0000:00:02.0/0000:04:00.1")
	m.write("class/infiniband/mlx5_bond_0/ports/1/gid_attrs/ndevs/0", "bond0")
	m.write("class/infiniband/mlx5_bond_0/ports/1/link_layer", "Ethernet")
	s := m.open()
	var column perf.Column
	sample(t, s, &column)
	for path, want := range map[string]int64{
		`\Network Interface RDMA(ens1f0np0)\out_of_buffer`:                                      135,
		`\Network Interface RDMA(ens1f0np0)\resp_cqe_error`:                                     1009,
		`\Network Interface RDMA(bond0)\np_cnp_sent`:                                            1052612505,
		`\Network Interface RDMA(bond0)\rx_write_requests`:                                      2402134794,
		`\Mellanox WinOF-2 Congestion Control(bond0)\Notification Point CNPs Sent Successfully`: 1052612505,
	} {
		if got := cellAt(t, s, &column, path); got != want {
			t.Errorf("%s is %d, want %d", path, got, want)
		}
	}
}

// TestKnownRDMANames: the files of counters of a ConnectX in Oracle Japan's tutorial on statistics of a cluster network, and the optional
// counters of mlx5 (Leon Romanovsky, "optional counters", 2021), have a meaning.
func TestKnownRDMANames(t *testing.T) {
	t.Parallel()
	for _, name := range strings.Fields(`excessive_buffer_overrun_errors link_downed link_error_recovery local_link_integrity_errors multicast_rcv_packets
		multicast_xmit_packets port_rcv_constraint_errors port_rcv_data port_rcv_errors port_rcv_packets port_rcv_remote_physical_errors
		port_rcv_switch_relay_errors port_xmit_constraint_errors port_xmit_data port_xmit_discards port_xmit_packets port_xmit_wait symbol_error
		unicast_rcv_packets unicast_xmit_packets VL15_dropped cc_rx_ce_pkts cc_rx_cnp_pkts cc_tx_cnp_pkts`) {
		if _, _, ok := perf.Statistics().Find("mlx5", name); !ok {
			t.Errorf("%s is unknown", name)
		}
	}
}
