package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/chunk"
	"cxdeck/perf/compare"
	"cxdeck/perf/monitor"
	"cxdeck/store/codec"
	"cxdeck/store/level"
	"cxdeck/store/parts"
	"cxdeck/store/rollup"
	"cxdeck/store/series"
	"cxdeck/store/sqlite"
)

// The session of BenchmarkMonth: some hours of the default lab, repeated with counters that continue.
const (
	patternHours   = 2
	patternWindows = patternHours * 3600 / codec.WindowSamples
	patternLength  = patternHours * time.Hour
)

// BenchmarkMonth opens and reads a session of thirty days of the default lab, a sample per second. Samples are kept for seven
// days, minutes for the rest, as by default; with CXDECK_MONTH_SAMPLES all samples are kept. CXDECK_MONTH names a file that
// keeps the session for the next run and other benchmarks, because writing it takes long; without it the session has two days.
func BenchmarkMonth(b *testing.B) {
	path, days := os.Getenv("CXDECK_MONTH"), 30
	options := Options{KeepSamples: 7 * 24 * time.Hour, KeepMinutes: 90 * 24 * time.Hour}
	if path == "" {
		path, days = filepath.Join(b.TempDir(), "month.db"), 2
		options.KeepSamples = 12 * time.Hour
	}
	if os.Getenv("CXDECK_MONTH_SAMPLES") != "" {
		options = Options{}
	}
	_, err := os.Stat(path)
	db := openAt(b, path, options)
	db.stop()
	db.keeperDone.Wait()
	if err != nil {
		writeMonth(b, db, days)
	}
	file, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	benchmarkRecording(b, db, 1, float64(file.Size()))
}

// benchmarkRecording opens a session, seeks in it, and reads series of it as charts do.
func benchmarkRecording(b *testing.B, db *DB, id int64, size float64) {
	b.Helper()
	b.Run("Open", func(b *testing.B) {
		for b.Loop() {
			source, err := db.Replay(b.Context(), id)
			if err != nil {
				b.Fatal(err)
			}
			<-show(b, source, func(m *monitor.Monitor) {
				_, to, _ := m.Seekable()
				if err := m.Seek(b.Context(), to); err != nil {
					b.Fatal(err)
				}
			})
		}
		b.ReportMetric(size/1e6, "MB")
	})
	source := replayOf(b, db, id)
	from, to := source.(perf.Seeker).Span()
	b.Run("Seek", func(b *testing.B) {
		source := replayOf(b, db, id)
		var slowest time.Duration
		<-show(b, source, func(m *monitor.Monitor) {
			at := time.Duration(0)
			for b.Loop() {
				began := time.Now()
				at = (at + 370_003*time.Second) % to.Sub(from)
				if err := m.Seek(b.Context(), from.Add(at)); err != nil {
					b.Fatal(err)
				}
				slowest = max(slowest, time.Since(began))
			}
		})
		b.ReportMetric(float64(slowest.Milliseconds()), "ms-worst")
	})
	benchmarkWhatChanged(b, source, to)
	for _, c := range []struct {
		name string
		days int
		step time.Duration
	}{{"Chart30Days", 30, time.Hour}, {"Chart7Days", 7, time.Minute}, {"SamplesOfADay", 1, 0}, {"AllThereIs", 30, 0}} {
		b.Run(c.name, func(b *testing.B) {
			series := 0
			var bands []perf.Band
			for b.Loop() {
				series = (series + 101) % len(source.Schema().Series)
				var err error
				bands, err = source.(perf.BandReader).ReadBands(b.Context(), series, to.AddDate(0, 0, -c.days), to, c.step, bands[:0])
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(bands)), "bands")
		})
	}
}

