package driver

import (
	"cxdeck/device/description"
	"cxdeck/driver/mux"
)

// CommandsElsewhere are what an operator would type for a plan on teams where the ports have the other driver:
// vlan_config for a team of Windows Server, and the commands of Windows for one of the multiplexer. It is empty for a
// plan that is not about teams, and for one that the other world can't do.
func (h *Host) CommandsElsewhere(plan Plan) (commands []string) {
	c := h.Clone()
	teams := false
	for _, o := range plan.Operations {
		name := o.Target()
		switch create, isNew := o.(CreateTeam); {
		case isNew:
			create.Family = otherFamily(create.Family)
			if t, err := mux.ParseType(create.Type); err != nil || checkType(t, create.IPoIB, create.Family) != nil || create.IPoIB {
				return nil
			}
			create.Algorithm = ""
			teams, o = true, create
		default:
			i, err := c.team(name)
			if err != nil || c.teams[i].ipoib {
				return nil
			}
			if modify, changes := o.(ModifyTeam); changes {
				modify.Algorithm = ""
				o = modify
			}
			if len(h.teams) > i && h.teams[i].family == c.teams[i].family {
				t := &c.teams[i]
				t.family = otherFamily(t.family)
				t.algorithm, _ = algorithmOf(t.machine.Type, t.family, "", "") // the usual one is always right
			}
			teams = true
		}
		commands = append(commands, c.Commands(o)...)
		attach, joins := o.(AttachMember)
		if !joins {
			_, _ = c.run(Plan{Operations: []Operation{o}}) // what it can't do here it could there
			continue
		}
		// The port has the wrong driver for the copy's team, which is all that keeps it from joining.
		if port, err := c.port(attach.Connection); err == nil {
			if i, err := c.team(name); err == nil {
				c.teams[i].machine.Members = append(c.teams[i].machine.Members, mux.Member{Key: port})
			}
		}
	}
	if !teams {
		return nil
	}
	return commands
}

func otherFamily(f description.Family) description.Family {
	if f == description.WinOF2 {
		return description.WinOF
	}
	return description.WinOF2
}
