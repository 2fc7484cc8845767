package virtualization

import (
	"fmt"
	"slices"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/limits"
	"cxdeck/driver/operation"
	"cxdeck/driver/registry"
)

// Facts gives the rules of virtualization access to the host. Ports and cards have the lab's numbers.
type Facts interface {
	// FunctionHangs reports that the send queues of a virtual function make no progress.
	FunctionHangs(port, function int) bool
	Lab() *device.Lab
	// Port finds the port of a connection by its name, Card a card.
	Port(connection string) (int, error)
	Card(adapter string) (int, error)
	// TeamPorts returns the members of a team, TeamOf the team of a port, empty for none.
	TeamPorts(team string) ([]int, error)
	TeamOf(port int) string
	// Running and Restarting report the state of a port's driver; both are false when it is stopped or failed.
	Running(port int) bool
	Restarting(port int) bool
	// Restart stops and starts the adapter of a port, unless it is disabled.
	Restart(port int)
	// Watch returns the monitoring of virtual functions at a port, which may be changed.
	Watch(port int) *FunctionWatch
	// Effective returns the value of a key that the driver of a port uses, Stored the value in the registry; both are false for
	// a key that the driver does not have.
	Effective(port int, key string, scopes ...registry.Scope) (registry.Value, bool)
	Stored(port int, key string, scopes ...registry.Scope) (registry.Value, bool)
	// Store writes the value of a port's own key into the registry, or deletes it when the value does not exist.
	Store(port int, key string, value registry.Value)
	// Versions are the versions of a port with its card and host; Lacks returns why they lack a feature, "" when they have it.
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

// Operation is a change of virtualization, or of the BIOS and the cards that it depends on.
type Operation = operation.Of[Hypervisor]

// panicOn panics on an error, which state and lab return only for missing objects.
func panicOn(err error) {
	if err != nil {
		panic("virtualization: " + err.Error())
	}
}

// number returns the effective number of a key.
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

// switchOn returns the index of the switch on a connection, -1 for none.
func (v *State) switchOn(connection string) int {
	return slices.IndexFunc(v.Switches, func(s SwitchRecord) bool { return slices.Contains(s.Connections(), connection) })
}

// switchPorts returns the ports that a switch is bound to: one, or the members of a team.
func (v Hypervisor) switchPorts(s *SwitchRecord) (ports []int) {
	if s.Connection == "" {
		ports, _ = v.TeamPorts(s.Team) // none for a team that is gone
		return ports
	}
	for _, connection := range s.Connections() {
		if port, err := v.Port(connection); err == nil {
			ports = append(ports, port)
		}
	}
	return ports
}

// PortOf returns the port of a switch, or the first port of its team, and the index of the switch; -1 for none.
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

// notRunningReason returns why a port whose driver does not run carries no traffic.
func (v Hypervisor) notRunningReason(port int) string {
	if v.Restarting(port) {
		return fmt.Sprintf("the driver of %s is still starting", v.connection(port))
	}
	return fmt.Sprintf("the driver of %s does not run", v.connection(port))
}
