package device

import (
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/ets"
	"cxdeck/device/setup"
)

// streamRemainders is the part of a stream's state that passes from one step to the next.
type streamRemainders struct {
	// Want is the demand in frames in this step; Held is the fraction that a pause stops, Lost the frames that the switch
	// doesn't forward.
	Want, Held, Lost float64
	// Remainders of whole frames and events.
	LostRest, HeadOfLine float64
}

// amount is the state of a stream: beyondLoss is the fraction of its sent frames that is dropped beyond the host in this step.
type amount struct {
	streamRemainders
	beyondLoss float64
}

// load is the demand of a port's streams in a step, and the fractions that pass.
type load struct {
	// wire is the offered load by direction, in bytes on the wire; classes is the send load by the priority of the class. arrives and leaves are
	// the load of the slot, without preamble and gap.
	wire    [2]float64
	classes [counter.Priorities]float64
	arrives float64
	leaves  [counter.Priorities]float64
	// pausable are the arriving bytes of each priority for which the far end can be paused; pausableInRings is the part of them that
	// goes through the rings.
	pausable, pausableInRings [counter.Priorities]float64
	// held is the load for which the peers wait when the switch can't forward it, by the priority there; hasNonRDMA reports that
	// a part of it is not RDMA. slow is the load for a slow peer.
	held       [counter.Priorities]float64
	hasNonRDMA bool
	slow       float64
	// looped is the load of the slot by frames in loopback, by direction.
	looped [2]float64
	// control is the load of control frames, in bytes on the wire.
	control [2]float64
	// disallowedFrames counts the frames that are sent damaged because virtual functions may not send their Ethertype, disallowedBytes
	// their bytes.
	disallowedFrames, disallowedBytes uint64
	// lineShare is the fraction of the load that the line carries, by direction; priorityShare is the sent fraction of each
	// priority. slotReceiveShare is the fraction of arriving bytes that the slot carries, slotSendShare of sent bytes.
	lineShare                       [2]float64
	priorityShare                   [counter.Priorities]float64
	slotReceiveShare, slotSendShare float64
}

// cardLoad is the load of a card's slot, in bytes; control is the load of control frames. pairs are its queue pairs.
type cardLoad struct {
	bytes, control [2]float64
	pairs          int
}

// step advances everything by one step, in the order of the path: the demand of the flows, the line, the slot, the rings and
// their processors; then whole frames are counted.
func (l *Lab) step() {
	for i := range l.schedules {
		l.schedules[i].Move(&l.plant.schedules[i], l.steps)
	}
	l.moveTests()
	l.moveLinks()
	l.renewLeases()
	l.demand()
	l.offerExtras()
	l.limit()
	l.serve()
	l.countFrames()
	l.sendExtras()
	for _, b := range l.captures {
		b.EndStep()
	}
	l.complete()
	l.control()
	l.pauseRemote()
	l.countFarEnds()
	l.measureTests()
	l.countCards()
}

