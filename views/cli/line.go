package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/exec"
)

// line makes an action of a line that was typed after the colon, when it begins with a command of exec. It works on what
// the screens show, through the monitor, so that journal and undo are the console's.
func (c *console) line(typed string) (ui.Action, bool) {
	words, err := exec.Split(typed)
	if err != nil {
		words = strings.Fields(typed) // a quote may still be open
	}
	if len(words) == 0 {
		return ui.Action{}, false
	}
	command, ok := exec.Find(words)
	if !ok {
		return ui.Action{}, false
	}
	action := ui.Action{
		ID: "exec", Name: "run it", Help: command.Help, Object: command.Name, Changes: command.Changes,
		Dangerous: command.Interrupts, Question: fmt.Sprintf("Run %s? It interrupts traffic.", exec.Join(words)),
		Run: func() ui.Cmd { return c.runLine(words) },
	}
	if err != nil {
		action.Disabled = err.Error()
	} else if command.Changes {
		action.Disabled = c.deck.CannotChange()
	}
	return action, true
}

// runLine runs a command beside the terminal loop, and shows what it says.
func (c *console) runLine(words []string) ui.Cmd {
	monitor, line := c.deck.Monitor(), exec.Join(words)
	return ui.Background(line, func(ctx context.Context) ui.Msg {
		var out, errs bytes.Buffer
		var did []ui.Cmd
		host := exec.OnMonitor(monitor, func(entry driver.Entry) {
			var commands []string
			for _, o := range entry.Plan.Operations {
				commands = append(commands, o.Commands()...)
			}
			did = append(did, ui.Log(entry.Time, entry.Plan.Title, commands))
		})
		runner := exec.Runner{
			Open: func(context.Context) (exec.Host, error) { return host, nil }, LabText: c.labText,
			ReadOnly: c.deck.ReadOnly, InBytes: c.deck.InBytes, Zone: time.Local, Out: &out, Err: &errs,
		}
		if runner.Run(ctx, words) != exec.Done {
			said := strings.TrimPrefix(strings.TrimSpace(errs.String()), "cxdeck: ")
			return ui.Batch(append(did, ui.Toast(ui.Failure, deck.Sentence(said)))...)()
		}
		return ui.Batch(append(did, ui.ShowText(line, out.String()))...)()
	})
}
