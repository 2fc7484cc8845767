package pdh

import (
	"slices"
	"strings"

	"cxdeck/perf"
)

// portSets are the sets whose instances are ports, the sets that count on the wire first: totals use the first one that the log
// has. receive, send and drops are the counters that the overview shows; the manuals' sets have no rate of drops. stacked
// reports whether another instance counts the same frames, too; nil means never.
var portSets = []struct {
	set, receive, send, drops string
	stacked                   func(instance string) bool
}{
	{perf.SummarySet, perf.SummaryReceive, perf.SummarySend, perf.SummaryDrops, perf.RepeatsPort},
	{"Mellanox WinOF-2 Port Traffic", "Bytes Received/Sec", "Bytes Sent/Sec", "", nil},
	{"Mellanox WinOF-2 Port Traffic", "KBytes Received/Sec", "KBytes Sent/Sec", "", nil},
	{"Mellanox Adapter Traffic Counters", "Bytes Received/Sec", "Bytes Sent/Sec", "", nil},
	{"Mellanox Adapter Traffic Counters", "KBytes Received/Sec", "KBytes Sent/Sec", "", nil},
	{"Mellanox IB Adapter Traffic Counters", "Bytes Received/Sec", "Bytes Sent/Sec", "", nil},
	{"Network Interface", "Bytes Received/sec", "Bytes Sent/sec", "Packets Discarded/sec", stackedInstance},
}

// stackedWords mark instances of Network Interface whose frames also pass another instance: teams, virtual switches, tunnels.
var stackedWords = []string{"multiplexor", "virtual miniport", "hyper-v virtual", "virtual ethernet", "isatap", "teredo", "6to4", "loopback", "kernel debug"}

// NewInventory lists the instances of well-known sets as ports, under one node for the log.
func NewInventory(host, name string, series []perf.Series) *perf.Inventory {
	v := &perf.Inventory{Host: host, Nodes: []perf.Node{{ID: name, Parent: -1, Kind: perf.AdapterNode, Name: name, State: perf.StateUnknown, Identity: []perf.Field{{Label: "Source", Value: "log"}, {Label: "Host", Value: host}}}}}
	rows := make(map[string]int)
	total := ""
	for _, ports := range portSets {
		for n, item := range series {
			if !strings.EqualFold(item.Set, ports.set) || item.Instance == "" || item.Sum != "" {
				continue
			}
			row, known := rows[perf.FoldPath(item.Instance)]
			if !known {
				row = len(v.Nodes)
				rows[perf.FoldPath(item.Instance)] = row
				v.Nodes = append(v.Nodes, perf.Node{ID: item.Instance, Kind: perf.PortNode, Name: item.Instance, State: perf.StateUnknown, Instances: []string{item.Instance}, Identity: []perf.Field{{Label: "Counters", Value: item.Set}}})
				v.Nodes[0].Instances = append(v.Nodes[0].Instances, item.Instance)
			}
			node := &v.Nodes[row]
			if item.Line > 0 {
				node.Speed, node.SpeedText = item.Line, perf.Number(float64(item.Line), perf.Bits, false, false)
			}
			var ofPort, ofAll *[]int
			switch {
			case strings.EqualFold(item.Counter, ports.receive):
				ofPort, ofAll = &node.Receive, &v.Receive
			case strings.EqualFold(item.Counter, ports.send):
				ofPort, ofAll = &node.Send, &v.Send
			case strings.EqualFold(item.Counter, ports.drops):
				ofPort, ofAll = &node.Drops, &v.Drops
			default:
				continue
			}
			// Counters of one set are not added to counters of another set for the same port.
			if len(*ofPort) > 0 {
				continue
			}
			*ofPort = []int{n}
			if total == "" {
				total = ports.set
			}
			if total != ports.set || ports.stacked != nil && ports.stacked(item.Instance) {
				continue
			}
			*ofAll = append(*ofAll, n)
		}
	}
	addPriorities(v, series)
	switch total {
	case "": // no rates; drops may be derived from other counters
		if len(v.Nodes) > 1 {
			v.TotalLabel = "Total (all ports)"
		}
	case perf.SummarySet:
		v.TotalLabel = "Total (physical ports)"
	case "Network Interface":
		v.TotalLabel = "Total (interfaces except teams, virtual switches and tunnels)"
	default:
		v.TotalLabel = "Total (ports of " + total + ")"
	}
	v.Nodes[0].Receive, v.Nodes[0].Send, v.Nodes[0].Drops = slices.Clone(v.Receive), slices.Clone(v.Send), slices.Clone(v.Drops)
	return v
}

// addPriorities adds the instances of its priorities, "Ethernet 7 Priority 3", to each port, so that the overview can show its
// pauses.
func addPriorities(v *perf.Inventory, series []perf.Series) {
	taken := map[string]bool{}
	for _, item := range series {
		set, ok := perf.Catalogue().Set(item.Set)
		if !ok || set.Instances != "port-priority" || taken[perf.FoldPath(item.Instance)] {
			continue
		}
		taken[perf.FoldPath(item.Instance)] = true
		for i := 1; i < len(v.Nodes); i++ {
			if strings.HasPrefix(perf.FoldPath(item.Instance), perf.FoldPath(v.Nodes[i].Name)+" ") {
				v.Nodes[i].Instances = append(v.Nodes[i].Instances, item.Instance)
				v.Nodes[0].Instances = append(v.Nodes[0].Instances, item.Instance)
			}
		}
	}
}

func stackedInstance(instance string) bool {
	instance = perf.FoldPath(instance)
	return slices.ContainsFunc(stackedWords, func(word string) bool { return strings.Contains(instance, word) })
}
