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
	"cxdeck/store/series"
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
		c := perf.Column{Time: now, Missed: max(0, random.IntN(20)-17), Cells: slices.Clone(values)}
		for i := range c.Cells {
			if random.IntN(50) == 0 {
				c.Cells[i] = perf.Missing
			}
		}
		recorder.Column(&c)
		pushed = append(pushed, c)
		now = now.Add(time.Duration(c.Missed+1)*time.Second + time.Duration(random.IntN(1000))*time.Microsecond)
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
		checkBatches(t, source, pushed, random)
	}
}

// checkBatches reads from some time to another in batches, and compares the rows with the columns.
func checkBatches(t *testing.T, source perf.Source, pushed []perf.Column, random *rand.Rand) {
	t.Helper()
	for range 10 {
		first := random.IntN(len(pushed))
		last := first + random.IntN(len(pushed)-first)
		if err := source.(perf.Seeker).Seek(pushed[first].Time); err != nil {
			t.Fatal(err)
		}
		var got []perf.Column
		for len(got) == 0 || got[len(got)-1].Time.Before(pushed[last].Time) {
			batch, err := source.(perf.BatchSource).NextBatch(t.Context(), time.Second, pushed[last].Time)
			if err != nil {
				t.Fatal(err)
			}
			if len(batch.Times) > 0 {
				got = append(got, columnsOf(t, &batch)...)
				continue
			}
			var c perf.Column
			if err := source.Next(t.Context(), time.Second, &c); err != nil {
				t.Fatal(err)
			}
			got = append(got, c)
		}
		equalColumns(t, got, pushed[first:last+1])
		if last+1 == len(pushed) {
			continue
		}
		var next perf.Column
		if err := source.Next(t.Context(), time.Second, &next); err != nil {
			t.Fatal(err)
		}
		equalColumns(t, []perf.Column{next}, pushed[last+1:last+2])
	}
}

// columnsOf returns the rows of a batch.
func columnsOf(t *testing.T, batch *perf.Batch) []perf.Column {
	t.Helper()
	columns := make([]perf.Column, len(batch.Times))
	for i := range columns {
		columns[i] = perf.Column{Time: time.Unix(0, batch.Times[i]).UTC(), Missed: int(batch.Missed[i]), Cells: make([]int64, batch.Cells)}
	}
	for cell := range batch.Cells {
		values, err := batch.Read(cell, nil)
		if err != nil || len(values) != len(columns) {
			t.Fatalf("cell %d has %d values for %d rows, %v", cell, len(values), len(columns), err)
		}
		for i, value := range values {
			columns[i].Cells[cell] = value
		}
	}
	return columns
}

// TestBatchesSkipByInterval checks that rows that Next would skip are not in a batch.
func TestBatchesSkipByInterval(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 1), &perf.Inventory{})
	late := func(n int) time.Duration { // the samples 20 and 40 follow the samples before them after a tenth of a second
		if n == 20 || n == 40 {
			return -900 * time.Millisecond
		}
		return 0
	}
	for n := range 2 * codec.WindowSamples {
		c := column(n, int64(n))
		c.Time = c.Time.Add(late(n))
		recorder.Column(c)
	}
	closeRecorder(t, recorder)
	source := replayOf(t, db, 1)
	if batch, err := source.(perf.BatchSource).NextBatch(t.Context(), 2*time.Second, start.Add(time.Hour)); err != nil || len(batch.Times) > 0 {
		t.Errorf("a batch of %d rows at twice the interval, %v", len(batch.Times), err)
	}
	want := play(t, replayOf(t, db, 1), time.Second)
	var got []perf.Column
	for len(got) < len(want) {
		batch, err := source.(perf.BatchSource).NextBatch(t.Context(), time.Second, start.Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, columnsOf(t, &batch)...)
		if len(batch.Times) == 0 {
			var c perf.Column
			if err := source.Next(t.Context(), time.Second, &c); err != nil {
				t.Fatal(err)
			}
			got = append(got, c)
		}
	}
	equalColumns(t, got, want)
}

