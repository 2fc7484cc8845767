package device

import (
	"math"

	"cxdeck/device/description"
	"cxdeck/device/traffic"
)

// level returns the demand of a flow in a step, as a fraction of its full rate.
func (f *flowPlan) level(r *traffic.Rhythm, schedules []traffic.Schedule, step int64) float64 {
	level := 1.0
	switch f.kind {
	case description.Steady:
	case description.Wave:
		level = 1 - f.depth*(0.5-0.5*math.Cos(2*math.Pi*(float64(step)/f.period+f.phase)))
	case description.Burst:
		level = f.rest + (1-f.rest)*schedules[f.schedule].Level(step)
	case description.Trace:
		level = traffic.TraceLevel(f.levels, f.period, step)
	}
	return level * max(0, 1+f.noise*r.Noise(step))
}
