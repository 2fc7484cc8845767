package condition

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/threshold"
)

func schemaOf(t *testing.T) *perf.Schema {
	t.Helper()
	port := func(instance, counter string, unit perf.Unit, cell int) perf.Series {
		return perf.Series{Set: perf.SummarySet, Instance: instance, Counter: counter, Unit: unit, Kind: perf.Rate, Cell: cell, Line: 100e9}
	}
	schema, err := perf.NewSchema(1, 6, []perf.Series{
		port("Ethernet 7", perf.SummaryDrops, perf.Packets, 0),
		port("Ethernet 8", perf.SummaryDrops, perf.Packets, 1),
		port("Ethernet 7", perf.SummaryReceive, perf.Bytes, 2),
		{Set: "Network Interface", Instance: "CX5", Counter: "Packets Received Discarded", Unit: perf.Packets, Cell: 3},
		{Set: "Device", Instance: "CX5", Counter: "Temperature", Unit: perf.Celsius, Kind: perf.Gauge, Cell: 4},
		{Set: "Network Interface", Instance: "CX5", Counter: "Bytes Received/sec", Unit: perf.Bytes, Kind: perf.Rate, Cell: 5},
	})
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Condition{
		"drops on Ethernet 7 > 1k/s for 10s": {"drops on Ethernet 7", false, "1k/s", 10 * time.Second},
		"temperature>=70":                    {"temperature", false, "70", 0},
		`\Device(*)\Temperature < 20 for 1m`: {`\Device(*)\Temperature`, true, "20", time.Minute},
		"  rx  <  5% for 1 h ":               {"rx", true, "5%", time.Hour},
	} {
		got, err := Parse(text)
		if err != nil || got != want || !Is(text) {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "drops", "> 5", "drops >", "drops > 5 for", "drops > 5 for long", "drops > 5 for -3s", "drops > 5 for 90h", "a > 5 > 3"} {
		if got, err := Parse(text); err == nil && got.For == 0 && !strings.HasSuffix(got.Level, "for") {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func TestWatches(t *testing.T) {
	t.Parallel()
	schema := schemaOf(t)
	for _, c := range []struct {
		text  string
		want  []int
		level float64
	}{
		{"drops on Ethernet 7 > 1k/s", []int{0}, 1000},
		{"discards > 2", []int{0, 1}, 2}, // the console's own set represents the others
		{"received Ethernet 7 > 8G", []int{2}, 1e9},
		{"temperature > 70", []int{4}, 70},
		{`\Network Interface(*)\Bytes Received/sec > 80M`, []int{5}, 10e6},
	} {
		condition, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		watches, err := condition.Watches(schema, false)
		if err != nil || len(watches) != len(c.want) {
			t.Errorf("%q: %+v, %v", c.text, watches, err)
			continue
		}
		for i, w := range watches {
			if w.Series != c.want[i] || math.Abs(w.Rule.Level-c.level) > 1e-9*c.level || w.Rule.Check() != nil {
				t.Errorf("%q watches series %d beyond %g", c.text, w.Series, w.Rule.Level)
			}
		}
	}
	for _, text := range []string{"nothing-like-that > 5", `\No(*)\Such > 1`, "temperature > 50%", "temperature > many"} {
		condition, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if watches, err := condition.Watches(schema, false); err == nil {
			t.Errorf("%q watches %+v", text, watches)
		}
	}
	condition, _ := Parse("nothing-like-that > 5")
	if _, err := condition.Watches(schema, false); !errors.Is(err, ErrNoCounter) {
		t.Error(err)
	}
}

// TestPeriods checks that a period begins with the first value beyond the level, and ends before the first that is not or
// at a gap.
func TestPeriods(t *testing.T) {
	t.Parallel()
	values := []float64{0, 5, 6, 5, 0, 9, math.NaN(), 9, 9, 9, 9, 1}
	var points []perf.Point
	for i, v := range values {
		points = append(points, perf.Point{Time: int64(i) * 1e9, Value: v})
	}
	series := &schemaOf(t).Series[4]
	held := func(text string) (list [][3]float64) {
		condition, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		watches, err := condition.Watches(schemaOf(t), false)
		if err != nil {
			t.Fatal(err)
		}
		periods, err := findAll(t, &watches[0], series, time.Unix(0, 0), time.Unix(100, 0), bandsOf(series, points))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range periods {
			list = append(list, [3]float64{float64(s.From.Unix()), float64(s.To.Unix()), s.Extreme})
		}
		return list
	}
	for text, want := range map[string][][3]float64{
		"temperature > 4":         {{1, 3, 6}, {5, 5, 9}, {7, 10, 9}},
		"temperature > 4 for 2s":  {{1, 3, 6}, {7, 10, 9}},
		"temperature > 4 for 3s":  {{7, 10, 9}},
		"temperature > 5 for 30s": nil,
		"temperature < 1":         {{0, 0, 0}, {4, 4, 0}},
		"temperature < 2":         {{0, 0, 0}, {4, 4, 0}, {11, 11, 1}},
	} {
		got := held(text)
		if len(got) != len(want) {
			t.Errorf("%q held %v, want %v", text, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%q held %v, want %v", text, got, want)
			}
		}
	}
}

// findAll finds all periods, in ascending order.
func findAll(t *testing.T, watch *Watch, series *perf.Series, from, to time.Time, read Read) ([]Period, error) {
	t.Helper()
	f, err := watch.Start(t.Context(), series, from, to, read, nil)
	if err != nil {
		return nil, err
	}
	var list []Period
	for _, part := range f.Parts(from) {
		periods, err := part.Find(t.Context(), read)
		if err != nil {
			return nil, err
		}
		list = append(periods, list...)
	}
	if !f.Done() {
		t.Error("some parts were not returned")
	}
	return list, nil
}

// bandsOf reads points as bands: one band for each point, or one for each step.
func bandsOf(series *perf.Series, points []perf.Point) Read {
	return func(_ context.Context, from, to time.Time, step time.Duration) (list []perf.Band, err error) {
		for _, p := range points {
			if at := time.Unix(0, p.Time); at.Before(from) || at.After(to) {
				continue
			}
			band := perf.Band{From: p.Time, To: p.Time, Last: p.Value, Samples: 1, Min: p.Value, Max: p.Value, Average: p.Value}
			if !math.IsNaN(p.Value) {
				band.Count = 1
			}
			list = append(list, band)
		}
		if step > 0 {
			list = perf.SumBands(list, step)
			for i := range list {
				list[i].Finer = true
			}
		}
		return list, nil
	}
}

// TestBandsAndSamplesGiveTheSamePeriods compares a search that reads hours and minutes first with one that reads all samples.
func TestBandsAndSamplesGiveTheSamePeriods(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	for round := range 60 {
		series := perf.Series{Kind: []perf.Kind{perf.Gauge, perf.Rate, perf.Cumulative}[round%3]}
		var points []perf.Point
		value, calm := 0.0, 0
		for second := range 3 * 3600 {
			switch calm--; {
			case calm > 0:
			case random.IntN(300) == 0:
				calm = random.IntN(3000)
			default:
				value = float64(random.IntN(10))
			}
			if series.Kind == perf.Cumulative {
				value = float64(second*10/(3*3600)) + float64(second)/1e5
			}
			p := perf.Point{Time: int64(second) * 1e9, Value: value}
			if random.IntN(2000) == 0 && series.Kind != perf.Cumulative {
				p.Value = math.NaN()
			}
			points = append(points, p)
		}
		watch := Watch{Rule: threshold.Rule{Level: float64(random.IntN(10)), Below: random.IntN(2) == 0, For: time.Duration(random.IntN(30)) * time.Second}}
		all := bandsOf(&series, points)
		find := func(read Read) []Period {
			list, err := findAll(t, &watch, &series, time.Unix(0, 0), time.Unix(1e6, 0), read)
			if err != nil {
				t.Fatal(err)
			}
			return list
		}
		samples := func(ctx context.Context, from, to time.Time, _ time.Duration) ([]perf.Band, error) {
			return all(ctx, from, to, 0)
		}
		if got, want := find(all), find(samples); !slices.Equal(got, want) {
			t.Fatalf("round %d, %+v of a %s: %v, want %v", round, watch.Rule, series.Kind, got, want)
		}
	}
}

// TestPeriodsOfMinutes checks a recording that keeps only minutes: a condition with a time holds in a minute whose average
// is beyond the level, a condition without a time in a minute with any value beyond it.
func TestPeriodsOfMinutes(t *testing.T) {
	t.Parallel()
	minute := func(n int64, low, mean, high float64) perf.Band {
		return perf.Band{From: n * 60e9, To: n*60e9 + 59e9, Min: low, Average: mean, Max: high, Last: mean, Count: 60, Samples: 60, Step: time.Minute}
	}
	read := func(context.Context, time.Time, time.Time, time.Duration) ([]perf.Band, error) {
		return []perf.Band{minute(0, 0, 1, 9), minute(1, 4, 6, 9), minute(2, 6, 7, 8), minute(3, 0, 0, 0)}, nil
	}
	for held, want := range map[time.Duration]Period{
		0: {time.Unix(0, 0).UTC(), time.Unix(179, 0).UTC(), 9}, 10 * time.Second: {time.Unix(60, 0).UTC(), time.Unix(179, 0).UTC(), 9},
	} {
		watch := Watch{Rule: threshold.Rule{Level: 5, For: held}}
		got, err := findAll(t, &watch, &perf.Series{Kind: perf.Gauge}, time.Unix(0, 0), time.Unix(1000, 0), read)
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("for %s: %v, %v; want %v", held, got, err, want)
		}
	}
}

func FuzzCondition(f *testing.F) {
	for _, seed := range []string{"drops on Ethernet 7 > 1k/s for 10s", `\A(*)\B < -5 for 1h`, "x>=1e308", "7>1e308t", "<", "a > for "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		condition, err := Parse(text)
		if err != nil {
			return
		}
		if condition.For < 0 || condition.For > maxFor || condition.Counter == "" || condition.Level == "" {
			t.Fatalf("%q became %+v", text, condition)
		}
		watches, err := condition.Watches(schemaOf(t), false)
		if err != nil {
			return
		}
		for i := range watches {
			if err := watches[i].Rule.Check(); err != nil {
				t.Fatalf("%q made a threshold that is refused: %v", text, err)
			}
		}
	})
}
