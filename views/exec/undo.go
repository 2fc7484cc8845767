package exec

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver"
)

// undo takes back a change. It asks first, or wants --yes where nobody can be asked, when that interrupts or removes
// something, and when another run made the change.
func undo(c *call) (answer, error) {
	var sequence uint64
	if len(c.arguments) > 0 {
		var err error
		if sequence, err = strconv.ParseUint(c.arguments[0], 10, 64); err != nil {
			return answer{}, mistake("%q is no number of a change; journal prints them", c.arguments[0])
		}
	}
	var host *driver.Host
	if err := c.host.Look(c.ctx, func(h *driver.Host) error {
		host = h.Clone()
		return nil
	}); err != nil {
		return answer{}, err
	}
	if len(c.arguments) == 0 {
		newest, ok := host.Undoable()
		if !ok {
			return answer{}, driver.ErrNothingToUndo
		}
		sequence = newest.Sequence
	}
	entry, review := host.ReviewTakeBack(sequence)
	if review.Refusal != nil {
		return answer{}, review.Refusal
	}
	if another := entry.Run != host.Actor().Run; c.flags["yes"] == "" && (another || review.Impact.Any()) {
		if err := c.askBack(&entry, &review, another); err != nil {
			return answer{}, err
		}
	}
	done, err := c.host.TakeBack(c.ctx, sequence)
	if err != nil {
		return answer{}, err
	}
	return told(entryOf(&done)), nil
}

// askBack asks whether a change is to be taken back: what it was, who made it, and what taking it back does. The error
// says that it is not to be.
func (c *call) askBack(entry *driver.Entry, review *driver.Review, another bool) error {
	made := made(c, entry, another)
	said := review.Impact.Sentences(c.bitRate)
	if c.runner.Ask == nil || c.runner.JSON {
		return errors.New(strings.Join(append(append([]string{made}, said...), "Add --yes to take it back all the same"), " "))
	}
	var before strings.Builder
	before.WriteString(Clean(made) + "\n")
	for _, o := range review.Plan.Operations {
		before.WriteString("  " + Clean(upper(o.Describe())) + "\n")
	}
	for _, one := range said {
		before.WriteString(Clean(one) + "\n")
	}
	yes, err := c.ask(question{before: before.String(), text: "Take it back? (y/n) [n] :", usual: "n"}, "")
	if err == nil && !yes {
		err = answerNo("--yes")
	}
	return err
}

// made says what a change was, who made it and when.
func made(c *call, entry *driver.Entry, another bool) string {
	text := "Change " + strconv.FormatUint(entry.Sequence, 10) + " (" + entry.Plan.Title + ") was made "
	if entry.By != "" {
		text += "by " + entry.By + " "
	}
	zone := c.runner.Zone
	if zone == nil {
		zone = time.UTC
	}
	text += "at " + entry.Time.In(zone).Format("2006-01-02 15:04:05")
	if another {
		text += ", in another run"
	}
	return text + "."
}
