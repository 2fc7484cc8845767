package teaming

import "math"

// virtualRates are what the virtual miniport of a slot receives and sends, in bytes a second; NaN before they are known.
func (v *View) virtualRates(slot int) (receive, send float64) {
	if v.state != nil {
		if r, ok := v.state.Virtual[slot]; ok {
			return r.Receive, r.Send
		}
	}
	return math.NaN(), math.NaN()
}
