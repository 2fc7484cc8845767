package fit

import (
	"math"
	"slices"

	"cxdeck/device/description"
)

// damage is a bad cable: the share of the received frames that it damages, by row.
type damage struct {
	port int
	// errors are the port's logged errors, and good its received packets, as curves.
	errors, good int
	shares       []float64
}

// minErrors is the number of received errors a second in a row that a cause is found for.
const minErrors = 0.5

// findDamage finds the ports with received errors. A bad cable is assumed: it is what most often damages frames, and its errors grow with the
// received packets. A port whose packets are not logged has none.
func (w *work) findDamage() {
	for port := range w.ports {
		d := damage{port: port, errors: w.curveOf(port, errorsIn), good: w.curveOf(port, packetsIn)}
		if d.errors < 0 || d.good < 0 {
			continue
		}
		bad, good := &w.log.curves[d.errors], &w.log.curves[d.good]
		for row := range w.log.rows {
			errors := w.log.filled(bad, row)
			d.shares = append(d.shares, errors/max(1, errors+w.log.filled(good, row)))
		}
		if slices.ContainsFunc(bad.values, func(value float64) bool { return value >= minErrors }) {
			w.damage = append(w.damage, d)
		}
	}
}

// curveOf returns a curve of a port, of its own counters if it has them, -1 for none.
func (w *work) curveOf(port int, g group) (found int) {
	found = -1
	for _, i := range w.ports[port].curves {
		if c := &w.log.curves[i]; c.group == g && (found < 0 || c.ofPort()) {
			found = i
		}
	}
	return found
}

// faults returns the bad cables with their shares as courses.
func (w *work) faults() (faults []description.Fault) {
	_, total := w.used()
	for i := range w.damage {
		d := &w.damage[i]
		peak := slices.Max(d.shares)
		if peak <= 0 {
			continue
		}
		faults = append(faults, description.Fault{
			Port: w.sites[d.port].port.Connection, Kind: description.BadCable, Share: min(1, peak), Period: w.period(),
			Levels: w.levels(w.levelCount(total), func(row int) float64 { return d.shares[row] / peak }),
		})
	}
	return faults
}

// correctDamage corrects the shares by what the lab damaged.
func (w *work) correctDamage(measured [][]float64) {
	for i := range w.damage {
		d := &w.damage[i]
		for row, got := range measured[d.errors] {
			if logged := w.log.curves[d.errors].values[row]; got > 0 && !math.IsNaN(logged) {
				d.shares[row] = min(1, d.shares[row]*max(0.25, min(4, logged/got)))
			}
		}
	}
}

// unexplained says why nothing follows a group of counters.
func unexplained(group string) string {
	switch group {
	case congestion.String():
		return "and not which switch on the path was congested"
	case discardsOut.String():
		return "and not whether the link, pause or a blocked queue made the port drop them"
	case errorsIn.String():
		return "and not the packets that they are a share of"
	}
	return "which no workload of the twin explains"
}