// benchmarkWhatChanged ranks the counters of a minute and of an hour in the last day of a session by how much they differ from the time
// before, four times as long.
func benchmarkWhatChanged(b *testing.B, source perf.Source, to time.Time) {
	b.Helper()
	for _, c := range []struct {
		name   string
		length time.Duration
	}{{"WhatChangedInAMinute", time.Minute}, {"WhatChangedInAnHour", time.Hour}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				in := compare.Range{From: to.Add(-20 * time.Hour), To: to.Add(c.length - 20*time.Hour)}
				step := compare.Step(time.Second, c.length)
				var sides [2]compare.Side
				for i, in := range []compare.Range{in.Before(), in} {
					schema, summaries, err := compare.Read(b.Context(), source, in, time.Second, step)
					if err != nil {
						b.Fatal(err)
					}
					sides[i] = compare.Side{Schema: schema, Summaries: summaries}
				}
				if found := compare.Rank(sides[0], sides[1], nil); len(found) == 0 {
					b.Fatal("nothing changed")
				}
			}
		})
	}
}

// writeMonth writes the session day by day, and sums it up like the keeper.
func writeMonth(b *testing.B, db *DB, days int) {
	b.Helper()
	recordLab(b, db, patternHours*3600, false)
	p := readPattern(b, db)
	ctx := b.Context()
	if _, err := db.writer.Exec("PRAGMA synchronous = OFF"); err != nil {
		b.Fatal(err)
	}
	var spent, worst time.Duration
	cells := &rollup.Cells{}
	for repeat := 1; repeat < days*24/patternHours; repeat++ {
		if err := db.write(ctx, func(tx *sql.Tx) error { return p.insert(ctx, tx, int64(repeat)) }); err != nil {
			b.Fatal(err)
		}
		last := repeat == days*24/patternHours-1
		if (repeat+1)*patternHours%24 != 0 && !last {
			continue
		}
		for {
			session, err := db.Session(ctx, 1)
			if err != nil {
				b.Fatal(err)
			}
			session.Running = !last
			session.Saved = db.now()
			began := time.Now()
			done, err := db.levelKeeper().Step(ctx, session, cells)
			if err != nil {
				b.Fatal(err)
			}
			spent, worst = spent+time.Since(began), max(worst, time.Since(began))
			if !done {
				break
			}
		}
		fmt.Fprintf(os.Stderr, "%d h: %s spent on levels, the longest step %s\n", (repeat+1)*patternHours, spent.Round(time.Millisecond), worst.Round(time.Millisecond))
	}
	if err := errors.Join(db.shrink(ctx), sqlite.Checkpoint(ctx, db.writer)); err != nil {
		b.Fatal(err)
	}
}

// pattern is the packed samples of some hours, and the increase of each cell over them.
type pattern struct {
	windows []patternWindow
	rise    []int64
	cells   int
}

type patternWindow struct {
	parts.Part
	times, missed []byte
	groups        []storedGroup
}

func readPattern(b *testing.B, db *DB) (p pattern) {
	b.Helper()
	ctx := b.Context()
	windows, err := parts.Windows(ctx, db.reader, 1, "", "")
	if err != nil || len(windows) != patternWindows {
		b.Fatal(len(windows), err)
	}
	for _, w := range windows {
		window := patternWindow{Part: w}
		if err := db.reader.QueryRow("SELECT times, missed FROM clock WHERE id = ?", w.ID).Scan(&window.times, &window.missed); err != nil {
			b.Fatal(err)
		}
		rows, err := db.reader.Query("SELECT place, data FROM chunk WHERE place >= ? AND place < ? ORDER BY place", parts.Key(w.ID, 0), parts.Key(w.ID+1, 0))
		if err != nil {
			b.Fatal(err)
		}
		window.groups = groupsOf(b, rows, w.ID)
		p.windows = append(p.windows, window)
	}
	columns := play(b, replayOf(b, db, 1), patternLength/2)
	source := replayOf(b, db, 1)
	var first, last perf.Column
	if err := source.Next(ctx, 0, &first); err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(source.(perf.Seeker).Seek(columns[0].Time.Add(patternLength-time.Second)), source.Next(ctx, 0, &last)); err != nil {
		b.Fatal(err)
	}
	p.cells, p.rise = len(last.Cells), make([]int64, len(last.Cells))
	for i, about := range cellsFor(b, db) {
		if about && first.Cells[i] != perf.Missing && last.Cells[i] != perf.Missing {
			p.rise[i] = last.Cells[i] - first.Cells[i]
		}
	}
	return p
}

