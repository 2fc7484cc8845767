// Package polling decides whether a polled receive ring is polled again or waits for an interrupt. Package completion models
// the packets.
package polling

// Settings control the decision (NIC-13, NIC-14; manual: registry keys RecvCompletionMethod, AverageFactor,
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

// Pass returns the new average of packets a pass, after a pass that found packets, and whether to poll again: when this pass,
// or the average, exceeds its threshold (NIC-13).
func (s Settings) Pass(average float64, packets int) (next float64, again bool) {
	const whole = 256
	next = (average*(whole-s.AverageFactor) + float64(packets)*s.AverageFactor) / whole
	return next, s.Always || packets > s.PassThreshold || next > s.AverageThreshold
}

// Idle reports whether to poll again after a number of cycles without a packet (NIC-14). The average stays unchanged.
func (s Settings) Idle(cycles int) bool {
	return s.Always || cycles < s.IdleCycles
}
