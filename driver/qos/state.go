package qos

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/device/ets"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/operation"
)

// State holds the QoS settings of Windows. It is saved as JSON. Its lists are replaced, never modified, so that copies of a State
// are not affected.
type State struct {
	// Installed reports that the feature Data-Center-Bridging is installed; PFC and ETS need it.
	Installed bool `json:"installed,omitempty"`
	// Willing lets the switch set PFC and ETS by DCBX.
	Willing bool `json:"willing,omitempty"`
	// FlowControl has a bit for each priority with PFC.
	FlowControl Priorities `json:"flow_control,omitempty"`
	// Policies and Classes are in the order in which they were added.
	Policies []Policy `json:"policies,omitempty"`
	Classes  []Class  `json:"classes,omitempty"`
	// Ports are the settings by port, in the order of the lab.
	Ports []Port `json:"ports"`
	// Startup is the script that runs at boot; nil for none. It is replaced, never modified.
	Startup *Startup `json:"startup,omitempty"`
}

// Port holds the QoS settings of one adapter.
type Port struct {
	// Enabled reports that adapter QoS is on: PFC and traffic classes.
	Enabled bool `json:"enabled,omitempty"`
	// FlowControl replaces the host's PFC setting for this adapter; nil to inherit it.
	FlowControl *Priorities `json:"flow_control,omitempty"`
	// Limits are the maximum rates of the traffic classes by number: the default class has 0. Without classes, each priority is
	// a class.
	Limits ets.Limits `json:"limits_mbps,omitzero"`
}

// Ports is the part of the host that quality of service uses.
type Ports interface {
	Lab() *device.Lab
	// Port returns the port number of a connection.
	Port(connection string) (int, error)
	// KeyIs reports whether a registry key of a port has a number as its effective value.
	KeyIs(port int, key string, number uint32) bool
	// Flash returns the effective value of a setting in the flash of a port's card, 0 if it was never set. The name of the setting
	// omits the port number.
	Flash(port int, setting string) uint32
	// LacksDCBX says which version of a port does not support DCBX; empty if DCBX is supported.
	LacksDCBX(port int) string
	// Reclassify applies a changed state to the lab.
	Reclassify() error
}

// Set is the QoS state of a host with its ports.
type Set struct {
	Ports
	*State
}

// Offers reports whether the driver of a port offers QoS to Windows (*QOS).
func (s Set) Offers(port int) bool { return !s.KeyIs(port, "*QOS", 0) }

// Operation is a change of quality of service.
type Operation = operation.Of[Set]

// FeatureName is the Windows feature that provides traffic classes and PFC.
const FeatureName = "Data-Center-Bridging"

// NotInstalledError reports that PFC, traffic classes and DCBX can't be changed without their feature.
type NotInstalledError struct{}

// Error returns what to do.
func (NotInstalledError) Error() string {
	return "the feature " + FeatureName + " is not installed; " + cmdlet.New("Install-WindowsFeature").String() + " " + FeatureName + " installs it"
}

// Priorities is a set of priorities, with a bit for each.
type Priorities uint8

// AllPriorities is the set of all eight.
const AllPriorities Priorities = 0xff

// SetOf makes a set. It returns a *PriorityError for an invalid priority.
func SetOf(list ...int) (set Priorities, err error) {
	for _, p := range list {
		if err := checkPriority(p); err != nil {
			return 0, err
		}
		set |= 1 << p
	}
	return set, nil
}

// PriorityError is an invalid priority.
type PriorityError struct{ Priority int }

// Error names the valid range.
func (e *PriorityError) Error() string {
	return fmt.Sprintf("a priority must be 0 to 7, not %d", e.Priority)
}

func checkPriority(p int) error {
	if p < 0 || p > 7 {
		return &PriorityError{p}
	}
	return nil
}

// Has reports whether a priority is in the set.
func (s Priorities) Has(priority int) bool { return s>>priority&1 == 1 }

// List returns the priorities in ascending order.
func (s Priorities) List() []int {
	list := []int{}
	for p := range 8 {
		if s.Has(p) {
			list = append(list, p)
		}
	}
	return list
}

// String lists the priorities with commas between them, as PowerShell takes them: "0,1,2".
func (s Priorities) String() string {
	words := make([]string, 0, 8)
	for _, p := range s.List() {
		words = append(words, strconv.Itoa(p))
	}
	return strings.Join(words, ",")
}

// Ranges lists the priorities as PowerShell shows them: "0-2,4-7".
func (s Priorities) Ranges() string {
	var words []string
	for list := s.List(); len(list) > 0; {
		n := 1
		for n < len(list) && list[n] == list[0]+n {
			n++
		}
		word := strconv.Itoa(list[0])
		if n > 1 {
			word += "-" + strconv.Itoa(list[n-1])
		}
		words, list = append(words, word), list[n:]
	}
	return strings.Join(words, ",")
}

// Words lists the priorities for a sentence: "priorities 3 and 5".
func (s Priorities) Words() string {
	list := s.List()
	switch len(list) {
	case 0:
		return "no priority"
	case 1:
		return fmt.Sprintf("priority %d", list[0])
	case 8:
		return "all priorities"
	}
	text := fmt.Sprintf("priorities %d", list[0])
	for i, p := range list[1:] {
		if i == len(list)-2 {
			return fmt.Sprintf("%s and %d", text, p)
		}
		text += fmt.Sprintf(", %d", p)
	}
	return text
}

// flowControl returns the priorities for which Windows requests PFC from a port.
func (s *State) flowControl(port int) Priorities {
	if own := s.Ports[port].FlowControl; own != nil {
		return *own
	}
	return s.FlowControl
}

// Boot removes the settings that Windows keeps only in memory: policies of the active store (QOS-16). It reports whether there were
// any.
func (s *State) Boot() (removed bool) {
	kept := slices.DeleteFunc(slices.Clone(s.Policies), func(p Policy) bool { return p.Store == ActiveStore })
	removed = len(kept) < len(s.Policies)
	if s.Policies = kept; len(kept) == 0 {
		s.Policies = nil
	}
	return removed
}

// Check validates a saved state for a lab with a number of ports.
func (s *State) Check(ports int) error {
	if len(s.Ports) != ports {
		return fmt.Errorf("the saved host has QoS settings of %d ports, but the lab has %d ports", len(s.Ports), ports)
	}
	if s.Startup != nil {
		if err := CheckStartup(s.Startup.Lines); err != nil {
			return fmt.Errorf("the saved host has a damaged startup script: %w", err)
		}
	}
	if len(s.Policies) > maxPolicies {
		return fmt.Errorf("the saved host has %d QoS policies, more than %d", len(s.Policies), maxPolicies)
	}
	for i := range s.Ports {
		for _, limit := range s.Ports[i].Limits {
			if stored, _ := ets.RoundLimit(limit); limit != 0 && stored != limit {
				return fmt.Errorf("the saved host has a limit of %d Mbit/s, which no adapter supports", limit)
			}
		}
	}
	checked := State{Ports: s.Ports}
	for i := range s.Policies {
		if err := checked.checkNewPolicy(&s.Policies[i]); err != nil {
			return fmt.Errorf("the saved host has a damaged QoS policy: %w", err)
		}
		checked.Policies = append(checked.Policies, s.Policies[i])
	}
	for _, c := range s.Classes {
		if err := checked.checkClass(c, ""); err != nil {
			return fmt.Errorf("the saved host has a damaged traffic class: %w", err)
		}
		checked.Classes = append(checked.Classes, c)
	}
	return nil
}
