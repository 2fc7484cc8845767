package opensm

import (
	"maps"
	"slices"
	"time"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/qos"
	"cxdeck/device/infiniband/trap"
)

// Subnet is a fabric with its managers and its clock. One goroutine owns it.
type Subnet struct {
	Fabric   *infiniband.Fabric
	Managers []*Manager
	// Notices are the newest traps that a master received, in the order of their times.
	Notices []trap.Notice
	now     time.Duration
	// trap is set when a switch saw a link change: masters sweep at once.
	trap bool
}

// New returns a subnet at time 0, in which the running managers have found each other and the masters have configured the ports.
func New(f *infiniband.Fabric, managers []*Manager) *Subnet {
	f.Moved = nil // nobody has seen the subnet before
	s := &Subnet{Fabric: f, Managers: managers}
	s.settle()
	return s
}

// settle has the managers of each part agree, and the masters sweep, as if enough time had passed.
func (s *Subnet) settle() {
	done := map[*Manager]bool{}
	for _, m := range s.Managers {
		m.Role = NotActive
	}
	for _, m := range s.Managers {
		if !m.Running || done[m] {
			continue
		}
		here := elect(s.Fabric, discover(s.Fabric, m.Place), s.Managers)
		for i, other := range here {
			done[other] = true
			other.Role, other.Next, other.Missed = Standby, s.now+PollEvery, 0
			if i == 0 {
				other.Seen = 0
				s.sweep(other)
				other.Role = Master
			}
		}
	}
	s.mark()
}

// mark writes the capability bits of the managers' ports, and returns the ports that one began or ended on.
func (s *Subnet) mark() (changed []infiniband.Place) {
	was := map[infiniband.Place]bool{}
	for n := range s.Fabric.Nodes {
		for p := range s.Fabric.Nodes[n].Ports {
			if port := &s.Fabric.Nodes[n].Ports[p]; port.IsManager {
				was[infiniband.Place{Node: n, Port: p}], port.IsManager = true, false
			}
		}
	}
	for _, m := range s.Managers {
		s.Fabric.At(m.Place).IsManager = s.Fabric.At(m.Place).IsManager || m.Running
		if m.Running != was[m.Place] {
			changed = append(changed, m.Place)
		}
	}
	return changed
}

// notifyManagers sends the traps of the ports on which a manager began or ended.
func (s *Subnet) notifyManagers() {
	for _, at := range s.mark() {
		if s.Fabric.At(at).Physical == infiniband.LinkUp {
			s.Notify(trap.LocalChange, at)
		}
	}
}

// sweep has a master look at its part, and configure it when something changed.
func (s *Subnet) sweep(m *Manager) {
	if m.Seen == s.Fabric.Changes+1 {
		m.Activity++
	} else {
		m.Sweep(s.Fabric)
	}
	m.Next = m.nextSweep(s.now)
}

// Now returns the subnet's time.
func (s *Subnet) Now() time.Duration { return s.now }

// Changed tells the subnet that a link went down, came up or trained again. The switch at its end sends a trap to its master.
func (s *Subnet) Changed() { s.trap = true }

// Pending reports a change of a link or a manager that the managers have not been told of.
func (s *Subnet) Pending() bool { return s.trap }

// Start starts a manager, Stop ends it. A new manager looks for a master first: it takes the role when it finds none, or hands the
// subnet over to the better one.
func (s *Subnet) Start(m *Manager) {
	m.Running, m.Role, m.Next, m.Missed = true, Discovering, s.now, 0
	s.trap = true
	s.notifyManagers()
}

// Stop ends a manager. Ports that it activated stay active until their links change.
func (s *Subnet) Stop(m *Manager) {
	m.Running, m.Role = false, NotActive
	s.trap = true
	s.notifyManagers()
}

// Advance moves the time on.
func (s *Subnet) Advance(now time.Duration) {
	s.now = max(s.now, now)
	s.notifyLinks()
	for _, m := range s.Managers {
		if m.Running && (m.Next <= s.now || s.trap && m.Role == Master) {
			s.act(m)
		}
	}
	s.trap = false
}

// act has a manager do what is due: a master sweeps, and hands over to a better manager; a standby asks its master whether it is there.
func (s *Subnet) act(m *Manager) {
	here := elect(s.Fabric, discover(s.Fabric, m.Place), s.Managers)
	best := here[0]
	var master *Manager
	for _, other := range here {
		if other != m && other.Role == Master {
			master = other
		}
	}
	switch {
	case m.Role == Master && best == m:
		if master != nil { // two parts of the fabric came together
			master.Role, master.Next, master.Missed = Standby, s.now+PollEvery, 0
		}
		s.sweep(m)
	case m.Role == Master:
		m.Role, m.Next, m.Missed = Standby, s.now+PollEvery, 0
		s.takeOver(best)
	case master != nil && better(s.Fabric, m, master) < 0:
		master.Role, master.Next, master.Missed = Standby, s.now+PollEvery, 0
		s.takeOver(m)
	case master != nil:
		m.Role, m.Next, m.Missed = Standby, s.now+PollEvery, 0
	case m.Role == Standby && m.Missed+1 < PollsToLose:
		m.Missed++
		m.Next = s.now + PollEvery
	case best == m || best.Role != Discovering:
		s.takeOver(m)
	default: // a better one is looking, too
		m.Role, m.Next = Standby, s.now+PollEvery
	}
}

func (s *Subnet) takeOver(m *Manager) {
	m.Role, m.Missed, m.Seen = Master, 0, 0
	s.sweep(m)
}

// Master returns the master of the part that a port is in, nil without one.
func (s *Subnet) Master(at infiniband.Place) *Manager {
	for _, m := range elect(s.Fabric, discover(s.Fabric, at), s.Managers) {
		if m.Role == Master {
			return m
		}
	}
	return nil
}

// Clone returns an independent copy.
func (s *Subnet) Clone() *Subnet {
	c := *s
	c.Fabric, c.Managers = s.Fabric.Clone(), make([]*Manager, len(s.Managers))
	for i, m := range s.Managers {
		copied := *m
		copied.LIDs = maps.Clone(m.LIDs)
		c.Managers[i] = &copied
	}
	return &c
}

// Restore continues at a time with saved managers; the fabric was restored before.
func (s *Subnet) Restore(now time.Duration, managers []*Manager, notices []trap.Notice) error {
	for i := range notices {
		if n := &notices[i]; !n.Valid() || n.At > now || i > 0 && n.Serial <= notices[i-1].Serial || len(notices) > maxNotices {
			return infiniband.ErrDamaged
		}
	}
	for _, m := range managers {
		if m == nil || m.Place.Node < 0 || m.Place.Node >= len(s.Fabric.Nodes) || m.Place.Port < 0 ||
			m.Place.Port >= len(s.Fabric.Nodes[m.Place.Node].Ports) || m.Role > Master || m.LMC > 7 || m.QoS != nil && !m.QoS.Valid() || m.Policy != nil && !m.Policy.Valid() ||
			slices.ContainsFunc(m.Partitions, func(p Partition) bool { return p.Level >= qos.Levels }) {
			return infiniband.ErrDamaged
		}
	}
	s.now, s.Managers, s.Notices, s.Fabric.Moved = now, managers, notices, nil
	return nil
}
