package find

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/threshold"
	"cxdeck/store"
	"cxdeck/views/condition"
)

// columns is a source of prepared columns.
type columns struct {
	schema *perf.Schema
	all    []perf.Column
	at     int
}

func (c *columns) Info() perf.SourceInfo {
	return perf.SourceInfo{Kind: perf.LogSource, Name: "random", Host: "LAB", Started: c.all[0].Time}
}
func (c *columns) Schema() *perf.Schema       { return c.schema }
func (c *columns) Inventory() *perf.Inventory { return &perf.Inventory{} }
func (c *columns) Close() error               { return nil }

func (c *columns) Next(_ context.Context, _ time.Duration, column *perf.Column) error {
	if c.at == len(c.all) {
		return io.EOF
	}
	*column = c.all[c.at]
	column.Cells = slices.Clone(column.Cells)
	c.at++
	return nil
}

func (c *columns) Span() (from, to time.Time) { return c.all[0].Time, c.all[len(c.all)-1].Time }

func (c *columns) Seek(time.Time) error {
	c.at = 0
	return nil
}

// The cells of a random recording.
const (
	burstCell  = iota // a counter that rises in bursts
	narrowCell        // a counter of 32 bits that wraps
	steadyCell        // a counter that always rises, and is reset now and then
	levelCell         // a gauge that changes in steps
	floatCell
	cellCount
)

// randomRecording makes hours of random samples, with uneven intervals, short and long gaps, and missing readings.
func randomRecording(t *testing.T, random *rand.Rand, samples int) *columns {
	t.Helper()
	series := func(counter string, cell int, kind perf.Kind, width uint8, scale float64) perf.Series {
		return perf.Series{Set: "Random", Instance: "x", Counter: counter, Unit: perf.Packets, Kind: kind, Cell: cell, Width: width, Scale: scale}
	}
	schema, err := perf.NewSchema(1, cellCount, []perf.Series{
		series("Burst rate", burstCell, perf.Rate, 64, 0), series("Bursts", burstCell, perf.Cumulative, 64, 0),
		series("Narrow rate", narrowCell, perf.Rate, 32, 0), series("Narrow", narrowCell, perf.Cumulative, 32, 0),
		series("Steady rate", steadyCell, perf.Rate, 0, 0.001), series("Steady", steadyCell, perf.Cumulative, 0, 0),
		series("Level", levelCell, perf.Gauge, 0, 0), series("Float", floatCell, perf.Gauge, 0, perf.FloatCells),
	})
	if err != nil {
		t.Fatal(err)
	}
	source := &columns{schema: schema}
	now := began.Add(time.Duration(random.IntN(7200)) * time.Second)
	cells := make([]int64, cellCount)
	burst, uneven := 0, random.IntN(2) == 0
	for range samples {
		if burst--; burst < -random.IntN(400) {
			burst = random.IntN(200)
		}
		if burst > 0 {
			cells[burstCell] += int64(random.IntN(2000))
		}
		cells[narrowCell] = (cells[narrowCell] + int64(random.IntN(1<<23))) & (1<<32 - 1)
		cells[steadyCell] += int64(random.IntN(5000))
		if random.IntN(4000) == 0 {
			cells[steadyCell] = 0
		}
		if random.IntN(600) == 0 {
			cells[levelCell] = int64(random.IntN(6))
			cells[floatCell] = int64(math.Float64bits(float64(random.IntN(60)) / 10))
		}
		if random.IntN(1000) == 0 {
			cells[levelCell] = int64(random.IntN(6))
		}
		column := perf.Column{Time: now, Cells: slices.Clone(cells)}
		switch random.IntN(1500) {
		case 0:
			column.Missed = 1 + random.IntN(3*3600)
			column.Time = column.Time.Add(time.Duration(column.Missed) * time.Second)
		case 1:
			column.Missed = 1
			column.Time = column.Time.Add(time.Second)
		case 2:
			for cell := range column.Cells {
				if random.IntN(2) == 0 {
					column.Cells[cell] = perf.Missing
				}
			}
		}
		source.all = append(source.all, column)
		now = column.Time.Add(time.Second)
		if uneven {
			now = now.Add(time.Duration(random.IntN(400)-200) * time.Millisecond)
		}
	}
	return source
}

