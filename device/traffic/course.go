package traffic

import (
	"math"
	"time"

	"cxdeck/device/description"
)

// Course is the course of a flow's level over time, with its times in steps.
type Course struct {
	kind         description.RhythmKind
	noise        float64
	period       float64
	depth, phase float64
	levels       []float64
	schedule     int
	rest         float64
}

// NewCourse returns the course of a described rhythm; schedule is the number of the schedule that it names.
func NewCourse(r *description.Rhythm, schedule int, step time.Duration) Course {
	return Course{
		kind: r.Kind, noise: r.Noise, depth: r.Depth, phase: r.Phase, levels: r.Levels, period: float64(r.Period) / float64(step),
		schedule: schedule, rest: r.Rest,
	}
}

// Level returns the demand of a flow in a step, as a fraction of its full rate.
func (c *Course) Level(r *Rhythm, schedules []Schedule, step int64) float64 {
	level := 1.0
	switch c.kind {
	case description.Steady:
	case description.Wave:
		level = 1 - c.depth*(0.5-0.5*math.Cos(2*math.Pi*(float64(step)/c.period+c.phase)))
	case description.Burst:
		level = c.rest + (1-c.rest)*schedules[c.schedule].Level(step)
	case description.Trace:
		level = TraceLevel(c.levels, c.period, step)
	}
	return level * max(0, 1+c.noise*r.Noise(step))
}
