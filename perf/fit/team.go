package fit

import "math"

// teamCurves returns the curves that workloads of a team's members can follow. In Windows a team carries no RDMA, so that all that the port's own
// counters have is sent as datagrams: the counters of RDMA, and of the network stack without RDMA, can't agree with them.
func (w *work) teamCurves(curves []curve) (kept []curve) {
	hasRDMA, ofPort := map[int]bool{}, map[int]bool{}
	for i := range curves {
		c := &curves[i]
		hasRDMA[c.port] = hasRDMA[c.port] || c.group.isRDMA()
		ofPort[c.port] = ofPort[c.port] || c.ofPort()
	}
	for i := range curves {
		c := &curves[i]
		if w.sites[c.port].team != "" && hasRDMA[c.port] && ofPort[c.port] && (c.group.isRDMA() || c.group <= packetsOut && !c.ofPort()) {
			w.left = append(w.left, *c)
			continue
		}
		kept = append(kept, *c)
	}
	return kept
}

// findMates sets mates.
func (w *work) findMates() {
	w.mates = make([][]int, len(w.log.curves))
	for i := range w.log.curves {
		c, team := &w.log.curves[i], w.sites[w.log.curves[i].port].team
		for j := range w.log.curves {
			o := &w.log.curves[j]
			if j == i || team != "" && w.sites[o.port].team == team && o.group == c.group && o.counter() == c.counter() {
				w.mates[i] = append(w.mates[i], j)
			}
		}
	}
}

// mean returns the mean of the known values of a curve and its mates; ok is false without any.
func (w *work) mean(curve int, value func(curve int) float64) (mean float64, ok bool) {
	sum, count := 0.0, 0
	for _, i := range w.mates[curve] {
		if v := value(i); !math.IsNaN(v) {
			sum, count = sum+v, count+1
		}
	}
	return sum / float64(max(1, count)), count > 0
}
