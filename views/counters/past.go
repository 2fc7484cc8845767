package counters

import (
	"context"
	"math"
	"slices"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/perf/window"
	"cxdeck/ui"
	"cxdeck/views/counters/timeline"
)

// past holds the recorded points for the time before the window. They are read outside the terminal loop, one period at a
// time; until then the curves show only the window's points.
type past struct {
	version uint64
	want    pastRequest
	waiting bool
	// refused is set when the source can't be read by period.
	refused bool
	have    map[string]pastCurve
}

// pastRequest requests a period of time in pieces of step, for the curves of version chosen.
type pastRequest struct {
	monitor  *monitor.Monitor
	from, to time.Time
	step     time.Duration
	chosen   uint64
}

// pastCurve holds the points of one curve that were read.
type pastCurve struct {
	from        int64
	pieceLength int64
	buckets     []window.Bucket
	statistics  window.Statistics
}

// pastMsg contains the curves that were read.
type pastMsg struct {
	want    pastRequest
	have    map[string]pastCurve
	refused bool
	err     error
}

// covers reports whether a request includes another one.
func (w pastRequest) covers(want pastRequest) bool {
	return w.monitor == want.monitor && w.chosen == want.chosen && w.step == want.step &&
		!want.from.Before(w.from) && !want.to.After(w.to)
}

// readPast requests the visible samples that the window no longer holds.
func (s *Screen) readPast() ui.Cmd {
	p, monitor := &s.picture, s.deck.Monitor()
	if monitor == nil || p.empty || s.past.refused || s.past.waiting || p.read.dots == 0 || len(s.curves) == 0 {
		return nil
	}
	f := s.time.Frame(p.newest, p.read.dots) // of the next picture
	start, _, ok := monitor.Seekable()
	if !ok || !f.From.Before(p.oldest) || !f.To.After(start) {
		return nil
	}
	want := pastRequest{monitor: monitor, from: f.From, to: f.To, step: f.PieceLength, chosen: s.chosen}
	need := want
	need.to = p.oldest
	if need.to.After(f.To) {
		need.to = f.To
	}
	if s.past.want.covers(need) {
		return nil
	}
	s.past.want, s.past.waiting = want, true
	series := make(map[string]rateCurve)
	for i := range s.curves {
		if !s.curves[i].missing() {
			series[s.curves[i].path] = s.curves[i].reading()
		}
	}
	return ui.Background("read the recording", func(ctx context.Context) ui.Msg {
		return loadPast(ctx, monitor, want, series)
	})
}

// pastReader is implemented by monitor.Monitor.
type pastReader interface {
	ReadRange(ctx context.Context, series int, from, to time.Time, dst []perf.Point) ([]perf.Point, bool, error)
	ReadBands(ctx context.Context, series int, from, to time.Time, step time.Duration, dst []perf.Band) ([]perf.Band, bool, error)
}

// loadPast reads the curves one after the other, to buckets and statistics. From a source that keeps minutes and hours it
// reads bands that are not longer than the pieces.
func loadPast(ctx context.Context, source pastReader, want pastRequest, series map[string]rateCurve) ui.Msg {
	msg := pastMsg{want: want, have: make(map[string]pastCurve, len(series))}
	var points []perf.Point
	var bands []perf.Band
	for path, item := range series {
		past := pastCurve{from: want.from.UnixNano(), pieceLength: int64(want.step)}
		var ok bool
		bands, ok, msg.err = source.ReadBands(ctx, item.series, want.from, want.to, want.step, bands[:0])
		if msg.err == nil && !ok {
			points, ok, msg.err = source.ReadRange(ctx, item.series, want.from, want.to, points[:0])
			points = item.rates(points)
			past.buckets, past.statistics = bucketsOf(points, want.from, want.to, want.step), statisticsOf(points)
		} else if msg.err == nil {
			list := item.valuesIn(bands)
			past.buckets, past.statistics = list.Buckets(want.from, want.to, want.step), list.Statistics()
		}
		if msg.err != nil {
			return msg
		}
		if !ok {
			msg.refused = true
			return msg
		}
		msg.have[path] = past
	}
	return msg
}

// handlePast keeps the curves that were read, unless the deck shows another source now.
func (s *Screen) handlePast(msg pastMsg) ui.Cmd {
	s.past.waiting = false
	if msg.want.monitor != s.deck.Monitor() {
		return nil
	}
	if msg.err != nil {
		s.past.refused = true
		return ui.Toast(ui.Failure, "The recording could not be read: "+msg.err.Error())
	}
	s.past.refused = msg.refused
	s.past.have = msg.have
	s.past.version++
	return nil
}

