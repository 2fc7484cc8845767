package perf

import "testing"

// TestLoadsAreWhatCountersGrowBy holds that a load is a rate, and that counters that begin anew or come late make none.
func TestLoadsAreWhatCountersGrowBy(t *testing.T) {
	t.Parallel()
	var before []uint64
	counters := []uint64{100, 200, 7}
	count := func(thing, counter int) uint64 { return counters[3*thing+counter] }
	if got := grown(&before, 1, 3, 2, count); got[0] != (LabLoad{}) {
		t.Errorf("what was never seen has the load %+v", got[0])
	}
	counters = []uint64{300, 100, 9, 50, 0, 0}
	got := grown(&before, 2, 3, 2, count)
	if got[0] != (LabLoad{Receive: 100, Drops: 1}) || got[1] != (LabLoad{}) {
		t.Errorf("the loads are %+v", got)
	}
	counters = append(counters[:3], 150, 0, 0)
	if got = grown(&before, 2, 3, 0.5, count); got[1].Receive != 200 {
		t.Errorf("the loads are %+v", got)
	}
	var loads LabLoads
	if loads.Function(0, 0) != (LabLoad{}) || loads.Guest(-1, 3) != (LabLoad{}) {
		t.Error("what is not there has a load")
	}
}
