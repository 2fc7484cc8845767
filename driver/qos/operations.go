package qos

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/request"
	"cxdeck/driver/wording"
)

// SetFeature installs or removes the feature Data-Center-Bridging. The configuration is kept, without effect while the feature is
// removed.
type SetFeature struct {
	Installed bool `json:"installed"`
}

// AddPolicy adds a policy.
type AddPolicy struct {
	Policy Policy `json:"policy"`
	// Place is the position among the policies, from 1; 0 or a position out of range appends the policy.
	Place int `json:"place,omitempty"`
}

// SetPolicy replaces the policy with the same name and store.
type SetPolicy struct {
	Policy Policy `json:"policy"`
}

// RemovePolicy removes a policy.
type RemovePolicy struct {
	Name  string `json:"name"`
	Store Store  `json:"store,omitempty"`
}

// AddClass adds a traffic class.
type AddClass struct {
	Class Class `json:"class"`
	// Place is the position among the classes, from 1; 0 or a position out of range appends the class.
	Place int `json:"place,omitempty"`
}

// SetClass replaces the class with the same name.
type SetClass struct {
	Class Class `json:"class"`
}

// RemoveClass removes a traffic class. Its priorities and its share go to the default class.
type RemoveClass struct {
	Name string `json:"name"`
}

// SetFlowControl turns PFC of priorities on or off: for the host, or for one adapter, which then has its own settings.
type SetFlowControl struct {
	// Connection is the adapter; empty for the host.
	Connection string `json:"connection,omitempty"`
	Priorities []int  `json:"priorities,omitempty"`
	Enabled    bool   `json:"enabled,omitempty"`
	// Inherit applies the settings of the host to the adapter again; Priorities must be empty.
	Inherit bool `json:"inherit,omitempty"`
}

// SetDCBX makes the host willing to accept settings from the switch, or not.
type SetDCBX struct {
	Willing bool `json:"willing"`
}

// SetAdapter switches QoS of an adapter (PFC and traffic classes) on or off.
type SetAdapter struct {
	Connection string `json:"connection"`
	Enabled    bool   `json:"enabled"`
}

func (SetFeature) Kind() string     { return "set-dcb-feature" }
func (AddPolicy) Kind() string      { return "add-qos-policy" }
func (SetPolicy) Kind() string      { return "set-qos-policy" }
func (RemovePolicy) Kind() string   { return "remove-qos-policy" }
func (AddClass) Kind() string       { return "add-traffic-class" }
func (SetClass) Kind() string       { return "set-traffic-class" }
func (RemoveClass) Kind() string    { return "remove-traffic-class" }
func (SetFlowControl) Kind() string { return "set-priority-flow-control" }
func (SetDCBX) Kind() string        { return "set-dcbx" }
func (SetAdapter) Kind() string     { return "set-adapter-qos" }

func (SetFeature) Target() string     { return FeatureName }
func (o AddPolicy) Target() string    { return o.Policy.Name }
func (o SetPolicy) Target() string    { return o.Policy.Name }
func (o RemovePolicy) Target() string { return o.Name }
func (o AddClass) Target() string     { return o.Class.Name }
func (o SetClass) Target() string     { return o.Class.Name }
func (o RemoveClass) Target() string  { return o.Name }
func (SetDCBX) Target() string        { return "DCBX" }
func (o SetAdapter) Target() string   { return o.Connection }

// Target is the adapter, or PFC of the host.
func (o SetFlowControl) Target() string {
	if o.Connection == "" {
		return "PFC"
	}
	return o.Connection
}

func (o SetFeature) Describe() string {
	if o.Installed {
		return "install the feature " + FeatureName
	}
	return "remove the feature " + FeatureName
}

func (o AddPolicy) Describe() string {
	return fmt.Sprintf("add the QoS policy %s: %s", o.Policy.Name, o.Policy.effect())
}

func (o SetPolicy) Describe() string {
	return fmt.Sprintf("set the QoS policy %s: %s", o.Policy.Name, o.Policy.effect())
}

func (o RemovePolicy) Describe() string {
	return fmt.Sprintf("remove the QoS policy %s%s", o.Name, o.Store.within())
}

