package labstate

import (
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
)

// TestLoadsAreRates checks that a load is a rate, and that restarted and new counters have none.
func TestLoadsAreRates(t *testing.T) {
	t.Parallel()
	var before []uint64
	counters := []uint64{100, 200, 7}
	count := func(thing, counter int) uint64 { return counters[3*thing+counter] }
	if got := loadsSince(&before, 1, 3, 2, count); got[0] != (Load{}) {
		t.Errorf("a new object has the load %+v", got[0])
	}
	counters = []uint64{300, 100, 9, 50, 0, 0}
	got := loadsSince(&before, 2, 3, 2, count)
	if got[0] != (Load{Receive: 100, Drops: 1}) || got[1] != (Load{}) {
		t.Errorf("the loads are %+v", got)
	}
	counters = append(counters[:3], 150, 0, 0)
	if got = loadsSince(&before, 2, 3, 0.5, count); got[1].Receive != 200 {
		t.Errorf("the loads are %+v", got)
	}
	var loads Loads
	if loads.Function(0, 0) != (Load{}) || loads.Guest(-1, 3) != (Load{}) {
		t.Error("a missing object has a load")
	}
}

// TestOldLoadsAreAverages: the columns of a period become one with their average and the time of the newest, also when a port
// gets functions in between.
func TestOldLoadsAreAverages(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)
	column := func(second int, receive ...float64) *Loads {
		l := &Loads{Time: begin.Add(time.Duration(second) * time.Second), functions: [][]Load{{}}}
		for _, n := range receive {
			l.functions[0] = append(l.functions[0], Load{Receive: n})
		}
		return l
	}
	var sum loadSum
	for second, receive := range []float64{10, 20, 30, 40} {
		list := []float64{receive}
		if second == 3 {
			list = append(list, 8)
		}
		if average := sum.add(column(second, list...)); average != nil {
			t.Fatalf("after %d s there is an average", second)
		}
	}
	average := sum.add(column(12, 1000))
	if average == nil {
		t.Fatal("the next period has no average")
	}
	if got := average.Function(0, 0).Receive; got != 25 || average.Function(0, 1).Receive != 2 || average.Time != begin.Add(3*time.Second) {
		t.Errorf("the average is %v and %v at %s", got, average.Function(0, 1).Receive, average.Time)
	}
	if average = sum.add(column(21, 5)); average == nil || average.Function(0, 0).Receive != 1000 {
		t.Errorf("the period after has %+v", average)
	}
}

// TestLoadsNeedTime: a second column with the same time has no load, because there is no time to divide by.
func TestLoadsNeedTime(t *testing.T) {
	t.Parallel()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	host := driver.NewHost(lab)
	var tracker loadTracker
	for want := range 4 {
		for range 2 {
			if tracker.column(host); len(tracker.recent) != want {
				t.Errorf("after %d s there are %d loads", want, len(tracker.recent))
			}
		}
		host.Advance(time.Second)
	}
}
