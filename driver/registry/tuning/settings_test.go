package tuning

import (
	"slices"
	"testing"
)

// TestManualGivesRSSARange from processor 0 on as from any other (TUNE-6).
func TestManualGivesRSSARange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		base, number int
		processors   []int
		interrupt    int64
	}{{0, 1, []int{0}, 0}, {0, 3, []int{0, 1, 2}, 1}, {4, 2, []int{4, 5}, 5}} {
		tuned, err := Tune(Request{Scenario: scenario(t, "-m"), Connections: []Connection{{}}, Base: &c.base, Number: &c.number})
		if err != nil {
			t.Fatalf("%d from %d: %v", c.number, c.base, err)
		}
		if got := tuned[0]; !slices.Equal(got.Processors, c.processors) || value(got.Settings, "*RssBaseProcNumber") != int64(c.base) ||
			value(got.Settings, "*MaxRssProcessors") != int64(c.number) || value(got.Settings, receiveRing) != int64(c.base) ||
			value(got.Settings, sendInterrupt) != c.interrupt {
			t.Errorf("%d from %d: %+v", c.number, c.base, got)
		}
	}
	negative, number := -1, 1
	if _, err := Tune(Request{Scenario: scenario(t, "-m"), Connections: []Connection{{}}, Base: &negative, Number: &number}); err == nil {
		t.Error("processor -1 is accepted")
	}
}

// TestProfileOfNewWindows: Windows Server 2012 and later get a profile for RSS, except where the host forwards.
func TestProfileOfNewWindows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flag string
		ndis NDIS
		want int64
	}{{"-d", NDIS63, 4}, {"-d", NDIS62, -99}, {"-f", NDIS63, -99}, {"-f", NDIS62, -99}} {
		connection := Connection{Processors: node(0, 8)}
		tuned, err := Tune(Request{Scenario: scenario(t, c.flag), NDIS: c.ndis, Connections: []Connection{connection, connection}})
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range tuned {
			if got := value(result.Settings, "RssProfile"); got != c.want {
				t.Errorf("%s with NDIS %d: RssProfile %d", c.flag, c.ndis, got)
			}
		}
	}
}

// TestKeysOfTheNDIS: the version decides which keys hold the processors that RSS may use.
func TestKeysOfTheNDIS(t *testing.T) {
	t.Parallel()
	for ndis, want := range map[NDIS]map[string]int64{
		NDIS62: {"RssBaseProcNumber": 6, "MaxRssProcessors": 2, "NumRSSQueues": -99, "RssMaxProcNumber": -99},
		NDIS63: {"RssBaseProcNumber": -99, "MaxRssProcessors": -99, "NumRSSQueues": 2, "RssMaxProcNumber": 8},
	} {
		tuned, err := Tune(Request{Scenario: scenario(t, "-s"), NDIS: ndis, Connections: []Connection{{Processors: node(6, 9)}}})
		if err != nil {
			t.Fatal(err)
		}
		for key, number := range want {
			if got := value(tuned[0].Chosen, key); got != number {
				t.Errorf("NDIS %d: %s is %d, want %d", ndis, key, got, number)
			}
		}
		restored, err := Tune(Request{Scenario: scenario(t, "-r"), NDIS: ndis, Connections: []Connection{{}, {InfiniBand: true}}})
		if err != nil {
			t.Fatal(err)
		}
		for i, send := range []int64{1, 0} {
			if s := restored[i].Settings; !restored[i].Restored || value(s, "SendCompletionMethod") != send ||
				(value(s, "MaxRssProcessors") == 8) != (ndis == NDIS62) || (value(s, "NumRSSQueues") == 8) != (ndis == NDIS63) {
				t.Errorf("NDIS %d: connection %d is restored to %v", ndis, i, s)
			}
		}
	}
}

func TestWindowsServer2008HasAnOlderInterface(t *testing.T) {
	t.Parallel()
	if now, older := ndisOf("Windows Server 2016"), ndisOf("Windows Server 2008 R2"); now != NDIS63 || older != NDIS62 {
		t.Errorf("Windows Server 2016 has NDIS %d, Windows Server 2008 R2 %d", now, older)
	}
}
