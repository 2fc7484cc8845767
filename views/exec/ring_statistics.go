package exec

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/driver"
)

// ringCommands show what the vendor's tool shows of rings; statistics reset clears it.
func ringCommands() []Command {
	return []Command{{
		Name: "mlxtool show perfstats", Arguments: "NAME RX|TX|RXD SECONDS|TXD SECONDS|ShowAll|ResetAll",
		Help:  "show the statistics of the rings",
		least: 2, most: 3, tool: true, run: ringStatistics,
		About: []string{"NAME is that of a connection of WinOF. RX and TX show what the rings have counted since they " +
			"were cleared, ShowAll both. RXD and TXD let a time pass and show what came in it. The histogram says how often " +
			"so many packets were handed to the network stack at once, without those whose buffers it had to give back. " +
			"RxReset, TxReset, GlobalReset and ResetAll clear the statistics, as statistics reset does. The manual gives no text of the output; here it is a table."},
		Examples: []Example{{`mlxtool show perfstats "Ethernet 3" RX`, ""},
			{`mlxtool show perfstats "Ethernet 3" RXD 10`, ""}},
		Result: []Field{
			{"connection", "whose they are"},
			{"passed_seconds", "with RXD and TXD, the time in which it came"},
			{"rings", "a list"},
			{"rings.ring", "its name: RX or TX and its number"},
			{"rings.counters", "a list: counter, value"},
			{"change", "what was cleared, as statistics reset has it; left out when nothing was, with which the others are there"},
		},
	}}
}

// ringCounter is a counter of a ring as JSON.
type ringCounter struct {
	Counter string `json:"counter"`
	Value   uint64 `json:"value"`
	// now says that it does not add up over time.
	now bool
}

// ringRow is a ring as JSON.
type ringRow struct {
	Ring     string        `json:"ring"`
	Counters []ringCounter `json:"counters"`
}

// receiveRingNames are the counters of a receive ring by the names of the tool, in its order.
var receiveRingNames = []struct {
	name string
	of   device.ReceiveRingCounter
	now  bool
}{
	{"PacketsReceivedDPC", device.RingInterruptPackets, false},
	{"PacketsReceivedThread", device.RingPollingPackets, false},
	{"Average Packets Per Indication", device.RingAverage, true},
	{"ConsumedMaxReceives", device.RingMaxReceives, false},
	{"NumTrafficProfileTransitions", device.RingTransitions, false},
	{"PacketsLowResources", device.RingLowIndicates, false},
	{"DpcWatchDogSingleDpcStarvation", device.RingSingleStarvations, false},
	{"DpcWatchDogTotalDpcStarvation", device.RingTotalStarvations, false},
	{fmt.Sprintf("0 - %d", device.IndicateRange-1), device.RingFewIndicates, false},
	{fmt.Sprintf("%d - %d", device.IndicateRange, 2*device.IndicateRange-1), device.RingSomeIndicates, false},
	{fmt.Sprintf("%d -", 2*device.IndicateRange), device.RingManyIndicates, false},
}

// sendRingNames are those of a send ring. The manual names none of them.
var sendRingNames = []struct {
	name string
	of   device.SendRingCounter
	now  bool
}{
	{"Posted", device.SendRingPosted, false},
	{"Completed", device.SendRingCompleted, false},
	{"Frames", device.SendRingPackets, false},
	{"Ring Full", device.SendRingFull, false},
	{"Copied", device.SendRingCopied, false},
	{"Average Completions", device.SendRingAverage, true},
}

// portNamed is the port of a connection, which is there.
func portNamed(lab *device.Lab, connection string) int {
	for port := range lab.Ports() {
		if d, _, _ := lab.Port(port); d.Connection == connection {
			return port
		}
	}
	return 0
}

