// Package ui implements the shell around the screens: the root model, the key map, help, the palette, dialogs, toasts, the
// status line and the way to the terminal. It knows no adapter and no counter. Bubble Tea, Lip Gloss and Bubbles are
// imported only by ui, ui/widget and themes.
//
// The contract with the screens is in view.go, action.go, dialog.go and command.go. The Shell (shell.go) is plain state
// with one entrance, Send: it takes a message and does at once all that follows from it. Actions pass through one function,
// perform (dispatch.go), whatever asked for them, and only there are they refused or a question asked first.
//
// Run (run.go) puts the shell on a terminal. Bubble Tea reads the keys, runs what takes time and gives the loop one message
// at a time. Frames are drawn on a canvas and written by a goroutine of their own (screen.go), which puts only the cells
// on the terminal that have changed (diff.go); while it is writing the loop continues and composes nothing.
package ui
