package lab

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/perf"
	"cxdeck/perf/window"
)

// manyTeams creates and removes count teams with a VLAN each, takes a column for each, and returns the window.
func manyTeams(t testing.TB, l *Source, count int, name func(i int) string) *window.Recent {
	t.Helper()
	window := window.New(time.Second)
	var column perf.Column
	next(t, l, 0, &column)
	for i := range count {
		team := name(i)
		change(t, l, append(makeTeam(team, "SLB", "Ethernet 9", "Ethernet 10"), teams.AddVLAN{Team: team, Name: "v", ID: 7})...)
		next(t, l, time.Second, &column)
		window.Push(l.Schema(), &column)
		change(t, l, teams.Delete{Team: team})
		next(t, l, time.Second, &column)
		window.Push(l.Schema(), &column)
	}
	return window
}

// TestRecreatedTeamsTakeNoMemory: a recreated name adds no series, and a new name a few.
func TestRecreatedTeamsTakeNoMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	const ofATeam = 60 // series with its VLAN
	l := newLab(t, 1)
	few := len(l.Schema().Series)
	manyTeams(t, l, 40, func(i int) string { return fmt.Sprint("team ", i%2) })
	if got := l.Schema(); got.Generation != 3 || len(got.Series) > few+2*ofATeam {
		t.Errorf("two names added %d series in generation %d", len(got.Series)-few, got.Generation)
	}
	manyTeams(t, l, 10, func(i int) string { return fmt.Sprint("team ", i) })
	if got := l.Schema(); got.Generation != 11 || len(got.Series) > few+10*ofATeam {
		t.Errorf("ten names added %d series in generation %d", len(got.Series)-few, got.Generation)
	}
}

// BenchmarkManyTeams creates and removes 200 teams with a VLAN each, and measures the memory that they leave in use, with
// different names and with one name.
func BenchmarkManyTeams(b *testing.B) {
	for _, c := range []struct {
		name        string
		description func() *description.Description
		names       int
	}{{"names", description.Default, 200}, {"name", description.Default, 1}, {"large", description.Large, 200}} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				l := labOf(b, c.description())
				var column perf.Column
				next(b, l, 0, &column)
				before, series := heapInUse(), len(l.Schema().Series)
				began := time.Now()
				window := manyTeams(b, l, 200, func(i int) string { return fmt.Sprint("team ", i%c.names) })
				b.ReportMetric(float64(time.Since(began).Milliseconds())/400, "ms/column")
				b.ReportMetric(float64(heapInUse()-before)/1e6, "MB")
				b.ReportMetric(float64(len(l.Schema().Series)-series), "series")
				runtime.KeepAlive(window)
				runtime.KeepAlive(l)
			}
		})
	}
}

func labOf(t testing.TB, description *description.Description) *Source {
	t.Helper()
	lab, err := device.New(description, 1)
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(driver.NewHost(lab))
	if err != nil {
		t.Fatal(err)
	}
	return l
}
