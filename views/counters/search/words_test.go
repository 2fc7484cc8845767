package search

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/perf"
)

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
	x := NewIndex(schema)
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
		"rx packet drops responder retransmissions rcv pause frames port 1": nil, // every word must match, also the ninth
		"packets packet frames frame received rcv rx recv 10":               {"Packets Received Discarded"},
		"zzzz":      nil,
		"drop zzzz": nil,
		"":          {"RX PACKET DROPS", "Dropless Mode Entries", "Responder retransmissions", "Rcv Pause Frames", "Sent Discard Frames", "Packets Received Discarded", "Packets Outbound Errors"},
	} {
		var got []string
		for _, set := range x.Find(text).Sets {
			for _, counter := range set.Counters {
				got = append(got, x.Sets[set.Set].Counters[counter])
			}
			for _, instance := range set.Instances {
				if name := x.Sets[set.Set].Instances[instance]; name == "Port 10" && strings.HasSuffix(text, " 1") {
					t.Errorf("%q finds %s", text, name)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

// TestEverySynonymFindsTheOthers checks that the first word of each group matches the other words, and that they match it.
func TestEverySynonymFindsTheOthers(t *testing.T) {
	t.Parallel()
	for _, group := range synonyms {
		first := parse(group[0])[0]
		for _, word := range group {
			if got := parse(word)[0].fitName(group[0], wordsOf(group[0])); got != wholeWord {
				t.Errorf("%s does not find %s", word, group[0])
			}
			if got := first.fitName(word, wordsOf(word)); got != wholeWord {
				t.Errorf("%s does not find %s", group[0], word)
			}
		}
	}
}
