package registry

import (
	"strings"

	"cxdeck/driver/registry"
)

// arrangement is how the tree at the left is made up.
type arrangement uint8

const (
	byAdapter arrangement = iota
	byGroup
	byPath
	arrangementCount
)

// String names the arrangement: "adapter".
func (a arrangement) String() string { return [...]string{"adapter", "group", "registry path"}[a] }

// node is a line of the tree. It stands for a range of the tree's order.
type node struct {
	// id is the way to it from the root, so that fold and selection outlive a snapshot.
	id, label string
	depth     int
	from, to  int
	parent    int
	branch    bool // it has nodes below
	waits     int
}

// tree is all keys in an arrangement.
type tree struct {
	nodes []node
	// order are the indexes of the entries.
	order []int
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

// allKeys is the label of the tree's root.
const allKeys = "All keys"

// buildTree makes the tree of a snapshot. Shared keys come after the keys of ports and cards.
func buildTree(s *snapshot, by arrangement) tree {
	root := &trie{label: allKeys}
	for shared := range sharedBy(registry.System) + 1 {
		for i := range s.entries {
			e := &s.entries[i]
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
	var t tree
	t.add(s, root, "", -1, 0)
	return t
}

// sharedBy orders scopes by how many share their values: ports first, then cards, drivers, and the system.
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
func (t *tree) add(s *snapshot, from *trie, above string, parent, depth int) {
	at := len(t.nodes)
	id := above + "\x00" + from.label
	t.nodes = append(t.nodes, node{
		id: id, label: from.label, depth: depth, from: len(t.order), parent: parent, branch: len(from.children) > 0,
	})
	t.order = append(t.order, from.entries...)
	for _, c := range from.children {
		t.add(s, c, id, at, depth+1)
	}
	n := &t.nodes[at]
	n.to = len(t.order)
	for _, i := range t.order[n.from:n.to] {
		if s.entries[i].Pending {
			n.waits++
		}
	}
}

// scopeWords are the names of shared scopes in the tree.
var scopeWords = map[registry.Scope]string{
	registry.BusDevice: "Card", registry.BusDriver: "Bus driver", registry.RoCE: "RoCE", registry.Diagnostics: "Diagnostics",
	registry.System: "Windows", registry.Congestion: "Congestion control", registry.Firmware: "Firmware",
	registry.DriverParameters: "Driver parameters",
}

// treePath are the labels from the root to an entry.
func (e *entry) treePath(s *snapshot, by arrangement) []string {
	switch by {
	case byGroup:
		return []string{e.Row.Group, e.owner}
	case byPath:
		return e.registryPath()
	default:
	}
	p := &s.ports[e.port]
	switch e.Row.Scope {
	case registry.Miniport, registry.Congestion:
		return []string{p.adapter, p.connection, e.Row.Group}
	case registry.BusDevice:
		return []string{p.adapter, scopeWords[e.Row.Scope], e.Row.Group}
	case registry.Firmware:
		return []string{p.adapter, scopeWords[e.Row.Scope]}
	case registry.System:
		return []string{e.owner}
	default:
		return []string{e.owner, scopeWords[e.Row.Scope]}
	}
}

// registryPath cuts a registry path where it branches: the roots of the classes and of the services, and what is below.
func (e *entry) registryPath() []string {
	const control = `HKLM\SYSTEM\CurrentControlSet\`
	rest, ok := strings.CutPrefix(e.path(), control)
	if !ok {
		if e.Path == "" {
			return []string{"Elsewhere", e.owner}
		}
		return []string{e.Path}
	}
	parts := strings.Split(rest, `\`)
	if len(parts) > 3 && parts[0] == "Control" && parts[1] == "Class" {
		last := strings.Join(parts[3:], `\`)
		if e.connection != "" {
			last += "  " + e.connection
		}
		return []string{`Control\Class`, parts[2], last}
	}
	if len(parts) > 1 {
		return append([]string{parts[0] + `\` + parts[1]}, parts[2:]...)
	}
	return []string{rest}
}

// shown are the indexes of the nodes that no fold hides.
func (t *tree) shown(folded map[string]bool, dst []int) []int {
	dst = dst[:0]
	hidden := -1 // the depth below which nothing shows
	for i := range t.nodes {
		n := &t.nodes[i]
		if hidden >= 0 && n.depth > hidden {
			continue
		}
		hidden = -1
		dst = append(dst, i)
		if n.branch && folded[n.id] {
			hidden = n.depth
		}
	}
	return dst
}
