package timeline

import (
	"math"
	"slices"
	"time"

	"cxdeck/perf/window"
)

// Piece is one recorded value of a curve: a sample, a minute or an hour. From and To are Unix nanoseconds.
type Piece struct {
	From, To                int64
	Low, High, Average, End float64
	Count                   int64
	Step                    time.Duration
	Gap                     bool
}

// Pieces are the values of a curve, oldest first.
type Pieces []Piece

// Buckets summarises the pieces in equal periods of time. A longer piece fills all periods that it overlaps, and its value lasts
// up to the next piece, if there is no gap between them.
func (list Pieces) Buckets(from, to time.Time, pieceLength time.Duration) []window.Bucket {
	buckets := make([]window.Bucket, int(to.Sub(from)/pieceLength))
	counts := make([]int64, len(buckets))
	for i := range buckets {
		buckets[i] = window.Bucket{Min: math.NaN(), Max: math.NaN(), Average: math.NaN()}
	}
	bucketAt := func(time int64) int { return int(math.Floor(float64(time-from.UnixNano()) / float64(pieceLength))) }
	usual := list.usualSpacing()
	for n := range list {
		p := &list[n]
		first, last := bucketAt(p.From), bucketAt(p.To)
		if p.Step <= pieceLength {
			first = bucketAt(p.From + (p.To-p.From)/2)
			last = first
		}
		if n+1 < len(list) && !list[n+1].Gap && list[n+1].From-p.To <= 2*max(int64(p.Step), usual) {
			last = max(last, bucketAt(list[n+1].From)-1)
		}
		for i := max(first, 0); i <= min(last, len(buckets)-1); i++ {
			if i > first && p.Step <= pieceLength && counts[i] > 0 {
				continue
			}
			buckets[i] = p.addTo(buckets[i], counts[i])
			counts[i] += p.Count
		}
	}
	return buckets
}

// usualSpacing returns the average time between samples, 0 without samples.
func (list Pieces) usualSpacing() int64 {
	var count, sum int64
	for i := range list {
		if i > 0 && list[i].Step == 0 && list[i-1].Step == 0 {
			count, sum = count+1, sum+list[i].From-list[i-1].To
		}
	}
	return sum / max(count, 1)
}

func (p *Piece) addTo(b window.Bucket, count int64) window.Bucket {
	if count == 0 {
		return window.Bucket{Min: p.Low, Max: p.High, Average: p.Average}
	}
	b.Min, b.Max = min(b.Min, p.Low), max(b.Max, p.High)
	b.Average += (p.Average - b.Average) * float64(p.Count) / float64(count+p.Count)
	return b
}

// Statistics returns the statistics of all values; for the percentiles, a minute or an hour is one value, its average.
func (list Pieces) Statistics() window.Statistics {
	s := NoStatistics
	if len(list) == 0 {
		return s
	}
	averages := make([]float64, 0, len(list))
	s.Minimum, s.Maximum, s.MaximumAt = list[0].Low, list[0].High, time.Unix(0, list[0].From).UTC()
	sum := 0.0
	for i := range list {
		p := &list[i]
		s.Minimum = min(s.Minimum, p.Low)
		if p.High > s.Maximum {
			s.Maximum, s.MaximumAt = p.High, time.Unix(0, p.From).UTC()
		}
		sum += p.Average * float64(p.Count)
		s.Count += int(p.Count)
		averages = append(averages, p.Average)
	}
	last := &list[len(list)-1]
	s.Last, s.Duration, s.Average = last.End, time.Duration(last.To-list[0].From), sum/float64(s.Count)
	slices.Sort(averages)
	s.P95, s.P99 = Percentile(averages, 95), Percentile(averages, 99)
	return s
}

// Percentile returns the smallest of the sorted values that is at least as large as the given percentage of them.
func Percentile(sorted []float64, percent int) float64 {
	rank := (len(sorted)*percent + 99) / 100
	return sorted[max(rank, 1)-1]
}

// NoStatistics is the statistics of no values: NaN.
var NoStatistics = window.Statistics{Last: math.NaN(), Average: math.NaN(), Minimum: math.NaN(), Maximum: math.NaN(),
	P95: math.NaN(), P99: math.NaN()}
