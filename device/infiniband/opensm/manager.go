package opensm

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/qos"
)

// Engine is how a manager routes.
type Engine string

// The routing engines.
const (
	MinHop Engine = "minhop"
	UpDown Engine = "updn"
)

// Role is what a manager does in its subnet.
type Role uint8

// The roles, with the numbers of SMInfo.
const (
	NotActive Role = iota
	Discovering
	Standby
	Master
)

// String returns the name as sminfo writes it.
func (r Role) String() string {
	return [...]string{"SMINFO_NOTACT", "SMINFO_DISCOVER", "SMINFO_STANDBY", "SMINFO_MASTER"}[min(r, Master)]
}

// The times of a manager: between two sweeps, between two questions of a standby to its master, and the questions without an answer
// after which the standby takes over.
const (
	SweepEvery  = 10 * time.Second
	PollEvery   = 10 * time.Second
	PollsToLose = 4
	MaxPriority = 15
	// SwitchPriority is the priority of the manager of a switch in a lab that describes no subnet.
	SwitchPriority = 14
	UsualVersion   = "3.3.11"
)

// Manager is a subnet manager: a program on an end port.
type Manager struct {
	Place    infiniband.Place `json:"place"`
	Running  bool             `json:"running"`
	Priority uint8            `json:"priority"`
	Engine   Engine           `json:"engine,omitempty"`
	// LMC is the number of low bits of a LID that address the same port, for several paths.
	LMC        uint8       `json:"lmc,omitempty"`
	Partitions []Partition `json:"partitions,omitempty"`
	Version    string      `json:"version,omitempty"`
	// QoS are the tables that it writes into all ports, nil without QoS.
	QoS *qos.Tables `json:"qos,omitempty"`
	// Policy is its policy file; it acts with QoS only. Levels of partitions act without it.
	Policy *qos.Policy `json:"policy,omitempty"`
	// Virtual has the manager serve virtual ports ("ib sm virt enable", virt_enable).
	Virtual bool `json:"virtual,omitempty"`
	Role    Role `json:"role"`
	// Activity counts its sweeps. Next is the time of the next sweep or poll, Missed the polls without an answer.
	Activity uint32        `json:"activity,omitempty"`
	Next     time.Duration `json:"next,omitempty"`
	Missed   int           `json:"missed,omitempty"`
	// LIDs is what it remembers: the LID of each port that it has seen.
	LIDs map[description.GUID]uint16 `json:"lids,omitempty"`
	// Seen is the number of link changes that the last sweep saw, plus 1; 0 before the first one and after a change of its settings.
	Seen uint64 `json:"seen,omitempty"`
	// Every is the time between two sweeps, 0 for SweepEvery; a negative one sweeps only after traps.
	Every time.Duration `json:"every,omitempty"`
	// Hosted marks the manager of a program of the host, or of a host beside it; GUID is the port's GUID of one beside it, whose port the
	// fabric has under another one.
	Hosted bool             `json:"hosted,omitempty"`
	GUID   description.GUID `json:"guid,omitempty"`
	// Fell is true when up/down found no root, and the routes are min-hop's.
	Fell bool `json:"fell,omitempty"`
}

// Settings are the options of a program that manages a subnet.
type Settings struct {
	Priority uint8
	// Every is the time between two sweeps, as in Manager.
	Every   time.Duration
	Virtual bool
	// QoS and Policy are as in Manager.
	QoS    *qos.Tables
	Policy *qos.Policy
}

// Configure applies settings, and reports whether one changed.
func (m *Manager) Configure(s Settings) bool {
	was := Settings{m.Priority, m.Every, m.Virtual, m.QoS, m.Policy}
	m.Priority, m.Every, m.Virtual, m.QoS, m.Policy = s.Priority, s.Every, s.Virtual, s.QoS, s.Policy
	if !reflect.DeepEqual(was.QoS, s.QoS) || !reflect.DeepEqual(was.Policy, s.Policy) {
		m.Seen = 0 // the ports get other tables
		return true
	}
	return was.Priority != s.Priority || was.Every != s.Every || was.Virtual != s.Virtual
}

// Sweep has a manager discover its part of the fabric and configure it as master.
func (m *Manager) Sweep(f *infiniband.Fabric) {
	p := discover(f, m.Place)
	m.Activity++
	m.Seen = f.Changes + 1
	m.assignLIDs(p)
	h, rooted := (*hops)(nil), true
	if m.Engine == UpDown {
		h, rooted = upDown(p)
	}
	if h == nil {
		h = minHops(p)
	}
	m.Fell = !rooted
	p.routes(h)
	m.partition(p)
	f.QoS, f.Policy = m.QoS, m.policy()
	p.forget()
	p.activate(f.At(m.Place).LID)
	m.join(p, h)
}

// forget drops what a manager outside of the lab left in the ports of a part.
func (p *part) forget() {
	p.Outside = false
	for _, end := range p.ends {
		for i := range p.Of(end).Ports {
			p.Of(end).Ports[i].Tables = nil
		}
	}
}

// activate brings the ports of a part into the state Active.
func (p *part) activate(manager uint16) {
	up := func(at infiniband.Place) {
		port := p.At(at)
		if port.Physical == infiniband.LinkUp {
			port.State = infiniband.Active
		}
	}
	for _, end := range p.ends {
		port := p.End(end)
		port.ManagerLID = manager
		up(end)
		if node := p.Of(end); node.Kind == infiniband.Switch {
			for i := 1; i < len(node.Ports); i++ {
				up(infiniband.Place{Node: end.Node, Port: i})
			}
		}
	}
}

// better orders managers: the higher priority first, then the lower GUID.
func better(f *infiniband.Fabric, a, b *Manager) int {
	return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.PortGUID(f), b.PortGUID(f)))
}

// PortGUID returns the GUID by which the manager takes part in an election.
func (m *Manager) PortGUID(f *infiniband.Fabric) description.GUID {
	return cmp.Or(m.GUID, f.End(m.Place).GUID)
}

// never is later than every time of a lab.
const never = time.Duration(1) << 62

// nextSweep returns the time of the sweep after one.
func (m *Manager) nextSweep(now time.Duration) time.Duration {
	if m.Every < 0 {
		return never
	}
	return now + cmp.Or(m.Every, SweepEvery)
}

// elect returns the running managers in a part, the best first.
func elect(f *infiniband.Fabric, p *part, managers []*Manager) []*Manager {
	var here []*Manager
	for _, m := range managers {
		if m.Running && slices.Contains(p.ends, m.Place) {
			here = append(here, m)
		}
	}
	slices.SortStableFunc(here, func(a, b *Manager) int { return better(f, a, b) })
	return here
}
