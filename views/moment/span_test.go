package moment

import (
	"testing"
	"time"
)

func TestSpan(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0 s", 400 * time.Millisecond: "0.4 s", 2500 * time.Millisecond: "2.5 s", 2 * time.Second: "2 s", 45*time.Second + 300*time.Millisecond: "45 s",
		time.Minute: "1 min", 90 * time.Second: "1 min 30 s", 59*time.Minute + 59*time.Second + 900*time.Millisecond: "1 h",
		125 * time.Minute: "2 h 5 min", time.Hour + 4*time.Second: "1 h", 72 * time.Hour: "3 d", 75 * time.Hour: "3 d 3 h",
	} {
		if got := Span(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
