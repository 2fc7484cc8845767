package counters

import (
	"testing"
	"time"
)

func TestRecordingMovesByKeys(t *testing.T) {
	t.Parallel()
	p := replayed(t)
	at := 30 * time.Minute
	_, to, _ := p.screen.seekable()
	end := to.Sub(began)
	for _, step := range []struct {
		key  string
		want time.Duration
	}{
		{")", at + 10*time.Second}, {"(", at}, {"}", at + time.Minute}, {"{", at}, {"(", at - 10*time.Second},
		{"home", 0}, {"}", time.Minute}, {"{", 0}, {"end", end}, {"(", end - 10*time.Second}, {")", end},
	} {
		p.Press(step.key)
		if now := p.screen.status.Now; !now.Equal(began.Add(step.want)) {
			t.Errorf("after %s the recording is at %s, not at %s", step.key, now, began.Add(step.want))
		}
	}
	p.Press("@")
	p.Want("Go to time", "From 14:00:00 to 14:39:59")
	p.Type("14:12:34")
	p.Press("enter")
	if now := p.screen.status.Now; !now.Equal(began.Add(12*time.Minute + 34*time.Second)) {
		t.Errorf("after a typed time the recording is at %s", now)
	}
	p.Press("@")
	p.Type("15:00")
	p.Press("enter")
	p.Want("The recording ends at 2026-03-02 14:39:59", "Go to time") // the dialog stays open
}

// TestKeysDuringASeekAddUp presses keys faster than the replay seeks: every key must count.
func TestKeysDuringASeekAddUp(t *testing.T) {
	t.Parallel()
	p := replayed(t)
	first := p.screen.seek(p.screen.place().Add(10 * time.Second))
	for range 5 {
		for _, a := range p.screen.replayActions() {
			if a.ID == "counters.on-10s" {
				if cmd := a.Run(); cmd != nil {
					t.Fatal("a second seek began during the first")
				}
			}
		}
	}
	p.run(first)
	if now := p.screen.status.Now; !now.Equal(began.Add(31 * time.Minute)) {
		t.Errorf("after six times ten seconds the recording is at %s", now)
	}
}

func TestTypedTimeMovesTheCursorOfALiveSource(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 1, 200)
	p.Press("@")
	p.Type("14:01:30")
	p.Press("enter")
	p.Want("at 14:01:30")
	p.Press("@")
	p.Type("-30s")
	p.Press("enter")
	p.Want("at 14:01:00")
}
