package exec

import (
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/perf"
)

// FlowRow is traffic that finds no receiver, in a JSON document.
type FlowRow struct {
	Name       string  `json:"name"`
	Connection string  `json:"connection"`
	Rate       float64 `json:"bits_per_second"`
}

// MissedRow is traffic of now that will find no receiver.
type MissedRow struct {
	Target    string    `json:"target"`
	VLAN      int       `json:"vlan,omitempty"`
	Why       string    `json:"why"`
	Rate      float64   `json:"bits_per_second"`
	Workloads []FlowRow `json:"workloads"`
	rate      string    // as text shows it
}

func (c *Call) MissedRows(list []driver.Unreceived) (rows []MissedRow) {
	for i := range list {
		one := &list[i]
		missed := MissedRow{one.Target, one.VLAN, one.Why, one.Rate, []FlowRow{}, c.BitRate(one.Rate)}
		for _, f := range one.Flows {
			missed.Workloads = append(missed.Workloads, FlowRow{f.Name, f.Connection, f.Rate})
		}
		rows = append(rows, missed)
	}
	return rows
}

// names are the first few workloads.
func (m *MissedRow) names() string {
	const most = 3
	var names []string
	for i := range m.Workloads {
		if i == most {
			return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), len(m.Workloads)-most)
		}
		names = append(names, m.Workloads[i].Name)
	}
	return strings.Join(names, ", ")
}

// BitRate is a rate in bits a second as the screens show it.
func (c *Call) BitRate(bits float64) string {
	return perf.Number(bits/8, perf.Bytes, true, c.Runner.InBytes)
}
