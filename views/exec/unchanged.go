package exec

import (
	"slices"

	"cxdeck/driver"
	"cxdeck/driver/registry"
)

// CopyHost returns a copy of the host.
func (c *Call) CopyHost() (copied *driver.Host, err error) {
	err = c.Host.Look(c.Ctx, func(h *driver.Host) error {
		copied = h.Clone()
		return nil
	})
	return copied, err
}

// waitRow is the restart that values of a change wait for, as JSON.
type waitRow struct {
	Until       registry.Moment `json:"until"`
	Keys        []string        `json:"keys"`
	Connections []string        `json:"connections"`
}

// waitsOf returns what the values of a plan that was applied wait for.
func waitsOf(h *driver.Host, plan driver.Plan) (rows []waitRow) {
	keys := h.Waiting(plan)
	for i := range keys {
		k := &keys[i]
		at := slices.IndexFunc(rows, func(r waitRow) bool { return r.Until == k.Until })
		if at < 0 {
			at, rows = len(rows), append(rows, waitRow{Until: k.Until})
		}
		rows[at].Keys = append(rows[at].Keys, k.Row.Name+" of "+k.Target)
		for _, name := range k.Connections {
			if !slices.Contains(rows[at].Connections, name) {
				rows[at].Connections = append(rows[at].Connections, name)
			}
		}
	}
	return rows
}

// text returns what waits, and what ends that.
func (r *waitRow) text() string {
	text := "  " + CountOf(len(r.Keys), "value") + " will take effect "
	if len(r.Keys) == 1 {
		text = "  " + r.Keys[0] + " will take effect "
	}
	text += WhenEffective(r.Until)
	switch r.Until {
	case registry.AtRestart:
		text += ": adapter restart"
		for _, name := range r.Connections {
			text += " " + Quote(name)
		}
	case registry.AtReboot:
		text += ": host reboot"
	default:
	}
	return Clean(text) + "\n"
}

// NothingChanges returns the answer to a command that finds the host as it would leave it.
func NothingChanges(title string, why []string) Answer {
	return ChangeAnswer(EntryRow{Title: title, Operations: []OperationRow{}, Unchanged: why})
}

// ChangesNothing reports that a change was none, as a line for tools with an output of their own; nil for a change that was one.
func (e *EntryRow) ChangesNothing() []string {
	if len(e.Operations) > 0 || len(e.Unchanged) == 0 {
		return nil
	}
	return []string{"Nothing changes: " + e.Unchanged[0]}
}
