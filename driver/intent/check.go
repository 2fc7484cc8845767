package intent

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver/limits"
	"cxdeck/driver/qos"
	"cxdeck/driver/wording"
)

// Outcome is the result of a check.
type Outcome string

// The outcomes.
const (
	Passed        Outcome = "passed"
	Failed        Outcome = "failed"
	NotApplicable Outcome = "not applicable"
)

// Result is the result of a check for one object.
type Result struct {
	// Group is "intent" for a check of the intent itself, "host" for a check that Validate-DCB has too, "path" for the others.
	Group Group
	// Number is the check's number within the group, from 1.
	Number int
	// Object is the checked object: "RoCE-01"; empty for none.
	Object  string
	Title   string
	Outcome Outcome
	// Wanted is the declared value, Found the host's. For a check that is not applicable, Found is the reason.
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
	return !slices.ContainsFunc(r.Results, func(result Result) bool { return result.Outcome == Failed })
}

// Failures returns the results of the failed checks.
func (r *Report) Failures() []Result {
	return slices.DeleteFunc(slices.Clone(r.Results), func(result Result) bool { return result.Outcome != Failed })
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
			c.add("", NotApplicable, "", cmp.Or(c.row.unless, "the intent declares no such value"))
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

// expectEqual adds a result for an object: passed when two texts are the same.
func (c *checker) expectEqual(object, wanted, found string) {
	c.expect(object, wanted == found, wanted, found)
}

func (c *checker) expect(object string, ok bool, wanted, found string) {
	outcome := Passed
	if !ok {
		outcome = Failed
	}
	c.add(object, outcome, wanted, found)
}

const absent = "none"

// target is an adapter of the intent with its virtual switch, nil for a native adapter.
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

// eachNIC runs a check for each physical adapter with RDMA; the check of an adapter that the host does not have fails.
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
	return eachNIC(func(c *checker, t target, n *NIC) { c.expectEqual(t.Name, wanted, found(n)) })
}

// checkUnbound is a check that components are not bound to an adapter. onNative includes adapters without a virtual switch,
// onSwitchMembers the adapters of virtual switches.
func checkUnbound(onNative, onSwitchMembers bool, components ...string) func(*checker) {
	return eachNIC(func(c *checker, t target, n *NIC) {
		if t.under == nil && !onNative || t.under != nil && !onSwitchMembers {
			return
		}
		var bound []string
		for _, component := range components {
			if slices.Contains(n.Bindings, component) {
				bound = append(bound, component)
			}
		}
		c.expectEqual(t.Name, "not bound to "+strings.Join(components, ", "), "not bound to "+strings.Join(without(components, bound), ", "))
	})
}

func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
}

// property is a check of an advanced property of each physical adapter of a family; an empty family means both. wanted returns the
// value, or false where the intent declares none.
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
		c.expectEqual(t.Name, want, found)
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

func declared(value func(t target) *int) func(target) (string, bool) {
	return func(t target) (string, bool) {
		if n := value(t); n != nil {
			return strconv.Itoa(*n), true
		}
		return "", false
	}
}

// drivers are the supported drivers with their minimum versions.
var drivers = map[string]string{"mlx4eth63.sys": "5.50.14688.0", "mlx5.sys": "2.60.21096.0"}

func checkDriver(c *checker, t target, n *NIC) {
	oldest, known := drivers[strings.ToLower(n.Driver)]
	c.expect(t.Name, known && !limits.Older(n.DriverVersion, oldest),
		"mlx4eth63.sys 5.50.14688.0 or mlx5.sys 2.60.21096.0, or later", cmp.Or(n.Driver, "no driver")+" "+n.DriverVersion)
}

// eachPolicy runs a check for each policy of the intent, with the host's policy of the same name, nil for none.
func eachPolicy(check func(c *checker, want *Policy, found *qos.PolicyView)) func(*checker) {
	return func(c *checker) {
		for i := range c.Policies {
			p := &c.Policies[i]
			check(c, p, find(c.facts.QoS.Policies, p.Name, func(policy *qos.PolicyView) string { return policy.Name }))
		}
	}
}

