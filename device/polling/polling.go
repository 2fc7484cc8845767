// Package polling decides whether a polled receive ring is polled again or waits for an interrupt. The packets, and when they
// come, belong to package completion.
package polling

// Settings steer the decision (NIC-13, NIC-14; manual: registry keys RecvCompletionMethod, AverageFactor,
// AveragePollThreshold, ThisPollThreshold and ThreadPoll).
type Settings struct {
	Always           bool    // RecvCompletionMethod 0: never back to interrupts
	AverageFactor    float64 // weight of the last pass in 256ths, 0 to 256
	AverageThreshold float64 // AveragePollThreshold: packets a pass
	PassThreshold    int     // ThisPollThreshold: packets
	IdleCycles       int     // ThreadPoll: cycles without a packet before polling stops
}

// DefaultSettings returns the drivers' defaults.
func DefaultSettings() Settings {
	return Settings{AverageFactor: 16, AverageThreshold: 10, PassThreshold: 100, IdleCycles: 10_000}
}

// Pass returns a pass that found packets: given the average of packets a pass before it, it has the one after it, and
// whether to poll again. It continues when this pass found many or when the passes have on the average (NIC-13).
func (s Settings) Pass(average float64, packets int) (next float64, again bool) {
	const whole = 256
	next = (average*(whole-s.AverageFactor) + float64(packets)*s.AverageFactor) / whole
	return next, s.Always || packets > s.PassThreshold || next > s.AverageThreshold
}

// Idle reports whether to poll again after so many cycles without a packet (NIC-14). The average stays as it is.
func (s Settings) Idle(cycles int) bool {
	return s.Always || cycles < s.IdleCycles
}
