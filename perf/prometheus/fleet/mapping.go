package fleet

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"cxdeck/perf"
	"cxdeck/perf/prometheus"
)

// meaning is what a metric says of a port.
type meaning struct {
	set, counter string
	unit         perf.Unit
	kind         perf.Kind
	// factor converts the base unit of the metric to unit.
	factor float64
	// part follows the device's name in the instance: " Priority 3" of a metric with the priority in its name.
	part string
	// state of a port.
	up, speed bool
	// active is the value of up that a port with link has.
	active float64
	// rate is the unit of the series: that of the counter per second, if it counts. place is the same for meanings that count the same.
	rate  perf.Unit
	place int32
	// sum reports that the counter is the sum of several metrics.
	sum bool
	// also is another counter with the same numbers, nil for none.
	also *meaning
}

// add adds a meaning of a metric, besides the ones that it has.
func add(all map[string]*meaning, name string, m *meaning) {
	m.also = all[name]
	all[name] = m
}

// counts reports whether the values rise with each event, so that the series has their rate.
func (m *meaning) counts() bool { return m.kind == perf.Cumulative || m.kind == perf.Rate }

//go:embed metrics.json
var foreignTable []byte

// foreign is a row of metrics.json: a metric of another exporter, with {p} for a priority from 0 to 7.
type foreign struct {
	Metric  string  `json:"metric"`
	Set     string  `json:"set"`
	Counter string  `json:"counter"`
	Factor  float64 `json:"factor"`
	Port    string  `json:"port"` // "up", "active" or "speed" in place of a counter
	// Sum reports that the counter is the sum of several metrics of an exporter.
	Sum bool `json:"sum"`
	// Statistic is a statistic of the Linux drivers in place of set and counter.
	Statistic string `json:"statistic"`
}

// meanings returns the meaning of each known metric by its name: the names of cxdeck serve, and of node_exporter.
var meanings = sync.OnceValue(func() map[string]*meaning {
	all := map[string]*meaning{
		"cxdeck_port_up": {up: true, active: 1, factor: 1}, "cxdeck_port_line_rate_bytes_per_second": {speed: true, factor: 8},
	}
	for _, set := range perf.Catalogue().Sets() {
		switch set.Instances {
		case "vport-cpu", "ring", "processor":
			continue // too many of them for a fleet
		}
		for _, counter := range set.Counters {
			if name, m := own(set.Name, counter); all[name] == nil {
				all[name] = m
			}
		}
	}
	addEthtool(all)
	var table []foreign
	if err := json.Unmarshal(foreignTable, &table); err != nil {
		panic("fleet: metrics.json is damaged: " + err.Error()) // a test reads it: this can't ship
	}
	for _, row := range table {
		if row.Port != "" {
			m := &meaning{up: row.Port != "speed", speed: row.Port == "speed", active: 1, factor: row.Factor}
			if row.Port == "active" {
				m.active = activeState
			}
			all[row.Metric] = m
			continue
		}
		if row.Statistic != "" {
			statistic, _, ok := perf.Statistics().Find("", row.Statistic)
			if !ok {
				panic("fleet: metrics.json: unknown statistic " + row.Statistic)
			}
			if m := ofStatistic(statistic); m != nil {
				add(all, row.Metric, m)
			}
			continue
		}
		counter, ok := perf.Catalogue().Counter(row.Set, row.Counter)
		if !ok {
			panic("fleet: metrics.json: unknown counter " + row.Counter)
		}
		for p := range 8 {
			m := &meaning{set: row.Set, counter: counter.Name, unit: counter.Unit, kind: counter.Kind, factor: row.Factor, sum: row.Sum}
			name := strings.ReplaceAll(row.Metric, "{p}", fmt.Sprint(p))
			if name != row.Metric {
				m.part = fmt.Sprintf(" Priority %d", p)
			}
			if m.factor == 0 {
				m.factor = 1
			}
			add(all, name, m)
			if name == row.Metric {
				break
			}
		}
	}
	places := map[string]int32{}
	var list []*meaning
	for _, m := range all {
		for ; m != nil; m = m.also {
			list = append(list, m)
		}
	}
	for _, m := range list {
		key := perf.FoldPath(perf.JoinPath(m.set, m.part, m.counter))
		if _, known := places[key]; !known {
			places[key] = int32(len(places))
		}
		m.place, m.rate = places[key], m.unit
		if m.counts() {
			m.rate = m.unit.Rate()
		}
	}
	return all
})

