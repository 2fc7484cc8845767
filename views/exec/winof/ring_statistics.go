package winof

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/device/completion"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// ringCounter is a counter of a ring as JSON.
type ringCounter struct {
	Counter string  `json:"counter"`
	Value   float64 `json:"value"`
	// gauge reports that the value is not cumulative.
	gauge bool
}

// ringRow is a ring as JSON.
type ringRow struct {
	Ring     string        `json:"ring"`
	Counters []ringCounter `json:"counters"`
	// bytes is the number of bytes received through the ring; 0 for a send ring.
	bytes uint64
}

// throughput is the tool's name for the throughput of a ring, in Gb/s.
const throughput = "Ring Throughput Runtime"

// histogram begins the names of the counters of a histogram, which follow each other; the manual prints them as a table of their own
// under histogramHeading.
const (
	histogram        = "Histogram "
	histogramHeading = "Histogram of Number Of Received Packets Per Indicate Call (non-low resources)"
)

// noCounter marks a field without a counter in the lab.
const noCounter counter.ReceiveRing = -1

// receiveRingNames has the tool's names for the counters of a receive ring, in its order.
var receiveRingNames = []struct {
	name    string
	counter counter.ReceiveRing
	gauge   bool
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
	{fmt.Sprintf(histogram+"0 - %d", completion.IndicateRange-1), counter.RingFewIndicates, false},
	{fmt.Sprintf(histogram+"%d - %d", completion.IndicateRange, 2*completion.IndicateRange-1), counter.RingSomeIndicates, false},
	{fmt.Sprintf(histogram+"%d -", 2*completion.IndicateRange), counter.RingManyIndicates, false},
}

// sendRingNames has names for the counters of a send ring. The manual gives none.
var sendRingNames = []struct {
	name    string
	counter counter.SendRing
	gauge   bool
}{
	{"Posted", counter.SendRingPosted, false},
	{"Completed", counter.SendRingCompleted, false},
	{"Frames", counter.SendRingPackets, false},
	{"Ring Full", counter.SendRingFull, false},
	{"Copied", counter.SendRingCopied, false},
	{"Average Completions", counter.SendRingAverage, true},
}

// portOf returns the number of a connection's port; the connection must exist.
func portOf(lab *device.Lab, connection string) int {
	for port := range lab.Ports() {
		if d, _, _ := lab.Port(port); d.Connection == connection {
			return port
		}
	}
	return 0
}

// isDefined reports whether a field has a value: an average by mode has one only if the ring passed on packets in that mode.
func isDefined(lab *device.Lab, port, ring int, name string) bool {
	packets, isAverage := map[string]counter.ReceiveRing{
		"Average Packets Per DPC": counter.RingInterruptPackets, "Average Packets Per Thread": counter.RingPollingPackets,
	}[name]
	return !isAverage || lab.Counters()[lab.ReceiveRingCell(port, ring, packets)] > 0
}

// ringsOf reads the rings of a connection.
func ringsOf(c *exec.Call, name string, receive, send bool) (rows []ringRow, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		rows = readRings(h, name, receive, send)
		return nil
	})
	return rows, err
}

// ringsInASecond reads the receive rings of a copy of the host that runs for one more second.
func ringsInASecond(c *exec.Call, name string) (rows []ringRow, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		next := h.Clone()
		next.Advance(time.Second)
		rows = readRings(next, name, true, false)
		return nil
	})
	return rows, err
}

func readRings(h *driver.Host, name string, receive, send bool) (rows []ringRow) {
	lab := h.Lab()
	port := portOf(lab, name)
	for ring := range lab.Rings(port) {
		row := ringRow{Ring: fmt.Sprintf("RX %d", ring)}
		row.bytes = lab.Counters()[lab.ReceiveRingCell(port, ring, counter.RingBytes)]
		for _, n := range receiveRingNames {
			value := 0.0
			if n.counter != noCounter && isDefined(lab, port, ring, n.name) {
				value = float64(lab.Counters()[lab.ReceiveRingCell(port, ring, n.counter)])
			}
			row.Counters = append(row.Counters, ringCounter{n.name, value, n.gauge})
		}
		if receive {
			rows = append(rows, row)
		}
	}
	for ring := range lab.Rings(port) {
		row := ringRow{Ring: fmt.Sprintf("TX %d", ring)}
		for _, n := range sendRingNames {
			row.Counters = append(row.Counters, ringCounter{n.name, float64(lab.Counters()[lab.SendRingCell(port, ring, n.counter)]), n.gauge})
		}
		if send {
			rows = append(rows, row)
		}
	}
	return rows
}

