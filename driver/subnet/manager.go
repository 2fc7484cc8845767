package subnet

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/device/infiniband/qos"
	"cxdeck/device/infiniband/site"
	"cxdeck/driver/request"
)

// SetManager starts or stops the subnet manager on a node, and sets how it works. A node without one gets one. Nil fields stay as they
// are.
type SetManager struct {
	// Node is the name of a switch or a host in the subnet.
	Node    string `json:"node"`
	Running *bool  `json:"running,omitempty"`
	// Priority is 0 to 15; the highest wins, then the lowest GUID.
	Priority *uint8 `json:"priority,omitempty"`
	// Routing is "minhop" or "updn".
	Routing *opensm.Engine `json:"routing,omitempty"`
	// LMC gives each port 2 to the power of it LIDs, 0 to 7.
	LMC *uint8 `json:"lmc,omitempty"`
	// Virtual has it serve virtual ports.
	Virtual *bool `json:"virtual,omitempty"`
	// Partitions replaces its partitions.
	Partitions *[]opensm.Partition `json:"partitions,omitempty"`
}

// ClearCounters sets counters of ports to 0.
type ClearCounters struct {
	// Port is "IB1/12", or empty for all ports.
	Port string `json:"port,omitempty"`
	// Errors and Traffic are the counters that it clears.
	Errors  bool `json:"errors,omitempty"`
	Traffic bool `json:"traffic,omitempty"`
}

func (SetManager) Kind() string     { return "set-subnet-manager" }
func (ClearCounters) Kind() string  { return "clear-subnet-counters" }
func (o SetManager) Target() string { return o.Node }

// Target is "the subnet" for all ports.
func (o ClearCounters) Target() string {
	if o.Port == "" {
		return "the subnet"
	}
	return o.Port
}
func (SetManager) Commands() []string    { return nil }
func (ClearCounters) Commands() []string { return nil }

func (o SetManager) Describe() string {
	var changes []string
	if o.Priority != nil {
		changes = append(changes, fmt.Sprintf("priority %d", *o.Priority))
	}
	if o.Routing != nil {
		changes = append(changes, "routing by "+string(*o.Routing))
	}
	if o.LMC != nil {
		changes = append(changes, fmt.Sprintf("LMC %d", *o.LMC))
	}
	if o.Virtual != nil {
		changes = append(changes, map[bool]string{true: "virtual ports on", false: "virtual ports off"}[*o.Virtual])
	}
	if o.Partitions != nil {
		changes = append(changes, fmt.Sprintf("%d partitions", len(*o.Partitions)))
	}
	verb := "set"
	if o.Running != nil {
		verb = map[bool]string{true: "start", false: "stop"}[*o.Running]
	}
	text := verb + " the subnet manager on " + o.Node
	if len(changes) > 0 {
		text += " with " + strings.Join(changes, ", ")
	}
	return text
}

func (o ClearCounters) Describe() string {
	what := map[[2]bool]string{{true, true}: "all counters", {true, false}: "the error counters", {false, true}: "the traffic counters"}[[2]bool{o.Errors, o.Traffic}]
	if o.Port == "" {
		return "clear " + what + " of the subnet"
	}
	return "clear " + what + " of " + o.Port
}

func (o SetManager) Inverse(h Host) (Operation, error) {
	back := SetManager{Node: o.Node}
	err := h.Lab().ReadSubnet(func(s *site.Site) error {
		node := s.Fabric.Named(o.Node)
		switch {
		case node < 0:
			return &UnknownNodeError{o.Node}
		case s.Fabric.Nodes[node].Kind == infiniband.Router:
			return fmt.Errorf("%s is a router, which runs no subnet manager", o.Node)
		case o.Priority != nil && *o.Priority > opensm.MaxPriority:
			return fmt.Errorf("a priority is 0 to %d", opensm.MaxPriority)
		case o.LMC != nil && *o.LMC > 7:
			return errors.New("an LMC is 0 to 7")
		case o.Routing != nil && *o.Routing != opensm.MinHop && *o.Routing != opensm.UpDown:
			return errors.New("routing is minhop or updn")
		case o == SetManager{Node: o.Node}:
			return errors.New("a change of the subnet manager is required")
		case o.Partitions != nil:
			if err := checkPartitions(*o.Partitions); err != nil {
				return err
			}
		}
		was := managerOn(s, node)
		if was == nil {
			was = newManager(s, node)
		}
		if o.same(was) {
			return request.Unchanged("it runs, or is set, like that already")
		}
		back.Running = new(was.Running)
		if o.Priority != nil {
			back.Priority = new(was.Priority)
		}
		if o.Routing != nil {
			back.Routing = new(was.Engine)
		}
		if o.LMC != nil {
			back.LMC = new(was.LMC)
		}
		if o.Virtual != nil {
			back.Virtual = new(was.Virtual)
		}
		if o.Partitions != nil {
			back.Partitions = new(append([]opensm.Partition{}, was.Partitions...))
		}
		return nil
	})
	return back, err
}

