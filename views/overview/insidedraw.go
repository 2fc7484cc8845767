package overview

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cxdeck/perf"
	"cxdeck/perf/window"
	"cxdeck/themes"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// topic is a section of the panel: its first line, and the series that Enter shows on Counters.
type topic struct {
	title  string
	line   int
	series []int
}

// insideWriter writes the sections about the inside of a node.
type insideWriter struct {
	page    *browse.Page
	schema  *perf.Schema
	window  *window.Recent
	inBytes bool
	chosen  string // title of the chosen topic
	hints   bool   // registry keys can be changed
	topics  []topic
	served  map[int]float64 // packets per second by processor
}

// write adds the sections for which the source has counters, the most important first.
func (w *insideWriter) write(in *innerSeries) []topic {
	if in == nil || w.window == nil {
		return nil
	}
	w.rings(in)
	w.processors(in)
	w.classes(in)
	w.congestion(in)
	return w.topics
}

// head begins a section; right is printed at the end of its line.
func (w *insideWriter) head(title, right string, series []int) {
	w.page.Blank()
	style := themes.Style{Role: themes.Title}
	if title == w.chosen {
		style = themes.Style{Role: themes.Accent, Attr: themes.Bold}
	}
	w.topics = append(w.topics, topic{title, len(w.page.Lines), series})
	w.page.Line(fmt.Sprintf("%-*s%s", min(w.page.Width, sectionWidth)-len(right), title, right), style)
}

// sectionWidth is the maximum width of sections: a label and two columns of sectionCell.
const (
	sectionWidth = 29
	sectionCell  = 9
)

// maxClasses is the maximum number of rows of priorities or functions: eight priorities and untagged frames.
const maxClasses = 9

// rings draws a bar for each receive ring, against the busiest.
func (w *insideWriter) rings(in *innerSeries) {
	var names []string
	var packets []float64
	var series []int
	w.served = map[int]float64{}
	sum, top, processor := 0.0, -1, math.NaN()
	for i := range in.rings {
		r := &in.rings[i]
		value := rates(w.window, r.packets)
		if math.IsNaN(value) { // the ring is gone since the adapter's last start
			continue
		}
		on := deck.Newest(w.window, []int{r.processor})
		if !math.IsNaN(on) {
			w.served[int(on)] += value
		}
		names, packets, series = append(names, r.name), append(packets, value), append(series, r.packets...)
		sum += value
		if last := len(packets) - 1; top < 0 || value > packets[top] {
			top, processor = last, on
		}
	}
	if top < 0 {
		return
	}
	w.head("Rings", fmt.Sprintf("%d, %s", len(packets), w.packets(sum)), series)
	w.bars(packets, packets[top])
	text := "busiest, " + w.packets(packets[top])
	if !math.IsNaN(processor) {
		text = fmt.Sprintf("%s, CPU %.0f", w.packets(packets[top]), processor)
	}
	switch {
	case !(sum > 0):
	case len(names[top]) > sectionCell: // a ring of a function of two ports
		w.page.Line(names[top]+", "+w.packets(packets[top]), themes.Style{})
	default:
		w.page.Row(names[top], text, themes.Style{})
	}
}

