package bounds

import (
	"math"
	"testing"
)

func TestCheckNamesTheFieldOutsideOfItsRange(t *testing.T) {
	t.Parallel()
	type sample struct {
		Free         int
		Speed, Other int     `range:"1 400"`
		Small        uint8   `range:"0 3"`
		Share        float64 `range:"0 1"`
		List         []int   `range:"1 2"`
	}
	good := sample{-5, 1, 400, 3, 0.5, []int{900}}
	for _, c := range []struct {
		change func(*sample)
		want   string
	}{
		{func(*sample) {}, ""},
		{func(s *sample) { s.Speed = 0 }, "Speed must be 1 to 400, not 0"},
		{func(s *sample) { s.Other = 401 }, "Other must be 1 to 400, not 401"},
		{func(s *sample) { s.Small = 4 }, "Small must be 0 to 3, not 4"},
		{func(s *sample) { s.Share = math.NaN() }, "Share must be 0 to 1, not NaN"},
		{func(s *sample) { s.List = nil }, "List must be 1 to 2, not 0"},
	} {
		s, got := good, ""
		c.change(&s)
		if err := Check(&s); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: got %q, want %q", s, got, c.want)
		}
	}
}
