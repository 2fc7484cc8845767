package keyset

import (
	"strings"

	"cxdeck/driver/registry"
)

// Arrangement is the order of the levels of the tree.
type Arrangement uint8

// The arrangements.
const (
	ByAdapter Arrangement = iota
	byGroup
	byPath
	ArrangementCount
)

// String names the arrangement: "adapter".
func (a Arrangement) String() string { return [...]string{"adapter", "group", "registry path"}[a] }

// Node is a line of the tree. Its keys are a range of the tree's order.
type Node struct {
	// ID is the path from the root, so that folds and selection stay valid for the next snapshot.
	ID, Label string
	Depth     int
	From, To  int
	Parent    int
	Branch    bool // it has children
	Waits     int
}

// Tree holds all keys in an arrangement.
type Tree struct {
	Nodes []Node
	// Order holds the indexes of the entries in the tree's order.
	Order []int
}

// trie is a tree that is being made.
type trie struct {
	label    string
	children []*trie
	byLabel  map[string]*trie
	entries  []int
}

func (t *trie) child(label string) *trie {
	if c, ok := t.byLabel[label]; ok {
		return c
	}
	if t.byLabel == nil {
		t.byLabel = map[string]*trie{}
	}
	c := &trie{label: label}
	t.byLabel[label] = c
	t.children = append(t.children, c)
	return c
}

// AllKeys is the label of the tree's root.
const AllKeys = "All keys"

// BuildTree makes the tree of a snapshot. Shared keys come after the keys of ports and cards.
func BuildTree(s *Snapshot, by Arrangement) Tree {
	root := &trie{label: AllKeys}
	for shared := range sharedBy(registry.System) + 1 {
		for i := range s.Entries {
			e := &s.Entries[i]
			if sharedBy(e.Row.Scope) != shared {
				continue
			}
			at := root
			for _, label := range e.treePath(s, by) {
				at = at.child(label)
			}
			at.entries = append(at.entries, i)
		}
	}
	var t Tree
	t.add(s, root, "", -1, 0)
	return t
}

// sharedBy ranks scopes by the number of ports that share their values: port, card, driver, system.
func sharedBy(s registry.Scope) int {
	switch s {
	case registry.Miniport, registry.Congestion:
		return 0
	case registry.BusDevice, registry.Firmware:
		return 1
	case registry.System:
		return 3
	default:
		return 2
	}
}

// add appends a trie to the tree.
func (t *Tree) add(s *Snapshot, from *trie, above string, parent, depth int) {
	at := len(t.Nodes)
	id := above + "\x00" + from.label
	t.Nodes = append(t.Nodes, Node{
		ID: id, Label: from.label, Depth: depth, From: len(t.Order), Parent: parent, Branch: len(from.children) > 0,
	})
	t.Order = append(t.Order, from.entries...)
	for _, c := range from.children {
		t.add(s, c, id, at, depth+1)
	}
	n := &t.Nodes[at]
	n.To = len(t.Order)
	for _, i := range t.Order[n.From:n.To] {
		if s.Entries[i].Pending {
			n.Waits++
		}
	}
}

// scopeWords are the names of shared scopes in the tree.
var scopeWords = map[registry.Scope]string{
	registry.BusDevice: "Card", registry.BusDriver: "Bus driver", registry.RoCE: "RoCE", registry.Diagnostics: "Diagnostics",
	registry.System: "Windows", registry.Congestion: "Congestion control", registry.Firmware: "Firmware",
	registry.DriverParameters: "Driver parameters",
}

// treePath returns the labels from the root to an entry.
func (e *Entry) treePath(s *Snapshot, by Arrangement) []string {
	switch by {
	case byGroup:
		return []string{e.Row.Group, e.Owner}
	case byPath:
		return e.registryPath()
	default:
	}
	p := &s.Ports[e.Port]
	if e.IsUnknown() {
		return e.unknownPath(p)
	}
	switch e.Row.Scope {
	case registry.Miniport, registry.Congestion:
		return []string{p.Adapter, p.Connection, e.Row.Group}
	case registry.BusDevice:
		return []string{p.Adapter, scopeWords[e.Row.Scope], e.Row.Group}
	case registry.Firmware:
		return []string{p.Adapter, scopeWords[e.Row.Scope]}
	case registry.System:
		return []string{e.Owner}
	default:
		return []string{e.Owner, scopeWords[e.Row.Scope]}
	}
}

// registryPath splits a registry path into the levels of the tree.
func (e *Entry) registryPath() []string {
	const control = `HKLM\SYSTEM\CurrentControlSet\`
	rest, ok := strings.CutPrefix(e.Place(), control)
	if !ok {
		if e.Path == "" {
			return []string{"Elsewhere", e.Owner}
		}
		return []string{e.Path}
	}
	parts := strings.Split(rest, `\`)
	if len(parts) > 3 && parts[0] == "Control" && parts[1] == "Class" {
		last := strings.Join(parts[3:], `\`)
		if e.Connection != "" {
			last += "  " + e.Connection
		}
		return []string{`Control\Class`, parts[2], last}
	}
	if len(parts) > 1 {
		return append([]string{parts[0] + `\` + parts[1]}, parts[2:]...)
	}
	return []string{rest}
}

// Shown returns the indexes of the nodes that no fold hides.
func (t *Tree) Shown(folded map[string]bool, dst []int) []int {
	dst = dst[:0]
	hidden := -1 // the depth below which nodes are hidden
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if hidden >= 0 && n.Depth > hidden {
			continue
		}
		hidden = -1
		dst = append(dst, i)
		if n.Branch && folded[n.ID] {
			hidden = n.Depth
		}
	}
	return dst
}

// Title returns the title of a node above the table, with its parent's name below the level of adapters.
func (n *Node) Title(t *Tree) string {
	if n.Depth < 2 || n.Parent < 0 {
		return n.Label
	}
	if n.Depth == 2 && n.Branch {
		return n.Label + ": keys"
	}
	return t.Nodes[n.Parent].Label + ": " + n.Label
}
