package intent

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver/limits"
	"cxdeck/driver/qos"
)

// Outcome is how a check went.
type Outcome string

// The outcomes.
const (
	Passed        Outcome = "passed"
	Failed        Outcome = "failed"
	NotApplicable Outcome = "not applicable"
)

// Result is the result of a check for one object.
type Result struct {
	// Group is "intent" for a check of the intent itself, "host" for one of the checks that Validate-DCB has, "path" for ours.
	Group Group
	// Number is its number within the group, from 1.
	Number int
	// Object is what was looked at: "RoCE-01"; empty when nothing was.
	Object  string
	Title   string
	Outcome Outcome
	// Wanted and Found are the two values. Found is the reason for a check that is not applicable.
	Wanted, Found string
}

// Group is a group of checks.
type Group string

// The groups, in their order.
const (
	OfIntent Group = "intent"
	OfHost   Group = "host"
	OfPath   Group = "path"
)

// Report are the results of all checks.
type Report struct {
	Node    string
	Results []Result
}

// Passed reports whether no check failed.
func (r *Report) Passed() bool {
	return !slices.ContainsFunc(r.Results, func(one Result) bool { return one.Outcome == Failed })
}

// Failures returns the results of the failed checks.
func (r *Report) Failures() []Result {
	return slices.DeleteFunc(slices.Clone(r.Results), func(one Result) bool { return one.Outcome != Failed })
}

// NodeOf returns the node of a host: the one with its name, or a single node with the name localhost; nil for none.
func (i *Intent) NodeOf(host string) *Node {
	if n := find(i.Nodes, host, func(n *Node) string { return n.Name }); n != nil {
		return n
	}
	return find(i.Nodes, "localhost", func(n *Node) string { return n.Name })
}

func find[T any](list []T, name string, nameOf func(*T) string) *T {
	for i := range list {
		if strings.EqualFold(nameOf(&list[i]), name) {
			return &list[i]
		}
	}
	return nil
}

// Check compares a node of the intent with a host. Every check of the table has at least one result.
func (i *Intent) Check(node *Node, f *Facts) *Report {
	c := &checker{Intent: i, node: node, facts: f, report: &Report{Node: node.Name}}
	for n := range rows {
		c.row, c.number, c.results = &rows[n], rows[n].number, 0
		if c.row.run(c); c.results == 0 {
			c.add("", NotApplicable, "", cmp.Or(c.row.unless, "the intent asks for nothing of the kind"))
		}
	}
	return c.report
}

// checker runs the checks of the table.
type checker struct {
	*Intent
	node    *Node
	facts   *Facts
	report  *Report
	row     *row
	number  int
	results int
}

func (c *checker) add(object string, outcome Outcome, wanted, found string) {
	c.results++
	c.report.Results = append(c.report.Results, Result{c.row.group, c.number, object, c.row.title, outcome, wanted, found})
}

// want adds a result for an object: passed when two texts are the same.
func (c *checker) want(object, wanted, found string) {
	c.hold(object, wanted == found, wanted, found)
}

func (c *checker) hold(object string, holds bool, wanted, found string) {
	outcome := Passed
	if !holds {
		outcome = Failed
	}
	c.add(object, outcome, wanted, found)
}

const absent = "none"

// target is an adapter of the intent with the switch that has it; the switch is nil for a native one.
type target struct {
	*Adapter
	under *Switch
}

// targets returns the adapters with RDMA: native ones first.
func (c *checker) targets() (list []target) {
	for i := range c.node.Enabled {
		list = append(list, target{&c.node.Enabled[i], nil})
	}
	for i := range c.node.Switches {
		s := &c.node.Switches[i]
		for j := range s.Enabled {
			list = append(list, target{&s.Enabled[j], s})
		}
	}
	return list
}

// eachNIC runs a check for each physical adapter with RDMA; one that the host does not have fails.
func eachNIC(check func(c *checker, t target, n *NIC)) func(*checker) {
	return func(c *checker) {
		for _, t := range c.targets() {
			if n := c.facts.nic(t.Name); n != nil {
				check(c, t, n)
			} else {
				c.add(t.Name, Failed, "an adapter of this name", "no such adapter")
			}
		}
	}
}

// nicValue is a check of one value of each physical adapter.
func nicValue(wanted string, found func(n *NIC) string) func(*checker) {
	return eachNIC(func(c *checker, t target, n *NIC) { c.want(t.Name, wanted, found(n)) })
}

