package store

import (
	"context"
	"database/sql"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/perf"
	"cxdeck/store/parts"
	"cxdeck/store/rollup"
	"cxdeck/store/series"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
	"cxdeck/store/transfer"
)

// openQuiet opens a history without a running keeper: the test does its work.
func openQuiet(t testing.TB, options Options) *DB {
	t.Helper()
	db := openNew(t, options)
	db.commitEvery = time.Millisecond
	db.stop()
	db.keeperDone.Wait()
	db.stopWatch() // it would use the clock that a test sets
	db.watchDone.Wait()
	return db
}

// keepAllLevels does all of the keeper's work on a session.
func keepAllLevels(t testing.TB, db *DB, id int64) (steps int) {
	t.Helper()
	ctx := context.Background()
	cells := &rollup.Cells{}
	for ; ; steps++ {
		session, err := db.Session(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		done, err := db.levelKeeper().Step(ctx, session, cells)
		if err != nil {
			t.Fatal(err)
		}
		if !done {
			return steps
		}
	}
}

// longSession records several hours of a random source: cells of all kinds, uneven times, missed samples, a suspended machine
// and a schema that grows.
func longSession(t *testing.T, db *DB, random *rand.Rand, samples int) (id int64, pushed []perf.Column) {
	t.Helper()
	cells := 30 + random.IntN(60)
	log := writerOf(t, db)
	log.add([]item{{schema: schemaOf(t, 1, cells), inventory: &perf.Inventory{}}})
	values := make([]int64, cells)
	now := start.Add(time.Duration(random.IntN(3600)) * time.Second)
	for n := range samples {
		if n == samples/2 {
			cells += random.IntN(90)
			values = slices.Concat(values, make([]int64, cells-len(values)))
			log.add([]item{{schema: schemaOf(t, 2, cells), inventory: &perf.Inventory{}}})
		}
		for i := range values {
			values[i] = steadyValue(random, i, values)
		}
		c := perf.Column{Time: now, Cells: slices.Clone(values)}
		switch random.IntN(2000) {
		case 0:
			c.Missed = 8 * 3600 // a suspended machine
		case 1, 2, 3:
			c.Missed = 1 + random.IntN(100)
		}
		c.Time = c.Time.Add(time.Duration(c.Missed) * time.Second)
		for i := range c.Cells {
			if random.IntN(500) == 0 {
				c.Cells[i] = perf.Missing
			}
		}
		log.addColumn(&c)
		if n%1000 == 0 {
			if err := log.commit(db.writer, start); err != nil {
				t.Fatal(err)
			}
		}
		pushed = append(pushed, c)
		now = c.Time.Add(time.Second + time.Duration(random.IntN(1000))*time.Microsecond)
	}
	if err := log.finish(db.writer, now); err != nil {
		t.Fatal(err)
	}
	for i := range pushed {
		pushed[i].Grow(cells)
	}
	return log.session, pushed
}

// steadyValue is nextValue for series of schemaOf, with numbers that can be added up.
func steadyValue(random *rand.Rand, i int, values []int64) int64 {
	switch i % 7 {
	case 0, 1:
		return values[i] + random.Int64N(1e9)
	case 2:
		return random.Int64N(1e6)
	case 3:
		if random.IntN(500) == 0 {
			return 0 // reset
		}
		return values[i] + random.Int64N(100)
	case 4:
		return int64(random.Uint64() >> 30)
	case 5:
		return values[0] + 7 // changes like the first
	}
	return values[i]
}

// readBands returns the bands of a series over the whole session.
func readBands(t testing.TB, source perf.Source, series int, step time.Duration) []perf.Band {
	t.Helper()
	from, to := source.(perf.Seeker).Span()
	bands, err := source.(perf.BandReader).ReadBands(t.Context(), series, from, to, step, nil)
	if err != nil {
		t.Fatal(err)
	}
	return bands
}

// sumBands merges the bands of samples in the same step.
func sumBands(samples []perf.Band, step time.Duration) (summed []perf.Band) {
	var sum float64
	for _, band := range samples {
		last := len(summed) - 1
		if last < 0 || band.From/int64(step) != summed[last].From/int64(step) {
			summed = append(summed, perf.Band{From: band.From, Min: math.NaN(), Max: math.NaN(), Average: math.NaN(), Last: math.NaN()})
			sum = 0
			last++
		}
		b := &summed[last]
		b.To, b.Samples = band.To, b.Samples+band.Samples
		if !math.IsNaN(band.Last) {
			b.Last = band.Last
		}
		if band.Count == 0 {
			continue
		}
		if b.Count == 0 {
			b.Min, b.Max = band.Min, band.Max
		}
		b.Min, b.Max, b.Count, sum = min(b.Min, band.Min), max(b.Max, band.Max), b.Count+band.Count, sum+band.Average
		b.Average = sum / float64(b.Count)
	}
	return summed
}

// sameBands compares the bands of a level with bands that were computed from samples. Rates are stored to a thousandth; the
// last rate is not stored.
func sameBands(t *testing.T, what string, series *perf.Series, got, want []perf.Band) {
	t.Helper()
	// Before the series existed, there may be rows without values.
	unknown := func(b perf.Band) bool { return b.Count == 0 && math.IsNaN(b.Last) }
	got, want = slices.DeleteFunc(got, unknown), slices.DeleteFunc(slices.Clone(want), unknown)
	if len(got) != len(want) {
		t.Fatalf("%s of %s: %d rows, want %d", what, series.Path(), len(got), len(want))
	}
	near := func(a, b float64) bool {
		return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 0.0011+1e-9*math.Abs(b)
	}
	for i, g := range got {
		w := want[i]
		grown := i == 0 && g.Samples > w.Samples // the schema has grown within the row
		if g.From != w.From && !grown || g.To != w.To || g.Count != w.Count || g.Samples != w.Samples && !grown || !near(g.Min, w.Min) || !near(g.Max, w.Max) ||
			!near(g.Average, w.Average) || series.Kind != perf.Rate && !near(g.Last, w.Last) {
			t.Fatalf("%s of %s (%s), row %d:\n%+v, want\n%+v", what, series.Path(), series.Kind, i, g, w)
		}
		if g.Count > 0 && (g.Min > w.Min || g.Max < w.Max || g.Min > g.Average || g.Average > g.Max) {
			t.Fatalf("%s of %s, row %d: %v does not bound %v", what, series.Path(), i, g, w)
		}
	}
}

// Minutes and hours match the samples of a session, before and after the samples are removed.
func TestLevelsMatchTheirSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 0))
		db := openQuiet(t, Options{Levels: true})
		id, pushed := longSession(t, db, random, 4000+random.IntN(12_000))
		source := replayOf(t, db, id)
		schema := source.Schema()
		var chosen []int
		samples := map[int][]perf.Band{}
		for range 25 {
			series := random.IntN(len(schema.Series))
			if schema.Series[series].Kind == perf.Identity {
				continue // names have no values
			}
			chosen = append(chosen, series)
			samples[series] = readBands(t, source, series, 0)
		}
		if keepAllLevels(t, db, id) == 0 {
			t.Fatal("nothing was aggregated")
		}
		check := func(what string, fullest time.Duration) {
			t.Helper()
			source := replayOf(t, db, id)
			for _, series := range chosen {
				about := &schema.Series[series]
				for _, step := range []time.Duration{0, time.Minute, time.Hour} {
					got, want := readBands(t, source, series, step), samples[series]
					if step = max(step, fullest); step > 0 {
						want = sumBands(want, step)
					} else {
						if len(got) != len(want) {
							t.Fatalf("%s: %d samples, want %d", what, len(got), len(want))
						}
						continue
					}
					sameBands(t, what+" by "+step.String(), about, got, want)
				}
			}
		}
		check("with all samples", 0)
		equalColumns(t, play(t, replayOf(t, db, id), time.Second), pushed)

		db.options.KeepSamples = time.Hour
		db.now = func() time.Time { return pushed[len(pushed)-1].Time.Add(2 * time.Hour) }
		keepAllLevels(t, db, id)
		if left, _ := sqlite.Integers(t.Context(), db.reader, "SELECT count(*) FROM chunk"); left[0] != 0 {
			t.Errorf("%d chunks are left", left[0])
		}
		check("minutes", time.Minute)
		checkMinuteColumns(t, db, id, pushed)

		db.options.KeepMinutes = time.Hour
		keepAllLevels(t, db, id)
		if left, _ := sqlite.Integers(t.Context(), db.reader, "SELECT count(*) FROM level WHERE step = ?", parts.MinuteStep); left[0] != 0 {
			t.Errorf("%d blocks of minutes are left", left[0])
		}
		check("hours", time.Hour)
		checkIntegrity(t, db)
	}
}

