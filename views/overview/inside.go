package overview

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"cxdeck/perf"
)

// use is what the panel makes of a counter.
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

// spreadSets count by processor, every counter of them; the rings of WinOF don't say which processor serves them.
var spreadSets = map[string]bool{"Mellanox Adapter RSS Counters": true}

// keyedSet is a set of ports whose RSS counters are there only as RssMonitoringEnabled says.
const keyedSet = "Mellanox Adapter Traffic Counters"

// processorSet says how busy the host's processors are.
const processorSet = "cxdeck Processor"

// inside are the series of what is inside a port or function, found once for a node and read with every sample.
type inside struct {
	rings   []ring
	spread  []share // by processor
	classes []class // priorities, or functions
	// all are the series of the uses that need no more than their sum.
	all [useCount][]int
	// busy are the series of the host's processors, by number.
	busy map[int]int
	// functions says that classes are those, keyed that RSS is counted by processor only when a key says so.
	functions, keyed bool
}

// ring is a receive ring.
type ring struct {
	name      string
	packets   []int
	processor int // a series, -1 for none
}

// share is what one processor gets.
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

// lookInside finds the series of a node; nil when it has none. Adapters and teams have none of their own.
func lookInside(schema *perf.Schema, nodes []perf.Node, at int) *inside {
	if schema == nil || nodes[at].Kind != perf.PortNode && nodes[at].Kind != perf.FunctionNode {
		return nil
	}
	wanted, port := instancesInside(nodes, at)
	in := &inside{busy: map[int]int{}}
	rings, classes, shares := map[string]*ring{}, map[string]*class{}, map[int]*share{}
	set, counters, instance, take := "", map[string]use(nil), "", false
	for i := range schema.Series {
		s := &schema.Series[i]
		if s.Set != set { // series of a set stand together, and those of an instance
			set, counters, instance, take = s.Set, uses[s.Set], "", false
		}
		if set == processorSet {
			if n, err := strconv.Atoi(s.Instance); err == nil && s.Counter == "% Processor Time" {
				in.busy[n] = i
			}
			continue
		}
		if counters == nil && !spreadSets[set] {
			continue
		}
		if s.Instance != instance {
			instance = s.Instance
			take = wanted[instance]
		}
		if !take {
			continue
		}
		in.keyed = in.keyed || set == keyedSet
		name := strings.TrimPrefix(instance, port+" ")
		if spreadSets[set] {
			if _, number, ok := strings.Cut(name, "Cpu_"); ok {
				if n, err := strconv.Atoi(number); err == nil {
					one := entry(shares, n, share{processor: n})
					one.packets = append(one.packets, i)
				}
			}
			continue
		}
		switch u := counters[s.Counter]; u {
		case unused:
		case ringPackets:
			one := entry(rings, name, ring{name: name, processor: -1})
			one.packets = append(one.packets, i)
		case ringProcessor:
			entry(rings, name, ring{name: name, processor: -1}).processor = i
		case classReceive:
			name = className(name)
			one := entry(classes, name, class{name: name})
			one.receive = append(one.receive, i)
			in.functions = nodes[at].Kind == perf.FunctionNode && strings.HasPrefix(name, "VF ")
		case classSend:
			name = className(name)
			one := entry(classes, name, class{name: name})
			one.send = append(one.send, i)
		default:
			in.all[u] = append(in.all[u], i)
		}
	}
	in.rings, in.classes, in.spread = sorted(rings, func(r ring) string { return r.name }),
		sorted(classes, func(c class) string { return c.name }), values(shares)
	return in
}

// instancesInside are the instances of a node, and the name of its port that they begin with. A physical function
// counts under the name of its port: it has what the port has.
func instancesInside(nodes []perf.Node, at int) (wanted map[string]bool, port string) {
	n := &nodes[at]
	instances, port := n.Instances, n.Name
	if n.Kind == perf.FunctionNode && n.Parent >= 0 && n.Parent < at {
		above := &nodes[n.Parent]
		port = above.Name
		if !slices.ContainsFunc(instances, func(one string) bool { return !slices.Contains(above.Instances, one) }) {
			instances = above.Instances
		}
	}
	wanted = make(map[string]bool, len(instances))
	for _, one := range instances {
		wanted[one] = true
	}
	return wanted, port
}

// className is what the panel calls a priority: its number, whichever port it is of.
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

// entry is what a map has under a key, the fresh one when it has nothing.
func entry[K comparable, V any](all map[K]*V, key K, fresh V) *V {
	one := all[key]
	if one == nil {
		one = &fresh
		all[key] = one
	}
	return one
}

// sorted are the values of a map by name, numbers at the end of names as numbers.
func sorted[V any](all map[string]*V, name func(V) string) []V {
	list := values(all)
	slices.SortFunc(list, func(a, b V) int {
		return cmp.Or(cmp.Compare(len(name(a)), len(name(b))), cmp.Compare(name(a), name(b)))
	})
	return list
}

// values are the values of a map by their keys.
func values[K cmp.Ordered, V any](all map[K]*V) []V {
	list := make([]V, 0, len(all))
	for _, key := range slices.Sorted(maps.Keys(all)) {
		list = append(list, *all[key])
	}
	return list
}

// rates is what series changed by in the newest second, NaN when none has a value.
func rates(window *perf.Window, series []int) float64 {
	if value, ok := window.LastRates(series); ok {
		return value
	}
	return math.NaN()
}
