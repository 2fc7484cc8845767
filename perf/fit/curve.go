package fit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/perf"
)

// Limits of a fit.
const (
	// MaxRows is the maximum number of rows that are kept of a log; a log with more rows is read in means of equal times.
	MaxRows = 3600
	// MaxTime is the maximum time of a log, which is the maximum period of a workload; the rest is not used.
	MaxTime = 24 * time.Hour
)

// ErrNoCounters is the error for a log without a main counter of the lab's ports.
var ErrNoCounters = errors.New("it has none of the main counters of the twin's ports: log Network Interface, the port traffic set of the driver and RDMA Activity, as cxdeck twin script does; on Linux record --source local")

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

// isBytes reports whether counters of the group count bytes, not packets.
func (g group) isBytes() bool { return g == bytesIn || g == bytesOut || g == rdmaIn || g == rdmaOut }

func (g group) isRDMA() bool { return g >= rdmaIn && g <= rdmaFramesOut }

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

// IsMain reports whether workloads can follow a counter, by its set and name.
func IsMain(set, counter string) bool {
	_, ok := groupOf(set, counter)
	return ok
}

// curve is a main counter of a port in the lab and in the log. Its values are per second.
type curve struct {
	group  group
	port   int // in the order of the description
	path   string
	lab    int     // series of the lab
	log    []int   // series of the log, which are added up
	factor float64 // from the unit of the log to the unit of the lab
	values []float64
	scale  float64 // its largest value, at least 1
}

// ofPort reports whether the counter is of the port with all its traffic.
func (c *curve) ofPort() bool { return strings.HasPrefix(c.path, `\Mellanox`) }

// counter returns the set and the counter of the curve, without its instance.
func (c *curve) counter() string {
	set, _, counter, _ := perf.SplitPath(c.path)
	return set + counterSeparator + counter
}

const counterSeparator = "|"

// logged is what a log says of the main counters.
type logged struct {
	// times are the ends of the rows, after the start of the log; the values of a row are of the time since the row before.
	times  []time.Duration
	curves []curve
	// rows and missing count the rows, and the values that they lack.
	rows, missing int
	// read counts the rows of the file; more than rows if means were taken.
	read int
	cut  bool // the log is longer than MaxTime
}

