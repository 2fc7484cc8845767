package level

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/chunk"
	"cxdeck/store/codec"
)

// recording is samples of a few cells, with the row of each sample.
type recording struct {
	rows     Rows
	samples  Samples
	readings [][]int64
}

// series returns one series for each way of aggregating.
func series() []perf.Series {
	return []perf.Series{
		{Counter: "gauge", Kind: perf.Gauge, Cell: 0},
		{Counter: "temperature", Kind: perf.Gauge, Cell: 1, Scale: 0.1},
		{Counter: "bytes", Kind: perf.Rate, Cell: 2},
		{Counter: "wrapping", Kind: perf.Rate, Cell: 3, Width: 32},
		{Counter: "total", Kind: perf.Cumulative, Cell: 4},
		{Counter: "float", Kind: perf.Gauge, Cell: 5, Scale: perf.FloatCells},
		{Counter: "still", Kind: perf.Rate, Cell: 6},
		{Counter: "like bytes", Kind: perf.Rate, Cell: 7},
		{Counter: "absent", Kind: perf.Rate, Cell: 8},
		{Counter: "name", Kind: perf.Identity, Cell: 9},
	}
}

func record(random *rand.Rand, rows int) recording {
	var r recording
	r.readings = make([][]int64, len(series()))
	at := int64(1_700_000_000e9)
	values := make([]int64, len(series()))
	for row := range rows {
		count := 1 + random.IntN(70)
		started := at
		var missedFirst int64
		for i := range count {
			missed := int64(max(0, random.IntN(30)-28))
			if i == 0 {
				missedFirst = missed
			}
			at += (1 + missed) * 1e9
			if random.IntN(2) == 0 {
				at += random.Int64N(5e6)
			}
			if i == 0 {
				started = at
			}
			r.samples.Row = append(r.samples.Row, row)
			r.samples.Times, r.samples.Missed = append(r.samples.Times, at), append(r.samples.Missed, missed)
			values[0] = random.Int64N(1000) - 500
			values[1] += random.Int64N(7) - 3
			values[2] += random.Int64N(5e9)
			values[3] = int64(uint32(values[3]) + random.Uint32N(1<<28))
			if values[4] += random.Int64N(3); random.IntN(50) == 0 {
				values[4] = 0
			}
			values[5] = floatBits(random.NormFloat64() * 1e6)
			values[7] = values[2] + 12345
			values[8] = perf.Missing
			values[9] = int64(random.Uint64() >> 24)
			for cell, value := range values {
				if random.IntN(40) == 0 && cell != 7 && cell != 2 {
					value = perf.Missing
				}
				r.readings[cell] = append(r.readings[cell], value)
			}
		}
		r.rows.Add(started, at, int64(count), missedFirst)
		at += 1e9 * random.Int64N(2)
	}
	return r
}

// sumUp returns the columns of a recording.
func (r *recording) sumUp() []Column {
	schema := perf.UncheckedSchema(1, len(series()), series())
	columns := make([]Column, schema.Cells)
	for cell, about := range CellsOf(schema) {
		columns[cell].Reset(about.Kind, r.rows.Len())
		columns[cell].Add(about.Width, &r.samples, perf.Missing, r.readings[cell])
	}
	return columns
}

// Rows match the values of their samples for each kind: bounds, average and last.
func TestRowsMatchTheirSamples(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 1))
		r := record(random, 1+random.IntN(MaxRows))
		columns := r.sumUp()
		for cell, s := range series() {
			for row := range r.rows.Len() {
				checkBand(t, &r, s, &columns[cell], row)
			}
		}
	}
}

