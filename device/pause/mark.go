package pause

// A lossless receive buffer sends pause frames at HighMark of its size and above, and resumes at LowMark (QOS-2). The manuals
// give no marks.
const (
	HighMark = 0.8
	LowMark  = 0.5
)

// Full returns the priorities, a bit for each, whose buffers pause the far end, given their fill levels as fractions of their size
// and the previous result. Between the two marks the state does not change.
func Full(levels *[Priorities]float64, before uint8) uint8 {
	full := before
	for priority, level := range levels {
		switch bit := uint8(1) << priority; {
		case level >= HighMark:
			full |= bit
		case level <= LowMark:
			full &^= bit
		}
	}
	return full
}
