package device

import (
	"math/rand/v2"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/reach"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
)

// TestWhatFindsNoReceiverIsNotDelivered sets labs up at random, with teams, VLANs, trunks, frame limits, RoCE modes, guests
// and links: of flows that find no receiver nothing is delivered, all of which something is delivered find one, and each
// that finds none has a reason.
func TestWhatFindsNoReceiverIsNotDelivered(t *testing.T) {
	t.Parallel()
	reasons := map[reach.Reason]int{}
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 11))
		l := newLab(t, seed)
		for range 10 {
			disturb(t, l, r)
			disturbReach(t, l, r)
			l.Advance(200 * time.Millisecond)
		}
		l.Advance(2 * time.Second) // links train, and what was under way arrives
		before := l.Reaches()
		frames, wanted := make([][2]uint64, len(before)), make([][2]float64, len(before))
		ups := make([]bool, l.Ports())
		for port := range ups {
			ups[port] = l.State(port).Up
		}
		for range 60 {
			l.Advance(Step)
			for i := range l.plan.flows {
				frames[i][receive] += l.delivered[2*i+receive]
				frames[i][send] += l.delivered[2*i+send]
				for j := l.plan.flows[i].first; j < l.plan.flows[i].last; j++ {
					if s := &l.plan.streams[j]; !s.ack {
						wanted[i][s.direction] += l.streams[j].Want
					}
				}
			}
		}
		for port := range ups {
			if ups[port] != l.State(port).Up {
				t.Fatalf("seed %d: the link of port %d changed meanwhile", seed, port)
			}
		}
		for i := range before {
			b := &before[i]
			if l.plant.flows[i].kind == traffic.LeaseFlow {
				continue
			}
			for direction, finds := range b.DeliverableBits {
				switch got := frames[i][direction]; {
				case finds == 0 && got > 0:
					t.Errorf("seed %d: %s finds no receiver (%b), and %d frames were delivered", seed, b.Name, b.Reasons, got)
				case finds > 0 && got == 0 && wanted[i][direction] > 1000 && healthy(l, b.Port):
					t.Errorf("seed %d: %s finds a receiver, and nothing of %g frames was delivered", seed, b.Name, wanted[i][direction])
				}
			}
			described := &l.plant.traffic[i]
			nothing := described.ReceiveGbps > 0 && b.DeliverableBits[receive] == 0 || described.SendGbps > 0 && b.DeliverableBits[send] == 0
			why := b.Reasons.First(0)
			if nothing && why == reach.NoReason {
				t.Errorf("seed %d: %s finds no receiver, and has no reason", seed, b.Name)
			}
			reasons[why]++
		}
	}
	for why := reach.NoReason; why <= reach.OverLength; why++ {
		if reasons[why] == 0 && why != reach.FrameDisallowed { // which other tests have
			t.Errorf("no lab had the reason %d", why)
		}
	}
}

// disturbReach changes something that decides who receives.
func disturbReach(t *testing.T, l *Lab, r *rand.Rand) {
	t.Helper()
	port := r.IntN(l.Ports())
	s := l.Settings(port)
	var err error
	switch r.IntN(6) {
	case 5:
		marks := make([]setup.Mark, len(l.plant.description.Flows))
		for i := range marks {
			marks[i] = setup.Mark{Priority: setup.AsDescribed, DSCP: setup.AsDescribed, NoGID: r.IntN(2) == 0}
		}
		err = l.SetMarks(marks)
	case 4:
		s.Connections, s.PathQueries, s.SubnetTimeout, s.SubnetRetries = 1+r.IntN(3), true, 250, 1
		if err = l.Configure(port, s); err == nil && !l.plan.ports[port].ethernet {
			far := l.SwitchPort(port)
			far.SubnetManager = description.SubnetDown
			err = l.SetSwitchPort(port, far)
		}
	case 0:
		s.MaxFrame = []int{1514, 4096, 9614}[r.IntN(3)]
		err = l.Configure(port, s)
	case 1:
		s.RoCE = description.RoCEMode(r.IntN(int(description.RoCEv2) + 1))
		err = l.Configure(port, s)
	case 2:
		if l.plan.ports[port].ethernet {
			guests := []setup.Guest{}
			for slot := range r.IntN(3) {
				guests = append(guests, setup.Guest{Slot: slot, Function: setup.NoFunction, Share: float64(r.IntN(2)), Rings: []int{0}})
			}
			err = l.SetGuests(port, guests)
		}
	case 3:
		bindings := randomBindings(l, r)
		for i := range bindings {
			bindings[i].Broken = r.IntN(4) == 0
			if r.IntN(4) == 0 && bindings[i].Team {
				bindings[i].Carriers = setup.Carriers{}
			}
		}
		err = l.Bind(bindings)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// healthy reports whether nothing is wrong with the ports of a lab that a flow of a port may go through.
func healthy(l *Lab, port int) bool {
	ports := []int{port}
	if b := l.setup.Binding(port); b != nil {
		ports = b.Ports
	}
	for _, port := range ports {
		for kind := range description.FaultCount {
			if l.Fault(port, kind) > 0 {
				return false
			}
		}
		if s := l.SwitchPort(port); s.PauseShare > 0 {
			return false
		}
	}
	return true
}