// foldInstance returns an instance in the form for comparisons: Windows writes other brackets and numbers than the adapter's description has.
func foldInstance(name string) string {
	return perf.FoldPath(strings.NewReplacer("#", "_", "(", "[", ")", "]", "/", "_", `\`, "_").Replace(strings.TrimSpace(name)))
}

// counterKey identifies a main counter of a log, folded.
type counterKey struct{ set, instance, counter string }

// logIndex finds the series of a log that count a main counter. A rank is a way to find it: a log's own counter, the count that a rate is of, and
// the statistics of a Linux driver that are added up.
type logIndex struct {
	ranks [3]map[counterKey][]int
	// taken are the statistics of Linux that were added: a log has them as counts and as rates.
	taken map[counterKey]bool
}

// rateSuffix ends the name of a counter that is the rate of the count with the rest of the name.
const rateSuffix = "/sec"

func newLogIndex(log *perf.Schema) *logIndex {
	x := &logIndex{ranks: [3]map[counterKey][]int{{}, {}, {}}, taken: map[counterKey]bool{}}
	for i := range log.Series {
		s := &log.Series[i]
		if s.Instance == "" {
			continue
		}
		x.add(0, i, s.Set, s.Instance, s.Counter, 1)
		if s.Kind == perf.Cumulative {
			x.add(1, i, s.Set, s.Instance, s.Counter+rateSuffix, 1)
		}
		if s.Set == perf.DriverSet || s.Set == perf.RDMASet {
			x.addStatistic(i, s)
		}
	}
	return x
}

// add adds a series to the series that count a counter, if it has fewer than limit.
func (x *logIndex) add(rank, series int, set, instance, counter string, limit int) {
	k := counterKey{perf.FoldPath(set), foldInstance(instance), perf.FoldPath(counter)}
	if ranked := x.ranks[rank]; len(ranked[k]) < limit {
		ranked[k] = append(ranked[k], series)
	}
}

// addStatistic adds a statistic of a Linux driver under the names of its counterparts. The driver is unknown; only the counters of the port's own
// driver are in the lab.
func (x *logIndex) addStatistic(series int, s *perf.Series) {
	name := strings.TrimSuffix(s.Counter, rateSuffix)
	k := counterKey{perf.FoldPath(s.Set), foldInstance(s.Instance), perf.FoldPath(name)}
	if x.taken[k] {
		return
	}
	x.taken[k] = true
	table := perf.Statistics()
	for _, driver := range []string{"mlx5", "mlx4"} {
		meaning, number, known := table.Find(driver, name)
		if !known || number != "" || meaning.Kind != perf.Cumulative || s.Set == perf.RDMASet && meaning.Group != "rdma" {
			continue
		}
		for _, counterpart := range meaning.Counterparts {
			x.addCounterpart(series, counterpart, s.Instance, 1)
		}
		for _, sum := range table.Sums {
			if !slices.Contains(sum.Of, name) || len(sum.Drivers) > 0 != (driver == "mlx4") {
				continue
			}
			x.addCounterpart(series, sum.Counterpart, s.Instance, len(sum.Of))
		}
	}
}

// addCounterpart adds a statistic under a counter, as "set|counter", and under the rates that are derived from it.
func (x *logIndex) addCounterpart(series int, counterpart, instance string, limit int) {
	set, counter, _ := strings.Cut(counterpart, counterSeparator)
	x.add(2, series, set, instance, counter, limit)
	if described, ok := perf.Catalogue().Set(set); ok {
		for _, derived := range described.Counters {
			if derived.DerivedFrom == counter {
				x.add(2, series, set, instance, derived.Name, limit)
			}
		}
	}
}

// countOf returns a series of a log as it counts: a log of text has the statistics of Linux as plain numbers.
func countOf(s *perf.Series) *perf.Series {
	if s.Kind != perf.Gauge || s.Set != perf.DriverSet && s.Set != perf.RDMASet || strings.HasSuffix(s.Counter, rateSuffix) {
		return s
	}
	counted := *s
	counted.Kind = perf.Cumulative
	return &counted
}

// find returns the series of a counter, by the names that a host may give its instance.
func (x *logIndex) find(set, counter string, instances ...string) []int {
	for _, rank := range x.ranks {
		for _, instance := range instances {
			if series := rank[counterKey{perf.FoldPath(set), foldInstance(instance), perf.FoldPath(counter)}]; series != nil {
				return series
			}
		}
	}
	return nil
}

// findCurves pairs the main counters of a lab with the series of a log.
func findCurves(d *description.Description, lab, log *perf.Schema) (curves []curve) {
	index := newLogIndex(log)
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
		if series := index.find(s.Set, s.Counter, s.Instance, names[port][0], names[port][1]); series != nil { // a real host may name either
			curves = append(curves, curve{group: g, port: port, path: s.Path(), lab: i, log: series, factor: unitOf(log.Series[series[0]].Path()) / unitOf(s.Path()), scale: 1})
		}
	}
	return curves
}

// reader reads the values of one curve from consecutive rows, per second.
type reader struct {
	series []*perf.Series
	before []int64 // the last cells of rates and counts
	at     []time.Time
	// sum is the value times the seconds of the rows since the last bucket, over which it is known.
	sum, seconds float64
}

// read adds a row that ended elapsed seconds after the one before.
func (r *reader) read(column *perf.Column, elapsed float64) {
	total := 0.0
	for i, s := range r.series {
		cell := s.CellOf(column)
		value := s.CellValue(cell)
		if s.Kind != perf.Gauge {
			value = math.NaN()
			if !r.at[i].IsZero() {
				value = s.Rate(r.before[i], cell, column.Time.Sub(r.at[i]))
			}
			if cell != perf.Missing {
				r.before[i], r.at[i] = cell, column.Time
			}
		}
		total += value
	}
	if total >= 0 && total <= maxLogged { // not if it is missing
		r.sum, r.seconds = r.sum+total*elapsed, r.seconds+elapsed
	}
}

// take returns the mean since the last bucket, NaN if no row has a value.
func (r *reader) take() float64 {
	mean := r.sum / r.seconds
	r.sum, r.seconds = 0, 0
	return mean
}

// maxLogged is the maximum value that counts, per second; a larger one is damage.
const maxLogged = 1e13

// readLog reads the curves of a log. A long log is read in means of equal times.
func readLog(ctx context.Context, source perf.Source, curves []curve) (*logged, error) {
	l := &logged{curves: curves}
	bucket := time.Duration(0)
	if seeker, ok := source.(perf.Seeker); ok {
		from, to := seeker.Span()
		bucket = min(to.Sub(from), MaxTime) / MaxRows
	}
	readers := make([]reader, len(curves))
	for i := range curves {
		for _, series := range curves[i].log {
			readers[i].series = append(readers[i].series, countOf(&source.Schema().Series[series]))
		}
		readers[i].before, readers[i].at = make([]int64, len(curves[i].log)), make([]time.Time, len(curves[i].log))
	}
	var column perf.Column
	var start, last, ended time.Time
	take := func() {
		for i := range curves {
			value := readers[i].take() * curves[i].factor
			if math.IsNaN(value) {
				l.missing++
			} else {
				curves[i].scale = max(curves[i].scale, value)
			}
			curves[i].values = append(curves[i].values, value)
		}
		l.times, ended = append(l.times, last.Sub(start)), last
	}
	for {
		err := source.Next(ctx, time.Nanosecond, &column)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		first := l.read == 0
		if first {
			start, ended = column.Time, column.Time
		}
		if column.Time.Sub(start) > MaxTime {
			l.cut = true
			break
		}
		if first || column.Time.After(last) {
			for i := range readers {
				readers[i].read(&column, column.Time.Sub(last).Seconds())
				if first { // a rate is of a time before the log
					readers[i].take()
				}
			}
			last, l.read = column.Time, l.read+1
		}
		if last.Sub(ended) >= bucket && last.After(ended) && len(l.times) < MaxRows {
			take()
		}
	}
	if last.After(ended) && len(l.times) < MaxRows {
		take()
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
