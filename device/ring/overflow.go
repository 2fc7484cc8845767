package ring

import "math"

// LightLoad is a load at which no ring is full.
const LightLoad = 0.05

// Overflow returns the fraction of arrivals that find a queue full, for a load and a queue length in bursts, with random
// arrivals and service (the M/M/1/K queue). Beyond a load of 1 it tends to the excess.
func Overflow(load, bursts float64) float64 {
	switch {
	case load <= LightLoad:
		return 0
	case math.Abs(load-1) < 1e-9:
		return 1 / (bursts + 1)
	case math.Abs(load-1)*bursts > 25*max(1, load): // the power below is negligible
		return max(0, 1-1/load)
	case load < 1:
		x := math.Exp(bursts * math.Log(load))
		return (1 - load) * x / (1 - load*x)
	}
	y := math.Exp(-bursts * math.Log(load))
	return (load - 1) / (load - y)
}

// Bursts have random lengths: with this mean, in packets, some are longer than a ring, even at a low load. A fraction below
// minPart is treated as 0.
const (
	MeanArrival = 25.0
	MeanWrite   = 64.0 // bytes that programs write at once
	minPart     = 1e-8
)

// Beyond returns the fraction of bursts that are longer than a ring, for a mean length.
func Beyond(ring, mean float64) float64 {
	if part := math.Exp(-ring / mean); part > minPart {
		return part
	}
	return 0
}
