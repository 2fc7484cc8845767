package hyperv

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAdaptersGetTheirQueues gives queues away while there are some (VIRT-1), leaves the rest to the default one (VIRT-2),
// and grants no more pairs than the port has rings (VIRT-3).
func TestAdaptersGetTheirQueues(t *testing.T) {
	t.Parallel()
	request, none := Request{true, 1}, Request{false, 8}
	for name, c := range map[string]struct {
		port     Port
		requests []Request
		rings    [][]int // nil means the default queue
	}{
		"one after the other":  {Port{4, 127, 1}, []Request{request, request, request}, [][]int{{1}, {2}, {3}}},
		"and from the start":   {Port{3, 127, 1}, []Request{request, request, request, request}, [][]int{{1}, {2}, {0}, {1}}},
		"no wish, no queue":    {Port{4, 127, 4}, []Request{none, request}, [][]int{nil, {1}}},
		"two queues for three": {Port{4, 2, 1}, []Request{request, none, request, request}, [][]int{{1}, nil, {2}, nil}},
		"none":                 {Port{4, 0, 4}, []Request{request}, [][]int{nil}},
		"no rings":             {Port{0, 127, 4}, []Request{request}, [][]int{nil}},
		"several pairs":        {Port{8, 127, 8}, []Request{{true, 3}, request, {true, 2}}, [][]int{{1, 2, 3}, {4}, {5, 6}}},
		"without VMMQ one":     {Port{8, 127, 1}, []Request{{true, 16}, {true, 16}}, [][]int{{1}, {2}}},
		"as many as rings":     {Port{3, 127, 16}, []Request{{true, 16}}, [][]int{{1, 2, 0}}},
		"one at least":         {Port{3, 127, 3}, []Request{{true, 0}}, [][]int{{1}}},
	} {
		for i, q := range c.port.Queues(c.requests) {
			if want := c.rings[i]; q.Default != (want == nil) || want == nil && !slices.Equal(q.Rings, []int{0}) || want != nil && !slices.Equal(q.Rings, want) {
				t.Errorf("%s: adapter %d has %+v, want %v", name, i, q, want)
			}
		}
	}
}

func TestNoRingServesAnAdapterTwice(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		p := Port{Rings: 1 + r.IntN(16), MaxAdapters: r.IntN(12), PerAdapter: 1 + r.IntN(16)}
		requests := make([]Request, r.IntN(20))
		for i := range requests {
			requests[i] = Request{r.IntN(3) > 0, r.IntN(20)}
		}
		own := 0
		for i, q := range p.Queues(requests) {
			rings := slices.Compact(slices.Sorted(slices.Values(q.Rings)))
			if len(rings) != len(q.Rings) || rings[0] < 0 || rings[len(rings)-1] >= p.Rings || len(rings) > p.PerAdapter {
				t.Fatalf("%+v: adapter %d with %+v has the rings %v", p, i, requests[i], q.Rings)
			}
			if !q.Default {
				own++
			}
		}
		if own > p.MaxAdapters {
			t.Fatalf("%+v gave %d queues away", p, own)
		}
	}
}
