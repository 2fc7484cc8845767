package fit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/perf"
)

// Limits of a fit.
const (
	// MaxRows is the maximum number of rows that are read of a log; a longer one is read at equal distances.
	MaxRows = 3600
	// MaxTime is the maximum time of a log, which is the maximum period of a workload; the rest is not used.
	MaxTime = 24 * time.Hour
)

// ErrNoCounters is the error for a log without a main counter of the lab's ports.
var ErrNoCounters = errors.New("it has none of the main counters of the twin's ports: log Network Interface, the port traffic set of the driver and RDMA Activity, as cxdeck twin script does")

// group is what a counter measures. The mean errors of a fit are listed by group.
type group uint8

const (
	bytesIn group = iota
	bytesOut
	packetsIn
	packetsOut
	rdmaIn
	rdmaOut
	rdmaFramesIn
	rdmaFramesOut
	discardsIn
	discardsOut
	errorsIn
	congestion
	groupCount
)

var groupNames = [groupCount]string{
	"Bytes received", "Bytes sent", "Packets received", "Packets sent", "RDMA bytes received", "RDMA bytes sent", "RDMA frames received", "RDMA frames sent",
	"Received discards", "Sent discards", "Received errors", "Congestion: CNPs and ECN marks",
}

// String returns the name of the group.
func (g group) String() string { return groupNames[g] }

// mainSets are the sets with main counters. A device set has instances by the description of the adapter, the other ones by connection.
var mainSets = map[string]bool{
	"Mellanox WinOF-2 Port Traffic": true, "Mellanox Adapter Traffic Counters": true, "Mellanox IB Adapter Traffic Counters": true,
	"Network Interface": true, "RDMA Activity": true, "Mellanox WinOF-2 Congestion Control": true,
}

// groupOf returns the group of a main counter; false for any other one.
func groupOf(set, counter string) (group, bool) {
	if !mainSets[set] {
		return 0, false
	}
	switch strings.ToLower(counter) {
	case "bytes received/sec", "kbytes received/sec":
		return bytesIn, true
	case "bytes sent/sec", "kbytes sent/sec":
		return bytesOut, true
	case "packets received/sec":
		return packetsIn, true
	case "packets sent/sec":
		return packetsOut, true
	case "rdma inbound bytes/sec":
		return rdmaIn, true
	case "rdma outbound bytes/sec":
		return rdmaOut, true
	case "rdma inbound frames/sec":
		return rdmaFramesIn, true
	case "rdma outbound frames/sec":
		return rdmaFramesOut, true
	case "packets received discarded", "packets received discarded no receive wqes":
		return discardsIn, true
	case "packets outbound discarded":
		return discardsOut, true
	case "packets received errors":
		return errorsIn, true
	case "notification point cnps sent successfully", "notification point rocev2 ecn marked packets", "reaction point successfully handled cnp packets":
		return congestion, true
	}
	return 0, false
}

// curve is a main counter of a port in the lab and in the log. Its values are per second.
type curve struct {
	group  group
	port   int // in the order of the description
	path   string
	lab    int // series of the lab
	log    int // series of the log
	values []float64
	scale  float64 // its largest value, at least 1
}

// logged is what a log says of the main counters.
type logged struct {
	// times are the ends of the rows, after the start of the log; the values of a row are of the time since the row before.
	times  []time.Duration
	curves []curve
	// rows and missing count the rows, and the values that they lack.
	rows, missing int
	cut           bool // the log is longer than MaxTime
}

