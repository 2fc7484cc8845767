package store

import (
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store/codec"
)

// randomSession records samples of a random source: cells that are constant, rise, wrap, are reset, go missing or change alike,
// a schema that grows, uneven times, missed samples. It returns the columns that a replay must return.
func randomSession(t *testing.T, recorder *Recorder, random *rand.Rand) (pushed []perf.Column) {
	t.Helper()
	cells := anyOr(random, 150, 1, codec.GroupCells-1, codec.GroupCells, codec.GroupCells+1, 2*codec.GroupCells)
	recorder.Schema(schemaOf(t, 1, cells), &perf.Inventory{Host: "lab"})
	values := make([]int64, cells)
	now := start
	for n := range anyOr(random, 600, 1, 2, codec.WindowSamples-1, codec.WindowSamples, codec.WindowSamples+1, 2*codec.WindowSamples) {
		if n > 0 && random.IntN(200) == 0 {
			cells += random.IntN(90)
			values = slices.Concat(values, make([]int64, cells-len(values)))
			recorder.Schema(schemaOf(t, uint64(n+1), cells), &perf.Inventory{Host: "lab"})
		}
		for i := range values {
			values[i] = nextValue(random, i, values)
		}
		one := perf.Column{Time: now, Missed: max(0, random.IntN(20)-17), Cells: slices.Clone(values)}
		for i := range one.Cells {
			if random.IntN(50) == 0 {
				one.Cells[i] = perf.Missing
			}
		}
		recorder.Column(&one)
		pushed = append(pushed, one)
		now = now.Add(time.Duration(one.Missed+1)*time.Second + time.Duration(random.IntN(1000))*time.Microsecond)
	}
	for i := range pushed {
		pushed[i].Grow(cells)
	}
	return pushed
}

// anyOr returns one of the edge cases, or any number up to limit.
func anyOr(random *rand.Rand, limit int, edges ...int) int {
	if i := random.IntN(2 * len(edges)); i < len(edges) {
		return edges[i]
	}
	return 1 + random.IntN(limit)
}

func nextValue(random *rand.Rand, i int, values []int64) int64 {
	switch i % 6 {
	case 0:
		return values[i] + random.Int64N(1e9)
	case 1:
		return int64(uint64(values[i]) + random.Uint64()>>1) // wraps
	case 2:
		return values[i-1] + 7 // changes like its neighbour
	case 3:
		if random.IntN(40) == 0 {
			return 0 // reset
		}
		return values[i] + random.Int64N(100)
	case 4:
		return int64(random.Uint64())
	}
	return values[i]
}

func TestReplayReturnsRecordedColumns(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	db.commitEvery = time.Millisecond // commits at any time
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		recorder := begin(t, db)
		pushed := randomSession(t, recorder, random)
		closeRecorder(t, recorder)
		source := replayOf(t, db, recorder.Status().Session)
		equalColumns(t, play(t, source, time.Second), pushed)
		checkRanges(t, source, pushed, random)
		checkSeeks(t, source, pushed, random)
	}
}

