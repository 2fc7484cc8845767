package exec

import (
	"fmt"
	"io"
	"strings"

	"cxdeck/driver"
)

// virtualRow is an adapter that Windows shows besides those of ports, as JSON.
type virtualRow struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`
	On     []string `json:"on"`
	Device string   `json:"device"`
	GUID   string   `json:"guid"`
	Up     bool     `json:"up"`
	Why    string   `json:"why,omitempty"`
}

// The kinds of virtual adapters.
const (
	teamAdapter      = "team"
	vlanAdapter      = "vlan"
	partitionAdapter = "ipoib"
)

// virtualAdapters are those of teams, of VLANs, and virtual ports of IPoIB.
func virtualAdapters(view *driver.View) (rows []virtualRow) {
	vlans := func(list []driver.VLANView, on string) {
		for _, v := range list {
			rows = append(rows, virtualRow{v.Name, vlanAdapter, []string{on}, v.Miniport, v.GUID, v.Why == "", v.Why})
		}
	}
	for _, t := range view.Teams {
		members := []string{}
		for _, m := range t.Members {
			members = append(members, m.Connection)
		}
		rows = append(rows, virtualRow{t.Name, teamAdapter, members, t.Miniport, t.GUID, t.Connected, t.Why})
		vlans(t.VLANs, t.Name)
	}
	for _, a := range view.Adapters {
		for _, p := range a.Ports {
			vlans(p.VLANs, p.Description.Connection)
		}
	}
	for _, p := range view.Partitions {
		rows = append(rows, virtualRow{p.Connection, partitionAdapter, []string{p.On}, p.Device, p.GUID, p.Up, p.Why})
	}
	return rows
}

// virtualAdapter is the one of a name.
func virtualAdapter(view *driver.View, name string) (row virtualRow, ok bool) {
	for _, row := range virtualAdapters(view) {
		if strings.EqualFold(row.Name, name) {
			return row, true
		}
	}
	return row, false
}

// linkWord is whether it has a link.
func (r *virtualRow) linkWord() string {
	if r.Up {
		return "up"
	}
	return "down"
}

// known says what a virtual adapter is, to whoever takes it for a port.
func (r *virtualRow) known() string {
	kinds := map[string]string{teamAdapter: "a team of %s", vlanAdapter: "a VLAN of %s",
		partitionAdapter: "a virtual IPoIB port of %s"}
	on := strings.Join(r.On, ", ")
	if on == "" {
		on = "no port"
	}
	return fmt.Sprintf("%s is "+kinds[r.Kind], r.Name, on)
}

func virtualShow(row virtualRow) answer {
	return answer{
		result: struct {
			Virtual virtualRow `json:"virtual"`
		}{row},
		text: func(w io.Writer) error {
			t := newTable(w)
			t.row("Adapter", row.Name)
			t.row("Device", row.Device)
			t.row("Link", row.linkWord())
			t.row("On", orDash(strings.Join(row.On, ", ")))
			t.row("Interface", row.GUID)
			if row.Why != "" {
				t.row("Why", row.Why)
			}
			return t.Flush()
		},
	}
}