// own returns the name that cxdeck serve gives to a counter, and its meaning.
func own(set string, counter *perf.Counter) (string, *meaning) {
	s := perf.Series{Set: set, Counter: counter.Name, Unit: counter.Unit, Kind: counter.Kind}
	if s.Kind == perf.Rate {
		s.Kind, s.Counter = perf.Cumulative, prometheus.TrimPerSecond(s.Counter)
	}
	metric := prometheus.MetricOf(s)
	return metric.Sample(), &meaning{set: set, counter: counter.Name, unit: counter.Unit, kind: counter.Kind, factor: metric.Per / metric.Times}
}

// activeState is the state of an InfiniBand port that carries traffic.
const activeState = 4

// ofStatistic returns the meaning of a statistic of the Linux drivers: the first of its counters of WinOF with the same unit; nil for
// none.
func ofStatistic(statistic *perf.Statistic) *meaning {
	for _, counterpart := range statistic.Counterparts {
		set, name, _ := strings.Cut(counterpart, "|")
		counter, ok := perf.Catalogue().Counter(set, name)
		if unit, _ := statistic.Unit.Counted(); !ok || strings.Contains(set, " VF ") || counter.Unit != unit && counter.Unit != unit.Rate() {
			continue
		}
		return &meaning{set: set, counter: counter.Name, unit: counter.Unit, kind: counter.Kind, factor: 1}
	}
	return nil
}

// ethtoolGroups are the groups of statistics that a fleet reads: those of ports. Rings are too many, and functions have other names.
var ethtoolGroups = []string{"port", "priority", "pcie", "device"}

// addEthtool adds the statistics of ports under the names that the ethtool collector of node_exporter gives them.
func addEthtool(all map[string]*meaning) {
	for _, statistic := range perf.Statistics().Statistics {
		m := ofStatistic(statistic)
		if m == nil || !slices.Contains(ethtoolGroups, statistic.Group) {
			continue
		}
		switch numbered := strings.Contains(statistic.Name, "#"); {
		case statistic.Group == "priority" && numbered:
			for p := range 8 {
				of := *m
				of.part = fmt.Sprintf(" Priority %d", p)
				add(all, ethtoolName(strings.ReplaceAll(statistic.Name, "#", fmt.Sprint(p))), &of)
			}
		case statistic.Group == "priority":
			m.part = " Untagged"
			add(all, ethtoolName(statistic.Name), m)
		case !numbered:
			add(all, ethtoolName(statistic.Name), m)
		}
	}
}

// ethtoolName is the rule of node_exporter (collector/ethtool_linux.go) for the name of a statistic: rx and tx as words are written out.
func ethtoolName(statistic string) string {
	words := strings.Split(strings.ToLower(statistic), "_")
	for i, word := range words {
		switch word {
		case "rx":
			words[i] = "received"
		case "tx":
			words[i] = "transmitted"
		}
	}
	return "node_ethtool_" + strings.Join(words, "_")
}

// selector returns the query of all series that the mapping knows. Names of node_exporter are listed, because its ethtool collector gives
// thousands of series of rings; VictoriaMetrics takes queries of up to 16 kB.
var selector = sync.OnceValue(func() string {
	known := map[string]bool{}
	for name := range meanings() {
		if rest, foreign := strings.CutPrefix(name, "node_"); foreign {
			for _, priority := range []string{"_prio", "_prio_"} {
				for p := range 8 {
					rest = strings.ReplaceAll(rest, priority+fmt.Sprint(p), priority+"[0-7]")
				}
			}
			known[rest] = true
		}
	}
	return `{__name__=~"(cxdeck_port|mellanox|network_interface|rdma_activity)_.*|node_(` + strings.Join(slices.Sorted(maps.Keys(known)), "|") + `)"}`
})