// checkRanges compares periods of random series with the values of the columns.
func checkRanges(t *testing.T, source perf.Source, pushed []perf.Column, random *rand.Rand) {
	t.Helper()
	for range 20 {
		number := random.IntN(len(source.Schema().Series))
		series := source.Schema().Series[number]
		first := random.IntN(len(pushed))
		last := first + random.IntN(len(pushed)-first)
		points, err := source.(perf.RangeReader).ReadRange(t.Context(), number, pushed[first].Time, pushed[last].Time, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := first; i <= last; i++ {
			var before *perf.Column
			if i > 0 {
				before = &pushed[i-1]
			}
			want, _ := series.Value(before, &pushed[i])
			at := slices.IndexFunc(points, func(p perf.Point) bool { return p.Time == pushed[i].Time.UnixNano() })
			if at < 0 && math.IsNaN(want) {
				continue // the window was recorded before the series existed
			}
			if at < 0 || points[at].Value != want && !(math.IsNaN(points[at].Value) && math.IsNaN(want)) {
				t.Fatalf("series %d (%v), sample %d of %d..%d: want %v, got %d of %v", number, series.Kind, i, first, last, want, at, points)
			}
		}
	}
	for _, number := range []int{-1, len(source.Schema().Series)} {
		if points, err := source.(perf.RangeReader).ReadRange(t.Context(), number, pushed[0].Time, start.Add(time.Hour), nil); err == nil {
			t.Errorf("series %d of %d: %d points", number, len(source.Schema().Series), len(points))
		}
	}
}

func checkSeeks(t *testing.T, source perf.Source, pushed []perf.Column, random *rand.Rand) {
	t.Helper()
	seeker := source.(perf.Seeker)
	if from, to := seeker.Span(); !from.Equal(pushed[0].Time) || !to.Equal(pushed[len(pushed)-1].Time) {
		t.Fatalf("span %v to %v", from, to)
	}
	for range 10 {
		n := random.IntN(len(pushed))
		if err := seeker.Seek(pushed[n].Time.Add(-time.Nanosecond)); err != nil {
			t.Fatal(err)
		}
		var one perf.Column
		if err := source.Next(t.Context(), time.Second, &one); err != nil {
			t.Fatal(err)
		}
		equalColumns(t, []perf.Column{one}, pushed[n:n+1])
	}
	if err := seeker.Seek(pushed[len(pushed)-1].Time.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := source.Next(t.Context(), time.Second, &perf.Column{}); !errors.Is(err, io.EOF) {
		t.Fatalf("after the end: %v", err)
	}
}

func TestReplaySkipsByInterval(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 1), &perf.Inventory{})
	for n := range 300 {
		recorder.Column(column(n, int64(n)))
	}
	closeRecorder(t, recorder)
	got := play(t, replayOf(t, db, 1), 10*time.Second)
	if len(got) != 30 || got[29].Cells[0] != 290 || got[29].Missed != 0 {
		t.Errorf("%d columns, last %v", len(got), got[len(got)-1])
	}
}

// Missed samples are counted in steps of the replay's interval, and no sample is lost after the clock was set back.
func TestReplayCountsMissedSteps(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 1), &perf.Inventory{})
	for _, second := range []int{0, 1, 2, 3, 4, 5, 35, 36, 37, 38, 39, 40, 20, 21, 22, 41, 42} {
		one := column(second, int64(second))
		if second == 35 {
			one.Missed = 29
		}
		recorder.Column(one)
	}
	closeRecorder(t, recorder)
	type row struct{ second, missed int }
	for interval, want := range map[time.Duration][]row{
		0:                {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {35, 29}, {36, 0}, {37, 0}, {38, 0}, {39, 0}, {40, 0}, {41, 0}, {42, 0}},
		time.Second:      {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {35, 29}, {36, 0}, {37, 0}, {38, 0}, {39, 0}, {40, 0}, {41, 0}, {42, 0}},
		5 * time.Second:  {{0, 0}, {5, 0}, {35, 5}, {40, 0}},
		10 * time.Second: {{0, 0}, {35, 2}},
		20 * time.Second: {{0, 0}, {35, 0}},
	} {
		var got []row
		for _, one := range play(t, replayOf(t, db, 1), interval) {
			got = append(got, row{int(one.Cells[0]), one.Missed})
		}
		if !slices.Equal(got, want) {
			t.Errorf("every %v: %v, want %v", interval, got, want)
		}
	}
}

