package device

import (
	"fmt"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/subnet"
)

// training is the time in which a link comes up once both ends are present, in steps.
const training = 24

// TrainingTime is training as a duration.
const TrainingTime = training * Step

// linkState is the state of a port's cable and link.
type linkState struct {
	Cabled, Enabled, Up bool
	// Counting reports that received packets are counted by processor and kind.
	Counting bool
	// Ready counts the steps since both ends are present.
	Ready int64
	// Stalled counts the steps since the host stopped taking packets; Exited reports that the RDMA applications have ended.
	Stalled int64
	Exited  bool
	// Dropless reports dropless mode, in which packets without a descriptor wait; Waiting is the waiting fraction of the
	// packets that arrived for the rings in the last step.
	Dropless bool
	Waiting  float64
}

// link is a port's cable and link in a step.
type link struct {
	linkState
	// The faults in this step; the far end pauses pausePriority.
	faults        setup.FaultShares
	pausePriority int
	// silent reports that the port neither sends pauses nor obeys them.
	silent bool
}

// flapping reports whether the link is lost.
func (s *link) flapping() bool { return s.faults[description.LinkFlap] > 0 }

// LinkChange is a link that came up or went down, or a port whose dropless mode expired.
type LinkChange struct {
	Port int
	Up   bool
	// Expired reports that the timer of dropless mode expired; Up has no meaning then.
	Expired bool
	// Elapsed is the time of the change since the lab's start.
	Elapsed time.Duration
}

// PortState is the current state of a port.
type PortState struct {
	// Cabled reports that the cable is plugged in, Enabled that the driver has enabled the port, Up that there is a link.
	Cabled, Enabled, Up bool
	// Rate is the nominal line rate in bits per second, also while the link is down (FAM-7: 56 Gb/s for FDR, although its data
	// rate is lower).
	Rate float64
	// Subnet is the state of an InfiniBand port in its subnet; Up is subnet.Active.
	Subnet subnet.State
}

// Connection returns the name of a port's connection; empty for -1, which is not a port.
func (l *Lab) Connection(port int) string {
	if port < 0 {
		return ""
	}
	return l.plant.ports[port].description.Connection
}

// Ports returns the number of ports, over all adapters in their order.
func (l *Lab) Ports() int { return len(l.plan.ports) }

// Port returns the description of a port, the index of its adapter, and its own index in the adapter.
func (l *Lab) Port(port int) (d *description.Port, adapter, index int) {
	p := &l.plant.ports[port]
	return p.description, p.adapter, p.index
}

// Family returns the driver family of a port's adapter.
func (l *Lab) Family(port int) description.Family {
	return l.Description().Adapters[l.plant.ports[port].adapter].Family
}

// State returns the current state of a port.
func (l *Lab) State(port int) PortState {
	s, rate := &l.links[port], l.plan.ports[port].rate
	if !l.plan.ports[port].ethernet {
		rate = float64(l.plant.ports[port].description.SpeedGbps) * 1e9
	}
	return PortState{Cabled: s.Cabled, Enabled: s.Enabled, Up: s.Up, Rate: rate, Subnet: l.subnetState(port)}
}

// Training returns the remaining time until the link of a port comes up, counted from the start of its driver if that is
// stopped. ok is false when it is up, or can't come up by itself: without a cable, with a fault, without a subnet manager.
func (l *Lab) Training(port int) (left time.Duration, ok bool) {
	s := &l.links[port]
	ok = s.Cabled && !s.Up && !s.flapping() && l.setup.Manager(port) == description.SubnetManaged
	left = time.Duration(training-s.Ready) * Step
	if silent := time.Duration(l.silence[port]) * Step; silent > 0 { // until the driver's next query
		left = max(left, l.queryPolicy(port).Next(silent)-silent+Step)
	}
	return left, ok && left > 0
}

// SetCable pulls or plugs the cable of a port. The link goes down at once and comes up after its training.
func (l *Lab) SetCable(port int, in bool) error {
	s, err := l.link(port)
	if err != nil {
		return err
	}
	s.Cabled = in
	l.dropBrokenLink(port, l.elapsed)
	return nil
}

// SetEnabled enables or disables a port, as the driver does when it starts and stops.
func (l *Lab) SetEnabled(port int, on bool) error {
	s, err := l.link(port)
	if err != nil {
		return err
	}
	if s.Enabled && !on && s.Up {
		l.flushRequests(port)
	}
	s.Enabled = on
	l.dropBrokenLink(port, l.elapsed)
	return nil
}

func (l *Lab) link(port int) (*link, error) {
	if port < 0 || port >= len(l.links) {
		return nil, fmt.Errorf("the lab has no port %d", port)
	}
	return &l.links[port], nil
}

// TakeLinkChanges returns the link changes since its last call, oldest first.
func (l *Lab) TakeLinkChanges() []LinkChange {
	changes := l.changes
	l.changes = nil
	return changes
}

// dropBrokenLink takes down a link that has lost an end. It never brings a link up: that takes training.
func (l *Lab) dropBrokenLink(port int, at time.Duration) {
	s := &l.links[port]
	if s.Cabled && s.Enabled && !s.flapping() {
		return
	}
	s.Ready = 0
	l.drop(port, at)
}

// drop takes down a link if it is up.
func (l *Lab) drop(port int, at time.Duration) {
	if s := &l.links[port]; s.Up {
		s.Up = false
		l.counters[counter.Cell(port, counter.LinkDowns)]++
		l.disconnect(port)
		l.changes = append(l.changes, LinkChange{Port: port, Up: false, Elapsed: at})
	}
}

// moveLinks applies the faults of a step and trains links.
func (l *Lab) moveLinks() {
	l.applyFaults()
	l.moveSite()
	for port := range l.links {
		s := &l.links[port]
		if !s.Cabled || !s.Enabled || s.flapping() {
			l.dropBrokenLink(port, l.stepTime())
			continue
		}
		manager := l.setup.Manager(port)
		l.waitForSubnet(port)
		if s.Up {
			if manager == description.SubnetAbsent { // the port stays trained, and waits
				l.drop(port, l.stepTime())
				s.Ready = training
			}
			continue
		}
		if s.Ready = min(training, s.Ready+1); s.Ready == training && manager == description.SubnetManaged && l.silence[port] == 0 {
			s.Up, s.Ready = true, 0
			l.counters[counter.Cell(port, counter.LinkUps)]++
			l.connect(port)
			l.changes = append(l.changes, LinkChange{Port: port, Up: true, Elapsed: l.stepTime()})
		}
	}
}

// connect opens the RDMA connections of a port.
func (l *Lab) connect(port int) {
	if l.links[port].Exited {
		return
	}
	p := &l.plan.ports[port]
	l.counters[counter.Cell(port, counter.RDMAAccepted)] += p.accepted
	l.counters[counter.Cell(port, counter.RDMAInitiated)] += p.initiated
	l.counters[counter.Cell(port, counter.RDMAActive)] += p.accepted + p.initiated
	l.counters[counter.Cell(port, counter.ErrorQueuePairs)] = 0 // the new connections have new queue pairs
	l.countCommands(port, (p.accepted+p.initiated)*commandsOfPair)
}

// disconnect breaks the RDMA connections of a port.
func (l *Lab) disconnect(port int) {
	active := &l.counters[counter.Cell(port, counter.RDMAActive)]
	l.counters[counter.Cell(port, counter.RDMAErrors)] += *active
	*active = 0
}
