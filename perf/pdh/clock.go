package pdh

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// The sizes of the search for places where the clock of a log goes back.
const (
	// clockWhole is how long a log may be to be looked through as a whole when it is opened, in bytes.
	clockWhole = 16 << 20
	// clockSpots is how many rows of a longer one are looked at. Between two of them an hour is not hidden in a log of up
	// to six weeks; what is hidden is found when it is played.
	clockSpots = 1024
	// clockBlock is how much is read for one of them.
	clockBlock = 8 << 10
	// stepLimit bounds how many places are kept; rows that go back behind the last of them are passed over.
	stepLimit = 1000
)

// summerTime is the shift of clocks at the end of summer time.
const summerTime = int64(time.Hour)

// clockStep is a place from where on rows are shown later than the clock of the log says.
type clockStep struct {
	place int64
	// summer is added after the end of summer time; shift is the whole correction, in nanoseconds.
	summer, shift int64
	// back is how far the clock is set back here, 0 where it has caught up with what is shown.
	back int64
	// at is when the row is shown.
	at int64
}

// summerClock turns the times of rows, one after the other, into times that rise. Where the clock is set back by an hour, as
// at the end of summer time, all later rows are an hour later than they say. Where it goes back otherwise, rows follow
// each other at the usual distance until the clock has caught up.
type summerClock struct {
	spacing             int64
	summer, shift, last int64
	began               bool
	// back is how far the clock was set back at the row that was given last.
	back int64
}

// next returns the time at which a row is shown; ok is false for a second row of one time. changed says that shift is
// another one from this row on.
func (c *summerClock) next(raw int64) (at int64, changed, ok bool) {
	at, c.back = raw+c.shift, 0
	if c.began && c.shift != c.summer && raw+c.summer >= c.last+c.spacing/2 {
		c.shift, changed = c.summer, true
		at = raw + c.shift
	}
	if !c.began || at > c.last {
		c.began, c.last = true, at
		return at, changed, true
	}
	// Hourly rows around the end of summer time have one time.
	back := c.last + c.spacing - (raw + c.summer)
	hour := raw+c.summer+summerTime > c.last && absolute(back-summerTime) <= max(3*c.spacing/2, 2*int64(time.Second))
	switch {
	case at == c.last && (!hour || c.spacing < summerTime/2):
		return at, changed, false
	case hour:
		c.summer += summerTime
		c.shift = c.summer
		at, c.back = raw+c.shift, summerTime
	default:
		c.back = max(c.last+c.spacing-at, 1)
		at = c.last + c.spacing
		c.shift = at - raw
	}
	c.last = at
	return at, true, true
}

func absolute(n int64) int64 { return max(n, -n) }

// shiftAt returns the correction of the time of a row at a place.
func (s *source) shiftAt(place int64) int64 {
	if step := s.stepBefore(place); step != nil {
		return step.shift
	}
	return 0
}

// stepBefore returns the last step at or before a place, nil when there is none.
func (s *source) stepBefore(place int64) *clockStep {
	steps := *s.steps.Load()
	n, found := slices.BinarySearchFunc(steps, place, func(step clockStep, place int64) int { return cmp.Compare(step.place, place) })
	if !found {
		n--
	}
	if n < 0 {
		return nil
	}
	return &steps[n]
}

// addStep keeps a step; ReadRange may be looking at earlier ones.
func (s *source) addStep(step clockStep) {
	steps := *s.steps.Load()
	n, found := slices.BinarySearchFunc(steps, step.place, func(step clockStep, place int64) int { return cmp.Compare(step.place, place) })
	if found || len(steps) >= stepLimit {
		return
	}
	steps = slices.Insert(slices.Clone(steps), n, step)
	s.steps.Store(&steps)
}

