package survey

import (
	"fmt"
	"time"

	"cxdeck/device/counter"
	"cxdeck/driver"
	"cxdeck/driver/intent"
)

// endless is the fraction of time above which a pause counts as endless.
const endless = 0.9

// portTraffic are counts of a priority of a port: frames, dropped frames, and the microseconds for which the port was paused and for
// which it paused the far end.
type portTraffic struct{ frames, drops, held, holds uint64 }

// traffic are the counts of a priority at a time, or in a period.
type traffic struct {
	priority int
	at       time.Time
	period   time.Duration
	ports    []portTraffic
}

func readTraffic(h *driver.Host, priority int) *traffic {
	lab := h.Lab()
	counters := lab.Counters()
	t := &traffic{priority: priority, at: h.Now(), ports: make([]portTraffic, lab.Ports())}
	for port := range t.ports {
		sum := func(list ...counter.Priority) (n uint64) {
			for _, c := range list {
				n += counters[counter.PriorityCell(port, priority, c)]
			}
			return n
		}
		t.ports[port] = portTraffic{
			frames: sum(counter.PriorityReceivedPackets, counter.PrioritySentPackets),
			drops:  sum(counter.PriorityDiscarded, counter.PrioritySentDiscards),
			held:   sum(counter.SelfPaused), holds: sum(counter.FarEndPaused),
		}
	}
	return t
}

// since returns what was counted since an earlier reading of the same ports and priority. Counts that restarted have no rise.
func (t *traffic) since(before *traffic) *traffic {
	d := &traffic{priority: t.priority, at: t.at, period: t.at.Sub(before.at), ports: make([]portTraffic, len(t.ports))}
	for port, now := range t.ports {
		was := before.ports[port]
		d.ports[port] = portTraffic{
			frames: now.frames - min(was.frames, now.frames), drops: now.drops - min(was.drops, now.drops),
			held: now.held - min(was.held, now.held), holds: now.holds - min(was.holds, now.holds),
		}
	}
	return d
}

// judge fills in the paths of all ports.
func (t *traffic) judge(list []intent.Path) {
	micro := float64(t.period.Microseconds())
	for port := range list {
		p, n := &list[port], t.ports[port]
		if !p.Known {
			continue
		}
		p.Traffic = n.frames > 0 || n.held > 0 || n.drops > 0
		if n.drops > 0 {
			p.Drops = fmt.Sprintf("%d of %d frames in %s", n.drops, n.frames, t.period.Round(time.Millisecond))
		}
		held, holds := float64(n.held)/micro, float64(n.holds)/micro
		switch {
		case held > endless:
			p.Pauses = fmt.Sprintf("paused for %.0f%% of %s", min(held, 1)*100, t.period.Round(time.Millisecond))
		case holds > endless:
			p.Pauses = fmt.Sprintf("pauses the far end for %.0f%% of %s", min(holds, 1)*100, t.period.Round(time.Millisecond))
		}
	}
}