// policyValue is a check of one value of each policy for which the intent declares the value.
func policyValue(wanted func(p *Policy) string, found func(p *qos.PolicyView) string) func(*checker) {
	return eachPolicy(func(c *checker, want *Policy, is *qos.PolicyView) {
		text := wanted(want)
		switch {
		case text == "":
		case is == nil:
			c.add(want.Name, Failed, text, "no such policy")
		default:
			c.expect(want.Name, strings.EqualFold(text, found(is)), text, found(is))
		}
	})
}

func numberText(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// classOf returns the traffic class of a policy: the class of the same name, or the default class; nil for none.
func (c *checker) classOf(p *Policy) *qos.ClassView {
	name := p.Name
	if strings.EqualFold(p.Template, string(qos.Default)) {
		name = qos.DefaultClass
	}
	return find(c.facts.QoS.Classes, name, func(class *qos.ClassView) string { return class.Name })
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
				c.expect(p.Name, strings.EqualFold(text, found(class)), text, found(class))
			}
		}
	}
}

// checkClassPriority checks that a class has the priority of its policy; the default class may have further priorities.
func checkClassPriority(c *checker) {
	for i := range c.Policies {
		p := &c.Policies[i]
		class := c.classOf(p)
		switch {
		case p.Priority == nil:
		case class == nil:
			c.add(p.Name, Failed, numberText(p.Priority), "no such traffic class")
		case class.Default:
			c.expect(p.Name, *p.Priority >= 0 && *p.Priority <= 7 && class.Priorities.Has(*p.Priority), numberText(p.Priority), class.Priorities.Ranges())
		default:
			c.expectEqual(p.Name, numberText(p.Priority), class.Priorities.Ranges())
		}
	}
}

// eachSwitch runs a check for each virtual switch of the intent that fits; the check of a switch that the host does not have
// fails.
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

// sameDriver is a check that all members of an embedded team have the same value, such as the driver.
func sameDriver(value func(n *NIC) string) func(*checker) {
	return eachSwitch(embedded, func(c *checker, s *Switch, is *VirtualSwitch) {
		var values []string
		for _, name := range is.Adapters {
			if n := c.facts.nic(name); n != nil && !slices.Contains(values, value(n)) {
				values = append(values, value(n))
			}
		}
		c.expect(s.Name, len(values) <= 1, "the same for all adapters", listed(values))
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

// eachHost runs a check for each host adapter with RDMA on a virtual switch; the check of an adapter that the host does not have
// fails.
func eachHost(check func(c *checker, t target, a *HostAdapter)) func(*checker) {
	return func(c *checker) {
		for _, t := range c.targets() {
			if t.under == nil {
				continue
			}
			if a := c.facts.host(t.VMNetworkAdapter); a != nil {
				check(c, t, a)
			} else {
				c.add(t.VMNetworkAdapter, Failed, "a host adapter of this name", "no such adapter")
			}
		}
	}
}

func hostValue(wanted string, found func(a *HostAdapter) string) func(*checker) {
	return eachHost(func(c *checker, t target, a *HostAdapter) { c.expectEqual(a.Name, wanted, found(a)) })
}

// capable checks that SMB finds RDMA on each interface with RDMA: native adapters and host adapters.
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
		c.expect(name, why == "", "RDMA capable", cmp.Or(why, "RDMA capable"))
	}
}

func smbValue(wanted bool, found func(s *SMB) bool) func(*checker) {
	return func(c *checker) {
		c.expectEqual(c.facts.Name, wording.OnOff(wanted), wording.OnOff(found(&c.facts.SMB)))
	}
}

func atLeastOne(c *checker, object string, n int) {
	c.expect(object, n >= 1, "1 or more", fmt.Sprint(n))
}