// findSteps looks for places where the clock goes back, and for the time of the last row.
func (s *source) findSteps() error {
	s.steps.Store(&[]clockStep{})
	clock := summerClock{spacing: int64(s.survey.spacing)}
	if s.end-s.body <= clockWhole {
		if err := s.scan(&clock, s.body, s.end); err != nil {
			return err
		}
		if clock.began {
			s.survey.last = clock.last
		}
		return nil
	}
	lines := &lineReader{file: s.file, encoding: s.encoding, block: clockBlock}
	before := s.body
	for spot := range int64(clockSpots) {
		place := s.body + (s.end-s.body)*spot/clockSpots
		lines.moveTo(place - (place-s.body)%int64(s.encoding.width()))
		if spot > 0 {
			if _, _, err := lines.next(); err != nil {
				continue // a line longer than any; playing says so
			}
		}
		at, raw, err := s.rawTime(lines)
		if err != nil {
			continue
		}
		if clock.began && raw+clock.shift < clock.last {
			if err := s.scan(&clock, before, at); err != nil {
				return err
			}
		}
		clock.began, clock.last, before = true, max(clock.last, raw+clock.shift), at
	}
	s.survey.last = max(s.survey.tail+clock.shift, clock.last)
	return nil
}

// scan looks at every row between two places.
func (s *source) scan(clock *summerClock, from, to int64) error {
	lines := &lineReader{file: s.file, encoding: s.encoding, block: blockSize(s.end)}
	lines.moveTo(from)
	for lines.offset() < to {
		at, raw, err := s.rawTime(lines)
		var wrong *Error
		switch {
		case errors.Is(err, io.EOF), errors.As(err, &wrong):
			return nil // playing is what is wrong with a row
		case err != nil:
			return err
		case at < to:
			s.step(clock, at, raw)
		}
	}
	return nil
}

// step returns the time at which the row at a place is shown, and keeps the place where the clock goes back there.
func (s *source) step(clock *summerClock, place, raw int64) (at int64, ok bool) {
	at, changed, ok := clock.next(raw)
	if changed && ok {
		s.addStep(clockStep{place: place, summer: clock.summer, shift: clock.shift, back: clock.back, at: at})
	}
	return at, ok
}

// describe returns what was done about a step.
func (step *clockStep) describe() string {
	if step.back == 0 {
		return "The clock of the log has caught up: rows are shown at their time in the log."
	}
	back := time.Duration(step.back).Round(time.Second)
	if step.shift == step.summer {
		return fmt.Sprintf("The clock of the log goes back by %s, as at the end of summer time: all rows from here on are kept and shown %s later than in the log.",
			back, time.Duration(step.summer))
	}
	return fmt.Sprintf("The clock of the log goes back by %s: all rows are kept, and shown up to %s later than in the log, until the clock has caught up.",
		back, time.Duration(step.shift).Round(time.Second))
}

// rawTime returns the place of the next row, and its time as the clock of the log has it; io.EOF behind the last.
func (s *source) rawTime(lines *lineReader) (at, t int64, err error) {
	for {
		at = lines.offset()
		line, whole, err := lines.next()
		if err != nil {
			return at, 0, s.lineError(at, 0, err)
		}
		if line = rowOf(line, s.header.delimiter); len(line) == 0 {
			continue
		}
		c := cells{delimiter: s.header.delimiter}
		c.reset(line)
		cell, _, err := c.next()
		if t, ok := parseTime(cell, s.survey.order); ok && err == nil {
			return at, t, nil
		}
		if !whole {
			return at, 0, io.EOF
		}
		return at, 0, s.lineError(at, 1, badTime(cell))
	}
}

// rowOf returns a line without the zero bytes of a log that was not closed; empty for what typeperf says on the screen
// between and behind the rows: "Exiting, please wait...", "The command completed successfully.", in any language.
func rowOf(line []byte, delimiter byte) []byte {
	line = bytes.Trim(line, "\x00")
	text := bytes.TrimLeft(line, " ")
	if len(text) == 0 {
		return nil
	}
	first := text[0]
	letter := first >= 'a' && first <= 'z' || first >= 'A' && first <= 'Z' || first >= 0x80
	if letter && (bytes.IndexByte(text, delimiter) < 0 || bytes.HasPrefix(text, []byte("Exiting, please wait..."))) {
		return nil
	}
	return line
}