func checkIntegrity(t *testing.T, db *DB) {
	t.Helper()
	var verdict string
	if err := db.reader.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("integrity check: %s, %v", verdict, err)
	}
}

// checkMinuteColumns replays a session of minutes: each minute gives one column, with the time of its last sample and the last
// reading of each cell.
func checkMinuteColumns(t *testing.T, db *DB, id int64, pushed []perf.Column) {
	t.Helper()
	var want []perf.Column
	for i, c := range pushed {
		last := len(want) - 1
		if i == 0 || c.Time.Truncate(time.Minute) != want[last].Time.Truncate(time.Minute) {
			want = append(want, perf.Column{Cells: slices.Clone(c.Cells)})
			last++
		}
		want[last].Time = c.Time
		for cell, value := range c.Cells {
			if value != perf.Missing {
				want[last].Cells[cell] = value
			}
		}
	}
	source := replayOf(t, db, id)
	got := play(t, source, time.Second)
	if step := source.(perf.AggregateSource).Step(); step != time.Minute {
		t.Errorf("a column aggregates %s", step)
	}
	for i := range got {
		got[i].Missed = 0
	}
	equalColumns(t, got, want)
}

// A session whose clock was set back and forward is aggregated too: each sample is included once, before and after the samples
// are removed.
func TestLevelsOfAClockThatWasSetBack(t *testing.T) {
	t.Parallel()
	db := openQuiet(t, Options{Levels: true})
	log := writerOf(t, db)
	log.add([]item{{schema: schemaOf(t, 1, 5), inventory: &perf.Inventory{}}})
	const samples = 10_000
	for n := range samples {
		c := column(n, int64(n), int64(n), 3, 4, 5)
		switch { // an hour back, and two forth
		case n > 7000:
			c.Time = c.Time.Add(time.Hour)
		case n > 5000:
			c.Time = c.Time.Add(-time.Hour)
		}
		log.addColumn(c)
	}
	if err := log.finish(db.writer, column(samples).Time); err != nil {
		t.Fatal(err)
	}
	check := func(what string) {
		t.Helper()
		list, err := parts.All(t.Context(), db.reader, log.session)
		if err != nil {
			t.Fatal(err)
		}
		count := int64(0)
		for _, part := range list {
			count += part.Samples
		}
		if count != samples {
			t.Errorf("%s: %d samples", what, count)
		}
		for _, step := range []time.Duration{0, time.Minute, time.Hour} {
			source := replayOf(t, db, log.session).(perf.BandReader)
			bands, err := source.ReadBands(t.Context(), 2, start.Add(-time.Hour), start.Add(10*time.Hour), step, nil)
			count = 0
			for _, band := range bands {
				count += band.Samples
			}
			if err != nil || count != samples {
				t.Errorf("%s by %s: %d samples, %v", what, step, count, err)
			}
		}
	}
	check("samples")
	keepAllLevels(t, db, log.session)
	check("with levels")
	db.options.KeepSamples = time.Hour
	db.now = func() time.Time { return column(samples).Time.Add(2 * time.Hour) }
	keepAllLevels(t, db, log.session)
	check("minutes")
	checkIntegrity(t, db)
}