// demand computes the demand of each stream and sums it by port.
func (l *Lab) demand() {
	clear(l.loads)
	for i := range l.plan.flows {
		f, r := &l.plan.flows[i], &l.rhythms[i]
		level, full := 0.0, 0.0
		if !f.leases {
			full = l.level(i)
			level = full * r.Window
		} else if len(l.renewals) == 0 {
			l.skipLeases(f)
			continue
		}
		for j := f.first; j < f.last; j++ {
			s, a := &l.plan.streams[j], &l.streams[j]
			state, sum := &l.links[s.port], &l.loads[s.port]
			a.Want, a.Held, a.Lost, a.beyondLoss = 0, 0, 0, 0
			if !state.Up && s.team == setup.NoSlot {
				continue
			}
			switch {
			case s.ack:
				a.Want = s.perStep * float64(l.delivered[2*i+int(1-s.direction)])
			case f.leases && s.disallowed && s.direction == receive: // requests without a receiver
			case f.leases:
				a.Want = s.perStep * l.dueLeaseFrames(s)
			case s.rdma:
				a.Want = s.perStep * level * l.controls[2*i+int(s.direction)].Allowed
			default:
				a.Want = s.perStep * level
			}
			if a.Want == 0 {
				continue
			}
			if s.direction == receive && s.blocked || s.direction == send && s.disallowed && l.dropsDisallowedFrames(int(s.port)) ||
				!state.Up { // the team has not yet noticed that its member is dead
				a.Want, a.Lost = 0, a.Want
				continue
			}
			if s.loopback {
				sum.looped[s.direction] += a.Want * float64(s.frame)
				continue
			}
			if f.crosses {
				l.cross(f, s, a, full)
			}
			if s.direction == send && (l.pausedShare(int(s.port)) > 0 || s.slow) {
				a.Held, a.beyondLoss = l.holdSend(s)
			} else if s.direction == receive && len(f.shared) > 0 {
				a.Want *= 1 - l.heldElsewhere(s, f)
			}
			if s.direction == send && s.ring && state.faults[description.SendHang] > 0 {
				a.Held = 1
			}
			passing := a.Want * (1 - a.Held)
			bytes := passing * s.wire
			sum.wire[s.direction] += bytes
			length := passing * float64(s.frame)
			if s.direction == send {
				sum.classes[s.class] += bytes
				sum.leaves[s.class] += length
				if s.slow && !s.ack {
					sum.slow += a.Want * s.wire
				}
				continue
			}
			if s.lossless && !s.spills {
				sum.held[s.atSwitch] += bytes
				sum.hasNonRDMA = sum.hasNonRDMA || !s.rdma
			}
			sum.arrives += length
			if s.asked {
				sum.pausable[s.priority] += length
				if s.ring {
					sum.pausableInRings[s.priority] += length
				}
			}
		}
	}
	l.site.Arbitrate()
}

// level returns the demand of a flow in this step, as a fraction of its full rate.
func (l *Lab) level(flow int) float64 {
	f := &l.plan.flows[flow]
	if l.setup.Scales[flow] == 0 || f.rdma && l.links[f.port].Exited || f.ipoib && l.pathless(f.port) {
		return 0
	}
	return f.Level(&l.rhythms[flow], l.schedules, l.steps) * l.setup.Scales[flow]
}

// limit computes the fraction of the demand that passes the line and the slot.
func (l *Lab) limit() {
	clear(l.cards)
	for i := range l.loads {
		sum, p := &l.loads[i], &l.plan.ports[i]
		l.deliverNotifications(i, sum)
		l.pauseFromFarEnd(i)
		sum.lineShare[receive] = share(p.line-sum.control[receive], sum.wire[receive])
		card := &l.cards[p.adapter]
		card.bytes[receive] += sum.arrives*sum.lineShare[receive] + sum.looped[receive]
		card.control[receive] += sum.control[receive]
	}
	for i := range l.loads {
		sum, p := &l.loads[i], &l.plan.ports[i]
		card := &l.cards[p.adapter]
		sum.slotReceiveShare = share(l.plan.cards[p.adapter].slot-card.control[receive], card.bytes[receive])
		if l.links[i].Stalled > 0 {
			sum.slotReceiveShare = 0
		}
		l.pauseFarEnd(i)
		room := p.line - sum.control[send]
		sum.lineShare[send] = share(room, sum.wire[send])
		l.shareLine(sum, p, room)
		for priority, length := range sum.leaves { // ETS may favour some
			card.bytes[send] += length * sum.priorityShare[priority]
		}
		card.bytes[send] += sum.looped[send]
		card.control[send] += sum.control[send]
	}
	for i := range l.loads {
		p := &l.plan.ports[i]
		card := &l.cards[p.adapter]
		l.loads[i].slotSendShare = share(l.plan.cards[p.adapter].slot-card.control[send], card.bytes[send])
	}
}

