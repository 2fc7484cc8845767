package widget

import (
	"slices"
	"strings"

	"cxdeck/themes"
)

// TreeNode is one node of a tree that is told as a list: parents before their children, children one deeper.
type TreeNode struct {
	// ID is what the node is called between one telling and the next: folding and cursor follow it.
	ID    string
	Depth int
}

// TreeRow is a node that shows.
type TreeRow struct {
	// Node is its place in the list of nodes.
	Node int
	// Parent and Open say whether it has children, and whether they show.
	Parent, Open bool
}

// Tree chooses the rows of a tree that show, for a Table or a List to draw: it keeps what is folded. The zero Tree has
// everything open.
type Tree struct {
	nodes  []TreeNode
	rows   []TreeRow
	closed map[string]bool
}

// SetNodes tells the tree anew and sets the list's length. The cursor stays on its node, or goes to the nearest ancestor
// that still shows.
func (t *Tree) SetNodes(nodes []TreeNode, list *List) {
	path := t.path(list.Cursor())
	t.nodes = append(t.nodes[:0], nodes...)
	t.choose(list, path)
}

// Rows are the rows that show, in order. They hold until the tree changes.
func (t *Tree) Rows() []TreeRow { return t.rows }

// Node is the place of the node on a row in the list of nodes, -1 when there is no such row.
func (t *Tree) Node(row int) int {
	if row < 0 || row >= len(t.rows) {
		return -1
	}
	return t.rows[row].Node
}

// Prefix is what stands before the name of a row: the indent and the fold sign.
func (t *Tree) Prefix(row int, glyphs *themes.Glyphs) string {
	node := t.Node(row)
	if node < 0 {
		return ""
	}
	sign := ' '
	if r := t.rows[row]; r.Open {
		sign = glyphs.Open
	} else if r.Parent {
		sign = glyphs.Closed
	}
	return strings.Repeat("  ", clamp(t.nodes[node].Depth, 0, 32)) + string(sign) + " "
}

// Toggle opens or folds the row's node.
func (t *Tree) Toggle(row int, list *List) {
	if node := t.Node(row); node >= 0 && t.rows[row].Parent {
		t.fold(t.nodes[node].ID, t.rows[row].Open, list)
	}
}

// Key takes left (fold, or go to the parent), right (open, or go to the first child) and space (toggle), h and l as
// well; it says whether the key was one of them.
func (t *Tree) Key(name string, list *List) bool {
	row := list.Cursor()
	node := t.Node(row)
	switch name {
	case "left", "h":
		switch {
		case node < 0:
		case t.rows[row].Open:
			t.Toggle(row, list)
		default:
			if path := t.path(row); len(path) > 1 {
				t.choose(list, path[1:])
			}
		}
	case "right", "l":
		switch {
		case node < 0 || !t.rows[row].Parent:
		case t.rows[row].Open:
			list.Move(1)
		default:
			t.Toggle(row, list)
		}
	case " ", "space":
		t.Toggle(row, list)
	default:
		return false
	}
	return true
}

// Reveal opens what is folded over a node and puts the cursor on it; it says whether there is such a node.
func (t *Tree) Reveal(id string, list *List) bool {
	at := slices.IndexFunc(t.nodes, func(n TreeNode) bool { return n.ID == id })
	if at < 0 {
		return false
	}
	path := t.ancestors(at)
	for _, ancestor := range path[1:] {
		delete(t.closed, ancestor)
	}
	t.choose(list, path)
	return true
}

// fold closes or opens a node.
func (t *Tree) fold(id string, closed bool, list *List) {
	if t.closed == nil {
		t.closed = map[string]bool{}
	}
	path := t.path(list.Cursor())
	if closed {
		t.closed[id] = true
	} else {
		delete(t.closed, id)
	}
	t.choose(list, path)
}

// choose finds the rows that show and puts the cursor on the first node of path that is among them.
func (t *Tree) choose(list *List, path []string) {
	t.rows = t.rows[:0]
	hidden := -1 // nodes deeper than this are folded away
	for i, node := range t.nodes {
		if hidden >= 0 && node.Depth > hidden {
			continue
		}
		parent := i+1 < len(t.nodes) && t.nodes[i+1].Depth > node.Depth
		open := parent && !t.closed[node.ID]
		t.rows = append(t.rows, TreeRow{Node: i, Parent: parent, Open: open})
		hidden = -1
		if parent && !open {
			hidden = node.Depth
		}
	}
	list.SetLength(len(t.rows))
	for _, id := range path {
		if row := slices.IndexFunc(t.rows, func(r TreeRow) bool { return t.nodes[r.Node].ID == id }); row >= 0 {
			list.Select(row)
			return
		}
	}
}

// path is the node of a row and its ancestors, from the inside out.
func (t *Tree) path(row int) []string {
	node := t.Node(row)
	if node < 0 {
		return nil
	}
	return t.ancestors(node)
}

func (t *Tree) ancestors(node int) []string {
	path := []string{t.nodes[node].ID}
	depth := t.nodes[node].Depth
	for i := node - 1; i >= 0; i-- {
		if t.nodes[i].Depth < depth {
			depth = t.nodes[i].Depth
			path = append(path, t.nodes[i].ID)
		}
	}
	return path
}
