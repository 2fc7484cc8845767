package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/guide"
	"cxdeck/driver/script"
	"cxdeck/driver/wording"
	"cxdeck/ui"
	"cxdeck/views/change"
	"cxdeck/views/cli/saving"
	"cxdeck/views/deck"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/complete"
	"cxdeck/views/exec/guides"
	"cxdeck/views/exec/hosts"
	"cxdeck/views/exec/shell"
	"cxdeck/views/exec/syntax"
	"cxdeck/views/registry"
	"cxdeck/views/train"
)

// line returns the action of a line typed after :, if it begins with a command of exec. The command runs on the host of the
// screens, with their journal and undo.
func (c *console) line(typed string) (ui.Action, bool) {
	words, err := catalog.Commands().Split(typed)
	if err != nil {
		words = strings.Fields(typed) // a quote may still be open
	}
	if len(words) == 0 {
		return ui.Action{}, false
	}
	if action, ok := c.shellLine(typed); ok {
		return action, true
	}
	command, ok := catalog.Commands().Find(words)
	if !ok {
		return ui.Action{}, false
	}
	if command.Name == "undo" && err == nil {
		if action, ok := c.undoLine(words[1:]); ok {
			return action, true
		}
	}
	if command.Name == "plan export" && c.deck.HasSettings() && len(words) == 3 && err == nil { // the draft of this machine
		return ui.Action{ID: "exec", Name: "run it", Help: "Write the new values of the settings as a plan, and a file that undoes it",
			Run: func() ui.Cmd { return c.adapters.Export(words[2]) }}, true
	}
	action := ui.Action{
		ID: "exec", Name: "run it", Help: command.Describe().Help, Object: command.Name, Changes: command.Changes,
		AsksFirst: command.Changes,
		Run:       func() ui.Cmd { return c.runLine(words) },
	}
	if command.Changes {
		action.Run = func() ui.Cmd {
			return c.askLine(exec.Effect{Interrupts: command.Interrupts, Asks: command.Asks}, words)
		}
	}
	switch {
	case err != nil:
		action.Disabled = err.Error()
	case c.deck.Exercise && train.RevealsFault(command.Name):
		action.Disabled = train.ErrTells.Error()
	case command.Changes:
		action.Disabled = c.deck.CannotChange()
	}
	return action, true
}

// shellLine returns the action of lines of PowerShell; ok is false for any other line.
func (c *console) shellLine(typed string) (action ui.Action, ok bool) {
	if !catalog.Commands().IsShell(typed) {
		return action, false
	}
	words := []string{exec.PowerShell, typed}
	runner := exec.Runner{Table: catalog.Commands(), Session: c.shellSession()}
	effect, err := runner.Examine(typed)
	action = ui.Action{
		ID: "exec", Name: "run it", Help: "run a line of PowerShell", Object: exec.PowerShell, Changes: effect.Changes, AsksFirst: effect.Changes,
		Run: func() ui.Cmd { return c.runLine(words) },
	}
	switch {
	case err != nil:
		action.Disabled = err.Error()
	case c.deck.Exercise && slices.ContainsFunc(effect.Commands, train.RevealsFault):
		action.Disabled = train.ErrTells.Error()
	case effect.Changes:
		action.Run, action.Disabled = func() ui.Cmd { return c.askLine(effect, words) }, c.deck.CannotChange()
	}
	return action, true
}

// lineOf returns words as they were typed.
func lineOf(words []string) string {
	if words[0] == exec.PowerShell && len(words) == 2 {
		return words[1]
	}
	return syntax.Join(words)
}

// shellSession returns the variables of the lines typed so far.
func (c *console) shellSession() *shell.Session {
	if c.variables == nil {
		c.variables = &shell.Session{}
	}
	return c.variables
}

// undoLine returns the action of undo [NUMBER], which shows the effect and asks, like the key. ok is false for other arguments.
func (c *console) undoLine(arguments []string) (ui.Action, bool) {
	action := ui.Action{ID: "exec", Name: "run it", Help: "undo a change", Object: "undo", Changes: true, AsksFirst: true,
		Disabled: c.deck.CannotChange(), Run: func() ui.Cmd { return change.Undo(c.deck) }}
	if len(arguments) == 0 {
		return action, true
	}
	sequence, err := strconv.ParseUint(arguments[0], 10, 64)
	action.Run = func() ui.Cmd { return change.UndoEntry(c.deck, sequence) }
	return action, err == nil && len(arguments) == 1
}

