package registry

import (
	"strings"
	"testing"

	"cxdeck/device/description"
)

func TestSearchRanksNamesFirst(t *testing.T) {
	t.Parallel()
	c := Keys(description.WinOF2)
	for _, test := range []struct {
		query string
		first string
		also  []string
	}{
		{"*jumbopacket", "*JumboPacket", nil},
		{"receive ring", "*ReceiveBuffers", []string{"ReturnPacketThreshold"}},
		{"interrupt", "*InterruptModeration", []string{"RxIntModeration", "RecvCompletionMethod"}},
		{"buffers bursts", "*ReceiveBuffers", []string{"AsyncReceiveIndicate"}},
		{"head of queue", "TCHeadOfQueueLifeTimeLimit", nil},
		{"aggressive", "RxIntModerationProfile", []string{"TxIntModerationProfile"}}, // the label of a value
		{"nack", "", nil},
		{"   ", "", nil}, {"", "", nil}, {"* **", "", nil},
		{strings.Repeat("rss ", 5000), "*RSS", nil},
	} {
		hits := c.Search(test.query)
		if test.first == "" {
			if len(hits) > 0 {
				t.Errorf("%q found %s", test.query, hits[0].Row.Name)
			}
			continue
		}
		if len(hits) == 0 || hits[0].Row.Name != test.first {
			t.Errorf("%.20q found %d, first %v; want %s", test.query, len(hits), first(hits), test.first)
		}
		for _, name := range test.also {
			if !found(hits, name) {
				t.Errorf("%q did not find %s", test.query, name)
			}
		}
		for i := range hits[1:] {
			if hits[i].Score < hits[i+1].Score {
				t.Errorf("%q is out of order", test.query)
			}
		}
	}
}

func first(hits []Hit) string {
	if len(hits) == 0 {
		return "nothing"
	}
	return hits[0].Row.Name
}

func found(hits []Hit, name string) bool {
	for _, h := range hits {
		if h.Row.Name == name {
			return true
		}
	}
	return false
}

func TestSearchKeepsToScopes(t *testing.T) {
	t.Parallel()
	for _, h := range Keys(description.WinOF).Search("sriov", BusDriver) {
		if h.Row.Scope != BusDriver {
			t.Errorf("found %s of %s", h.Row.Name, h.Row.Scope)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	c := Keys(description.WinOF2)
	for b.Loop() {
		c.Search("receive buffer drops")
	}
}

func BenchmarkVerdicts(b *testing.B) {
	e := reading(description.WinOF2, description.Ethernet, map[string]Value{"*RSS": NumberValue(0)})
	for b.Loop() {
		e.Findings()
	}
}

func BenchmarkTables(b *testing.B) {
	for b.Loop() {
		for family, text := range map[description.Family]string{description.WinOF: tableWinOF, description.WinOF2: tableWinOF2} {
			if _, err := read(text, family); err != nil {
				b.Fatal(err)
			}
		}
	}
}
