package counters

import (
	"math"
	"slices"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/window"
)

// piece is one value of a curve for a period of the past: a sample, a minute or an hour.
type piece struct {
	from, to                int64
	low, high, average, end float64
	count                   int64
	step                    time.Duration
	gap                     bool
}

type pieces []piece

// pieces returns the values of the curve in bands. A band without a value is skipped and leaves a gap.
func (r rateCurve) pieces(bands []perf.Band) (list pieces) {
	gap := false
	for i := range bands {
		b := &bands[i]
		p := piece{b.From, b.To, b.Min, b.Max, b.Average, b.Last, b.Count, b.Step, b.Gap || gap}
		switch {
		case r.total && !r.rated:
			p.low, p.high, p.average, p.count = b.Last, b.Last, b.Last, 1
		case r.rated || math.IsNaN(b.Last):
			p.end = b.Average
		}
		if gap = math.IsNaN(p.average); !gap {
			list = append(list, p)
		}
	}
	return list
}

// buckets sorts the pieces into equal periods of time. A piece that is longer than they are fills all that it lies in, and holds
// up to the next one when that follows it.
func (list pieces) buckets(from, to time.Time, pieceLength time.Duration) []window.Bucket {
	buckets := make([]window.Bucket, int(to.Sub(from)/pieceLength))
	counts := make([]int64, len(buckets))
	for i := range buckets {
		buckets[i] = window.Bucket{Min: math.NaN(), Max: math.NaN(), Average: math.NaN()}
	}
	at := func(time int64) int { return int(math.Floor(float64(time-from.UnixNano()) / float64(pieceLength))) }
	usual := list.usual()
	for n := range list {
		p := &list[n]
		first, last := at(p.from), at(p.to)
		if p.step <= pieceLength {
			first = at(p.from + (p.to-p.from)/2)
			last = first
		}
		if n+1 < len(list) && !list[n+1].gap && list[n+1].from-p.to <= 2*max(int64(p.step), usual) {
			last = max(last, at(list[n+1].from)-1)
		}
		for i := max(first, 0); i <= min(last, len(buckets)-1); i++ {
			if i > first && p.step <= pieceLength && counts[i] > 0 {
				continue
			}
			buckets[i] = p.addTo(buckets[i], counts[i])
			counts[i] += p.count
		}
	}
	return buckets
}

// usual returns the usual time between samples, 0 without any.
func (list pieces) usual() int64 {
	var count, sum int64
	for i := range list {
		if i > 0 && list[i].step == 0 && list[i-1].step == 0 {
			count, sum = count+1, sum+list[i].from-list[i-1].to
		}
	}
	return sum / max(count, 1)
}

func (p *piece) addTo(b window.Bucket, count int64) window.Bucket {
	if count == 0 {
		return window.Bucket{Min: p.low, Max: p.high, Average: p.average}
	}
	b.Min, b.Max = min(b.Min, p.low), max(b.Max, p.high)
	b.Average += (p.average - b.Average) * float64(p.count) / float64(count+p.count)
	return b
}

// statistics are over all values; of the percentiles a minute or an hour counts as one value, its average.
func (list pieces) statistics() window.Statistics {
	s := noStatistics
	if len(list) == 0 {
		return s
	}
	averages := make([]float64, 0, len(list))
	s.Minimum, s.Maximum, s.MaximumAt = list[0].low, list[0].high, time.Unix(0, list[0].from).UTC()
	sum := 0.0
	for i := range list {
		p := &list[i]
		s.Minimum = min(s.Minimum, p.low)
		if p.high > s.Maximum {
			s.Maximum, s.MaximumAt = p.high, time.Unix(0, p.from).UTC()
		}
		sum += p.average * float64(p.count)
		s.Count += int(p.count)
		averages = append(averages, p.average)
	}
	last := &list[len(list)-1]
	s.Last, s.Duration, s.Average = last.end, time.Duration(last.to-list[0].from), sum/float64(s.Count)
	slices.Sort(averages)
	s.P95, s.P99 = percentile(averages, 95), percentile(averages, 99)
	return s
}