// storedGroup is a group of cells of a window.
type storedGroup struct {
	number int
	data   []byte
}

// groupsOf returns the groups of a window from rows of the chunk table.
func groupsOf(b *testing.B, rows *sql.Rows, window int64) (groups []storedGroup) {
	b.Helper()
	defer rows.Close()
	for rows.Next() {
		var at int64
		var data []byte
		if err := rows.Scan(&at, &data); err != nil {
			b.Fatal(err)
		}
		groups = append(groups, storedGroup{int(at - parts.Key(window, 0)), data})
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
	return groups
}

// cellsFor reports for each cell whether it is a counter.
func cellsFor(b *testing.B, db *DB) (counters []bool) {
	b.Helper()
	schema, err := series.ReadSchema(b.Context(), db.reader, 1, nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, cell := range level.CellsOf(schema) {
		counters = append(counters, cell.Kind == 1)
	}
	return counters
}

// insert appends the pattern to the session.
func (p *pattern) insert(ctx context.Context, tx *sql.Tx, repeat int64) error {
	later := repeat * int64(patternLength)
	for _, w := range p.windows {
		result, err := tx.ExecContext(ctx, parts.InsertClock, 1, w.Started+later, w.Ended+later, w.Stored, w.Cells, moved(w.times, later), w.missed)
		if err != nil {
			return err
		}
		id, err := result.LastInsertId()
		if err != nil {
			return err
		}
		for _, group := range w.groups {
			var data []byte
			rest := group.data
			for cell := group.number * codec.GroupCells; len(rest) > 0; cell++ {
				m, behind, err := codec.NextMember(rest)
				if err != nil {
					return err
				}
				rest = behind
				if m.Block == nil {
					data = binary.AppendUvarint(data, uint64(m.Like)<<1|1)
					data = binary.AppendVarint(data, m.First+repeat*p.rise[cell])
					continue
				}
				block := moved(m.Block, repeat*p.rise[cell])
				data = binary.AppendUvarint(data, uint64(len(block))<<1)
				data = append(data, block...)
			}
			if _, err := tx.ExecContext(ctx, parts.InsertChunk, parts.Key(id, group.number), data); err != nil {
				return err
			}
		}
	}
	_, err := tx.ExecContext(ctx, "UPDATE session SET state = 0, samples = samples + ?, ended = ended + ? WHERE id = 1", patternHours*3600, int64(patternLength))
	return err
}

// moved returns a block with by added to all values.
func moved(block []byte, by int64) []byte {
	if by == 0 {
		return block
	}
	_, size := binary.Uvarint(block)
	first, n := binary.Varint(block[size:])
	if first == perf.Missing {
		return block
	}
	dst := append([]byte(nil), block[:size]...)
	dst = binary.AppendVarint(dst, first+by)
	return append(dst, block[size+n:]...)
}

// A moved block differs from the original only by the offset.
func TestMovedBlocks(t *testing.T) {
	t.Parallel()
	for _, values := range [][]int64{{5}, {1, 2, 3, 4, 5, 6}, {7, 7, 7, 1000000, 7}} {
		got, err := chunk.Decode(nil, moved(chunk.Append(nil, values), 1<<40))
		if err != nil || len(got) != len(values) {
			t.Fatal(got, err)
		}
		for i := range got {
			if got[i] != values[i]+1<<40 {
				t.Errorf("%v became %v", values, got)
			}
		}
	}
}
