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

// Loopback returns what nd_send_bw reaches in loopback on a healthy adapter by the generation of its slot, in units of
// 2^20 bytes per second, and what to say of a measured figure (PERF-2).
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

// Gigabits returns a rate as nd_send_bw prints it, in units of 2^30 bits per second, of bytes without headers (PERF-3).
func Gigabits(bytes, seconds float64) float64 { return bytes * 8 / seconds / (1 << 30) }

// Limit is something that a flow can't exceed, in the unit that its fellows have.
type Limit struct {
	Name string
	Rate float64
}

// Tightest returns the limit that decides, the first of equal ones (PERF-8). There is at least one.
func Tightest(first Limit, others ...Limit) Limit {
	for _, other := range others {
		if other.Rate < first.Rate {
			first = other
		}
	}
	return first
}
