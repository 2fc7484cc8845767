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

// pauseFrom is the minimum share of the time at which a pause is marked: shorter pauses are normal flow control.
const pauseFrom = 0.01

// troubleCounters are the counters that show a trouble, by set. The counters of one set are added up; of several sets the largest
// sum is used, because they count the same frames at different levels (manual-winof, notes on the error counters: the adapter's
// own sets count layer 2 only, Network Interface also counts missing receive buffers).
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

// evidence holds the counters of one set and instance that show one trouble.
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
	begun := map[[2]string][troubleCount]int{} // the index of the set's evidence plus 1
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
		e := &found[s.Instance][places[t]-1]
		e.series = append(e.series, i)
	}
	return found
}

// troubles holds the amount of each trouble: a rate or a share of the time, NaN without a counter.
type troubles [troubleCount]float64

func noTroubles() (t troubles) {
	for i := range t {
		t[i] = math.NaN()
	}
	return t
}

// measureTroubles reads the newest troubles of a port. Of the pauses of several priorities it takes the longest.
func measureTroubles(n *perf.Node, found map[string][]evidence, window *window.Recent) troubles {
	t := noTroubles()
	for _, instance := range n.Instances {
		for i := range found[instance] {
			e := &found[instance][i]
			value := rates(window, e.series)
			if e.trouble == paused || e.trouble == holdsBack {
				value = min(value/1e6, 1) // microseconds a second
			}
			if math.IsNaN(t[e.trouble]) || value > t[e.trouble] {
				t[e.trouble] = value
			}
		}
	}
	return t
}

// gather adds the troubles of a port to its adapter's: it adds up losses, and takes the longest pause.
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

// dropRate returns the frames lost in both directions per second, NaN without a counter.
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

// known reports whether any trouble has a counter.
func (t *troubles) known() bool {
	return slices.ContainsFunc(t[:], func(value float64) bool { return !math.IsNaN(value) })
}

// pause returns the larger of the two pause shares, NaN without a counter.
func (t *troubles) pause() float64 {
	if held := t[paused]; !(t[holdsBack] > held) && !math.IsNaN(held) {
		return held
	}
	return t[holdsBack]
}

// isMarked reports whether a trouble is marked: pauses from pauseFrom, others above 0.
func (t *troubles) isMarked(kind trouble) bool {
	if kind == paused || kind == holdsBack {
		return t[kind] >= pauseFrom
	}
	return t[kind] > 0
}

// list returns the marked troubles, in the order of the constants.
func (t *troubles) list() (list []trouble) {
	for kind := range troubleCount {
		if t.isMarked(kind) {
			list = append(list, kind)
		}
	}
	return list
}

// evidenceOf returns the series that show the marked troubles of a port.
func evidenceOf(n *perf.Node, t *troubles, found map[string][]evidence, window *window.Recent) (series []int) {
	for _, instance := range n.Instances {
		for _, e := range found[instance] {
			if !t.isMarked(e.trouble) {
				continue
			}
			for _, i := range e.series {
				if rates(window, []int{i}) > 0 && !slices.Contains(series, i) {
					series = append(series, i)
				}
			}
		}
	}
	return series
}
