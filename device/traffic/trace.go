package traffic

// TraceLevel returns the level of a recorded course at a step: between two levels it is interpolated, and after the period the course
// begins again. The period is in steps.
func TraceLevel(levels []float64, period float64, step int64) float64 {
	at := float64(step) / period
	at = (at - float64(int64(at))) * float64(len(levels))
	i := min(int(at), len(levels)-1)
	left, right := levels[i], levels[(i+1)%len(levels)]
	return left + (right-left)*(at-float64(i))
}
