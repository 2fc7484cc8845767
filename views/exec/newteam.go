package exec

import (
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
)

// NewTeam describes a team to create, with its members.
type NewTeam struct {
	Create  teams.Create
	Members []string
	// Primary is the primary member, and Address the member whose MAC address the team gets; each may be empty.
	Primary, Address string
}

// Plan returns the plan that creates the team and attaches its members.
func (n *NewTeam) Plan() driver.Plan {
	plan := driver.Plan{Title: "Create the team " + n.Create.Name, Operations: []driver.Operation{n.Create}}
	for _, member := range n.Members {
		plan.Operations = append(plan.Operations, teams.Attach{
			Team: n.Create.Name, Connection: member, Primary: member == n.Primary, SetMAC: member == n.Address,
		})
	}
	return plan
}

// FamilyOf returns the family of a connection's adapter, and whether the connection is an InfiniBand port.
func FamilyOf(view *driver.View, name string) (family description.Family, ipoib bool) {
	for _, a := range view.Adapters {
		for _, p := range a.Ports {
			if p.Description.Connection == name {
				return a.Description.Family, p.Description.Link == description.InfiniBand
			}
		}
	}
	return 0, false
}

// TeamTypesHelp lists the team types for a help page.
func TeamTypesHelp() string {
	var parts []string
	for _, row := range mux.Types() {
		parts = append(parts, row.Name+" ("+row.Title+")")
	}
	return "TYPE is one of " + strings.Join(parts, ", ") + ". IPoIB teams must be of type AFT."
}
