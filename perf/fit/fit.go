package fit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/lab"
)

// Result is how well the workloads follow a log.
type Result struct {
	// Rows counts the rows that the workloads follow, and Read the log's rows of which they are the means. Missing counts the values that
	// the rows lack.
	Rows, Read, Missing int
	// Time is the time of the log that was fitted. The lab ran it Pace times as fast to compare it, 1 for a log of up to maxRun.
	Time   time.Duration
	Pace   float64
	Errors []Error
	// Assumed says what was assumed, a sentence for each port; Notes says what was not fitted.
	Assumed, Notes []string
}

// Error is the mean absolute error of a group of main counters, over all its curves and rows, per second.
type Error struct {
	Group string
	// Curves counts the counters of the group.
	Curves int
	// Mean is the mean absolute error, Logged the mean of the logged values.
	Mean, Logged float64
}

// Share returns the error as a fraction of the logged values; 0 if the log has none and the lab neither.
func (e *Error) Share() float64 {
	if e.Logged == 0 {
		return 0
	}
	return e.Mean / e.Logged
}

// The lab runs for probeTime to measure the effect of a kind after settleTime, in which links and teams come up, and at most maxRun to compare it with a log; passes corrections follow. In
// maxRun each of MaxRows rows has ten steps of the lab.
const (
	settleTime = 10 * time.Second
	probeTime  = 3 * time.Second
	maxRun     = MaxRows * 10 * device.Step
	passes     = 3
)

// Ports with fewer received discards a second have no workload that causes them. A port whose streams react to losses so that its values
// differ by more than maxReaction gets datagrams instead.
const (
	minDiscards = 10
	maxReaction = 0.01
)

// Workloads replaces the workloads of a description by workloads that follow a log. The description must be valid. It fails with
// ErrNoCounters if the log has no main counter of its ports.
func Workloads(ctx context.Context, d *description.Description, log perf.Source, name string) (*Result, error) {
	w := &work{ctx: ctx, d: d, sites: sitesOf(d)}
	bare := *d
	bare.Flows = w.silent()
	source, err := newLab(&bare)
	if err != nil {
		return nil, err
	}
	curves := findCurves(d, source.Schema(), log.Schema())
	if curves = w.teamCurves(curves); len(curves) == 0 {
		return nil, ErrNoCounters
	}
	if w.log, err = readLog(ctx, log, curves); err != nil {
		return nil, err
	}
	if err := w.fit(&bare); err != nil {
		return nil, err
	}
	d.Flows, d.Faults = w.flows(), w.faults()
	r := &Result{Rows: w.log.rows, Read: w.log.read - 1, Missing: w.log.missing, Time: w.log.times[w.log.rows-1], Pace: w.pace()}
	for pass := range passes {
		measured, err := w.run()
		if err != nil {
			return nil, err
		}
		w.correctDamage(measured)
		w.correct(measured, pass)
		d.Flows, d.Faults = w.flows(), w.faults()
	}
	measured, err := w.run()
	if err != nil {
		return nil, err
	}
	r.Errors = w.errors(measured)
	w.describe(r, name)
	return r, d.Check()
}

// newLab returns the source of a new lab.
func newLab(d *description.Description) (perf.Source, error) {
	plant, err := device.NewPlant(d)
	if err != nil {
		return nil, err
	}
	return lab.New(driver.NewHost(plant.New(1)))
}

// work is the state of a fit.
type work struct {
	ctx   context.Context
	d     *description.Description
	sites []site
	log   *logged
	// wanted are the values to be reached, by curve and row: the logged ones, and corrections.
	wanted [][]float64
	ports  []portFit
	// left are the curves that no workload of a team can follow.
	left []curve
	// mates are, by curve, the same counter of all members of the port's team: the team's hash shares its traffic out, so that the workloads
	// follow the mean of the members.
	mates [][]int
	// damage are the bad cables that damage received frames.
	damage []damage
}

// portFit is a port with what its kinds of workload do.
type portFit struct {
	curves  []int
	effects [kindCount][]float64 // by curve of the port, at the probe's rate; nil for a kind that is not used
	base    []float64
	kinds   []kind
	solver  *solver
	rates   [][]float64 // by row and kind
	left    float64     // mean square that the rates do not explain
}

