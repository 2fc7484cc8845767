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

// The sizes of the search for rows where the clock of a log goes back.
const (
	// clockWhole is the size up to which Open checks every row of a log, in bytes.
	clockWhole = 16 << 20
	// clockProbes is the number of rows that Open checks in a longer log. In a log of up to six weeks they are less than an
	// hour apart; a step that they miss is found when the log is played.
	clockProbes = 1024
	// clockBlock is the number of bytes read for one of them.
	clockBlock = 8 << 10
	// stepLimit limits the number of stored steps; rows that go back after the last of them are skipped.
	stepLimit = 1000
)

// summerTime is the shift of clocks at the end of summer time.
const summerTime = int64(time.Hour)

// clockStep is a row from which on rows are shown later than their time in the log.
type clockStep struct {
	place int64
	// summer is the correction for the end of summer time; shift is the whole correction, in nanoseconds.
	summer, shift int64
	// back is the time by which the clock goes back here, 0 where it has caught up with the shown time.
	back int64
	// at is the shown time of the row.
	at int64
}

// summerClock converts the times of consecutive rows into rising times. When the clock goes back by an hour, as at the end of
// summer time, all later rows are shown an hour later. When it goes back by another time, rows follow each other at the usual
// spacing until the clock has caught up.
type summerClock struct {
	spacing             int64
	summer, shift, last int64
	began               bool
	// back is the time by which the clock went back at the last row.
	back int64
}

// next returns the shown time of a row; ok is false for a second row with the same time. changed reports that shift changes
// with this row.
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
	// With hourly rows, the two rows around the end of summer time have the same time.
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

// shiftAt returns the correction for the time of the row at a place.
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

// addStep stores a step. It replaces the list, because ReadRange may be reading the old one.
func (s *source) addStep(step clockStep) {
	steps := *s.steps.Load()
	n, found := slices.BinarySearchFunc(steps, step.place, func(step clockStep, place int64) int { return cmp.Compare(step.place, place) })
	if found || len(steps) >= stepLimit {
		return
	}
	steps = slices.Insert(slices.Clone(steps), n, step)
	s.steps.Store(&steps)
}

// findSteps finds rows where the clock goes back, and the time of the last row.
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
	for probe := range int64(clockProbes) {
		place := s.body + (s.end-s.body)*probe/clockProbes
		lines.moveTo(place - (place-s.body)%int64(s.encoding.width()))
		if probe > 0 {
			if _, _, err := lines.next(); err != nil {
				continue // the line is too long; playing reports it
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

// scan checks every row between two offsets.
func (s *source) scan(clock *summerClock, from, to int64) error {
	lines := &lineReader{file: s.file, encoding: s.encoding, block: blockSize(s.end)}
	lines.moveTo(from)
	for lines.offset() < to {
		at, raw, err := s.rawTime(lines)
		var wrong *Error
		switch {
		case errors.Is(err, io.EOF), errors.As(err, &wrong):
			return nil // playing reports an invalid row
		case err != nil:
			return err
		case at < to:
			s.step(clock, at, raw)
		}
	}
	return nil
}

// step returns the shown time of the row at a place, and stores a step if the clock goes back there.
func (s *source) step(clock *summerClock, place, raw int64) (at int64, ok bool) {
	at, changed, ok := clock.next(raw)
	if changed && ok {
		s.addStep(clockStep{place: place, summer: clock.summer, shift: clock.shift, back: clock.back, at: at})
	}
	return at, ok
}

// describe returns a sentence on how rows are shown after a step.
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

// rawTime returns the place of the next row, and its time by the clock of the log; io.EOF after the last.
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

// rowOf returns a line without the zero bytes of a log that was not closed. It is empty for messages of typeperf between and
// after the rows: "Exiting, please wait...", "The command completed successfully.", in any language.
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
