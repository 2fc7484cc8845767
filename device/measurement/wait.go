package measurement

// halfPaused is the mean time that a frame waits for the end of a pause, in seconds, when half of the time is paused (ours).
const halfPaused = 20e-6

// PauseWait returns the mean time that a frame waits for the end of a pause, in seconds; paused is the fraction of time that is paused.
func PauseWait(paused float64) float64 {
	paused = min(paused, 0.99)
	return paused / (1 - paused) * halfPaused
}