// silent returns a workload for each port with virtual machines that replaces the usual load of these.
func (w *work) silent() (flows []description.Flow) {
	for i := range w.sites {
		s := &w.sites[i]
		if s.port.Link == description.InfiniBand {
			continue
		}
		f := s.flow(bulkIn, smallProbeGbps)
		f.Name, f.Virtual, f.Idle = "Virtual machines, "+s.port.Connection, true, true
		flows = append(flows, f)
	}
	return flows
}

// fit measures the effects of all kinds, and solves for the rates of all rows.
func (w *work) fit(bare *description.Description) error {
	w.ports = make([]portFit, len(w.sites))
	w.findMates()
	for i := range w.log.curves {
		c := &w.log.curves[i]
		w.ports[c.port].curves = append(w.ports[c.port].curves, i)
		values := make([]float64, w.log.rows)
		for row := range values {
			values[row], _ = w.mean(i, func(curve int) float64 { return w.log.filled(&w.log.curves[curve], row) })
		}
		w.wanted = append(w.wanted, values)
	}
	w.chooseSizes()
	w.findDamage()
	base, err := w.probe(bare)
	if err != nil {
		return err
	}
	for i := range w.ports {
		w.ports[i].base = w.pick(i, base)
	}
	for k := range kindCount {
		probed := *bare
		probed.Flows = slices.Clone(bare.Flows)
		for i := range w.sites {
			if w.needs(i, k) {
				probed.Flows = append(probed.Flows, w.sites[i].flow(k, w.sites[i].probeGbps(k)))
			}
		}
		if len(probed.Flows) == len(bare.Flows) {
			continue
		}
		measured, err := w.probe(&probed)
		if err != nil {
			return err
		}
		for i := range w.sites {
			if !w.needs(i, k) {
				continue
			}
			effect := w.pick(i, measured)
			for j := range effect {
				effect[j] = max(0, effect[j]-w.ports[i].base[j])
			}
			w.ports[i].effects[k] = effect
		}
	}
	for i := range w.ports {
		w.solvePort(i)
	}
	return nil
}

// chooseSizes chooses larger packets for ports whose logged packets are larger than the usual ones.
func (w *work) chooseSizes() {
	for i := range w.sites {
		s := &w.sites[i]
		ethernet := w.largest(i, [2]group{bytesIn, packetsIn}, [2]group{bytesOut, packetsOut})
		// Acknowledgements of IPoIB lower the mean, and small packets can raise it no more.
		s.large = ethernet > usualPacket+18 || s.port.Link == description.InfiniBand
		if rdma := w.largest(i, [2]group{rdmaIn, rdmaFramesIn}, [2]group{rdmaOut, rdmaFramesOut}); rdma > 1068+22 {
			s.rdma = 2092
			if rdma > 2092+22 {
				s.rdma = 4140
			}
		}
	}
}

// largest returns the largest mean size of packets of a port in a row, by pairs of groups of bytes and packets.
func (w *work) largest(port int, groups ...[2]group) (size float64) {
	for _, pair := range groups {
		for _, b := range w.ports[port].curves {
			for _, p := range w.ports[port].curves {
				bytes, packets := &w.log.curves[b], &w.log.curves[p]
				if bytes.group != pair[0] || packets.group != pair[1] || setOf(bytes.path) != setOf(packets.path) {
					continue
				}
				for row := range w.log.rows {
					if mean := bytes.values[row] / packets.values[row] * unitOf(bytes.path); packets.values[row] > packets.scale/20 && mean > size {
						size = mean // not if one of them is missing
					}
				}
			}
		}
	}
	return size
}

func setOf(path string) string {
	set, _, _, _ := perf.SplitPath(path)
	return set
}

// unitOf returns the bytes of a unit of a counter.
func unitOf(path string) float64 {
	if _, _, counter, _ := perf.SplitPath(path); len(counter) > 1 && counter[0] == 'K' {
		return 1000
	}
	return 1
}

// needs reports whether the log of a port has what a kind explains.
func (w *work) needs(port int, k kind) bool {
	if len(w.ports[port].curves) == 0 || !w.sites[port].supports(k) {
		return false
	}
	groups, least := []group{bytesIn, bytesOut, packetsIn, packetsOut}, 0.0
	switch {
	case k == bursts:
		groups, least = []group{discardsIn}, minDiscards
	case k >= rdmaLargeIn && k <= rdmaSmallOut:
		groups = []group{rdmaIn, rdmaOut}
	}
	return slices.ContainsFunc(w.ports[port].curves, func(i int) bool {
		c := &w.log.curves[i]
		return slices.Contains(groups, c.group) && slices.ContainsFunc(c.values, func(value float64) bool { return value > least })
	})
}

