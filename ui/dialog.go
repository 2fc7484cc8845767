package ui

import (
	"cxdeck/ui/widget"
)

// Dialog is a modal window. It gets every key while it is open, and never touches the application: what it decides
// goes out as a Cmd.
type Dialog interface {
	Title() string
	// Size is the size it would like for its inside, given the room there is.
	Size(width, height int) (int, int)
	// Update takes KeyMsg, PasteMsg, HitMsg and its own messages; done closes it. The shell closes it on esc itself
	// unless the dialog is a Typist-like editor that wants esc first (Escaper).
	Update(msg Msg) (done bool, cmd Cmd)
	Draw(area widget.Area)
	// Hints are its keys, for the status line.
	Hints() []Hint
}

// Escaper is a Dialog with inner states: Escape reports whether it used the key up itself.
type Escaper interface{ Escape() bool }

// Keyed is a Dialog that declares its keys as a screen does: dispatch, the status line and the table of letters are made
// from one list. Perform does what one of them does.
type Keyed interface{ Actions() []Action }

// Perform does the action that a key belongs to, or says why it is not possible; known is false when it belongs to none.
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

// Opener is a Dialog that has something to do when it has opened.
type Opener interface{ Opened() Cmd }

// Closer is a Dialog that must do something when it has closed: by done, by esc, or at the end of the console.
type Closer interface{ Closed() Cmd }

// Hint is a key and its effect, for the status line.
type Hint struct{ Key, Name string }
