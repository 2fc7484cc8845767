package tuning

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func scenario(t *testing.T, word string) Scenario {
	t.Helper()
	s, ok := Find(word)
	if !ok {
		t.Fatalf("no scenario %s", word)
	}
	return s
}

func node(from, to int) (list []int) {
	for p := from; p < to; p++ {
		list = append(list, p)
	}
	return list
}

func value(list []Setting, key string) int64 {
	for _, s := range list {
		if s.Key == key {
			return s.Value
		}
	}
	return -99
}

func TestScenariosAreFoundByNameAndFlag(t *testing.T) {
	t.Parallel()
	for _, s := range Scenarios() {
		for _, word := range []string{s.Name, s.Flag} {
			got, ok := Find(word)
			if word != "" && (!ok || got.Name != s.Name) {
				t.Errorf("%q found %q", word, got.Name)
			}
		}
	}
	if _, ok := Find(""); ok {
		t.Error("no word found a scenario")
	}
}

func TestProcessorsAreOfTheNode(t *testing.T) {
	t.Parallel()
	tuned, err := Tune(Request{Scenario: scenario(t, "-d"), Connections: []Connection{{Processors: node(16, 32)}, {Processors: node(16, 32)}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]int64{{16, 17}, {18, 19}} { // the second connection has others
		got := []int64{value(tuned[i].Chosen, receiveRing), value(tuned[i].Chosen, forwarding)}
		if !slices.Equal(got, want) {
			t.Errorf("connection %d has processors %v, want %v", i, got, want)
		}
		if value(tuned[i].Chosen, "NumRSSQueues") != 8 || value(tuned[i].Chosen, "RssMaxProcNumber") != 31 {
			t.Errorf("connection %d chose %v", i, tuned[i].Chosen)
		}
	}
}

func TestFewProcessors(t *testing.T) {
	t.Parallel()
	for count, queues := range map[int]int64{0: 1, 1: 1, 2: 2, 3: 2, 7: 4} {
		tuned, err := Tune(Request{Scenario: scenario(t, "-s"), Connections: []Connection{{Processors: node(0, count)}}})
		if err != nil || value(tuned[0].Chosen, "NumRSSQueues") != queues {
			t.Errorf("%d processors: %v, %v", count, tuned, err)
		}
	}
}

func TestRejected(t *testing.T) {
	t.Parallel()
	one, two, zero := 1, 2, 0
	eth, ib := Connection{}, Connection{InfiniBand: true}
	for _, c := range []struct {
		request Request
		reason  string
	}{
		{Request{Scenario: scenario(t, "-f"), Connections: []Connection{eth}}, "c2_required"},
		{Request{Scenario: scenario(t, "-s")}, "c1_required"},
		{Request{Scenario: scenario(t, "-m"), Connections: []Connection{eth, eth}, Base: &one, Number: &two}, "c2_not_allowed"},
		{Request{Scenario: scenario(t, "-m"), Connections: []Connection{eth}, Base: &one}, "b_and_n_required"},
		{Request{Scenario: scenario(t, "-m"), Connections: []Connection{eth}, Base: &one, Number: &zero}, "b_and_n_range"},
		{Request{Scenario: scenario(t, "-s"), Connections: []Connection{eth}, Base: &one, Number: &two}, "b_and_n_not_allowed"},
		{Request{Scenario: scenario(t, "-st"), Connections: []Connection{ib}}, "ethernet_required"},
	} {
		_, err := Tune(c.request)
		var rejected *RejectedError
		if !errors.As(err, &rejected) || rejected.Reason != c.reason || rejected.Problem == "" {
			t.Errorf("%s of %d: %v, want %s", c.request.Scenario.Name, len(c.request.Connections), err, c.reason)
		}
	}
}

func TestLogHasTheOldValues(t *testing.T) {
	t.Parallel()
	one, two := 4, 1
	s := scenario(t, "manual")
	tuned, err := Tune(Request{Scenario: s, Connections: []Connection{{}}, Base: &one, Number: &two})
	if err != nil {
		t.Fatal(err)
	}
	log := Log(time.Unix(0, 0).UTC(), s, []string{"Ether\r\nnet"}, tuned, func(_ int, key string) string {
		if key == "*RssBaseProcNumber" {
			return "0"
		}
		return ""
	})
	if !strings.Contains(log, "Ether  net: *RssBaseProcNumber was 0, now 4\r\n") || !strings.Contains(log, "TxInterruptProcessor was not set, now 4\r\n") ||
		strings.Count(log, "\n") != 5 {
		t.Errorf("the log is %q", log)
	}
}
