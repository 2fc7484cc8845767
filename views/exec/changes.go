package exec

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
)

// RestartAdapter returns the Operation that restarts a connection's driver, and the verb for the title of its plan.
func RestartAdapter(name string) (driver.Operation, string) {
	return adapters.RestartAdapter{Connection: name}, "Restart"
}

// EnableAdapter returns the Operation that starts a connection's driver, and the verb for the title of its plan.
func EnableAdapter(name string) (driver.Operation, string) {
	return adapters.EnableAdapter{Connection: name}, "Enable"
}

// DisableAdapter returns the Operation that stops a connection's driver, and the verb for the title of its plan.
func DisableAdapter(name string) (driver.Operation, string) {
	return adapters.DisableAdapter{Connection: name}, "Disable"
}

// Apply applies a plan and answers with its journal entry.
func (c *Call) Apply(plan driver.Plan) (Answer, error) {
	entry, err := c.Do(plan)
	if err != nil {
		return Answer{}, err
	}
	return ChangeAnswer(entry), nil
}

// Do applies the Operations of a plan that change something, and lists the others as unchanged. A plan that changes nothing
// is not applied; that is not an error.
func (c *Call) Do(plan driver.Plan) (row EntryRow, err error) {
	copied, err := c.CopyHost()
	if err != nil {
		return EntryRow{}, err
	}
	needed, skipped := copied.Needed(plan)
	if len(needed.Operations) == 0 && len(skipped) > 0 {
		row = EntryRow{Title: plan.Title, Time: copied.Now().UTC(), Operations: []OperationRow{}, WhatIf: c.WhatIf}
		c.noteLimits(copied, plan)
	} else if row, err = c.applyNeeded(needed, plan); err != nil {
		return row, err
	}
	for _, s := range skipped {
		row.Unchanged = append(row.Unchanged, s.Operation.Describe()+": "+s.Why)
	}
	return row, nil
}

// applyNeeded applies plan, which has only the Operations of whole that change something.
func (c *Call) applyNeeded(plan, whole driver.Plan) (EntryRow, error) {
	unreceived, err := c.unreceivedBy(plan)
	if err != nil {
		return EntryRow{}, err
	}
	if c.WhatIf {
		row, err := c.applyToCopy(plan)
		row.Unreceived = unreceived
		return row, err
	}
	var before []driver.Wait
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error { before = h.Waits(); return nil }); err != nil {
		return EntryRow{}, err
	}
	entry, err := c.Host.Apply(c.Ctx, plan)
	row := EntryOf(&entry)
	row.Unreceived = unreceived
	if err != nil {
		return row, err
	}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		c.noteLimits(h, whole)
		_, own := c.Host.(OwnHost)
		row.Waits, row.Ends = waitsOf(h, plan), endsOf(h, before, own)
		return nil
	})
	return row, err
}

// unreceivedBy returns the current traffic that will find no receiver after a plan. A plan of registry values alone returns
// none: the values take effect at a restart, and the plan of the restart reports the traffic.
func (c *Call) unreceivedBy(plan driver.Plan) (rows []MissedRow, err error) {
	storesValue := func(o driver.Operation) bool {
		_, ok := o.(edit.Writer)
		return ok
	}
	if !slices.ContainsFunc(plan.Operations, func(o driver.Operation) bool { return !storesValue(o) }) {
		return nil, nil
	}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		review := h.Review(plan)
		rows = c.MissedRows(review.Unreceived)
		for _, moved := range review.Moved {
			c.Note(moved)
		}
		return nil
	})
	return rows, err
}

// noteLimits adds a note for each feature of an applied plan that the host's versions do not support, and for each value of
// it that has no effect or an unexpected one.
func (c *Call) noteLimits(h *driver.Host, plan driver.Plan) {
	for _, why := range h.LimitsOf(plan) {
		c.Note(why)
	}
	for _, effect := range h.EffectsOf(plan) {
		text := effect.Text
		if effect.Key != "" {
			text = effect.Key + " of " + effect.Target + ": " + text
		}
		c.Note(text)
	}
}

// applyToCopy applies a plan to a copy of the host.
func (c *Call) applyToCopy(plan driver.Plan) (row EntryRow, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		copied := h.Clone()
		entry, err := copied.Apply(plan)
		row = EntryOf(&entry)
		row.WhatIf = true
		if err == nil {
			c.noteLimits(copied, plan)
		}
		return err
	})
	return row, err
}

// MaxLines is the maximum number of commands or values in the text about a change: an imported file may have thousands.
const MaxLines = 100

// maxOmitted is the maximum number of unchanged steps that the text about a change lists when other steps were made.
const maxOmitted = 3

