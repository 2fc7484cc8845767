package comparison

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cxdeck/driver"
	"cxdeck/perf/compare"
)

// Comparison is what differs between two stretches of time.
type Comparison struct {
	First, Second Stretch
	// Counters are the ones that differ, the largest difference in proportion to its noise first.
	Counters []compare.Difference
	// FirstEvents and SecondEvents happened in one of the stretches alone, the most frequent kinds first.
	FirstEvents, SecondEvents []EventCount
	// Change is the change whose before and after it is; nil for other comparisons.
	Change *Change
	// Host is what differs in the host; nil where it was not compared. NoHost says why not.
	Host   *HostDifference
	NoHost string
}

// Stretch is one side of a comparison.
type Stretch struct {
	// Name is its source's: "session 12". Session is 0 for what is no session.
	Name    string
	Session int64
	compare.Range
}

// String names it with its times, on this machine's clock.
func (s Stretch) String() string { return s.Name + ", " + s.clock() }

func (s Stretch) clock() string { return Stamp(s.From) + " to " + Stamp(s.To) }

// Stamp writes a time on this machine's clock, as it can be typed again.
func Stamp(at time.Time) string { return at.Local().Format(time.DateTime) }

// Progress is told how much of the work is done; it may be nil.
type Progress func(done, all int)

func (p Progress) tell(done, all int) {
	if p != nil {
		p(done, all)
	}
}

// The reasons why nothing can be compared.
var (
	ErrNothingBefore = errors.New("there is nothing before the range to compare it with: begin it later")
	ErrNothingAfter  = errors.New("there is no sample after the change yet")
)

// LastPart is the part of what there is that Moved is asked for where nobody says which: the last fifth, which leaves four
// times as much before it.
const LastPart = 5

// Moved ranks the counters by how much they differ in a range from the time before it, which is four times as long where
// there is so much.
func Moved(ctx context.Context, s *Subject, in compare.Range, progress Progress) (*Comparison, error) {
	in, err := within(s, in)
	if err != nil {
		return nil, err
	}
	if in.Length() <= 0 {
		return nil, fewSamples(s, in)
	}
	before := in.Before()
	if first, _ := s.Samples.Span(); before.From.Before(first) {
		before.From = first
	}
	if !before.From.Before(before.To) {
		return nil, ErrNothingBefore
	}
	before.To = before.To.Add(-time.Nanosecond) // the first sample of the range belongs to it alone
	return compared(ctx, sides{of: [2]*Subject{s, s}, in: [2]compare.Range{before, in}}, progress)
}

// Compare ranks the counters of two ranges, of one subject or of two, by how much they differ.
func Compare(ctx context.Context, first, second *Subject, a, b compare.Range, progress Progress) (*Comparison, error) {
	if compare.Common(first.Samples.Schema(), second.Samples.Schema()) == 0 {
		return nil, fmt.Errorf("%s and %s have no counter in common", first.Name, second.Name)
	}
	a, err := within(first, a)
	if err != nil {
		return nil, err
	}
	if b, err = within(second, b); err != nil {
		return nil, err
	}
	return compared(ctx, sides{of: [2]*Subject{first, second}, in: [2]compare.Range{a, b}}, progress)
}

// Whole is all the time that a subject has samples of.
func (s *Subject) Whole() compare.Range {
	from, to := s.Samples.Span()
	return compare.Range{From: from, To: to}
}

// within cuts a range to what a subject has.
func within(s *Subject, r compare.Range) (compare.Range, error) {
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

func noSamples(s *Subject, r compare.Range) error {
	return fmt.Errorf("%s has no samples from %s to %s", s.Name, Stamp(r.From), Stamp(r.To))
}

// sides is what is compared.
type sides struct {
	of [2]*Subject
	in [2]compare.Range
	// eventsFrom is where the events of the second stretch begin, when that is before its samples; zero otherwise.
	eventsFrom time.Time
	noise      *compare.Noise
}

// compared ranks the counters and compares the events of two stretches.
func compared(ctx context.Context, c sides, progress Progress) (*Comparison, error) {
	step := compare.Step(max(c.of[0].Samples.Interval(), c.of[1].Samples.Interval()), min(c.in[0].Length(), c.in[1].Length()))
	var measured [2]compare.Side
	var events [2]map[eventKind]*EventCount
	for i, s := range c.of {
		var err error
		if measured[i], err = s.sum(ctx, c.in[i], step); err != nil {
			return nil, err
		}
		progress.tell(i+1, len(c.of))
		in := c.in[i]
		if i == 1 && !c.eventsFrom.IsZero() {
			in.From = c.eventsFrom
		}
		if events[i], err = s.countEvents(ctx, in); err != nil {
			return nil, err
		}
	}
	return &Comparison{
		First: c.of[0].stretch(c.in[0]), Second: c.of[1].stretch(c.in[1]), Counters: compare.Rank(measured[0], measured[1], c.noise),
		FirstEvents: only(events[0], events[1]), SecondEvents: only(events[1], events[0]),
	}, nil
}

func (s *Subject) stretch(in compare.Range) Stretch { return Stretch{s.Name, s.Session, in} }

func (s *Subject) sum(ctx context.Context, in compare.Range, step time.Duration) (compare.Side, error) {
	side, err := s.Samples.Sum(ctx, in, step)
	if err != nil {
		return side, err
	}
	if side.Schema == nil {
		return side, noSamples(s, in)
	}
	if samplesOf(&side) < minSamples {
		return side, fewSamples(s, in)
	}
	side.Length = in.Length()
	return side, nil
}

// minSamples is how many samples a stretch must have: one value has no noise. Where a session keeps only the minutes or hours
// of its past, a minute has one.
const minSamples = 2

func fewSamples(s *Subject, in compare.Range) error {
	return fmt.Errorf("%s has fewer than %d samples from %s to %s: compare a longer time", s.Name, minSamples, Stamp(in.From), Stamp(in.To))
}

// samplesOf is how many samples were summed up; it stops counting when there are enough.
func samplesOf(side *compare.Side) (count int) {
	for i := range side.Summaries {
		if count = max(count, side.Summaries[i].Count); count >= minSamples {
			return count
		}
	}
	return count
}

// AddHosts compares the hosts at the ends of the two stretches. What is not known is no error: NoHost says why.
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

// Sentence says what moved most, and how many counters changed by more than their noise.
func (c *Comparison) Sentence(inBytes bool) string {
	if c.Change == nil {
		return compare.Sentence(c.Counters, inBytes)
	}
	return c.Change.sentence(c.Counters, inBytes)
}
