package perf

import (
	"context"
	"math"
	"time"
)

// Band aggregates the values of a series in a period: a single sample, a minute or an hour. For a cumulative series, Min, Max and
// Average describe its rate per second. NaN means no value.
type Band struct {
	// From and To are the times of its first and last sample, in nanoseconds since 1970, UTC.
	From, To                int64
	Min, Max, Average, Last float64
	// Count is the number of values, Samples the number of samples.
	Count, Samples int64
	// Change is the increase of a rate's counter since the sample before the first, and Elapsed the time since that sample.
	// Change is NaN when it is unknown, as for a single sample and for other kinds of series.
	Change  float64
	Elapsed time.Duration
	// Step is the nominal length: 0 for a sample, a minute or an hour.
	Step time.Duration
	// Finer reports that the samples or minutes in it can be read, too.
	Finer bool
	// Gap reports that samples were missed before it. For gaps inside it, see GapReader.
	Gap bool
}

// BandReader is a RangeReader that keeps long periods aggregated.
type BandReader interface {
	// ReadBands appends the bands of a series between from and to to dst: the longest bands up to step, or longer ones where
	// nothing finer exists.
	ReadBands(ctx context.Context, series int, from, to time.Time, step time.Duration, dst []Band) ([]Band, error)
}

// GapReader is a BandReader that knows where samples were missed.
type GapReader interface {
	// ReadGaps appends to dst the times of samples between from and to that follow missed samples, in nanoseconds since 1970,
	// UTC, in the order of the recording. It ignores samples that were removed after they were aggregated.
	ReadGaps(ctx context.Context, from, to time.Time, dst []int64) ([]int64, error)
}

// BandScanner is a BandReader that can read many parts in one scan.
type BandScanner interface {
	// ScanBands begins a scan of the recording as it is now. One goroutine owns the scan and must close it soon: until then,
	// removed parts of the recording take space.
	ScanBands(ctx context.Context) (BandScan, error)
}

// BandScan reads a recording as it was at one time.
type BandScan interface {
	BandReader
	GapReader
	Close() error
}

// Add merges a later band into this one. Averages are weighted by their number of values.
func (b *Band) Add(later *Band) {
	b.To, b.Samples = later.To, b.Samples+later.Samples
	b.Change, b.Elapsed = b.Change+later.Change, b.Elapsed+later.Elapsed
	if !math.IsNaN(later.Last) {
		b.Last = later.Last
	}
	if later.Count == 0 {
		return
	}
	if b.Count == 0 {
		b.Min, b.Max, b.Average = later.Min, later.Max, 0
	}
	b.Min, b.Max = min(b.Min, later.Min), max(b.Max, later.Max)
	b.Count += later.Count
	b.Average += (later.Average - b.Average) * float64(later.Count) / float64(b.Count)
}

// SumBands merges, in place, the bands that begin in the same period of length step, counted from 1970. Longer bands stay.
func SumBands(bands []Band, step time.Duration) []Band {
	summed := bands[:0]
	for i := range bands {
		band := bands[i]
		last := len(summed) - 1
		if last >= 0 && band.Step <= step && summed[last].Step <= step && band.From/int64(step) == summed[last].From/int64(step) {
			summed[last].Add(&band)
			summed[last].Step = step
			continue
		}
		if band.Step <= step {
			band.Step = step
		}
		summed = append(summed, band)
	}
	return summed
}