// same reports whether a manager is as the operation would set it.
func (o SetManager) same(m *opensm.Manager) bool {
	return (o.Running == nil || *o.Running == m.Running) && (o.Priority == nil || *o.Priority == m.Priority) &&
		(o.Routing == nil || *o.Routing == m.Engine) && (o.LMC == nil || *o.LMC == m.LMC) && (o.Virtual == nil || *o.Virtual == m.Virtual) &&
		(o.Partitions == nil || reflect.DeepEqual(*o.Partitions, m.Partitions))
}

// newManager returns a manager on a node, which does not run.
func newManager(s *site.Site, node int) *opensm.Manager {
	return &opensm.Manager{
		Place: infiniband.Place{Node: node, Port: s.Fabric.Nodes[node].First()}, Engine: opensm.MinHop, Partitions: opensm.DefaultPartitions(),
		Version: opensm.UsualVersion,
	}
}

func (o SetManager) Apply(h Host) error {
	return h.Lab().ChangeSubnet(func(s *site.Site) error {
		node := s.Fabric.Named(o.Node)
		if node < 0 {
			return &UnknownNodeError{o.Node}
		}
		m := managerOn(s, node)
		if m == nil {
			m = newManager(s, node)
			s.Managers = append(s.Managers, m)
		}
		if o.Priority != nil {
			m.Priority = *o.Priority
		}
		if o.Routing != nil {
			m.Engine, m.Seen = *o.Routing, 0
		}
		if o.LMC != nil {
			m.LMC, m.Seen, m.LIDs = *o.LMC, 0, nil
		}
		if o.Virtual != nil {
			m.Virtual = *o.Virtual
		}
		if o.Partitions != nil {
			m.Partitions, m.Seen = *o.Partitions, 0
		}
		switch {
		case o.Running == nil:
			s.Changed() // a master looks at once
		case *o.Running && !m.Running:
			s.Start(m)
		case !*o.Running && m.Running:
			s.Stop(m)
		}
		return nil
	})
}

// Inverse returns nil: cleared counters are lost.
func (o ClearCounters) Inverse(h Host) (Operation, error) {
	if !o.Errors && !o.Traffic {
		return nil, errors.New("the counters to clear are required: errors, traffic or both")
	}
	if o.Port == "" {
		return nil, h.Lab().ReadSubnet(func(*site.Site) error { return nil })
	}
	_, err := read(h, o.Port)
	return nil, err
}

func (o ClearCounters) Apply(h Host) error {
	var places []infiniband.Place
	err := h.Lab().ReadSubnet(func(s *site.Site) error {
		if o.Port != "" {
			at, err := Find(s.Fabric, o.Port)
			places = append(places, at)
			return err
		}
		for n := range s.Fabric.Nodes {
			for p := range s.Fabric.Nodes[n].Ports {
				places = append(places, infiniband.Place{Node: n, Port: p})
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, at := range places {
		h.Lab().ClearSubnet(at, o.Errors, o.Traffic)
	}
	return nil
}

// limits of partitions.
const (
	maxPartitions = 128
	maxMembers    = 4096
)

// checkPartitions returns why partitions can't be stored: too many, without a key, or with a name that is not a line of plain text.
func checkPartitions(list []opensm.Partition) error {
	if len(list) > maxPartitions {
		return fmt.Errorf("a subnet manager takes at most %d partitions, not %d", maxPartitions, len(list))
	}
	for i := range list {
		p := &list[i]
		switch {
		case !p.Key.Valid() || p.Key&0x8000 != 0:
			return fmt.Errorf("the key of partition %d must be 0001 to 7FFF", i+1)
		case request.CheckName("partition", p.Name) != nil:
			return request.CheckName("partition", p.Name)
		case p.Level >= qos.Levels:
			return fmt.Errorf("the service level of partition %s must be 0 to %d", p.Key, qos.Levels-1)
		case len(p.Members) > maxMembers:
			return fmt.Errorf("partition %s has more than %d members", p.Key, maxMembers)
		}
		for _, m := range p.Members {
			if !slices.Contains([]opensm.Class{opensm.OnePort, opensm.Everything, opensm.Switches, opensm.Adapters, opensm.Routers, opensm.Self}, m.Class) ||
				m.Class == opensm.OnePort && m.GUID == 0 {
				return fmt.Errorf("a member of partition %s is neither a port nor a class of ports", p.Key)
			}
		}
	}
	return nil
}