// ringsOf reads the rings of a connection.
func (c *call) ringsOf(name string, receive, send bool) (rows []ringRow, err error) {
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		lab := h.Lab()
		port := portNamed(lab, name)
		for ring := range lab.Rings(port) {
			row := ringRow{Ring: fmt.Sprintf("RX %d", ring)}
			for _, n := range receiveRingNames {
				row.Counters = append(row.Counters,
					ringCounter{n.name, lab.Counters()[lab.ReceiveRingCell(port, ring, n.of)], n.now})
			}
			if receive {
				rows = append(rows, row)
			}
		}
		for ring := range lab.Rings(port) {
			row := ringRow{Ring: fmt.Sprintf("TX %d", ring)}
			for _, n := range sendRingNames {
				row.Counters = append(row.Counters, ringCounter{n.name, lab.Counters()[lab.SendRingCell(port, ring, n.of)], n.now})
			}
			if send {
				rows = append(rows, row)
			}
		}
		return nil
	})
	return rows, err
}

// ringStatistics is mlxtool show perfstats.
func ringStatistics(c *call) (answer, error) {
	what := strings.ToUpper(c.arguments[1])
	which, resets := map[string]driver.Statistics{
		"RXRESET": driver.ReceiveStatistics, "TXRESET": driver.SendStatistics, "GLOBALRESET": driver.AllStatistics,
		"RESETALL": driver.AllStatistics,
	}[what]
	if resets {
		return c.resetRings(which)
	}
	receive, send, timed := what != "TX" && what != "TXD", what != "RX" && what != "RXD", what == "RXD" || what == "TXD"
	switch {
	case what != "RX" && what != "TX" && what != "SHOWALL" && !timed:
		return answer{}, mistake("%q is none of RX, TX, RXD, TXD, ShowAll, RxReset, TxReset, GlobalReset, ResetAll", c.arguments[1])
	case timed != (len(c.arguments) > 2):
		return answer{}, mistake("RXD and TXD take a time in seconds, and nothing else does")
	}
	list, err := c.toolTargets(device.WinOF, "mlxtool show perfstats", c.arguments[0], false)
	if err != nil {
		return answer{}, err
	}
	var before []ringRow
	seconds := 0
	if timed {
		seconds, err = strconv.Atoi(c.arguments[2])
		if most := int(longestAdvance.Seconds()); err != nil || seconds < 1 || seconds > most {
			return answer{}, mistake("%q is no time in seconds: write 1 to %d", c.arguments[2], most)
		}
		if before, err = c.ringsOf(list[0].connection, receive, send); err != nil {
			return answer{}, err
		}
		if err := c.host.Advance(c.ctx, time.Duration(seconds)*time.Second); err != nil {
			return answer{}, err
		}
	}
	rows, err := c.ringsOf(list[0].connection, receive, send)
	if err != nil {
		return answer{}, err
	}
	subtractRings(rows, before)
	return answer{
		result: struct {
			Connection string    `json:"connection"`
			Passed     int       `json:"passed_seconds,omitempty"`
			Rings      []ringRow `json:"rings"`
		}{list[0].connection, seconds, rows},
		text: func(w io.Writer) error { return writeRings(w, rows) },
	}, nil
}

// resetRings clears the statistics of the rings.
func (c *call) resetRings(which driver.Statistics) (answer, error) {
	if err := c.mayChange("mlxtool show perfstats " + c.arguments[1]); err != nil {
		return answer{}, err
	}
	name, err := c.named(0)
	if err != nil {
		return answer{}, err
	}
	return c.one(driver.ResetStatistics{Connection: name, Which: which})
}

// subtractRings leaves of counters what came since they were read before. A ring that was cleared since began at 0, and
// so did one that was not there.
func subtractRings(rows, before []ringRow) {
	began := map[string][]ringCounter{}
	for _, row := range before {
		began[row.Ring] = row.Counters
	}
	for _, row := range rows {
		for i, was := range began[row.Ring] {
			if n := &row.Counters[i]; !n.now && n.Value >= was.Value {
				n.Value -= was.Value
			}
		}
	}
}

// writeRings writes a table for receiving and one for sending, with a column for each ring.
func writeRings(w io.Writer, rows []ringRow) error {
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && len(rows[n].Counters) == len(rows[0].Counters) {
			n++
		}
		heading := []string{"COUNTER"}
		for _, row := range rows[:n] {
			heading = append(heading, row.Ring)
		}
		t := newTable(w, heading...)
		for i, counter := range rows[0].Counters {
			cells := []string{counter.Counter}
			for _, row := range rows[:n] {
				cells = append(cells, strconv.FormatUint(row.Counters[i].Value, 10))
			}
			t.row(cells...)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}