func checkBand(t *testing.T, r *recording, s perf.Series, column *Column, row int) {
	t.Helper()
	smallest, largest, sum, count, last := math.Inf(1), math.Inf(-1), 0.0, 0, math.NaN()
	cell := s.Cell
	rated := s
	rated.Cell = 0
	if s.Kind == perf.Cumulative {
		rated.Kind = perf.Rate
	}
	for i, of := range r.samples.Row {
		if of != row {
			continue
		}
		now := perf.Column{Time: instant(r.samples.Times[i]), Missed: int(r.samples.Missed[i]), Cells: []int64{r.readings[cell][i]}}
		var before *perf.Column
		if i > 0 {
			before = &perf.Column{Time: instant(r.samples.Times[i-1]), Cells: []int64{r.readings[cell][i-1]}}
		}
		if now.Cells[0] != perf.Missing && s.Kind != perf.Rate {
			last = s.CellValue(now.Cells[0])
		}
		if value, ok := rated.Value(before, &now); ok {
			smallest, largest, sum = min(smallest, value), max(largest, value), sum+value
			count++
		}
	}
	gotSmallest, gotLargest, average, gotLast := column.Band(&s, row)
	near := func(got, want float64) bool {
		return math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) <= 0.0011+1e-12*math.Abs(want)
	}
	if gotLast != last && !(math.IsNaN(gotLast) && math.IsNaN(last)) || int(column.Count[row]) != count {
		t.Fatalf("%s, row %d: last %v, want %v; count %d, want %d", s.Counter, row, gotLast, last, column.Count[row], count)
	}
	if count == 0 {
		if !math.IsNaN(average) {
			t.Fatalf("%s, row %d: the average of nothing is %v", s.Counter, row, average)
		}
		return
	}
	if !near(gotSmallest, smallest) || !near(gotLargest, largest) || !near(average, sum/float64(count)) {
		t.Fatalf("%s, row %d: %v %v %v, want %v %v %v", s.Counter, row, gotSmallest, average, gotLargest, smallest, sum/float64(count), largest)
	}
	if gotSmallest > smallest || gotLargest < largest || gotSmallest > average || average > gotLargest {
		t.Fatalf("%s, row %d: %v..%v does not bound %v..%v and %v", s.Counter, row, gotSmallest, gotLargest, smallest, largest, average)
	}
}

// Packed rows are unpacked unchanged, and twins are packed as references.
func TestPackedRowsAreUnpacked(t *testing.T) {
	t.Parallel()
	var e Encoder
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 2))
		r := record(random, 1+random.IntN(MaxRows))
		columns := r.sumUp()
		e.Reset()
		var group []byte
		for cell := range columns {
			group = e.Append(group, cell, &columns[cell], &r.rows)
		}
		var rows Rows
		if err := rows.Read(r.rows.Append(nil)); err != nil || !slices.Equal(rows.Started, r.rows.Started) || !slices.Equal(rows.Ended, r.rows.Ended) {
			t.Fatalf("rows %+v, %v", rows, err)
		}
		if !Readable(group) {
			t.Fatal("a sound group is damaged")
		}
		groups := func(int) ([]byte, error) { return group, nil }
		for cell := range columns {
			var back Column
			if err := back.Decode(group, cell, &rows, groups); err != nil {
				t.Fatal(err)
			}
			checkColumn(t, cell, &back, &columns[cell])
		}
		seen := 0
		err := EachLast(group, 0, len(columns), rows.Len(), groups, func(cell int, last []int64) {
			if !slices.Equal(last, columns[cell].Last) || cell != seen {
				t.Fatalf("cell %d: last %v", cell, last)
			}
			seen++
		})
		var each Column
		err = errors.Join(err, each.Each(group, 0, len(columns), &rows, groups, func(cell int) { checkColumn(t, cell, &each, &columns[cell]) }))
		if err != nil || seen != len(columns) {
			t.Fatalf("%d cells, %v", seen, err)
		}
	}
}

func checkColumn(t *testing.T, cell int, got, want *Column) {
	t.Helper()
	if got.Kind != want.Kind || !slices.Equal(got.Last, want.Last) || !slices.Equal(got.Count, want.Count) || !slices.Equal(got.Sum, want.Sum) {
		t.Fatalf("cell %d: %+v, want %+v", cell, got, want)
	}
	for i, count := range want.Count {
		if count > 0 && (got.Min[i] != want.Min[i] || got.Max[i] != want.Max[i]) {
			t.Fatalf("cell %d, row %d: %d..%d, want %d..%d", cell, i, got.Min[i], got.Max[i], want.Min[i], want.Max[i])
		}
	}
}

