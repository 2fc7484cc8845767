// Package ui is the shell around the screens: the root model, the key map, help, the palette, dialogs, toasts, the
// status line and the way to the terminal. It knows no adapter and no counter. Bubble Tea, Lip Gloss and Bubbles are
// imported by ui, ui/widget and themes alone.
package ui
