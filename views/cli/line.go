package cli

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/ui"
	"cxdeck/views/change"
	"cxdeck/views/deck"
	"cxdeck/views/exec"
	"cxdeck/views/registry"
)

// line makes an action of a line that was typed after the colon, when it begins with a command of exec. It works on
// what the screens show, through the monitor, so that journal and undo are the console's.
func (c *console) line(typed string) (ui.Action, bool) {
	words, err := exec.Standard().Split(typed)
	if err != nil {
		words = strings.Fields(typed) // a quote may still be open
	}
	if len(words) == 0 {
		return ui.Action{}, false
	}
	command, ok := exec.Standard().Find(words)
	if !ok {
		return ui.Action{}, false
	}
	if command.Name == "undo" && err == nil {
		if action, ok := c.undoLine(words[1:]); ok {
			return action, true
		}
	}
	action := ui.Action{
		ID: "exec", Name: "run it", Help: command.Describe().Help, Object: command.Name, Changes: command.Changes,
		Dangerous: command.Interrupts || command.Asks, Question: question(command, words),
		Run: func() ui.Cmd { return c.runLine(words) },
	}
	if err != nil {
		action.Disabled = err.Error()
	} else if command.Changes {
		action.Disabled = c.deck.CannotChange()
	}
	return action, true
}

// undoLine takes a change back as the key does: it shows what that does, and asks for it.
func (c *console) undoLine(arguments []string) (ui.Action, bool) {
	action := ui.Action{ID: "exec", Name: "run it", Help: "take a change back", Object: "undo", Changes: true, Asks: true,
		Disabled: c.deck.CannotChange(), Run: func() ui.Cmd { return change.Undo(c.deck) }}
	if len(arguments) == 0 {
		return action, true
	}
	sequence, err := strconv.ParseUint(arguments[0], 10, 64)
	action.Run = func() ui.Cmd { return change.TakeBack(c.deck, sequence) }
	return action, err == nil && len(arguments) == 1
}

// question is what the operator is asked before a line is run.
func question(command *exec.Command, words []string) string {
	if command.Interrupts {
		return fmt.Sprintf("Run %s? It interrupts traffic.", exec.Join(words))
	}
	return fmt.Sprintf("Run %s?", exec.Join(words))
}

// runLine runs a command beside the terminal loop, and shows what it says.
func (c *console) runLine(words []string) ui.Cmd {
	monitor, line, shelf := c.deck.Monitor(), exec.Join(words), &toldShelf{Shelf: c.shelf()}
	return ui.Background(line, func(ctx context.Context) ui.Msg {
		var out, errs bytes.Buffer
		var did []ui.Cmd
		host := exec.OnMonitor(monitor, func(entry driver.Entry) {
			did = append(did, ui.Log(entry.Time, entry.Plan.Title, deck.Commands(&entry)))
		})
		runner := exec.Runner{
			Table: exec.Standard(), Open: func(context.Context) (exec.Host, error) { return host, nil }, Shelf: shelf, Files: disk{}, LabText: c.labText,
			ReadOnly: c.deck.ReadOnly, InBytes: c.deck.InBytes, Zone: time.Local, Out: &out, Err: &errs,
			Ask: func(context.Context) string { // the console has asked already
				out.WriteString("y\n")
				return "y"
			},
		}
		status := runner.Run(ctx, words)
		if shelf.changed {
			did = append(did, registry.DraftChanged())
		}
		if status != exec.Done {
			said := strings.TrimPrefix(strings.TrimSpace(errs.String()), "cxdeck: ")
			return ui.Batch(append(did, ui.Toast(ui.Failure, deck.Sentence(said)))...)()
		}
		return ui.Batch(append(did, ui.ShowText(line, out.String()))...)()
	})
}

// complete completes a line that is typed after the colon.
func (c *console) complete(typed string) func(ctx context.Context) (string, []string) {
	monitor, shelf := c.deck.Monitor(), c.shelf()
	return func(ctx context.Context) (string, []string) {
		return exec.Standard().CompleteLine(ctx, typed, func(context.Context) (exec.Host, exec.Shelf, error) {
			return exec.OnMonitor(monitor, nil), shelf, nil
		})
	}
}

// shelf is what keeps the draft and the profiles: the history, or without one the console itself.
func (c *console) shelf() exec.Shelf {
	if c.deck.DB != nil {
		return dbShelf{c.deck.DB, c.deck.Monitor().Status().Info}
	}
	if c.ownShelf == nil {
		c.ownShelf = exec.NewShelf()
	}
	return c.ownShelf
}

// arrived is what the terminal loop has to show without an action of the operator's: the programs that thresholds have
// started, the starts of drivers that have ended, and the changes that exec made.
func (c *console) arrived() []ui.Cmd {
	cmds := c.deck.EndedWaits()
	for _, start := range c.deck.Live.Started() {
		cmds = append(cmds, ui.Log(start.At, "Start a program: "+start.Alarm, []string{exec.Join(start.Arguments)}))
	}
	if c.serving != nil {
		_, replaying := c.deck.ReplaySession()
		cmds = append(cmds, c.serving.arrived(replaying)...)
	}
	return cmds
}
