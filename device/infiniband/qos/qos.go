// Package qos holds the tables by which ports of a subnet map service levels to virtual lanes and arbitrate between lanes, the options
// of OpenSM that set them, and how the lanes of a congested link share it.
package qos

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Levels is the number of service levels, Lanes the number of data lanes.
const (
	Levels = 16
	Lanes  = 15
	// dropped is the lane of the table that stands for no lane: packets of the level are dropped.
	dropped = 15
)

// Weight is an entry of a table of arbitration: a lane, and what it may send in a turn in units of 64 bytes. A weight of 0 skips it.
type Weight struct{ Lane, Weight uint8 }

// Tables are the tables of a port.
type Tables struct {
	// LaneOf maps a service level to its lane.
	LaneOf [Levels]uint8
	// High and Low are the two tables of arbitration. Limit is what the high table may send before the low one has a turn: units of 4096
	// bytes, 0 for one packet, 255 without limit.
	High, Low []Weight
	Limit     uint8
	// Adapters, Routers and Port0 are the tables of other kinds of ports, nil where they are the same.
	Adapters, Routers, Port0 *Tables `json:",omitempty"`
}

// hardwareLanes is the number of lanes of the ports of the lab.
const hardwareLanes = 8

// Default returns the tables of ports that no manager has set up for QoS: eight lanes, of which lane 0 has the high table.
func Default() *Tables {
	t := &Tables{}
	for level := range t.LaneOf {
		t.LaneOf[level] = uint8(level % hardwareLanes)
	}
	for lane := range uint8(hardwareLanes) {
		high, low := Weight{lane, 0}, Weight{lane, 4}
		if lane == 0 {
			high.Weight, low.Weight = 4, 0
		}
		t.High, t.Low = append(t.High, high), append(t.Low, low)
	}
	return t
}

// Kind is a kind of ports, which OpenSM has options for.
type Kind uint8

// The kinds of ports. The tables of a subnet are the ones of External ports of switches.
const (
	External Kind = iota
	Adapter
	Router
	Port0 // of a switch
	kinds
)

// prefixes are the prefixes of the options of each kind.
var prefixes = [kinds]string{External: "swe_", Adapter: "ca_", Router: "rtr_", Port0: "sw0_"}

// For returns the tables of a kind of ports.
func (t *Tables) For(kind Kind) *Tables {
	if other := [kinds]*Tables{Adapter: t.Adapters, Router: t.Routers, Port0: t.Port0}[kind]; other != nil {
		return other
	}
	return t
}

// options are the options of a kind, or of all kinds; what is not set is nil.
type options struct {
	limit     *uint8
	high, low []Weight
	levels    *[Levels]uint8
}

