package window

import (
	"math/rand/v2"
	"slices"
	"testing"

	"cxdeck/perf"
)

// TestColumnsKeepEveryCell pushes columns of growing width, clears and resizes, and compares its cells with a plain list.
func TestColumnsKeepEveryCell(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 1))
		capacity := 100 + random.IntN(200)
		c := newColumns(capacity)
		var plain [][]int64
		kept := 0 // the number of expected columns
		cells := 1 + random.IntN(100)
		widths := []int{cells}
		for range 900 {
			switch random.IntN(200) {
			case 0:
				cells += random.IntN(2500)
				widths = append(widths, cells)
			case 1:
				c.clear()
				plain, kept = nil, 0
			case 2:
				capacity = 100 + random.IntN(300)
				c.resize(capacity)
				kept = min(kept, capacity)
			}
			batch := 1
			if random.IntN(30) == 0 {
				batch = 1 + random.IntN(150)
			}
			begin := len(plain)
			for range batch {
				row := make([]int64, cells)
				for i := range row {
					row[i] = int64(i)*1000 + int64(len(plain))*int64(i%3)
				}
				plain = append(plain, row)
			}
			if batch > 1 {
				pushRows(t, c, plain[begin:], int64(begin+1)*1e9)
			} else {
				c.push(int64(len(plain))*1e9, len(plain)%7 == 0, plain[begin])
			}
			kept = min(kept+batch, capacity)
		}
		if got := int(c.next - c.oldest()); got != kept {
			t.Fatalf("seed %d: %d columns are kept, want %d", seed, got, kept)
		}
		for range 300 {
			cell := random.IntN(cells)
			if random.IntN(2) == 0 { // beyond the last cell at that time
				cell = min(max(widths[random.IntN(len(widths))]+random.IntN(3)-1, 0), cells-1)
			}
			from := c.oldest() + random.Uint64N(uint64(kept))
			to := from + random.Uint64N(c.next-from+1)
			var want []int64
			for _, row := range plain[from:to] {
				if cell < len(row) {
					want = append(want, row[cell])
				} else {
					want = append(want, perf.Missing)
				}
			}
			if got := c.read(cell, from, to, nil); !slices.Equal(got, want) {
				t.Fatalf("seed %d: cell %d of columns %d to %d of %d:\n got %v\nwant %v", seed, cell, from, to, c.next, got, want)
			}
		}
	}
}

// pushRows pushes rows a second apart as one batch.
func pushRows(t *testing.T, c *columns, rows [][]int64, from int64) {
	t.Helper()
	batch := &perf.Batch{Missed: make([]int64, len(rows)), Cells: len(rows[0]), Read: func(cell int, dst []int64) ([]int64, error) {
		for _, row := range rows {
			dst = append(dst, row[cell])
		}
		return dst, nil
	}}
	for i := range rows {
		batch.Times = append(batch.Times, from+int64(i)*1e9)
	}
	if err := c.pushBatch(batch); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkSeal(b *testing.B) {
	c := newColumns(600)
	row := make([]int64, 64*60)
	for i := range 120 {
		for j := range row {
			row[j] += int64(i * j % 97)
		}
		c.push(int64(i), false, row)
	}
	b.ReportAllocs()
	for b.Loop() {
		c.packTile(3)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(64*60), "ns/sample")
}

// TestALevelAllocatesByTheHour adds values in two hours of a day, and reads and clears the others.
func TestALevelAllocatesByTheHour(t *testing.T) {
	t.Parallel()
	var l level
	l.periodToAdd(5).add(1)
	l.periodToAdd(levelCount + 3*hourCount).add(2)
	for number := range int64(levelCount) {
		if got := l.period(number); number != 5 && number != 3*hourCount && got != (summary{}) {
			t.Fatalf("period %d is %v, although no value was added", number, got)
		}
		if number > 5 {
			l.clearPeriod(number)
		}
	}
	taken := 0
	for _, hour := range l.hours {
		if hour != nil {
			taken++
		}
	}
	if l.period(5).count != 1 || l.period(3*hourCount).count != 0 || taken != 2 {
		t.Errorf("%d hours are in memory, want 2; period 5 is %v", taken, l.period(5))
	}
}
