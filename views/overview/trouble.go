package overview

import (
	"math"
	"slices"

	"cxdeck/perf"
	"cxdeck/perf/window"
)

// trouble is a way in which a port loses or delays frames.
type trouble uint8

const (
	receiveDrops trouble = iota // packets per second
	sendDrops                   // packets per second
	paused                      // share of the time that pause frames of the far end stop sending
	holdsBack                   // share of the time that pause frames of this port stop the far end
	linkErrors                  // damaged frames per second
	troubleCount
)

// pauseFrom is the share of the time from which on a pause is marked: short ones are how flow control works.
const pauseFrom = 0.01

// troubleCounters are the counters that tell of a trouble, by set. What one set counts of a port is added up; of several
// sets the largest counts, because they count the same frames at different levels (manual-winof, notes on the error
// counters: the adapter's own see layer 2 only, Network Interface sees missing receive buffers, too).
var troubleCounters = map[string]map[string]trouble{
	"Network Interface": {
		"Packets Received Discarded": receiveDrops, "Packets Outbound Discarded": sendDrops,
		"Packets Received Errors": linkErrors, "Packets Outbound Errors": linkErrors,
	},
	"Mellanox Adapter Traffic Counters": {
		"Packets Received Discarded": receiveDrops, "Packets Outbound Discarded": sendDrops,
		"Packets Received Errors": linkErrors, "Packets Outbound Errors": linkErrors,
	},
	"Mellanox IB Adapter Traffic Counters": {
		"Packets Received Discarded": receiveDrops, "Packets Outbound Discarded": sendDrops,
		"Packets Received Errors": linkErrors, "Packets Outbound Errors": linkErrors,
	},
	"Mellanox WinOF-2 Port Traffic": {
		"Packets Received Discarded": receiveDrops, "Packets Received Discarded No Receive WQEs": receiveDrops,
		"Packets Outbound Discarded": sendDrops,
		"Packets Received Errors":    linkErrors, "Packets Outbound Errors": linkErrors,
	},
	"Mellanox WinOF-2 IB Port": {
		"Port Xmit Discards": sendDrops, "Port Receive Errors": linkErrors, "Symbol Error": linkErrors,
	},
	"Mellanox Adapter QoS Counters": {"Sent Pause Duration": paused, "Received Pause Duration": holdsBack},
	"Mellanox WinOF-2 Port QoS":     {"Sent Pause Duration": paused, "Rcv Pause Duration": holdsBack},
}

// evidence are the counters of one set and instance that tell of one trouble.
type evidence struct {
	trouble trouble
	series  []int
}

// findEvidence finds the evidence of all instances of a schema. Counters of totals are left out: they belong to no port.
func findEvidence(schema *perf.Schema) map[string][]evidence {
	found := map[string][]evidence{}
	if schema == nil {
		return found
	}
	set, counters := "", map[string]trouble(nil)
	begun := map[[2]string][troubleCount]int{} // one more than the place of a set's evidence for an instance
	for i := range schema.Series {
		s := &schema.Series[i]
		if s.Set != set {
			set, counters = s.Set, troubleCounters[s.Set]
		}
		if counters == nil || s.Sum != "" {
			continue
		}
		t, shows := counters[s.Counter]
		if !shows {
			continue
		}
		places := begun[[2]string{s.Set, s.Instance}]
		if places[t] == 0 {
			found[s.Instance] = append(found[s.Instance], evidence{trouble: t})
			places[t] = len(found[s.Instance])
			begun[[2]string{s.Set, s.Instance}] = places
		}
		one := &found[s.Instance][places[t]-1]
		one.series = append(one.series, i)
	}
	return found
}

// troubles are how much of each trouble there is: rates and shares as trouble says, NaN where nothing tells of it.
type troubles [troubleCount]float64

func noTroubles() (t troubles) {
	for i := range t {
		t[i] = math.NaN()
	}
	return t
}

// measureTroubles reads the newest troubles of a port. A port pauses by priority: the worst one counts.
func measureTroubles(n *perf.Node, found map[string][]evidence, window *window.Recent) troubles {
	t := noTroubles()
	for _, instance := range n.Instances {
		for i := range found[instance] {
			one := &found[instance][i]
			value := rates(window, one.series)
			if one.trouble == paused || one.trouble == holdsBack {
				value = min(value/1e6, 1) // microseconds a second
			}
			if math.IsNaN(t[one.trouble]) || value > t[one.trouble] {
				t[one.trouble] = value
			}
		}
	}
	return t
}

// gather adds the troubles of a port to its adapter's: losses add up, the longest pause counts.
func (t *troubles) gather(port troubles) {
	for i, value := range port {
		switch {
		case math.IsNaN(value):
		case math.IsNaN(t[i]):
			t[i] = value
		case trouble(i) == paused || trouble(i) == holdsBack:
			t[i] = max(t[i], value)
		default:
			t[i] += value
		}
	}
}

// dropRate returns the frames lost in both directions a second, NaN when nothing tells of them.
func (t *troubles) dropRate() float64 {
	switch in, out := t[receiveDrops], t[sendDrops]; {
	case math.IsNaN(in):
		return out
	case math.IsNaN(out):
		return in
	default:
		return in + out
	}
}

// known reports whether anything tells of troubles.
func (t *troubles) known() bool {
	return slices.ContainsFunc(t[:], func(value float64) bool { return !math.IsNaN(value) })
}

// pause returns the longer of the two shares of time that a pause takes, NaN when nothing tells of pauses.
func (t *troubles) pause() float64 {
	if held := t[paused]; !(t[holdsBack] > held) && !math.IsNaN(held) {
		return held
	}
	return t[holdsBack]
}

// isMarked reports whether a trouble is worth a mark.
func (t *troubles) isMarked(one trouble) bool {
	if one == paused || one == holdsBack {
		return t[one] >= pauseFrom
	}
	return t[one] > 0
}

// list returns the troubles that are marked, in their order.
func (t *troubles) list() (list []trouble) {
	for one := range troubleCount {
		if t.isMarked(one) {
			list = append(list, one)
		}
	}
	return list
}

// evidenceOf returns the series that tell of the marked troubles of a port, for its curves.
func evidenceOf(n *perf.Node, t *troubles, found map[string][]evidence, window *window.Recent) (series []int) {
	for _, instance := range n.Instances {
		for _, one := range found[instance] {
			if !t.isMarked(one.trouble) {
				continue
			}
			for _, i := range one.series {
				if rates(window, []int{i}) > 0 && !slices.Contains(series, i) {
					series = append(series, i)
				}
			}
		}
	}
	return series
}
