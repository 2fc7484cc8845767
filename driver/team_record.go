package driver

import (
	"slices"

	"cxdeck/device"
	"cxdeck/driver/mux"
)

// TeamRecord is all that makes a team, but not how it is now.
type TeamRecord struct {
	Name     string        `json:"name"`
	GUID     string        `json:"guid"`
	Family   device.Family `json:"family"`
	Type     string        `json:"type"`
	IPoIB    bool          `json:"ipoib,omitempty"`
	Failback bool          `json:"failback"`
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
}

// Kind is "restore-team".
func (RestoreTeam) Kind() string { return "restore-team" }

// Target is the team.
func (o RestoreTeam) Target() string { return o.Team.Name }

// Describe says what it does.
func (o RestoreTeam) Describe() string { return "make the team " + o.Team.Name + " what it was" }

// Commands is empty for now.
func (o RestoreTeam) Commands() []string { return nil }

// record writes a team down.
func (t *team) record(h *Host) TeamRecord {
	r := TeamRecord{
		Name: t.name, GUID: t.guid, Family: t.family, Type: t.machine.Type.String(), IPoIB: t.ipoib,
		Failback: t.machine.Failback, Primary: h.connection(t.machine.Primary), AddressOf: h.connection(t.addressOf),
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
	if i, err := h.team(o.Team.Name); err == nil {
		return RestoreTeam{h.teams[i].record(h)}, nil
	}
	return DeleteTeam{o.Team.Name}, nil
}

func (o RestoreTeam) apply(h *Host) error {
	t, err := mux.ParseType(o.Team.Type)
	if err != nil {
		return err
	}
	now := team{
		name: o.Team.Name, guid: o.Team.GUID, family: o.Team.Family, ipoib: o.Team.IPoIB, addressOf: nowhere,
		machine: mux.Machine{Type: t, Failback: o.Team.Failback, Primary: mux.Nobody, Chosen: mux.Nobody},
	}
	for _, connection := range o.Team.Members {
		port, err := h.port(connection)
		if err != nil {
			return err
		}
		now.machine.Members = append(now.machine.Members, mux.Member{Key: port})
		if connection == o.Team.Primary {
			now.machine.Primary = port
		}
		if connection == o.Team.AddressOf {
			now.addressOf = port
		}
	}
	for _, w := range o.Team.VLANs {
		now.vlans = append(now.vlans, vlan{Name: w.Name, ID: w.ID, Priority: w.Priority, GUID: w.GUID})
	}
	var before []mux.Member
	if i, err := h.team(o.Team.Name); err == nil {
		before = h.teams[i].machine.Members
		now.failovers, now.slot, now.machine.Chosen = h.teams[i].failovers, h.teams[i].slot, h.teams[i].machine.Chosen
		h.teams[i] = now
	} else {
		h.teams = append(h.teams, now)
	}
	i, err := h.team(o.Team.Name)
	if err != nil {
		return err
	}
	h.address(&h.teams[i])
	for port := range h.miniports {
		is := func(m mux.Member) bool { return m.Key == port }
		if slices.ContainsFunc(before, is) != slices.ContainsFunc(now.machine.Members, is) {
			h.renew(port)
		}
	}
	h.settleTeams()
	return nil
}
