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

// portTraffic are counts of a priority of a port: frames, dropped frames, and the time for which the port was paused and for which
// it was pausing the far end.
type portTraffic struct{ frames, drops, pausedMicros, pausingMicros uint64 }

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
			frames:       sum(counter.PriorityReceivedPackets, counter.PrioritySentPackets),
			drops:        sum(counter.PriorityDiscarded, counter.PrioritySentDiscards),
			pausedMicros: sum(counter.SelfPaused), pausingMicros: sum(counter.FarEndPaused),
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
			pausedMicros: now.pausedMicros - min(was.pausedMicros, now.pausedMicros), pausingMicros: now.pausingMicros - min(was.pausingMicros, now.pausingMicros),
		}
	}
	return d
}

// fillPaths fills in the paths of all ports.
func (t *traffic) fillPaths(list []intent.Path) {
	micro := float64(t.period.Microseconds())
	for port := range list {
		p, n := &list[port], t.ports[port]
		if !p.Known {
			continue
		}
		p.Traffic = n.frames > 0 || n.pausedMicros > 0 || n.drops > 0
		if n.drops > 0 {
			p.Drops = fmt.Sprintf("%d of %d frames in %s", n.drops, n.frames, t.period.Round(time.Millisecond))
		}
		paused, pausing := float64(n.pausedMicros)/micro, float64(n.pausingMicros)/micro
		switch {
		case paused > endless:
			p.Pauses = fmt.Sprintf("paused for %.0f%% of %s", min(paused, 1)*100, t.period.Round(time.Millisecond))
		case pausing > endless:
			p.Pauses = fmt.Sprintf("pauses the far end for %.0f%% of %s", min(pausing, 1)*100, t.period.Round(time.Millisecond))
		}
	}
}
