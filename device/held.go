package device

import "cxdeck/device/counter"

// LimitsQueueHead reports whether a port drops frames that a pause holds for longer than the head-of-queue limit.
func (l *Lab) LimitsQueueHead(port int) bool { return l.setup.Ports[port].DropsHeadOfQueue }

// HeldSends returns the priorities of the sends in the host's rings that a pause held completely in the last step: bit n is priority n,
// bit counter.Untagged the untagged frames.
func (l *Lab) HeldSends(port int) (priorities uint16) {
	for i := range l.streams {
		s := &l.plan.streams[i]
		if int(s.port) == port && s.ring && s.direction == send && l.streams[i].Want > 0 && l.streams[i].Held >= 1 {
			priorities |= 1 << s.priority
		}
	}
	return priorities
}

// SentFrames returns the number of frames that a port has sent at some priorities, as HeldSends returns them.
func (l *Lab) SentFrames(port int, priorities uint16) (n uint64) {
	for priority := range counter.Priorities {
		if priorities>>priority&1 == 1 {
			n += l.counters[counter.PriorityCell(port, priority, counter.PrioritySentPackets)]
		}
	}
	return n
}

// ScheduleOn reports whether a schedule of the description is on now.
func (l *Lab) ScheduleOn(name string) bool {
	for i, s := range l.plant.description.Schedules {
		if s.Name == name {
			return l.schedules[i].On(l.steps)
		}
	}
	return false
}
