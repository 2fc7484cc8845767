package counters

import (
	"math/rand/v2"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
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
		t.Errorf("the typed time led to %s", now)
	}
	p.Press("@")
	p.Type("15:00")
	p.Press("enter")
	p.Want("It ends at 2026-03-02 14:39:59", "Go to time") // and the dialog stays
}

// TestKeysDuringAMoveAddUp presses keys faster than a recording moves: none of them is lost.
func TestKeysDuringAMoveAddUp(t *testing.T) {
	t.Parallel()
	p := replayed(t)
	first := p.screen.seek(p.screen.place().Add(10 * time.Second))
	for range 5 {
		for _, a := range p.screen.replayActions() {
			if a.ID == "counters.on-10s" {
				if cmd := a.Run(); cmd != nil {
					t.Fatal("a second move began beside the first")
				}
			}
		}
	}
	p.run(first)
	if now := p.screen.status.Now; !now.Equal(began.Add(31 * time.Minute)) {
		t.Errorf("six times ten seconds led to %s", now)
	}
}

func TestLiveGoesToATypedTimeWithItsCursor(t *testing.T) {
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

// TestEveryShownTimeCanBeTyped: a time of a recording that may last days, written in any of the ways, leads to itself.
func TestEveryShownTimeCanBeTyped(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	zone := time.FixedZone("east", 5*3600+1800)
	for range 2000 {
		from := began.Add(time.Duration(random.IntN(1e6)) * time.Second)
		to := from.Add(time.Duration(1+random.IntN(300_000)) * time.Second)
		at := from.Add(time.Duration(random.Int64N(int64(to.Sub(from))))).Truncate(time.Second).In(zone)
		now := from.Add(time.Duration(random.Int64N(int64(to.Sub(from))))).In(zone)
		for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02T15:04:05", "01-02 15:04:05"} {
			got, err := readTime(at.Format(layout), now, from, to)
			if err != nil || got.Sub(at).Abs() > time.Second {
				t.Fatalf("%q between %s and %s leads to %s, %v", at.Format(layout), from, to, got, err)
			}
		}
		got, err := readTime(at.Format("15:04:05"), now, from, to)
		if err != nil || got.Sub(now).Abs() > at.Sub(now).Abs()+time.Second || got.In(zone).Format("04:05") != at.Format("04:05") && got != from && got != to {
			t.Fatalf("%q at %s leads to %s, %v", at.Format("15:04:05"), now, got, err)
		}
		got, err = readTime(at.Sub(now).Round(time.Second).String(), now, from, to)
		if at.After(now) {
			got, err = readTime("+"+at.Sub(now).Round(time.Second).String(), now, from, to)
		}
		if at.Sub(now).Abs() >= time.Second && (err != nil || got.Sub(at).Abs() > 2*time.Second) {
			t.Fatalf("from %s by %s leads to %s, %v", now, at.Sub(now), got, err)
		}
	}
	for _, bad := range []string{"", "noon", "25:00", "14", "+5", "2018-13-01 10:00", "--5s", "99:99:99"} {
		if got, err := readTime(bad, began, began.Add(-time.Hour), began.Add(time.Hour)); err == nil {
			t.Errorf("%q leads to %s", bad, got)
		}
	}
}

func TestChangesAreGoneToAsEvents(t *testing.T) {
	t.Parallel()
	at := func(n int) time.Time { return began.Add(time.Duration(n) * time.Second) }
	times := timesOf([]eventlog.Event{{Time: at(5)}, {Time: at(2)}}, []time.Time{at(3), at(5)})
	if len(times) != 3 || !times[0].Equal(at(2)) || !times[1].Equal(at(3)) || !times[2].Equal(at(5)) {
		t.Errorf("the times are %v", times)
	}
}
