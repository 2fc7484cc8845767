package moment

import (
	"math/rand/v2"
	"testing"
	"time"
)

var began = time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)

// TestEveryShownTimeCanBeTyped checks that times of recordings of up to days can be typed in every format.
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
			got, err := Read(at.Format(layout), now, from, to)
			if err != nil || got.Sub(at).Abs() > time.Second {
				t.Fatalf("%q between %s and %s leads to %s, %v", at.Format(layout), from, to, got, err)
			}
		}
		got, err := Read(at.Format("15:04:05"), now, from, to)
		if err != nil || got.Sub(now).Abs() > at.Sub(now).Abs()+time.Second || got.In(zone).Format("04:05") != at.Format("04:05") && got != from && got != to {
			t.Fatalf("%q at %s leads to %s, %v", at.Format("15:04:05"), now, got, err)
		}
		got, err = Read(at.Sub(now).Round(time.Second).String(), now, from, to)
		if at.After(now) {
			got, err = Read("+"+at.Sub(now).Round(time.Second).String(), now, from, to)
		}
		if at.Sub(now).Abs() >= time.Second && (err != nil || got.Sub(at).Abs() > 2*time.Second) {
			t.Fatalf("from %s by %s leads to %s, %v", now, at.Sub(now), got, err)
		}
	}
	for _, bad := range []string{"", "noon", "25:00", "14", "+5", "2018-13-01 10:00", "--5s", "99:99:99"} {
		if got, err := Read(bad, began, began.Add(-time.Hour), began.Add(time.Hour)); err == nil {
			t.Errorf("%q leads to %s", bad, got)
		}
	}
}

func TestRange(t *testing.T) {
	t.Parallel()
	to := began.Add(time.Hour)
	for _, c := range []struct {
		from, to     string
		first, after time.Duration
	}{
		{"", "", 0, time.Hour},
		{"14:10", "", 10 * time.Minute, time.Hour},
		{"", "14:10", 0, 10 * time.Minute},
		{"+10m", "-10m", 10 * time.Minute, 50 * time.Minute},
		{"-15m", "", 45 * time.Minute, time.Hour},
		{"+10m", "+20m", 10 * time.Minute, 20 * time.Minute},
	} {
		first, after, err := Range(c.from, c.to, began, to)
		if err != nil || first.Sub(began) != c.first || after.Sub(began) != c.after {
			t.Errorf("from %q to %q: %v to %v, %v", c.from, c.to, first, after, err)
		}
	}
	for _, bad := range [][2]string{{"14:20", "14:10"}, {"13:00", ""}, {"", "16:00"}, {"x", ""}, {"", "x"}, {"+2h", ""}} {
		if first, after, err := Range(bad[0], bad[1], began, to); err == nil {
			t.Errorf("from %q to %q: %v to %v", bad[0], bad[1], first, after)
		}
	}
}
