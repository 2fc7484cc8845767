package exec

import (
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/teams"
)

// VirtualRow is an adapter of a team, a VLAN or a virtual IPoIB port, as JSON.
type VirtualRow struct {
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

// VirtualAdapters returns the adapters of teams and of VLANs, and virtual IPoIB ports.
func VirtualAdapters(view *driver.View) (rows []VirtualRow) {
	vlans := func(list []teams.VLANView, on string) {
		for _, v := range list {
			rows = append(rows, VirtualRow{v.Name, vlanAdapter, []string{on}, v.Miniport, v.GUID, v.Why == "", v.Why})
		}
	}
	for _, t := range view.Teams {
		members := []string{}
		for _, m := range t.Members {
			members = append(members, m.Connection)
		}
		rows = append(rows, VirtualRow{t.Name, teamAdapter, members, t.Miniport, t.GUID, t.Connected, t.Why})
		vlans(t.VLANs, t.Name)
	}
	for _, a := range view.Adapters {
		for _, p := range a.Ports {
			vlans(p.VLANs, p.Description.Connection)
		}
	}
	for _, p := range view.Partitions {
		rows = append(rows, VirtualRow{p.Connection, partitionAdapter, []string{p.On}, p.Device, p.GUID, p.Up, p.Why})
	}
	return rows
}

// VirtualAdapter finds a virtual adapter by its name, in any case.
func VirtualAdapter(view *driver.View, name string) (row VirtualRow, ok bool) {
	for _, row := range VirtualAdapters(view) {
		if strings.EqualFold(row.Name, name) {
			return row, true
		}
	}
	return row, false
}

// describe says what a virtual adapter is, for errors where a port is required: "Storage is a team of Ethernet 7".
func (r *VirtualRow) describe() string {
	kinds := map[string]string{teamAdapter: "a team of %s", vlanAdapter: "a VLAN of %s",
		partitionAdapter: "a virtual IPoIB port of %s"}
	on := strings.Join(r.On, ", ")
	if on == "" {
		on = "no port"
	}
	return fmt.Sprintf("%s is "+kinds[r.Kind], r.Name, on)
}
