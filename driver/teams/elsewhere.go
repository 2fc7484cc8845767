package teams

import (
	"cxdeck/device/description"
	"cxdeck/driver/teams/mux"
)

// CommandsElsewhere returns the commands for Operations where the ports have the other driver: vlan_config for a team of
// Windows Server, and the commands of Windows for a team of the multiplexer. It leaves out Operations that can't be applied
// there.
func (s Set) CommandsElsewhere(list []Operation) (commands []string) {
	c := s.CopyOfHost()
	for _, o := range list {
		name := o.Target()
		switch create, isNew := o.(Create); {
		case isNew:
			create.Family = otherFamily(create.Family)
			if t, err := mux.ParseType(create.Type); err != nil || CheckType(t, create.IPoIB, create.Family) != nil || create.IPoIB {
				return nil
			}
			create.Algorithm = ""
			o = create
		default:
			i, err := c.Find(name)
			if err != nil || c.Teams[i].ipoib {
				return nil
			}
			if modify, changes := o.(Modify); changes {
				modify.Algorithm = ""
				o = modify
			}
			if t := &c.Teams[i]; len(s.Teams) > i && s.Teams[i].Family == t.Family {
				t.Family = otherFamily(t.Family)
				t.algorithm, _ = algorithmOf(t.Machine.Type, t.Family, "", "") // the default is always valid
			}
		}
		commands = append(commands, c.CommandsOf(o)...)
		attach, joins := o.(Attach)
		if !joins {
			if _, err := o.Inverse(c); err == nil {
				_ = o.Apply(c) // only the copy's commands are needed
			}
			continue
		}
		// Only its driver keeps the port from joining the team of the copy.
		if port, err := c.Port(attach.Connection); err == nil {
			if i, err := c.Find(name); err == nil {
				c.Teams[i].Machine.Members = append(c.Teams[i].Machine.Members, mux.Member{Key: port})
			}
		}
	}
	return commands
}

func otherFamily(f description.Family) description.Family {
	if f == description.WinOF2 {
		return description.WinOF
	}
	return description.WinOF2
}
