package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"cxdeck/perf"
	"cxdeck/views/exec"
)

// Snapshot is a report of one moment: sections of fields, tables and outputs of commands, as text that is not escaped yet.
type Snapshot struct {
	Title, Version string
	Time           time.Time
	Sections       []Section
}

// Section is a part of a snapshot.
type Section struct {
	// ID is its name in links, Title its heading.
	ID, Title string
	Fields    []perf.Field
	Tables    []SnapshotTable
	Outputs   []Output
}

// SnapshotTable is a table with a heading.
type SnapshotTable struct {
	Title   string
	Columns []string
	Rows    [][]string
}

// Output is what a command printed.
type Output struct {
	Command string
	Lines   []string
}

// HTML writes the snapshot as one file, as the report of a session is written: without scripts and external resources.
func (s *Snapshot) HTML(w io.Writer) error {
	page := &Document{Title: s.Title}
	links := make([]g.Node, len(s.Sections))
	for i := range s.Sections {
		links[i] = link(s.Sections[i].ID, s.Sections[i].Title)
	}
	body := h.Body(
		h.Header(h.H1(text(s.Title)), h.P(g.Textf("Host time %s, UTC.", s.Time.UTC().Format(time.DateTime))), h.Nav(h.Aria("label", "Sections"), g.Group(links))),
		h.Main(g.Map(s.Sections, snapshotSection)),
		h.Footer(h.P(h.Class("quiet"), g.Text("Made by cxdeck "), text(s.Version), g.Text("."))),
	)
	return h.Doctype(h.HTML(h.Lang("en"), page.head(), body)).Render(w)
}

func snapshotSection(s Section) g.Node {
	nodes := []g.Node{g.If(len(s.Fields) > 0, fields(s.Fields))}
	for _, t := range s.Tables {
		rows := make([]g.Node, len(t.Rows))
		for i, cells := range t.Rows {
			rows[i] = h.Tr(g.Map(cells, func(cell string) g.Node { return h.Td(text(cell)) }))
		}
		nodes = append(nodes, table(t.Title, t.Title, columns(t.Columns...), rows...))
	}
	for _, o := range s.Outputs {
		nodes = append(nodes, h.H3(h.Code(text(o.Command))), h.Pre(h.Style("overflow-x:auto"), g.Text(exec.CleanLines(o.Lines))))
	}
	return section(s.ID, s.Title, nodes...)
}

// Text writes the snapshot as plain text.
func (s *Snapshot) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nHost time %s, UTC. Made by cxdeck %s.\n", exec.Clean(s.Title), s.Time.UTC().Format(time.DateTime), exec.Clean(s.Version))
	for i := range s.Sections {
		part := &s.Sections[i]
		fmt.Fprintf(&b, "\n%s\n%s\n", part.Title, strings.Repeat("=", len(part.Title)))
		for _, f := range part.Fields {
			fmt.Fprintf(&b, "%s: %s\n", exec.Clean(f.Label), exec.Clean(f.Value))
		}
		for _, t := range part.Tables {
			fmt.Fprintf(&b, "\n%s\n", t.Title)
			out := exec.NewTextTable(&b, t.Columns...)
			for _, row := range t.Rows {
				out.Row(row...)
			}
			if err := out.Flush(); err != nil {
				return err
			}
		}
		for _, o := range part.Outputs {
			fmt.Fprintf(&b, "\n> %s\n%s", exec.Clean(o.Command), exec.CleanLines(o.Lines))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
