package host

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/views/exec"
)

// undo undoes a change. It asks first, or requires --yes where no answer is possible, when that interrupts or removes something,
// and when another run made the change.
func undo(c *exec.Call) (exec.Answer, error) {
	var sequence uint64
	if len(c.Arguments) > 0 {
		var err error
		if sequence, err = strconv.ParseUint(c.Arguments[0], 10, 64); err != nil {
			return exec.Answer{}, exec.Mistake("%q is not the number of a change; journal prints the numbers", c.Arguments[0])
		}
	}
	var host *driver.Host
	if err := c.Host.Look(c.Ctx, func(h *driver.Host) error {
		host = h.Clone()
		return nil
	}); err != nil {
		return exec.Answer{}, err
	}
	if len(c.Arguments) == 0 {
		newest, ok := host.Undoable()
		if !ok {
			return exec.Answer{}, driver.ErrNothingToUndo
		}
		sequence = newest.Sequence
	}
	entry, review := host.ReviewUndo(sequence)
	if review.Refusal != nil {
		return exec.Answer{}, review.Refusal
	}
	missed := c.MissedRows(review.Unreceived)
	if another := entry.Run != host.Actor().Run; c.Flags["yes"] == "" && (another || review.Impact.Any() || len(missed) > 0) {
		if err := askUndo(c, &entry, &review, missed, another); err != nil {
			return exec.Answer{}, err
		}
	}
	done, err := c.Host.UndoEntry(c.Ctx, sequence)
	if err != nil {
		return exec.Answer{}, err
	}
	row := exec.EntryOf(&done)
	row.Unreceived = missed
	return exec.ChangeAnswer(row), nil
}

// askUndo asks whether to undo a change, and shows its title, author, and the effect of the undo. The error reports the answer no.
func askUndo(c *exec.Call, entry *driver.Entry, review *driver.Review, missed []exec.MissedRow, another bool) error {
	made := made(c, entry, another)
	said := review.Impact.Sentences(c.BitRate)
	for i := range missed {
		said = append(said, missed[i].Sentence()+".")
	}
	if c.Runner.Ask == nil || c.Runner.JSON {
		return errors.New(strings.Join(append(append([]string{made}, said...), "Add --yes to undo it anyway"), " "))
	}
	var before strings.Builder
	before.WriteString(exec.Clean(made) + "\n")
	for _, o := range review.Plan.Operations {
		before.WriteString("  " + exec.Clean(exec.Capital(o.Describe())) + "\n")
	}
	for _, one := range said {
		before.WriteString(exec.Clean(one) + "\n")
	}
	yes, err := c.Ask(exec.Question{Before: before.String(), Text: "Undo it? (y/n) [n] :", Usual: "n"}, "")
	if err == nil && !yes {
		err = exec.AnswerNo("--yes")
	}
	return err
}

// made returns what a change was, who made it and when.
func made(c *exec.Call, entry *driver.Entry, another bool) string {
	text := "Change " + strconv.FormatUint(entry.Sequence, 10) + " (" + entry.Plan.Title + ") was made "
	if entry.By != "" {
		text += "by " + entry.By + " "
	}
	zone := c.Runner.Zone
	if zone == nil {
		zone = time.UTC
	}
	text += "at " + entry.Time.In(zone).Format("2006-01-02 15:04:05")
	if another {
		text += ", in another run"
	}
	return text + "."
}
