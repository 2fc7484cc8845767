package ui

import (
	"context"
	"time"
)

// Severity colours a toast.
type Severity uint8

// The severities of a toast.
const (
	Note Severity = iota
	Success
	Caution
	Failure
)

// OpenDialog asks the shell to open a dialog on top.
func OpenDialog(dialog Dialog) Cmd { return nil }

// Toast asks the shell to show a line for a few seconds; failures stay until a key is pressed.
func Toast(severity Severity, text string) Cmd { return nil }

// Go asks the shell to bring a view to the front; arg comes to it in a ShowMsg.
func Go(viewID string, arg any) Cmd { return nil }

// Confirm asks a question first; then runs then. The question names the object.
func Confirm(question, yes string, then func() Cmd) Cmd { return nil }

// Prompt asks for a line of text; check says what is wrong with it ("" for nothing) while it is typed.
func Prompt(title, label, initial string, check func(string) string, then func(string) Cmd) Cmd {
	return nil
}

// Background runs work beside the terminal loop and sends what it returns. A panic in it is reported, restores the
// terminal and leaves a report file, like any other. name is for the action log and the report.
func Background(name string, work func(ctx context.Context) Msg) Cmd { return nil }

// Log adds a line to the action log (!): what cxdeck did, as an operator would type it where there is such a form.
func Log(at time.Time, what string, commands []string) Cmd { return nil }

// Batch runs several commands.
func Batch(cmds ...Cmd) Cmd { return nil }

// After sends msg once, after d.
func After(d time.Duration, msg Msg) Cmd { return nil }
