package winof2

import (
	"fmt"
	"strings"

	"cxdeck/device/description"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// monitorRow is the monitoring of a connection's virtual functions as JSON.
type monitorRow struct {
	Connection string `json:"connection"`
	State      string `json:"state"`
	// Period is the time between two readings in seconds; it is 0 if nothing is read, for the reason Why.
	Period uint32 `json:"period_seconds"`
	Why    string `json:"why,omitempty"`
}

// features implements mlx5cmd -Features. The manual shows one line of its output: whether virtual functions are monitored, on the
// named connection or on any. Only VfCpuMonEnable decides it (IOV-14). For a named connection, a line of our own says why the
// driver reads nothing although monitoring is enabled.
func features(c *exec.Call) (exec.Answer, error) {
	const enabled, disabled = "Enabled", "Disabled"
	name := ""
	switch {
	case len(c.Arguments) == 0:
	case len(c.Arguments) == 2 && strings.EqualFold(c.Arguments[0], "-Name"):
		name = c.Arguments[1]
	default:
		return exec.Answer{}, exec.Mistake("mlx5cmd -Features takes -Name NAME, or nothing")
	}
	targets, err := registrykey.ToolTargets(c, description.WinOF2, "mlx5cmd -Features", name, false)
	if err != nil {
		return exec.Answer{}, err
	}
	state, lines, rows := disabled, []string{}, []monitorRow{}
	for _, t := range targets {
		row := monitorRow{Connection: t.Connection, State: disabled}
		if numberOfKey(&t, "VfCpuMonEnable") == 1 {
			state, row.State = enabled, enabled
			ports, err := c.PortsOf(t.Connection)
			if err != nil {
				return exec.Answer{}, err
			}
			row.Period = numberOfKey(&t, "VfCpuMonBatchPeriodSec")
			switch {
			case row.Period == 0:
				row.Why = "VfCpuMonBatchPeriodSec sets no period, and the manual gives no default"
			case ports[0].SRIOV.Open == 0:
				row.Period, row.Why = 0, "there are no virtual functions"
			}
			if row.Why != "" && name != "" {
				lines = append(lines, fmt.Sprintf("Nothing is read on %s: %s.", t.Connection, row.Why))
			}
		}
		rows = append(rows, row)
	}
	return exec.PrintLines(append([]string{"State: " + state}, lines...), struct {
		State       string       `json:"state"`
		Connections []monitorRow `json:"connections"`
	}{state, rows}), nil
}

// numberOfKey returns the effective number of a key; 0 if the port has no such key, or the key no value.
func numberOfKey(t *registrykey.ToolTarget, key string) uint32 {
	for i := range t.Keys {
		if k := &t.Keys[i]; k.Row.Name == key && k.Effective.Exists() {
			return k.Effective.Number()
		}
	}
	return 0
}
