package device

import (
	"math"

	"cxdeck/device/description"
)

// ramp is how long a burst takes to come to its full level and to go again, in steps.
const ramp = 20

// schedule is where a Schedule stands: on from step from until step until, then the next.
type schedule struct {
	dice dice
	scheduleState
}

// scheduleState is the moving part of a schedule.
type scheduleState struct{ Draws, From, Until int64 }

// spans are the choices of a Schedule in steps.
type spans struct{ first, every, lasting [2]int64 }

func (s *schedule) start(p *spans, d dice) {
	s.dice = d
	s.From = max(1, s.between(p.first))
	s.Until = s.From + max(1, s.between(p.lasting))
}

// move brings the schedule to a step, which is the one after the step before.
func (s *schedule) move(p *spans, step int64) {
	if step < s.Until {
		return
	}
	s.From = s.Until + max(1, s.between(p.every))
	s.Until = s.From + max(1, s.between(p.lasting))
}

func (s *schedule) between(span [2]int64) int64 {
	s.Draws++
	return span[0] + int64(s.dice.draw(s.Draws)*float64(span[1]-span[0]+1))
}

// on says whether the schedule is active in a step.
func (s *schedule) on(step int64) bool { return step >= s.From && step < s.Until }

// level is 0 outside, 1 in the middle, and between at both ends.
func (s *schedule) level(step int64) float64 {
	if !s.on(step) {
		return 0
	}
	edge := float64(min(step-s.From+1, s.Until-step))
	return math.Min(1, edge/ramp)
}

// knotSteps is the distance of the points between which the level of a flow wanders.
const knotSteps = 16

// rhythm is the moving part of a flow's level.
type rhythm struct {
	dice dice
	// window is the part of its demand that a TCP sender sends after losses.
	window float64
}

func (r *rhythm) start(d dice) { r.dice, r.window = d, 1 }

// noise is between -1 and 1: it wanders from one drawn point to the next, with a little grain.
func (r *rhythm) noise(step int64) float64 {
	knot, at := step/knotSteps, float64(step%knotSteps)/knotSteps
	left, right, grain := r.dice.draw(knot), r.dice.draw(knot+1), r.dice.draw(-step)
	return 2*(0.85*(left+(right-left)*at)+0.15*grain) - 1
}

// level is what part of its full rate a flow wants in a step.
func (f *flowPlan) level(r *rhythm, schedules []schedule, step int64) float64 {
	level := 1.0
	switch f.kind {
	case description.Steady:
	case description.Wave:
		turn := float64(step)/f.period + f.phase
		level = 1 - f.depth*(0.5-0.5*math.Cos(2*math.Pi*turn))
	case description.Burst:
		on := schedules[f.schedule].level(step)
		level = f.rest + (1-f.rest)*on
	}
	return level * math.Max(0, 1+f.noise*r.noise(step))
}
