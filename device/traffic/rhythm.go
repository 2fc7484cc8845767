package traffic

// Rhythm is the changing part of a flow's level.
type Rhythm struct {
	dice Dice
	// Window is the fraction of its demand that a TCP sender sends after losses.
	Window float64
}

// knotSteps is the distance between the points of a flow's random level, in steps.
const knotSteps = 16

// Start sets the dice, and full demand.
func (r *Rhythm) Start(d Dice) { r.dice, r.Window = d, 1 }

// Noise returns a number between -1 and 1: an interpolation between drawn points, with a small random part for each step.
func (r *Rhythm) Noise(step int64) float64 {
	knot, at := step/knotSteps, float64(step%knotSteps)/knotSteps
	left, right, grain := r.dice.Draw(knot), r.dice.Draw(knot+1), r.dice.Draw(-step)
	return 2*(0.85*(left+(right-left)*at)+0.15*grain) - 1
}

// The reaction of a TCP sender to losses: it sends less at once, and gradually more when all frames arrive. When most frames
// are lost, it only retries occasionally.
const (
	lossSeen = 1000 // frames for one loss that is noticed
	backOff  = 0.92
	recovery = 0.008
	minShare = 0.3
)

// TrialShare is the fraction of its demand that a sender tries when most frames are lost.
const TrialShare = 0.02

// Answer adapts Window after a step in which frames arrived, and some of them were lost. Window recovers at a speed of which 1 is
// the usual one.
func (r *Rhythm) Answer(arrived, lost uint64, speed float64) {
	switch {
	case lost*2 > arrived:
		r.Window = max(TrialShare, r.Window*backOff)
	case lost*lossSeen > arrived:
		r.Window = max(min(minShare, r.Window), r.Window*backOff)
	default:
		r.Window = min(1, r.Window+recovery*speed)
	}
}
