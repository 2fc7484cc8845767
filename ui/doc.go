// Package ui implements the shell around the screens: the root model, the key map, help, the palette, dialogs, toasts, the
// status line and the way to the terminal. It does not depend on adapters or counters. Bubble Tea, Lip Gloss and Bubbles are
// imported only by ui, ui/widget and themes.
//
// The contract with the screens is in view.go, action.go, dialog.go and command.go. The Shell (shell.go) is plain state with
// one entry point, Send, which handles a message completely. All actions pass through one function, perform (dispatch.go),
// regardless of their origin, and only there are they rejected or confirmed.
//
// Run (run.go) puts the shell on a terminal. Bubble Tea reads the keys, runs slow work and passes one message at a time to the
// loop. Frames are drawn on a canvas and written by a separate goroutine (screen.go), which writes only changed cells to the
// terminal (diff.go); while it is writing, the loop continues without composing frames.
package ui
