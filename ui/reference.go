package ui

import "slices"

// ReferenceRow is a row of the documentation's list of actions.
type ReferenceRow struct {
	// Screen is the title of the screen that it belongs to, empty for an action that works everywhere.
	Screen    string
	ID        string
	Keys      []string
	Name      string
	Help      string
	Changes   bool
	Dangerous bool
}

// Reference lists all actions: the screens' actions in the order of the screens, then the shell's own. It is the source of the
// documentation, and tests check it for duplicate keys.
func (s *Shell) Reference() []ReferenceRow {
	var rows []ReferenceRow
	for _, view := range s.views {
		rows = append(rows, referenceRows(view.Title(), view.Actions())...)
	}
	return append(rows, referenceRows("", s.commonActions())...)
}

func referenceRows(screen string, actions []Action) []ReferenceRow {
	rows := make([]ReferenceRow, len(actions))
	for i, a := range actions {
		rows[i] = ReferenceRow{Screen: screen, ID: a.ID, Keys: slices.Clone(a.Keys), Name: a.Name,
			Help: a.description(), Changes: a.Changes, Dangerous: a.Dangerous || a.AsksFirst}
	}
	return rows
}
