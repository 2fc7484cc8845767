package host

import (
	"errors"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/journal"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// undo undoes a change. If the undo interrupts or removes something, or another run made the change, it asks first; without
// a terminal it requires --yes.
func undo(c *exec.Call) (exec.Answer, error) {
	var sequence uint64
	if len(c.Arguments) > 0 {
		var err error
		if sequence, err = strconv.ParseUint(c.Arguments[0], 10, 64); err != nil {
			return exec.Answer{}, exec.Mistake("%q is not the number of a change; journal prints the numbers", c.Arguments[0])
		}
	}
	var host *driver.Host
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		host = h.Clone()
		return nil
	}); err != nil {
		return exec.Answer{}, err
	}
	if len(c.Arguments) == 0 {
		newest, ok := host.Undoable()
		if !ok {
			return exec.Answer{}, journal.ErrNothingToUndo
		}
		sequence = newest.Sequence
	}
	entry, review := host.ReviewUndo(sequence)
	if review.Refusal != nil {
		return exec.Answer{}, review.Refusal
	}
	unreceived := c.MissedRows(review.Unreceived)
	if otherRun := entry.Run != host.Actor().Run; c.Flags["yes"] == "" && (otherRun || review.Impact.Any() || len(unreceived) > 0) {
		if err := askUndo(c, &entry, &review, unreceived, otherRun); err != nil {
			return exec.Answer{}, err
		}
	}
	done, err := c.Host.UndoEntry(c.Ctx, sequence)
	if err != nil {
		return exec.Answer{}, err
	}
	row := exec.EntryOf(&done)
	row.Unreceived = unreceived
	return exec.ChangeAnswer(row), nil
}

// askUndo shows who made a change and what its undo does, and asks whether to undo it. The answer no is an error.
func askUndo(c *exec.Call, entry *driver.Entry, review *driver.Review, unreceived []exec.MissedRow, otherRun bool) error {
	origin := originOf(c, entry, otherRun)
	effects := review.Impact.Sentences(c.BitRate)
	for i := range unreceived {
		effects = append(effects, unreceived[i].Sentence()+".")
	}
	if c.Runner.Ask == nil || c.Runner.JSON {
		return errors.New(strings.Join(append(append([]string{origin}, effects...), "Add --yes to undo it anyway"), " "))
	}
	var before strings.Builder
	before.WriteString(exec.Clean(origin) + "\n")
	for _, o := range review.Plan.Operations {
		before.WriteString("  " + exec.Clean(wording.UpperFirst(o.Describe())) + "\n")
	}
	for _, effect := range effects {
		before.WriteString(exec.Clean(effect) + "\n")
	}
	yes, err := c.Ask(exec.Question{Before: before.String(), Text: "Undo it? (y/n) [n] :", Usual: "n"}, "")
	if err == nil && !yes {
		err = exec.AnswerNo("--yes")
	}
	return err
}

// originOf returns a sentence with number, title, author and time of a change.
func originOf(c *exec.Call, entry *driver.Entry, otherRun bool) string {
	text := "Change " + strconv.FormatUint(entry.Sequence, 10) + " (" + entry.Plan.Title + ") was made "
	if entry.By != "" {
		text += "by " + entry.By + " "
	}
	text += "at " + timeText(c, entry.Time)
	if otherRun {
		text += ", in another run"
	}
	return text + "."
}
