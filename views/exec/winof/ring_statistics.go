package winof

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/device/completion"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/views/exec"
)

// ringCounter is a counter of a ring as JSON.
type ringCounter struct {
	Counter string  `json:"counter"`
	Value   float64 `json:"value"`
	// now reports that it does not add up over time.
	now bool
}

// ringRow is a ring as JSON.
type ringRow struct {
	Ring     string        `json:"ring"`
	Counters []ringCounter `json:"counters"`
	// bytes is how many went through the ring.
	bytes uint64
}

// throughput is the field with the throughput of a ring, in Gb/s.
const throughput = "Ring Throughput Runtime"

// noCounter marks a field that no counter of the lab has: no receive processing of it is left early.
const noCounter counter.ReceiveRing = -1

// receiveRingNames are the counters of a receive ring by the names of the tool, in its order.
var receiveRingNames = []struct {
	name string
	of   counter.ReceiveRing
	now  bool
}{
	{"PacketsReceivedDPC", counter.RingInterruptPackets, false},
	{"PacketsReceivedThread", counter.RingPollingPackets, false},
	{"Average Packets Per DPC", counter.RingAverage, true},
	{"Average Packets Per Thread", counter.RingAverage, true},
	{"ConsumedMaxReceives", counter.RingMaxReceives, false},
	{"NumTrafficProfileTransitions", counter.RingTransitions, false},
	{"PacketsLowResources", counter.RingLowIndicates, false},
	{"SkipReceiveDueToControlChanges", noCounter, false},
	{"DpcWatchDogSingleDpcStarvation", counter.RingSingleStarvations, false},
	{"DpcWatchDogTotalDpcStarvation", counter.RingTotalStarvations, false},
	{throughput, noCounter, true},
	{fmt.Sprintf("Histogram 0 - %d", completion.IndicateRange-1), counter.RingFewIndicates, false},
	{fmt.Sprintf("Histogram %d - %d", completion.IndicateRange, 2*completion.IndicateRange-1), counter.RingSomeIndicates, false},
	{fmt.Sprintf("Histogram %d -", 2*completion.IndicateRange), counter.RingManyIndicates, false},
}

// sendRingNames are the counters of a send ring. The manual names none of them.
var sendRingNames = []struct {
	name string
	of   counter.SendRing
	now  bool
}{
	{"Posted", counter.SendRingPosted, false},
	{"Completed", counter.SendRingCompleted, false},
	{"Frames", counter.SendRingPackets, false},
	{"Ring Full", counter.SendRingFull, false},
	{"Copied", counter.SendRingCopied, false},
	{"Average Completions", counter.SendRingAverage, true},
}

// portNamed returns the port of a connection, which is there.
func portNamed(lab *device.Lab, connection string) int {
	for port := range lab.Ports() {
		if d, _, _ := lab.Port(port); d.Connection == connection {
			return port
		}
	}
	return 0
}

// indicates reports whether the average of a mode means something: packets were handed up in that mode. Other fields always
// do.
func indicates(lab *device.Lab, port, ring int, name string) bool {
	of, average := map[string]counter.ReceiveRing{
		"Average Packets Per DPC": counter.RingInterruptPackets, "Average Packets Per Thread": counter.RingPollingPackets,
	}[name]
	return !average || lab.Counters()[lab.ReceiveRingCell(port, ring, of)] > 0
}

// ringsOf reads the rings of a connection.
func ringsOf(c *exec.Call, name string, receive, send bool) (rows []ringRow, err error) {
	err = c.Host.Look(c.Ctx, func(h *driver.Host) error {
		rows = readRings(h, name, receive, send)
		return nil
	})
	return rows, err
}

// ringsInASecond reads the receive rings of a copy of the host on which a second passes.
func ringsInASecond(c *exec.Call, name string) (rows []ringRow, err error) {
	err = c.Host.Look(c.Ctx, func(h *driver.Host) error {
		next := h.Clone()
		next.Advance(time.Second)
		rows = readRings(next, name, true, false)
		return nil
	})
	return rows, err
}

func readRings(h *driver.Host, name string, receive, send bool) (rows []ringRow) {
	lab := h.Lab()
	port := portNamed(lab, name)
	for ring := range lab.Rings(port) {
		row := ringRow{Ring: fmt.Sprintf("RX %d", ring)}
		row.bytes = lab.Counters()[lab.ReceiveRingCell(port, ring, counter.RingBytes)]
		for _, n := range receiveRingNames {
			value := 0.0
			if n.of != noCounter && indicates(lab, port, ring, n.name) {
				value = float64(lab.Counters()[lab.ReceiveRingCell(port, ring, n.of)])
			}
			row.Counters = append(row.Counters, ringCounter{n.name, value, n.now})
		}
		if receive {
			rows = append(rows, row)
		}
	}
	for ring := range lab.Rings(port) {
		row := ringRow{Ring: fmt.Sprintf("TX %d", ring)}
		for _, n := range sendRingNames {
			row.Counters = append(row.Counters, ringCounter{n.name, float64(lab.Counters()[lab.SendRingCell(port, ring, n.of)]), n.now})
		}
		if send {
			rows = append(rows, row)
		}
	}
	return rows
}

