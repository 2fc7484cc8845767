package comparison

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/compare"
	"cxdeck/views/moment"
)

// Change is what a comparison is the before and after of.
type Change struct {
	Entry driver.Entry
	// Length is how long the stretches before and after are where nothing cuts them short.
	Length time.Duration
	// Interrupted is how long drivers and links were down after it; Known says that this is known. The stretch after begins
	// when that is over.
	Interrupted time.Duration
	Known       bool
	// Noise is the time before it in which the counters' noise was measured, in Stretches parts as long as the compared periods; the
	// range is empty where there was no time for two.
	Noise     compare.Range
	Stretches int
	// Next is the first change that was made within the stretch after; nil for none.
	Next *driver.Entry
}

// DefaultLength is how long the stretches before and after a change are by default.
const DefaultLength = time.Minute

// Lengths are the lengths to choose from.
var lengths = [...]time.Duration{10 * time.Second, 30 * time.Second, DefaultLength, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute}

// NextLength is the next longer length of stretches (1) or the next shorter one (-1), or the same at the end.
func NextLength(length time.Duration, direction int) time.Duration {
	next := length
	for _, one := range lengths {
		if direction > 0 && one > length {
			return one
		}
		if direction < 0 && one < length {
			next = one
		}
	}
	return next
}

const (
	// noiseTime is how long before a change the noise is measured.
	noiseTime = time.Hour
	// noiseSteps is how many columns of each part of that time are read.
	noiseSteps = 4
)

// ErrNoChange is a change that is not there.
var ErrNoChange = errors.New("there is no such change")

// FindChange finds a change of a subject by its number.
func FindChange(ctx context.Context, s *Subject, number uint64) (driver.Entry, error) {
	if s.Changes == nil {
		return driver.Entry{}, fmt.Errorf("%s has no changes", s.Name)
	}
	all, err := s.Changes(ctx)
	if err != nil {
		return driver.Entry{}, err
	}
	for i := range all {
		if all[i].Sequence != number {
			continue
		}
		if all[i].Err != "" {
			return all[i], fmt.Errorf("change %d failed and was rolled back: %s", number, all[i].Err)
		}
		return all[i], nil
	}
	return driver.Entry{}, fmt.Errorf("%s: %w: %d", s.Name, ErrNoChange, number)
}

// AroundChange compares the time before a change with the time after it: a stretch of this length that ends with the
// change, and one that begins when what it interrupted is over. A counter has changed by more than its noise when it differs more
// than any two stretches of the hour before.
func AroundChange(ctx context.Context, s *Subject, entry driver.Entry, length time.Duration, progress Progress) (*Comparison, error) {
	interval := s.Samples.Interval()
	length = max(length, 2*interval)
	change := &Change{Entry: entry, Length: length}
	over := entry.Time
	if s.Settled != nil {
		var err error
		if over, change.Known, err = s.Settled(ctx, entry.Time); err != nil {
			return nil, err
		}
	}
	change.Interrupted = over.Sub(entry.Time)
	first, last := s.Samples.Span()
	switch {
	case entry.Time.Before(first):
		return nil, fmt.Errorf("change %d was made before %s began", entry.Sequence, s.Name)
	case !first.Before(entry.Time.Add(-interval)):
		return nil, fmt.Errorf("there is no sample before change %d: %s begins with it", entry.Sequence, s.Name)
	case over.Add(interval).After(last):
		return nil, fmt.Errorf("%w: %s ends at %s, and what the change interrupted was over at %s", ErrNothingAfter, s.Name, Stamp(last), Stamp(over))
	}
	before, err := within(s, compare.Range{From: entry.Time.Add(-length), To: entry.Time.Add(-time.Nanosecond)})
	if err != nil {
		return nil, err
	}
	// The first rate of the stretch after must not reach back into the interruption.
	after, err := within(s, compare.Range{From: over.Add(interval), To: over.Add(interval + length)})
	if err != nil {
		return nil, err
	}
	noise, err := change.measureNoise(ctx, s, length, progress)
	if err != nil {
		return nil, err
	}
	c, err := compared(ctx, sides{of: [2]*Subject{s, s}, in: [2]compare.Range{before, after}, eventsFrom: entry.Time, noise: noise}, nil)
	if err != nil {
		return nil, err
	}
	c.Change = change
	change.order(c.Counters)
	return c, change.findNext(ctx, s, after.To)
}

// measureNoise sums up stretches of a length in the hour before the change, the newest first.
func (c *Change) measureNoise(ctx context.Context, s *Subject, length time.Duration, progress Progress) (*compare.Noise, error) {
	first, _ := s.Samples.Span()
	start := c.Entry.Time.Add(-noiseTime)
	if start.Before(first) {
		start = first
	}
	end := c.Entry.Time.Add(-time.Nanosecond)
	all := int(end.Sub(start) / length)
	if all < 2 {
		return nil, nil //nolint:nilnil // there is no noise to measure
	}
	step := max(length/noiseSteps, s.Samples.Interval())
	noise := &compare.Noise{}
	for n := range all {
		to := end.Add(-time.Duration(n) * length)
		side, err := s.Samples.Sum(ctx, compare.Range{From: to.Add(-length), To: to}, step)
		if err != nil {
			return nil, err
		}
		noise.Add(side)
		progress.tell(n+1, all)
	}
	if noise.Stretches < 2 {
		return nil, nil //nolint:nilnil // as above
	}
	c.Noise, c.Stretches = compare.Range{From: end.Add(-time.Duration(all) * length), To: end}, noise.Stretches
	return noise, nil
}

