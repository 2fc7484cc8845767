package driver

import (
	"cmp"
	"errors"
	"slices"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/mux"
)

// TeamRecord is all that makes a team, but not how it is now.
type TeamRecord struct {
	Name     string             `json:"name"`
	GUID     string             `json:"guid"`
	Family   description.Family `json:"family"`
	Type     string             `json:"type"`
	IPoIB    bool               `json:"ipoib,omitempty"`
	Failback bool               `json:"failback"`
	// Algorithm is the load balancing algorithm of a team of Windows; empty is the usual one of the type.
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

// RestoreTeam makes a team what it was: it takes a change of its members or its removal back.
type RestoreTeam struct {
	Team TeamRecord `json:"team"`
	// Place is where it stands among the teams, from 0, if it is not there any more.
	Place int `json:"place,omitempty"`
}

// Kind is "restore-team".
func (RestoreTeam) Kind() string { return "restore-team" }

// Target is the team.
func (o RestoreTeam) Target() string { return o.Team.Name }

// Describe says what it does.
func (o RestoreTeam) Describe() string { return "make the team " + o.Team.Name + " what it was" }

// record writes a team down.
func (t *team) record(h *Host) TeamRecord {
	r := TeamRecord{
		Name: t.name, GUID: t.guid, Family: t.family, Type: t.machine.Type.String(), IPoIB: t.ipoib,
		Failback: t.machine.Failback, Algorithm: t.algorithm, Primary: h.connection(t.machine.Primary), AddressOf: h.connection(t.addressOf),
	}
	for _, m := range t.machine.Members {
		r.Members = append(r.Members, h.connection(m.Key))
	}
	for _, w := range t.vlans {
		r.VLANs = append(r.VLANs, VLANRecord{w.Name, w.ID, w.Priority, w.GUID})
	}
	return r
}

func (o RestoreTeam) inverse(h *Host) (Operation, error) {
	if _, err := o.made(h); err != nil {
		return nil, err
	}
	if i, err := h.team(o.Team.Name); err == nil {
		return RestoreTeam{h.teams[i].record(h), i}, nil
	}
	return DeleteTeam{o.Team.Name}, nil
}

func (o RestoreTeam) apply(h *Host) error {
	now, err := o.made(h)
	if err != nil {
		return err
	}
	var members []mux.Member
	var before, had []int
	i, err := h.team(now.name)
	if err == nil {
		old := &h.teams[i]
		members, before, had = old.machine.Members, old.machine.ActiveSet(), old.slots()
		h.teams[i] = *now
	} else {
		i = max(0, min(o.Place, len(h.teams)))
		h.teams = slices.Insert(h.teams, i, *now)
	}
	for _, slot := range now.slots() {
		if !slices.Contains(had, slot) {
			h.lab.ResetVirtual(slot)
		}
	}
	for port := range h.miniports {
		is := func(m mux.Member) bool { return m.Key == port }
		if slices.ContainsFunc(members, is) != slices.ContainsFunc(now.machine.Members, is) {
			h.renew(port)
		}
	}
	h.resettle(&h.teams[i], before)
	return nil
}

// made is the team that it makes, on a host that may have it otherwise. A miniport that is new begins to count.
func (o RestoreTeam) made(h *Host) (*team, error) {
	r, c := &o.Team, h.Clone()
	var old *team
	if i, err := c.team(r.Name); err == nil {
		was := c.teams[i]
		old = &was
		c.teams = slices.Delete(c.teams, i, i+1)
	}
	if err := c.checkNewTeam(r.Name); err != nil {
		return nil, err
	}
	kind, err := mux.ParseType(r.Type)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(checkType(kind, r.IPoIB, r.Family), checkFailback(r.Failback, r.Family)); err != nil {
		return nil, err
	}
	now := team{
		name: r.Name, family: r.Family, ipoib: r.IPoIB, addressOf: nowhere,
		machine: mux.Machine{Type: kind, Failback: r.Failback, Primary: mux.Nobody, Chosen: mux.Nobody},
	}
	if now.algorithm, err = algorithmOf(kind, r.Family, r.Algorithm, ""); err != nil {
		return nil, err
	}
	if now.guid, err = c.checkGUID(r.GUID); err != nil {
		return nil, err
	}
	if old == nil {
		if now.slot, err = c.freeSlot(); err != nil {
			return nil, err
		}
	} else {
		now.slot, now.failovers, now.lost, now.machine.Chosen = old.slot, old.failovers, old.lost, old.machine.Chosen
	}
	c.teams = append(c.teams, now)
	of := &c.teams[len(c.teams)-1]
	for _, connection := range r.Members {
		if err := c.CanJoin(r.Name, kind, connection); err != nil {
			return nil, err
		}
		port, err := c.port(connection)
		if err != nil {
			return nil, err
		}
		of.machine.Members = append(of.machine.Members, mux.Member{Key: port})
	}
	if of.machine.Primary, err = c.memberOr(r.Name, r.Primary, mux.Nobody); err != nil {
		return nil, err
	}
	if of.addressOf, err = c.memberOr(r.Name, r.AddressOf, nowhere); err != nil {
		return nil, err
	}
	if err := c.restoreVLANs(of, r.VLANs, old); err != nil {
		return nil, err
	}
	c.address(of)
	return of, nil
}

// memberOr is the port of a member, or another number for no connection.
func (h *Host) memberOr(team, connection string, none int) (int, error) {
	if connection == "" {
		return none, nil
	}
	_, port, err := h.member(team, connection)
	return port, err
}

// restoreVLANs gives a team its VLANs back; those that it had all the time keep their counters.
func (h *Host) restoreVLANs(t *team, records []VLANRecord, old *team) error {
	if t.ipoib && len(records) > 0 {
		return errors.New("a team of IPoIB has partitions and no VLANs")
	}
	for _, r := range records {
		if err := checkVLAN(t.vlans, r.Name, r.ID, r.Priority, t.name); err != nil {
			return err
		}
		guid, err := h.checkGUID(r.GUID)
		if err != nil {
			return err
		}
		one := vlan{r.Name, r.ID, r.Priority, guid, device.NoSlot}
		if old != nil {
			for _, w := range old.vlans {
				if w.GUID == guid {
					one.Slot = w.Slot
				}
			}
		}
		t.vlans = append(t.vlans, one)
	}
	for i := range t.vlans {
		if t.vlans[i].Slot != device.NoSlot {
			continue
		}
		slot, err := h.freeSlot()
		if err != nil {
			return err
		}
		t.vlans[i].Slot = slot
	}
	slices.SortFunc(t.vlans, byID)
	return nil
}
