package report

import (
	"fmt"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"cxdeck/views/exec"
)

// figures returns the charts as pictures in the page (SVG), each with its scale, axis and legend.
func (d *Document) figures() g.Node {
	if len(d.Charts) == 0 {
		return h.P(g.Text("There are no ports with traffic."))
	}
	return g.Map(d.Charts, d.figure)
}

func (d *Document) figure(c Chart) g.Node {
	peak := c.Number(c.Peak, d.InBytes)
	marks := d.lines()
	return h.Figure(g.If(c.Drops, h.Class("drops")),
		h.FigCaption(text(c.Title)),
		h.Div(h.Class("plot"),
			h.Div(h.Class("scale"), h.Aria("hidden", "true"),
				h.Span(g.Text(peak)), h.Span(g.Text(c.Number(c.Peak/2, d.InBytes))), h.Span(g.Text("0"))),
			h.SVG(g.Attr("viewBox", fmt.Sprintf("0 0 %d %d", chartWidth, chartHeight)), g.Attr("preserveAspectRatio", "none"),
				h.Role("img"), h.Aria("label", fmt.Sprintf("%s: up to %s", exec.Clean(c.Title), peak)),
				line(0, chartHeight/2, chartWidth, chartHeight/2),
				g.Map(marks, func(m tick) g.Node {
					return line(m.X, 0, m.X, chartHeight, h.Class("mark"), g.El("title", text(m.Text)))
				}),
				curves(&c))),
		h.Div(h.Class("axis"), h.Aria("hidden", "true"), g.Map(d.ticks(), func(t tick) g.Node {
			return h.Span(h.Style(fmt.Sprintf("left: %.4g%%", t.X)), g.Text(t.Text))
		})),
		h.P(h.Class("legend"), legend(&c),
			g.Text("; averages, with maximum values as thin lines"), g.If(len(marks) > 0, g.Text("; dotted lines are changes and notes"))),
	)
}

func line(x1, y1, x2, y2 float64, nodes ...g.Node) g.Node {
	at := func(name string, v float64) g.Node { return g.Attr(name, fmt.Sprintf("%.6g", v)) }
	return g.El("line", at("x1", x1), at("y1", y1), at("x2", x2), at("y2", y2), g.Group(nodes))
}

// curves draws the averages of each curve, and its largest values as a thin line.
func curves(c *Chart) g.Node {
	var nodes g.Group
	peak := max(c.Peak, 1e-9)
	for i := range c.Curves {
		class := fmt.Sprintf("curve%d", i)
		nodes = append(nodes,
			g.El("path", h.Class(class+" peak"), g.Attr("d", c.Curves[i].path(c.Curves[i].Maximum, peak))),
			g.El("path", h.Class(class), g.Attr("d", c.Curves[i].path(c.Curves[i].Averages, peak))))
	}
	return nodes
}

func legend(c *Chart) g.Node {
	var nodes g.Group
	for i := range c.Curves {
		if i > 0 {
			nodes = append(nodes, g.Text(", "))
		}
		nodes = append(nodes, h.B(text(c.Curves[i].Name)))
		if i > 0 {
			nodes = append(nodes, g.Text(" dashed"))
		}
	}
	return nodes
}

// tick is a mark on the time axis, X in percent of its length or in units of the chart.
type tick struct {
	X    float64
	Text string
}

// axisTicks is the number of intervals between the marks of the time axis.
const axisTicks = 6

func (d *Document) ticks() (list []tick) {
	layout := time.TimeOnly
	if d.To.Sub(d.From) > 24*time.Hour {
		layout = "01-02 15:04"
	}
	for i := range axisTicks + 1 {
		part := float64(i) / axisTicks
		at := d.From.Add(time.Duration(part * float64(d.To.Sub(d.From))))
		list = append(list, tick{100 * part, at.In(d.Zone).Format(layout)})
	}
	return list
}

// maxLines is the maximum number of changes and notes in each chart.
const maxLines = 100

// lines returns the changes and notes as vertical lines in a chart, X in its units.
func (d *Document) lines() (list []tick) {
	length := float64(max(1, d.To.Sub(d.From)))
	add := func(at time.Time, text string) {
		if x := float64(at.Sub(d.From)) / length; x >= 0 && x <= 1 && len(list) < maxLines {
			list = append(list, tick{chartWidth * x, fmt.Sprintf("%s: %s", d.clock(at), text)})
		}
	}
	for i := range d.Changes {
		add(d.Changes[i].Time, d.Changes[i].Plan.Title)
	}
	for i := range d.Marks {
		add(d.Marks[i].From, d.Marks[i].Text)
	}
	return list
}
