package report

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/views/exec"
)

//go:embed report.css
var style string

// HTML writes the report as one file without scripts and external resources. All text of the history is escaped.
//
// It uses typed elements instead of html/template: a program that runs a template links each method of each type, which costs
// 3 MB of memory even in a console that never writes a report.
func (d *Document) HTML(w io.Writer) error {
	return h.Doctype(h.HTML(h.Lang("en"), d.head(), h.Body(d.header(), d.sections(), d.footer()))).Render(w)
}

// text returns a text of the history, without its control characters.
func text(s string) g.Node { return g.Text(exec.Clean(s)) }

func mutedSpan(nodes ...g.Node) g.Node { return h.Span(h.Class("quiet"), g.Group(nodes)) }

func (d *Document) head() g.Node {
	return h.Head(
		h.Meta(h.Charset("utf-8")),
		h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")),
		h.Meta(g.Attr("http-equiv", "Content-Security-Policy"), h.Content("default-src 'none'; style-src 'unsafe-inline'")),
		h.TitleEl(text(d.Title+" - cxdeck report")),
		h.StyleEl(g.Raw(style)),
	)
}

func (d *Document) header() g.Node {
	return h.Header(
		h.H1(text(d.Title)),
		h.P(g.Textf("%s to %s, %s. ", d.clock(d.From), d.clock(d.To), duration(d.From, d.To)),
			mutedSpan(g.Text("Times are host times, in the zone of the machine that made the report."))),
		g.If(d.Session.Note != "", h.P(text(d.Session.Note))),
		h.Nav(h.Aria("label", "Sections"), link("findings", "Findings"), link("charts", "Charts"),
			g.If(d.ComparedPeriods != "", link("moved", "Changed counters")),
			link("changes", "Changes"), link("events", "Events"), link("host", "Host"), link("registry", "Registry")),
	)
}

func link(section, name string) g.Node { return h.A(h.Href("#"+section), g.Text(name)) }

func (d *Document) sections() g.Node {
	return h.Main(
		section("findings", "Findings", d.findings()),
		section("charts", "Charts", d.figures()),
		g.If(d.ComparedPeriods != "", section("moved", "Changed counters", h.P(text(d.ComparedPeriods)), d.changedTable())),
		section("changes", "Changes", d.changesTable(), d.notesTable()),
		section("events", "Events", d.eventsTable()),
		section("host", "Host", fields(d.Host), d.assumed(), g.Map(d.Devices, deviceSection), d.virtual()),
		section("registry", "Registry", d.keysTable()),
	)
}

func section(id, title string, nodes ...g.Node) g.Node {
	return g.Group{h.H2(h.ID(id), g.Text(title)), g.Group(nodes)}
}

func (d *Document) footer() g.Node {
	return h.Footer(h.P(h.Class("quiet"),
		g.Textf("Session %d, %s of %s, recorded by cxdeck ", d.Session.ID, wording.Count(int(d.Session.Samples), "sample"),
			wording.Count(d.Session.Series, "counter")),
		text(d.Session.Version), g.Text(" from "), text(d.Session.Source.Name),
		g.Text(". Made by cxdeck "), text(d.Version), g.Textf(" on %s.", d.clock(d.Created))))
}

// assumed lists what a twin does not have from its host.
func (d *Document) assumed() g.Node {
	return g.If(len(d.Assumed) > 0, h.Details(h.Summary(g.Text("Assumed")),
		h.Ul(g.Map(d.Assumed, func(fact string) g.Node { return h.Li(text(fact)) }))))
}

func (d *Document) findings() g.Node {
	if len(d.Findings) == 0 {
		return h.P(g.Text("Nothing stands out."))
	}
	return h.Ul(h.Class("findings"), g.Map(d.Findings, func(f Finding) g.Node {
		return h.Li(h.Class(f.Severity.String()), h.Span(h.Class("word"), g.Text(f.Severity.String())), g.Text(" "), text(f.Text))
	}))
}

// column is a column of a table; a column of numbers is right-aligned.
type column struct {
	name   string
	number bool
}

func columns(names ...string) (list []column) {
	for _, name := range names {
		list = append(list, column{name: name})
	}
	return list
}

// table returns a table that scrolls sideways on a narrow screen.
func table(label, caption string, columns []column, rows ...g.Node) g.Node {
	return h.Div(h.Class("scroll"), h.TabIndex("0"), h.Role("region"), h.Aria("label", label), h.Table(
		h.Caption(g.Text(caption)),
		h.THead(h.Tr(g.Map(columns, func(c column) g.Node {
			return h.Th(g.Attr("scope", "col"), g.If(c.number, h.Class("number")), g.Text(c.name))
		}))),
		h.TBody(rows...),
	))
}

func number(s string) g.Node { return h.Td(h.Class("number"), text(s)) }

func (d *Document) timeCell(at time.Time) g.Node {
	return h.Td(h.Class("time"), g.Text(d.clock(at)))
}

// codeHead returns the cell that names a row.
func codeHead(s string) g.Node { return h.Th(g.Attr("scope", "row"), h.Code(text(s))) }

