package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"cxdeck/ui/widget"
)

// Msg is any message to a screen.
type Msg = tea.Msg

// Cmd is a request to the shell: open a dialog, show a toast, run something. The functions of command.go return one. The shell
// calls it in the terminal loop and handles its Msg, so that the next typed key goes to a dialog that the previous key opened.
// Slow or blocking work goes into Background, which runs outside the loop and survives a panic. Never access a view's state in
// that work.
type Cmd = tea.Cmd

// View is a screen. The shell owns it and calls it from the terminal loop only; it draws what it already has and
// never waits.
type View interface {
	// ID is a short stable word: "counters". It names the screen in --screen, in the palette and in the docs.
	ID() string
	// Title is shown in the tab bar.
	Title() string
	// Update takes a message: KeyMsg (keys that no action took), HitMsg, PasteMsg, ShowMsg and DataMsg while the view is
	// at the front, and its own at any time: a message that the shell doesn't know goes to every view and dialog. It
	// changes the view in place. ShowMsg is followed by a DataMsg.
	Update(msg Msg) Cmd
	// Draw draws the screen's body.
	Draw(area widget.Area)
	// Actions returns the actions that are possible now, in order of importance: help, palette, the status line and dispatch
	// use them.
	Actions() []Action
	// Help explains the screen in a few sentences.
	Help() string
}

// Typist is a View or Dialog that takes text: while Typing is true, plain keys go to it instead of the actions.
type Typist interface{ Typing() bool }

// Freezer is a View that can freeze its picture: while Frozen is true, new data draws no frame, not even the header's clock, and
// writes no byte to the terminal. Keys, toasts and dialogs still draw frames, and so does new data during a wait.
type Freezer interface{ Frozen() bool }

// DataMsg reports that there is a new sample, or that the monitor's status changed.
type DataMsg struct{}

// ShowMsg notifies a view that it is at the front. Arg is the argument of Go, nil from the tab bar.
type ShowMsg struct{ Arg any }

// KeyMsg is a key: "enter", "esc", "up", "ctrl+c", "a", "A", " " ("space"), "alt+x". Runes is the typed text, if any. Names are
// Bubble Tea's.
type KeyMsg struct {
	Name  string
	Runes []rune
}

// PasteMsg is text that the terminal pasted.
type PasteMsg struct{ Text string }

// HitMsg is a mouse event in a zone that the view drew.
type HitMsg struct {
	widget.Hit
	Button MouseButton
	// Double is true for the second press on the same cell within 400 ms.
	Double bool
}

// MouseButton is a button, or a kind of mouse event.
type MouseButton uint8

// Kinds of mouse events.
const (
	Press MouseButton = iota
	RightPress
	WheelUp
	WheelDown
	Drag
	Release
)

// WheelRows returns how many rows the wheel moves a list by: negative for up, 0 when it is another button.
func (b MouseButton) WheelRows() int {
	switch b {
	case WheelUp:
		return -3
	case WheelDown:
		return 3
	default:
		return 0
	}
}