func (o AddClass) Describe() string {
	return fmt.Sprintf("add the traffic class %s: %s", o.Class.Name, o.Class.effect())
}

func (o SetClass) Describe() string {
	return fmt.Sprintf("set the traffic class %s: %s", o.Class.Name, o.Class.effect())
}

func (o RemoveClass) Describe() string { return "remove the traffic class " + o.Name }

func (o SetFlowControl) Describe() string {
	adapter := ""
	if o.Connection != "" {
		adapter = " of " + o.Connection
	}
	if o.Inherit {
		return "remove the adapter's own PFC settings" + adapter
	}
	set, _ := SetOf(o.Priorities...) // Apply rejects invalid priorities
	return fmt.Sprintf("switch PFC %s for %s%s", wording.OnOff(o.Enabled), set.Words(), adapter)
}

func (o SetDCBX) Describe() string {
	if o.Willing {
		return "let the switch set PFC and traffic classes by DCBX"
	}
	return "ignore the settings that the switch sends by DCBX"
}

func (o SetAdapter) Describe() string {
	return fmt.Sprintf("switch QoS of %s %s", o.Connection, wording.OnOff(o.Enabled))
}

// effect describes a policy: "TCP gets priority 1".
func (p *Policy) effect() string {
	var gets []string
	if p.Priority != nil {
		gets = append(gets, fmt.Sprintf("priority %d", *p.Priority))
	}
	if p.DSCP != nil {
		gets = append(gets, fmt.Sprintf("DSCP %d", *p.DSCP))
	}
	verb := " gets "
	if p.Protocol == "" && max(p.SourcePorts.Last-p.SourcePorts.First, p.DestinationPorts.Last-p.DestinationPorts.First) > 0 {
		verb = " get " // "destination ports 1-9"
	}
	return p.Summary() + verb + cmp.Or(strings.Join(gets, " and "), "nothing")
}

// effect describes a class: "priority 3, 50% by ETS".
func (c *Class) effect() string {
	if c.Algorithm == Strict {
		return c.Priorities.Words() + ", strict"
	}
	return fmt.Sprintf("%s, %d%% by ETS", c.Priorities.Words(), c.Bandwidth)
}

func (o SetFeature) Inverse(s Set) (Operation, error) {
	if s.Installed == o.Installed {
		return nil, request.Unchanged("%s is %s already", FeatureName, map[bool]string{true: "installed", false: "not installed"}[o.Installed])
	}
	return SetFeature{!o.Installed}, nil
}

func (o SetFeature) Apply(s Set) error {
	s.Installed = o.Installed
	return s.Reclassify()
}

func (o AddPolicy) Inverse(s Set) (Operation, error) {
	return RemovePolicy{o.Policy.Name, o.Policy.Store}, s.checkNewPolicy(&o.Policy)
}

func (o AddPolicy) Apply(s Set) error {
	s.Policies = insert(s.Policies, o.Policy, o.Place)
	return s.Reclassify()
}

// insert returns a list with an element inserted at a position from 1, or appended.
func insert[T any](list []T, element T, position int) []T {
	if position < 1 || position > len(list) {
		position = len(list) + 1
	}
	return slices.Insert(slices.Clone(list), position-1, element)
}

// removeAt returns a list without an element, nil if it was the only one.
func removeAt[T any](list []T, index int) []T {
	if len(list) == 1 {
		return nil
	}
	return slices.Delete(slices.Clone(list), index, index+1)
}

// replaceAt returns a list with an element replaced.
func replaceAt[T any](list []T, index int, element T) []T {
	list = slices.Clone(list)
	list[index] = element
	return list
}

// Inverse restores the previous policy.
func (o SetPolicy) Inverse(s Set) (Operation, error) {
	i, err := s.findPolicy(o.Policy.Name, o.Policy.Store)
	if err == nil {
		err = o.Policy.check()
	}
	if err != nil {
		return nil, err
	}
	return SetPolicy{s.Policies[i]}, nil
}

func (o SetPolicy) Apply(s Set) error {
	i, err := s.findPolicy(o.Policy.Name, o.Policy.Store)
	if err != nil {
		return err
	}
	s.Policies = replaceAt(s.Policies, i, o.Policy)
	return s.Reclassify()
}

