package counters

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/views/deck"
)

// preset fills the screen with the counters for a usual question.
type preset struct {
	title    string
	help     string
	families []family
	// most bounds how many curves it fills in.
	most int
	// need is what a source must have for it.
	need string
	// busyFirst puts counters that are not 0 before those that are; busiest takes the instances with the largest values
	// where there are more than fit.
	busyFirst, busiest bool
	// stacked and small are how the question is best looked at.
	stacked, small bool
}

// family is what one kind of driver calls the counters: a set and patterns of its counters, with * for any text.
type family struct {
	set      string
	counters []string
	role     familyRole
}

// familyRole says how a family stands to those before it. Families tell of the same traffic, often under other names of
// the instances, and nothing may be counted twice.
type familyRole uint8

const (
	instead  familyRole = iota // instances that no earlier family has shown
	fallback                   // only when no earlier family has shown anything
	also                       // details beside the others: of all ports only those that are not 0
)

// presets are the usual questions, the first being what the screen opens with.
var presets = []preset{
	{
		title: "Throughput", help: "Bytes sent and received a second on every port",
		most: themes.SeriesCount, busiest: true, need: "a source with ports that count bytes",
		families: []family{
			{"Mellanox WinOF-2 Port Traffic", []string{"KBytes Sent/Sec", "KBytes Received/Sec", "Bytes Sent/Sec", "Bytes Received/Sec"}, instead},
			{"Mellanox Adapter Traffic Counters", []string{"Bytes Sent/Sec", "Bytes Received/Sec"}, instead},
			{"Mellanox IB Adapter Traffic Counters", []string{"Bytes Sent/Sec", "Bytes Received/Sec"}, instead},
			{"cxdeck Port", []string{"Bytes Sent/sec", "Bytes Received/sec"}, instead},
			{"Network Interface", []string{"Bytes Sent/sec", "Bytes Received/sec"}, fallback},
			{"*", []string{"*Bytes*Sent*/sec", "*Bytes*Received*/sec", "*Bytes*/sec"}, fallback},
		},
	},
	{
		title: "Drops and errors", help: "Where packets are lost: discards, errors, missing receive buffers",
		most: 24, need: "a source that counts discards or errors", busyFirst: true,
		families: []family{
			{"cxdeck Port", []string{"Packets Discarded/sec"}, instead},
			{"Network Interface", []string{"*Discarded/sec", "*Errors/sec"}, fallback},
			{"Mellanox WinOF-2 Port Traffic", dropCounters, also},
			{"Mellanox Adapter Traffic Counters", dropCounters, also},
			{"Mellanox IB Adapter Traffic Counters", dropCounters, also},
			{"Mellanox WinOF-2 Diagnostics", []string{"*discarded", "*Dropped"}, also},
			{"Mellanox WinOF Bus Counters", []string{"*Drops/sec", "*discarded*"}, also},
			{"Network Interface Driver", []string{"*drop*", "*discard*", "*out_of_buffer*", "*err*"}, also},
			{"*", []string{"*discard*", "*drop*", "*error*"}, fallback},
		},
	},
	{
		title: "Pause and flow control", help: "Pause frames and how long they held traffic back, per priority",
		most: 32, small: true, need: "the QoS counters of a Mellanox adapter, which count pause frames per priority",
		families: []family{
			{"Mellanox WinOF-2 Port QoS", []string{"*Pause*"}, instead},
			{"Mellanox Adapter QoS Counters", []string{"*Pause*"}, instead},
			{"*", []string{"*pause*"}, fallback},
		},
	},
	{
		title: "RSS spread per processor", help: "How received packets spread over the processors",
		most: 32, need: "the RSS counters, which the driver keeps after RssMonitoringEnabled is 1 and the adapter has been restarted",
		families: []family{
			{"Mellanox WinOF-2 Rss Counters", []string{"Rss IPv4/Tcp", "Rss IPv6/Tcp", "NonRss IPv4/Tcp"}, instead},
			{"Mellanox Adapter RSS Counters", []string{"Rss IPv4/Tcp", "Rss IPv6/Tcp", "NonRss IPv4/Tcp"}, instead},
			{"Mellanox WinOF-2 Receive Datapath Counters", []string{"Packets processed in*"}, instead},
			{"*Driver*", []string{"*rx*queue*packets*", "rx*_packets"}, fallback},
		},
	},
	{
		title: "RDMA", help: "Bytes and frames that bypass the processor, and RDMA connections",
		most: 24, need: "the RDMA Activity counters of an adapter that does RDMA",
		families: []family{
			{"RDMA Activity", []string{"RDMA Outbound Bytes/sec", "RDMA Inbound Bytes/sec", "RDMA Active Connections", "RDMA Connection Errors"}, instead},
			{"SMB Direct Connection", []string{"Bytes RDMA Written/sec", "Bytes RDMA Read/sec"}, instead},
		},
	},
	{
		title: "Congestion control", help: "ECN marks, congestion notifications and what they slowed down",
		most: 24, need: "the congestion control counters of an adapter that does RDMA",
		families: []family{
			{"Mellanox WinOF-2 Congestion Control", []string{"Notification Point*", "Reaction Point*CNP*", "Reaction Point Current*"}, instead},
			{"Mellanox Adapter QoS Counters", []string{"Responder*CNP*", "Responder*ECN*"}, instead},
			{"Mellanox WinOF Bus Counters", []string{"*CNP*", "Dcqcn*"}, instead},
		},
	},
	{
		title: "PCIe pressure", help: "Where the adapter waits for the host: PCIe back-pressure and cache misses",
		most: 24, need: "the PCI or bus counters of a Mellanox adapter",
		families: []family{
			{"Mellanox WinOF-2 PCI Device Diagnostics", []string{"*back-pressure*/Sec", "*PCI BW/Sec", "*PCIe BUFFERS"}, instead},
			{"Mellanox WinOF Bus Counters", []string{"PCI Back-pressure/sec", "No-WQE Drops/sec", "*Back-pressure/sec", "?Q Miss/sec"}, instead},
		},
	},
}

