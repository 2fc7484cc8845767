package driver

import (
	"slices"

	"cxdeck/driver/adapters"
	"cxdeck/driver/dump"
	"cxdeck/driver/flash"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

// PlanCommands returns the commands for a plan on a real host. The commands for teams depend on the state after the earlier
// Operations, which are applied to a copy.
func (h *Host) PlanCommands(plan Plan) (commands []string) {
	ofTeams := func(o Operation) bool {
		_, ok := o.(teams.Operation)
		return ok
	}
	at := h
	if len(plan.Operations) > 1 && slices.ContainsFunc(plan.Operations, ofTeams) {
		at = h.Clone()
	}
	for _, o := range plan.Operations {
		commands = append(commands, at.Commands(o)...)
		if at != h {
			_, _ = at.run(Plan{Operations: []Operation{o}}) // Apply reports the error
		}
	}
	return edit.MergeCongestion(commands)
}

// Commands returns the commands for an Operation on a real host in its current state: with the right registry paths, creating
// absent keys, and with the device names of cards.
func (h *Host) Commands(o Operation) []string {
	switch o := o.(type) {
	case edit.Operation:
		return o.CommandsOn(h.edits())
	case teams.Operation:
		return h.teamSet().CommandsOf(o)
	case adapters.ResetCard:
		if a, err := h.adapter(o.Adapter); err == nil {
			return o.CommandsOn(h.lab.Description().DeviceName(a))
		}
	case adapters.SetSriovPorts:
		if a, err := h.adapter(o.Adapter); err == nil {
			return o.CommandsOn(h.lab.Description().HCA(a))
		}
	case dump.Operation:
		if lines, ok := h.dumpSet().Typed(o); ok {
			return lines
		}
	case qos.Operation:
		return h.qos.CommandsOf(o)
	case virtualization.Operation:
		return h.hypervisor().CommandsOf(o)
	case flash.Operation:
		return h.flashSet().CommandsOf(o)
	case healing.ResetDevice:
		return o.CommandsAt(h.healingSet())
	}
	return o.Commands()
}
