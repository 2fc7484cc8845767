package comparison

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cxdeck/driver"
	"cxdeck/perf/compare"
)

// Comparison lists the differences between two periods.
type Comparison struct {
	First, Second Period
	// Counters are the counters that differ, the largest difference in proportion to its noise first.
	Counters []compare.Difference
	// FirstEvents and SecondEvents are the kinds of events that happened only in that period, the most frequent first.
	FirstEvents, SecondEvents []EventCount
	// Change is set for a comparison of before and after a change.
	Change *Change
	// Host holds the differences of the host's configuration; nil when the hosts were not compared, for the reason NoHost.
	Host   *HostDifference
	NoHost string
}

// Period is one side of a comparison.
type Period struct {
	// Name is the name of the source: "session 12". Session is 0 for a log and for the live source.
	Name    string
	Session int64
	compare.Range
}

// String returns the name and the times, in local time.
func (s Period) String() string { return s.Name + ", " + s.clock() }

func (s Period) clock() string { return Stamp(s.From) + " to " + Stamp(s.To) }

// Stamp writes a local time in the form that --from and --to take.
func Stamp(at time.Time) string { return at.Local().Format(time.DateTime) }

// Progress is called with the completed part of the work; it may be nil.
type Progress func(done, all int)

func (p Progress) report(done, all int) {
	if p != nil {
		p(done, all)
	}
}

// The reasons why nothing can be compared.
var (
	ErrNothingBefore = errors.New("there are no samples before the range to compare it with: choose a later start")
	ErrNothingAfter  = errors.New("there is no sample after the change yet")
)

// LastPart is the divisor of the default range of WhatChanged: the last fifth of the samples, with the four fifths before
// it to compare.
const LastPart = 5

// WhatChanged ranks the counters by how much they differ between a range and the time before it, which is four times as long if the source
// goes back that far.
func WhatChanged(ctx context.Context, s *Subject, in compare.Range, progress Progress) (*Comparison, error) {
	in, row, err := alignRange(ctx, s, in)
	if err != nil {
		return nil, err
	}
	if in.Length() <= 0 {
		return nil, fewSamples(s, in, row)
	}
	before := in.Before()
	if first, _ := s.Samples.Span(); before.From.Before(first) {
		before.From = first
	}
	if !before.From.Before(before.To) {
		return nil, ErrNothingBefore
	}
	before.To = before.To.Add(-time.Nanosecond) // the first sample of the range belongs to it alone
	aligned, older, err := alignRange(ctx, s, before)
	if err != nil {
		return nil, err
	}
	before.From = aligned.From
	return compared(ctx, sides{of: [2]*Subject{s, s}, in: [2]compare.Range{before, in}, row: max(row, older)}, progress)
}

// Compare ranks the counters of two ranges, of one subject or of two, by how much they differ.
func Compare(ctx context.Context, first, second *Subject, a, b compare.Range, progress Progress) (*Comparison, error) {
	if compare.Common(first.Samples.Schema(), second.Samples.Schema()) == 0 {
		return nil, fmt.Errorf("%s and %s have no counter in common", first.Name, second.Name)
	}
	a, row, err := alignRange(ctx, first, a)
	if err != nil {
		return nil, err
	}
	b, other, err := alignRange(ctx, second, b)
	if err != nil {
		return nil, err
	}
	return compared(ctx, sides{of: [2]*Subject{first, second}, in: [2]compare.Range{a, b}, row: max(row, other)}, progress)
}

// FullRange returns the range from the first sample to the last.
func (s *Subject) FullRange() compare.Range {
	from, to := s.Samples.Span()
	return compare.Range{From: from, To: to}
}

// limitRange limits a range to the subject's samples.
func limitRange(s *Subject, r compare.Range) (compare.Range, error) {
	from, to := s.Samples.Span()
	cut := r
	if cut.From.Before(from) {
		cut.From = from
	}
	if cut.To.After(to) {
		cut.To = to
	}
	if cut.To.Before(cut.From) {
		return r, noSamples(s, r)
	}
	return cut, nil
}

// alignRange limits a range to the subject's samples, and extends it to whole rows where only minutes or hours are kept.
func alignRange(ctx context.Context, s *Subject, in compare.Range) (aligned compare.Range, row time.Duration, err error) {
	if in, err = limitRange(s, in); err != nil {
		return in, 0, err
	}
	return s.Samples.Align(ctx, in)
}

