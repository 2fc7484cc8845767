package teaming

import (
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver/teams"
	"cxdeck/ui/widget/wizard"
)

// fillVLAN sets the fields of a VLAN to its current values.
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

// readVLAN returns the VLAN that the answers describe.
func readVLAN(values wizard.Values) (name string, id, priority int) {
	id, _ = values.Number(fieldID)
	priority, _ = values.Number(fieldPriority)
	name = values.Text(fieldVLAN)
	if name == "" {
		name = "VLAN" + strconv.Itoa(id)
	}
	return name, id, priority
}

// checkRows reports VLANs of a list that conflict with each other.
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