// Inverse adds the policy again, at its position.
func (o RemovePolicy) Inverse(s Set) (Operation, error) {
	i, err := s.findPolicy(o.Name, o.Store)
	if err != nil {
		return nil, err
	}
	return AddPolicy{s.Policies[i], i + 1}, nil
}

func (o RemovePolicy) Apply(s Set) error {
	i, err := s.findPolicy(o.Name, o.Store)
	if err != nil {
		return err
	}
	s.Policies = removeAt(s.Policies, i)
	return s.Reclassify()
}

// requireFeature returns an error while traffic classes, PFC and DCBX can't be changed.
func (s *State) requireFeature() error {
	if !s.Installed {
		return NotInstalledError{}
	}
	return nil
}

func (o AddClass) Inverse(s Set) (Operation, error) {
	if err := s.requireFeature(); err != nil {
		return nil, err
	}
	return RemoveClass{o.Class.Name}, s.checkClass(o.Class, "")
}

func (o AddClass) Apply(s Set) error {
	s.Classes = insert(s.Classes, o.Class, o.Place)
	return s.Reclassify()
}

// Inverse restores the previous class.
func (o SetClass) Inverse(s Set) (Operation, error) {
	i, err := s.findClass(o.Class.Name)
	if err == nil {
		err = s.requireFeature()
	}
	if err == nil {
		err = s.checkClass(o.Class, o.Class.Name)
	}
	if err != nil {
		return nil, err
	}
	return SetClass{s.Classes[i]}, nil
}

func (o SetClass) Apply(s Set) error {
	i, err := s.findClass(o.Class.Name)
	if err != nil {
		return err
	}
	s.Classes = replaceAt(s.Classes, i, o.Class)
	return s.Reclassify()
}

// Inverse adds the class again, at its position.
func (o RemoveClass) Inverse(s Set) (Operation, error) {
	if strings.EqualFold(o.Name, DefaultClass) {
		return nil, errors.New(DefaultClass + " has all priorities that no other class has, and can't be removed")
	}
	i, err := s.findClass(o.Name)
	if err == nil {
		err = s.requireFeature()
	}
	if err != nil {
		return nil, err
	}
	return AddClass{s.Classes[i], i + 1}, nil
}

func (o RemoveClass) Apply(s Set) error {
	i, err := s.findClass(o.Name)
	if err != nil {
		return err
	}
	s.Classes = removeAt(s.Classes, i)
	return s.Reclassify()
}

// changed returns a port with other settings of Windows.
func changed(p Port, enabled bool, control *Priorities) Port {
	p.Enabled, p.FlowControl = enabled, control
	return p
}

// settings returns the port that an Operation changes, -1 for the host, and the adapter's own PFC settings, nil for none.
func (o SetFlowControl) settings(s Set) (port int, own *Priorities, err error) {
	if port = -1; o.Connection != "" {
		if port, err = s.ethernet(o.Connection); err != nil {
			return port, nil, err
		}
		own = s.State.Ports[port].FlowControl
	}
	return port, own, s.requireFeature()
}

// Inverse reverses the change for the changed priorities; for an adapter without its own settings, it restores inheritance.
func (o SetFlowControl) Inverse(s Set) (Operation, error) {
	port, own, err := o.settings(s)
	if err != nil {
		return nil, err
	}
	set, err := SetOf(o.Priorities...)
	switch {
	case err != nil:
		return nil, err
	case o.Inherit && (port < 0 || set != 0):
		return nil, errors.New("only an adapter can inherit the settings of the host, and without priorities")
	case o.Inherit && own == nil:
		return nil, request.Unchanged("the adapter has no PFC settings of its own")
	case o.Inherit: // the adapter's own settings start without priorities
		return SetFlowControl{Connection: o.Connection, Priorities: own.List(), Enabled: true}, nil
	case set == 0 && port < 0:
		return nil, errors.New("a priority is required, such as 3")
	case port >= 0 && own == nil:
		return SetFlowControl{Connection: o.Connection, Inherit: true}, nil
	}
	now := s.FlowControl
	if own != nil {
		now = *own
	}
	changed := set &^ now
	if !o.Enabled {
		changed = set & now
	}
	if changed == 0 {
		return nil, request.Unchanged("PFC is %s already for %s", wording.OnOff(o.Enabled), set.Words())
	}
	return SetFlowControl{Connection: o.Connection, Priorities: changed.List(), Enabled: !o.Enabled}, nil
}