// Parse reads options of OpenSM, a line each: "qos TRUE", "qos_high_limit 0", "qos_vlarb_high 0:64,1:0", "qos_vlarb_low 0:0,1:64",
// "qos_sl2vl 0,1,2" and "qos_max_vls 8", which OpenSM reads without effect. Options such as "qos_ca_sl2vl" are for a kind of ports: "ca" for
// adapters, "rtr" for routers, "sw0" for port 0 of switches and "swe" for their other ports. Other options of the file count for nothing.
// It returns nil when qos is off, or there are no options.
func Parse(text string) (*Tables, error) {
	all, on := [kinds + 1]options{}, false // the last ones are for all kinds
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		value = strings.TrimSpace(value)
		option, isQoS := strings.CutPrefix(name, "qos_")
		switch {
		case name == "qos":
			if on = strings.EqualFold(value, "true"); !on && !strings.EqualFold(value, "false") {
				return nil, fmt.Errorf("qos: must be TRUE or FALSE, not %q", value)
			}
		case isQoS:
			o := &all[kinds]
			for kind, prefix := range prefixes {
				if rest, found := strings.CutPrefix(option, prefix); found {
					option, o = rest, &all[kind]
				}
			}
			if err := o.read(option, value); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if !on {
		return nil, nil //nolint:nilnil // QoS is off
	}
	var built [kinds]*Tables
	for kind := range built {
		built[kind] = build(&all[kind], &all[kinds])
		if kind > 0 && built[kind].equals(built[External]) {
			built[kind] = nil
		}
	}
	t := built[External]
	t.Adapters, t.Routers, t.Port0 = built[Adapter], built[Router], built[Port0]
	return t, nil
}

// unset are the values of options that OpenSM writes into its file for ones that are not set.
const unset, unsetText = "-1", "(null)"

// read reads an option without its prefix.
func (o *options) read(name, value string) (err error) {
	if value == unsetText || value == unset && name == "high_limit" {
		return nil
	}
	switch name {
	case "max_vls":
		var n uint64
		if n, err = strconv.ParseUint(value, 0, 8); err != nil || n > Lanes {
			return fmt.Errorf("must be 0 to %d, not %q", Lanes, value)
		}
	case "high_limit":
		var limit uint64
		if limit, err = strconv.ParseUint(value, 0, 8); err == nil {
			o.limit = new(uint8(limit))
		}
	case "vlarb_high":
		o.high, err = weights(value)
	case "vlarb_low":
		o.low, err = weights(value)
	case "sl2vl":
		o.levels, err = readLevels(value)
	}
	return err
}

// build returns the tables of a kind: of its options, then of the ones for all kinds, then of OpenSM's defaults, which are the ports' own.
func build(o, all *options) *Tables {
	t := Default()
	for _, from := range []*options{all, o} {
		if from.limit != nil {
			t.Limit = *from.limit
		}
		if from.high != nil {
			t.High = from.high
		}
		if from.low != nil {
			t.Low = from.low
		}
		if from.levels != nil {
			t.LaneOf = *from.levels
		}
	}
	t.High, t.Low = slices.Clone(t.High), slices.Clone(t.Low)
	t.fit()
	return t
}

// equals reports whether two kinds have the same tables.
func (t *Tables) equals(other *Tables) bool {
	return t.LaneOf == other.LaneOf && t.Limit == other.Limit && slices.Equal(t.High, other.High) && slices.Equal(t.Low, other.Low)
}

// fit makes the tables fit ports with eight lanes, as OpenSM does: lanes are taken modulo eight, and a table has eight entries.
func (t *Tables) fit() {
	for level, lane := range t.LaneOf {
		if lane != dropped {
			t.LaneOf[level] = lane % hardwareLanes
		}
	}
	for _, table := range []*[]Weight{&t.High, &t.Low} {
		for len(*table) < hardwareLanes { // the rest of a short list is empty
			*table = append(*table, Weight{})
		}
		*table = (*table)[:hardwareLanes]
		for i := range *table {
			(*table)[i].Lane %= hardwareLanes
		}
	}
}

// maxWeights is the maximum number of entries of a table of arbitration.
const maxWeights = 64

// weights reads "0:4,1:0": lanes and their weights.
func weights(text string) (list []Weight, err error) {
	for word := range strings.SplitSeq(text, ",") {
		lane, weight, _ := strings.Cut(strings.TrimSpace(word), ":")
		n, err := strconv.ParseUint(lane, 0, 8)
		w, wrong := strconv.ParseUint(weight, 0, 8)
		if err != nil || wrong != nil || n >= Lanes {
			return nil, fmt.Errorf("an entry must be a lane of 0 to %d and a weight of 0 to 255, as in 0:4, not %q", Lanes-1, word)
		}
		list = append(list, Weight{uint8(n), uint8(w)})
	}
	if len(list) > maxWeights {
		return nil, fmt.Errorf("a table has at most %d entries", maxWeights)
	}
	return list, nil
}

// readLevels reads "0,1,2": the lanes of the levels from 0. The levels that it does not name have lane 0, as in OpenSM.
func readLevels(text string) (*[Levels]uint8, error) {
	words := strings.Split(text, ",")
	if len(words) > Levels {
		return nil, fmt.Errorf("there are %d service levels", Levels)
	}
	lanes := new([Levels]uint8)
	for level, word := range words {
		lane, err := strconv.ParseUint(strings.TrimSpace(word), 0, 8)
		if err != nil || lane > dropped {
			return nil, fmt.Errorf("a lane must be 0 to %d, not %q", dropped, word)
		}
		lanes[level] = uint8(lane)
	}
	return lanes, nil
}

// Valid reports whether saved tables can be in a port.
func (t *Tables) Valid() bool {
	good := len(t.High) <= maxWeights && len(t.Low) <= maxWeights
	for _, lane := range t.LaneOf {
		good = good && lane <= dropped
	}
	for _, w := range append(slices.Clone(t.High), t.Low...) {
		good = good && w.Lane < Lanes
	}
	for _, other := range []*Tables{t.Adapters, t.Routers, t.Port0} {
		good = good && (other == nil || other.Adapters == nil && other.Routers == nil && other.Port0 == nil && other.Valid())
	}
	return good
}

// Sums of a table's weights by lane.
func sums(table []Weight) (of [Lanes]float64) {
	for _, w := range table {
		of[w.Lane] += float64(w.Weight)
	}
	return of
}

// packet is the length of a packet that the high table sends in a turn when its limit is 0, and that the low table sends after it.
const packet = 4096

// Share divides the capacity of a link among the demands of its lanes. A lane gets its part by the weights of the lanes that wait; what one
// leaves goes to the others, so that the link is idle only when all demands are met. A lane without weight gets what is left over.
func (t *Tables) Share(capacity float64, demand [Lanes]float64) (given [Lanes]float64) {
	high, low := sums(t.High), sums(t.Low)
	turn := float64(packet) * float64(max(t.Limit, 1))
	waiting := func(lane int) bool { return demand[lane] > given[lane] }
	for range Lanes + 1 {
		var parts [Lanes]float64
		var highSum, lowSum, all float64
		for lane := range demand {
			if waiting(lane) {
				highSum, lowSum = highSum+high[lane], lowSum+low[lane]
			}
		}
		first := 1.0 // the part of the high table
		switch {
		case highSum == 0:
			first = 0
		case lowSum > 0 && t.Limit < 255:
			first = turn / (turn + packet)
		}
		left := capacity
		for lane := range demand {
			left -= given[lane]
			if !waiting(lane) {
				continue
			}
			if highSum > 0 {
				parts[lane] += first * high[lane] / highSum
			}
			if lowSum > 0 {
				parts[lane] += (1 - first) * low[lane] / lowSum
			}
			if highSum+lowSum == 0 {
				parts[lane] = demand[lane] - given[lane]
			}
			all += parts[lane]
		}
		if all == 0 || left <= capacity*1e-12 {
			break
		}
		// A step fills the lane that is satisfied first, and the others in proportion.
		step := left / all
		for lane, part := range parts {
			if part > 0 {
				step = min(step, (demand[lane]-given[lane])/part)
			}
		}
		for lane, part := range parts {
			if given[lane] += step * part; part > 0 && demand[lane]-given[lane] <= demand[lane]*1e-12 {
				given[lane] = demand[lane]
			}
		}
	}
	return given
}