// unbound is a check that some components are not bound; native limits it to adapters without a switch, under to the others.
func unbound(native, under bool, components ...string) func(*checker) {
	return eachNIC(func(c *checker, t target, n *NIC) {
		if t.under == nil && !native || t.under != nil && !under {
			return
		}
		var bound []string
		for _, one := range components {
			if slices.Contains(n.Bindings, one) {
				bound = append(bound, one)
			}
		}
		c.want(t.Name, "not bound to "+strings.Join(components, ", "), "not bound to "+strings.Join(without(components, bound), ", "))
	})
}

func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
}

// property is a check of an advanced property of each physical adapter of a family, both when it is empty. wanted returns the
// value, or false where the intent leaves it open.
func property(keyword, family string, wanted func(t target) (string, bool)) func(*checker) {
	return eachNIC(func(c *checker, t target, n *NIC) {
		want, asked := wanted(t)
		if !asked || family != "" && n.family() != family {
			return
		}
		found, has := n.Properties[keyword]
		if !has {
			found = absent
		}
		c.want(t.Name, want, found)
	})
}

func (n *NIC) family() string {
	family, _, _ := strings.Cut(n.Driver, ".")
	if family == "mlx4eth63" {
		return "mlx4"
	}
	return family
}

func constant(value string) func(target) (string, bool) {
	return func(target) (string, bool) { return value, true }
}

func declared(of func(t target) *int) func(target) (string, bool) {
	return func(t target) (string, bool) {
		if n := of(t); n != nil {
			return strconv.Itoa(*n), true
		}
		return "", false
	}
}

// drivers are the known drivers with their oldest good versions.
var drivers = map[string]string{"mlx4eth63.sys": "5.50.14688.0", "mlx5.sys": "2.60.21096.0"}

func checkDriver(c *checker, t target, n *NIC) {
	oldest, known := drivers[strings.ToLower(n.Driver)]
	c.hold(t.Name, known && !limits.Older(n.DriverVersion, oldest),
		"mlx4eth63.sys 5.50.14688.0 or mlx5.sys 2.60.21096.0, or later", cmp.Or(n.Driver, "no driver")+" "+n.DriverVersion)
}

// eachPolicy runs a check for each policy of the intent, with the host's policy of its name; nil when it has none.
func eachPolicy(check func(c *checker, want *Policy, found *qos.PolicyView)) func(*checker) {
	return func(c *checker) {
		for i := range c.Policies {
			p := &c.Policies[i]
			check(c, p, find(c.facts.QoS.Policies, p.Name, func(one *qos.PolicyView) string { return one.Name }))
		}
	}
}

// policyValue is a check of one value of each policy for which the intent asks.
func policyValue(wanted func(p *Policy) string, found func(p *qos.PolicyView) string) func(*checker) {
	return eachPolicy(func(c *checker, want *Policy, is *qos.PolicyView) {
		text := wanted(want)
		switch {
		case text == "":
		case is == nil:
			c.add(want.Name, Failed, text, "no such policy")
		default:
			c.hold(want.Name, strings.EqualFold(text, found(is)), text, found(is))
		}
	})
}

