package device

import (
	"slices"
	"time"
)

// lease is the address of a guest, which it got by DHCP.
type lease struct {
	Slot int
	// Due is the step of its next request, Frames the number of requests then.
	Due    int64
	Frames int
}

// leases are the leases of a port's guests. They are replaced and never changed.
type leases struct {
	Next int64   `json:",omitempty"` // the first step in which one is due
	List []lease `json:",omitempty"`
}

// renewal are frames of DHCP of a guest in a step.
type renewal struct {
	port   int
	guest  Guest
	frames uint64
	// asks says that it has no address yet: request and answer are broadcasts.
	asks bool
}

// How long after its start a machine asks for an address, with how many frames, and how long after that it renews its
// lease with one: the lab's assumptions.
const (
	leaseStart   = int64(time.Second / Step)
	leaseSpread  = int64(2 * time.Second / Step)
	leaseFrames  = 2
	leaseHalf    = int64(4 * time.Hour / Step)
	leaseEldest  = int64(time.Hour / Step) // the minimum for machines that ran before the lab began
	renewsFrames = 1
)

// lease gives the guests of a port leases: new guests ask for one soon, and at the lab's beginning all have one.
func (l *Lab) lease(port int) {
	var next leases
	before := l.leases[port].List
	for _, g := range l.guests[port] {
		same := func(a lease) bool { return a.Slot == g.Slot }
		if i := slices.IndexFunc(before, same); i >= 0 {
			next.List = append(next.List, before[i])
			continue
		}
		draw := newDice(l.seed, leaseDice, port*GuestSlots+g.Slot).draw(l.steps)
		one := lease{g.Slot, l.steps + leaseStart + int64(draw*float64(leaseSpread)), leaseFrames}
		if l.steps == 0 {
			one.Due, one.Frames = leaseEldest+int64(draw*float64(leaseHalf-leaseEldest)), renewsFrames
		}
		next.List = append(next.List, one)
	}
	next.look()
	l.leases = slices.Clone(l.leases)
	l.leases[port] = next
}

func (l *leases) look() {
	l.Next = 0
	for i, one := range l.List {
		if i == 0 || one.Due < l.Next {
			l.Next = one.Due
		}
	}
}

// valid reports whether the leases are possible for the guests.
func (l *leases) valid(guests []Guest) bool {
	same := func(a lease, g Guest) bool {
		return a.Slot == g.Slot && a.Due >= 0 && a.Frames > 0 && a.Frames <= leaseFrames
	}
	now := *l
	now.look()
	return slices.EqualFunc(l.List, guests, same) && now.Next == l.Next
}

// renewLeases finds the guests that ask for an address in this step. Without a link they wait for it.
func (l *Lab) renewLeases() {
	l.renewals = l.renewals[:0]
	for port := range l.leases {
		if now := &l.leases[port]; len(now.List) == 0 || now.Next > l.steps || !l.links[port].Up {
			continue
		}
		next := leases{List: slices.Clone(l.leases[port].List)}
		for i := range next.List {
			switch one := &next.List[i]; {
			case one.Due > l.steps:
			case l.guests[port][i].Held:
				one.Due = l.steps + leaseStart // it retries
			default:
				g := l.guests[port][i]
				l.renewals = append(l.renewals, renewal{port, g, uint64(one.Frames), one.Frames == leaseFrames})
				if g.Function != NoFunction && !g.Redirected && l.bars(port, IPv4Frame) { // it asks by broadcast, which needs no ARP
					one.Due = l.steps + leaseStart // nobody hears it
					continue
				}
				one.Due, one.Frames = l.steps+leaseHalf, renewsFrames
			}
		}
		next.look()
		l.leases = slices.Clone(l.leases)
		l.leases[port] = next
	}
}

// follows says whether a guest's DHCP uses the path of a stream.
func (r *renewal) follows(s *stream) bool {
	switch {
	case r.guest.Function == NoFunction:
		return s.synthetic
	case r.guest.Redirected:
		return !s.synthetic && !s.virtual
	}
	return s.virtual
}

// dueLeases counts the DHCP frames that use the path of a stream in this step.
func (l *Lab) dueLeases(s *stream) (frames float64) {
	home := l.plant.flows[s.flow].port // a team may carry it on another port
	for i := range l.renewals {
		if r := &l.renewals[i]; r.port == home && r.follows(s) {
			frames += float64(r.frames)
		}
	}
	return frames
}

// restLeases is a step in which no lease is due.
func (l *Lab) restLeases(f *flowPlan) {
	for j := f.first; j < f.last; j++ {
		l.streams[j].Want, l.streams[j].Held, l.streams[j].Lost = 0, 0, 0
	}
}

// attributeLeases counts delivered DHCP frames at their guests: they are not shared. The frames of a team stay in the
// shared traffic of its port.
func (l *Lab) attributeLeases(s *stream, n uint64) {
	if n == 0 || !s.virtual && !s.synthetic || int(s.port) != l.plant.flows[s.flow].port {
		return
	}
	b := l.copyShareBase(int(s.port))
	function, broadcast, guest := FunctionReceivedBytes, FunctionReceivedBroadcastBytes, GuestReceivedBytes
	if s.direction == send {
		function, broadcast, guest = FunctionSentBytes, FunctionSentBroadcastBytes, GuestSentBytes
	}
	of := guestParts[guest].function
	if s.synthetic {
		of = guestParts[guest].synthetic
	}
	for i := range l.renewals {
		r := &l.renewals[i]
		if r.port != int(s.port) || !r.follows(s) {
			continue
		}
		frames := min(n, r.frames)
		n -= frames
		for i, amount := range [...]uint64{frames * s.frame, frames} {
			b.Shared[int(of-FunctionsReceivedBytes)+i] += amount
			row(b.Guests, r.guest.Slot, int(guestCounters))[int(guest)+i] += amount
			if s.virtual {
				row(b.Functions, r.guest.Function, int(functionCounters))[int(function)+i] += amount
				if r.asks {
					l.counters[l.FunctionCell(int(s.port), r.guest.Function, broadcast+FunctionCounter(i))] += amount
				}
			}
		}
	}
	l.setShareBase(int(s.port), b)
}

// leaseParts are the paths of the DHCP of a port's guests.
func (l *Lab) leaseParts(flow int, own part) (list []part) {
	var there [3]bool
	for _, g := range l.guests[own.port] {
		switch {
		case g.Function == NoFunction:
			there[byHost] = true
		case g.Redirected:
			there[ofHost] = true
		default:
			there[byFunction] = true
		}
	}
	for by := range there {
		if own.way = way(by); !there[by] {
			continue
		}
		if own.way == byHost {
			list = append(list, l.carried(flow, own)...)
		} else {
			list = append(list, own)
		}
	}
	return list
}

// countLeases makes the streams of a flow of DHCP count frames: one in each step for each that is due.
func (p *plan) countLeases(f *flowPlan) {
	for j := f.first; j < f.last; j++ {
		p.streams[j].perStep = 1
	}
}
