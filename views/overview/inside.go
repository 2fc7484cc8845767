package overview

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"cxdeck/perf"
	"cxdeck/perf/window"
)

// use is the role of a counter in the panel.
type use uint8

const (
	unused use = iota
	ringPackets
	ringProcessor
	spreadPackets // received packets by processor; see spreadSets
	classReceive
	classSend
	ecnMarks
	cnpsReceived
	cnpsSent
	pauseReceived
	pauseSent
	bufferFull
	noDescriptor
	allDrops
	portWork
	useCount
)

// uses are the counters that the panel reads, by set.
var uses = map[string]map[string]use{
	"Mellanox WinOF-2 Receive Datapath Counters": {
		"Packets processed in interrupt mode": ringPackets, "Packets processed in polling mode": ringPackets,
		"Packets processed in NDIS poll mode": ringPackets, "CpuNumber": ringProcessor,
	},
	"Ring statistics": {"PacketsReceivedDPC": ringPackets, "PacketsReceivedThread": ringPackets},
	"Mellanox WinOF-2 Port QoS": {
		"KBytes Received/Sec": classReceive, "KBytes Sent/Sec": classSend,
		"Rcv Pause Frames": pauseReceived, "Sent Pause Frames": pauseSent,
	},
	"Mellanox Adapter QoS Counters": {
		"Bytes Received/Sec": classReceive, "Bytes Sent/Sec": classSend,
		"Received Pause Frames": pauseReceived, "Sent Pause Frames": pauseSent,
		"Responder ECN Handled Successfully": ecnMarks, "Responder CNP Sent Successfully": cnpsSent,
	},
	"Mellanox WinOF-2 Congestion Control": {
		"Notification Point RoCEv2 ECN Marked Packets":    ecnMarks,
		"Notification Point CNPs Sent Successfully":       cnpsSent,
		"Reaction Point Successfully Handled CNP Packets": cnpsReceived,
		"Reaction Point Ignored CNP Packets":              cnpsReceived,
	},
	"Mellanox WinOF Bus Counters": {"Arrived RDMA CNPs": cnpsReceived, "No-WQE Drops/sec": noDescriptor},
	"Mellanox WinOF-2 Port Traffic": {
		"Packets Received Discarded": bufferFull, "Packets Received Discarded No Receive WQEs": noDescriptor,
	},
	"Mellanox Adapter Traffic Counters":    {"Packets Received Discarded": bufferFull},
	"Mellanox IB Adapter Traffic Counters": {"Packets Received Discarded": bufferFull},
	"Mellanox WinOF-2 VF Port Traffic":     {"Bytes Received/Sec": classReceive, "Bytes Sent/Sec": classSend},
	"Mellanox WinOF-2 VF Diagnostics": {
		"Packets Received dropped due to lack of receive WQEs": noDescriptor,
	},
	"cxdeck Port":      {"Packets Discarded/sec": allDrops},
	"cxdeck Port Work": {"% Processor Time": portWork},
}

// spreadSets are sets whose counters all count by processor; the rings of WinOF don't name their processor.
var spreadSets = map[string]bool{"Mellanox Adapter RSS Counters": true}

// keyedSet is a set of ports whose RSS counters exist only if RssMonitoringEnabled is 1.
const keyedSet = "Mellanox Adapter Traffic Counters"

// processorSet is the counter set of the processors' load.
const processorSet = "cxdeck Processor"

// innerSeries holds the series of the inner parts of a port or function, found once for a node and read with every sample.
type innerSeries struct {
	rings   []ring
	spread  []share // by processor
	classes []class // priorities, or functions
	// all holds the series of uses of which only the sum is shown.
	all [useCount][]int
	// busy holds the load series of the host's processors, by number.
	busy map[int]int
	// functions is set if classes are virtual functions, keyed if a registry key has to enable the RSS counters by processor.
	functions, keyed bool
}

// ring is a receive ring.
type ring struct {
	name      string
	packets   []int
	processor int // a series, -1 for none
}

// share is the load of one processor.
type share struct {
	processor int
	packets   []int
}

// class is a priority or a virtual function.
type class struct {
	name          string
	receive, send []int
	moved         bool // since the panel is open: a row that was there stays
}

// run is the range of the series of an instance of a set in a schema.
type run struct{ from, to int }

// runsOf returns the runs of the sets that the panel reads. It reads a schema once, because schemas may be large.
func runsOf(schema *perf.Schema) (runs []run) {
	if schema == nil {
		return nil
	}
	set, instance, read := "", "", false
	for i := range schema.Series {
		s := &schema.Series[i]
		if s.Set != set {
			set = s.Set
			read = uses[set] != nil || spreadSets[set] || set == processorSet
			instance = s.Instance + "." // another one
		}
		switch {
		case !read:
		case s.Instance == instance:
			runs[len(runs)-1].to = i + 1
		default:
			instance = s.Instance
			runs = append(runs, run{i, i + 1})
		}
	}
	return runs
}

