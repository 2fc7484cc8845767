package virtualization

import (
	"fmt"
	"slices"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
)

// Facts is what the rules of virtualization ask of the host. Ports and cards are numbered as the lab does.
type Facts interface {
	Lab() *device.Lab
	// FindPort finds the port of a connection by its name.
	FindPort(connection string) (int, error)
	// TeamPorts are the members of a team; nil for a team that the host does not have.
	TeamPorts(team string) []int
	// Running and Starting tell the state of a port's driver; both are false when it is stopped or failed.
	Running(port int) bool
	Starting(port int) bool
	// Effective is the value of a key that the driver of a port works with, Stored the one in the registry; both are false
	// for a key that the driver does not have.
	Effective(port int, key string, scopes ...registry.Scope) (registry.Value, bool)
	Stored(port int, key string, scopes ...registry.Scope) (registry.Value, bool)
	// Versions are the versions of a port with its card and host; Lacks says why they lack a feature, "" when they have it.
	Versions(port int) limits.Facts
	Lacks(port int, feature limits.Feature) string
	// Note writes an event of the catalogue to the log.
	Note(port int, event string, values ...string)
}

// Hypervisor is the state of virtualization with the facts of the host that its rules need.
type Hypervisor struct {
	*State
	Facts
}

// panicOn stops on an error that the state or the lab gives only for what they don't have.
func panicOn(err error) {
	if err != nil {
		panic("virtualization: " + err.Error())
	}
}

// number is the effective number of a key.
func (v Hypervisor) number(port int, key string, scopes ...registry.Scope) (uint32, bool) {
	value, ok := v.Effective(port, key, scopes...)
	return value.Number(), ok && value.Type() == registry.Number
}

// enabled reports whether a key of a port itself is 1.
func (v Hypervisor) enabled(port int, key string) bool {
	n, ok := v.number(port, key, registry.Miniport)
	return ok && n == 1
}

func (v Hypervisor) cardOf(port int) int {
	_, card, _ := v.Lab().Port(port)
	return card
}

func (v Hypervisor) card(card int) *description.Adapter { return &v.Lab().Description().Adapters[card] }

func (v Hypervisor) family(port int) description.Family { return v.card(v.cardOf(port)).Family }

func (v Hypervisor) connection(port int) string {
	d, _, _ := v.Lab().Port(port)
	return d.Connection
}

// switchOn is the place of the switch on a connection, -1 for none.
func (v *State) switchOn(connection string) int {
	return slices.IndexFunc(v.Switches, func(s SwitchRecord) bool { return s.Connection == connection })
}

// switchPorts are the ports that a switch is bound to: one, or the members of a team.
func (v Hypervisor) switchPorts(s *SwitchRecord) []int {
	if s.Connection == "" {
		return v.TeamPorts(s.Team)
	}
	if port, err := v.FindPort(s.Connection); err == nil {
		return []int{port}
	}
	return nil
}

// PortOf is the port that a switch leads to, the first of a team, and the switch's place; -1 where there is none.
func (v Hypervisor) PortOf(name string) (port, at int) {
	at, err := v.FindSwitch(name)
	if err != nil {
		return -1, -1
	}
	if ports := v.switchPorts(&v.Switches[at]); len(ports) > 0 {
		return ports[0], at
	}
	return -1, at
}

// notRunning is why nothing goes over a port whose driver does not run, or not yet.
func (v Hypervisor) notRunning(port int) string {
	if v.Starting(port) {
		return fmt.Sprintf("the driver of %s is still starting", v.connection(port))
	}
	return fmt.Sprintf("the driver of %s does not run", v.connection(port))
}