// pick returns the values of a port's curves.
func (w *work) pick(port int, values []float64) (list []float64) {
	for _, i := range w.ports[port].curves {
		list = append(list, values[i])
	}
	return list
}

// probe runs a lab and returns the mean value of each curve.
func (w *work) probe(d *description.Description) ([]float64, error) {
	source, err := newLab(d)
	if err != nil {
		return nil, err
	}
	var before, after perf.Column
	for _, step := range []struct {
		time   time.Duration
		column *perf.Column
	}{{0, &after}, {settleTime, &before}, {probeTime, &after}} {
		if err := source.Next(w.ctx, step.time, step.column); err != nil {
			return nil, err
		}
	}
	values := make([]float64, len(w.log.curves))
	for i := range w.log.curves {
		values[i] = perSecond(source.Schema(), w.log.curves[i].lab, &before, &after)
	}
	return values, nil
}

// perSecond returns the value of a series of a lab between two columns, of a count its increase.
func perSecond(schema *perf.Schema, series int, before, after *perf.Column) float64 {
	s := schema.Series[series]
	if s.Kind == perf.Gauge {
		return s.CellValue(s.CellOf(after))
	}
	value := s.Rate(s.CellOf(before), s.CellOf(after), after.Time.Sub(before.Time))
	if math.IsNaN(value) {
		return 0
	}
	return value
}

// solvePort finds the rates of a port's kinds for all rows: with acknowledged streams if they explain the log as well as datagrams do.
func (w *work) solvePort(port int) {
	if p := &w.ports[port]; len(p.curves) == 0 {
		return
	}
	if left := w.solveWith(port, bulkIn, bulkOut); left < 1e-6 {
		return
	}
	streams := w.ports[port]
	if w.solveWith(port, answeredIn, answeredOut) > streams.left/2 {
		w.ports[port] = streams
	}
}

// solveWith finds the rates of a port's kinds except some for all rows, and returns the mean square that is left.
func (w *work) solveWith(port int, without ...kind) (left float64) {
	p := &w.ports[port]
	p.kinds, p.rates = nil, nil
	var effects [][]float64
	var scales []float64
	for k := range kindCount {
		if p.effects[k] != nil && !slices.Contains(without, k) {
			p.kinds, effects = append(p.kinds, k), append(effects, p.effects[k])
		}
	}
	for _, i := range p.curves {
		scales = append(scales, w.scale(port, &w.log.curves[i]))
	}
	p.solver = newSolver(effects, scales)
	for row := range w.log.rows {
		rates, rest := p.solver.solve(w.row(port, row))
		p.rates, left = append(p.rates, slices.Clone(rates)), left+rest
	}
	p.left = left / float64(w.log.rows)
	return p.left
}

// silentShare is the share of a port's largest values that a counter without a logged value may have without weight: a counter that the host does
// not feed must not forbid traffic that others log.
const silentShare = 1e-3

// scale returns the value of a curve against which its error counts.
func (w *work) scale(port int, c *curve) float64 {
	largest := c.scale
	if largest > 1 {
		return largest
	}
	for _, i := range w.ports[port].curves {
		if o := &w.log.curves[i]; o.group.isBytes() == c.group.isBytes() {
			largest = max(largest, silentShare*o.scale*unitOf(o.path)/unitOf(c.path))
		}
	}
	return largest
}

// reacts reports whether a port's streams lose packets and send less, so that its values differ from the log.
func (w *work) reacts(port int, measured [][]float64) bool {
	p := &w.ports[port]
	if !slices.Contains(p.kinds, answeredIn) || p.effects[bulkIn] == nil {
		return false
	}
	for _, i := range p.curves {
		c := &w.log.curves[i]
		if c.group > packetsOut {
			continue
		}
		sum, all := 0.0, 0.0
		for row := range measured[i] {
			if isKnown(c.values[row], measured[i][row]) {
				sum, all = sum+math.Abs(c.values[row]-measured[i][row]), all+c.values[row]
			}
		}
		if sum > maxReaction*all {
			return true
		}
	}
	return false
}

// row returns the wanted values of a port in a row, without what the lab has anyway.
func (w *work) row(port, row int) (values []float64) {
	for n, i := range w.ports[port].curves {
		values = append(values, max(0, w.wanted[i][row]-w.ports[port].base[n]))
	}
	return values
}

