package exec

import (
	"slices"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/wording"
	"cxdeck/views/exec/syntax"
)

// CopyHost returns a copy of the host.
func (c *Call) CopyHost() (copied *driver.Host, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		copied = h.Clone()
		return nil
	})
	return copied, err
}

// waitRow is a restart that stored values wait for, with the keys, as JSON.
type waitRow struct {
	Until       registry.EffectTime `json:"until"`
	Keys        []string            `json:"keys"`
	Connections []string            `json:"connections"`
}

// waitsOf returns the restarts that the values of an applied plan wait for.
func waitsOf(h *driver.Host, plan driver.Plan) (rows []waitRow) {
	keys := h.Waiting(plan)
	for i := range keys {
		k := &keys[i]
		at := slices.IndexFunc(rows, func(r waitRow) bool { return r.Until == k.TakesEffect })
		if at < 0 {
			at, rows = len(rows), append(rows, waitRow{Until: k.TakesEffect})
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

// text says when the values take effect, with the command that restarts their adapters or the host.
func (r *waitRow) text() string {
	text := "  " + wording.Count(len(r.Keys), "value") + " will take effect "
	if len(r.Keys) == 1 {
		text = "  " + r.Keys[0] + " will take effect "
	}
	text += WhenEffective(r.Until)
	switch r.Until {
	case registry.AtRestart:
		text += ": adapter restart"
		for _, name := range r.Connections {
			text += " " + syntax.Quote(name)
		}
	case registry.AtReboot:
		text += ": host reboot"
	default:
	}
	return Clean(text) + "\n"
}

// NothingChanges returns the answer of a command that had nothing to change, with the reasons.
func NothingChanges(title string, why []string) Answer {
	return ChangeAnswer(EntryRow{Title: title, Operations: []OperationRow{}, Unchanged: why})
}

// ChangesNothing returns a line for the output of a tool that had nothing to change; nil if something was changed.
func (e *EntryRow) ChangesNothing() []string {
	if len(e.Operations) > 0 || len(e.Unchanged) == 0 {
		return nil
	}
	return []string{"Nothing changes: " + e.Unchanged[0]}
}

// WhenEffective returns when a stored value takes effect, as a phrase.
func WhenEffective(m registry.EffectTime) string {
	return map[registry.EffectTime]string{
		registry.AtRestart: "after a restart of the adapter", registry.AtOnce: "at once",
		registry.AtReload: "after a reload of the driver", registry.AtReboot: "after a reboot",
		registry.AtNewVM: "for virtual machines that start later",
	}[m]
}
