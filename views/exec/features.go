package exec

import (
	"fmt"
	"strings"

	"cxdeck/device/description"
)

// watchRow is whether the virtual functions of a connection are watched, as JSON.
type watchRow struct {
	Connection string `json:"connection"`
	State      string `json:"state"`
	// Period is the time between two readings in seconds, 0 when nothing is read; Why says why.
	Period uint32 `json:"period_seconds"`
	Why    string `json:"why,omitempty"`
}

// features is mlx5cmd -Features. Of its output the manual gives one line, which says whether virtual functions are
// watched: those of the connection that is named, or of any. VfCpuMonEnable alone decides that line (IOV-14). What
// keeps the driver from reading anything all the same stands in a line of our own below it when the connection is
// named.
func features(c *call) (answer, error) {
	const enabled, disabled = "Enabled", "Disabled"
	name := ""
	switch {
	case len(c.arguments) == 0:
	case len(c.arguments) == 2 && strings.EqualFold(c.arguments[0], "-Name"):
		name = c.arguments[1]
	default:
		return answer{}, mistake("mlx5cmd -Features takes -Name NAME, or nothing")
	}
	targets, err := c.toolTargets(description.WinOF2, "mlx5cmd -Features", name, false)
	if err != nil {
		return answer{}, err
	}
	state, lines, rows := disabled, []string{}, []watchRow{}
	for _, t := range targets {
		row := watchRow{Connection: t.connection, State: disabled}
		if t.number("VfCpuMonEnable") == 1 {
			state, row.State = enabled, enabled
			ports, err := c.portsOf(t.connection)
			if err != nil {
				return answer{}, err
			}
			row.Period = t.number("VfCpuMonBatchPeriodSec")
			switch {
			case row.Period == 0:
				row.Why = "VfCpuMonBatchPeriodSec gives no period, and the manual has no default for it"
			case ports[0].SRIOV.Open == 0:
				row.Period, row.Why = 0, "there are no virtual functions"
			}
			if row.Why != "" && name != "" {
				lines = append(lines, fmt.Sprintf("Nothing is read on %s: %s.", t.connection, row.Why))
			}
		}
		rows = append(rows, row)
	}
	return toldLines{append([]string{"State: " + state}, lines...), struct {
		State       string     `json:"state"`
		Connections []watchRow `json:"connections"`
	}{state, rows}}.answer(), nil
}

// number is what the driver works with for a key of the port, 0 when that is not known.
func (t *toolTarget) number(key string) uint32 {
	for i := range t.keys {
		if k := &t.keys[i]; k.Row.Name == key && k.Effective.Exists() {
			return k.Effective.Number()
		}
	}
	return 0
}
