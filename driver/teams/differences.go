package teams

import (
	"strconv"

	"cxdeck/driver/operation"
)

func (o SetPrimary) Differences(s Set) []operation.Difference {
	i, err := s.Find(o.Team)
	if err != nil {
		return nil
	}
	return []operation.Difference{{Name: "Primary member of " + o.Team, From: s.Lab().Connection(s.Teams[i].Machine.Primary), To: o.Connection}}
}

func (o SetAddress) Differences(s Set) []operation.Difference {
	i, err := s.Find(o.Team)
	if err != nil {
		return nil
	}
	return []operation.Difference{{Name: "MAC address of " + o.Team + " as of", From: s.Lab().Connection(s.Teams[i].addressOf), To: o.Connection}}
}

func (o Modify) Differences(s Set) (list []operation.Difference) {
	i, err := s.Find(o.Team)
	if err != nil {
		return nil
	}
	t := &s.Teams[i]
	if o.Name != "" {
		list = append(list, operation.Difference{Name: "Name of the team", From: t.Name, To: o.Name})
	}
	if o.Type != "" {
		list = append(list, operation.Difference{Name: "Type of " + t.Name, From: t.Machine.Type.String(), To: o.Type})
	}
	if o.Failback != nil {
		words := map[bool]string{true: "on", false: "off"}
		list = append(list, operation.Difference{Name: "Failback of " + t.Name, From: words[t.Machine.Failback], To: words[*o.Failback]})
	}
	return list
}

func (o ModifyVLAN) Differences(s Set) (list []operation.Difference) {
	vlans, i, err := s.findVLAN(o.Team, o.Connection, o.VLAN)
	if err != nil {
		return nil
	}
	w := &vlans[i]
	if o.Name != "" && o.Name != w.Name {
		list = append(list, operation.Difference{Name: "Name of the VLAN", From: w.Name, To: o.Name})
	}
	number := func(name string, from, to int) {
		if from != to {
			list = append(list, operation.Difference{Name: name + " of " + w.Name, From: strconv.Itoa(from), To: strconv.Itoa(to)})
		}
	}
	number("Id", w.ID, o.ID)
	number("Priority", w.Priority, o.Priority)
	return list
}