func TestEventsComeAtTheirTime(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 1), &perf.Inventory{})
	for n := range 1000 {
		recorder.Column(column(n, int64(n)))
		recorder.Events([]eventlog.Event{{Sequence: uint64(n), Time: column(n).Time}})
	}
	closeRecorder(t, recorder)
	source := replayOf(t, db, 1)
	var one perf.Column
	delivered := 0
	for n := range 1000 {
		if err := source.Next(t.Context(), time.Second, &one); err != nil {
			t.Fatal(err)
		}
		for _, event := range source.(perf.Eventer).Events() {
			if event.Sequence != uint64(delivered) || event.Time.After(one.Time) {
				t.Fatalf("sample %d: event %v", n, event)
			}
			delivered++
		}
		if delivered != n+1 {
			t.Fatalf("sample %d: %d events returned", n, delivered)
		}
	}
	if err := source.(perf.Seeker).Seek(column(500).Time); err != nil {
		t.Fatal(err)
	}
	if err := source.Next(t.Context(), time.Second, &one); err != nil {
		t.Fatal(err)
	}
	if events := source.(perf.Eventer).Events(); len(events) != 1 || events[0].Sequence != 500 {
		t.Errorf("after the seek: %v", events)
	}
}

// waitSaved waits until a recorder has saved the sample of a time.
func waitSaved(t *testing.T, recorder *Recorder, through time.Time) {
	t.Helper()
	for recorder.Status().SavedThrough.Before(through) {
		if err := recorder.Status().Err; err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestRunningSessionIsReplayedAsFarAsItIsSaved(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	db.commitEvery = time.Millisecond
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 3), &perf.Inventory{})
	second := openAt(t, db.Path(), Options{ReadOnly: true})
	var source perf.Source
	var got []perf.Column
	events := 0
	for n := range 500 {
		recorder.Events([]eventlog.Event{{Sequence: uint64(n), Time: column(n).Time}})
		recorder.Column(column(n, int64(n), int64(n*n), 5))
		if n%77 != 0 && n != 499 {
			continue
		}
		waitSaved(t, recorder, column(n).Time)
		if source == nil {
			source = replayOf(t, second, 1)
		}
		got = append(got, play(t, source, time.Second)...)
		if len(got) != n+1 || got[n].Cells[1] != int64(n*n) {
			t.Fatalf("%d rows after %d samples", len(got), n+1)
		}
		for _, event := range source.(perf.Eventer).Events() {
			if event.Sequence != uint64(events) {
				t.Fatalf("event %d came instead of event %d", event.Sequence, events)
			}
			events++
		}
		if events != n+1 {
			t.Fatalf("%d events after %d samples", events, n+1)
		}
		points, err := source.(perf.RangeReader).ReadRange(t.Context(), 1, start, column(n).Time, nil)
		if err != nil || len(points) != n+1 { // the first point of a rate is a gap
			t.Fatalf("%d points after %d samples, %v", len(points), n+1, err)
		}
	}
	closeRecorder(t, recorder)
}

func TestReplayedInventoryChangesWithTime(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	recorder := begin(t, db)
	schema := schemaOf(t, 1, 1)
	inventory := func(state perf.State, health string) *perf.Inventory {
		return &perf.Inventory{Nodes: []perf.Node{{ID: "a", Parent: -1, State: state, Health: []perf.Finding{{Text: health}}}}}
	}
	recorder.Schema(schema, inventory(perf.StateUp, "quiet"))
	for n := range 300 {
		if n == 150 {
			recorder.Schema(schema, inventory(perf.StateDown, "no link"))
		} else if n > 150 {
			recorder.Schema(schema, inventory(perf.StateDown, time.Duration(n).String())) // changes with each sample
		}
		recorder.Column(column(n, 1))
	}
	closeRecorder(t, recorder)
	source := replayOf(t, db, 1)
	var one perf.Column
	for n := range 300 {
		if err := source.Next(t.Context(), time.Second, &one); err != nil {
			t.Fatal(err)
		}
		want := perf.StateUp
		if n >= 150 {
			want = perf.StateDown
		}
		if got := source.Inventory().Nodes[0].State; got != want {
			t.Fatalf("sample %d: state %v", n, got)
		}
	}
	var rows int
	if err := db.reader.QueryRow("SELECT count(*) FROM generation").Scan(&rows); err != nil || rows > 5 {
		t.Errorf("%d inventories were stored, %v", rows, err)
	}
	if got := source.Inventory().Nodes[0].Health[0].Text; got != time.Duration(299).String() {
		t.Errorf("the last health remark is %q", got)
	}
}