// ringStatistics is mlxtool show perfstats.
func ringStatistics(c *exec.Call) (exec.Answer, error) {
	what := strings.ToUpper(c.Arguments[1])
	if which, reset := ringResets[what]; reset && len(c.Arguments) == 2 {
		return resetRings(c, which)
	}
	receive, send, timed := what != "TX" && what != "TXD", what != "RX" && what != "RXD", what == "RXD" || what == "TXD"
	switch {
	case what != "RX" && what != "TX" && what != "SHOWALL" && !timed:
		return exec.Answer{}, exec.Mistake("the argument after the connection must be RX, TX, RXD, TXD, ShowAll, RxReset, TxReset, GlobalReset or ResetAll, not %q", c.Arguments[1])
	case timed != (len(c.Arguments) > 2):
		return exec.Answer{}, exec.Mistake("only RXD and TXD take a time in seconds, and they require it")
	}
	list, err := c.ToolTargets(description.WinOF, "mlxtool show perfstats", c.Arguments[0], false)
	if err != nil {
		return exec.Answer{}, err
	}
	var before []ringRow
	seconds := 0
	if timed {
		seconds, err = strconv.Atoi(c.Arguments[2])
		if most := int(exec.MaxAdvance.Seconds()); err != nil || seconds < 1 || seconds > most {
			return exec.Answer{}, exec.Mistake("invalid time %q: it must be 1 to %d seconds", c.Arguments[2], most)
		}
		if before, err = ringsOf(c, list[0].Connection, receive, send); err != nil {
			return exec.Answer{}, err
		}
		if err := c.Host.Advance(c.Ctx, time.Duration(seconds)*time.Second); err != nil {
			return exec.Answer{}, err
		}
	}
	rows, err := ringsOf(c, list[0].Connection, receive, send)
	if err != nil {
		return exec.Answer{}, err
	}
	from, to, passed := before, rows, seconds
	if !timed {
		from, passed = rows, 1
		if to, err = ringsInASecond(c, list[0].Connection); err != nil {
			return exec.Answer{}, err
		}
	}
	fillThroughput(rows, from, to, passed)
	subtractRings(rows, before)
	return exec.Answer{
		Result: struct {
			Connection string    `json:"connection"`
			Passed     int       `json:"passed_seconds,omitempty"`
			Rings      []ringRow `json:"rings"`
		}{list[0].Connection, seconds, rows},
		Text: func(w io.Writer) error { return writeRings(w, rows) },
	}, nil
}

// fillThroughput puts into rows what went through the receive rings from one reading to another, in Gb/s.
func fillThroughput(rows, from, to []ringRow, seconds int) {
	bytes := map[string]uint64{}
	for _, row := range from {
		bytes[row.Ring] = row.bytes
	}
	rates := map[string]float64{}
	for _, row := range to {
		const giga = 1e9
		rates[row.Ring] = math.Round(float64(row.bytes-min(bytes[row.Ring], row.bytes))*8/giga/float64(seconds)*1000) / 1000
	}
	for _, row := range rows {
		for i := range row.Counters {
			if row.Counters[i].Counter == throughput {
				row.Counters[i].Value = rates[row.Ring]
			}
		}
	}
}

// ringResets are the words of the tool that clear statistics, with what ResetStatistics calls them; the lab has no global
// ones.
var ringResets = map[string]driver.Statistics{
	"RXRESET": driver.ReceiveStatistics, "TXRESET": driver.SendStatistics, "GLOBALRESET": "", "RESETALL": driver.AllStatistics,
}

// resetRings clears statistics.
func resetRings(c *exec.Call, which driver.Statistics) (exec.Answer, error) {
	list, err := c.ToolTargets(description.WinOF, "mlxtool show perfstats", c.Arguments[0], false)
	if err != nil {
		return exec.Answer{}, err
	}
	if err := c.MayChange("mlxtool show perfstats " + c.Arguments[1]); err != nil {
		return exec.Answer{}, err
	}
	if which == "" {
		return exec.NothingChanges("Clear the global statistics of "+list[0].Connection, []string{"the lab has no global statistics"}), nil
	}
	return c.ApplyOne(driver.ResetStatistics{Connection: list[0].Connection, Which: which})
}

// subtractRings leaves of counters what came since they were read before. A ring that was cleared since began at 0, and
// so did one that did not exist.
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
		t := exec.NewTextTable(w, heading...)
		for i, counter := range rows[0].Counters {
			cells := []string{counter.Counter}
			for _, row := range rows[:n] {
				cells = append(cells, strconv.FormatFloat(row.Counters[i].Value, 'f', -1, 64))
			}
			t.Row(cells...)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}
