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

// Change is the change whose before and after a comparison shows.
type Change struct {
	Entry driver.Entry
	// Length is the length of the periods before and after; the ends of the session may shorten them.
	Length time.Duration
	// Interrupted is the time for which drivers and links were down after the change, valid if Known. The period after begins at the end of
	// the interruption.
	Interrupted time.Duration
	Known       bool
	// Noise is the time before the change in which noise was measured: Periods periods, each as long as the compared ones. It is
	// empty when there was no time for two.
	Noise   compare.Range
	Periods int
	// Row is the length of the rows of which the periods consist, a minute or an hour; 0 for samples.
	Row time.Duration
	// Next is the first change that was made within the period after; nil for none.
	Next *driver.Entry
}

// DefaultLength is the default length of the periods before and after a change.
const DefaultLength = time.Minute

// lengths are the lengths an operator chooses from.
var lengths = [...]time.Duration{10 * time.Second, 30 * time.Second, DefaultLength, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute}

// NextLength returns the next longer period length (direction 1) or the next shorter one (-1); at the end of the list it returns
// the same length.
func NextLength(length time.Duration, direction int) time.Duration {
	next := length
	for _, d := range lengths {
		if direction > 0 && d > length {
			return d
		}
		if direction < 0 && d < length {
			next = d
		}
	}
	return next
}

const (
	// noiseTime is the length of the time before a change in which noise is measured.
	noiseTime = time.Hour
	// noiseSteps is the number of columns that are read in each noise period.
	noiseSteps = 4
	// minRows is the minimum number of minutes or hours in a period where nothing finer is kept.
	minRows = 5
)

// ErrNoChange is returned for a change number that a source does not have.
var ErrNoChange = errors.New("no such change")

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

