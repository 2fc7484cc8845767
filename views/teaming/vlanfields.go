package teaming

import (
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/ui/widget"
)

// vlanFields ask for a VLAN; is is how it is now.
func vlanFields(is teams.VLANView) []widget.WizardField {
	id := ""
	if is.ID > 0 {
		id = strconv.Itoa(is.ID)
	}
	return []widget.WizardField{
		{ID: fieldID, Kind: widget.WizardNumber, Low: mux.LeastID, High: mux.MostID, Required: true,
			Initial: widget.WizardValue{Text: id}},
		{ID: fieldVLAN, Kind: widget.WizardText, Limit: longestName, Hint: "VLAN and its id when empty",
			Initial: widget.WizardValue{Text: is.Name}},
		{ID: fieldPriority, Kind: widget.WizardNumber, Low: 0, High: mux.MostPriority, Required: true,
			Initial: widget.WizardValue{Text: strconv.Itoa(is.Priority)}},
	}
}

// readVLAN reads the answers of vlanFields.
func readVLAN(values widget.WizardValues) (name string, id, priority int) {
	id, _ = values.Number(fieldID)
	priority, _ = values.Number(fieldPriority)
	name = values.Text(fieldVLAN)
	if name == "" {
		name = "VLAN" + strconv.Itoa(id)
	}
	return name, id, priority
}

// checkRows finds VLANs of a list that can't be beside each other.
func checkRows(rows []widget.WizardValues) (list []widget.WizardMessage) {
	ids, names := map[int]bool{}, map[string]bool{}
	for i, row := range rows {
		name, id, _ := readVLAN(row)
		if ids[id] {
			list = append(list, widget.WizardMessage{Field: fieldVLANs, Row: i + 1,
				Text: fmt.Sprintf("the id %d is used twice", id)})
		}
		if names[strings.ToLower(name)] {
			list = append(list, widget.WizardMessage{Field: fieldVLANs, Row: i + 1, Text: "the name " + name +
				" is there twice"})
		}
		ids[id], names[strings.ToLower(name)] = true, true
	}
	return list
}