// scan finds the periods in which a condition held by reading all samples in order.
func scan(samples []perf.Band, rule threshold.Rule, cumulative bool) (list []condition.Period) {
	var open *condition.Period
	end := func() {
		if open != nil && open.To.Sub(open.From) >= rule.For {
			list = append(list, *open)
		}
		open = nil
	}
	for _, band := range samples {
		value := band.Average
		if cumulative {
			value = band.Last
		}
		if band.Gap {
			end()
		}
		if math.IsNaN(value) || rule.Below && value >= rule.Level || !rule.Below && value <= rule.Level {
			end()
			continue
		}
		at := time.Unix(0, band.From).UTC()
		if open == nil {
			open = &condition.Period{From: at, Extreme: value}
		}
		open.To = at
		if rule.Below {
			open.Extreme = min(open.Extreme, value)
		} else {
			open.Extreme = max(open.Extreme, value)
		}
	}
	end()
	return list
}

// TestLevelsAndSamplesGiveTheSamePeriods compares a search that reads hours and minutes first with a scan of all samples, in random
// recordings with gaps, resets and uneven intervals, of which all, some or no samples are kept.
func TestLevelsAndSamplesGiveTheSamePeriods(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "h.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	lengths := [...]time.Duration{0, 0, time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 61 * time.Second, 3 * time.Minute, time.Hour}
	found := 0
	for round := range 6 {
		random := rand.New(rand.NewPCG(14, uint64(round)))
		imported, err := db.ImportSource(ctx, randomRecording(t, random, 1000+random.IntN(20_000)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if round != 3 { // one session keeps all samples
			if _, err := db.Tidy(ctx, func(int, int) {}); err != nil {
				t.Fatal(err)
			}
		}
		source, err := db.Replay(ctx, imported.ID)
		if err != nil {
			t.Fatal(err)
		}
		bands, err := source.(perf.BandScanner).ScanBands(ctx)
		if err != nil {
			t.Fatal(err)
		}
		from, to := source.(perf.Seeker).Span()
		schema := source.Schema()
		for index := range schema.Series {
			series := &schema.Series[index]
			read := (&reader{scan: bands}).bandsOf(index)
			gaps := func(ctx context.Context, from, to time.Time) ([]int64, error) {
				return bands.ReadGaps(ctx, from, to, nil)
			}
			samples, err := source.(perf.BandReader).ReadBands(ctx, index, from, to, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			for range 12 {
				rule := threshold.Rule{Below: random.IntN(2) == 0, For: lengths[random.IntN(len(lengths))]}
				band := samples[random.IntN(len(samples))]
				if rule.Level = band.Average; series.Kind == perf.Cumulative {
					rule.Level = band.Last
				}
				if math.IsNaN(rule.Level) {
					rule.Level = 1
				}
				if random.IntN(2) == 0 {
					rule.Level += float64(random.IntN(100)) / 100
				}
				watch := condition.Watch{Series: index, Rule: rule}
				got, err := findAll(ctx, random, &watch, series, from, to, read, gaps)
				if err != nil {
					t.Fatal(err)
				}
				want := scan(samples, rule, series.Kind == perf.Cumulative)
				if !slices.EqualFunc(got, want, samePeriod) {
					t.Fatalf("round %d, %s, below %v %g for %s: %d periods, want %d: %s", round, series.Counter, rule.Below, rule.Level, rule.For,
						len(got), len(want), difference(got, want))
				}
				found += len(want)
			}
		}
		if err := bands.Close(); err != nil {
			t.Error(err)
		}
	}
	if found < 1000 {
		t.Errorf("only %d periods: the test covers too little", found)
	}
}

// findAll finds all periods in pieces, in ascending order.
func findAll(
	ctx context.Context, random *rand.Rand, watch *condition.Watch, series *perf.Series, from, to time.Time, read condition.Read, gaps condition.Gaps,
) (list []condition.Period, err error) {
	f, err := watch.Start(ctx, series, from, to, read, gaps)
	for since := to; err == nil && !f.Done(); {
		since = since.Add(-time.Duration(random.IntN(100_000)) * time.Second)
		for _, part := range f.Parts(since) {
			periods, problem := part.Find(ctx, read)
			list, err = append(periods, list...), errors.Join(err, problem)
		}
	}
	return list, err
}

// samePeriod reports whether two periods are equal; levels keep the extreme in thousandths.
func samePeriod(a, b condition.Period) bool {
	return a.From.Equal(b.From) && a.To.Equal(b.To) && math.Abs(a.Extreme-b.Extreme) <= 0.0011
}

// difference returns the first pair of periods that are not equal.
func difference(got, want []condition.Period) string {
	for i := range max(len(got), len(want)) {
		var a, b condition.Period
		if i < len(got) {
			a = got[i]
		}
		if i < len(want) {
			b = want[i]
		}
		if !samePeriod(a, b) {
			return a.From.Format(time.StampMilli) + " to " + a.To.Format(time.StampMilli) + ", want " + b.From.Format(time.StampMilli) + " to " + b.To.Format(time.StampMilli)
		}
	}
	return ""
}
