package deck

import (
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/store"
)

// TestSessionAt checks that a change is found in the session of the same lab in which it was made.
func TestSessionAt(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	session := func(id int64, hash string, from, to int, samples int64) store.Session {
		return store.Session{ID: id, Source: perf.SourceInfo{LabHash: hash, Seed: 7}, Samples: samples,
			Started: at.Add(time.Duration(from) * time.Minute), Ended: at.Add(time.Duration(to) * time.Minute)}
	}
	sessions := []store.Session{
		session(5, "b", -60, 60, 10), session(4, "a", 10, 20, 10), session(3, "a", -10, 5, 0), session(2, "a", -10, 5, 300), session(1, "a", -30, -20, 10),
	}
	if id, ok := sessionAt(sessions, perf.SourceInfo{LabHash: "a", Seed: 7}, at); !ok || id != 2 {
		t.Errorf("the change was made in session %d, %v", id, ok)
	}
	if id, ok := sessionAt(sessions, perf.SourceInfo{LabHash: "a", Seed: 8}, at); ok {
		t.Errorf("the change of another lab was found in session %d", id)
	}
	if id, ok := sessionAt(sessions, perf.SourceInfo{LabHash: "a", Seed: 7}, at.Add(7*time.Minute)); ok {
		t.Errorf("the time between sessions was found in session %d", id)
	}
}
