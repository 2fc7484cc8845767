package perf

import (
	"cxdeck/driver/eventlog"
)

// NodeKind is the kind of a node of the inventory.
type NodeKind uint8

// The kinds of node, from adapters down.
const (
	AdapterNode NodeKind = iota
	PortNode
	FunctionNode
	GroupNode // the parent of nodes that belong to no adapter: teams
	TeamNode
	VLANNode
	PartitionNode // a virtual port of IPoIB
	HostNode      // the parent of the ports of a host in a fleet
)

// State is the state of an adapter, port, function, team or VLAN.
type State uint8

// The states; the last two belong to a port's link.
const (
	StateUnknown State = iota
	StateRunning
	StateStopped
	StateRestarting
	StateFailed
	StateUp
	StateDown
)

// Inventory lists the parts of a source: adapters, their ports, the functions on them, teams of ports, VLANs. A published
// Inventory never changes.
type Inventory struct {
	Host string
	// Nodes are in the order of a tree: each node after its parent, children together.
	Nodes []Node
	// Receive, Send and Drops are totals over the ports, no frame counted twice: indexes of series to add up.
	Receive, Send, Drops []int
	// TotalLabel describes the ports that the totals contain.
	TotalLabel string
	// PendingValues is the number of registry keys with stored values that have not taken effect yet; a shared key is counted once.
	PendingValues int `json:"Waits"` // the name in saved sessions
	// Sheets are tables about settings and states of a source without a host of the lab.
	Sheets []Sheet `json:",omitempty"`
}

// Sheet is a table about settings and states, for the screen that its topic names.
type Sheet struct {
	Topic string
	Title string
	// Columns are the headings; a row has as many cells or fewer.
	Columns []string
	Rows    [][]string
}

// The topics of sheets, with the screens that show them.
const (
	HostTopic      = "host"      // Lab
	FunctionsTopic = "functions" // SR-IOV
	QoSTopic       = "qos"       // QoS
	TeamsTopic     = "teams"     // Teams
	RegistryTopic  = "registry"  // Registry
)

// SheetsOf returns the sheets of a topic; a nil inventory has none.
func (v *Inventory) SheetsOf(topic string) (list []Sheet) {
	if v == nil {
		return nil
	}
	for _, sheet := range v.Sheets {
		if sheet.Topic == topic {
			list = append(list, sheet)
		}
	}
	return list
}

// Instances returns the perfmon instances of the first node with a name; a nil inventory has none.
func (v *Inventory) Instances(name string) []string {
	if v == nil {
		return nil
	}
	for i := range v.Nodes {
		if v.Nodes[i].Name == name {
			return v.Nodes[i].Instances
		}
	}
	return nil
}

// Node is one row of the inventory.
type Node struct {
	// ID is stable as long as the source is open: the PCI address, or the interface name.
	ID string
	// Parent is the index of the node above, -1 for none.
	Parent int
	Kind   NodeKind
	// Name is the operator's name: "ConnectX-5 Ex", "Ethernet 7", "PF 04:00.0", "Teams".
	Name string
	// Detail is shown beside the name: "04:00.0 mlx5", "port 1".
	Detail string
	State  State
	// StateText is the detail of the state, if any: "Code 10".
	StateText string
	// Speed is the line rate in bits per second, 0 when there is no link; SpeedText is "100 GbE".
	Speed     uint64
	SpeedText string
	// Receive, Send and Drops are indexes of rate series to add up; empty when the source has none.
	Receive, Send, Drops []int
	// Pending is the change that waits for a restart; empty for none.
	Pending string
	// PendingValues is the number of its keys with stored values that have not taken effect yet, including keys that need more than a
	// restart.
	PendingValues int `json:"Waits"` // the name in saved sessions
	// Team is the name of the team that a port is a member of, empty for none.
	Team string `json:",omitempty"`
	// Active reports that the port carries the team's traffic now.
	Active bool `json:",omitempty"`
	// Instances are the perfmon instances that belong to the node: Enter on it opens their counters.
	Instances []string
	// Identity lists the fields of the side panel, in order.
	Identity []Field
	Health   []Finding
}

// Field is a labelled value.
type Field struct{ Label, Value string }

// Finding is one remark on an adapter's health.
type Finding struct {
	Severity eventlog.Severity
	Text     string
}