func (d *Document) changedTable() g.Node {
	if len(d.ChangedCounters) == 0 {
		return nil
	}
	return table("Counters that changed", "Counters that changed by more than their noise; deviations are standard deviations of the values before",
		[]column{{"Counter", false}, {"Before", true}, {"After", true}, {"Change", true}, {"Percent", true}, {"Deviations", true}},
		g.Map(d.ChangedCounters, func(m ChangedCounter) g.Node {
			return h.Tr(codeHead(m.Counter), number(m.Before), number(m.After), number(m.Change), number(m.Percent), number(m.Deviations))
		}))
}

func (d *Document) changesTable() g.Node {
	if len(d.Changes) == 0 {
		return h.P(g.Text("Nothing was changed."))
	}
	return table("Changes", "What was changed in this time", columns("Time", "Change", "By", "Outcome"),
		g.Map(d.Changes, func(e driver.Entry) g.Node {
			return h.Tr(d.timeCell(e.Time), h.Td(text(e.Plan.Title)), h.Td(text(e.By)), h.Td(text(changeResult(e))))
		}))
}

func (d *Document) notesTable() g.Node {
	if len(d.Marks) == 0 {
		return nil
	}
	rows := make([]g.Node, len(d.Marks))
	for i := range d.Marks {
		m := &d.Marks[i]
		rows[i] = h.Tr(d.timeCell(m.From), d.timeCell(m.To), h.Td(text(m.Text)))
	}
	return g.Group{h.H3(g.Text("Notes")), table("Notes", "Notes of operators", columns("From", "To", "Note"), rows...)}
}

func (d *Document) eventsTable() g.Node {
	if len(d.Events) == 0 {
		return h.P(g.Text("There were none."))
	}
	return g.Group{
		g.If(d.HiddenEvents > 0, h.P(g.Textf("The newest %d; %d older ones are left out.", len(d.Events), d.HiddenEvents))),
		table("Events", "Events of the adapters and of thresholds", columns("Time", "Severity", "ID", "Source", "Adapter", "Message"),
			g.Map(d.Events, func(e eventlog.Event) g.Node {
				id := ""
				if e.ID != 0 {
					id = strconv.Itoa(e.ID)
				}
				return h.Tr(h.Class(e.Severity.String()), d.timeCell(e.Time), h.Td(h.Class("word"), g.Text(e.Severity.String())),
					h.Td(g.Text(id)), h.Td(text(e.Source)), h.Td(text(e.Adapter)), h.Td(text(e.Message)))
			})),
	}
}

func (d *Document) keysTable() g.Node {
	switch {
	case d.HostProblem != "":
		return h.P(text(d.HostProblem))
	case len(d.Keys) == 0:
		return h.P(g.Text("All keys have the values of a fresh installation."))
	}
	return table("Registry keys", "Keys whose stored value differs from a fresh installation, or is not used as stored",
		columns("Connection", "Key", "Stored", "In effect", "Default", "Remark"),
		g.Map(d.Keys, func(k Key) g.Node {
			return h.Tr(h.Td(text(k.Connection)), codeHead(k.Name), h.Td(text(k.Stored)), h.Td(text(k.Effective)),
				h.Td(text(k.Default)), h.Td(text(k.Why)))
		}))
}

func fields(list []perf.Field) g.Node {
	return h.Dl(g.Map(list, func(f perf.Field) g.Node {
		return g.Group{h.Dt(text(f.Label)), h.Dd(text(f.Value))}
	}))
}

func deviceSection(device Device) g.Node {
	detail := device.Detail
	for _, more := range []string{device.State, device.Speed} {
		if more != "" {
			detail += " - " + more
		}
	}
	return h.Section(h.Style(fmt.Sprintf("margin-left: %.1frem", 1.2*float64(device.Depth))),
		h.H3(text(device.Name), g.Text(" "), mutedSpan(text(detail))),
		g.If(len(device.Fields) > 0, fields(device.Fields)))
}

func (d *Document) virtual() g.Node {
	var nodes g.Group
	if len(d.Switches) > 0 {
		nodes = append(nodes, h.H3(g.Text("Virtual switches")), h.Ul(g.Map(d.Switches, func(s Switch) g.Node {
			return h.Li(text(s.Name), g.Text(" on "), text(s.Connection), g.Text(", "), text(s.Kind))
		})))
	}
	if len(d.Machines) > 0 {
		nodes = append(nodes, h.H3(g.Text("Virtual machines")), h.Ul(g.Map(d.Machines, func(m Machine) g.Node {
			return h.Li(text(m.Name), g.Text(", "), text(m.State), g.Text(": "), text(m.Adapters))
		})))
	}
	return nodes
}

func duration(from, to time.Time) string { return to.Sub(from).Round(time.Second).String() }

// changeResult returns the result of a change: "applied", or why it failed.
func changeResult(e driver.Entry) string {
	switch {
	case e.Unread != "":
		return "can't be read: " + e.Unread
	case e.Err != "":
		return "failed: " + e.Err
	}
	return "applied"
}
