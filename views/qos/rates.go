package qos

import (
	"fmt"
	"math"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/perf/window"
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// priorityRows is the number of rows in the table: eight priorities, and frames without one, which have global pause.
const (
	priorityRows = 9
	untagged     = 8
)

// figure is a number of a priority.
type figure uint8

const (
	received figure = iota
	sent
	pausesIn
	pausesOut
	paused // microseconds in which a pause of the far end held sending
	dropped
	counterCount // the figures above are counters of the host
)

// The figures of congestion control are counts of the lab.
const (
	marked   = counterCount + iota // received frames
	notified                       // notifications in both directions
	figureCount
)

// counters are the counters of priorities by set, with the figure that each one is.
var counters = map[string]map[string]figure{
	"Mellanox WinOF-2 Port QoS": {
		"KBytes Received/Sec": received, "KBytes Sent/Sec": sent, "Rcv Pause Frames": pausesIn, "Sent Pause Frames": pausesOut,
		"Sent Pause Duration": paused, "packets received discarded": dropped,
	},
	"Mellanox Adapter QoS Counters": {
		"Bytes Received/Sec": received, "Bytes Sent/Sec": sent, "Received Pause Frames": pausesIn, "Sent Pause Frames": pausesOut,
		"Sent Pause Duration": paused, "Sent Discard Frames": dropped,
	},
}

// seriesOf are the series of a port's priorities, found once for a schema.
type seriesOf struct {
	schema *perf.Schema
	port   string
	at     [priorityRows]map[figure]int
}

// instanceOf returns the perfmon instance of a priority.
func instanceOf(p *labstate.Port, priority int) string {
	if priority == untagged {
		return p.Description.Connection + " Untagged"
	}
	return fmt.Sprintf("%s Priority %d", p.Description.Connection, priority)
}

// find returns the series of the shown port.
func (v *View) find() *seriesOf {
	s, p := &v.series, v.port()
	if p == nil || v.schema == nil {
		return &seriesOf{}
	}
	if s.schema == v.schema && s.port == p.Description.Connection {
		return s
	}
	*s = seriesOf{schema: v.schema, port: p.Description.Connection}
	for priority := range s.at {
		instance := instanceOf(p, priority)
		s.at[priority] = map[figure]int{}
		for set, names := range counters {
			for name, f := range names {
				if series, ok := v.schema.Find(perf.JoinPath(set, instance, name)); ok {
					s.at[priority][f] = series
				}
			}
		}
	}
	return s
}

// value returns a figure of a priority a second, NaN for one that the source does not have.
func (v *View) value(priority int, f figure) float64 {
	series, ok := v.find().at[priority][f]
	if !ok || v.window == nil {
		return math.NaN()
	}
	value, ok := v.window.LastRates([]int{series})
	if !ok {
		return math.NaN()
	}
	return value
}

// figureText returns a figure of a priority as text with its unit, and its value.
func (v *View) figureText(priority int, f figure) (text string, value float64) {
	if f >= counterCount {
		rate, ok := v.proofs.rate(congestionName(priority, f), v.now)
		if !ok {
			return "-", math.NaN()
		}
		return perf.Number(rate, perf.Packets, true, v.deck.InBytes), rate
	}
	value = v.value(priority, f)
	switch {
	case math.IsNaN(value):
		return "-", value
	case f == paused:
		return perf.Number(min(value/1e6, 1)*100, perf.Percent, false, false), value // from microseconds a second
	}
	return perf.Number(value, v.schema.Series[v.find().at[priority][f]].Unit, true, v.deck.InBytes), value
}

// span is the time that sparklines and the chart cover.
const span = time.Minute

// spark returns the traffic of a priority in the last minute, the highest being full.
func (v *View) spark(priority, count int, glyphs *themes.Glyphs) string {
	s := v.find().at[priority]
	in, ok := s[received]
	if !ok || v.window == nil {
		return ""
	}
	if glyphs.Braille {
		count *= 2
	}
	buckets, bands := make([]window.Bucket, count), make([]widget.Band, count)
	v.window.Buckets([]int{in, s[sent]}, v.now.Add(-span), v.now, buckets)
	for i := range buckets {
		bands[i] = widget.Band(buckets[i])
	}
	return widget.Sparkline(bands, 0, glyphs)
}
