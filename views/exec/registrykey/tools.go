package registrykey

import (
	"fmt"
	"io"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/views/exec"
)

// ToolTarget is a connection that a tool of the vendor works on, with its keys.
type ToolTarget struct {
	Connection string
	Keys       []registry.Key
}

// otherTool returns the end of an error that names the tool for the keys of the other driver; it is empty for other tools.
func otherTool(tool string) string {
	return map[string]string{
		"mlxtool show regkeys": "; mlx5cmd -RegKeys shows its keys",
		"mlx5cmd -RegKeys":     "; mlxtool show regkeys shows its keys",
	}[tool]
}

// ToolTargets returns the connections of a family that a tool works on: the named one, or all if name is empty. With ethernet,
// InfiniBand ports are left out. It is an error if there is none.
func ToolTargets(c *exec.Call, family description.Family, tool, name string, ethernet bool) (list []ToolTarget, err error) {
	view, err := c.View()
	if err != nil {
		return nil, err
	}
	if name != "" {
		if name, err = exec.Connection(view, name); err != nil {
			return nil, err
		}
	}
	var refusal error
	for i := range view.Adapters {
		a := &view.Adapters[i]
		for _, p := range a.Ports {
			d := p.Description
			switch {
			case name != "" && d.Connection != name:
			case a.Description.Family != family:
				refusal = fmt.Errorf("%s does not support %s, whose driver is %s%s", tool, d.Connection, a.Driver, otherTool(tool))
			case ethernet && d.Link != description.Ethernet:
				refusal = fmt.Errorf("%s supports only Ethernet connections, and %s is InfiniBand", tool, d.Connection)
			default:
				list = append(list, ToolTarget{Connection: d.Connection})
			}
		}
	}
	if len(list) == 0 && refusal == nil {
		refusal = fmt.Errorf("the host has no adapter that %s supports", tool)
	}
	if len(list) == 0 {
		return nil, refusal
	}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		for i := range list {
			if list[i].Keys, err = h.Keys(list[i].Connection); err != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}

// toolRow is a key of a connection as JSON.
type toolRow struct {
	Connection string `json:"connection"`
	Row
}

// ToolTable selects the keys that a tool prints, and formats them. Columns begins with the column of the key's name.
type ToolTable struct {
	Columns []string
	Wanted  func(*registry.Key) bool
	Cells   func(*registry.Key) []string
}

// ToolAnswer lists the keys of connections in a table; none is the text without keys.
func ToolAnswer(c *exec.Call, list []ToolTarget, table ToolTable, none string) exec.Answer {
	rows := []toolRow{}
	for _, t := range list {
		for i := range t.Keys {
			if k := &t.Keys[i]; table.Wanted(k) {
				row := toolRow{t.Connection, RowOf(*k)}
				row.Choices, row.Path, row.Summary = nil, "", ""
				rows = append(rows, row)
			}
		}
	}
	return exec.Answer{
		Result: struct {
			Keys []toolRow `json:"keys"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, none)
				return err
			}
			out := exec.NewTextTable(w, append([]string{"CONNECTION"}, table.Columns...)...)
			for _, t := range list {
				for i := range t.Keys {
					if k := &t.Keys[i]; table.Wanted(k) {
						out.Row(append([]string{t.Connection, k.Row.Name}, table.Cells(k)...)...)
					}
				}
			}
			return out.Flush()
		},
	}
}
