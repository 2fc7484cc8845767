package qos

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"cxdeck/driver/cmdlet"
	"cxdeck/driver/request"
)

// Store is where a policy is kept.
type Store string

// The stores. The active store is in memory: a reboot empties it (QOS-16).
const (
	Persistent  Store = ""
	ActiveStore Store = "ActiveStore"
)

// Template is a built-in condition of Windows, empty for none.
type Template string

// Range is a range of ports; the zero Range is none.
type Range struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

// Policy assigns a priority, a DSCP or both to the traffic that it matches.
type Policy struct {
	Name  string `json:"name"`
	Store Store  `json:"store,omitempty"`
	// Template is a built-in condition: Default is for all that nothing else matches; see Templates.
	Template Template `json:"template,omitempty"`
	// NetDirectPort is the port of RDMA programs, such as 445 of SMB Direct.
	NetDirectPort int `json:"netdirect_port,omitempty"`
	// Protocol is TCP or UDP, empty for both. SourcePorts are on this host, DestinationPorts at the peers, and Port at
	// either end; Program is the executable that sends.
	Protocol         Protocol `json:"protocol,omitempty"`
	SourcePorts      Range    `json:"source_ports,omitzero"`
	DestinationPorts Range    `json:"destination_ports,omitzero"`
	Port             int      `json:"port,omitempty"`
	Program          string   `json:"program,omitempty"`
	// Priority and DSCP are what its traffic gets; nil leaves it as it is.
	Priority *int `json:"priority,omitempty"`
	DSCP     *int `json:"dscp,omitempty"`
}

// Protocol is a protocol of IP.
type Protocol string

// The protocols that a policy can name.
const (
	TCP Protocol = "TCP"
	UDP Protocol = "UDP"
)

// Default is the template for all traffic that no other policy matches.
const Default Template = "Default"

// template is the ports of a built-in condition, at either end of TCP or UDP.
type template struct {
	name Template
	port int
}

// templates are the built-in conditions of Windows. FCoE is not among them: the lab has none.
var templates = []template{{Default, 0}, {"Cluster", 3343}, {"iSCSI", 3260}, {"LiveMigration", 6600}, {"NFS", 2049}, {"SMB", 445}}

// Templates returns the names of the built-in conditions.
func Templates() (list []Template) {
	for _, t := range templates {
		list = append(list, t.name)
	}
	return list
}

// maxPolicies limits the policies of a host; Windows gives no number.
const maxPolicies = 20_000

const maxPort = 65535

func findTemplate(name Template) (template, bool) {
	for _, t := range templates {
		if strings.EqualFold(string(t.name), string(name)) {
			return t, true
		}
	}
	return template{}, false
}

// check returns why there can be no such policy.
func (p *Policy) check() error {
	if err := request.CheckName("QoS policy", p.Name); err != nil {
		return err
	}
	network := p.Protocol != "" || p.SourcePorts != Range{} || p.DestinationPorts != Range{} || p.Port != 0 || p.Program != ""
	kinds := 0
	for _, one := range []bool{p.Template != "", p.NetDirectPort != 0, network} {
		if one {
			kinds++
		}
	}
	_, known := findTemplate(p.Template)
	switch {
	case p.Store != Persistent && p.Store != ActiveStore:
		return fmt.Errorf("invalid policy store %q: give %s, or none for the store that a reboot keeps", p.Store, ActiveStore)
	case kinds > 1:
		return errors.New("a QoS policy has a template, a NetDirect port or conditions of IP, and not two of them")
	case p.Template != "" && !known:
		return fmt.Errorf("invalid template %q: there are %v", p.Template, Templates())
	case p.NetDirectPort < 0 || p.NetDirectPort > maxPort:
		return fmt.Errorf("a NetDirect port must be 1 to %d, not %d", maxPort, p.NetDirectPort)
	case p.Port < 0 || p.Port > maxPort:
		return fmt.Errorf("a port must be 1 to %d, not %d", maxPort, p.Port)
	case p.Protocol != "" && p.Protocol != TCP && p.Protocol != UDP:
		return fmt.Errorf("the protocol of a QoS policy must be TCP or UDP, not %q", p.Protocol)
	case len(p.Program) > request.MaxTarget || strings.ContainsFunc(p.Program, request.Unsafe):
		return fmt.Errorf("the program of a QoS policy has at most %d bytes and no control characters", request.MaxTarget)
	case p.Priority == nil && p.DSCP == nil:
		return errors.New("a QoS policy needs a priority or a DSCP for its traffic")
	case p.DSCP != nil && (*p.DSCP < 0 || *p.DSCP > 63):
		return fmt.Errorf("a DSCP must be 0 to 63, not %d", *p.DSCP)
	}
	for _, r := range []Range{p.SourcePorts, p.DestinationPorts} {
		if r != (Range{}) && (r.First < 1 || r.Last < r.First || r.Last > maxPort) {
			return fmt.Errorf("a range of ports must be from 1 to %d in rising order, not %d to %d", maxPort, r.First, r.Last)
		}
	}
	if p.Priority != nil {
		return checkPriority(*p.Priority)
	}
	return nil
}