// processors draws a bar for each processor that serves the port, against a whole processor.
func (w *insideWriter) processors(in *innerSeries) {
	for i := range in.spread {
		if value := rates(w.window, in.spread[i].packets); !math.IsNaN(value) {
			w.served[in.spread[i].processor] += value
		}
	}
	var busy []float64
	var series []int
	sum, limit, top, busiest := 0.0, 0.0, -1, -1
	numbers := make([]int, 0, len(w.served))
	for n, packets := range w.served {
		if packets > 0 || len(in.spread) == 0 {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		if index, ok := in.busy[n]; ok {
			load := deck.Known(deck.Newest(w.window, []int{index}))
			busy, series = append(busy, load), append(series, index)
			if busiest < 0 || load > limit {
				busiest, limit = n, load
			}
		}
		sum += w.served[n]
		if top < 0 || w.served[n] > w.served[top] {
			top = n
		}
	}
	work := in.all[portWork]
	cost, right := deck.Newest(w.window, work), ""
	if top < 0 && math.IsNaN(cost) {
		return
	}
	if !math.IsNaN(cost) {
		right = perf.Number(cost, perf.Percent, true, false) + " of one"
	}
	if len(series) == 0 {
		series = work
	}
	w.head("CPUs", right, series)
	switch {
	case top >= 0:
		w.bars(busy, 100)
		if busiest >= 0 {
			w.page.Row(fmt.Sprintf("CPU %d", busiest), perf.Number(limit, perf.Percent, true, false)+" busy", themes.Style{})
		}
		if sum > 0 {
			w.page.Row(fmt.Sprintf("CPU %d", top), fmt.Sprintf("%.0f%% of packets", 100*w.served[top]/sum), themes.Style{})
		}
	case in.keyed && w.hints && len(in.spread) == 0:
		w.page.Text("packets by CPU: set RssMonitoringEnabled to 1 (e) and restart", themes.Style{Role: themes.Muted})
	case len(in.spread) > 0:
		w.page.Text("RSS counters start when the Counters screen shows them (Enter)", themes.Style{Role: themes.Muted})
		for i := range in.spread {
			w.topics[len(w.topics)-1].series = append(w.topics[len(w.topics)-1].series, in.spread[i].packets...)
		}
	}
}

// classes lists the priorities, or virtual functions, with traffic.
func (w *insideWriter) classes(in *innerSeries) {
	if len(in.classes) == 0 {
		return
	}
	title := "Priorities"
	if in.functions {
		title = "Functions"
	}
	w.head(title, w.cells("receive", "send"), nil)
	at := len(w.topics) - 1
	moving, known := 0, false
	for i := range in.classes {
		c := &in.classes[i]
		receive, send := deck.Newest(w.window, c.receive), deck.Newest(w.window, c.send)
		known = known || !math.IsNaN(receive) || !math.IsNaN(send)
		if c.moved = c.moved || receive > 0 || send > 0; !c.moved {
			continue
		}
		if moving++; moving > maxClasses {
			continue
		}
		style := themes.Style{}
		if !(receive > 0) && !(send > 0) {
			style.Role = themes.Muted
		}
		w.page.Row(c.name, w.cells(w.bytes(c.receive, receive), w.bytes(c.send, send)), style)
		w.topics[at].series = append(append(w.topics[at].series, c.receive...), c.send...)
	}
	switch {
	case moving > maxClasses:
		w.page.Text(fmt.Sprintf("and %d more", moving-maxClasses), themes.Style{Role: themes.Muted})
	case !known:
		w.page.Text("no rate before the next sample", themes.Style{Role: themes.Muted})
	case moving == 0:
		w.page.Text("no traffic now", themes.Style{Role: themes.Muted})
	}
}

// congestion lists ECN marks, congestion notifications, pauses and discarded packets, per second.
func (w *insideWriter) congestion(in *innerSeries) {
	begun := false
	for _, row := range []struct {
		label         string
		receive, send use
		lost          bool
	}{
		{"ECN marks", ecnMarks, unused, false},
		{"CNPs", cnpsReceived, cnpsSent, false},
		{"Pause", pauseReceived, pauseSent, false},
		{"Discarded", bufferFull, unused, true},
		{"No WQEs", noDescriptor, unused, true},
		{"All drops", allDrops, unused, true}, // if the cause has no counter
	} {
		receive, send := in.all[row.receive], in.all[row.send]
		if len(receive)+len(send) == 0 || row.receive == allDrops && len(in.all[noDescriptor]) > 0 {
			continue
		}
		if !begun {
			begun = true
			w.head("Congestion", w.cells("receive", "send"), nil)
		}
		in, out := rates(w.window, receive), rates(w.window, send)
		style := themes.Style{}
		switch {
		case !(in > 0) && !(out > 0):
			style.Role = themes.Muted
		case row.lost:
			style.Role = themes.Warn
		}
		w.page.Row(row.label, w.cells(w.packetRate(receive, in), w.packetRate(send, out)), style)
		last := &w.topics[len(w.topics)-1]
		last.series = append(append(last.series, receive...), send...)
	}
}

// bars draws a row of bars, scaled to the value of a full bar. If they don't fit, each bar is the maximum of several values.
func (w *insideWriter) bars(list []float64, full float64) {
	room := max(min(w.page.Width, sectionWidth), 1)
	each := (len(list) + room - 1) / room
	var b strings.Builder
	for i := 0; i < len(list); i += each {
		value, level := slices.Max(list[i:min(i+each, len(list))]), 0
		if value > 0 && full > 0 {
			level = 1 + int(min(value/full, 1)*float64(len(w.page.Glyphs.Spark)-2)+0.5)
		}
		b.WriteRune(w.page.Glyphs.Spark[level])
	}
	if b.Len() > 0 {
		w.page.Line(b.String(), themes.Style{Role: themes.Accent})
	}
}

// cells returns two numbers, each right-aligned in its column.
func (w *insideWriter) cells(left, right string) string {
	return fmt.Sprintf("%*s %*s", sectionCell, left, sectionCell, right)
}

// bytes formats a rate of bytes, in bits or bytes.
func (w *insideWriter) bytes(series []int, value float64) string {
	unit, perSecond := deck.UnitOf(w.schema, series)
	return perf.Number(value, unit, perSecond, w.inBytes)
}

func (w *insideWriter) packets(value float64) string {
	return perf.Number(value, perf.Packets, true, false)
}

// packetRate returns a number of packets per second, empty for what the source does not count.
func (w *insideWriter) packetRate(series []int, value float64) string {
	if len(series) == 0 {
		return ""
	}
	return w.packets(value)
}
