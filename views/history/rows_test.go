package history

import (
	"slices"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/views/browse"
)

// noon is the time of the first session.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// threeSessions returns a running session of the lab, one of this machine, and a long one with a note.
func threeSessions() []store.Session {
	session := func(id int64, day int, length time.Duration, samples, bytes int64, info perf.SourceInfo) store.Session {
		at := noon.AddDate(0, 0, day)
		return store.Session{ID: id, Recorded: at, Saved: at.Add(length), Started: at, Ended: at.Add(length), Host: info.Host,
			Source: info, Interval: time.Second, Version: "1.0", Series: 4, Samples: samples, Bytes: bytes}
	}
	list := []store.Session{
		session(3, 2, 14*time.Minute, 840, 90_000, perf.SourceInfo{Kind: perf.LabSource, Name: "LAB-N4", Host: "LAB-N4", Seed: 7}),
		session(2, 1, time.Minute, 60, 2_000_000, perf.SourceInfo{Kind: perf.LocalSource, Name: "this machine", Host: "bench"}),
		session(1, 0, 30*time.Hour, 108_000, 40_000, perf.SourceInfo{Kind: perf.LabSource, Name: "LAB-N4", Host: "LAB-N4", Seed: 7}),
	}
	list[0].Running = true
	list[1].Events = 2
	list[2].Note = "before the firmware update"
	return list
}

func TestChoose(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		filter string
		by     order
		want   []int
	}{
		{"", byStart, []int{0, 1, 2}},
		{"", byDuration, []int{2, 0, 1}},
		{"", bySamples, []int{2, 0, 1}},
		{"", bySize, []int{1, 0, 2}},
		{"lab-n4", byDuration, []int{2, 0}},
		{"firmware", byStart, []int{2}},
		{"2026-03-02", byStart, []int{1}},
		{"nowhere", byStart, nil},
	} {
		var filter browse.Filter
		filter.Set(c.filter)
		if got := choose(threeSessions(), &filter, c.by); !slices.Equal(got, c.want) {
			t.Errorf("filter %q by %v: %v, want %v", c.filter, c.by, got, c.want)
		}
	}
}
