package qos

import (
	"fmt"
	"slices"
	"strings"
)

// storagePriority is the priority of the manual for Storage Spaces Direct.
const storagePriority = 3

// Missing is a setting that a flow lacks.
type Missing struct {
	// Why is the reason, a clause.
	Why string
	// Title and Fix are the change that provides it.
	Title string
	Fix   Operation
}

// FlowControlFix returns the plan that gives a port PFC on a priority.
func (v *View) FlowControlFix(port int) (fix []Operation) {
	p := &v.Ports[port]
	if !v.Installed {
		fix = append(fix, SetFeature{Installed: true})
	}
	if !p.Enabled {
		fix = append(fix, SetAdapter{Connection: p.Connection, Enabled: true})
	}
	if p.Configured == 0 {
		fix = append(fix, SetFlowControl{Priorities: []int{storagePriority}, Enabled: true})
	}
	return fix
}

// StorageSpacesMissing returns what a flow of Storage Spaces Direct lacks of the settings that the manual makes for it: Data Center
// Bridging, adapter QoS, a host that does not take the settings of the switch, and a persistent policy for NetDirect port
// 445. The path itself compares PFC.
func (v *View) StorageSpacesMissing(flow int) (list []Missing) {
	f := &v.Flows[flow]
	p := &v.Ports[f.Port]
	if !v.Installed {
		list = append(list, Missing{"Data Center Bridging is not installed", "Install Data Center Bridging", SetFeature{Installed: true}})
	}
	if !p.Enabled {
		list = append(list, Missing{"QoS of " + p.Connection + " is off", "Turn on QoS of " + p.Connection, SetAdapter{Connection: p.Connection, Enabled: true}})
	}
	if v.Willing {
		list = append(list, Missing{"the host is willing to take the settings of the switch by DCBX", "Use the host's own settings", SetDCBX{}})
	}
	if slices.ContainsFunc(v.Policies, func(policy PolicyView) bool {
		return policy.NetDirectPort == f.NetDirectPort && policy.Store == Persistent
	}) {
		return list
	}
	policy := Policy{Name: "SMB", NetDirectPort: f.NetDirectPort, Priority: new(storagePriority)}
	if priorities := p.Configured.List(); len(priorities) > 0 && !p.Configured.Has(storagePriority) {
		policy.Priority = &priorities[0]
	}
	why, title := "no policy gives NetDirect port %d a priority", "Add a policy for NetDirect port %d"
	if at := slices.IndexFunc(v.Policies, func(policy PolicyView) bool { return policy.NetDirectPort == f.NetDirectPort }); at >= 0 {
		policy = v.Policies[at].Policy
		policy.Store = Persistent
		why, title = "the policy for NetDirect port %d is only in the active store, which a reboot empties", "Store the policy for NetDirect port %d persistently"
	}
	taken := func(other PolicyView) bool {
		return other.Store == policy.Store && strings.EqualFold(other.Name, policy.Name)
	}
	for n := 2; slices.ContainsFunc(v.Policies, taken); n++ {
		policy.Name = fmt.Sprintf("SMB %d", n)
	}
	return append(list, Missing{fmt.Sprintf(why, f.NetDirectPort), fmt.Sprintf(title, f.NetDirectPort), AddPolicy{Policy: policy}})
}