// TestTwinsInOtherGroups reads a series whose values are stored in another group of cells, over many windows.
func TestTwinsInOtherGroups(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	recorder := begin(t, db)
	const cells, windows = 3 * codec.GroupCells, 12
	recorder.Schema(schemaOf(t, 1, cells), &perf.Inventory{})
	random := rand.New(rand.NewPCG(4, 4))
	values := make([]int64, cells)
	var pushed []perf.Column
	for n := range windows * codec.WindowSamples {
		for i := range values {
			values[i] += random.Int64N(1 << 40)
		}
		// The last cell has the differences of a cell of the first group, in later windows of the second.
		twin := 5
		if n >= windows/2*codec.WindowSamples {
			twin = codec.GroupCells + 7
		}
		values[cells-1] = values[twin] + 99
		c := column(n, slices.Clone(values)...)
		recorder.Column(c)
		pushed = append(pushed, *c)
	}
	closeRecorder(t, recorder)
	source := replayOf(t, db, 1)
	number := slices.IndexFunc(source.Schema().Series, func(s perf.Series) bool { return s.Cell == cells-1 })
	series := source.Schema().Series[number]
	points, err := source.(perf.RangeReader).ReadRange(t.Context(), number, start, start.Add(time.Hour), nil)
	if err != nil || len(points) != len(pushed) {
		t.Fatalf("%d points, want %d, %v", len(points), len(pushed), err)
	}
	for i := 1; i < len(pushed); i++ {
		if want, ok := series.Value(&pushed[i-1], &pushed[i]); ok && points[i].Value != want {
			t.Fatalf("sample %d is %v, want %v", i, points[i].Value, want)
		}
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
		var c perf.Column
		if err := source.Next(t.Context(), time.Second, &c); err != nil {
			t.Fatal(err)
		}
		equalColumns(t, []perf.Column{c}, pushed[n:n+1])
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
		c := column(second, int64(second))
		if second == 35 {
			c.Missed = 29
		}
		recorder.Column(c)
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
		for _, c := range play(t, replayOf(t, db, 1), interval) {
			got = append(got, row{int(c.Cells[0]), c.Missed})
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
	var c perf.Column
	delivered := 0
	for n := range 1000 {
		if err := source.Next(t.Context(), time.Second, &c); err != nil {
			t.Fatal(err)
		}
		for _, event := range source.(perf.Eventer).Events() {
			if event.Sequence != uint64(delivered) || event.Time.After(c.Time) {
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
	if err := source.Next(t.Context(), time.Second, &c); err != nil {
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
	var c perf.Column
	for n := range 300 {
		if err := source.Next(t.Context(), time.Second, &c); err != nil {
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
	checkInventories(t, db)
	if got := source.Inventory().Nodes[0].Health[0].Text; got != time.Duration(299).String() {
		t.Errorf("the last health remark is %q", got)
	}
}

// checkInventories compares the inventory of each sample with the list of all inventories.
func checkInventories(t *testing.T, db *DB) {
	t.Helper()
	all, err := series.Inventories(t.Context(), db.reader, 1)
	if err != nil || len(all) < 3 {
		t.Fatal(all, err)
	}
	for sample := range int64(300) {
		want, until := all[0], int64(math.MaxInt64)
		for _, inventory := range all {
			if inventory.Sample <= sample {
				want = inventory
			} else {
				until = min(until, inventory.Sample)
			}
		}
		if got, next, err := series.InventoryAt(t.Context(), db.reader, 1, sample); err != nil || got != want || next != until {
			t.Errorf("sample %d: %v until %d, %v; want %v until %d", sample, got, next, err, want, until)
		}
	}
	if got, _, err := series.InventoryAt(t.Context(), db.reader, 2, 0); err != nil || got != (series.Inventory{}) {
		t.Errorf("a session without inventories has %v, %v", got, err)
	}
}
