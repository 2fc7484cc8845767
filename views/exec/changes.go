package exec

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
)

// RestartAdapter returns the Operation for a connection, and the verb that a plan of such Operations is called by.
func RestartAdapter(name string) (driver.Operation, string) {
	return driver.RestartAdapter{Connection: name}, "Restart"
}

// EnableAdapter is as RestartAdapter.
func EnableAdapter(name string) (driver.Operation, string) {
	return driver.EnableAdapter{Connection: name}, "Enable"
}

// DisableAdapter is as RestartAdapter.
func DisableAdapter(name string) (driver.Operation, string) {
	return driver.DisableAdapter{Connection: name}, "Disable"
}

// Apply applies a plan and says so.
func (c *Call) Apply(plan driver.Plan) (Answer, error) {
	entry, err := c.Do(plan)
	if err != nil {
		return Answer{}, err
	}
	return ChangeAnswer(entry), nil
}

// Do applies the steps of a plan that change something. A plan without such steps is not applied, which is not an error.
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

// applyNeeded applies what is needed of a plan.
func (c *Call) applyNeeded(plan, whole driver.Plan) (EntryRow, error) {
	missed, err := c.missed(plan)
	if err != nil {
		return EntryRow{}, err
	}
	if c.WhatIf {
		row, err := c.applyToCopy(plan)
		row.Unreceived = missed
		return row, err
	}
	var before []driver.Wait
	if err := c.Host.Look(c.Ctx, func(h *driver.Host) error { before = h.Waits(); return nil }); err != nil {
		return EntryRow{}, err
	}
	entry, err := c.Host.Apply(c.Ctx, plan)
	row := EntryOf(&entry)
	row.Unreceived = missed
	if err != nil {
		return row, err
	}
	err = c.Host.Look(c.Ctx, func(h *driver.Host) error {
		c.noteLimits(h, whole)
		_, own := c.Host.(*Lab)
		row.Waits, row.Ends = waitsOf(h, plan), endsOf(h, before, own)
		return nil
	})
	return row, err
}

// missed is traffic of now that will find no receiver after a plan. Registry values alone don't count yet; the restart
// that lets them count says it.
func (c *Call) missed(plan driver.Plan) (rows []MissedRow, err error) {
	values := func(o driver.Operation) bool {
		_, ok := o.(edit.Writer)
		return ok
	}
	if !slices.ContainsFunc(plan.Operations, func(o driver.Operation) bool { return !values(o) }) {
		return nil, nil
	}
	err = c.Host.Look(c.Ctx, func(h *driver.Host) error {
		review := h.Review(plan)
		rows = c.MissedRows(review.Unreceived)
		return nil
	})
	return rows, err
}

// noteLimits notes what a host on which a plan was applied lacks for it.
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
	err = c.Host.Look(c.Ctx, func(h *driver.Host) error {
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

// MaxLines is how many commands or values the text about a change lists: an imported file may have many thousands.
const MaxLines = 100

// maxOmitted is how many steps without effect the text about a change lists beside the steps that it made.
const maxOmitted = 3

// ChangeAnswer returns what was done.
func ChangeAnswer(row EntryRow) Answer {
	return Answer{
		Result: struct {
			Change EntryRow `json:"change"`
		}{row},
		Text: func(w io.Writer) error {
			var b strings.Builder
			became := "done"
			switch {
			case len(row.Operations) == 0 && len(row.Unchanged) > 0:
				became = "nothing changes"
			case row.WhatIf:
				became = "this is what it would do; nothing was changed"
			}
			fmt.Fprintf(&b, "%s: %s.\n", Clean(row.Title), became)
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
				fmt.Fprintf(&b, "  and %s that would change nothing\n", CountOf(more, "more step"))
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
	// Unchanged are the Operations that had nothing to do and were left out, with the reason; Waits is what values of it
	// wait for.
	Unchanged []string  `json:"unchanged,omitempty"`
	Waits     []waitRow `json:"waits,omitempty"`
	// Ends are the host's operations in progress, which end as time passes.
	Ends []EndRow `json:"ends,omitempty"`
}

// EndRow is something that the host does now and that ends by itself, in a JSON document.
type EndRow struct {
	Text    string  `json:"text"`
	Seconds float64 `json:"seconds"`
}

// shortEnd is up to when an operator needs no word about it: an adapter restarts in less.
const shortEnd = 10 * time.Second

// endsOf lists the operations that a change has started on a host. If the host's time passes only on a command, the rows
// name that command.
func endsOf(h *driver.Host, before []driver.Wait, stands bool) (rows []EndRow) {
	for _, wait := range h.Waits() {
		known := slices.ContainsFunc(before, func(b driver.Wait) bool { return b.What == wait.What && b.Until.Equal(wait.Until) })
		left := (wait.Until.Sub(h.Now()) + time.Second - 1).Truncate(time.Second)
		if known || left <= shortEnd {
			continue
		}
		text := fmt.Sprintf("%s in %s", wait.Return, left)
		if stands {
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

// restartLine reports that settings of the firmware or the BIOS count later, when no Operation after them starts what reads
// them.
func (e *EntryRow) restartLine() (line string) {
	for _, o := range e.Operations {
		switch o.Kind {
		case virtualization.SetFirmware{}.Kind():
			line = "  It takes effect after a host reboot or mlxfwreset\n"
		case virtualization.SetBIOS{}.Kind():
			line = "  It takes effect after a host reboot\n"
		case driver.Reboot{}.Kind(), driver.ResetCard{}.Kind():
			line = ""
		}
	}
	return line
}

// EntryOf returns an entry with its commands.
func EntryOf(entry *driver.Entry) EntryRow {
	row := EntryRow{
		Commands: slices.Concat(entry.Commands()...),
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
	return c.Apply(driver.Plan{Title: Capital(o.Describe()), Operations: []driver.Operation{o}})
}

// MayChange refuses a form of a command that changes the host, where others of the same command only read.
func (c *Call) MayChange(form string) error {
	if c.Runner.ReadOnly {
		return fmt.Errorf("read-only mode is on, and %s would change the host; omit --read-only to do it", form)
	}
	return nil
}
