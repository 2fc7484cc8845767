package setup

import (
	"cxdeck/device/completion"
	"cxdeck/device/moderation"
	"cxdeck/device/polling"
	"cxdeck/device/ring"
)

// CompletionSettings returns how the driver of a port handles completed packets.
func (s *Port) CompletionSettings() completion.Settings {
	c := completion.Settings{
		Moderation: moderation.Policy{On: s.Moderation, Adaptive: s.AdaptiveModeration, Profile: moderation.Profile(s.ReceiveProfile)},
		Rates:      moderation.Rates{Low: float64(s.RateLow), High: float64(s.RateHigh)},
		Polling:    polling.DefaultSettings(), SendBatch: 1,
	}
	polls := &c.Polling
	polls.Always = s.Completion == Polling
	polls.PassThreshold, polls.AverageThreshold = s.PassThreshold, float64(s.AverageThreshold)
	polls.AverageFactor, polls.IdleCycles = float64(s.AverageFactor), s.IdleCycles
	if s.Moderation {
		c.Send = moderation.Profile(s.SendProfile).Setting()
	}
	if c.Send.Time > 0 {
		c.SendBatch = min(completion.Burst, float64(c.Send.Packets))
	}
	return c
}

// RingCapacity returns the number of packets that a receive ring and its reserve can hold.
func (s *Port) RingCapacity() float64 {
	capacity := float64(s.ReceiveBuffers) +
		(unreturnedBuffers(DefaultReturnThreshold, s.ReceiveBuffers)-unreturnedBuffers(s.ReturnThreshold, s.ReceiveBuffers))/2
	if s.KeepsBursts {
		capacity += float64(s.Reserve) * float64(s.ReceiveBuffers)
	}
	return capacity
}

// unreturnedBuffers returns the number of used buffers that the driver collects before it returns them to a ring in one
// batch. On average half of them are missing in the ring.
func unreturnedBuffers(threshold, buffers int) float64 {
	return float64(min(ring.ReturnThreshold(threshold, buffers), buffers))
}
