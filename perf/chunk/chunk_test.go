package chunk_test

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cxdeck/perf/chunk"
)

// shapes returns kinds of series that must be unpacked unchanged.
func shapes(random *rand.Rand, length int) map[string][]int64 {
	make64 := func(next func(i int, previous int64) int64) []int64 {
		values := make([]int64, length)
		var previous int64
		for i := range values {
			previous = next(i, previous)
			values[i] = previous
		}
		return values
	}
	return map[string][]int64{
		"zero":  make64(func(int, int64) int64 { return 0 }),
		"still": make64(func(int, int64) int64 { return 77_412_334 }),
		"climb": make64(func(_ int, last int64) int64 { return last + 1_000_000 }),
		"rare": make64(func(_ int, last int64) int64 {
			if random.IntN(40) == 0 {
				return last + random.Int64N(300)
			}
			return last
		}),
		"packets": make64(func(_ int, last int64) int64 { return last + 40_000 + random.Int64N(9000) }),
		"bytes":   make64(func(_ int, last int64) int64 { return last + 60_000_000 + random.Int64N(12_000_000) }),
		"gauge":   make64(func(int, int64) int64 { return random.Int64N(200) - 100 }),
		"wrap":    make64(func(i int, _ int64) int64 { return math.MaxInt64 - 5 + int64(i)*3 }),
		"wild":    make64(func(int, int64) int64 { return int64(random.Uint64()) }),
		"missing": make64(func(i int, last int64) int64 {
			if i%17 == 3 {
				return math.MinInt64
			}
			return int64(i) * 1000
		}),
		"ends": make64(func(i int, _ int64) int64 { return []int64{math.MinInt64, math.MaxInt64, 0}[i%3] }),
	}
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, length := range []int{0, 1, 2, 3, 9, 60, 61, 120, 1000, chunk.MaxValues} {
		for name, values := range shapes(random, length) {
			block := chunk.Append([]byte("before"), values)
			if string(block[:6]) != "before" {
				t.Fatalf("%s of %d: data before the block was changed", name, length)
			}
			got, err := chunk.Decode([]int64{-1}, block[6:])
			if err != nil {
				t.Fatalf("%s of %d: %v", name, length, err)
			}
			if got[0] != -1 || !slices.Equal(got[1:], values) {
				t.Fatalf("%s of %d: the unpacked values differ", name, length)
			}
		}
	}
}

// TestEveryWidth packs differences of each width in bits, to find errors in shifts.
func TestEveryWidth(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for width := range 65 {
		for length := 2; length < 70; length++ {
			values := make([]int64, length)
			for i := 1; i < length; i++ {
				values[i] = values[i-1] + int64(random.Uint64()&(1<<width-1))
			}
			got, err := chunk.Decode(nil, chunk.Append(nil, values))
			if err != nil || !slices.Equal(got, values) {
				t.Fatalf("width %d, %d values: %v, %v", width, length, got, err)
			}
		}
	}
}

func TestCorruptBlocksAreErrors(t *testing.T) {
	t.Parallel()
	huge := binary.AppendUvarint(nil, math.MaxUint64)
	for name, block := range map[string][]byte{
		"empty":                 {},
		"count cut":             {0x80},
		"count too large":       append(huge, 0, 0),
		"no first value":        {5},
		"no form":               {5, 2},
		"unknown form":          {5, 2, 66},
		"packed cut":            {5, 2, 8, 0, 1, 2, 3},
		"packed too long":       {5, 2, 8, 0, 1, 2, 3, 4, 5},
		"no smallest":           {5, 2, 8},
		"sparse pair cut":       {5, 2, 65, 1},
		"sparse past its end":   {5, 2, 65, 4, 2},
		"sparse gap overflows":  append(append([]byte{5, 2, 65}, huge...), 2),
		"bytes after nothing":   {0, 1},
		"bytes after one value": {1, 2, 3},
	} {
		before := []int64{4, 5}
		got, err := chunk.Decode(before, block)
		if !errors.Is(err, chunk.ErrCorrupt) {
			t.Errorf("%s: error %v, want one that wraps ErrCorrupt", name, err)
		}
		if len(got) != 2 {
			t.Errorf("%s: %d values were returned with the error", name, len(got)-2)
		}
	}
}

func TestNoAllocationWithRoom(t *testing.T) {
	values := shapes(rand.New(rand.NewPCG(5, 6)), 120)["bytes"]
	block := make([]byte, 0, 2000)
	out := make([]int64, 0, 200)
	if count := testing.AllocsPerRun(100, func() {
		block = chunk.Append(block[:0], values)
		out, _ = chunk.Decode(out[:0], block)
	}); count != 0 {
		t.Errorf("%v allocations, want none", count)
	}
}

func FuzzDecode(f *testing.F) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, length := range []int{0, 1, 2, 60} {
		for _, values := range shapes(random, length) {
			f.Add(chunk.Append(nil, values))
		}
	}
	f.Fuzz(func(t *testing.T, block []byte) {
		values, err := chunk.Decode(nil, block)
		if err != nil {
			return
		}
		again, err := chunk.Decode(nil, chunk.Append(nil, values))
		if err != nil || !slices.Equal(again, values) {
			t.Fatalf("values of a valid block differ after packing: %v", err)
		}
	})
}

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte{}, uint8(3))
	f.Add([]byte("a few bytes to make numbers of, some of them alike"), uint8(9))
	f.Fuzz(func(t *testing.T, raw []byte, shift uint8) {
		var values []int64
		for len(raw) >= 8 && len(values) < chunk.MaxValues {
			values = append(values, int64(binary.LittleEndian.Uint64(raw)>>(shift%64)))
			raw = raw[1:]
		}
		got, err := chunk.Decode(nil, chunk.Append(nil, values))
		if err != nil || !slices.Equal(got, values) {
			t.Fatalf("the unpacked values differ: %v", err)
		}
	})
}

// mixed returns typical data: 60% constant, 20% rare, 8% packet and 7% byte counters, 5% gauges.
func mixed(series, length int) [][]int64 {
	random := rand.New(rand.NewPCG(9, 10))
	all := make([][]int64, series)
	for i := range all {
		some := shapes(random, length)
		switch share := i % 100; {
		case share < 30:
			all[i] = some["zero"]
		case share < 60:
			all[i] = some["still"]
		case share < 80:
			all[i] = some["rare"]
		case share < 88:
			all[i] = some["packets"]
		case share < 95:
			all[i] = some["bytes"]
		default:
			all[i] = some["gauge"]
		}
	}
	return all
}

func BenchmarkEncode(b *testing.B) {
	all := mixed(1000, 120)
	dst := make([]byte, 0, 1<<20)
	samples, size := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		dst = dst[:0]
		for _, values := range all {
			dst = chunk.Append(dst, values)
		}
		samples += 1000 * 120
		size += len(dst)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(samples), "ns/sample")
	b.ReportMetric(float64(size)/float64(samples), "B/sample")
}

func BenchmarkDecode(b *testing.B) {
	var blocks [][]byte
	for _, values := range mixed(1000, 120) {
		blocks = append(blocks, chunk.Append(nil, values))
	}
	dst := make([]int64, 0, 200)
	samples := 0
	b.ReportAllocs()
	for b.Loop() {
		for _, block := range blocks {
			dst, _ = chunk.Decode(dst[:0], block)
		}
		samples += 1000 * 120
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(samples), "ns/sample")
}
