package wire

// Verdict is the result of a loopback measurement with nd_send_bw.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota // the manuals give no figure for the generation of the slot
	Healthy
	Misconfigured
)

// String returns the verdict in words.
func (v Verdict) String() string {
	return [...]string{"not given", "ok", "bad configuration or wrong PCI slot"}[v]
}

const healthyShare = 0.95

// Loopback returns the result of nd_send_bw in loopback on a healthy adapter, by the generation of its slot, in units of 2^20
// bytes per second, and the verdict on a measured figure (PERF-2).
func Loopback(generation int, measured float64) (expected float64, verdict Verdict) {
	switch generation {
	case 2:
		expected = 3300
	case 3:
		expected = 5700
	default:
		return 0, Unknown
	}
	if measured < healthyShare*expected {
		return expected, Misconfigured
	}
	return expected, Healthy
}

// LoopbackRate returns the payload rate in bytes per second of one connection in loopback by the slot of the card: the documented figures
// are of eight lanes (PERF-2), and other lanes scale them (ours). It is 0 where the manuals give no figure.
func LoopbackRate(generation, lanes int) float64 {
	expected, _ := Loopback(generation, 0)
	return expected * (1 << 20) * float64(lanes) / documentedLanes
}

// documentedLanes are the lanes of the cards of the documented figures.
const documentedLanes = 8

// Gigabits returns a rate in the unit of nd_send_bw, 2^30 bits per second, of bytes without headers (PERF-3).
func Gigabits(bytes, seconds float64) float64 { return bytes * 8 / seconds / (1 << 30) }

// Limit is an upper bound of a flow's rate, in the same unit as other limits.
type Limit struct {
	Name string
	Rate float64
}

// LowestLimit returns the lowest limit, the first of equal ones (PERF-8).
func LowestLimit(first Limit, others ...Limit) Limit {
	for _, other := range others {
		if other.Rate < first.Rate {
			first = other
		}
	}
	return first
}
