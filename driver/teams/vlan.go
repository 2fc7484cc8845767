package teams

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/request"
	"cxdeck/driver/teams/mux"
)

// AddVLAN creates a virtual miniport for a VLAN, on a team or on a connection.
type AddVLAN struct {
	// One of Team and Connection is empty.
	Team       string `json:"team,omitempty"`
	Connection string `json:"connection,omitempty"`
	Name       string `json:"name"`
	// ID is 1 to 4094, Priority 0 to 7.
	ID       int `json:"id"`
	Priority int `json:"priority"`
	// GUID of the miniport; empty to derive one from the lab's seed.
	GUID string `json:"guid,omitempty"`
}

// ModifyVLAN changes a VLAN.
type ModifyVLAN struct {
	Team       string `json:"team,omitempty"`
	Connection string `json:"connection,omitempty"`
	// VLAN is its present name; the other fields are its new settings. An empty Name leaves the name unchanged.
	VLAN     string `json:"vlan"`
	Name     string `json:"name,omitempty"`
	ID       int    `json:"id"`
	Priority int    `json:"priority"`
}

// RemoveVLAN removes a VLAN with its virtual miniport.
type RemoveVLAN struct {
	Team       string `json:"team,omitempty"`
	Connection string `json:"connection,omitempty"`
	VLAN       string `json:"vlan"`
}

func (AddVLAN) Kind() string    { return "add-vlan" }
func (ModifyVLAN) Kind() string { return "modify-vlan" }
func (RemoveVLAN) Kind() string { return "remove-vlan" }

func (o AddVLAN) Target() string    { return cmp.Or(o.Team, o.Connection) }
func (o ModifyVLAN) Target() string { return cmp.Or(o.Team, o.Connection) }
func (o RemoveVLAN) Target() string { return cmp.Or(o.Team, o.Connection) }

func (o AddVLAN) Describe() string {
	return fmt.Sprintf("add the VLAN %s with id %d and priority %d to %s", o.Name, o.ID, o.Priority, o.Target())
}

func (o ModifyVLAN) Describe() string {
	return fmt.Sprintf("change the VLAN %s of %s to %s with id %d and priority %d", o.VLAN, o.Target(), cmp.Or(o.Name, o.VLAN), o.ID, o.Priority)
}

func (o RemoveVLAN) Describe() string {
	return fmt.Sprintf("remove the VLAN %s from %s", o.VLAN, o.Target())
}

// vlansOf returns the VLANs of a team or a connection.
func (s Set) vlansOf(team, connection string) ([]VLAN, error) {
	if (team == "") == (connection == "") {
		return nil, fmt.Errorf("a VLAN belongs to a team or to a connection: name one of them")
	}
	if team != "" {
		i, err := s.Find(team)
		if err != nil {
			return nil, err
		}
		if s.Teams[i].ipoib {
			return nil, fmt.Errorf("%s is an IPoIB team, which has partitions, not VLANs", s.Teams[i].Name)
		}
		return s.Teams[i].VLANs, nil
	}
	port, err := s.Port(connection)
	if err != nil {
		return nil, err
	}
	if t := s.TeamOf(port); t != nil {
		return nil, fmt.Errorf("%s is a member of the team %s; put the VLAN on the team", connection, t.Name)
	}
	switch d, _, _ := s.Lab().Port(port); {
	case d.Link == description.InfiniBand:
		return nil, fmt.Errorf("%s is an IPoIB port, which has partitions, not VLANs", connection)
	case s.Lab().Family(port) == description.WinOF2:
		return nil, fmt.Errorf("%s has the driver mlx5, where a port without a team has one VLAN: set its key VlanId", connection)
	}
	return s.VLANs[port], nil
}

// setVLANs replaces the VLANs of an existing team or connection.
func (s Set) setVLANs(team, connection string, list []VLAN) {
	slices.SortFunc(list, byID)
	if i, err := s.Find(team); err == nil {
		s.Teams[i].VLANs = list
		s.Bind()
		return
	}
	port, err := s.Port(connection)
	panicOn(err)
	if s.VLANs == nil {
		s.VLANs = map[int][]VLAN{}
	}
	if s.VLANs[port] = list; len(list) == 0 {
		delete(s.VLANs, port)
	}
	s.Bind()
}

