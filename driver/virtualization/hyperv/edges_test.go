package hyperv

import "testing"

// TestAPortWithOneRingHasQueues assigns a queue to an adapter of a port with one ring, and none without any.
func TestAPortWithOneRingHasQueues(t *testing.T) {
	t.Parallel()
	for rings, given := range map[int]bool{0: false, 1: true, 2: true} {
		list := Port{Rings: rings, PerAdapter: rings, MaxAdapters: 4}.Queues([]Request{{Queue: true, Pairs: 1}})
		ring := 0 // what nobody else takes
		if rings > 1 {
			ring = 1
		}
		if list[0].Default == given || len(list[0].Rings) != 1 || list[0].Rings[0] != ring {
			t.Errorf("with %d rings an adapter has %+v", rings, list[0])
		}
	}
}

// TestVersionsOfDifferentLengths counts what is missing as 0.
func TestVersionsOfDifferentLengths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, than string
		newer         bool
	}{
		{"1.2.3", "1.2", true}, {"1.2", "1.2.3", false}, {"1.2", "1.2", false}, {"1.2.0", "1.2", false}, {"2", "1.9.9", true},
		{"x", "1", false}, {"1.x", "1.0", false}, {"1.1", "1.x", true},
	} {
		if got := Newer(c.version, c.than); got != c.newer {
			t.Errorf("%s is newer than %s: %t", c.version, c.than, got)
		}
	}
}

// TestHowManyFunctionsADumpReads has the most that one reads, and one more.
func TestHowManyFunctionsADumpReads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, last int
		ok          bool
	}{{0, 0, true}, {3, 3, true}, {3, 2, false}, {-1, 3, false}, {0, 0xfffc, true}, {0, 0xfffd, false}, {5, 0xfffc + 5, true}, {5, 0xfffd + 5, false}} {
		command, err := ResourceDump(c.first, c.last, FwCPUUsage)
		if (err == nil) != c.ok || (command != "") != c.ok {
			t.Errorf("%d to %d: %q, %v", c.first, c.last, command, err)
		}
	}
	for counter, ok := range map[CostCounter]bool{0: false, FwCPUUsage: true, Errors2FW: true, 3: false} {
		if _, err := ResourceDump(0, 1, counter); (err == nil) != ok {
			t.Errorf("counter %d: %v", counter, err)
		}
	}
	const want = "mlx5cmd.exe -dbg -ResourceDump -Dump -Segment 0x5000 -Index1 3 -NumOfObj1 4 -Index2 2 -Depth 1"
	if command, err := ResourceDump(2, 5, Errors2FW); command != want || err != nil {
		t.Errorf("%q, %v", command, err)
	}
}
