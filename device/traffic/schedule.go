package traffic

import (
	"time"

	"cxdeck/device/description"
)

// ramp is the time in which a burst reaches its full level, and ends, in steps.
const ramp = 20

// Schedule is the current state of a schedule of the description: active from step From until step Until, then the next span.
type Schedule struct {
	dice Dice
	ScheduleState
}

// ScheduleState is the saved part of a schedule.
type ScheduleState struct{ Draws, From, Until int64 }

// Valid reports whether the state is possible at a step. maxAhead is the maximum number of steps to the next event.
func (s *ScheduleState) Valid(step, maxAhead int64) bool {
	return s.Draws >= 0 && s.Draws <= 2+2*step && s.From >= 0 && s.Until >= s.From && s.From <= step+maxAhead && s.Until <= step+2*maxAhead
}

// Spans holds the ranges of a schedule's times, in steps.
type Spans struct{ First, Every, Lasting [2]int64 }

// NewSpans returns the ranges of a described schedule.
func NewSpans(d *description.Schedule, step time.Duration) Spans {
	steps := func(span []description.Duration) (list [2]int64) {
		for i := range list {
			list[i] = int64(time.Duration(span[i]) / step)
		}
		return list
	}
	return Spans{steps(d.First), steps(d.Every), steps(d.Lasting)}
}

// Start draws the first span.
func (s *Schedule) Start(p *Spans, d Dice) {
	s.dice = d
	s.From = max(1, s.between(p.First))
	s.Until = s.From + max(1, s.between(p.Lasting))
}

// Move advances the schedule to a step, which follows the previous one.
func (s *Schedule) Move(p *Spans, step int64) {
	if step < s.Until {
		return
	}
	s.From = s.Until + max(1, s.between(p.Every))
	s.Until = s.From + max(1, s.between(p.Lasting))
}

func (s *Schedule) between(span [2]int64) int64 {
	s.Draws++
	return span[0] + int64(s.dice.Draw(s.Draws)*float64(span[1]-span[0]+1))
}

// On reports whether the schedule is active in a step.
func (s *Schedule) On(step int64) bool { return step >= s.From && step < s.Until }

// Level returns 0 outside a span, 1 in its middle, and a value between at both ends.
func (s *Schedule) Level(step int64) float64 {
	if !s.On(step) {
		return 0
	}
	edge := float64(min(step-s.From+1, s.Until-step))
	return min(1, edge/ramp)
}
