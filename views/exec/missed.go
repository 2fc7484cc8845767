package exec

import (
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/perf"
)

// MissedRow is traffic of now that will find no receiver.
type MissedRow struct {
	Target    string                   `json:"target"`
	VLAN      int                      `json:"vlan,omitempty"`
	Why       string                   `json:"why"`
	Rate      float64                  `json:"bits_per_second"`
	Workloads []driver.InterruptedFlow `json:"workloads"`
	rate      string                   // as text shows it
}

func (c *Call) MissedRows(list []driver.Unreceived) (rows []MissedRow) {
	for i := range list {
		one := &list[i]
		rows = append(rows, MissedRow{one.Target, one.VLAN, one.Why, one.Rate, append([]driver.InterruptedFlow{}, one.Flows...),
			c.BitRate(one.Rate)})
	}
	return rows
}

// Sentence says what traffic finds no receiver, and why, without its end.
func (m *MissedRow) Sentence() string {
	return fmt.Sprintf("%s: %s of the present traffic finds no receiver: %s (%s)", m.Target, m.rate, m.Why, m.names())
}

// names returns the first few workloads.
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

// BitRate returns a rate in bits per second as the screens show it.
func (c *Call) BitRate(bits float64) string {
	return perf.Number(bits/8, perf.Bytes, true, c.Runner.InBytes)
}
