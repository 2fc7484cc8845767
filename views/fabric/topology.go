package fabric

import (
	"cmp"
	"fmt"
	"slices"

	"cxdeck/device/infiniband"
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// box is a node in the drawing, or several adapters of one switch.
type box struct {
	nodes []int
	text  string
	x, y  int // its first cell
}

// drawTopology draws the subnet in rows: the switches farthest from the adapters at the top, the adapters at the bottom. Adapters that don't
// fit are drawn as one box a switch.
func drawTopology(area widget.Area, f *infiniband.Fabric, selected int) {
	boxes, of := place(area, f)
	var lines []widget.Line
	joined := map[[2]int]themes.Role{}
	var pairs [][2]int
	for n := range f.Nodes {
		for _, port := range f.Nodes[n].Ports {
			if port.Far == infiniband.Nowhere || of[n] == of[port.Far.Node] || of[n] > of[port.Far.Node] {
				continue
			}
			pair := [2]int{of[n], of[port.Far.Node]}
			role, known := joined[pair]
			if !known {
				pairs = append(pairs, pair)
			}
			joined[pair] = worse(role, roleOf(&port), known)
		}
	}
	middle := func(b *box) int { return b.x + widget.Width(b.text)/2 }
	for _, good := range []bool{true, false} { // what is wrong is drawn last
		for _, pair := range pairs {
			if role := joined[pair]; (role == themes.Border) == good {
				from, to := &boxes[pair[0]], &boxes[pair[1]]
				lines = append(lines, widget.Line{X1: middle(from), Y1: from.y, X2: middle(to), Y2: to.y, Role: role})
			}
		}
	}
	widget.DrawLines(area, lines)
	for i := range boxes {
		b := &boxes[i]
		style := themes.Style{Role: themes.Text}
		if f.Nodes[b.nodes[0]].Kind == infiniband.Switch {
			style = themes.Style{Role: themes.Title, Attr: themes.Bold}
		}
		if selected >= 0 && of[selected] == i {
			style.Ground = themes.Selected
		}
		area.Print(b.x, b.y, b.text, style)
	}
}

// roleOf returns the colour of a link by the state of a port.
func roleOf(p *infiniband.Port) themes.Role {
	switch {
	case p.State == infiniband.Down:
		return themes.Bad
	case p.State != infiniband.Active || p.SymbolErrors > 0:
		return themes.Warn
	}
	return themes.Border
}

// worse returns the colour of the worse of two links between the same nodes.
func worse(a, b themes.Role, known bool) themes.Role {
	if !known || a == themes.Border || b == themes.Bad {
		return b
	}
	return a
}

// place lays the nodes out in rows, and returns the box of each node.
func place(area widget.Area, f *infiniband.Fabric) (boxes []box, of []int) {
	level := levels(f)
	top := 0
	for _, l := range level {
		top = max(top, l)
	}
	of = slices.Repeat([]int{-1}, len(f.Nodes))
	rows := make([][]int, top+1)
	for _, n := range order(f) {
		rows[level[n]] = append(rows[level[n]], n)
	}
	for l := top; l >= 0; l-- {
		first := len(boxes)
		under(f, rows[l], of, first)
		for _, n := range rows[l] {
			of[n] = len(boxes)
			boxes = append(boxes, box{nodes: []int{n}, text: f.Nodes[n].Name})
		}
		if l == 0 && width(boxes[first:]) > area.Width {
			boxes = boxes[:first]
			boxes = bundle(boxes, f, rows[0], of)
		}
		y := (area.Height - 1) * (top - l) / max(top, 1)
		spread(boxes[first:], area.Width, y)
	}
	return boxes, of
}

// under sorts the nodes of a row by the middle of the nodes above that they are cabled to, so that few lines cross. The boxes before
// first are the boxes above.
func under(f *infiniband.Fabric, nodes, of []int, first int) {
	middle := make(map[int]float64, len(nodes))
	for _, n := range nodes {
		sum, number := 0, 0
		for _, p := range f.Nodes[n].Ports {
			if p.Far != infiniband.Nowhere && first > 0 && of[p.Far.Node] >= 0 {
				sum += of[p.Far.Node]
				number++
			}
		}
		middle[n] = float64(sum) / float64(max(number, 1))
	}
	slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(middle[a], middle[b]) })
}

// bundle adds a box for the adapters of each switch.
func bundle(boxes []box, f *infiniband.Fabric, adapters []int, of []int) []box {
	at := map[int]int{}
	for _, n := range adapters {
		parent := -1
		for _, p := range f.Nodes[n].Ports {
			if p.Far != infiniband.Nowhere {
				parent = p.Far.Node
				break
			}
		}
		i, known := at[parent]
		if !known {
			i = len(boxes)
			at[parent] = i
			boxes = append(boxes, box{})
		}
		boxes[i].nodes = append(boxes[i].nodes, n)
		of[n] = i
		boxes[i].text = fmt.Sprintf("%d nodes", len(boxes[i].nodes))
		if len(boxes[i].nodes) == 1 {
			boxes[i].text = f.Nodes[n].Name
		}
	}
	return boxes
}

// width returns the cells that boxes need in a row.
func width(boxes []box) (sum int) {
	for i := range boxes {
		sum += widget.Width(boxes[i].text) + 1
	}
	return sum
}

// spread places the boxes of a row evenly. Names that don't fit are cut, down to a dot for each.
func spread(boxes []box, room, y int) {
	n := len(boxes)
	for i := range boxes {
		b := &boxes[i]
		cell := max(1, room/max(n, 1)-1)
		if widget.Width(b.text) > cell {
			if b.text = widget.Cut(b.text, cell); cell < 4 {
				b.text = "o"
			}
		}
		middle := (2*i + 1) * room / (2 * n)
		b.x, b.y = max(0, min(middle-widget.Width(b.text)/2, room-widget.Width(b.text))), y
	}
}
