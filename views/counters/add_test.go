package counters

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/perf"
)

func TestAddPartsLieApart(t *testing.T) {
	t.Parallel()
	for width := 52; width <= 116; width += 8 {
		for height := 9; height <= 30; height += 3 {
			for focus := range partCount {
				a := arrangeAdd(width, height, focus, 7, height%6)
				parts := []rect{a.search, a.parts[partSets], a.parts[partCounters], a.parts[partInstances], a.description, a.basket, a.button}
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

// TestAddKeepsItsTicksOverSearches chooses counters by two searches and in two sets, and adds all of them at once.
func TestAddKeepsItsTicksOverSearches(t *testing.T) {
	t.Parallel()
	s, stage := staged(t, watched(t))
	stage.Press("E", "a")
	choose := func(search string, keys ...string) {
		stage.Press("/", "ctrl+u")
		stage.Type(search)
		stage.Press("enter", "enter")
		stage.Press(keys...)
	}
	stage.Press("tab")
	choose("cxdeck port discarded ethernet 7", " ")
	stage.Want("Chosen: Packets Discarded/sec of Ethernet 7")
	choose("cxdeck port bytes ethernet 7", "A")
	stage.Want("Chosen: Bytes Received/sec, Bytes Sent/sec, Packets Discarded/sec of Ethernet 7")
	choose("winof 2 port qos pause", " ")
	stage.Want("Chosen: ", "(cxdeck Port)", "(Mellanox WinOF-2 Port QoS)")
	choose("nothing like it")
	stage.Want("Chosen: ", "(cxdeck Port)")
	if len(s.curves) > 0 {
		t.Fatal("it was added already")
	}
	choose("winof 2 port qos pause", "enter")
	sets := map[string]int{}
	for i := range s.curves {
		sets[s.curves[i].set]++
	}
	if sets["cxdeck Port"] < 3 || sets["Mellanox WinOF-2 Port QoS"] == 0 || len(sets) != 2 {
		t.Errorf("the curves are of %v", sets)
	}
	stage.Press("a", "tab", "tab", " ")
	stage.Want("Chosen: ")
	stage.Press("E")
	stage.WantNot("Chosen: ")
}

func TestSearchWords(t *testing.T) {
	t.Parallel()
	schema, err := perf.NewSchema(1, 1, []perf.Series{
		{Set: "Network Interface", Instance: "Port 1", Counter: "Packets Received Discarded"},
		{Set: "Network Interface", Instance: "Port 1", Counter: "Packets Outbound Errors"},
		{Set: "Network Interface", Instance: "Port 10", Counter: "Packets Received Discarded"},
		{Set: "Mellanox Port QoS", Instance: "Port 1", Counter: "Rcv Pause Frames"},
		{Set: "Mellanox Port QoS", Instance: "Port 1", Counter: "Sent Discard Frames"},
		{Set: "Diagnostics", Instance: "Port 1", Counter: "RX PACKET DROPS"},
		{Set: "Diagnostics", Instance: "Port 1", Counter: "Dropless Mode Entries"},
		{Set: "Diagnostics", Instance: "Port 1", Counter: "Responder retransmissions"},
	})
	if err != nil {
		t.Fatal(err)
	}
	x := makeIndex(schema)
	for text, want := range map[string][]string{
		"drop":               {"RX PACKET DROPS", "Sent Discard Frames", "Packets Received Discarded"}, // not the start of dropless
		"lost received":      {"RX PACKET DROPS", "Packets Received Discarded"},
		"dropl":              {"Dropless Mode Entries"},
		"discrad":            {"Sent Discard Frames"}, // misspelt
		"retry":              {"Responder retransmissions"},
		"pfc rx":             {"Rcv Pause Frames"},
		"packets received":   {"RX PACKET DROPS", "Rcv Pause Frames", "Packets Received Discarded"},
		"discarded port 1":   {"RX PACKET DROPS", "Sent Discard Frames", "Packets Received Discarded"},
		"RECEIVED/discarded": {"RX PACKET DROPS", "Packets Received Discarded"},
		"eived":              {"Packets Received Discarded"}, // inside a word
		"zzzz":               nil,
		"drop zzzz":          nil,
		"":                   {"RX PACKET DROPS", "Dropless Mode Entries", "Responder retransmissions", "Rcv Pause Frames", "Sent Discard Frames", "Packets Received Discarded", "Packets Outbound Errors"},
	} {
		var got []string
		for _, set := range x.search(text).sets {
			for _, counter := range set.counters {
				got = append(got, x.sets[set.set].counters[counter])
			}
			for _, instance := range set.instances {
				if name := x.sets[set.set].instances[instance]; name == "Port 10" && strings.HasSuffix(text, " 1") {
					t.Errorf("%q finds %s", text, name)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

// TestEverySynonymFindsTheOthers: in the lab, each word of a group finds what each other one finds.
func TestEverySynonymFindsTheOthers(t *testing.T) {
	t.Parallel()
	for _, group := range synonyms {
		first := parseSearch(group[0])[0]
		for _, word := range group {
			if got := parseSearch(word)[0].fits(group[0], wordsOf(group[0])); got != wholeWord {
				t.Errorf("%s does not find %s", word, group[0])
			}
			if got := first.fits(word, wordsOf(word)); got != wholeWord {
				t.Errorf("%s does not find %s", group[0], word)
			}
		}
	}
}
