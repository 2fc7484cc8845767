package dcqcn

import "math"

// Control holds the parameters of a port in the form that its flows use, computed once. It is read-only, except for Watch.
type Control struct {
	// Watch, if set, is called for each event of each flow.
	Watch func(Event)

	lineRate, minRate, firstRate float64 // rates, Mbit/s
	additive, hyper              float64 // steps of the target, Mbit/s
	keep, gain, initial          float64 // alpha becomes keep x alpha, plus gain after a CNP; alpha at the first CNP
	cutShare, keepShare          float64 // a cut takes cutShare x alpha of the rate and leaves at least keepShare
	window, period, timer        int64   // us
	bytes                        int64
	threshold                    int32
	clamp, clampAfterTimer       bool
	off                          bool
}

const (
	alphaScale = 1024              // alpha and its gain are in 1/1024
	maxAlpha   = 1023              // the largest alpha
	never      = math.MaxInt64 / 2 // a period that does not end; a time can be added without overflow
)

// firstShare is the fraction of the line rate to which the first CNP limits a flow when no rate is set (DCQ-4).
const firstShare = 0.85

// NewControl converts the parameters of a port with a line rate in Mbit/s. Windows of 0 last 1 us; a timer or byte counter of 0
// is stopped (DCQ-2).
func NewControl(p *Parameters, lineRate float64) Control {
	c := Control{
		lineRate: lineRate, minRate: min(float64(p[MinimumRate]), lineRate), firstRate: float64(p[FirstRate]),
		additive: float64(p[AdditiveRate]), hyper: float64(p[HyperRate]),
		gain: float64(p[AlphaGain]), keep: 1 - float64(p[AlphaGain])/alphaScale, initial: float64(p[InitialAlpha]),
		cutShare: math.Ldexp(1, -int(p[AlphaToRateShift])), keepShare: float64(p[MinimumDecreaseFactor]) / 100,
		window: int64(max(1, p[AlphaWindow])), period: int64(max(1, p[MonitorPeriod])),
		timer: int64(p[TimeReset]), bytes: 64 * int64(p[ByteReset]),
		threshold: int32(p[Threshold]),
		clamp:     p[ClampTargetRate] != 0, clampAfterTimer: p[ClampTargetAfterTime] != 0,
	}
	if c.firstRate == 0 {
		c.firstRate = firstShare * lineRate
	}
	c.firstRate = min(max(c.firstRate, c.minRate), lineRate)
	c.off = c.minRate >= lineRate // DCQ-14
	if c.timer == 0 {
		c.timer = never
	}
	if c.bytes == 0 {
		c.bytes = never
	}
	return c
}

// Cause is the reason for a change of a flow's rate.
type Cause uint8

// The causes of an Event, under the names that traces use.
const (
	FirstNotification Cause = iota // first_cnp
	Cut                            // cut
	TimerIncrease                  // timer
	ByteIncrease                   // bytes
	Release                        // release: an increase reached the line rate, and the limiter was removed
)

// String returns the name in traces.
func (c Cause) String() string {
	return [...]string{"first_cnp", "cut", "timer", "bytes", "release"}[c]
}

// Phase is the part of a recovery that an increase belongs to (DCQ-10).
type Phase uint8

// The phases. Only increases and a release have a phase.
const (
	NoPhase Phase = iota
	FastRecovery
	AdditiveIncrease
	HyperAdditiveIncrease
)

// String returns the name in traces.
func (p Phase) String() string {
	return [...]string{"", "fast_recovery", "additive_increase", "hyper_additive_increase"}[p]
}

// Event is a change of a flow's rate, with the state after it.
type Event struct {
	At int64 // us
	Cause
	Phase
	State
}

// State is the visible state of a flow.
type State struct {
	// Limited reports that the flow has a rate limiter; otherwise it may send at line rate.
	Limited bool
	// Current and Target are in Mbit/s, Alpha in 1/1024.
	Current, Target, Alpha float64
	ByteStage, TimeStage   int
	// BytesSinceIncrease is the number of bytes since the last byte increase or cut.
	BytesSinceIncrease int64
}