// used returns the kinds of a port with a rate, and the number of workloads in all.
func (w *work) used() (used [][]int, total int) {
	for i := range w.ports {
		p := &w.ports[i]
		var list []int
		for n := range p.kinds {
			if slices.ContainsFunc(p.rates, func(rates []float64) bool { return rates[n] > 1e-7 }) {
				list = append(list, n)
			}
		}
		used, total = append(used, list), total+len(list)
	}
	return used, total
}

// flows returns the workloads with the solved rates as traces.
func (w *work) flows() (flows []description.Flow) {
	used, total := w.used()
	flows = w.silent()
	count := w.levelCount(total)
	for i := range w.ports {
		p, s := &w.ports[i], &w.sites[i]
		for _, n := range used[i] {
			peak := 0.0
			for _, rates := range p.rates {
				peak = max(peak, rates[n])
			}
			gbps := s.probeGbps(p.kinds[n])
			peak = min(peak, maxGbps/gbps)
			f := s.flow(p.kinds[n], gbps*peak)
			f.Rhythm = description.Rhythm{Kind: description.Trace, Period: w.period(), Levels: w.levels(count, func(row int) float64 { return p.rates[row][n] / peak })}
			flows = append(flows, f)
		}
	}
	return flows
}

// levelCount returns the number of levels of each of so many courses.
func (w *work) levelCount(courses int) int {
	return max(2, min(maxLevels, levelsOfRow*w.log.rows, levelsInAll/max(1, courses+len(w.damage))))
}

// period returns the time of the log as the period of a course.
func (w *work) period() description.Duration {
	return description.Duration(max(time.Second, w.log.times[w.log.rows-1]))
}

// levels returns a course of so many levels; a level is the value of the row within which most of its time is, at most 1.
func (w *work) levels(count int, value func(row int) float64) []float64 {
	list, period, row := make([]float64, count), w.log.times[w.log.rows-1], 0
	for j := range list {
		middle := time.Duration((float64(j) + 0.5) * float64(period) / float64(count))
		for row < w.log.rows-1 && w.log.times[row] < middle {
			row++
		}
		list[j] = math.Round(min(1, value(row))*levelsPrecision) / levelsPrecision
	}
	return list
}

// describe says what was assumed, and what was not fitted.
func (w *work) describe(r *Result, name string) {
	used, _ := w.used()
	for i := range w.sites {
		s := &w.sites[i]
		switch {
		case len(w.ports[i].curves) == 0:
			r.Notes = append(r.Notes, fmt.Sprintf("%s: no workloads, as the log %s has no counters of it", s.port.Connection, name))
		case len(used[i]) == 0:
			r.Notes = append(r.Notes, fmt.Sprintf("%s: no workloads, as the log %s counts no traffic of it", s.port.Connection, name))
		default:
			var kinds []kind
			for _, n := range used[i] {
				kinds = append(kinds, w.ports[i].kinds[n])
			}
			r.Assumed = append(r.Assumed, s.describe(kinds, name))
		}
	}
	for i := range w.sites {
		if s := &w.sites[i]; s.team != "" && len(used[i]) > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: the team %s shares the traffic of its members by its hash, so that the workloads follow their mean", s.port.Connection, s.team))
		}
	}
	if slices.ContainsFunc(w.left, func(c curve) bool { return c.scale > 1 }) {
		r.Notes = append(r.Notes, "RDMA of members of a team: in Windows a team carries no RDMA, so that this traffic is sent as datagrams and its counters are not followed")
	}
	for i := range w.damage {
		r.Assumed = append(r.Assumed, fmt.Sprintf("%s: a bad cable damages the received frames that the log %s counts as errors", w.sites[w.damage[i].port].port.Connection, name))
	}
	for _, e := range r.Errors {
		if e.Logged > 0 && e.Share() > 0.5 {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: not followed: the log has %.4g a second, %s", e.Group, e.Logged, unexplained(e.Group)))
		}
	}
	if w.log.missing > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the log %s lacks %d values; between its rows they are assumed", name, w.log.missing))
	}
	if read := w.log.read - 1; read > w.log.rows {
		r.Notes = append(r.Notes, fmt.Sprintf("the workloads follow %d means of the log %s, which has %d rows", w.log.rows, name, read))
	}
	if w.log.cut {
		r.Notes = append(r.Notes, fmt.Sprintf("the log %s is longer than %d hours; the rest is not used", name, int(MaxTime.Hours())))
	}
}
