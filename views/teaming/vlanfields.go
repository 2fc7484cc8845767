package teaming

import (
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver/teams"
	"cxdeck/ui/widget/wizard"
)

// fillVLAN has the fields for a VLAN hold what it is now.
func fillVLAN(f *wizard.Field, is *teams.VLANView) {
	switch f.ID {
	case fieldID:
		f.Initial.Text = strconv.Itoa(is.ID)
	case fieldVLAN:
		f.Initial.Text = is.Name
	case fieldPriority:
		f.Initial.Text = strconv.Itoa(is.Priority)
	}
}

// readVLAN reads the answers of the fields for a VLAN.
func readVLAN(values wizard.Values) (name string, id, priority int) {
	id, _ = values.Number(fieldID)
	priority, _ = values.Number(fieldPriority)
	name = values.Text(fieldVLAN)
	if name == "" {
		name = "VLAN" + strconv.Itoa(id)
	}
	return name, id, priority
}

// checkRows finds VLANs of a list that can't be beside each other.
func checkRows(rows []wizard.Values) (list []wizard.Message) {
	ids, names := map[int]bool{}, map[string]bool{}
	for i, row := range rows {
		name, id, _ := readVLAN(row)
		if ids[id] {
			list = append(list, wizard.Message{Field: fieldVLANs, Row: i + 1,
				Text: fmt.Sprintf("the id %d is used twice", id)})
		}
		if names[strings.ToLower(name)] {
			list = append(list, wizard.Message{Field: fieldVLANs, Row: i + 1, Text: "the name " + name +
				" is used twice"})
		}
		ids[id], names[strings.ToLower(name)] = true, true
	}
	return list
}
