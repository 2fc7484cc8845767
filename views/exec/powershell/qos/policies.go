package qos

import (
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/qos"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// policyRow is a QoS policy as JSON.
type policyRow struct {
	Name     string   `json:"name"`
	Store    string   `json:"store"`
	Match    string   `json:"match"`
	Priority *int     `json:"priority,omitempty"`
	DSCP     *int     `json:"dscp,omitempty"`
	Flows    []string `json:"flows"`
	Shadowed string   `json:"shadowed_by,omitempty"`
}

// localStore is the name of the persistent store in -PolicyStore and in JSON.
const localStore = "localhost"

// policyStore returns the typed store. all reports that no store was typed.
func policyStore(p *powershell.Invocation) (store qos.Store, all bool, err error) {
	typed := p.Value("PolicyStore")
	switch {
	case typed == "":
		return qos.Persistent, true, nil
	case strings.EqualFold(typed, string(qos.ActiveStore)):
		return qos.ActiveStore, false, nil
	case strings.EqualFold(typed, localStore) || strings.EqualFold(typed, p.View.Name):
		return qos.Persistent, false, nil
	}
	return "", false, exec.Mistake("-PolicyStore of %s must be %s, %s or %s, not %q", p.Command, qos.ActiveStore, localStore, p.View.Name, typed)
}

// selectedPolicies returns the policies that -Name and -PolicyStore select; all without these parameters. With effective, the active
// store includes the policies of the persistent one, as Get-NetQosPolicy shows it.
func selectedPolicies(p *powershell.Invocation, effective bool) ([]qos.PolicyView, error) {
	v, err := p.QoS()
	if err != nil {
		return nil, err
	}
	store, all, err := policyStore(p)
	if err != nil {
		return nil, err
	}
	isPersistent := func(name string) bool {
		return slices.ContainsFunc(v.Policies, func(policy qos.PolicyView) bool {
			return policy.Store == qos.Persistent && strings.EqualFold(policy.Name, name)
		})
	}
	list := slices.DeleteFunc(slices.Clone(v.Policies), func(policy qos.PolicyView) bool {
		if all && !effective && p.Has("Name") { // the persistent policy takes precedence over one in the active store with the same name
			return policy.Store == qos.ActiveStore && isPersistent(policy.Name)
		}
		return !all && policy.Store != store && (!effective || store != qos.ActiveStore)
	})
	if !p.Has("Name") {
		return list, nil
	}
	var names []string
	for i := range list {
		names = append(names, list[i].Name)
	}
	selected, err := p.SelectNames("Name", names, func(typed string) error {
		return request.Errorf("there is no QoS policy %q%s", typed, exec.Suggest(typed, names, "Get-NetQosPolicy lists them"))
	})
	return slices.DeleteFunc(list, func(policy qos.PolicyView) bool { return !slices.Contains(selected, policy.Name) }), err
}

func getNetQosPolicy(p *powershell.Invocation) (exec.Answer, error) {
	list, err := selectedPolicies(p, true)
	if err != nil {
		return exec.Answer{}, err
	}
	rows, shown := []policyRow{}, []powershell.Block{}
	for i := range list {
		policy := &list[i]
		row := policyRow{policy.Name, localStore, policy.Summary(), policy.Priority, policy.DSCP, policy.Flows, policy.ShadowedBy}
		if policy.Store == qos.ActiveStore {
			row.Store = string(qos.ActiveStore)
		}
		if row.Flows == nil {
			row.Flows = []string{}
		}
		rows, shown = append(rows, row), append(shown, policyBlock(&policy.Policy))
	}
	return powershell.Blocks(shown, struct {
		Policies []policyRow `json:"policies"`
	}{rows}, "No QoS policy matches."), nil
}

// policyBlock returns the properties of a policy as Windows prints them, without unset ones.
func policyBlock(policy *qos.Policy) powershell.Block {
	b := powershell.Block{{"Name", policy.Name}, {"Owner", "Group Policy (Machine)"}, {"NetworkProfile", "All"}, {"Precedence", "127"}}
	if policy.Store == qos.ActiveStore {
		b[1][1] = "PowerShell / WMI"
	}
	text := func(name, value string) {
		if value != "" {
			b = append(b, [2]string{name, value})
		}
	}
	number := func(name string, n int) {
		if n != 0 {
			text(name, strconv.Itoa(n))
		}
	}
	text("Template", string(policy.Template))
	b = append(b, [2]string{"JobObject", ""})
	text("AppPathName", policy.Program)
	text("IPProtocol", string(policy.Protocol))
	if policy.Protocol == "" && (policy.Port != 0 || policy.SourcePorts != qos.Range{} || policy.DestinationPorts != qos.Range{}) {
		text("IPProtocol", "Both")
	}
	number("IPPort", policy.Port)
	number("IPSrcPortStart", policy.SourcePorts.First)
	number("IPSrcPortEnd", policy.SourcePorts.Last)
	number("IPDstPortStart", policy.DestinationPorts.First)
	number("IPDstPortEnd", policy.DestinationPorts.Last)
	number("NetDirectPort", policy.NetDirectPort)
	if policy.DSCP != nil {
		text("DSCPValue", strconv.Itoa(*policy.DSCP))
	}
	if policy.Priority != nil {
		text("PriorityValue", strconv.Itoa(*policy.Priority))
	}
	return b
}

// policyParameters has the conditions and actions of New-NetQosPolicy and Set-NetQosPolicy; nil for one that was not typed.
type policyParameters struct {
	Name                                                     string `need:"the name of the policy"`
	IPPortMatchCondition, NetDirectPortMatchCondition        *int
	IPSrcPortMatchCondition, IPDstPortMatchCondition         *int
	IPSrcPortStartMatchCondition, IPSrcPortEndMatchCondition *int
	IPDstPortStartMatchCondition, IPDstPortEndMatchCondition *int
	PriorityValue8021Action, DSCPAction                      *int
	AppPathNameMatchCondition                                string
}

// replaceConditions replaces all conditions of a policy by the typed ones. If none was typed, the policy keeps its conditions.
func replaceConditions(p *powershell.Invocation, in *policyParameters, to *qos.Policy) error {
	var c qos.Policy
	given := false
	for _, t := range qos.Templates() {
		if p.Flag(string(t)) {
			if given {
				return exec.Mistake("%s takes one of the conditions -%s and -%s", p.Command, c.Template, t)
			}
			c.Template, given = t, true
		}
	}
	if p.Has("IPProtocolMatchCondition") {
		word, err := powershell.ChooseWord(p.Command, "IPProtocolMatchCondition", p.Values["IPProtocolMatchCondition"], []string{"Both", string(qos.TCP), string(qos.UDP)})
		if err != nil {
			return err
		}
		if given = true; word != "Both" {
			c.Protocol = qos.Protocol(word)
		}
	}
	for _, condition := range []struct {
		typed *int
		to    []*int
	}{
		{in.IPPortMatchCondition, []*int{&c.Port}}, {in.NetDirectPortMatchCondition, []*int{&c.NetDirectPort}},
		{in.IPSrcPortMatchCondition, []*int{&c.SourcePorts.First, &c.SourcePorts.Last}},
		{in.IPDstPortMatchCondition, []*int{&c.DestinationPorts.First, &c.DestinationPorts.Last}},
		{in.IPSrcPortStartMatchCondition, []*int{&c.SourcePorts.First}}, {in.IPSrcPortEndMatchCondition, []*int{&c.SourcePorts.Last}},
		{in.IPDstPortStartMatchCondition, []*int{&c.DestinationPorts.First}}, {in.IPDstPortEndMatchCondition, []*int{&c.DestinationPorts.Last}},
	} {
		if condition.typed == nil {
			continue
		}
		for _, to := range condition.to {
			if *condition.typed == 0 {
				return exec.Mistake("a port of %s must be 1 to 65535, not 0", p.Command)
			}
			*to, given = *condition.typed, true
		}
	}
	for _, r := range []*qos.Range{&c.SourcePorts, &c.DestinationPorts} {
		if r.First != 0 && r.Last == 0 {
			r.Last = 65535
		} else if r.First == 0 && r.Last != 0 {
			r.First = 1
		}
	}
	if in.AppPathNameMatchCondition != "" {
		c.Program, given = in.AppPathNameMatchCondition, true
	}
	if given {
		c.Name, c.Store, c.Priority, c.DSCP = to.Name, to.Store, to.Priority, to.DSCP
		*to = c
	}
	return nil
}

func newNetQosPolicy(p *powershell.Invocation, in *policyParameters) (exec.Answer, error) {
	store, _, err := policyStore(p)
	if err != nil {
		return exec.Answer{}, err
	}
	policy := qos.Policy{Name: in.Name, Store: store, Priority: in.PriorityValue8021Action, DSCP: in.DSCPAction}
	if err := replaceConditions(p, in, &policy); err != nil {
		return exec.Answer{}, err
	}
	return p.Call.ApplyOne(qos.AddPolicy{Policy: policy})
}

// setNetQosPolicy implements Set-NetQosPolicy. Typed conditions replace all conditions of the policy; a DSCP or priority of -1
// removes the action, as in Windows.
func setNetQosPolicy(p *powershell.Invocation, in *policyParameters) (exec.Answer, error) {
	p.Values["Name"] = []string{in.Name}
	list, err := selectedPolicies(p, false)
	if err != nil {
		return exec.Answer{}, err
	}
	if len(list) == 0 {
		return exec.Answer{}, request.Errorf("no QoS policy matches %q; Get-NetQosPolicy lists them", in.Name)
	}
	var operations []driver.Operation
	for i := range list {
		policy := list[i].Policy
		if err := replaceConditions(p, in, &policy); err != nil {
			return exec.Answer{}, err
		}
		policy.Priority = changedTo(policy.Priority, in.PriorityValue8021Action)
		policy.DSCP = changedTo(policy.DSCP, in.DSCPAction)
		operations = append(operations, qos.SetPolicy{Policy: policy})
	}
	return p.Apply("Set QoS policies", operations...)
}

// changedTo returns the new value of an action: current if nothing was typed, nil for -1.
func changedTo(current, typed *int) *int {
	switch {
	case typed == nil:
		return current
	case *typed == -1:
		return nil
	}
	return typed
}

// removeNetQosPolicy removes the named policies, or all of them.
func removeNetQosPolicy(p *powershell.Invocation) (exec.Answer, error) {
	list, err := selectedPolicies(p, false)
	if err != nil {
		return exec.Answer{}, err
	}
	var operations []driver.Operation
	for i := range list {
		operations = append(operations, qos.RemovePolicy{Name: list[i].Name, Store: list[i].Store})
	}
	if len(operations) == 0 {
		return exec.NothingChanges("Remove QoS policies", []string{"there are no QoS policies"}), nil
	}
	return p.Apply("Remove QoS policies", operations...)
}
