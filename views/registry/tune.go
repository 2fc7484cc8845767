package registry

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry/tuning"
	"cxdeck/driver/wording"
	"cxdeck/perf/regular"
	"cxdeck/ui"
)

// tune reviews a scenario; for the manual one it asks for processors first.
func (v *View) tune(c scenario) ui.Cmd {
	if c.base == nil {
		return v.reviewTuning(c)
	}
	s := v.snapshot
	check := func(typed string) string {
		_, _, err := readProcessors(s, typed)
		if err != nil {
			return wording.UpperFirst(err.Error()) + "."
		}
		return ""
	}
	initial := fmt.Sprintf("%d %d", *c.base, *c.number)
	return ui.Prompt("RSS processors", "First processor and count", initial, check, func(typed string) ui.Cmd {
		base, number, err := readProcessors(s, typed)
		if err != nil {
			return nil
		}
		m := v.deck.Monitor()
		return ui.Background("Tune", func(ctx context.Context) ui.Msg {
			var next scenario
			err := m.ReadHost(ctx, func(h *driver.Host) error {
				next = newScenario(h, c.of, c.connections, base, number)
				return nil
			})
			if err != nil {
				return ui.Toast(ui.Failure, wording.UpperFirst(err.Error()))()
			}
			return v.reviewTuning(next)()
		})
	})
}

// reviewTuning opens the review of a scenario, which writes the tool's log once it is applied.
func (v *View) reviewTuning(c scenario) ui.Cmd {
	where := strings.Join(c.connections, " and ")
	switch {
	case c.refusal != "":
		return ui.Toast(ui.Caution, wording.UpperFirst(c.refusal))
	case len(c.plan.Operations) == 0:
		return ui.Toast(ui.Note, fmt.Sprintf("%s is tuned for %s already.", where, c.of.Name))
	}
	m, plan := v.deck.Monitor(), c.plan
	return ui.Background("Review: "+plan.Title, func(ctx context.Context) ui.Msg {
		msg := reviewMsg{plan: plan, tuning: &c}
		if absent := c.tuned.Absent(); len(absent) > 0 {
			msg.notes = append(msg.notes, fmt.Sprintf("left out, because %s has no such key: %s", where, strings.Join(absent, ", ")))
		}
		msg.err = m.ReadHost(ctx, func(h *driver.Host) error {
			msg.review = h.Review(plan)
			return nil
		})
		return msg
	})
}

// writeTuningLog appends the values that an applied scenario has replaced to the tuning log beside the history file. Without a
// history file they are only in the action log.
func (v *View) writeTuningLog(c *scenario, entry *driver.Entry) ui.Cmd {
	said := c.log(v.snapshot, entry)
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(said, "\r\n", "\n")), "\n")
	db := v.deck.DB
	if db == nil {
		return ui.Batch(ui.Toast(ui.Note, "No tuning log is kept without a history file; the values before are in the action log, and u undoes the tuning."),
			ui.Log(entry.Time, "Values before the tuning", lines))
	}
	path := filepath.Join(filepath.Dir(db.Path()), tuning.LogName)
	return ui.Background("Write the tuning log", func(context.Context) ui.Msg {
		if err := appendTo(path, said); err != nil {
			return ui.Batch(ui.Toast(ui.Failure, "The tuning log was not written: "+err.Error()+". The values before are in the action log."),
				ui.Log(entry.Time, "Values before the tuning", lines))()
		}
		return ui.Batch(ui.Toast(ui.Success, "The values before are in "+path),
			ui.Log(entry.Time, "Values before the tuning, also in "+path, lines))()
	})
}

// appendTo appends text to a private file, which it creates if necessary.
func appendTo(path, text string) error {
	file, err := regular.Append(path)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}