// PolicyTakenError is a policy whose name and store another one has.
type PolicyTakenError struct {
	Name  string
	Store Store
}

// Error names it.
func (e *PolicyTakenError) Error() string {
	return fmt.Sprintf("there is a QoS policy %q%s already", e.Name, e.Store.within())
}

// within says in which store something is, with a space before it; nothing for the persistent one.
func (s Store) within() string {
	if s == Persistent {
		return ""
	}
	return " in the active store"
}

// UnknownPolicyError is a policy that the host does not have.
type UnknownPolicyError struct {
	Name  string
	Store Store
}

// Error names it and the remedy.
func (e *UnknownPolicyError) Error() string {
	return fmt.Sprintf("there is no QoS policy %q%s; %s lists them", e.Name, e.Store.within(), cmdlet.New("Get-NetQosPolicy"))
}

// findPolicy returns the place of a policy, in any case as Windows compares names.
func (s *State) findPolicy(name string, store Store) (int, error) {
	for i := range s.Policies {
		if p := &s.Policies[i]; p.Store == store && strings.EqualFold(p.Name, name) {
			return i, nil
		}
	}
	return 0, &UnknownPolicyError{name, store}
}

func (s *State) checkNewPolicy(p *Policy) error {
	if err := p.check(); err != nil {
		return err
	}
	if _, err := s.findPolicy(p.Name, p.Store); err == nil {
		return &PolicyTakenError{p.Name, p.Store}
	}
	if len(s.Policies) >= maxPolicies {
		return fmt.Errorf("the host has %d QoS policies, the maximum", maxPolicies)
	}
	return nil
}

// conditions returns a policy with nothing but its conditions, in one spelling: policies with the same match the same traffic.
func (p *Policy) conditions() Policy {
	c := *p
	c.Name, c.Store, c.Priority, c.DSCP = "", "", nil, nil
	c.Program = strings.ToLower(c.Program)
	if t, ok := findTemplate(c.Template); ok {
		c.Template = t.name
	}
	return c
}

// shadow returns the policy that takes all traffic of another one, because it has the same conditions and comes first; nil for
// none.
func (s *State) shadow(i int) *Policy {
	mine := s.Policies[i].conditions()
	for j := range i {
		if s.Policies[j].conditions() == mine {
			return &s.Policies[j]
		}
	}
	return nil
}

// specificity orders policies that match the same traffic: the highest wins (QOS-16). A program is more specific than
// ports, few ports than many, ports than a protocol, and all that than Default.
func (p *Policy) specificity() int {
	const perRange, perProgram = maxPort + 2, 1 << 24
	if t, ok := findTemplate(p.Template); ok {
		if t.port == 0 {
			return 0
		}
		return 1 + perRange + maxPort
	}
	n := 1
	if p.Protocol != "" {
		n++
	}
	for _, r := range []Range{p.SourcePorts, p.DestinationPorts, {p.Port, p.Port}} {
		if r != (Range{}) {
			n += perRange + maxPort - (r.Last - r.First)
		}
	}
	if p.Program != "" {
		n += perProgram
	}
	return n
}

// Summary returns what a policy matches, in a few words: "TCP, destination ports 31000-31999".
func (p *Policy) Summary() string {
	var words []string
	add := func(format string, values ...any) { words = append(words, fmt.Sprintf(format, values...)) }
	if t, ok := findTemplate(p.Template); ok && t.name == Default {
		add("all other traffic")
	} else if ok {
		add("%s", t.name)
	}
	if p.NetDirectPort != 0 {
		add("NetDirect port %d", p.NetDirectPort)
	}
	if p.Protocol != "" {
		add("%s", p.Protocol)
	}
	for _, r := range []struct {
		what string
		Range
	}{{"source", p.SourcePorts}, {"destination", p.DestinationPorts}, {"either", Range{p.Port, p.Port}}} {
		switch {
		case r.Range == (Range{}):
		case r.First == r.Last:
			add("%s port %d", r.what, r.First)
		default:
			add("%s ports %d-%d", r.what, r.First, r.Last)
		}
	}
	if p.Program != "" {
		add("%s", p.Program)
	}
	return cmp.Or(strings.Join(words, ", "), "all IP traffic")
}