func (o SetFlowControl) Apply(s Set) error {
	port, own, err := o.settings(s)
	if err != nil {
		return err
	}
	set, err := SetOf(o.Priorities...)
	if err != nil {
		return err
	}
	now := s.FlowControl
	if port >= 0 {
		if now = 0; own != nil {
			now = *own
		}
	}
	if now &^= set; o.Enabled {
		now |= set
	}
	switch {
	case port < 0:
		s.FlowControl = now
	case o.Inherit:
		s.State.Ports = replaceAt(s.State.Ports, port, changed(s.State.Ports[port], s.State.Ports[port].Enabled, nil))
	default:
		s.State.Ports = replaceAt(s.State.Ports, port, changed(s.State.Ports[port], s.State.Ports[port].Enabled, &now))
	}
	return s.Reclassify()
}

// ethernet finds an Ethernet port by its connection: InfiniBand has service levels instead of priorities.
func (s Set) ethernet(connection string) (int, error) {
	port, err := s.Port(connection)
	if err != nil {
		return port, err
	}
	if d, _, _ := s.Lab().Port(port); d.Link != description.Ethernet {
		return port, fmt.Errorf("%s is an InfiniBand port; QoS of Windows is for Ethernet ports", connection)
	}
	return port, nil
}

func (o SetDCBX) Inverse(s Set) (Operation, error) {
	if err := s.requireFeature(); err != nil {
		return nil, err
	}
	if s.Willing == o.Willing {
		return nil, request.Unchanged("DCBX is %s already", map[bool]string{true: "willing", false: "not willing"}[o.Willing])
	}
	return SetDCBX{!o.Willing}, nil
}

func (o SetDCBX) Apply(s Set) error {
	s.Willing = o.Willing
	return s.Reclassify()
}

func (o SetAdapter) Inverse(s Set) (Operation, error) {
	port, err := s.ethernet(o.Connection)
	if err != nil {
		return nil, err
	}
	if s.State.Ports[port].Enabled == o.Enabled {
		return nil, request.Unchanged("QoS is %s already", wording.OnOff(o.Enabled))
	}
	return SetAdapter{o.Connection, !o.Enabled}, nil
}

func (o SetAdapter) Apply(s Set) error {
	port, err := s.ethernet(o.Connection)
	if err != nil {
		return err
	}
	s.State.Ports = replaceAt(s.State.Ports, port, changed(s.State.Ports[port], o.Enabled, s.State.Ports[port].FlowControl))
	return s.Reclassify()
}

// Touches names the objects and settings that an Operation changes, for the list of later changes of an undo.
func Touches(o Operation) (list []string) {
	switch o := o.(type) {
	case AddPolicy, SetPolicy, RemovePolicy:
		return []string{"the QoS policy " + o.Target()}
	case AddClass, SetClass, RemoveClass:
		return []string{"the traffic class " + o.Target()}
	case SetFlowControl:
		adapter := ""
		if o.Connection != "" {
			adapter = " of " + o.Connection
		}
		set, _ := SetOf(o.Priorities...) // the Operation was applied, so they are valid
		for _, p := range set.List() {
			list = append(list, fmt.Sprintf("PFC of priority %d%s", p, adapter))
		}
		if list == nil {
			list = append(list, "PFC"+adapter)
		}
		return list
	case SetLimits:
		for _, l := range o.Limits {
			list = append(list, fmt.Sprintf("the limit of traffic class %d of %s", l.Class, o.Connection))
		}
		return list
	case SetAdapter:
		return []string{"whether QoS is on for " + o.Connection}
	case SetDCBX:
		return []string{"whether DCBX is willing"}
	}
	return []string{"the feature " + FeatureName}
}
