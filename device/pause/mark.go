package pause

// A lossless receive buffer asks for silence from HighMark of its size on, and for more once it is down to LowMark
// (QOS-2). The manuals give no marks.
const (
	HighMark = 0.8
	LowMark  = 0.5
)

// Full returns the priorities, a bit for each, whose buffers hold the far end back, given their fill levels as parts of their size
// and their previous state. Between the two marks nothing changes.
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
