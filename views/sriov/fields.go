package sriov

import "cxdeck/ui/widget"

// toggle is a field that is on or off.
func toggle(id string, on bool) widget.WizardField {
	return widget.WizardField{ID: id, Kind: widget.WizardToggle, Initial: widget.WizardValue{On: on}}
}

// newName is a field for what something new is called.
func newName(id, initial string) widget.WizardField {
	return widget.WizardField{ID: id, Kind: widget.WizardText, Required: true, Limit: longestName,
		Initial: typed(initial)}
}

// typed is a text, or the id of what was chosen.
func typed(text string) widget.WizardValue { return widget.WizardValue{Text: text} }

// chosen are the ids of all that were chosen.
func chosen(ids []string) widget.WizardValue { return widget.WizardValue{IDs: ids} }