func numberText(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// classOf returns the traffic class of a policy: its namesake, or the default class; nil for none.
func (c *checker) classOf(p *Policy) *qos.ClassView {
	name := p.Name
	if strings.EqualFold(p.Template, string(qos.Default)) {
		name = qos.DefaultClass
	}
	return find(c.facts.QoS.Classes, name, func(one *qos.ClassView) string { return one.Name })
}

// classValue is a check of one value of the traffic class of each policy.
func classValue(wanted func(p *Policy) string, found func(class *qos.ClassView) string) func(*checker) {
	return func(c *checker) {
		for i := range c.Policies {
			p := &c.Policies[i]
			text, class := wanted(p), c.classOf(p)
			switch {
			case text == "":
			case class == nil:
				c.add(p.Name, Failed, text, "no such traffic class")
			default:
				c.hold(p.Name, strings.EqualFold(text, found(class)), text, found(class))
			}
		}
	}
}

// checkClassPriority holds that a class has the priority of its policy; the default class has others, too.
func checkClassPriority(c *checker) {
	for i := range c.Policies {
		p := &c.Policies[i]
		class := c.classOf(p)
		switch {
		case p.Priority == nil:
		case class == nil:
			c.add(p.Name, Failed, numberText(p.Priority), "no such traffic class")
		case class.Default:
			c.hold(p.Name, *p.Priority >= 0 && *p.Priority <= 7 && class.Priorities.Has(*p.Priority), numberText(p.Priority), class.Priorities.Ranges())
		default:
			c.want(p.Name, numberText(p.Priority), class.Priorities.Ranges())
		}
	}
}

// eachSwitch runs a check for each virtual switch of the intent with embedded teams or without; nil is a switch that the host
// does not have, for which it fails.
func eachSwitch(fits func(s *Switch) bool, check func(c *checker, want *Switch, is *VirtualSwitch)) func(*checker) {
	return func(c *checker) {
		for i := range c.node.Switches {
			s := &c.node.Switches[i]
			if !fits(s) {
				continue
			}
			if is := c.facts.virtualSwitch(s.Name); is != nil {
				check(c, s, is)
			} else {
				c.add(s.Name, Failed, "a virtual switch of this name", "no such switch")
			}
		}
	}
}

func anySwitch(*Switch) bool     { return true }
func embedded(s *Switch) bool    { return s.Embedded }
func notEmbedded(s *Switch) bool { return !s.Embedded }
func withIOV(s *Switch) bool     { return s.IOV != nil && *s.IOV }
func withoutIOV(s *Switch) bool  { return s.IOV != nil && !*s.IOV }

// members returns the physical adapters that the intent puts under a switch.
func (s *Switch) members() (names []string) {
	for _, list := range [][]Adapter{s.Enabled, s.Disabled} {
		for _, a := range list {
			if a.Name != "" && !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	return names
}

func listed(names []string) string { return cmp.Or(strings.Join(names, ", "), absent) }

// sameDriver is a check that the members of an embedded team are alike.
func sameDriver(of func(n *NIC) string) func(*checker) {
	return eachSwitch(embedded, func(c *checker, s *Switch, is *VirtualSwitch) {
		var values []string
		for _, name := range is.Adapters {
			if n := c.facts.nic(name); n != nil && !slices.Contains(values, of(n)) {
				values = append(values, of(n))
			}
		}
		c.hold(s.Name, len(values) <= 1, "the same for all adapters", listed(values))
	})
}

// eachMember is a check of each adapter of a switch with SR-IOV.
func eachMember(fits func(s *Switch) bool, check func(c *checker, n *NIC)) func(*checker) {
	return eachSwitch(fits, func(c *checker, s *Switch, is *VirtualSwitch) {
		for _, name := range is.Adapters {
			if n := c.facts.nic(name); n != nil {
				check(c, n)
			}
		}
	})
}

// eachHost runs a check for each adapter of the host under a switch with RDMA; one that the host does not have fails.
func eachHost(check func(c *checker, t target, a *HostAdapter)) func(*checker) {
	return func(c *checker) {
		for _, t := range c.targets() {
			if t.under == nil {
				continue
			}
			if a := c.facts.host(t.VMNetworkAdapter); a != nil {
				check(c, t, a)
			} else {
				c.add(t.VMNetworkAdapter, Failed, "an adapter of the host of this name", "no such adapter")
			}
		}
	}
}

func hostValue(wanted string, found func(a *HostAdapter) string) func(*checker) {
	return eachHost(func(c *checker, t target, a *HostAdapter) { c.want(a.Name, wanted, found(a)) })
}

// capable is a check that SMB finds RDMA at each interface with RDMA: native adapters, and adapters of the host.
func capable(c *checker) {
	for _, t := range c.targets() {
		name, why := t.Name, "no such adapter"
		if t.under == nil {
			if n := c.facts.nic(t.Name); n != nil {
				why = n.NoRDMA
			}
		} else {
			name = t.VMNetworkAdapter
			if a := c.facts.host(name); a != nil {
				why = a.NoRDMA
			}
		}
		c.hold(name, why == "", "RDMA capable", cmp.Or(why, "RDMA capable"))
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func smbValue(wanted bool, found func(s *SMB) bool) func(*checker) {
	return func(c *checker) { c.want(c.facts.Name, onOff(wanted), onOff(found(&c.facts.SMB))) }
}

func yesNo(yes bool) string { return map[bool]string{true: "yes", false: "no"}[yes] }

func atLeastOne(c *checker, object string, n int) {
	c.hold(object, n >= 1, "1 or more", fmt.Sprint(n))
}
