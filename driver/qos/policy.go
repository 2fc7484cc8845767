package qos

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"cxdeck/driver/cmdlet"
	"cxdeck/driver/request"
)

// Store is the policy store of a policy.
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
	// Template is a built-in condition, see Templates; Default matches all traffic that no other policy matches.
	Template Template `json:"template,omitempty"`
	// NetDirectPort is the port of RDMA programs, such as 445 for SMB Direct.
	NetDirectPort int `json:"netdirect_port,omitempty"`
	// Protocol is TCP or UDP, empty for both. SourcePorts are on this host, DestinationPorts at the peers, and Port at
	// either end; Program is the executable that sends.
	Protocol         Protocol `json:"protocol,omitempty"`
	SourcePorts      Range    `json:"source_ports,omitzero"`
	DestinationPorts Range    `json:"destination_ports,omitzero"`
	Port             int      `json:"port,omitempty"`
	Program          string   `json:"program,omitempty"`
	// Priority and DSCP are assigned to the traffic; nil assigns none.
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

// template is a built-in condition: a TCP or UDP port at either end.
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

// maxPolicies is the maximum number of policies of a host; Windows documents none.
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

// check returns an error for an invalid policy.
func (p *Policy) check() error {
	if err := request.CheckName("QoS policy", p.Name); err != nil {
		return err
	}
	network := p.Protocol != "" || p.SourcePorts != Range{} || p.DestinationPorts != Range{} || p.Port != 0 || p.Program != ""
	kinds := 0
	for _, used := range []bool{p.Template != "", p.NetDirectPort != 0, network} {
		if used {
			kinds++
		}
	}
	_, known := findTemplate(p.Template)
	switch {
	case p.Store != Persistent && p.Store != ActiveStore:
		return request.Errorf("invalid policy store %q: use %s, or none for the persistent store", p.Store, ActiveStore)
	case kinds > 1:
		return errors.New("a QoS policy must have only one of a template, a NetDirect port and IP conditions")
	case p.Template != "" && !known:
		return request.Errorf("invalid template %q: the templates are %v", p.Template, Templates())
	case p.NetDirectPort < 0 || p.NetDirectPort > maxPort:
		return fmt.Errorf("a NetDirect port must be 1 to %d, not %d", maxPort, p.NetDirectPort)
	case p.Port < 0 || p.Port > maxPort:
		return fmt.Errorf("a port must be 1 to %d, not %d", maxPort, p.Port)
	case p.Protocol != "" && p.Protocol != TCP && p.Protocol != UDP:
		return request.Errorf("the protocol of a QoS policy must be TCP or UDP, not %q", p.Protocol)
	case len(p.Program) > request.MaxTarget || strings.ContainsFunc(p.Program, request.IsUnsafe):
		return fmt.Errorf("the program of a QoS policy must have at most %d bytes and no control characters", request.MaxTarget)
	case p.Priority == nil && p.DSCP == nil:
		return errors.New("a priority or a DSCP is required for a QoS policy")
	case p.DSCP != nil && (*p.DSCP < 0 || *p.DSCP > 63):
		return fmt.Errorf("a DSCP must be 0 to 63, not %d", *p.DSCP)
	}
	for _, r := range []Range{p.SourcePorts, p.DestinationPorts} {
		if r != (Range{}) && (r.First < 1 || r.Last < r.First || r.Last > maxPort) {
			return fmt.Errorf("a range of ports must be from 1 to %d in ascending order, not %d to %d", maxPort, r.First, r.Last)
		}
	}
	if p.Priority != nil {
		return checkPriority(*p.Priority)
	}
	return nil
}

// PolicyTakenError is a policy whose name and store another policy has.
type PolicyTakenError struct {
	Name  string
	Store Store
}

// Error names the policy.
func (e *PolicyTakenError) Error() string {
	return fmt.Sprintf("there is a QoS policy %q%s already", e.Name, e.Store.within())
}

// within returns a phrase for the store, with a leading space; empty for the persistent store.
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

// Error names the policy and the remedy.
func (e *UnknownPolicyError) Error() string {
	return fmt.Sprintf("there is no QoS policy %q%s; %s lists them", e.Name, e.Store.within(), cmdlet.New("Get-NetQosPolicy"))
}

// findPolicy returns the index of a policy; as in Windows, case does not matter in names.
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

// conditions returns only the conditions of a policy, in one spelling: policies with equal conditions match the same traffic.
func (p *Policy) conditions() Policy {
	c := *p
	c.Name, c.Store, c.Priority, c.DSCP = "", "", nil, nil
	c.Program = strings.ToLower(c.Program)
	if t, ok := findTemplate(c.Template); ok {
		c.Template = t.name
	}
	return c
}

// shadowedBy returns the policy that matches all traffic of policy i first, because it has the same conditions and precedes it; nil
// for none.
func (s *State) shadowedBy(i int) *Policy {
	mine := s.Policies[i].conditions()
	for j := range i {
		if s.Policies[j].conditions() == mine {
			return &s.Policies[j]
		}
	}
	return nil
}

// specificity orders policies that match the same traffic: the highest has precedence (QOS-16). A program is more specific than
// ports, few ports are more specific than many, ports than a protocol, and each of these than Default.
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

// Summary describes the traffic that a policy matches: "TCP, destination ports 31000-31999".
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
