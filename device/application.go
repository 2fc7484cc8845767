package device

import (
	"cxdeck/device/counter"
	"cxdeck/device/description"
)

// ownPairs returns the queue pairs of a card that flows other than SMB Direct hold while they run.
func (l *Lab) ownPairs(adapter int) (n int) {
	for _, i := range l.plan.ndspi {
		if f := &l.plan.flows[i]; l.setup.Scales[i] > 0 && l.plan.ports[f.port].adapter == adapter {
			n += f.pairs
		}
	}
	return n
}

// runs reports whether the queue pairs of an RDMA flow are open: always for SMB Direct, else while the flow has demand.
func (l *Lab) runs(flow int) bool { return !l.plan.flows[flow].ndspi || l.setup.Scales[flow] > 0 }

// discardWithoutReceive counts frames of a flow without reliable connections that find no posted receive at this end: they are lost
// without a notification.
func (l *Lab) discardWithoutReceive(flow int, frames float64) {
	f := &l.plan.flows[flow]
	share := l.links[f.port].faults[description.FewReceives]
	if share == 0 {
		return
	}
	discarded := counter.UnreliableDiscarded
	if f.transport == description.Datagram {
		discarded = counter.DatagramsDiscarded
	}
	l.counters[counter.Cell(f.port, discarded)] += counter.Whole(&l.controls[2*flow+receive].Errors[0], frames*share)
}