// Pinned sessions, hours with a note and recent hours keep their samples.
func TestKeptSamples(t *testing.T) {
	t.Parallel()
	db := openQuiet(t, Options{Levels: true, KeepSamples: 2 * time.Hour})
	const hours = 8
	log := writerOf(t, db)
	log.add([]item{{schema: schemaOf(t, 1, 3), inventory: &perf.Inventory{}}})
	for n := range hours * 3600 {
		log.addColumn(column(n, int64(n), 2, 3))
	}
	ended := column(hours*3600 - 1).Time
	if err := log.finish(db.writer, ended); err != nil {
		t.Fatal(err)
	}
	db.now = func() time.Time { return ended }
	if _, err := db.AddMark(t.Context(), sessions.Mark{Session: log.session, From: start.Add(3*time.Hour + 5*time.Minute), Text: "cable pulled"}); err != nil {
		t.Fatal(err)
	}
	rows := func() (samples, minutes int) {
		list, err := parts.All(t.Context(), db.reader, log.session)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range list {
			if part.Step == 0 {
				samples += int(part.Samples)
			} else {
				minutes += int(part.Samples) / 60
			}
		}
		return samples, minutes
	}
	if err := db.SetPinned(t.Context(), log.session, true); err != nil {
		t.Fatal(err)
	}
	keepAllLevels(t, db, log.session)
	if samples, minutes := rows(); samples != hours*3600 || minutes != 0 {
		t.Errorf("pinned: %d samples, %d minutes", samples, minutes)
	}
	if err := db.SetPinned(t.Context(), log.session, false); err != nil {
		t.Fatal(err)
	}
	keepAllLevels(t, db, log.session)
	// Two hours are recent, and the note five minutes after the third hour keeps the hour before it, too.
	if samples, minutes := rows(); samples < 4*3600 || samples > 5*3600 || minutes != hours*60-samples/60 {
		t.Errorf("%d samples, %d minutes", samples, minutes)
	}
	s, err := db.Session(t.Context(), log.session)
	if err != nil || s.Samples != hours*3600 || s.Bytes <= 0 {
		t.Errorf("%+v, %v", s, err)
	}
	used := func() int64 {
		counted, err := sqlite.Integers(t.Context(), db.reader, `SELECT coalesce(sum(length(times) + length(missed)), 0) FROM clock UNION ALL
			SELECT coalesce(sum(length(data)), 0) FROM chunk UNION ALL SELECT coalesce(sum(length(rows)), 0) FROM level UNION ALL
			SELECT coalesce(sum(length(data)), 0) FROM summary`)
		if err != nil {
			t.Fatal(err)
		}
		return counted[0] + counted[1] + counted[2] + counted[3]
	}
	if rest := s.Bytes - used(); rest < 0 || rest > 2000 {
		t.Errorf("the session's size is %d bytes, and its rows have %d", s.Bytes, used())
	}
	if err := db.Delete(t.Context(), log.session); err != nil || used() != 0 {
		t.Errorf("deleted: %v, %d bytes are left", err, used())
	}
}