// An hour aggregated from minutes equals the hour aggregated from samples.
func TestHoursOfMinutesMatchHoursOfSamples(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 3))
		r := record(random, 1+random.IntN(MaxRows))
		minutes := r.sumUp()
		whole := r
		whole.samples.Row = make([]int, len(r.samples.Row))
		whole.rows = Rows{}
		whole.rows.Add(r.rows.Started[0], r.rows.Ended[r.rows.Len()-1], int64(len(r.samples.Row)), r.rows.Missed[0])
		hours := whole.sumUp()
		for cell := range minutes {
			var hour Column
			hour.Reset(minutes[cell].Kind, 1)
			for i := range r.rows.Len() {
				hour.Merge(0, &minutes[cell], i)
			}
			if minutes[cell].Kind == Float {
				if got, want := float(hour.Sum[0]), float(hours[cell].Sum[0]); math.Abs(got-want) > 1e-6*math.Abs(want)+1e-3 {
					t.Errorf("the sum of floats is %v, want %v", got, want)
				}
				hour.Sum[0] = hours[cell].Sum[0]
			}
			checkColumn(t, cell, &hour, &hours[cell])
		}
	}
}

func TestThousandthsAreBounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change         uint64
		elapsed        int64
		low, near, top int64
	}{
		{0, 1e9, 0, 0, 0}, {7, 1e9, 7000, 7000, 7000}, {1, 3e9, 333, 333, 334}, {2, 3e9, 666, 667, 667}, {1, 2e9, 500, 500, 500},
		{1, 2e12, 0, 1, 1}, {1 << 63, 1e9, maxThousandths, maxThousandths, maxThousandths},
		{math.MaxUint64, 1, maxThousandths, maxThousandths, maxThousandths},
	} {
		if low, near, top := thousandths(c.change, c.elapsed); low != c.low || near != c.near || top != c.top {
			t.Errorf("%d in %d: %d %d %d", c.change, c.elapsed, low, near, top)
		}
	}
}

// A tampered block gives an error, or consistent numbers.
func FuzzBlock(f *testing.F) {
	var e Encoder
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 4))
		r := record(random, 5)
		columns := r.sumUp()
		e.Reset()
		var group []byte
		for cell := range columns {
			group = e.Append(group, cell, &columns[cell], &r.rows)
		}
		f.Add(r.rows.Append(nil), group, uint16(seed))
	}
	f.Add([]byte{}, []byte{0x3e}, uint16(63))
	f.Fuzz(func(t *testing.T, packed, group []byte, cell uint16) {
		var rows Rows
		if err := rows.Read(packed); err != nil {
			if !errors.Is(err, chunk.ErrCorrupt) {
				t.Errorf("an error of another kind: %v", err)
			}
			rows.Reset()
			rows.Add(1, 2, 3, 0)
		}
		Readable(group)
		var c Column
		err := c.Decode(group, int(cell), &rows, func(int) ([]byte, error) { return group, nil })
		if err != nil {
			if !errors.Is(err, chunk.ErrCorrupt) {
				t.Errorf("an error of another kind: %v", err)
			}
			return
		}
		for i := range rows.Len() {
			if c.Count[i] < 0 || c.Count[i] > rows.Samples[i] {
				t.Errorf("row %d aggregates %d of %d samples", i, c.Count[i], rows.Samples[i])
			}
		}
		var again Column
		again.Reset(c.Kind, 1)
		for i := range rows.Len() {
			again.Merge(0, &c, i)
		}
		for _, s := range series() {
			c.Band(&s, 0)
		}
		err = EachLast(group, 0, codec.GroupCells, rows.Len(), func(int) ([]byte, error) { return group, nil }, func(int, []int64) {})
		if err != nil && !errors.Is(err, chunk.ErrCorrupt) {
			t.Errorf("an error of another kind: %v", err)
		}
	})
}

func instant(at int64) time.Time { return time.Unix(0, at) }
