package qos

import (
	"cxdeck/driver/cmdlet"
)

// Commands returns the cmdlet of Windows.
func (o SetFeature) Commands() []string {
	name := "Uninstall-WindowsFeature"
	if o.Installed {
		name = "Install-WindowsFeature"
	}
	return []string{cmdlet.New(name).With("Name", FeatureName).String()}
}

// Commands returns the cmdlet of Windows.
func (o AddPolicy) Commands() []string {
	return []string{o.Policy.actions(o.Policy.match(cmdlet.New("New-NetQosPolicy").With("Name", o.Policy.Name))).String()}
}

// Commands returns the cmdlet of Windows.
func (o SetPolicy) Commands() []string { return o.commands(&o.Policy) }

// commands returns the cmdlet for a current policy; -1 removes a priority or a DSCP that the policy no longer has.
func (o SetPolicy) commands(now *Policy) []string {
	const none = -1
	policy := o.Policy
	if policy.Priority == nil && now.Priority != nil {
		policy.Priority = new(none)
	}
	if policy.DSCP == nil && now.DSCP != nil {
		policy.DSCP = new(none)
	}
	return []string{policy.actions(policy.match(cmdlet.New("Set-NetQosPolicy").With("Name", policy.Name))).String()}
}

// CommandsOf returns the commands of Windows for an Operation on a host in its current state.
func (s *State) CommandsOf(o Operation) []string {
	if o, ok := o.(SetPolicy); ok {
		if i, err := s.findPolicy(o.Policy.Name, o.Policy.Store); err == nil {
			return o.commands(&s.Policies[i])
		}
	}
	return o.Commands()
}

// match adds the conditions of a policy to a command.
func (p *Policy) match(l cmdlet.Line) cmdlet.Line {
	if t, ok := findTemplate(p.Template); ok {
		l = l.Switch(string(t.name))
	}
	number := func(parameter string, n int) {
		if n != 0 {
			l = l.With(parameter, n)
		}
	}
	if p.Protocol != "" {
		l = l.With("IPProtocolMatchCondition", string(p.Protocol))
	}
	for _, ports := range []struct {
		name string
		Range
	}{{"IPSrcPort", p.SourcePorts}, {"IPDstPort", p.DestinationPorts}} {
		if ports.First == ports.Last {
			number(ports.name+"MatchCondition", ports.First)
			continue
		}
		number(ports.name+"StartMatchCondition", ports.First)
		number(ports.name+"EndMatchCondition", ports.Last)
	}
	number("IPPortMatchCondition", p.Port)
	number("NetDirectPortMatchCondition", p.NetDirectPort)
	if p.Program != "" {
		l = l.With("AppPathNameMatchCondition", p.Program)
	}
	return l
}

// actions adds the priority, the DSCP and the store of a policy to a command.
func (p *Policy) actions(l cmdlet.Line) cmdlet.Line {
	l = l.With("PriorityValue8021Action", p.Priority).With("DSCPAction", p.DSCP)
	return p.Store.on(l)
}

// on adds a store to a command.
func (s Store) on(l cmdlet.Line) cmdlet.Line {
	if s == Persistent {
		return l
	}
	return l.With("PolicyStore", string(s))
}

// Commands returns the cmdlet of Windows, without its confirmation: the program has asked for it.
func (o RemovePolicy) Commands() []string {
	return []string{o.Store.on(cmdlet.New("Remove-NetQosPolicy").With("Name", o.Name)).WithoutConfirm().String()}
}

// Commands returns the cmdlet of Windows.
func (o AddClass) Commands() []string { return o.Class.commands("New-NetQosTrafficClass") }

// Commands returns the cmdlet of Windows.
func (o SetClass) Commands() []string { return o.Class.commands("Set-NetQosTrafficClass") }

func (c *Class) commands(name string) []string {
	l := cmdlet.New(name).With("Name", c.Name).With("Priority", cmdlet.Expression(c.Priorities.String())).With("Algorithm", string(c.Algorithm))
	if c.Bandwidth != 0 {
		l = l.With("BandwidthPercentage", c.Bandwidth)
	}
	return []string{l.String()}
}

// Commands returns the cmdlet of Windows.
func (o RemoveClass) Commands() []string {
	return []string{cmdlet.New("Remove-NetQosTrafficClass").With("Name", o.Name).WithoutConfirm().String()}
}

// Commands returns the cmdlet of Windows. No cmdlet makes an adapter inherit the settings of the host again.
func (o SetFlowControl) Commands() []string {
	if o.Inherit {
		return nil
	}
	name := "Disable-NetQosFlowControl"
	if o.Enabled {
		name = "Enable-NetQosFlowControl"
	}
	l := cmdlet.New(name)
	if set, err := SetOf(o.Priorities...); err == nil && set != 0 {
		l = l.With("Priority", cmdlet.Expression(set.String()))
	}
	if o.Connection != "" {
		l = l.With("InterfaceAlias", o.Connection)
	}
	return []string{l.String()}
}

// Commands returns the cmdlet of Windows, without its confirmation: the program has asked for it.
func (o SetDCBX) Commands() []string {
	return []string{cmdlet.New("Set-NetQosDcbxSetting").With("Willing", o.Willing).WithoutConfirm().String()}
}

// Commands returns the cmdlet of Windows.
func (o SetAdapter) Commands() []string {
	name := "Disable-NetAdapterQos"
	if o.Enabled {
		name = "Enable-NetAdapterQos"
	}
	return []string{cmdlet.New(name).With("Name", o.Connection).String()}
}
