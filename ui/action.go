package ui

import "slices"

// Action is one thing that the operator can do. It is declared once, for dispatch, the status line, the palette, help, the
// docs, and the reason why it is not possible now.
type Action struct {
	// ID is stable, for tests and docs: "counters.freeze".
	ID string
	// Keys are Bubble Tea key names: "f", "ctrl+r", "shift+tab". The first one is shown.
	Keys []string
	// FormerKeys are its keys in earlier versions: if no other action has them now, pressing one names the new key.
	FormerKeys []string
	// Name is a short verb phrase for the status line: "freeze".
	Name string
	// Help is a full phrase for help and the palette: "Pause the graph; sampling continues".
	Help string
	// Object names the object that it would act on now, for confirmations: "Ethernet 7".
	Object string
	// Dangerous asks for confirmation first; Question is the sentence of that dialog, and names the object.
	Dangerous bool
	Question  string
	// AsksFirst reports that Run itself asks before it interrupts or removes something.
	AsksFirst bool
	// Changes reports that it changes the host or files on disk: it is rejected in read-only mode.
	Changes bool
	// Disabled is the reason why it is not possible now; empty when it is.
	Disabled string
	// Hidden keeps it out of the status line (arrow keys, for example); help shows it.
	Hidden bool
	// Run performs the action, in the terminal loop.
	Run func() Cmd
}

// movedAction returns the first action that had a key in an earlier version, and has another key now.
func movedAction(actions []Action, key string) (Action, bool) {
	for _, action := range actions {
		if slices.Contains(action.FormerKeys, key) && len(action.Keys) > 0 {
			return action, true
		}
	}
	return Action{}, false
}

// findAction returns the first action that a key belongs to.
func findAction(actions []Action, key string) (Action, bool) {
	for _, action := range actions {
		if slices.Contains(action.Keys, key) {
			return action, true
		}
	}
	return Action{}, false
}
