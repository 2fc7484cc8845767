package device

import (
	"slices"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/functions"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
)

// renewal is the DHCP frames of a guest in a step.
type renewal struct {
	port   int
	guest  setup.Guest
	frames uint64
	// asks reports that the guest has no address yet: request and answer are broadcasts.
	asks bool
}

// The time from a machine's start to its request for an address, and to the renewal of its lease: assumptions of the lab.
const (
	leaseStart   = int64(time.Second / Step)
	leaseSpread  = int64(2 * time.Second / Step)
	leaseHalf    = int64(4 * time.Hour / Step)
	leaseEldest  = int64(time.Hour / Step) // the minimum for machines that ran before the lab began
	renewsFrames = 1
)

// leaseGuests assigns leases to the guests of a port: new guests soon request one, and all guests have one when the lab starts.
func (l *Lab) leaseGuests(port int) {
	var next setup.Leases
	before := l.setup.Leases[port].List
	for _, g := range l.setup.Guests[port] {
		same := func(a setup.Lease) bool { return a.Slot == g.Slot }
		if i := slices.IndexFunc(before, same); i >= 0 {
			next.List = append(next.List, before[i])
			continue
		}
		draw := traffic.NewDice(l.seed, traffic.LeaseDice, port*counter.GuestSlots+g.Slot).Draw(l.steps)
		lease := setup.Lease{Slot: g.Slot, Due: l.steps + leaseStart + int64(draw*float64(leaseSpread)), Frames: setup.LeaseFrames}
		if l.steps == 0 {
			lease.Due, lease.Frames = leaseEldest+int64(draw*float64(leaseHalf-leaseEldest)), renewsFrames
		}
		next.List = append(next.List, lease)
	}
	next.FindNext()
	l.setup.Leases = slices.Clone(l.setup.Leases)
	l.setup.Leases[port] = next
}

// renewLeases collects the guests that request an address in this step. Without a link they wait.
func (l *Lab) renewLeases() {
	l.renewals = l.renewals[:0]
	for port := range l.setup.Leases {
		if now := &l.setup.Leases[port]; len(now.List) == 0 || now.Next > l.steps || !l.links[port].Up {
			continue
		}
		next := setup.Leases{List: slices.Clone(l.setup.Leases[port].List)}
		for i := range next.List {
			switch lease := &next.List[i]; {
			case lease.Due > l.steps:
			case l.setup.Guests[port][i].Held:
				lease.Due = l.steps + leaseStart // it retries
			default:
				g := l.setup.Guests[port][i]
				l.renewals = append(l.renewals, renewal{port, g, uint64(lease.Frames), lease.Frames == setup.LeaseFrames})
				if g.Function != setup.NoFunction && !g.Redirected && l.disallows(port, setup.IPv4Frame) { // the request is a broadcast, which needs no ARP
					lease.Due = l.steps + leaseStart // no receiver
					continue
				}
				lease.Due, lease.Frames = l.steps+leaseHalf, renewsFrames
			}
		}
		next.FindNext()
		l.setup.Leases = slices.Clone(l.setup.Leases)
		l.setup.Leases[port] = next
	}
}

// usesPathOf reports whether a guest's DHCP uses the path of a stream.
func (r *renewal) usesPathOf(s *stream) bool {
	switch {
	case r.guest.Function == setup.NoFunction:
		return s.synthetic
	case r.guest.Redirected:
		return !s.synthetic && !s.virtual
	}
	return s.virtual
}

// dueLeaseFrames counts the DHCP frames that use the path of a stream in this step.
func (l *Lab) dueLeaseFrames(s *stream) (frames float64) {
	home := l.plant.flows[s.flow].port // a team may carry the stream on another port
	for i := range l.renewals {
		if r := &l.renewals[i]; r.port == home && r.usesPathOf(s) {
			frames += float64(r.frames)
		}
	}
	return frames
}

// skipLeases clears the streams of a step in which no lease is due.
func (l *Lab) skipLeases(f *flowPlan) {
	for j := f.first; j < f.last; j++ {
		l.streams[j].Want, l.streams[j].Held, l.streams[j].Lost = 0, 0, 0
	}
}

// attributeLeases adds delivered DHCP frames to the counters of their guests, outside the shared traffic. The frames of a team
// stay in the shared traffic of its port.
func (l *Lab) attributeLeases(s *stream, n uint64) {
	if n == 0 || !s.virtual && !s.synthetic || int(s.port) != l.plant.flows[s.flow].port {
		return
	}
	b := l.setup.CopyShareBase(int(s.port))
	function, broadcast, guest := counter.FunctionReceivedBytes, counter.FunctionReceivedBroadcastBytes, counter.GuestReceivedBytes
	if s.direction == send {
		function, broadcast, guest = counter.FunctionSentBytes, counter.FunctionSentBroadcastBytes, counter.GuestSentBytes
	}
	path := functions.GuestParts[guest].Function
	if s.synthetic {
		path = functions.GuestParts[guest].Synthetic
	}
	for i := range l.renewals {
		r := &l.renewals[i]
		if r.port != int(s.port) || !r.usesPathOf(s) {
			continue
		}
		frames := min(n, r.frames)
		n -= frames
		for i, amount := range [...]uint64{frames * s.frame, frames} {
			b.Shared[int(path-counter.FunctionsReceivedBytes)+i] += amount
			setup.Row(b.Guests, r.guest.Slot, int(counter.GuestCount))[int(guest)+i] += amount
			if s.virtual {
				setup.Row(b.Functions, r.guest.Function, int(counter.FunctionCount))[int(function)+i] += amount
				if r.asks {
					l.counters[l.FunctionCell(int(s.port), r.guest.Function, broadcast+counter.Function(i))] += amount
				}
			}
		}
	}
	l.setup.SetShareBase(int(s.port), b)
}

// leaseParts returns the parts of a DHCP flow, by the paths of a port's guests.
func (l *Lab) leaseParts(flow int, own part) (list []part) {
	var there [3]bool
	for _, g := range l.setup.Guests[own.port] {
		switch {
		case g.Function == setup.NoFunction:
			there[setup.SyntheticPath] = true
		case g.Redirected:
			there[setup.HostPath] = true
		default:
			there[setup.FunctionPath] = true
		}
	}
	for by := range there {
		if own.way = setup.Path(by); !there[by] {
			continue
		}
		if own.way == setup.SyntheticPath {
			list = append(list, l.carried(flow, own)...)
		} else {
			list = append(list, own)
		}
	}
	return list
}

// countLeases sets the streams of a DHCP flow to one frame in each step for each due lease.
func (p *plan) countLeases(f *flowPlan) {
	for j := f.first; j < f.last; j++ {
		p.streams[j].perStep = 1
	}
}