// foldInstance returns an instance in the form for comparisons: Windows writes other brackets and numbers than the adapter's description has.
func foldInstance(name string) string {
	return perf.FoldPath(strings.NewReplacer("#", "_", "(", "[", ")", "]", "/", "_", `\`, "_").Replace(strings.TrimSpace(name)))
}

// findCurves pairs the main counters of a lab with the series of a log.
func findCurves(d *description.Description, lab, log *perf.Schema) (curves []curve) {
	type key struct{ set, instance, counter string }
	found := map[key]int{}
	for i := range log.Series {
		s := &log.Series[i]
		if k := (key{perf.FoldPath(s.Set), foldInstance(s.Instance), perf.FoldPath(s.Counter)}); s.Instance != "" {
			if _, taken := found[k]; !taken {
				found[k] = i
			}
		}
	}
	ports := map[string]int{}
	var names [][2]string
	for a := range d.Adapters {
		for _, p := range d.Adapters[a].Ports {
			ports[p.Connection], ports[p.Device] = len(names), len(names)
			names = append(names, [2]string{p.Connection, p.Device})
		}
	}
	for i := range lab.Series {
		s := &lab.Series[i]
		g, isMain := groupOf(s.Set, s.Counter)
		port, ofPort := ports[s.Instance]
		if !isMain || !ofPort {
			continue
		}
		for _, name := range []string{s.Instance, names[port][0], names[port][1]} { // a real host may name either
			at, ok := found[key{perf.FoldPath(s.Set), foldInstance(name), perf.FoldPath(s.Counter)}]
			if ok {
				curves = append(curves, curve{group: g, port: port, path: s.Path(), lab: i, log: at, scale: 1})
				break
			}
		}
	}
	return curves
}

// readLog reads the curves of a log.
func readLog(ctx context.Context, source perf.Source, curves []curve) (*logged, error) {
	l := &logged{curves: curves}
	interval := time.Nanosecond
	if seeker, ok := source.(perf.Seeker); ok {
		from, to := seeker.Span()
		interval = max(interval, to.Sub(from)/MaxRows)
	}
	var column perf.Column
	var start time.Time
	before := make([]float64, len(curves)) // the last counts
	at := make([]time.Time, len(curves))
	for n := 0; n <= MaxRows; n++ {
		err := source.Next(ctx, interval, &column)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if n == 0 {
			start = column.Time
		}
		if column.Time.Sub(start) > MaxTime {
			l.cut = true
			break
		}
		for i := range curves {
			c := &curves[i]
			s := &source.Schema().Series[c.log]
			value := s.CellValue(s.CellOf(&column))
			if s.Kind == perf.Cumulative {
				count := value
				if elapsed := column.Time.Sub(at[i]).Seconds(); !math.IsNaN(count) && !at[i].IsZero() && count >= before[i] && elapsed > 0 {
					value = (count - before[i]) / elapsed
				} else {
					value = math.NaN()
				}
				if !math.IsNaN(count) {
					before[i], at[i] = count, column.Time
				}
			}
			if n == 0 { // it is of a time before the log
				continue
			}
			if math.IsInf(value, 0) || value < 0 || value > 1e13 {
				value = math.NaN()
			}
			if math.IsNaN(value) {
				l.missing++
			} else {
				c.scale = max(c.scale, value)
			}
			c.values = append(c.values, value)
		}
		if n > 0 {
			l.times = append(l.times, column.Time.Sub(start))
		}
	}
	if l.rows = len(l.times); l.rows < 2 {
		return nil, fmt.Errorf("it has %d rows with values, and a course requires at least 3 rows", l.rows)
	}
	return l, nil
}

// filled returns the value of a curve in a row; of a missing one what lies between its neighbours.
func (l *logged) filled(c *curve, row int) float64 {
	if value := c.values[row]; !math.IsNaN(value) {
		return value
	}
	left, right := row-1, row+1
	for left >= 0 && math.IsNaN(c.values[left]) {
		left--
	}
	for right < l.rows && math.IsNaN(c.values[right]) {
		right++
	}
	switch {
	case left < 0 && right == l.rows:
		return 0
	case left < 0:
		return c.values[right]
	case right == l.rows:
		return c.values[left]
	}
	share := float64(l.times[row]-l.times[left]) / float64(l.times[right]-l.times[left])
	return c.values[left] + share*(c.values[right]-c.values[left])
}
