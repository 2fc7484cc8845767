package exec

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
)

// Operations of one connection each, with what a plan of them is called.
func restartAdapter(name string) (driver.Operation, string) {
	return driver.RestartAdapter{Connection: name}, "Restart"
}

func enableAdapter(name string) (driver.Operation, string) {
	return driver.EnableAdapter{Connection: name}, "Enable"
}

func disableAdapter(name string) (driver.Operation, string) {
	return driver.DisableAdapter{Connection: name}, "Disable"
}

func pullCable(name string) (driver.Operation, string) {
	return driver.PullCable{Connection: name}, "Pull the cable of"
}

func plugCable(name string) (driver.Operation, string) {
	return driver.PlugCable{Connection: name}, "Plug the cable of"
}

// change is a command that does the same to each connection that it names, in one plan.
func change(operationOn func(name string) (driver.Operation, string)) func(*call) (answer, error) {
	return func(c *call) (answer, error) {
		view, err := c.view()
		if err != nil {
			return answer{}, err
		}
		var plan driver.Plan
		var names []string
		for _, name := range c.arguments {
			name, err := connection(view, name)
			if err != nil {
				return answer{}, err
			}
			operation, verb := operationOn(name)
			names = append(names, name)
			plan.Title = verb + " " + strings.Join(names, ", ")
			plan.Operations = append(plan.Operations, operation)
		}
		return c.apply(plan)
	}
}

// apply applies a plan and says so.
func (c *call) apply(plan driver.Plan) (answer, error) {
	entry, err := c.do(plan)
	if err != nil {
		return answer{}, err
	}
	return told(entry), nil
}

// do applies what of a plan is to be done. One that would leave the host as it is is not applied, and not an error.
func (c *call) do(plan driver.Plan) (row entryRow, err error) {
	copied, err := c.copied()
	if err != nil {
		return entryRow{}, err
	}
	needed, skipped := copied.Needed(plan)
	if len(needed.Operations) == 0 && len(skipped) > 0 {
		row = entryRow{Title: plan.Title, Time: copied.Now().UTC(), Operations: []operationRow{}, WhatIf: c.whatIf}
		c.noteLimits(copied, plan)
	} else if row, err = c.doNeeded(needed, plan); err != nil {
		return row, err
	}
	for _, s := range skipped {
		row.Unchanged = append(row.Unchanged, s.Operation.Describe()+": "+s.Why)
	}
	return row, nil
}

// doNeeded applies what is needed of a plan.
func (c *call) doNeeded(plan, whole driver.Plan) (entryRow, error) {
	missed, err := c.missed(plan)
	if err != nil {
		return entryRow{}, err
	}
	if c.whatIf {
		row, err := c.wouldDo(plan)
		row.Unreceived = missed
		return row, err
	}
	entry, err := c.host.Apply(c.ctx, plan)
	row := entryOf(&entry)
	row.Unreceived = missed
	if err != nil {
		return row, err
	}
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		c.noteLimits(h, whole)
		row.Waits = waitsOf(h, plan)
		return nil
	})
	return row, err
}

// missed is traffic of now that will find no receiver after a plan. Registry values alone don't count yet; the restart
// that lets them count says it.
func (c *call) missed(plan driver.Plan) (rows []missedRow, err error) {
	values := func(o driver.Operation) bool {
		switch o.(type) {
		case driver.SetValue, driver.DeleteValue:
			return true
		}
		return false
	}
	if !slices.ContainsFunc(plan.Operations, func(o driver.Operation) bool { return !values(o) }) {
		return nil, nil
	}
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		review := h.Review(plan)
		rows = c.missedRows(review.Unreceived)
		return nil
	})
	return rows, err
}

// noteLimits notes what a host on which a plan was applied lacks for it.
func (c *call) noteLimits(h *driver.Host, plan driver.Plan) {
	for _, why := range h.LimitsOf(plan) {
		c.note(why)
	}
	for _, effect := range h.EffectsOf(plan) {
		c.note(effect.Key + " of " + effect.Target + ": " + effect.Text)
	}
}

// wouldDo applies a plan to a copy of the host.
func (c *call) wouldDo(plan driver.Plan) (row entryRow, err error) {
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		copied := h.Clone()
		entry, err := copied.Apply(plan)
		row = entryOf(&entry)
		row.WhatIf = true
		if err == nil {
			c.noteLimits(copied, plan)
		}
		return err
	})
	return row, err
}

// mostTold is how many commands or values the text about a change lists: an imported file may have many thousands.
const mostTold = 100

// mostLeftOut is how many steps without effect the text about a change lists beside those that it made.
const mostLeftOut = 3

