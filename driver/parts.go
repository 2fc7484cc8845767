package driver

import (
	"slices"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/fabric"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/driver/virtualization"
)

// partHost implements the interfaces through which the sub-packages see a host.
type partHost struct{ *Host }

// teamSet returns the host's teams and VLANs, to look at and to change.
func (h *Host) teamSet() teams.Set { return teams.Set{Ports: partHost{h}, State: &h.team} }

func (h partHost) Port(connection string) (int, error)               { return h.port(connection) }
func (h partHost) Running(port int) bool                             { return h.miniports[port].state == Running }
func (h partHost) Restarting(port int) bool                          { return h.miniports[port].state == Restarting }
func (h partHost) LinkLost(port int) time.Duration                   { return h.miniports[port].lost }
func (h partHost) GUID(given string, named []string) (string, error) { return h.guid(given, named) }
func (h partHost) BindingsChanged()                                  { h.reallocateVirtual() }
func (h partHost) Log(e eventlog.Event)                              { h.events.Add(e) }
func (h partHost) CopyOfHost() teams.Set                             { return h.Clone().teamSet() }

func (h partHost) Note(port int, event string, values ...string) {
	h.note(h.lab.Elapsed(), port, event, values...)
}

func (h partHost) Restart(port int) {
	if h.miniports[port].state != Stopped {
		h.stop(port, Restarting, stopTime+startTime)
	}
}

func (h partHost) QueuesAndNVGRE(port int) bool {
	return h.is(port, "*VMQ", 1) && h.is(port, "*EncapsulatedPacketTaskOffload", 1)
}

func (h partHost) SwitchOn(team, connection string) string {
	for _, s := range h.virtual.Switches {
		if team != "" && strings.EqualFold(s.Team, team) || connection != "" && slices.Contains(s.Connections(), connection) {
			return s.Name
		}
	}
	return ""
}

func (h partHost) TeamRenamed(from, to string) {
	h.changeVirtual(func(v virtualization.Hypervisor) {
		for i := range v.Switches {
			if strings.EqualFold(v.Switches[i].Team, from) {
				v.Switches[i].Team = to
			}
		}
	})
}

func (h partHost) HasGUID(guid string) bool {
	for port := range h.miniports {
		if d, _, _ := h.lab.Port(port); d.Interface == guid {
			return true
		}
	}
	return h.fabric.HasGUID(guid)
}

// fabricSet returns the fabric as the host sees it, to look at and to change.
func (h *Host) fabricSet() fabric.Set { return fabric.Set{Ports: partHost{h}, State: &h.fabric} }

func (h partHost) CheckGUID(given string) (string, error) { return h.checkGUID(given) }

func (h partHost) VirtualPKeys() []int { return h.programSet().VirtualPKeys() }

// Partitions returns the virtual ports of IPoIB, by their connections.
func (h *Host) Partitions() []fabric.PartitionView { return h.fabricSet().Views() }

// BrokenPartitions returns the entries of virtual ports of IPoIB that were not fully removed from the registry.
func (h *Host) BrokenPartitions() []fabric.PartitionView { return h.fabricSet().BrokenViews() }

// PKeys returns the partition table of an InfiniBand port: the default partition, and the partitions that the subnet manager
// assigns.
func (h *Host) PKeys(port int) []description.PKey { return h.fabricSet().PKeys(port) }

// Teams returns all teams as they are now: the Teams of a View, without the cost of the rest.
func (h *Host) Teams() []teams.View { return h.teamSet().Views() }

// VLANsOf returns the present VLANs of a port itself, by the number of the port in device.Lab.
func (h *Host) VLANsOf(port int) []teams.VLANView { return h.teamSet().PortVLANs(port) }

// CanJoin returns why a connection can't be a member of a team, or of a new team of type t when team is empty; nil when it can.
func (h *Host) CanJoin(team string, t mux.Type, connection string) error {
	return h.teamSet().CanJoin(team, t, connection)
}

// CommandsElsewhere returns the commands for a plan on teams where the ports have the other driver: vlan_config for a team of
// Windows Server, and the commands of Windows for a team of the multiplexer. It is empty for any other plan, and for a plan
// that can't be applied there.
func (h *Host) CommandsElsewhere(plan Plan) []string {
	list := make([]teams.Operation, len(plan.Operations))
	for i, o := range plan.Operations {
		var ok bool
		if list[i], ok = o.(teams.Operation); !ok {
			return nil
		}
	}
	return h.teamSet().CommandsElsewhere(list)
}

// recreateTeams creates the teams, VLANs and virtual IPoIB ports of a saved host on a new lab.
func (h *Host) recreateTeams(saved *savedHost) error {
	h.drawn = saved.Drawn
	if err := h.teamSet().Recreate(saved.Teams, saved.PortVLANs); err != nil {
		return err
	}
	return h.fabricSet().Restore(saved.Partitions)
}

// restartedPorts returns the ports whose adapters an Operation on a team stops and starts (TEAM-9).
func (h *Host) restartedPorts(o teams.Operation) []int {
	done := h.Clone()
	if err := o.Apply(done.teamSet()); err != nil {
		return nil
	}
	var ports []int
	for port := range h.miniports {
		if h.miniports[port].state == Running && done.miniports[port].state == Restarting {
			ports = append(ports, port)
		}
	}
	return ports
}

// failovers lists the effects of a plan, which was run on a copy, on the existing teams.
func (h *Host) failovers(done *Host) (list []Caution) {
	for _, f := range done.teamSet().Findings(&h.team, h.Now()) {
		list = append(list, Caution{f.Severity, f.Team, "", f.Text})
	}
	return list
}
