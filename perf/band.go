package perf

import (
	"context"
	"math"
	"time"
)

// Band sums up the values of a series in a period of time: a sample by itself, a minute or an hour. Of a cumulative series, Min,
// Max and Average are of its rate per second. NaN means no value.
type Band struct {
	// From and To are the times of its first and last sample, in nanoseconds since 1970, UTC.
	From, To                int64
	Min, Max, Average, Last float64
	// Count is how many values there were, Samples how many samples.
	Count, Samples int64
	// Change is by how much a rate's counter rose since the sample before the first, and Elapsed the time since then. Change is NaN
	// where that is not known, as for a single sample and for other kinds of series.
	Change  float64
	Elapsed time.Duration
	// Step is how long it is by name: 0 for a sample, a minute or an hour.
	Step time.Duration
	// Finer reports that the rows below it can be read, too.
	Finer bool
	// Gap reports that samples were missed before it. What it sums up may have gaps, too: see GapReader.
	Gap bool
}

// BandReader is a RangeReader that keeps long periods summed up.
type BandReader interface {
	// ReadBands appends what is known of a series between from and to to dst, in bands that are not longer than step where there
	// are such, and as long as that allows.
	ReadBands(ctx context.Context, series int, from, to time.Time, step time.Duration, dst []Band) ([]Band, error)
}

// GapReader is a BandReader that knows before which samples others were missed.
type GapReader interface {
	// ReadGaps appends the times of such samples between from and to, in nanoseconds since 1970, UTC, to dst, in the order of the
	// recording. Of samples that are no longer there it says nothing.
	ReadGaps(ctx context.Context, from, to time.Time, dst []int64) ([]int64, error)
}

// BandScanner is a BandReader of which many parts can be read in a row.
type BandScanner interface {
	// ScanBands begins to read the recording as it is now. One goroutine owns the scan, and closes it soon: what is removed of the
	// recording takes space until then.
	ScanBands(ctx context.Context) (BandScan, error)
}

// BandScan reads a recording as it was at one time.
type BandScan interface {
	BandReader
	GapReader
	Close() error
}

// Add puts the band of a later time to this one. Averages count as many times as they have values.
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

// SumBands puts the bands together that begin in one period of time of this length, counted from 1970, in place. Longer ones stay.
func SumBands(bands []Band, step time.Duration) []Band {
	summed := bands[:0]
	for i := range bands {
		one := bands[i]
		last := len(summed) - 1
		if last >= 0 && one.Step <= step && summed[last].Step <= step && one.From/int64(step) == summed[last].From/int64(step) {
			summed[last].Add(&one)
			summed[last].Step = step
			continue
		}
		if one.Step <= step {
			one.Step = step
		}
		summed = append(summed, one)
	}
	return summed
}
