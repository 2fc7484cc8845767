package catalog

import (
	"fmt"
	"testing"

	"cxdeck/views/exec"
)

// TestRangeBounds: the bounds of a range are valid, and a number beyond them is a usage error. A number that the host refuses is
// no usage error.
func TestRangeBounds(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.script(`team create T SLB "Ethernet 8" "Ethernet 10"`)
	for _, c := range []struct {
		command                  string
		taken, refused, mistaken []string
	}{
		{command: `slot set "ConnectX-5 Ex" %s x4`, taken: []string{"1", "3", "4"}, mistaken: []string{"0", "5", "-1", "3.5"}},
		{command: `slot set "ConnectX-5 Ex" 3 x%s`, taken: []string{"1", "8", "16"}, mistaken: []string{"0", "3", "32"}},
		{command: `processors set "Ethernet 5" %s`, taken: []string{"1", "1%", "100", "100%"},
			mistaken: []string{"0", "0.99", "100.01", "nan", "inf"}},
		{command: `fault set "Ethernet 7" bad-cable %s`, taken: []string{"1e-9", "0.5", "1"},
			mistaken: []string{"0", "-0.1", "1.0001", "nan"}},
		{command: `vf fault "Ethernet 7" 0 vf-storm %s`, taken: []string{"1", "0.5", "0"}, mistaken: []string{"-0.1", "1.0001", "nan"}},
		{command: `switch set "Ethernet 7" pause-share=%s`, taken: []string{"1", "0.5", "0"},
			mistaken: []string{"-0.01", "1.0001", "nan", "inf"}},
		{command: `switch set "Ethernet 7" pause-priority=%s`, taken: []string{"0", "7"}, mistaken: []string{"-1", "8", "x"}},
		{command: `switch set "Ethernet 7" lossless=%s`, taken: []string{"0", "7", "0,7", "None"}, mistaken: []string{"-1", "8", "3,8"}},
		{command: `workload scale "SMB Direct mirror" %s`, taken: []string{"0", "x10"}, mistaken: []string{"-0.1", "10.01", "nan"}},
		{command: "advance %s", taken: []string{"1ms"}, mistaken: []string{"0s", "-1ms", "24h1ms"}},
		{command: "events --last %s", taken: []string{"0", "10000"}, mistaken: []string{"-1", "10001"}},
		{command: "journal --last %s", taken: []string{"0", "10000"}, mistaken: []string{"-1", "10001"}},
		{command: "counters --interval 100ms --count %s", taken: []string{"1", "2"}, mistaken: []string{"0", "-1", "10001"}},
		{command: `team drill T "Ethernet 8" %s`, taken: []string{"0.1", "1s"}, mistaken: []string{"0", "0.09", "600.1", "nan"}},
		{command: "plan forecast --span %s", refused: []string{"1s", "10m"}, mistaken: []string{"999ms", "10m1ms"}},
		{command: "plan apply --confirm-within %s", taken: []string{"1s", "10m"}, mistaken: []string{"999ms", "10m1ms"}},
		{command: `perf_tuning -m -c1 "Ethernet 3" -n 1 -b %s`, taken: []string{"0", "31"}, mistaken: []string{"-1", "32"}},
		{command: `mlxtool dbg nonrss-capture "Ethernet 3" start %s`, refused: []string{"1"}, mistaken: []string{"0", "-1"}},
		{command: `mlxtool show perfstats "Ethernet 3" RXD %s`, taken: []string{"1"}, mistaken: []string{"0", "86401"}},
		{command: `mlx5cmd -Qosconfig -Dcqcn -Name "Ethernet 5" -Enable %s`, taken: []string{"0", "7"}, mistaken: []string{"-1", "8"}},
		{command: `mlx5cmd -Qosconfig -Dcqcn -Name "Ethernet 5" -Set -DcqcnCnpDscp %s`, taken: []string{"0", "63"},
			mistaken: []string{"64", "-1"}},
		{command: `mlx5cmd -Qosconfig -Dcqcn -Name "Ethernet 5" -Set -DcqcnRpgThreshold %s`, taken: []string{"1", "31"},
			mistaken: []string{"0", "32"}},
		{command: `mlx5cmd -Qosconfig -Dcqcn -Name "Ethernet 5" -Set -DcqcnRateReduceMonitorPeriod %s`,
			taken: []string{"0", "32", "100000"}, mistaken: []string{"-1", "4294967296"}},
		{command: `mlx5cmd -Qosconfig -Dcqcn -Name "Ethernet 5" -Set -DcqcnRPEnablePrio4 %s`, taken: []string{"0", "1"},
			mistaken: []string{"2"}},
		{command: `mlx5cmd -Qosconfig -DefaultUntaggedPriority -Name "Ethernet 5" -Set %s`, taken: []string{"0", "7"},
			refused: []string{"8", "-1"}},
		{command: "mlx5cmd -dbg -ResourceDump -Dump -Segment 0x5000 -Index2 1 -Index1 %s", taken: []string{"1", "4"},
			refused: []string{"5"}, mistaken: []string{"0", "0x10000"}},
		{command: "mlx5cmd -dbg -ResourceDump -Dump -Segment 0x5000 -Index1 1 -Index2 %s", taken: []string{"1", "2"},
			mistaken: []string{"0", "3"}},
		{command: "Set-VMNetworkAdapter vm001 -VirtualSubnetId %s", taken: []string{"0", "4096", "16777214"}, mistaken: []string{"-1", "4095", "16777215"}},
		{command: "Set-VMNetworkAdapterVlan vm001 -Access -VlanId %s", taken: []string{"1", "4094"}, mistaken: []string{"0", "4095"}},
		{command: "vm create m%[1]s --memory %[1]s", taken: []string{"32MB", "12TB", "33554432"},
			refused: []string{"1MB", "1024KB", "1048576"}, mistaken: []string{"1023KB", "12.1TB", "nan"}},
	} {
		for status, numbers := range map[exec.Status][]string{
			exec.Done: c.taken, exec.Failed: c.refused, exec.NotUnderstood: c.mistaken,
		} {
			for _, number := range numbers {
				b.errs.Reset()
				if got := b.script(fmt.Sprintf(c.command, number)); got != status {
					t.Errorf(c.command+": status %d, not %d: %q", number, got, status, b.errs.String())
				}
			}
		}
	}
}