// shareLine divides an overloaded line among the priorities: by ETS, or equally without QoS. Limits of classes hold on any
// line.
func (l *Lab) shareLine(sum *load, p *portPlan, room float64) {
	for i := range sum.priorityShare {
		sum.priorityShare[i] = sum.lineShare[send]
	}
	if !p.limited && (sum.lineShare[send] == 1 || !p.qos) {
		return
	}
	var classes [ets.Classes]ets.Class
	var rates [ets.Classes]float64
	copy(classes[:], p.classes[:ets.Classes])
	for i, class := range p.classOf {
		classes[class].Demand += sum.classes[i]
	}
	classes[p.classOf[0]].Demand += sum.classes[counter.Untagged] // untagged frames have the priority of the port, which is 0
	for i := range classes {
		if !p.qos { // all get the same fraction of their demand
			classes[i].Strict, classes[i].Weight = false, classes[i].Demand
		}
	}
	ets.Share(max(0, room), classes[:], rates[:])
	for i, class := range p.classOf {
		if classes[class].Demand > 0 {
			sum.priorityShare[i] = rates[class] / classes[class].Demand
		}
	}
	sum.priorityShare[counter.Untagged] = sum.priorityShare[0]
}

// share returns the fraction of wanted that room is enough for.
func share(room, wanted float64) float64 {
	if wanted <= room {
		return 1
	}
	return max(0, room/wanted)
}

// countFrames counts whole frames.
func (l *Lab) countFrames() {
	clear(l.moved)
	clear(l.flowBytes)
	for i := range l.plan.flows {
		f := &l.plan.flows[i]
		var arrived, lost uint64
		for j := f.first; j < f.last; j++ {
			s, a := &l.plan.streams[j], &l.streams[j]
			if a.Lost > 0 {
				dropped := counter.Whole(&a.LostRest, a.Lost)
				if !s.disallowed || s.rdma { // protocols other than RDMA send little from the start
					arrived += dropped
					lost += dropped
				}
				switch {
				case !l.links[s.port].Up:
					l.loseVirtual(s, dropped)
				case s.disallowed && f.leases:
					l.dropDisallowedLeases(s)
				case s.disallowed:
					l.dropDisallowed(s, dropped)
				default:
					l.farEnds[s.port].TooLong += dropped
				}
			}
			if a.Want == 0 {
				continue
			}
			var n, all uint64
			if s.direction == send {
				n = l.emit(s, a)
				all = n
				if s.disallowed {
					l.loads[s.port].disallowedFrames += n
					l.loads[s.port].disallowedBytes += n * s.frame
				}
				if s.blocked || s.broken || s.disallowed && s.rdma {
					arrived += n
					lost += n
					if s.blocked {
						l.farEnds[s.port].TooLong += n
					}
					n = 0
				}
				if s.disallowed && !f.leases {
					n = 0
				}
				if a.beyondLoss > 0 && n > 0 {
					dropped := min(n, counter.Whole(&a.LostRest, float64(n)*a.beyondLoss))
					l.loseBeyond(s, dropped)
					n -= dropped
					if f.backsOff {
						arrived += n + dropped
						lost += dropped
					}
				}
			} else {
				n, all = l.take(s, a)
				if s.broken {
					n = 0
				}
				arrived += all
				lost += all - n
				if s.spills {
					dropped := l.overflow(s, a)
					arrived += dropped
					lost += dropped
				}
			}
			if f.leases {
				l.attributeLeases(s, n)
			}
			if f.crosses {
				l.site.Carry(f.crossing, int(s.direction), all, all*s.frame)
			}
			if !s.ack {
				l.moved[2*i+int(s.direction)] += n
				l.flowBytes[2*i+int(s.direction)] += all * s.frame
			}
		}
		if f.backsOff {
			l.rhythms[i].Answer(arrived, lost, f.recovery)
		}
		if f.rdma && lost > 0 {
			l.transport(i, arrived, lost)
		}
	}
	l.delivered, l.moved = l.moved, l.delivered
}