// findVLAN returns the VLANs of a team or connection, and the index of one of them.
func (s Set) findVLAN(team, connection, name string) (list []VLAN, i int, err error) {
	if list, err = s.vlansOf(team, connection); err != nil {
		return nil, 0, err
	}
	i = slices.IndexFunc(list, func(w VLAN) bool { return strings.EqualFold(w.Name, name) })
	if i < 0 {
		return nil, 0, request.Errorf("%s has no VLAN %q", cmp.Or(team, connection), name)
	}
	return list, i, nil
}

// checkVLAN returns why a VLAN can't be added to a list.
func checkVLAN(list []VLAN, name string, id, priority int, on string) error {
	if err := request.CheckName("VLAN", name); err != nil {
		return err
	}
	if err := mux.CheckVLAN(id, priority); err != nil {
		return err
	}
	for _, w := range list {
		switch {
		case strings.EqualFold(w.Name, name):
			return request.Errorf("%s has a VLAN %q already", on, name)
		case w.ID == id:
			return fmt.Errorf("the id %d belongs to the VLAN %s of %s already", id, w.Name, on)
		}
	}
	return nil
}

func (o AddVLAN) Inverse(s Set) (Operation, error) {
	list, err := s.vlansOf(o.Team, o.Connection)
	if err != nil {
		return nil, err
	}
	if err := checkVLAN(list, o.Name, o.ID, o.Priority, o.Target()); err != nil {
		return nil, err
	}
	if _, err := s.freeSlot(); err != nil {
		return nil, err
	}
	if o.GUID != "" {
		if _, err := s.checkGUID(o.GUID); err != nil {
			return nil, err
		}
	}
	return RemoveVLAN{o.Team, o.Connection, o.Name}, nil
}

func (o AddVLAN) Apply(s Set) error {
	if _, err := o.Inverse(s); err != nil {
		return err
	}
	list, err := s.vlansOf(o.Team, o.Connection)
	if err != nil {
		return err
	}
	guid, err := s.GUID(o.GUID, s.Lab().Description().Host.VLANGUIDs)
	if err != nil {
		return err
	}
	slot, err := s.freeSlot()
	if err != nil {
		return err
	}
	s.Lab().ResetVirtual(slot)
	s.setVLANs(o.Team, o.Connection, append(slices.Clone(list), VLAN{o.Name, o.ID, o.Priority, guid, slot}))
	return nil
}

func (o ModifyVLAN) Inverse(s Set) (Operation, error) {
	list, i, err := s.findVLAN(o.Team, o.Connection, o.VLAN)
	if err != nil {
		return nil, err
	}
	w, name := list[i], cmp.Or(o.Name, list[i].Name)
	others := slices.Delete(slices.Clone(list), i, i+1)
	if err := checkVLAN(others, name, o.ID, o.Priority, o.Target()); err != nil {
		return nil, err
	}
	return ModifyVLAN{o.Team, o.Connection, name, w.Name, w.ID, w.Priority}, nil
}

func (o ModifyVLAN) Apply(s Set) error {
	if _, err := o.Inverse(s); err != nil {
		return err
	}
	list, i, err := s.findVLAN(o.Team, o.Connection, o.VLAN)
	if err != nil {
		return err
	}
	list = slices.Clone(list)
	w := &list[i]
	w.Name, w.ID, w.Priority = cmp.Or(o.Name, w.Name), o.ID, o.Priority
	s.setVLANs(o.Team, o.Connection, list)
	return nil
}

func (o RemoveVLAN) Inverse(s Set) (Operation, error) {
	list, i, err := s.findVLAN(o.Team, o.Connection, o.VLAN)
	if err != nil {
		return nil, err
	}
	w := list[i]
	return AddVLAN{o.Team, o.Connection, w.Name, w.ID, w.Priority, w.GUID}, nil
}

func (o RemoveVLAN) Apply(s Set) error {
	list, i, err := s.findVLAN(o.Team, o.Connection, o.VLAN)
	if err != nil {
		return err
	}
	s.setVLANs(o.Team, o.Connection, slices.Delete(slices.Clone(list), i, i+1))
	return nil
}
