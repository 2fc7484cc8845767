package ui

import (
	"cxdeck/ui/widget"
)

// Dialog is a modal window. It receives every key while it is open, and never accesses the application: its decisions are Cmds.
type Dialog interface {
	Title() string
	// Size returns the preferred size of its inside, given the available size.
	Size(width, height int) (int, int)
	// Update handles KeyMsg, PasteMsg, HitMsg and its own messages; done closes it. The shell closes it on esc, unless it is an
	// Escaper that handles esc itself.
	Update(msg Msg) (done bool, cmd Cmd)
	Draw(area widget.Area)
	// Hints returns its keys, for the status line.
	Hints() []Hint
}

// Escaper is a Dialog with inner states: Escape reports whether the dialog handled esc itself.
type Escaper interface{ Escape() bool }

// Keyed is a Dialog that declares its keys as a screen does: dispatch, the status line and the table of letters use one list.
// Perform runs one of them.
type Keyed interface{ Actions() []Action }

// Perform runs the action of a key, or shows why it is not possible; known is false when no action has the key.
func Perform(actions []Action, key string, readOnly bool) (cmd Cmd, known bool) {
	action, known := findAction(actions, key)
	switch why := action.refusal(readOnly); {
	case !known || action.Run == nil:
		return nil, known
	case why != "":
		return Toast(Caution, why), true
	}
	return action.Run(), true
}

// Hints returns the keys of a dialog for the status line: declared actions that are neither hidden nor disabled.
func Hints(actions []Action) []Hint {
	var hints []Hint
	for _, action := range actions {
		if !action.Hidden && action.Disabled == "" && len(action.Keys) > 0 {
			hints = append(hints, Hint{action.Keys[0], action.Name})
		}
	}
	return hints
}

// Opener is a Dialog with work after it has opened.
type Opener interface{ Opened() Cmd }

// Closer is a Dialog with work after it has closed: by done, by esc, or at the end of the console.
type Closer interface{ Closed() Cmd }

// Hint is a key and its effect, for the status line.
type Hint struct{ Key, Name string }
