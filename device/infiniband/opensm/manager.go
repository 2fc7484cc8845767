package opensm

import (
	"cmp"
	"slices"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
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
	SweepEvery   = 10 * time.Second
	PollEvery    = 10 * time.Second
	PollsToLose  = 4
	MaxPriority  = 15
	UsualVersion = "3.3.11"
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
	// Fell is true when up/down found no root, and the routes are min-hop's.
	Fell bool `json:"fell,omitempty"`
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
	p.activate(f.At(m.Place).LID)
	m.join(p, h)
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
	return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(f.End(a.Place).GUID, f.End(b.Place).GUID))
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
