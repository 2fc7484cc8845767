package ui

import "slices"

// Action is one thing that can be done, declared once: from it come dispatch, the status line, the palette, help, the
// docs, and the reason why it is not possible just now.
type Action struct {
	// ID is stable, for tests and docs: "counters.freeze".
	ID string
	// Keys are Bubble Tea key names, the first is the one that is shown: "f", "ctrl+r", "shift+tab".
	Keys []string
	// Was are keys that it had in an earlier version: where no action has them now, they say which key does it.
	Was []string
	// Name is a short verb phrase for the status line: "freeze".
	Name string
	// Help is a full phrase for help and palette: "Hold the picture still; sampling continues".
	Help string
	// Object names what it would act on now, for confirmations: "Ethernet 7".
	Object string
	// Dangerous asks for confirmation first; Question is the sentence of that dialog, and names the object.
	Dangerous bool
	Question  string
	// AsksFirst reports that Run asks by itself where it would interrupt or remove something.
	AsksFirst bool
	// Changes reports that it changes the host, or what is kept on disk: refused in read-only mode.
	Changes bool
	// Disabled is the reason why it is not possible just now, empty when it is.
	Disabled string
	// Hidden keeps it out of the status line (arrow keys and such); help shows it anyway.
	Hidden bool
	// Run does it. It runs in the terminal loop.
	Run func() Cmd
}

// movedAction returns the first action that had a key in an earlier version, and has another one now.
func movedAction(actions []Action, key string) (Action, bool) {
	for _, action := range actions {
		if slices.Contains(action.Was, key) && len(action.Keys) > 0 {
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
