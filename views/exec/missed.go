package exec

import (
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/perf"
)

// MissedRow is traffic of now that will find no receiver.
type MissedRow struct {
	driver.Unreceived
	rate string // as text shows it
}

// MissedRows are the rows of such traffic.
func (c *Call) MissedRows(list []driver.Unreceived) (rows []MissedRow) {
	for _, one := range list {
		rows = append(rows, MissedRow{one, c.BitRate(one.Rate)})
	}
	return rows
}

// Sentence returns what traffic finds no receiver, and why, without its end.
func (m *MissedRow) Sentence() string {
	return fmt.Sprintf("%s: %s of the present traffic finds no receiver: %s (%s)", m.Target, m.rate, m.Why, m.names())
}

// names returns the first few workloads.
func (m *MissedRow) names() string {
	const most = 3
	var names []string
	for i := range m.Flows {
		if i == most {
			return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), len(m.Flows)-most)
		}
		names = append(names, m.Flows[i].Name)
	}
	return strings.Join(names, ", ")
}

// BitRate returns a rate in bits per second as the screens show it.
func (c *Call) BitRate(bits float64) string {
	return perf.Number(bits/8, perf.Bytes, true, c.Runner.InBytes)
}