// ChangeAnswer returns the answer that reports a change.
func ChangeAnswer(row EntryRow) Answer {
	return Answer{
		Result: struct {
			Change EntryRow `json:"change"`
		}{row},
		Text: func(w io.Writer) error {
			var b strings.Builder
			outcome := "done"
			switch {
			case len(row.Operations) == 0 && len(row.Unchanged) > 0:
				outcome = "nothing changes"
			case row.WhatIf:
				outcome = "this is what it would do; nothing was changed"
			}
			fmt.Fprintf(&b, "%s: %s.\n", Clean(row.Title), outcome)
			for _, command := range row.Commands[:min(len(row.Commands), MaxLines)] {
				fmt.Fprintf(&b, "  on a real host: %s\n", Clean(command))
			}
			if more := len(row.Commands) - MaxLines; more > 0 {
				fmt.Fprintf(&b, "  and %d more commands; --json has them\n", more)
			}
			limit := MaxLines
			if len(row.Operations) > 0 {
				limit = maxOmitted
			}
			for _, line := range row.Unchanged[:min(len(row.Unchanged), limit)] {
				fmt.Fprintf(&b, "  %s\n", Clean(line))
			}
			if more := len(row.Unchanged) - limit; more > 0 {
				fmt.Fprintf(&b, "  and %s that would change nothing\n", wording.Count(more, "more step"))
			}
			for i := range row.Waits {
				b.WriteString(row.Waits[i].text())
			}
			b.WriteString(row.restartLine())
			for i := range row.Unreceived {
				fmt.Fprintf(&b, "  warning: %s\n", Clean(row.Unreceived[i].Sentence()))
			}
			for i := range row.Ends {
				b.WriteString("  " + Clean(row.Ends[i].Text) + "\n")
			}
			_, err := io.WriteString(w, b.String())
			return err
		},
	}
}

// EntryRow is an entry of the journal as JSON.
type EntryRow struct {
	Sequence   uint64         `json:"sequence"`
	Time       time.Time      `json:"time"`
	Title      string         `json:"title"`
	Operations []OperationRow `json:"operations"`
	Commands   []string       `json:"commands,omitempty"`
	Undoes     uint64         `json:"undoes,omitempty"`
	Undone     bool           `json:"undone,omitempty"`
	Error      string         `json:"error,omitempty"`
	By         string         `json:"by,omitempty"`
	Run        string         `json:"run,omitempty"`
	Unread     string         `json:"unread,omitempty"`
	WhatIf     bool           `json:"what_if,omitempty"`
	// Unreceived is traffic that finds no receiver afterwards.
	Unreceived []MissedRow `json:"unreceived,omitempty"`
	// Unchanged lists the Operations that were left out because they would change nothing, with the reason.
	Unchanged []string `json:"unchanged,omitempty"`
	// Waits lists the restarts that stored values wait for.
	Waits []waitRow `json:"waits,omitempty"`
	// Ends lists the operations in progress that the change has started, such as a reboot.
	Ends []EndRow `json:"ends,omitempty"`
}

// EndRow is an operation in progress that ends by itself, as JSON. Seconds is the remaining host time.
type EndRow struct {
	Text    string  `json:"text"`
	Seconds float64 `json:"seconds"`
}

// minReportedEnd is the longest operation that is not reported: the restart of an adapter is shorter.
const minReportedEnd = 10 * time.Second

// endsOf lists the operations in progress that are not in before. With ownTime the host's time passes only with advance,
// and the texts name that command.
func endsOf(h *driver.Host, before []driver.Wait, ownTime bool) (rows []EndRow) {
	for _, wait := range h.Waits() {
		isOld := slices.ContainsFunc(before, func(b driver.Wait) bool { return b.What == wait.What && b.Until.Equal(wait.Until) })
		left := (wait.Until.Sub(h.Now()) + time.Second - 1).Truncate(time.Second)
		if isOld || left <= minReportedEnd {
			continue
		}
		text := fmt.Sprintf("%s in %s", wait.Return, left)
		if ownTime {
			text += fmt.Sprintf(": advance %s lets that time pass", left)
		}
		rows = append(rows, EndRow{text, left.Seconds()})
	}
	return rows
}

// OperationRow is an Operation in a JSON document.
type OperationRow struct {
	Kind   string `json:"kind"`
	Target string `json:"target"`
	Does   string `json:"does"`
}

// restartLine says when firmware and BIOS settings of the change take effect; it is empty when a later Operation of the
// change restarts the card or the host.
func (e *EntryRow) restartLine() (line string) {
	for _, o := range e.Operations {
		switch o.Kind {
		case virtualization.SetFirmware{}.Kind():
			line = "  It takes effect after a host reboot or mlxfwreset\n"
		case virtualization.SetBIOS{}.Kind(), virtualization.SetRole{}.Kind():
			line = "  It takes effect after a host reboot\n"
		case adapters.Reboot{}.Kind(), adapters.ResetCard{}.Kind():
			line = ""
		}
	}
	return line
}

// EntryOf returns the row of a journal entry, with its equivalent commands for a real host.
func EntryOf(entry *driver.Entry) EntryRow {
	row := EntryRow{
		Commands: edit.MergeCongestion(slices.Concat(entry.Commands()...)),
		Sequence: entry.Sequence, Time: entry.Time.UTC(), Title: entry.Plan.Title, Operations: []OperationRow{},
		Undoes: entry.Undoes, Error: entry.Err, By: entry.By, Run: entry.Run, Unread: entry.Unread,
	}
	for _, o := range entry.Plan.Operations {
		row.Operations = append(row.Operations, OperationRow{o.Kind(), o.Target(), o.Describe()})
	}
	return row
}

// ApplyOne applies a single Operation.
func (c *Call) ApplyOne(o driver.Operation) (Answer, error) {
	return c.Apply(driver.Plan{Title: wording.UpperFirst(o.Describe()), Operations: []driver.Operation{o}})
}

// MayChange returns an error in read-only mode. Commands call it whose forms partly change the host and partly read it.
func (c *Call) MayChange(form string) error {
	return c.Runner.refusesChanges(form)
}