// findInnerSeries finds the series of a node; nil for adapters and teams.
func findInnerSeries(schema *perf.Schema, runs []run, nodes []perf.Node, at int) *innerSeries {
	if schema == nil || nodes[at].Kind != perf.PortNode && nodes[at].Kind != perf.FunctionNode {
		return nil
	}
	wanted, port := instancesInside(nodes, at)
	in := &innerSeries{busy: map[int]int{}}
	f := finder{in, map[string]*ring{}, map[string]*class{}, map[int]*share{}}
	for _, r := range runs {
		first := &schema.Series[r.from]
		name := strings.TrimPrefix(first.Instance, port+" ")
		switch {
		case first.Set == processorSet:
			f.processor(schema, r, first.Instance)
		case !wanted[first.Instance]:
		case spreadSets[first.Set]:
			f.addProcessor(r, name)
		default:
			in.keyed = in.keyed || first.Set == keyedSet
			f.counters(schema, r, name)
		}
	}
	in.rings, in.classes = sorted(f.rings, func(r ring) string { return r.name }), sorted(f.classes, func(c class) string { return c.name })
	in.spread = values(f.shares)
	in.functions = len(in.classes) > 0 && strings.HasPrefix(in.classes[0].name, "VF ")
	return in
}

// finder collects the series of an inside.
type finder struct {
	in      *innerSeries
	rings   map[string]*ring
	classes map[string]*class
	shares  map[int]*share
}

// processor adds the load series of a processor of the host.
func (f *finder) processor(schema *perf.Schema, r run, instance string) {
	n, err := strconv.Atoi(instance)
	for i := r.from; i < r.to && err == nil; i++ {
		if schema.Series[i].Counter == "% Processor Time" {
			f.in.busy[n] = i
		}
	}
}

// addProcessor adds the RSS counters of a processor.
func (f *finder) addProcessor(r run, name string) {
	_, number, _ := strings.Cut(name, "Cpu_")
	n, err := strconv.Atoi(number)
	for i := r.from; i < r.to && err == nil; i++ {
		s := entry(f.shares, n, share{processor: n})
		s.packets = append(s.packets, i)
	}
}

// counters adds the counters of a set that the panel uses.
func (f *finder) counters(schema *perf.Schema, r run, name string) {
	for i := r.from; i < r.to; i++ {
		s := &schema.Series[i]
		switch u := uses[s.Set][s.Counter]; u {
		case unused:
		case ringPackets:
			known := entry(f.rings, name, ring{name: name, processor: -1})
			known.packets = append(known.packets, i)
		case ringProcessor:
			entry(f.rings, name, ring{name: name, processor: -1}).processor = i
		case classReceive:
			c := entry(f.classes, className(name), class{name: className(name)})
			c.receive = append(c.receive, i)
		case classSend:
			c := entry(f.classes, className(name), class{name: className(name)})
			c.send = append(c.send, i)
		default:
			f.in.all[u] = append(f.in.all[u], i)
		}
	}
}

// instancesInside returns the instances of a node, and the name of its port, with which they begin. A physical function has the
// instances of its port.
func instancesInside(nodes []perf.Node, at int) (wanted map[string]bool, port string) {
	n := &nodes[at]
	instances, port := n.Instances, n.Name
	if n.Kind == perf.FunctionNode && n.Parent >= 0 && n.Parent < at {
		above := &nodes[n.Parent]
		port = above.Name
		if !slices.ContainsFunc(instances, func(name string) bool { return !slices.Contains(above.Instances, name) }) {
			instances = above.Instances
		}
	}
	wanted = make(map[string]bool, len(instances))
	for _, instance := range instances {
		wanted[instance] = true
	}
	return wanted, port
}

// className returns the panel's name of a priority: its number, without the port.
func className(name string) string {
	const priority, untagged = "Priority ", "Untagged"
	if i := strings.LastIndex(name, priority); i >= 0 {
		return name[i+len(priority):]
	}
	if strings.HasSuffix(name, untagged) {
		return untagged
	}
	return name
}

// entry returns a map's value of a key, or stores and returns the fresh one.
func entry[K comparable, V any](all map[K]*V, key K, fresh V) *V {
	value := all[key]
	if value == nil {
		value = &fresh
		all[key] = value
	}
	return value
}

// sorted returns the values of a map by name, numbers at the end of names as numbers.
func sorted[V any](all map[string]*V, name func(V) string) []V {
	list := values(all)
	slices.SortFunc(list, func(a, b V) int {
		return cmp.Or(cmp.Compare(len(name(a)), len(name(b))), cmp.Compare(name(a), name(b)))
	})
	return list
}

// values returns the values of a map by their keys.
func values[K cmp.Ordered, V any](all map[K]*V) []V {
	list := make([]V, 0, len(all))
	for _, key := range slices.Sorted(maps.Keys(all)) {
		list = append(list, *all[key])
	}
	return list
}

// rates returns the sum of the series' changes in the newest second, NaN when none has a value.
func rates(window *window.Recent, series []int) float64 {
	if value, ok := window.LastRates(series); ok {
		return value
	}
	return math.NaN()
}
