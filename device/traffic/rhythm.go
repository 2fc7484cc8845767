package traffic

import "math"

// Rhythm is the moving part of a flow's level.
type Rhythm struct {
	dice Dice
	// Window is the part of its demand that a TCP sender sends after losses.
	Window float64
}

// knotSteps is the distance of the points between which the level of a flow wanders.
const knotSteps = 16

// Start begins at full demand.
func (r *Rhythm) Start(d Dice) { r.dice, r.Window = d, 1 }

// Noise is between -1 and 1: it wanders from one drawn point to the next, with a little grain.
func (r *Rhythm) Noise(step int64) float64 {
	knot, at := step/knotSteps, float64(step%knotSteps)/knotSteps
	left, right, grain := r.dice.Draw(knot), r.dice.Draw(knot+1), r.dice.Draw(-step)
	return 2*(0.85*(left+(right-left)*at)+0.15*grain) - 1
}

// How a TCP sender answers losses: it sends less at once, and slowly more when all arrives. When most is lost it only
// tries now and then.
const (
	lossSeen = 1000 // one in so many
	backOff  = 0.92
	recovery = 0.008
	minShare = 0.3
)

// TrialShare is the part of its demand that a sender tries when most is lost.
const TrialShare = 0.02

// Answer moves Window after a step in which frames arrived, and some of these were lost.
func (r *Rhythm) Answer(arrived, lost uint64) {
	switch {
	case lost*2 > arrived:
		r.Window = math.Max(TrialShare, r.Window*backOff)
	case lost*lossSeen > arrived:
		r.Window = math.Max(math.Min(minShare, r.Window), r.Window*backOff)
	default:
		r.Window = math.Min(1, r.Window+recovery)
	}
}
