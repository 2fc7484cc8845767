package driver

import (
	"slices"

	"cxdeck/driver/teams"
)

// PlanCommands are what an operator would type on the real host for a plan. What is typed for teams depends on what the
// Operations before leave, so that these are done on a copy.
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
			_, _ = at.run(Plan{Operations: []Operation{o}}) // that it can't be done shows when it is to be done
		}
	}
	return commands
}
