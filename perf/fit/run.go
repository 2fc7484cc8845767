package fit

import (
	"math"
	"slices"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/perf"
)

// run runs the lab with the workloads for the time of the log, and returns its values by curve and row. It runs a log of more than maxRun
// faster, so that the lab runs for maxRun: the lab has no memory longer than a row. A row that is shorter than the lab's step then has no value.
func (w *work) run() (measured [][]float64, err error) {
	d, pace := *w.d, w.pace()
	settle := w.turn(&d, pace)
	source, err := newLab(&d)
	if err != nil {
		return nil, err
	}
	measured = make([][]float64, len(w.log.curves))
	var columns [2]perf.Column
	for _, step := range []time.Duration{0, settle} {
		if err := source.Next(w.ctx, step, &columns[0]); err != nil {
			return nil, err
		}
	}
	now, n := time.Duration(0), 0
	for _, end := range w.log.times {
		if pace > 1 {
			end = time.Duration(float64(end) / pace).Round(device.Step)
		}
		if end <= now {
			for i := range measured {
				measured[i] = append(measured[i], math.NaN())
			}
			continue
		}
		before, after := &columns[n%2], &columns[1-n%2]
		if err := source.Next(w.ctx, end-now, after); err != nil {
			return nil, err
		}
		for i := range w.log.curves {
			measured[i] = append(measured[i], perSecond(source.Schema(), w.log.curves[i].lab, before, after))
		}
		now = end
		n++
	}
	return measured, nil
}

// turn makes the courses of a description faster, and begins them so that the log begins after the returned time, in which links and teams
// come up. The time is the one of whole levels that is nearest to whole steps of the lab.
func (w *work) turn(d *description.Description, pace float64) (settle time.Duration) {
	d.Flows, d.Faults = slices.Clone(d.Flows), slices.Clone(d.Faults)
	for i := range d.Flows {
		if r := &d.Flows[i].Rhythm; r.Kind == description.Trace {
			settle = turnCourse(&r.Period, &r.Levels, pace)
		}
	}
	for i := range d.Faults {
		settle = turnCourse(&d.Faults[i].Period, &d.Faults[i].Levels, pace)
	}
	return settle
}

// turnCourse turns one course; all courses have as many levels.
func turnCourse(period *description.Duration, levels *[]float64, pace float64) (settle time.Duration) {
	*period = description.Duration(float64(*period) / pace)
	level := time.Duration(*period) / time.Duration(len(*levels))
	count, least := 0, device.Step
	for n := int(settleTime/level) + 1; time.Duration(n)*level < 2*settleTime+level && least > 0; n++ {
		if off := (time.Duration(n) * level) % device.Step; off < least {
			count, least = n, off
		}
	}
	from := len(*levels) - count%len(*levels)
	*levels = slices.Concat((*levels)[from:], (*levels)[:from])
	return time.Duration(count) * level
}

// pace returns how many times faster than the log the lab runs, at least 1.
func (w *work) pace() float64 {
	return max(1, float64(w.log.times[w.log.rows-1])/float64(maxRun))
}

// correct adds to the wanted values what the lab did not reach, and solves again: levels between two rows, and ports whose traffic loses or
// waits, give other values than the effects say.
func (w *work) correct(measured [][]float64, pass int) {
	for i := range w.ports {
		if pass == 0 && w.ports[i].solver != nil && w.reacts(i, measured) {
			w.solveWith(i, answeredIn, answeredOut)
			for _, curve := range w.ports[i].curves { // its values were measured with other workloads
				measured[curve] = nil
			}
		}
	}
	for i := range w.log.curves {
		for row := range measured[i] {
			rest, ok := w.mean(i, func(curve int) float64 {
				if measured[curve] == nil {
					return math.NaN()
				}
				return w.log.curves[curve].values[row] - measured[curve][row]
			})
			if ok {
				w.wanted[i][row] = max(0, w.wanted[i][row]+rest)
			}
		}
	}
	for i := range w.ports {
		p := &w.ports[i]
		if p.solver == nil {
			continue
		}
		for row := range w.log.rows {
			rates, _ := p.solver.solve(w.row(i, row))
			p.rates[row] = slices.Clone(rates)
		}
	}
}

// isKnown reports whether a row has a logged and a measured value.
func isKnown(logged, measured float64) bool { return !math.IsNaN(logged) && !math.IsNaN(measured) }

// errors returns the mean absolute errors by group.
func (w *work) errors(measured [][]float64) (list []Error) {
	for g := range groupCount {
		e, count := Error{Group: g.String()}, 0
		for i := range w.log.curves {
			c := &w.log.curves[i]
			if c.group != g {
				continue
			}
			e.Curves++
			if w.mates[i][0] != i { // the mean of a team's members counts once
				continue
			}
			unit := unitOf(c.path)
			for row := range w.log.rows {
				logged, isLogged := w.mean(i, func(curve int) float64 { return w.log.curves[curve].values[row] })
				got, isMeasured := w.mean(i, func(curve int) float64 { return measured[curve][row] })
				if isLogged && isMeasured {
					e.Mean += math.Abs(logged-got) * unit
					e.Logged += logged * unit
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