// The samples around changes are kept, of the newest two days with changes: before and after a change of last week can be compared by the
// second. A change that failed changed nothing.
func TestChangesKeepTheirSamples(t *testing.T) {
	t.Parallel()
	const hours, every = 80, 10 * time.Second
	for _, c := range []struct {
		name    string
		changes func(hour int) (entry driver.Entry, made bool)
		// kept is how many hours have samples in the end, and first the oldest of them.
		kept, first int
	}{
		{"one", func(hour int) (driver.Entry, bool) { return driver.Entry{}, hour == 30 }, 3, 30},
		{"failed", func(hour int) (driver.Entry, bool) { return driver.Entry{Err: "no such key"}, hour == 30 }, 2, hours - 2},
		{"each hour", func(int) (driver.Entry, bool) { return driver.Entry{}, true }, 50, hours - 50},
	} {
		db := openQuiet(t, Options{Levels: true, KeepSamples: time.Hour})
		log := writerOf(t, db)
		log.add([]item{{schema: schemaOf(t, 1, 3), inventory: &perf.Inventory{}}})
		began := start.Truncate(time.Hour)
		for n := range hours * 360 {
			log.addColumn(&perf.Column{Time: began.Add(time.Duration(n) * every), Cells: []int64{int64(n), 2, 3}})
			entry, made := c.changes(n / 360)
			if made && n%360 == 180 {
				entry.Sequence, entry.Time = uint64(n+1), began.Add(time.Duration(n)*every)
				entry.Plan = driver.Plan{Title: "Pull the cable", Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 7"}}}
				log.add([]item{{entry: &entry}})
			}
		}
		ended := began.Add(hours*time.Hour - every)
		if err := log.finish(db.writer, ended); err != nil {
			t.Fatal(err)
		}
		db.now = func() time.Time { return ended }
		keepAllLevels(t, db, log.session)
		blocks, err := parts.Blocks(t.Context(), db.reader, log.session, math.MinInt64, math.MaxInt64)
		if err != nil {
			t.Fatal(err)
		}
		kept, first := 0, hours
		for _, b := range blocks {
			if b.Step == parts.MinuteStep && b.Finer {
				kept++
				first = min(first, int(time.Duration(b.Started-began.UnixNano())/time.Hour))
			}
		}
		if kept != c.kept || first != c.first {
			t.Errorf("%s: %d hours have samples, the first is %d", c.name, kept, first)
		}
		checkIntegrity(t, db)
	}
}

// The keeper aggregates the session that is being recorded; the recording and an open replay of it continue.
func TestRunningSessionIsSummedUp(t *testing.T) {
	t.Parallel()
	db := openQuiet(t, Options{Levels: true, KeepSamples: time.Hour})
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 4), &perf.Inventory{})
	push := func(from, to int) {
		for n := from; n < to; n++ {
			recorder.Column(column(n, int64(n), int64(2*n), int64(n%50), 4))
			if n%500 == 0 || n == to-1 {
				waitSaved(t, recorder, column(n).Time)
			}
		}
	}
	push(0, 4*3600+100)
	id := recorder.Status().Session
	open := replayOf(t, db, id)
	var c perf.Column
	for range 10 {
		if err := open.Next(t.Context(), time.Second, &c); err != nil {
			t.Fatal(err)
		}
	}
	if steps := keepAllLevels(t, db, id); steps < 5 {
		t.Errorf("%d steps", steps)
	}
	// The open replay continues at its position, in the remaining minutes.
	at := c.Time
	for !at.Equal(column(4*3600 + 99).Time) {
		if err := open.Next(t.Context(), time.Second, &c); err != nil {
			t.Fatal(err)
		}
		n := int64(c.Time.Sub(start) / time.Second)
		if !c.Time.After(at) || c.Time.Sub(at) > time.Minute || c.Cells[0] != n || c.Cells[2] != n%50 {
			t.Fatalf("%v follows %v: %v", c.Time, at, c.Cells)
		}
		at = c.Time
	}
	push(4*3600+100, 5*3600+100)
	keepAllLevels(t, db, id)
	closeRecorder(t, recorder)
	keepAllLevels(t, db, id)
	s, err := db.Session(t.Context(), id)
	if err != nil || s.Samples != 5*3600+100 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, band := range readBands(t, replayOf(t, db, id), 1, time.Minute) {
		if band.Count > 0 && (band.Min != 2 || band.Max != 2 || band.Average != 2) {
			t.Fatalf("a minute of a counter that rises by 2 is %+v", band)
		}
	}
	checkIntegrity(t, db)
}