// ringStatistics implements mlxtool show perfstats.
func ringStatistics(c *exec.Call) (exec.Answer, error) {
	word := strings.ToUpper(c.Arguments[1])
	if which, isReset := ringResets[word]; isReset && len(c.Arguments) > 2 {
		return exec.Answer{}, exec.Mistake("unexpected argument %q: %s takes none", c.Arguments[2], c.Arguments[1])
	} else if isReset {
		return resetRings(c, which)
	}
	receive, send, timed := word != "TX" && word != "TXD", word != "RX" && word != "RXD", word == "RXD" || word == "TXD"
	switch {
	case word != "RX" && word != "TX" && word != "SHOWALL" && !timed:
		return exec.Answer{}, exec.Mistake("the argument after the connection must be RX, TX, RXD, TXD, ShowAll, RxReset, TxReset, GlobalReset or ResetAll, not %q", c.Arguments[1])
	case timed && len(c.Arguments) < 3:
		return exec.Answer{}, exec.Mistake("%s requires a time in seconds: mlxtool show perfstats NAME %[1]s SECONDS", word)
	case !timed && len(c.Arguments) > 2:
		return exec.Answer{}, exec.Mistake("unexpected argument %q: only RXD and TXD take a time in seconds", c.Arguments[2])
	}
	list, err := registrykey.ToolTargets(c, description.WinOF, "mlxtool show perfstats", c.Arguments[0], false)
	if err != nil {
		return exec.Answer{}, err
	}
	var before []ringRow
	seconds := 0
	if timed {
		seconds, err = strconv.Atoi(c.Arguments[2])
		if limit := int(exec.MaxAdvance.Seconds()); err != nil || seconds < 1 || seconds > limit {
			return exec.Answer{}, exec.Mistake("invalid time %q: it must be 1 to %d seconds", c.Arguments[2], limit)
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
	var global []ringCounter
	if word == "SHOWALL" {
		global = totalsOf(rows)
	}
	return exec.Answer{
		Result: struct {
			Connection string        `json:"connection"`
			Passed     int           `json:"passed_seconds,omitempty"`
			Rings      []ringRow     `json:"rings"`
			Global     []ringCounter `json:"global,omitempty"`
		}{list[0].Connection, seconds, rows, global},
		Text: func(w io.Writer) error {
			if err := writeRings(w, rows); err != nil || len(global) == 0 {
				return err
			}
			return writeTotals(w, global)
		},
	}, nil
}

// totalsOf returns the global statistics: the sum of each cumulative counter over the rings. The ranges of the histogram are left out,
// since the manual has it for a ring.
func totalsOf(rows []ringRow) (totals []ringCounter) {
	for _, row := range rows {
		for _, n := range row.Counters {
			if n.gauge || strings.HasPrefix(n.Counter, histogram) {
				continue
			}
			at := slices.IndexFunc(totals, func(total ringCounter) bool { return total.Counter == n.Counter })
			if at < 0 {
				totals, at = append(totals, ringCounter{Counter: n.Counter}), len(totals)
			}
			totals[at].Value += n.Value
		}
	}
	return totals
}

// writeTotals writes a table of the global statistics.
func writeTotals(w io.Writer, totals []ringCounter) error {
	t := exec.NewTextTable(w, "COUNTER", "GLOBAL")
	for _, total := range totals {
		t.Row(total.Counter, strconv.FormatFloat(total.Value, 'f', -1, 64))
	}
	return t.Flush()
}

// fillThroughput sets the throughput of receive rings in rows, in Gb/s, from the bytes between two readings.
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

// ringResets maps the words of the tool that clear statistics to those that it clears.
var ringResets = map[string]hardware.Statistics{
	"RXRESET": hardware.ReceiveStatistics, "TXRESET": hardware.SendStatistics, "GLOBALRESET": hardware.GlobalStatistics, "RESETALL": hardware.AllStatistics,
}

// resetRings clears the ring statistics of a connection.
func resetRings(c *exec.Call, which hardware.Statistics) (exec.Answer, error) {
	list, err := registrykey.ToolTargets(c, description.WinOF, "mlxtool show perfstats", c.Arguments[0], false)
	if err != nil {
		return exec.Answer{}, err
	}
	if err := c.MayChange("mlxtool show perfstats " + c.Arguments[1]); err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(hardware.ResetStatistics{Connection: list[0].Connection, Which: which})
}

// subtractRings subtracts an earlier reading from cumulative counters. A ring that was cleared meanwhile, or did not exist, is not
// changed.
func subtractRings(rows, before []ringRow) {
	earlier := map[string][]ringCounter{}
	for _, row := range before {
		earlier[row.Ring] = row.Counters
	}
	for _, row := range rows {
		for i, old := range earlier[row.Ring] {
			if n := &row.Counters[i]; !n.gauge && n.Value >= old.Value {
				n.Value -= old.Value
			}
		}
	}
}

// writeRings writes a table of the receive rings, one of their histogram, and one of the send rings, with a column for each ring.
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
		inHistogram := false
		for i, counter := range rows[0].Counters {
			name, isRange := strings.CutPrefix(counter.Counter, histogram)
			if isRange && !inHistogram {
				if err := t.Flush(); err != nil {
					return err
				}
				if _, err := fmt.Fprintln(w, histogramHeading); err != nil {
					return err
				}
				heading[0], inHistogram = "Range", true
				for i := range heading[1:] {
					heading[i+1] = "Hits " + heading[i+1]
				}
				t = exec.NewTextTable(w, heading...)
			}
			cells := []string{name}
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
