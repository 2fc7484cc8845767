package packet

import (
	"cmp"
	"container/heap"
	"slices"
	"time"
)

// Burst is the frames of a group in a span of time.
type Burst struct {
	Group  *Group
	Frames uint64
}

// Span is all frames of a span of time on the cable of a port.
type Span struct {
	Start  time.Time
	Length time.Duration
	Bursts []Burst
	// Marked is the number of received data frames that carry Congestion Experienced, by the number of the flow.
	Marked map[int32]uint64
}

// Frames is the number of frames in the span.
func (s *Span) Frames() (n uint64) {
	for i := range s.Bursts {
		n += s.Bursts[i].Frames
	}
	return n
}

// Each builds the frames of a span in their order and calls emit for each of them until it returns false. The frames of a group are
// spread evenly over the span.
func (b *Builder) Each(s *Span, emit func(*Frame) bool) bool {
	queue := make(burstQueue, 0, len(s.Bursts))
	flows := map[int32]uint64{}
	for i := range s.Bursts {
		burst := &s.Bursts[i]
		if burst.Frames == 0 {
			continue
		}
		queue = append(queue, &queued{Burst: burst, order: i, at: offset(0, burst.Frames, i, len(s.Bursts), s.Length)})
		if burst.Group.Kind == Data && !burst.Group.Sent {
			flows[burst.Group.Number] += burst.Frames
		}
	}
	heap.Init(&queue)
	seen := map[int32]uint64{}
	for len(queue) > 0 {
		next := queue[0]
		g, marked := next.Group, false
		if g.Kind == Data && !g.Sent && s.Marked[g.Number] > 0 {
			all, n := flows[g.Number], seen[g.Number]
			marks := min(s.Marked[g.Number], all)
			marked = (n+1)*marks/all > n*marks/all
			seen[g.Number]++
		}
		frame := b.Build(g, s.Start.Add(next.at), marked)
		if !emit(&frame) {
			return false
		}
		if next.n++; next.n == next.Frames {
			heap.Pop(&queue)
			continue
		}
		next.at = offset(next.n, next.Frames, next.order, len(s.Bursts), s.Length)
		heap.Fix(&queue, 0)
	}
	return true
}

// offset returns the time of the n-th of some frames in a span: the middle of its part, a little later for each further group.
func offset(n, frames uint64, order, groups int, length time.Duration) time.Duration {
	place := (float64(n) + (float64(order)+0.5)/float64(groups)) / float64(frames)
	return time.Duration(place * float64(length))
}

// queued is a burst with the number and the time of its next frame.
type queued struct {
	*Burst
	n     uint64
	at    time.Duration
	order int
}

// burstQueue is a heap of bursts, the one with the next frame first.
type burstQueue []*queued

func (q burstQueue) Len() int      { return len(q) }
func (q burstQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *burstQueue) Push(x any)   { *q = append(*q, x.(*queued)) }

func (q burstQueue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[i].at, q[j].at), cmp.Compare(q[i].order, q[j].order)) < 0
}

func (q *burstQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = slices.Delete(*q, len(*q)-1, len(*q))
	return last
}