func noSamples(s *Subject, r compare.Range) error {
	return fmt.Errorf("%s has no samples from %s to %s", s.Name, Stamp(r.From), Stamp(r.To))
}

// sides are the two sides of a comparison.
type sides struct {
	of [2]*Subject
	in [2]compare.Range
	// row is the length of the longest row with which a period begins or ends, 0 for samples. Both periods are read in steps
	// of it: averages of minutes deviate less than averages of seconds.
	row time.Duration
	// eventsFrom is set when the events of the second period begin before its samples.
	eventsFrom time.Time
	noise      *compare.Noise
}

// compared ranks the counters and compares the events of two periods.
func compared(ctx context.Context, c sides, progress Progress) (*Comparison, error) {
	step := compare.Step(max(c.of[0].Samples.Interval(), c.of[1].Samples.Interval()), min(c.in[0].Length(), c.in[1].Length()))
	step = max(step, c.row)
	var measured [2]compare.Side
	var events [2]map[eventKind]*EventCount
	for i, s := range c.of {
		var err error
		if measured[i], err = s.sum(ctx, c.in[i], step, c.row); err != nil {
			return nil, err
		}
		progress.report(i+1, len(c.of))
		in := c.in[i]
		if i == 1 && !c.eventsFrom.IsZero() {
			in.From = c.eventsFrom
		}
		if events[i], err = s.countEvents(ctx, in); err != nil {
			return nil, err
		}
	}
	return &Comparison{
		First: c.of[0].period(c.in[0]), Second: c.of[1].period(c.in[1]), Counters: compare.Rank(measured[0], measured[1], c.noise),
		FirstEvents: eventsOnlyIn(events[0], events[1]), SecondEvents: eventsOnlyIn(events[1], events[0]),
	}, nil
}

func (s *Subject) period(in compare.Range) Period { return Period{s.Name, s.Session, in} }

func (s *Subject) sum(ctx context.Context, in compare.Range, step, row time.Duration) (compare.Side, error) {
	side, err := s.Samples.Sum(ctx, in, step)
	if err != nil {
		return side, err
	}
	if side.Schema == nil {
		return side, noSamples(s, in)
	}
	if countSamples(&side) < minSamples {
		return side, fewSamples(s, in, row)
	}
	side.Length = in.Length()
	return side, nil
}

// minSamples is the minimum number of samples in a period: one value has no noise. Where a session keeps only minutes or
// hours, each of them is one sample.
const minSamples = 2

// rowNames names the rows by their length.
var rowNames = map[time.Duration]string{time.Minute: "minutes", time.Hour: "hours"}

func fewSamples(s *Subject, in compare.Range, row time.Duration) error {
	if kept := rowNames[row]; kept != "" {
		return fmt.Errorf("%s keeps only %s around %s: choose a period of at least %d %s", s.Name, kept, Stamp(in.From), minSamples+1, kept)
	}
	return fmt.Errorf("%s has fewer than %d samples from %s to %s: choose a longer period", s.Name, minSamples, Stamp(in.From), Stamp(in.To))
}

// countSamples counts the samples of a side, up to minSamples.
func countSamples(side *compare.Side) (count int) {
	for i := range side.Summaries {
		if count = max(count, side.Summaries[i].Count); count >= minSamples {
			return count
		}
	}
	return count
}

// AddHosts compares the hosts at the ends of the two periods. A host that can't be restored is not an error: NoHost holds the reason.
func (c *Comparison) AddHosts(ctx context.Context, first, second *Subject) error {
	c.Host, c.NoHost = nil, ""
	var hosts [2]*driver.Host
	for i, s := range []*Subject{first, second} {
		at := c.First.To
		if i == 1 {
			at = c.Second.To
		}
		if s.Host == nil {
			c.NoHost = ErrNoRegistry.Error()
			return nil
		}
		var err error
		if hosts[i], err = s.Host(ctx, at); err != nil {
			c.NoHost = err.Error()
			return ctx.Err()
		}
	}
	var err error
	c.Host, err = compareHosts(hosts[0], hosts[1])
	return err
}

// Sentence names the counter that changed most, and counts the counters that changed by more than their noise.
func (c *Comparison) Sentence(inBytes bool) string {
	if c.Change == nil {
		return compare.Sentence(c.Counters, inBytes)
	}
	return c.Change.sentence(c.Counters, inBytes)
}
