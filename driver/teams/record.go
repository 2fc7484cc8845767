package teams

import (
	"cmp"
	"errors"
	"slices"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/teams/mux"
)

// Record is the configuration of a team, without its current state.
type Record struct {
	Name     string             `json:"name"`
	GUID     string             `json:"guid"`
	Family   description.Family `json:"family"`
	Type     string             `json:"type"`
	IPoIB    bool               `json:"ipoib,omitempty"`
	Failback bool               `json:"failback"`
	// Algorithm is the load balancing algorithm of a team of Windows; empty is the default of the type.
	Algorithm string `json:"algorithm,omitempty"`
	// Members are connections in the order of their attachment; Primary and AddressOf are among them or empty.
	Members   []string     `json:"members,omitempty"`
	Primary   string       `json:"primary,omitempty"`
	AddressOf string       `json:"address_of,omitempty"`
	VLANs     []VLANRecord `json:"vlans,omitempty"`
}

// VLANRecord is a VLAN of a team.
type VLANRecord struct {
	Name     string `json:"name"`
	ID       int    `json:"id"`
	Priority int    `json:"priority"`
	GUID     string `json:"guid"`
}

// Restore restores a team to an earlier state: it undoes a change of its members, or its removal.
type Restore struct {
	Team Record `json:"team"`
	// Place is the index of the team in the list of teams, used when it has been removed.
	Place int `json:"place,omitempty"`
}

func (Restore) Kind() string { return "restore-team" }

func (o Restore) Target() string { return o.Team.Name }

func (o Restore) Describe() string { return "restore team " + o.Team.Name }

// Record returns the configuration of a team.
func (t *Team) Record(s Set) Record {
	r := Record{
		Name: t.Name, GUID: t.guid, Family: t.Family, Type: t.Machine.Type.String(), IPoIB: t.ipoib,
		Failback: t.Machine.Failback, Algorithm: t.algorithm, Primary: s.Lab().Connection(t.Machine.Primary), AddressOf: s.Lab().Connection(t.addressOf),
	}
	for _, m := range t.Machine.Members {
		r.Members = append(r.Members, s.Lab().Connection(m.Key))
	}
	for _, w := range t.VLANs {
		r.VLANs = append(r.VLANs, VLANRecord{w.Name, w.ID, w.Priority, w.GUID})
	}
	return r
}

func (o Restore) Inverse(s Set) (Operation, error) {
	if _, err := o.build(s); err != nil {
		return nil, err
	}
	if i, err := s.Find(o.Team.Name); err == nil {
		return Restore{s.Teams[i].Record(s), i}, nil
	}
	return Delete{o.Team.Name}, nil
}

func (o Restore) Apply(s Set) error {
	now, err := o.build(s)
	if err != nil {
		return err
	}
	var members []mux.Member
	var before, had []int
	i, err := s.Find(now.Name)
	if err == nil {
		old := &s.Teams[i]
		members, before, had = old.Machine.Members, old.Machine.ActiveSet(), old.slots()
		s.Teams[i] = *now
	} else {
		i = max(0, min(o.Place, len(s.Teams)))
		s.Teams = slices.Insert(s.Teams, i, *now)
	}
	for _, slot := range now.slots() {
		if !slices.Contains(had, slot) {
			s.Lab().ResetVirtual(slot)
		}
	}
	for port := range s.Lab().Ports() {
		is := func(m mux.Member) bool { return m.Key == port }
		if slices.ContainsFunc(members, is) != slices.ContainsFunc(now.Machine.Members, is) {
			s.restart(port)
		}
	}
	s.reselect(&s.Teams[i], before)
	return nil
}

// build returns the restored team, on a host that may have another team of its name. The counters of a new miniport start at 0.
func (o Restore) build(s Set) (*Team, error) {
	r, copied := &o.Team, s.Clone()
	c := Set{s.Ports, &copied}
	var old *Team
	if i, err := c.Find(r.Name); err == nil {
		was := c.Teams[i]
		old = &was
		c.Teams = slices.Delete(c.Teams, i, i+1)
	}
	if err := c.checkNewTeam(r.Name); err != nil {
		return nil, err
	}
	kind, err := mux.ParseType(r.Type)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(CheckType(kind, r.IPoIB, r.Family), CheckFailback(r.Failback, r.Family)); err != nil {
		return nil, err
	}
	now := Team{
		Name: r.Name, Family: r.Family, ipoib: r.IPoIB, addressOf: mux.NoMember,
		Machine: mux.Machine{Type: kind, Failback: r.Failback, Primary: mux.NoMember, Chosen: mux.NoMember},
	}
	if now.algorithm, err = algorithmOf(kind, r.Family, r.Algorithm, ""); err != nil {
		return nil, err
	}
	if now.guid, err = c.checkGUID(r.GUID); err != nil {
		return nil, err
	}
	if old == nil {
		if now.Slot, err = c.freeSlot(); err != nil {
			return nil, err
		}
	} else {
		now.Slot, now.Failovers, now.lost, now.Machine.Chosen = old.Slot, old.Failovers, old.lost, old.Machine.Chosen
	}
	c.Teams = append(c.Teams, now)
	owner := &c.Teams[len(c.Teams)-1]
	for _, connection := range r.Members {
		if err := c.CanJoin(r.Name, kind, connection); err != nil {
			return nil, err
		}
		port, err := c.Port(connection)
		if err != nil {
			return nil, err
		}
		owner.Machine.Members = append(owner.Machine.Members, mux.Member{Key: port})
	}
	if owner.Machine.Primary, err = c.memberPort(r.Name, r.Primary, mux.NoMember); err != nil {
		return nil, err
	}
	if owner.addressOf, err = c.memberPort(r.Name, r.AddressOf, mux.NoMember); err != nil {
		return nil, err
	}
	if err := c.restoreVLANs(owner, r.VLANs, old); err != nil {
		return nil, err
	}
	c.updateAddress(owner)
	return owner, nil
}

// memberPort returns the port of a member, or another number for no connection.
func (s Set) memberPort(team, connection string, none int) (int, error) {
	if connection == "" {
		return none, nil
	}
	_, port, err := s.member(team, connection)
	return port, err
}

// restoreVLANs restores the VLANs of a team; a VLAN that the team still has keeps its counters.
func (s Set) restoreVLANs(t *Team, records []VLANRecord, old *Team) error {
	if t.ipoib && len(records) > 0 {
		return errors.New("an IPoIB team has partitions, not VLANs")
	}
	for _, r := range records {
		if err := checkVLAN(t.VLANs, r.Name, r.ID, r.Priority, t.Name); err != nil {
			return err
		}
		guid, err := s.checkGUID(r.GUID)
		if err != nil {
			return err
		}
		vlan := VLAN{r.Name, r.ID, r.Priority, guid, setup.NoSlot}
		if old != nil {
			for _, w := range old.VLANs {
				if w.GUID == guid {
					vlan.Slot = w.Slot
				}
			}
		}
		t.VLANs = append(t.VLANs, vlan)
	}
	for i := range t.VLANs {
		if t.VLANs[i].Slot != setup.NoSlot {
			continue
		}
		slot, err := s.freeSlot()
		if err != nil {
			return err
		}
		t.VLANs[i].Slot = slot
	}
	slices.SortFunc(t.VLANs, byID)
	return nil
}
