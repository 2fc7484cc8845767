package exec

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/views/exec/shell"
	"cxdeck/views/exec/syntax"
)

// View returns the current state of the host.
func (c *Call) View() (view *driver.View, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		view = h.View()
		return nil
	})
	return view, err
}

// OnView turns a function that reads the host's state into a command. The state is from the start of the command.
func OnView(run func(c *Call, view *driver.View) (Answer, error)) func(*Call) (Answer, error) {
	return func(c *Call) (Answer, error) {
		view, err := c.View()
		if err != nil {
			return Answer{}, err
		}
		return run(c, view)
	}
}

// FindAdapter finds a card or a connection by its name, in any case. It returns the index of the card, and the index of the
// port on it, which is -1 when name is the card's.
func FindAdapter(view *driver.View, name string) (adapter, port int, err error) {
	var names []string
	for i := range view.Adapters {
		for j, p := range view.Adapters[i].Ports {
			if strings.EqualFold(p.Description.Connection, name) {
				return i, j, nil
			}
			names = append(names, p.Description.Connection)
		}
	}
	for i, a := range view.Adapters {
		if strings.EqualFold(a.Description.Name, name) {
			return i, -1, nil
		}
		names = append(names, a.Description.Name)
	}
	if virtual, ok := VirtualAdapter(view, name); ok {
		return 0, 0, fmt.Errorf("%s; name a port", virtual.describe())
	}
	return 0, 0, request.Errorf("there is no adapter %q%s", name, Suggest(name, names, "adapter list prints the names"))
}

// Connection finds a connection by its name, in any case, and returns the name with the host's spelling.
func Connection(view *driver.View, name string) (string, error) {
	adapter, port, err := FindAdapter(view, name)
	if err != nil {
		return "", err
	}
	a := &view.Adapters[adapter]
	if port < 0 {
		var names []string
		for _, p := range a.Ports {
			names = append(names, syntax.Quote(p.Description.Connection))
		}
		return "", fmt.Errorf("%s is a card; name one of its connections: %s", a.Description.Name, strings.Join(names, ", "))
	}
	return a.Ports[port].Description.Connection, nil
}

// TextTable writes rows of text in aligned columns, or as objects to a pipe.
type TextTable struct {
	*tabwriter.Writer
	pipe *rowTable
	// printed is the number of columns that are printed; the others only go to a pipe. 0 prints all.
	printed int
}

// NewTextTable starts a table; without headings it has no heading row.
func NewTextTable(w io.Writer, headings ...string) TextTable {
	t := TextTable{Writer: tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.StripEscape)}
	if rows, ok := w.(*rowWriter); ok {
		t.pipe = &rowTable{rows: rows, layout: &shell.Layout{}}
	}
	if len(headings) > 0 {
		t.Row(headings...)
	}
	return t
}

// NewWideTable starts a table of which only the first columns are printed: the objects in a pipe have the others too, as properties that
// Windows prints only in a list.
func NewWideTable(w io.Writer, printed int, headings ...string) TextTable {
	t := NewTextTable(w)
	if t.printed = printed; t.pipe != nil {
		t.pipe.layout.Names = headings[:printed]
	}
	t.Row(headings...)
	return t
}

// Row writes a row without its trailing empty cells and without the middle of very long ones. Flush returns write errors.
func (t TextTable) Row(cells ...string) {
	if t.pipe != nil {
		t.pipe.row(cells)
		return
	}
	if t.printed > 0 {
		cells = cells[:min(t.printed, len(cells))]
	}
	for len(cells) > 0 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	for i, cell := range cells {
		cells[i] = cutMiddle(Clean(cell), maxCell)
	}
	fmt.Fprintln(t, strings.Join(cells, "\t")) //nolint:errcheck // Flush returns it
}
