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
	// Rows and Missing count the rows of the log, and the values that they lack; Time is the time of the log that was fitted, Compared the
	// part of it for which the lab ran.
	Rows, Missing  int
	Time, Compared time.Duration
	Errors         []Error
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

// The lab runs for this time to measure the effect of a kind, and at most maxRun of a log to compare; passes corrections follow.
const (
	settleTime = time.Second
	probeTime  = 3 * time.Second
	maxRun     = 10 * time.Minute
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
	if len(curves) == 0 {
		return nil, ErrNoCounters
	}
	if w.log, err = readLog(ctx, log, curves); err != nil {
		return nil, err
	}
	if err := w.fit(&bare); err != nil {
		return nil, err
	}
	d.Flows = w.flows()
	r := &Result{Rows: w.log.rows, Missing: w.log.missing, Time: w.log.times[w.log.rows-1]}
	for pass := range passes {
		measured, rows, err := w.run()
		if err != nil {
			return nil, err
		}
		w.correct(measured, rows, pass)
		d.Flows = w.flows()
	}
	measured, rows, err := w.run()
	if err != nil {
		return nil, err
	}
	r.Compared = w.log.times[rows-1]
	r.Errors = w.errors(measured, rows)
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
	for i := range w.log.curves {
		c := &w.log.curves[i]
		w.ports[c.port].curves = append(w.ports[c.port].curves, i)
		values := make([]float64, w.log.rows)
		for row := range values {
			values[row] = w.log.filled(c, row)
		}
		w.wanted = append(w.wanted, values)
	}
	w.chooseSizes()
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
		scales = append(scales, w.log.curves[i].scale)
	}
	p.solver = newSolver(effects, scales)
	for row := range w.log.rows {
		rates, rest := p.solver.solve(w.row(port, row))
		p.rates, left = append(p.rates, slices.Clone(rates)), left+rest
	}
	p.left = left / float64(w.log.rows)
	return p.left
}

// reacts reports whether a port's streams lose packets and send less, so that its values differ from the log.
func (w *work) reacts(port int, measured [][]float64, rows int) bool {
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
		for row := range rows {
			if !math.IsNaN(c.values[row]) {
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
	period := w.log.times[w.log.rows-1]
	count := min(maxLevels, levelsOfRow*w.log.rows, max(2, levelsInAll/max(1, total)))
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
			f.Rhythm = description.Rhythm{Kind: description.Trace, Period: description.Duration(max(time.Second, period)), Levels: make([]float64, max(2, count))}
			row := 0
			for j := range f.Rhythm.Levels { // a level is the row's within which most of its time is
				middle := time.Duration((float64(j) + 0.5) * float64(period) / float64(len(f.Rhythm.Levels)))
				for row < w.log.rows-1 && w.log.times[row] < middle {
					row++
				}
				f.Rhythm.Levels[j] = math.Round(min(1, p.rates[row][n]/peak)*levelsPrecision) / levelsPrecision
			}
			flows = append(flows, f)
		}
	}
	return flows
}

// run runs the lab with the workloads for the time of the log, and returns its values by curve and row. A long log is run for maxRun.
func (w *work) run() (measured [][]float64, rows int, err error) {
	source, err := newLab(w.d)
	if err != nil {
		return nil, 0, err
	}
	measured = make([][]float64, len(w.log.curves))
	var columns [2]perf.Column
	if err := source.Next(w.ctx, 0, &columns[0]); err != nil {
		return nil, 0, err
	}
	now := time.Duration(0)
	for rows < w.log.rows && (rows < 2 || w.log.times[rows] <= maxRun) {
		before, after := &columns[rows%2], &columns[1-rows%2]
		if err := source.Next(w.ctx, w.log.times[rows]-now, after); err != nil {
			return nil, 0, err
		}
		now = w.log.times[rows]
		for i := range w.log.curves {
			measured[i] = append(measured[i], perSecond(source.Schema(), w.log.curves[i].lab, before, after))
		}
		rows++
	}
	return measured, rows, nil
}

// correct adds to the wanted values what the lab did not reach, and solves again: levels between two rows, and ports whose traffic loses or
// waits, give other values than the effects say.
func (w *work) correct(measured [][]float64, rows, pass int) {
	for i := range w.ports {
		if pass == 0 && w.ports[i].solver != nil && w.reacts(i, measured, rows) {
			w.solveWith(i, answeredIn, answeredOut)
			for _, curve := range w.ports[i].curves { // its values were measured with other workloads
				measured[curve] = nil
			}
		}
	}
	for i := range w.log.curves {
		c := &w.log.curves[i]
		for row := range measured[i] {
			if !math.IsNaN(c.values[row]) {
				w.wanted[i][row] = max(0, w.wanted[i][row]+c.values[row]-measured[i][row])
			}
		}
	}
	for i := range w.ports {
		p := &w.ports[i]
		if p.solver == nil {
			continue
		}
		for row := range rows {
			rates, _ := p.solver.solve(w.row(i, row))
			p.rates[row] = slices.Clone(rates)
		}
	}
}

// errors returns the mean absolute errors by group.
func (w *work) errors(measured [][]float64, rows int) (list []Error) {
	for g := range groupCount {
		e, count := Error{Group: g.String()}, 0
		for i := range w.log.curves {
			c := &w.log.curves[i]
			if c.group != g {
				continue
			}
			e.Curves++
			unit := unitOf(c.path)
			for row := range rows {
				if !math.IsNaN(c.values[row]) {
					e.Mean += math.Abs(c.values[row]-measured[i][row]) * unit
					e.Logged += c.values[row] * unit
					count++
				}
			}
		}
		if e.Curves > 0 {
			e.Mean, e.Logged = e.Mean/float64(max(1, count)), e.Logged/float64(max(1, count))
			list = append(list, e)
		}
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
	for _, e := range r.Errors {
		if e.Logged > 0 && e.Share() > 0.5 {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: the log has %.4g a second, which no workload of the twin explains", e.Group, e.Logged))
		}
	}
	if w.log.missing > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the log %s lacks %d values; between its rows they are assumed", name, w.log.missing))
	}
	if w.log.cut {
		r.Notes = append(r.Notes, fmt.Sprintf("the log %s is longer than %d hours; the rest is not used", name, int(MaxTime.Hours())))
	}
}
