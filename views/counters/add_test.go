package counters

import (
	"slices"
	"testing"
)

func TestAddPartsLieApart(t *testing.T) {
	t.Parallel()
	for width := 52; width <= 116; width += 8 {
		for height := 9; height <= 30; height += 3 {
			for focus := range partCount {
				a := arrangeAdd(width, height, focus, 7)
				parts := []rect{a.search, a.parts[partSets], a.parts[partCounters], a.parts[partInstances], a.description, a.button}
				for i, p := range parts {
					if !inside(p, width, height) {
						t.Errorf("%dx%d: part %d lies outside: %+v", width, height, i, p)
					}
					for _, q := range parts[i+1:] {
						if overlap(p, q) {
							t.Errorf("%dx%d: %+v and %+v overlap", width, height, p, q)
						}
					}
				}
			}
		}
	}
}

func TestSearchFindsWordsAcrossThePath(t *testing.T) {
	t.Parallel()
	x := makeIndex(newMadeUp(t, 3).schema)
	names := func(f found) (counters, instances []string) {
		for _, s := range f.sets {
			for _, c := range s.counters {
				counters = append(counters, x.sets[s.set].counters[c])
			}
			for _, i := range s.instances {
				instances = append(instances, x.sets[s.set].instances[i])
			}
		}
		return counters, instances
	}
	for _, test := range []struct {
		text                string
		counters, instances []string
	}{
		{"sent PORT interface", []string{"Bytes Sent/sec"}, []string{"Port 1", "Port 2", "Port 3"}},
		{"discarded/sec 2", []string{"Packets Received Discarded/sec"}, []string{"Port 2"}},
		{"total", []string{"Bytes Sent/sec", "Bytes Received/sec", "Packets Received Discarded/sec", "Packets Received Discarded"}, []string{"_Total"}},
		{"nothing like it", nil, nil},
	} {
		counters, instances := names(x.search(test.text))
		if !slices.Equal(counters, test.counters) || !slices.Equal(instances, test.instances) {
			t.Errorf("%q finds %q of %q, want %q of %q", test.text, counters, instances, test.counters, test.instances)
		}
	}
}