// dropCounters are the counters of lost and damaged packets.
var dropCounters = []string{"*Discarded*", "Packets Received Errors", "Packets Outbound Errors"}

// candidate is a series that a preset asks for, and what decides its place.
type candidate struct {
	series, family, pattern, instance int
	idle                              bool
}

// match gives the paths of a preset, at most most of them, and how many there would be. Counters of one instance stand
// together; with busyFirst, those that are not 0 come before the others. instances limits it to these; nil takes all but
// totals. activity is what a series did lately.
func (p *preset) match(x *index, instances []string, activity func(series int) perf.Bucket) (paths []string, all int) {
	var found []candidate
	schema := x.schema
	taken := make(map[string]int) // instance -> family that shows it
	order := make(map[string]int)
	for f := range p.families {
		role := p.families[f].role
		if role == fallback && len(found) > 0 {
			continue
		}
		p.families[f].each(x, instances, func(pattern, i int) {
			s := &schema.Series[i]
			instance := strings.ToLower(s.Instance)
			if by, shown := taken[instance]; shown && by != f && role == instead || s.Kind == perf.Identity {
				return
			}
			if role != also {
				taken[instance] = f
			}
			if _, seen := order[instance]; !seen {
				order[instance] = len(order)
			}
			c := candidate{series: i, family: f, pattern: pattern, instance: order[instance]}
			if p.busyFirst {
				c.idle = !(activity(i).Max > 0)
			}
			if role == also && c.idle && instances == nil {
				return
			}
			found = append(found, c)
		})
	}
	all = len(found)
	if p.busiest && len(found) > p.most {
		found = busiest(found, p.most, func(i int) float64 {
			_, toBase := dimensionOf(schema.Series[i])
			return activity(i).Average * toBase
		})
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		if a.idle != b.idle {
			if b.idle {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.family, b.family), cmp.Compare(a.instance, b.instance), cmp.Compare(a.pattern, b.pattern))
	})
	for _, c := range found[:min(len(found), p.most)] {
		paths = append(paths, schema.Series[c.series].Path())
	}
	return paths, all
}

// busiest keeps the counters of whole instances, those with the largest values, as many as fit.
func busiest(found []candidate, most int, value func(series int) float64) []candidate {
	load := make(map[int]float64)
	size := make(map[int]int)
	var instances []int
	for _, c := range found {
		if size[c.instance] == 0 {
			instances = append(instances, c.instance)
		}
		size[c.instance]++
		if v := value(c.series); v > 0 {
			load[c.instance] += v
		}
	}
	slices.SortStableFunc(instances, func(a, b int) int { return cmp.Compare(load[b], load[a]) })
	kept := make(map[int]bool)
	for _, instance := range instances {
		if most -= size[instance]; most < 0 {
			break
		}
		kept[instance] = true
	}
	if len(kept) == 0 { // one instance alone has more than fit
		kept[instances[0]] = true
	}
	return slices.DeleteFunc(found, func(c candidate) bool { return !kept[c.instance] })
}