// told says what was done.
func told(row entryRow) answer {
	return answer{
		result: struct {
			Change entryRow `json:"change"`
		}{row},
		text: func(w io.Writer) error {
			var b strings.Builder
			became := "done"
			switch {
			case len(row.Operations) == 0 && len(row.Unchanged) > 0:
				became = "nothing changes"
			case row.WhatIf:
				became = "this is what it would do, and nothing was changed"
			}
			fmt.Fprintf(&b, "%s: %s.\n", Clean(row.Title), became)
			for _, command := range row.Commands[:min(len(row.Commands), mostTold)] {
				fmt.Fprintf(&b, "  on a real host: %s\n", Clean(command))
			}
			if more := len(row.Commands) - mostTold; more > 0 {
				fmt.Fprintf(&b, "  and %d commands more, which --json has\n", more)
			}
			limit := mostTold
			if len(row.Operations) > 0 {
				limit = mostLeftOut
			}
			for _, line := range row.Unchanged[:min(len(row.Unchanged), limit)] {
				fmt.Fprintf(&b, "  %s\n", Clean(line))
			}
			if more := len(row.Unchanged) - limit; more > 0 {
				fmt.Fprintf(&b, "  and %s that would change nothing\n", count(more, "more step"))
			}
			for i := range row.Waits {
				b.WriteString(row.Waits[i].text())
			}
			b.WriteString(row.waits())
			for i := range row.Unreceived {
				m := &row.Unreceived[i]
				fmt.Fprintf(&b, "  warning: %s: %s of the traffic until now finds no receiver: %s (%s)\n", Clean(m.Target),
					m.rate, Clean(m.Why), Clean(m.names()))
			}
			_, err := io.WriteString(w, b.String())
			return err
		},
	}
}

// entryRow is an entry of the journal as JSON.
type entryRow struct {
	Sequence   uint64         `json:"sequence"`
	Time       time.Time      `json:"time"`
	Title      string         `json:"title"`
	Operations []operationRow `json:"operations"`
	Commands   []string       `json:"commands,omitempty"`
	Undoes     uint64         `json:"undoes,omitempty"`
	Undone     bool           `json:"undone,omitempty"`
	Error      string         `json:"error,omitempty"`
	By         string         `json:"by,omitempty"`
	Run        string         `json:"run,omitempty"`
	Unread     string         `json:"unread,omitempty"`
	WhatIf     bool           `json:"what_if,omitempty"`
	// Unreceived is traffic that finds no receiver afterwards.
	Unreceived []missedRow `json:"unreceived,omitempty"`
	// Unchanged are the Operations that had nothing to do and were left out, with the reason; Waits is what values of it
	// wait for.
	Unchanged []string  `json:"unchanged,omitempty"`
	Waits     []waitRow `json:"waits,omitempty"`
}

type operationRow struct {
	Kind   string `json:"kind"`
	Target string `json:"target"`
	Does   string `json:"does"`
}

// waits says that settings of the firmware or the BIOS count later, when no Operation after them starts what reads
// them.
func (e *entryRow) waits() (line string) {
	for _, o := range e.Operations {
		switch o.Kind {
		case driver.SetFirmware{}.Kind():
			line = "  It counts after a start of the host or of the card: host reboot, or mlxfwreset\n"
		case driver.SetBIOS{}.Kind():
			line = "  It counts after a start of the host: host reboot\n"
		case driver.Reboot{}.Kind(), driver.ResetCard{}.Kind():
			line = ""
		}
	}
	return line
}

// entryOf is an entry with its commands.
func entryOf(entry *driver.Entry) entryRow {
	row := entryRow{
		Commands: slices.Concat(entry.Commands()...),
		Sequence: entry.Sequence, Time: entry.Time.UTC(), Title: entry.Plan.Title, Operations: []operationRow{},
		Undoes: entry.Undoes, Error: entry.Err, By: entry.By, Run: entry.Run, Unread: entry.Unread,
	}
	for _, o := range entry.Plan.Operations {
		row.Operations = append(row.Operations, operationRow{o.Kind(), o.Target(), o.Describe()})
	}
	return row
}

func journal(c *call) (answer, error) {
	last, err := c.number("last", 100)
	if err != nil {
		return answer{}, err
	}
	var entries []driver.Entry
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		entries = h.Journal()
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	undone := map[uint64]bool{}
	for _, e := range entries {
		if e.Err == "" {
			undone[e.Undoes] = true
		}
	}
	rows := []entryRow{}
	for _, e := range entries[max(0, len(entries)-last):] {
		row := entryOf(&e)
		row.Undone = undone[e.Sequence]
		rows = append(rows, row)
	}
	return answer{
		result: struct {
			Changes []entryRow `json:"changes"`
		}{rows},
		text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "Nothing was changed yet.")
				return err
			}
			t := newTable(w, "NUMBER", "TIME", "BY", "CHANGE", "STATE")
			for i := range rows {
				t.row(fmt.Sprint(rows[i].Sequence), c.stamp(rows[i].Time), rows[i].By, rows[i].Title, rows[i].state())
			}
			return t.Flush()
		},
	}, nil
}

func (e *entryRow) state() string {
	switch {
	case e.Unread != "":
		return "set aside, it can't be read: " + e.Unread
	case e.Error != "":
		return "failed: " + e.Error
	case e.Undone:
		return "undone"
	case e.Undoes != 0:
		return fmt.Sprintf("undid %d", e.Undoes)
	default:
		return "applied"
	}
}

// stamp is a time as a person writes it.
func (c *call) stamp(t time.Time) string {
	zone := c.runner.Zone
	if zone == nil {
		zone = time.UTC
	}
	return t.In(zone).Format("2006-01-02 15:04:05")
}
