package fleet

import (
	_ "embed"
	"encoding/json"
	"fmt"
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
	// rate is the unit of the series: that of the counter per second, if it counts. place is the same for meanings that count the same.
	rate  perf.Unit
	place int32
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
	Port    string  `json:"port"` // "up" or "speed" in place of a counter
}

// meanings returns the meaning of each known metric by its name: the names of cxdeck serve, and of node_exporter.
var meanings = sync.OnceValue(func() map[string]*meaning {
	all := map[string]*meaning{
		"cxdeck_port_up": {up: true, factor: 1}, "cxdeck_port_line_rate_bytes_per_second": {speed: true, factor: 8},
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
	var table []foreign
	if err := json.Unmarshal(foreignTable, &table); err != nil {
		panic("fleet: metrics.json is damaged: " + err.Error()) // a test reads it: this can't ship
	}
	for _, row := range table {
		if row.Port != "" {
			all[row.Metric] = &meaning{up: row.Port == "up", speed: row.Port == "speed", factor: row.Factor}
			continue
		}
		counter, ok := perf.Catalogue().Counter(row.Set, row.Counter)
		if !ok {
			panic("fleet: metrics.json: unknown counter " + row.Counter)
		}
		for p := range 8 {
			m := &meaning{set: row.Set, counter: counter.Name, unit: counter.Unit, kind: counter.Kind, factor: row.Factor}
			name := strings.ReplaceAll(row.Metric, "{p}", fmt.Sprint(p))
			if name != row.Metric {
				m.part = fmt.Sprintf(" Priority %d", p)
			}
			if m.factor == 0 {
				m.factor = 1
			}
			all[name] = m
		}
	}
	places := map[string]int32{}
	for _, m := range all {
		key := perf.FoldPath(perf.JoinPath(m.set, m.part, m.counter))
		if _, known := places[key]; !known {
			places[key] = int32(len(places)) //nolint:gosec // there are some hundred
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

// selector is the query of all series that the mapping may know.
const selector = `{__name__=~"(cxdeck_port|mellanox|network_interface|node_network|node_ethtool|node_infiniband)_.*"}`
