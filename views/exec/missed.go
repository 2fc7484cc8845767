package exec

import (
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/perf"
)

// MissedRow is current traffic that will find no receiver, as JSON.
type MissedRow struct {
	driver.Unreceived
	rate string // with its unit, for the text
}

// MissedRows returns the rows of traffic without a receiver.
func (c *Call) MissedRows(list []driver.Unreceived) (rows []MissedRow) {
	for _, unreceived := range list {
		rows = append(rows, MissedRow{unreceived, c.BitRate(unreceived.Rate)})
	}
	return rows
}

// Sentence says which traffic finds no receiver and why, without a full stop.
func (m *MissedRow) Sentence() string {
	return fmt.Sprintf("%s: %s of the current traffic finds no receiver: %s (%s)", m.Target, m.rate, m.Why, m.names())
}

// names lists the first workloads, and counts the others.
func (m *MissedRow) names() string {
	const maxNames = 3
	var names []string
	for i := range m.Flows {
		if i == maxNames {
			return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), len(m.Flows)-maxNames)
		}
		names = append(names, m.Flows[i].Name)
	}
	return strings.Join(names, ", ")
}

// BitRate formats a rate given in bits per second, in bits or bytes as on the screens.
func (c *Call) BitRate(bits float64) string {
	return perf.Number(bits/8, perf.Bytes, true, c.Runner.InBytes)
}
