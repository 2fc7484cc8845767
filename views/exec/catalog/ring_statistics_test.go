package catalog

import (
	"encoding/json"
	"testing"
)

// TestRingStatisticsDifference checks rule P3: RXD and TXD show the difference between two readings.
func TestRingStatisticsDifference(t *testing.T) {
	t.Parallel()
	read := func(lines ...string) map[string]uint64 {
		b := newBench(t, nil)
		b.JSON = true
		b.script("advance 7s")
		for _, line := range lines {
			b.out.Reset()
			b.script(line)
		}
		var said struct {
			Result struct {
				Rings []struct {
					Ring     string
					Counters []struct {
						Counter string
						Value   float64
					}
				}
			}
		}
		if err := json.Unmarshal(b.out.Bytes(), &said); err != nil || b.errs.Len() > 0 {
			t.Fatal(err, b.errs.String())
		}
		values := map[string]uint64{}
		for _, ring := range said.Result.Rings {
			for _, c := range ring.Counters {
				values[ring.Ring+" "+c.Counter] = uint64(c.Value)
			}
		}
		return values
	}
	for _, way := range []string{"RX", "TX"} {
		show := `mlxtool show perfstats "Ethernet 3" ` + way
		before, after, passed := read(show), read("advance 10s", show), read(show+"D 10")
		moved := false
		for counter, n := range passed {
			want := after[counter] - before[counter]
			switch counter[len("RX 0 "):] {
			case "Average Packets Per DPC", "Average Packets Per Thread", "Average Completions", "Ring Throughput Runtime":
				want = after[counter]
			}
			moved = moved || n > 0
			if n != want {
				t.Errorf("%s: %d in ten seconds, the snapshots differ by %d", counter, n, want)
			}
		}
		if !moved {
			t.Errorf("%s: nothing moved", way)
		}
	}
}