// AroundChange compares the period before a change with the period after it, which begins when drivers and links are up
// again. Both have this length. A counter has changed by more than its noise if it differs by more than any two periods of
// the hour before the change do.
func AroundChange(ctx context.Context, s *Subject, entry driver.Entry, length time.Duration, progress Progress) (*Comparison, error) {
	interval := s.Samples.Interval()
	length = max(length, 2*interval)
	change := &Change{Entry: entry, Length: length}
	over := entry.Time
	if s.InterruptionEnd != nil {
		var err error
		if over, change.Known, err = s.InterruptionEnd(ctx, entry.Time); err != nil {
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
		return nil, fmt.Errorf("%w: %s ends at %s, and drivers and links were up again at %s", ErrNothingAfter, s.Name, Stamp(last), Stamp(over))
	}
	before, after, err := change.periodsAround(ctx, s, over)
	if err != nil {
		return nil, err
	}
	noise, err := change.measureNoise(ctx, s, before.To, progress)
	if err != nil {
		return nil, err
	}
	c, err := compared(ctx, sides{of: [2]*Subject{s, s}, in: [2]compare.Range{before, after}, row: change.Row, eventsFrom: entry.Time, noise: noise}, nil)
	if err != nil {
		return nil, err
	}
	c.Change = change
	change.sort(c.Counters)
	return c, change.findNext(ctx, s, after.To)
}

// periodsAround returns the periods before and after the change, of which the second begins when drivers and links are up again. Where only
// minutes or hours are kept, a period consists of whole ones, minRows at least, and the one in which the change was made is in neither.
func (c *Change) periodsAround(ctx context.Context, s *Subject, over time.Time) (before, after compare.Range, err error) {
	interval := s.Samples.Interval()
	// The first rate of the period after must not reach back into the interruption.
	end, start := c.Entry.Time.Add(-time.Nanosecond), over.Add(interval)
	last, older, err := s.Samples.Align(ctx, compare.Range{From: end, To: end})
	if err != nil {
		return before, after, err
	}
	next, newer, err := s.Samples.Align(ctx, compare.Range{From: start, To: start})
	if err != nil {
		return before, after, err
	}
	if older > 0 && last.To.After(end) {
		end = last.From.Add(-time.Nanosecond)
	}
	if newer > 0 && next.From.Before(start) {
		start = next.To.Add(interval)
	}
	c.Row = max(older, newer)
	c.Length = max(c.Length, minRows*c.Row)
	if before, older, err = alignRange(ctx, s, compare.Range{From: end.Add(time.Nanosecond - c.Length), To: end}); err != nil {
		return before, after, err
	}
	to := start.Add(c.Length)
	if newer > 0 {
		to = to.Add(-interval) // the last sample of a row
	}
	after, newer, err = alignRange(ctx, s, compare.Range{From: start, To: to})
	c.Row = max(c.Row, older, newer)
	return before, after, err
}

// measureNoise summarises periods of the change's length in the hour that ends before it, the newest first.
func (c *Change) measureNoise(ctx context.Context, s *Subject, end time.Time, progress Progress) (*compare.Noise, error) {
	first, _ := s.Samples.Span()
	start := c.Entry.Time.Add(-noiseTime)
	if start.Before(first) {
		start = first
	}
	all := int(end.Sub(start) / c.Length)
	if all < 2 {
		return nil, nil //nolint:nilnil // there is no noise to measure
	}
	_, row, err := s.Samples.Align(ctx, compare.Range{From: start, To: end})
	if err != nil {
		return nil, err
	}
	step := max(c.Length/noiseSteps, s.Samples.Interval(), row)
	noise := &compare.Noise{}
	for n := range all {
		to := end.Add(-time.Duration(n) * c.Length)
		in := compare.Range{From: to.Add(-c.Length), To: to}
		if row > 0 {
			if in, _, err = s.Samples.Align(ctx, in); err != nil {
				return nil, err
			}
		}
		side, err := s.Samples.Sum(ctx, in, step)
		if err != nil {
			return nil, err
		}
		noise.Add(side)
		progress.report(n+1, all)
	}
	if noise.Periods < 2 {
		return nil, nil //nolint:nilnil // as above
	}
	c.Noise, c.Periods = compare.Range{From: end.Add(-time.Duration(all) * c.Length), To: end}, noise.Periods
	return noise, nil
}

// findNext finds the next change within the period after.
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

// targets lists the connections, adapters, teams and virtual machines that the change was made on.
func (c *Change) targets() (list []string) {
	for _, o := range c.Entry.Plan.Operations {
		if name := o.Target(); name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// IsTarget reports whether a series belongs to a target of the change: its instance is the target's name, or begins with it, as
// "Ethernet 7 Priority 3" does.
func (c *Change) IsTarget(series *perf.Series) bool {
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

// sort puts the counters of the targets first, if they have changed by more than their noise: the counters of a target
// itself before the counters of its queues and priorities.
func (c *Change) sort(found []compare.Difference) {
	targets := c.targets()
	rank := func(d *compare.Difference) int {
		switch {
		case !d.BeyondNoise():
			return 3
		case slices.Contains(targets, d.Series.Instance):
			return 0
		case c.IsTarget(&d.Series):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(found, func(a, b compare.Difference) int { return rank(&a) - rank(&b) })
}

// sentence names the counter that changed most, and counts the counters that changed by more than their noise.
func (c *Change) sentence(found []compare.Difference, inBytes bool) string {
	noise, when := "its noise", "before"
	if c.Periods > 0 {
		when = "the hour before"
		if c.Noise.Length() < noiseTime-c.Length {
			when = "the " + moment.Span(c.Noise.Length()) + " before"
		}
		noise, when = "the noise of "+when, "in "+when
	}
	own := 0
	first, all := compare.CountChanged(found)
	for i := range found {
		if found[i].BeyondNoise() && c.IsTarget(&found[i].Series) {
			own++
		}
	}
	whose := strings.Join(c.targets(), ", ")
	switch others := all - own; {
	case all == 0 || whose == "":
		return compare.SentenceWithNoise(found, inBytes, noise, when)
	case own == 0:
		return fmt.Sprintf("No counter of %s changed by more than %s. Elsewhere, %s did: %s.", whose, noise, counters(others), first.ChangeText(inBytes, noise, when))
	case all == 1:
		return first.ChangeText(inBytes, noise, when) + "; no other counter changed by more than its noise."
	default:
		return fmt.Sprintf("%s; %s of %s and %d elsewhere changed by more than their noise.", first.ChangeText(inBytes, noise, when), moreCounters(own-1), whose, others)
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

// Method returns sentences that explain the compared periods, how noise was measured, and the next change, if it was made
// within the period after.
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
	if kept := rowNames[c.Row]; kept != "" {
		list = append(list, fmt.Sprintf("Only %s are kept around the change: the periods are whole %s, without the one in which it was made.", kept, kept))
	}
	switch {
	case c.Periods >= 2:
		list = append(list, fmt.Sprintf("Noise is the largest difference between the means of any two of %d periods of %s before the change; a difference of more than %.2g times the noise counts as a change.",
			c.Periods, moment.Span(c.Length), compare.Margin(c.Periods)))
	default:
		list = append(list, "There was too little time before the change to measure noise: a difference of more than three standard deviations counts as a change.")
	}
	if c.Next != nil {
		list = append(list, fmt.Sprintf("Change %d, %s, was made %s later: the differences may be its effect.",
			c.Next.Sequence, c.Next.Plan.Title, moment.Span(c.Next.Time.Sub(c.Entry.Time))))
	}
	return list
}
