package overview

import (
	"math"
	"slices"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/window"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// curves caches the small charts of the ports, with the key of their contents.
type curves struct {
	curvesKey
	ports  []int // the nodes of the visible page
	charts []widget.Chart
}

type curvesKey struct {
	inventory   *perf.Inventory
	now         time.Time
	dots, count int
	first       int
	inBytes     bool
}

// portNodes returns the nodes with a curve: all ports, or those of the selected host of a fleet.
func (v *View) portNodes() (ports []int) {
	nodes := v.nodes()
	host := -1
	if isFleet(nodes) {
		for at := v.selectedNode(); at >= 0 && at < len(nodes); at = nodes[at].Parent {
			host = at
		}
	}
	for i, n := range nodes {
		if n.Kind == perf.PortNode && len(n.Receive)+len(n.Send) > 0 && (host < 0 || n.Parent == host) {
			ports = append(ports, i)
		}
	}
	return ports
}

// drawCurves draws the rates of each port in the last minute, each with its own axis. If not all ports fit, it draws the page
// with the selected port.
func (v *View) drawCurves(area widget.Area) {
	ports := v.portNodes()
	columns, rows := curveGrid(area.Width, area.Height, len(ports))
	if columns == 0 {
		return
	}
	width, height := area.Width/columns, area.Height/rows
	first := 0
	if at := slices.Index(ports, v.portAbove(v.selectedNode())); at > 0 {
		first = at / (columns * rows) * columns * rows
	}
	ports = ports[first:min(first+columns*rows, len(ports))]
	v.makeCurves(area.Sub(0, 1, width-1, height-1), ports, first)
	for n, port := range ports {
		place := area.Sub(n%columns*width, n/columns*height, width-1, height)
		head, plot := place.SplitTop(1)
		v.drawCurveTitle(head, port)
		v.curves.charts[n].Draw(plot)
	}
}

// portAbove returns the port of a node: the node itself, a port above it, or the first port of an adapter; -1 for none.
func (v *View) portAbove(node int) int {
	nodes := v.nodes()
	for at := node; at >= 0 && at < len(nodes); at = nodes[at].Parent {
		switch nodes[at].Kind {
		case perf.PortNode:
			return at
		case perf.AdapterNode, perf.HostNode:
			return slices.IndexFunc(nodes, func(n perf.Node) bool { return n.Kind == perf.PortNode && n.Parent == at })
		default:
		}
		if nodes[at].Parent >= at {
			break
		}
	}
	return -1
}

// drawCurveTitle draws a port's name, and the newest receive and send rates.
func (v *View) drawCurveTitle(head widget.Area, port int) {
	n, f := &v.inventory.Nodes[port], &v.figures[port]
	style := themes.Style{Attr: themes.Bold}
	if port == v.portAbove(v.selectedNode()) {
		style.Role = themes.Accent
	}
	const valueWidth = 12 // "r 24.1 Gb/s" and a blank
	name, room := n.Name, head.Width-2*valueWidth-1
	if widget.Width(name) > room {
		name = shortName(v.nodes(), n)
	}
	x := head.PrintCut(0, 0, room, name, style) + 2
	x = max(min(x, head.Width-2*valueWidth), 0)
	head.Print(x, 0, "r "+v.rate(n.Receive, f.receive, false).Text, themes.Style{Role: themes.SeriesRole(0)})
	head.Print(x+valueWidth, 0, "s "+v.rate(n.Send, f.send, false).Text, themes.Style{Role: themes.SeriesRole(1)})
}

// makeCurves makes the curves of a page of ports, unless they are up to date.
func (v *View) makeCurves(plot widget.Area, ports []int, first int) {
	c := &v.curves
	key := curvesKey{v.inventory, v.now, new(widget.Chart).Dots(plot), len(ports), first, v.deck.InBytes}
	if c.curvesKey == key && slices.Equal(c.ports, ports) {
		return
	}
	c.curvesKey, c.ports = key, slices.Clone(ports)
	c.charts = slices.Grow(c.charts[:0], len(ports))[:len(ports)]
	from := v.now.Add(-sparkSpan)
	buckets := make([]window.Bucket, key.dots)
	for i, port := range ports {
		n, chart := &v.inventory.Nodes[port], &c.charts[i]
		unit, perSecond := deck.UnitOf(v.schema, n.Receive)
		inBytes := v.deck.InBytes
		series, high := chart.Series[:0], v.sparkFloor(n)
		for at, list := range [][]int{n.Receive, n.Send} {
			v.window.Buckets(list, from, v.now, buckets)
			bands := make([]widget.Band, len(buckets))
			for b := range buckets {
				bands[b] = widget.Band(buckets[b])
				if !math.IsNaN(buckets[b].Max) {
					high = max(high, buckets[b].Max)
				}
			}
			series = append(series, widget.ChartSeries{Role: themes.SeriesRole(at), Letter: rune("rs"[at]), Bands: bands})
		}
		*chart = widget.Chart{
			From: from, To: v.now, Location: v.now.Location(), Series: series, High: niceTop(high, unit, inBytes),
			Format: func(value float64) string { return perf.Number(value, unit, perSecond, inBytes) },
		}
	}
}

// niceTop returns a round number of the displayed unit for the top of an axis.
func niceTop(high float64, unit perf.Unit, inBytes bool) float64 {
	shown := 1.0
	if counted, _ := unit.Counted(); !inBytes && (counted == perf.Bytes || counted == perf.Kilobytes) {
		shown = 8
	}
	if high <= 0 {
		high = 1
	}
	return widget.NiceScale(high*shown) / shown
}
