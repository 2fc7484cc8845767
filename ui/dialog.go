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

// Escaper is a Dialog with inner states: Escape says whether it used the key up itself.
type Escaper interface{ Escape() bool }

// Opener is a Dialog that has something to do when it has opened.
type Opener interface{ Opened() Cmd }

// Closer is a Dialog that has something to do when it has closed, whatever closed it: done, esc, or the end of the console.
type Closer interface{ Closed() Cmd }

// Hint is a key and what it does, for the status line.
type Hint struct{ Key, Name string }