// fill sets the buckets for which the window has no value. Until the screen has read again, they may have another length
// than the buckets that were read.
func (p *past) fill(path string, f timeline.Frame, buckets []window.Bucket) {
	c, ok := p.have[path]
	if !ok {
		return
	}
	for i := range buckets {
		if buckets[i].Max == buckets[i].Max {
			continue
		}
		from := f.From.UnixNano() + int64(i)*int64(f.PieceLength) - c.from
		if from < 0 {
			continue
		}
		first := from / c.pieceLength
		last := (from + int64(f.PieceLength) - 1) / c.pieceLength
		buckets[i] = mergeBuckets(c.buckets, first, last)
	}
}

// mergeBuckets merges the buckets from first to last into one.
func mergeBuckets(buckets []window.Bucket, first, last int64) window.Bucket {
	whole := window.Bucket{Min: math.NaN(), Max: math.NaN(), Average: math.NaN()}
	n := 0.0
	for i := first; i <= last && i < int64(len(buckets)); i++ {
		b := buckets[i]
		if b.Max != b.Max {
			continue
		}
		if n++; n == 1 {
			whole = b
			continue
		}
		whole.Min, whole.Max = min(whole.Min, b.Min), max(whole.Max, b.Max)
		whole.Average += (b.Average - whole.Average) / n
	}
	return whole
}

// statistics returns the statistics of a curve; ok is false unless exactly this frame was read.
func (p *past) statistics(path string, f timeline.Frame) (window.Statistics, bool) {
	c, ok := p.have[path]
	if !ok || c.pieceLength != int64(f.PieceLength) || c.from != f.From.UnixNano() || !p.want.to.Equal(f.To) {
		return window.Statistics{}, false
	}
	return c.statistics, true
}

// bucketsOf summarises points in equal pieces of time.
func bucketsOf(points []perf.Point, from, to time.Time, pieceLength time.Duration) []window.Bucket {
	n := int(to.Sub(from) / pieceLength)
	buckets := make([]window.Bucket, n)
	counts := make([]int, n)
	for i := range buckets {
		buckets[i] = window.Bucket{Min: math.NaN(), Max: math.NaN(), Average: math.NaN()}
	}
	start := from.UnixNano()
	for _, point := range points {
		i := (point.Time - start) / int64(pieceLength)
		if point.Value != point.Value || point.Time < start || i >= int64(n) {
			continue
		}
		b := &buckets[i]
		counts[i]++
		if counts[i] == 1 {
			*b = window.Bucket{Min: point.Value, Max: point.Value, Average: point.Value}
			continue
		}
		b.Min, b.Max = min(b.Min, point.Value), max(b.Max, point.Value)
		b.Average += (point.Value - b.Average) / float64(counts[i])
	}
	return fillBetween(buckets, points, pieceLength)
}

// fillBetween repeats a value in the pieces up to the next point, if the points are further apart than the pieces are long.
// It leaves gaps of more than twice the usual distance.
func fillBetween(buckets []window.Bucket, points []perf.Point, pieceLength time.Duration) []window.Bucket {
	if len(points) < 2 {
		return buckets
	}
	usual := (points[len(points)-1].Time - points[0].Time) / int64(len(points)-1)
	reach := int(2 * usual / int64(pieceLength))
	for i, since := 1, 0; i < len(buckets); i++ {
		if buckets[i].Max == buckets[i].Max {
			since = 0
			continue
		}
		if since++; since <= reach && buckets[i-1].Max == buckets[i-1].Max {
			last := buckets[i-1].Average
			buckets[i] = window.Bucket{Min: last, Max: last, Average: last}
		}
	}
	return buckets
}

// statisticsOf returns the statistics of points, ignoring NaN.
func statisticsOf(points []perf.Point) window.Statistics {
	s := timeline.NoStatistics
	values := make([]float64, 0, len(points))
	first, last, sum := int64(0), int64(0), 0.0
	for _, p := range points {
		if p.Value != p.Value {
			continue
		}
		if len(values) == 0 {
			first, s.Minimum, s.Maximum, s.MaximumAt = p.Time, p.Value, p.Value, time.Unix(0, p.Time).UTC()
		}
		values = append(values, p.Value)
		sum, last, s.Last = sum+p.Value, p.Time, p.Value
		s.Minimum = min(s.Minimum, p.Value)
		if p.Value > s.Maximum {
			s.Maximum, s.MaximumAt = p.Value, time.Unix(0, p.Time).UTC()
		}
	}
	if len(values) == 0 {
		return s
	}
	s.Count, s.Duration, s.Average = len(values), time.Duration(last-first), sum/float64(len(values))
	slices.Sort(values)
	s.P95, s.P99 = timeline.Percentile(values, 95), timeline.Percentile(values, 99)
	return s
}
