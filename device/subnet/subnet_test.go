package subnet

import (
	"math/rand/v2"
	"testing"
	"time"
)

func TestQueriesAreRepeated(t *testing.T) {
	t.Parallel()
	usual := Policy{time.Second, 10}
	for _, c := range []struct {
		policy   Policy
		at, next time.Duration
	}{
		{usual, 0, 0}, {usual, time.Millisecond, time.Second}, {usual, time.Second, time.Second},
		{usual, 10 * time.Second, 10 * time.Second}, {usual, 10*time.Second + 1, Round}, {usual, Round, Round},
		{usual, Round + 1, Round + time.Second},
		{Policy{250 * time.Millisecond, 1}, 251 * time.Millisecond, Round},
		{Policy{time.Minute, 2}, 61 * time.Second, 2 * time.Minute}, {Policy{time.Minute, 2}, 121 * time.Second, 3 * time.Minute},
		{Policy{}, 77, 77},
	} {
		if got := c.policy.Next(c.at); got != c.next {
			t.Errorf("%v at %v: next at %v, expected %v", c.policy, c.at, got, c.next)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		p := Policy{time.Duration(250+r.IntN(59_751)) * time.Millisecond, 1 + r.IntN(64)}
		at := time.Duration(r.Int64N(int64(time.Hour)))
		next := p.Next(at)
		if next < at || p.Next(next) != next || next-at > p.Timeout+Round {
			t.Fatalf("%v at %v: next at %v", p, at, next)
		}
	}
}