// each goes through the series that the family asks for.
func (f *family) each(x *index, instances []string, take func(pattern, series int)) {
	for n := range x.sets {
		set := &x.sets[n]
		if !glob(f.set).match(set.name) {
			continue
		}
		var rows []int32
		for i, instance := range set.instances {
			if wanted(instance, instances) {
				rows = append(rows, int32(i))
			}
		}
		for c, counter := range set.counters {
			pattern := f.pattern(counter)
			if pattern < 0 {
				continue
			}
			for _, row := range rows {
				if i, ok := set.pairs[[2]int32{int32(c), row}]; ok {
					take(pattern, int(i))
				}
			}
		}
	}
}

// pattern is the first of the family's patterns that a counter fits, -1 for none.
func (f *family) pattern(counter string) int {
	for n, pattern := range f.counters {
		if glob(pattern).match(counter) {
			return n
		}
	}
	return -1
}

// wanted says whether an instance is among those asked for; totals come only when they are asked for.
func wanted(instance string, instances []string) bool {
	if instances == nil {
		return !isTotal(instance)
	}
	for _, one := range instances {
		if strings.EqualFold(one, instance) {
			return true
		}
	}
	return false
}

// isTotal says whether an instance adds up others.
func isTotal(instance string) bool {
	const total = "_total"
	n := len(instance) - len(total)
	return n >= 0 && strings.EqualFold(instance[n:], total)
}

// applyPreset replaces the curves by those of a preset; without any match it says why.
func (s *Screen) applyPreset(n int) {
	p := &presets[n]
	s.title, s.why, s.awaiting = p.title, "", -1
	s.curves = s.curves[:0]
	s.highlight = ""
	var paths []string
	all := 0
	if x := s.index.index; x != nil {
		paths, all = p.match(x, nil, s.activity)
	}
	for _, path := range paths {
		s.curves.add(s.schema, path)
	}
	switch {
	case all == 0:
		s.awaiting = n
		s.why = "This source has no counters for the preset " + p.title + ": that needs " + p.need +
			". P shows the other presets, a adds single counters."
	case all > len(paths):
		s.title = fmt.Sprintf("%s (%d of %d)", p.title, len(paths), all)
		if p.busiest {
			s.title = fmt.Sprintf("%s (the busiest %d of %d)", p.title, len(paths), all)
		}
	}
	s.stacked, s.small = p.stacked, p.small
	if s.scale == scaleManual { // a value of another unit, as likely as not
		s.scale, s.manual = scaleAuto, 0
	}
	s.legend.List.Select(0)
	s.curvesChanged()
}

// applyFocus shows throughput and drops of certain instances. It says false when the source has none of them yet.
func (s *Screen) applyFocus(focus deck.Focus) bool {
	var paths []string
	for _, n := range []int{0, 1} {
		some, _ := presets[n].match(s.index.index, focus.Instances, s.activity)
		paths = append(paths, some...)
	}
	s.title, s.why, s.highlight, s.awaiting = focus.Title, "", "", -1
	s.curves = s.curves[:0]
	for _, path := range paths {
		s.curves.add(s.schema, path)
	}
	if len(paths) == 0 {
		s.why = "This source has no counters of " + focus.Title + ". P shows the presets, a adds single counters."
	}
	s.mode, s.stacked, s.small = modeLine, false, false
	s.legend.List.Select(0)
	s.curvesChanged()
	if !focus.At.IsZero() {
		s.goTo(focus.At)
	}
	return len(paths) > 0
}

// activity is what a series did in the last ten minutes.
func (s *Screen) activity(series int) perf.Bucket {
	lately := []perf.Bucket{{}}
	if window := s.monitor.Window(); window != nil {
		if _, newest, ok := window.Span(); ok {
			window.Buckets([]int{series}, newest.Add(-10*time.Minute), newest.Add(time.Nanosecond), lately)
		}
	}
	return lately[0]
}