// findNext finds the next change within the stretch after.
func (c *Change) findNext(ctx context.Context, s *Subject, until time.Time) error {
	if s.Changes == nil {
		return nil
	}
	all, err := s.Changes(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		if e := &all[i]; e.Err == "" && e.Sequence != c.Entry.Sequence && e.Time.After(c.Entry.Time) && e.Time.Before(until) {
			c.Next = e
			return nil
		}
	}
	return nil
}

// targets are what the change was made on: connections, adapters, teams, machines.
func (c *Change) targets() (list []string) {
	for _, o := range c.Entry.Plan.Operations {
		if name := o.Target(); name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// Own says whether a series belongs to what the change was made on: its instance is called so, or its name goes on behind
// that, as "Ethernet 7 Priority 3" does.
func (c *Change) Own(series *perf.Series) bool {
	for _, name := range c.targets() {
		if rest, ok := strings.CutPrefix(series.Instance, name); ok && (rest == "" || !isWordRune(rest[0])) {
			return true
		}
	}
	return false
}

func isWordRune(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= utf8.RuneSelf
}

// order puts the counters of what the change was made on first, where they have changed by more than their noise: of the whole
// before parts such as queues.
func (c *Change) order(found []compare.Difference) {
	targets := c.targets()
	rank := func(d *compare.Difference) int {
		switch {
		case !d.BeyondNoise():
			return 3
		case slices.Contains(targets, d.Series.Instance):
			return 0
		case c.Own(&d.Series):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(found, func(a, b compare.Difference) int { return rank(&a) - rank(&b) })
}

// sentence says what moved with the change, and whether that is more than the noise.
func (c *Change) sentence(found []compare.Difference, inBytes bool) string {
	noise, when := "its noise", "before"
	if c.Stretches > 0 {
		when = "the hour before"
		if c.Noise.Length() < noiseTime-c.Length {
			when = "the " + moment.Span(c.Noise.Length()) + " before"
		}
		noise, when = "the noise of "+when, "in "+when
	}
	own := 0
	first, all := compare.Moved(found)
	for i := range found {
		if found[i].BeyondNoise() && c.Own(&found[i].Series) {
			own++
		}
	}
	whose := strings.Join(c.targets(), ", ")
	switch others := all - own; {
	case all == 0 || whose == "":
		return compare.SentenceOf(found, inBytes, noise, when)
	case own == 0:
		return fmt.Sprintf("No counter of %s changed by more than %s. Elsewhere, %s did: %s.", whose, noise, counters(others), first.Went(inBytes, noise, when))
	case all == 1:
		return first.Went(inBytes, noise, when) + "; no other counter changed by more than its noise."
	default:
		return fmt.Sprintf("%s; %s of %s and %d elsewhere changed by more than their noise.", first.Went(inBytes, noise, when), moreCounters(own-1), whose, others)
	}
}

func moreCounters(n int) string {
	switch n {
	case 0:
		return "no other counter"
	case 1:
		return "1 more counter"
	}
	return fmt.Sprintf("%d more counters", n)
}

func counters(n int) string {
	if n == 1 {
		return "1 counter"
	}
	return fmt.Sprintf("%d counters", n)
}

// Method says which stretches are compared and what the noise is, a sentence for each.
func (c *Change) Method() []string {
	var list []string
	switch {
	case !c.Known:
		list = append(list, "How long drivers and links were down is not known: the time after begins with the change.")
	case c.Interrupted > 0:
		list = append(list, fmt.Sprintf("The time after begins when drivers and links were up again, %s after the change.", moment.Span(c.Interrupted)))
	default:
		list = append(list, "No driver restarted and no link was coming up: the time after begins with the change.")
	}
	switch {
	case c.Stretches >= 2:
		list = append(list, fmt.Sprintf("Noise is the largest difference between the means of any two of %d periods of %s before the change; a difference of more than %.2g times the noise counts as a change.",
			c.Stretches, moment.Span(c.Length), compare.Margin(c.Stretches)))
	default:
		list = append(list, "There was too little time before the change to measure noise: a difference of more than three standard deviations counts as a change.")
	}
	if c.Next != nil {
		list = append(list, fmt.Sprintf("Change %d, %s, was made %s later: the differences may be its effect.",
			c.Next.Sequence, c.Next.Plan.Title, moment.Span(c.Next.Time.Sub(c.Entry.Time))))
	}
	return list
}