// Limits of the trial run of a line on a copy of the host. The first is for commands that may interrupt something, and only a very
// busy machine reaches it; the second for the others, some of which let time pass.
const (
	interruptingTrial = 10 * time.Second
	harmlessTrial     = 2 * time.Second
)

// askLine runs a line that changes the host. It tries the line on a copy of the host, and asks first if that interrupts
// something.
func (c *console) askLine(effect exec.Effect, words []string) ui.Cmd {
	monitor, drafts := c.deck.Monitor(), c.draftStore()
	limit := harmlessTrial
	if effect.Interrupts {
		limit = interruptingTrial
	}
	try := func(ctx context.Context, host *driver.Host) (driver.Plan, error) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		trial := hosts.NewTrial(monitor, host)
		runner := exec.Runner{
			Table: catalog.Commands(), Open: func(context.Context) (exec.Host, error) { return trial, nil },
			Drafts: exec.CopyDraftStore(ctx, drafts),
			Files:  trialFiles{}, LabText: c.labText, Out: io.Discard, Err: io.Discard,
			Ask: func(context.Context) string { return "y" }, Session: c.shellSession().Copy(),
		}
		runner.Run(ctx, words) // errors are reported when the line runs
		plan := driver.Plan{Title: lineOf(words), Operations: trial.Operations()}
		if effect.Interrupts && ctx.Err() != nil {
			return plan, fmt.Errorf("its trial run took longer than %v, so it is unknown what it interrupts", limit)
		}
		return plan, nil
	}
	return change.Before(c.deck, "Run", lineOf(words), effect.Asks, try, func() ui.Cmd { return c.runLine(words) })
}

// trialFiles reads files, but does not write any.
type trialFiles struct{ disk }

func (trialFiles) Write([]script.File, bool) error { return nil }
func (trialFiles) Stream(string, bool, func(io.Writer) error) error {
	return nil
}
func (trialFiles) Folder(name string) (path string, err error) { return name, nil }

// runLine runs a command outside the terminal loop, and shows its output.
func (c *console) runLine(words []string) ui.Cmd {
	monitor, line, drafts := c.deck.Monitor(), lineOf(words), &saving.WatchedDrafts{DraftStore: c.draftStore()}
	return ui.Background(line, func(ctx context.Context) ui.Msg {
		var out, errs bytes.Buffer
		var effects []ui.Cmd
		host := hosts.OnMonitor(monitor, monitor.Notify(func(entry driver.Entry) {
			effects = append(effects, ui.Log(entry.Time, entry.Plan.Title, deck.Commands(&entry)))
		}))
		runner := exec.Runner{
			Table: catalog.Commands(), Open: func(context.Context) (exec.Host, error) { return host, nil }, Drafts: drafts, Files: disk{}, LabText: c.labText, Version: c.session.version, Session: c.shellSession(),
			ReadOnly: c.deck.ReadOnly, InBytes: c.deck.InBytes, Zone: time.Local, Out: &out, Err: &errs,
			Ask: func(context.Context) string { // askLine has asked already
				out.WriteString("y\n")
				return "y"
			},
		}
		status := runner.Run(ctx, words)
		if drafts.Changed {
			effects = append(effects, registry.DraftChanged())
		}
		if status != exec.Done && errs.Len() > 0 {
			message := strings.TrimPrefix(strings.TrimSpace(errs.String()), "cxdeck: ")
			return ui.Batch(append(effects, ui.Toast(ui.Failure, wording.UpperFirst(message, words[0])))...)()
		}
		if out.Len() == 0 { // an assignment prints nothing, and an empty window would take the next keys
			return ui.Batch(append(effects, ui.Toast(ui.Success, line+": done"))...)()
		}
		return ui.Batch(append(effects, ui.ShowText(line, out.String()))...)()
	})
}