// A session of minutes and hours can be extracted, imported, salvaged and trimmed like a session of samples.
func TestReducedSessionsAreExtractedAndImported(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	db := openQuiet(t, Options{Levels: true, KeepSamples: 2 * time.Hour, KeepMinutes: 4 * time.Hour})
	log := writerOf(t, db)
	log.add([]item{{schema: schemaOf(t, 1, 70), inventory: &perf.Inventory{}}})
	load := newTraffic(1, 70)
	const samples = 30*3600 + 500
	for n := range samples {
		load.step()
		log.addColumn(column(n, load.cells...))
	}
	if err := log.finish(db.writer, column(samples).Time); err != nil {
		t.Fatal(err)
	}
	db.now = func() time.Time { return column(samples).Time }
	if _, err := db.writer.Exec("UPDATE session SET kind = 'lab'"); err != nil {
		t.Fatal(err)
	}
	keepAllLevels(t, db, log.session)
	list, err := parts.All(t.Context(), db.reader, log.session)
	if err != nil || list[0].Step != parts.HourStep || !slices.ContainsFunc(list, func(w parts.Part) bool { return w.Step == parts.MinuteStep }) ||
		list[len(list)-1].Step != 0 {
		t.Fatalf("the session has no hours, minutes and samples: %v, %v", list, err)
	}
	contents := func(db *DB, id int64) []perf.Column { return play(t, replayOf(t, db, id), time.Second) }
	want := contents(db, log.session)
	directory := t.TempDir()
	cut := func(name string, from, to time.Time) *DB {
		t.Helper()
		path := filepath.Join(directory, name)
		if err := sqlite.CreateEmpty(path); err != nil {
			t.Fatal(err)
		}
		if err := db.Extract(t.Context(), log.session, from, to, path, nil); err != nil {
			t.Fatal(err)
		}
		return openAt(t, path, Options{})
	}
	whole := cut("whole.db", time.Time{}, time.Time{})
	equalColumns(t, contents(whole, log.session), want)
	if s, err := whole.Session(t.Context(), log.session); err != nil || s.Samples != samples {
		t.Errorf("%d samples, %v", s.Samples, err)
	}
	for _, step := range []time.Duration{time.Minute, time.Hour} {
		series := whole.readSeries(t, log.session)
		sameBands(t, "cut", &series[11], readBands(t, replayOf(t, whole, log.session), 11, step), readBands(t, replayOf(t, db, log.session), 11, step))
	}
	part := contents(cut("part.db", start.Add(29*time.Hour), start.Add(30*time.Hour)), log.session)
	if len(part) < 3600 || len(part) > 3600+2*120 {
		t.Errorf("an hour has %d rows", len(part))
	}
	if err := whole.Close(); err != nil {
		t.Fatal(err)
	}
	other := openNew(t, Options{})
	record(t, other, 10)
	got, err := other.Import(t.Context(), whole.Path(), transfer.Options{})
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	equalColumns(t, contents(other, got[0].ID), want)

	gone := trimmed{}
	for before := column(samples).Time.Add(-time.Hour).UnixNano(); ; {
		one := trimmed{}
		err := db.write(t.Context(), func(tx *sql.Tx) error {
			_, err := removeOldest(t.Context(), tx, log.session, before, &one)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if gone.samples, gone.bytes = gone.samples+one.samples, gone.bytes+one.bytes; one.samples == 0 {
			break
		}
	}
	left := contents(db, log.session)
	if int(gone.samples)+len(left) != samples || len(left) < 3600 || len(left) > 3600+2*120 {
		t.Errorf("%d samples were removed, and %d of %d are left", gone.samples, len(left), samples)
	}
	if blocks, _ := sqlite.Integers(t.Context(), db.reader, "SELECT count(*) FROM level WHERE finer = 0"); blocks[0] != 0 || gone.bytes == 0 {
		t.Errorf("%d blocks are left", blocks[0])
	}
	checkIntegrity(t, db)
}

// readSeries returns the series of a session.
func (db *DB) readSeries(t *testing.T, id int64) []perf.Series {
	t.Helper()
	schema, err := series.ReadSchema(t.Context(), db.reader, id, nil)
	if err != nil {
		t.Fatal(err)
	}
	return schema.Series
}
