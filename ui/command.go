package ui

import (
	"context"
	"time"

	"cxdeck/ui/widget"
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

// The messages with requests of views to the shell.
type (
	openMsg  struct{ dialog Dialog }
	toastMsg struct {
		severity Severity
		text     string
	}
	goMsg struct {
		viewID string
		arg    any
	}
	backgroundMsg struct {
		name string
		work func(ctx context.Context) Msg
	}
	logMsg   struct{ entry LogEntry }
	batchMsg []Cmd
	afterMsg struct {
		wait time.Duration
		msg  Msg
	}
	quitMsg struct{}
)

// OpenDialog asks the shell to open a dialog on top.
func OpenDialog(dialog Dialog) Cmd { return emit(openMsg{dialog}) }

// Toast asks the shell to show a line for a few seconds; failures stay until a key is pressed.
func Toast(severity Severity, text string) Cmd {
	return emit(toastMsg{severity, widget.CutQuoted(text)})
}

// Go asks the shell to bring a view to the front; the view receives arg in a ShowMsg.
func Go(viewID string, arg any) Cmd { return emit(goMsg{viewID, arg}) }

// Confirm asks a question first; then runs then. The question names the object.
func Confirm(question, yes string, then func() Cmd) Cmd {
	return OpenDialog(newConfirm(question, yes, then))
}

// Ask is Confirm for actions that interrupt and remove nothing: the default answer is yes.
func Ask(title, question, yes string, then func() Cmd) Cmd {
	return OpenDialog(newAsk(title, question, yes, then))
}

// Prompt asks for a line of text; check returns the error in it, "" for none, while it is typed.
func Prompt(title, label, initial string, check func(string) string, then func(string) Cmd) Cmd {
	return OpenDialog(newPrompt(title, label, initial, check, then))
}

// PromptRefused is Prompt for a typed text that could not be used: it shows the reason, and the text can be corrected.
func PromptRefused(title, label, typed, why string, check func(string) string, then func(string) Cmd) Cmd {
	return OpenDialog(newPrompt(title, label, typed, check, then).refuse(sentence(why)))
}

// PromptWork is Prompt for a text that only the work itself can check, such as a path: work runs in the background under a name.
// When it fails the prompt returns with the typed text and the error.
func PromptWork(title, label, initial string, check func(string) string, name string, work func(ctx context.Context, text string) (Msg, error)) Cmd {
	var run func(text string) Cmd
	run = func(text string) Cmd {
		return Background(name, func(ctx context.Context) Msg {
			msg, err := work(ctx, text)
			if err != nil {
				return OpenDialog(newPrompt(title, label, text, check, run).refuse(sentence(err.Error())))()
			}
			return msg
		})
	}
	return OpenDialog(newPrompt(title, label, initial, check, run))
}

// Background runs work outside the terminal loop and sends what it returns. A panic in it is reported, restores the
// terminal and leaves a report file, like any other. name is for the action log and the report. The context ends when
// the shell does.
func Background(name string, work func(ctx context.Context) Msg) Cmd {
	return emit(backgroundMsg{name, work})
}

// Log adds a line to the action log (!): an action of cxdeck, with the equivalent commands, if there are any.
func Log(at time.Time, what string, commands []string) Cmd {
	return emit(logMsg{LogEntry{At: at, What: what, Commands: commands}})
}

// Batch runs several commands, in their order.
func Batch(cmds ...Cmd) Cmd { return emit(batchMsg(cmds)) }

// After sends msg once, after d.
func After(d time.Duration, msg Msg) Cmd { return emit(afterMsg{d, msg}) }

// Quit ends the console without asking.
func Quit() Cmd { return emit(quitMsg{}) }

// emit returns a command that sends msg.
func emit(msg Msg) Cmd { return func() Msg { return msg } }