// complete completes a line typed after :.
func (c *console) complete(typed string) func(ctx context.Context) (string, []string) {
	monitor, drafts := c.deck.Monitor(), c.draftStore()
	return func(ctx context.Context) (string, []string) {
		return complete.Line(ctx, catalog.Commands(), typed, func(context.Context) (exec.Host, exec.DraftStore, error) {
			return hosts.OnMonitor(monitor, monitor.Changer), drafts, nil
		})
	}
}

// draftStore returns the store in the history, or without a history the console's own.
func (c *console) draftStore() exec.DraftStore {
	if c.deck.DB != nil {
		return saving.Drafts{DB: c.deck.DB, Info: c.deck.Monitor().Status().Info}
	}
	if c.ownDrafts == nil {
		c.ownDrafts = exec.NewDraftStore()
	}
	return c.ownDrafts
}

// takeNotices returns commands for the terminal loop that report programs started by thresholds, completed waits, and changes by
// exec.
func (c *console) takeNotices() []ui.Cmd {
	cmds := append(c.trainer.Introduce(), c.deck.EndedWaits()...)
	for _, start := range c.deck.Live.Started() {
		cmds = append(cmds, ui.Log(start.At, "Start a program: "+start.Alarm, []string{syntax.Join(start.Arguments)}))
	}
	if c.serving != nil {
		_, replaying := c.deck.ReplaySession()
		cmds = append(cmds, c.serving.takeNotices(replaying)...)
	}
	return cmds
}

// openGuide returns the course of a guide on the host of the screens.
func (c *console) openGuide(ctx context.Context, name string, answers []string) (*guides.Course, error) {
	host := hosts.OnMonitor(c.deck.Live, c.deck.Live.Changer)
	runner := &exec.Runner{Table: catalog.Commands(), Drafts: c.draftStore(), Files: disk{}, LabText: c.labText, Version: c.session.version, Zone: time.Local}
	return guides.Open(&exec.Call{Ctx: ctx, Runner: runner, Host: host, Arguments: append([]string{name}, answers...)}, catalog.Forms())
}

// openCourse returns the course of a guide for its form.
func (c *console) openCourse(ctx context.Context, name string, answers guide.Answers) (*guides.Course, error) {
	if why := c.cannotGuide(); why != "" {
		return nil, errors.New(why)
	}
	host := hosts.OnMonitor(c.deck.Live, c.deck.Live.Changer)
	runner := &exec.Runner{Table: catalog.Commands(), Drafts: c.draftStore(), Files: disk{}, LabText: c.labText, Version: c.session.version, Zone: time.Local}
	return guides.OpenForm(&exec.Call{Ctx: ctx, Runner: runner, Host: host, Arguments: []string{name}}, catalog.Forms(), answers)
}

// runGuide runs a line of a guide that changes the host, as if it were typed.
func (c *console) runGuide(words []string) ui.Cmd {
	if action, ok := c.line(syntax.Join(words)); ok && action.Run != nil {
		return action.Run()
	}
	return nil
}

// formScreen is a screen whose forms are steps of guides.
type formScreen interface {
	// OpenForm opens a form for the selected object; known is false for the form of another screen.
	OpenForm(name string) (cmd ui.Cmd, known bool)
}

// openForm opens a form on the screen that has it.
func (c *console) openForm(name string, answers guide.Answers) ui.Cmd {
	c.deck.Answers = answers
	defer func() { c.deck.Answers = nil }()
	for _, view := range c.views {
		if screen, ok := view.(formScreen); ok {
			if cmd, known := screen.OpenForm(name); known {
				return cmd
			}
		}
	}
	return ui.Toast(ui.Caution, "No screen has the form "+name+" now.")
}

// cannotGuide is the reason why there are no guides now, empty when there are.
func (c *console) cannotGuide() string {
	switch {
	case c.deck.Exercise:
		return "an exercise has no guides: Q shows its page"
	case c.deck.Monitor() != c.deck.Live:
		return "guides are for the host, and a recorded session is open"
	}
	if !c.deck.Live.Operable() {
		return c.deck.CannotChange()
	}
	return ""
}
