package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/mux"
	"cxdeck/driver/virtualization"
)

// CreateTeam makes a team without members.
type CreateTeam struct {
	Name string `json:"name"`
	// Type is a word of vlan_config: "AFT", "3AD".
	Type string `json:"type"`
	// IPoIB makes a team for ports of IPoIB.
	IPoIB bool `json:"ipoib,omitempty"`
	// NoFailback leaves the traffic where it is when the primary member comes back.
	NoFailback bool `json:"no_failback,omitempty"`
	// GUID is that of the team, with or without braces; one that follows from the lab's seed when it is empty.
	GUID string `json:"guid,omitempty"`
	// Family is WinOF for a team of the multiplexer, WinOF2 for one of Windows Server.
	Family description.Family `json:"family"`
	// Algorithm is the load balancing algorithm of a team of Windows Server: "TransportPorts". Empty is the usual one of
	// the type.
	Algorithm string `json:"algorithm,omitempty"`
}

// ModifyTeam changes a team. What is empty or nil stays as it is.
type ModifyTeam struct {
	// Team is its name now, Name the new one.
	Team     string `json:"team"`
	Name     string `json:"name,omitempty"`
	Type     string `json:"type,omitempty"`
	Failback *bool  `json:"failback,omitempty"`
	// Algorithm is the load balancing algorithm of a team of Windows Server.
	Algorithm string `json:"algorithm,omitempty"`
}

// DeleteTeam removes a team with its members and VLANs.
type DeleteTeam struct {
	Team string `json:"team"`
}

// AttachMember makes a connection the last member of a team. Its adapter is stopped and started for it.
type AttachMember struct {
	Team       string `json:"team"`
	Connection string `json:"connection"`
	// Primary makes it the primary one, SetMAC gives its MAC address to the team.
	Primary bool `json:"primary,omitempty"`
	SetMAC  bool `json:"set_mac,omitempty"`
}

// DetachMember takes a connection out of a team. Its adapter is stopped and started for it.
type DetachMember struct {
	Team       string `json:"team"`
	Connection string `json:"connection"`
}

// SetPrimary names the primary member of a team; no connection lets the one that was attached first stand in.
type SetPrimary struct {
	Team       string `json:"team"`
	Connection string `json:"connection,omitempty"`
}

// Kind is "create-team".
func (CreateTeam) Kind() string { return "create-team" }

// Kind is "modify-team".
func (ModifyTeam) Kind() string { return "modify-team" }

// Kind is "delete-team".
func (DeleteTeam) Kind() string { return "delete-team" }

// Kind is "attach-member".
func (AttachMember) Kind() string { return "attach-member" }

// Kind is "detach-member".
func (DetachMember) Kind() string { return "detach-member" }

// Kind is "set-primary".
func (SetPrimary) Kind() string { return "set-primary" }

// Target is the team.
func (o CreateTeam) Target() string { return o.Name }

// Target is the team.
func (o ModifyTeam) Target() string { return o.Team }

// Target is the team.
func (o DeleteTeam) Target() string { return o.Team }

// Target is the team.
func (o AttachMember) Target() string { return o.Team }

// Target is the team.
func (o DetachMember) Target() string { return o.Team }

// Target is the team.
func (o SetPrimary) Target() string { return o.Team }

// ofTeam is the team and the connection that an Operation on teams and VLANs names, either of which may be empty; ok is
// false for any other Operation.
func ofTeam(o Operation) (team, connection string, ok bool) {
	switch o := o.(type) {
	case CreateTeam, ModifyTeam, DeleteTeam, RestoreTeam:
		return o.Target(), "", true
	case AttachMember:
		return o.Team, o.Connection, true
	case DetachMember:
		return o.Team, o.Connection, true
	case SetPrimary:
		return o.Team, o.Connection, true
	case AddVLAN:
		return o.Team, o.Connection, true
	case ModifyVLAN:
		return o.Team, o.Connection, true
	case RemoveVLAN:
		return o.Team, o.Connection, true
	}
	return "", "", false
}

// Describe says what it does.
func (o CreateTeam) Describe() string {
	return fmt.Sprintf("create the team %s of type %s", o.Name, o.Type)
}

// Describe says what it does.
func (o ModifyTeam) Describe() string {
	var changes []string
	if o.Name != "" && o.Name != o.Team {
		changes = append(changes, "the name "+o.Name)
	}
	if o.Type != "" {
		changes = append(changes, "the type "+o.Type)
	}
	if o.Algorithm != "" {
		changes = append(changes, "the load balancing algorithm "+o.Algorithm)
	}
	if o.Failback != nil {
		word := "no failback to the primary member"
		if *o.Failback {
			word = "failback to the primary member"
		}
		changes = append(changes, word)
	}
	if changes == nil {
		return "leave the team " + o.Team + " as it is"
	}
	return fmt.Sprintf("give the team %s %s", o.Team, strings.Join(changes, ", "))
}

// Describe says what it does.
func (o DeleteTeam) Describe() string {
	return "delete the team " + o.Team + " with its members and VLANs"
}

// Describe says what it does.
func (o AttachMember) Describe() string {
	text := fmt.Sprintf("attach %s to the team %s", o.Connection, o.Team)
	if o.Primary {
		text += " as its primary member"
	}
	if o.SetMAC {
		text += ", which gets its MAC address"
	}
	return text
}

// Describe says what it does.
func (o DetachMember) Describe() string {
	return fmt.Sprintf("detach %s from the team %s", o.Connection, o.Team)
}

// Describe says what it does.
func (o SetPrimary) Describe() string {
	if o.Connection == "" {
		return "let the first member of the team " + o.Team + " be the primary one"
	}
	return fmt.Sprintf("make %s the primary member of the team %s", o.Connection, o.Team)
}

func (o CreateTeam) inverse(h *Host) (Operation, error) {
	if err := h.checkNewTeam(o.Name); err != nil {
		return nil, err
	}
	t, err := mux.ParseType(o.Type)
	if err != nil {
		return nil, err
	}
	if err := checkType(t, o.IPoIB, o.Family); err != nil {
		return nil, err
	}
	if _, err := algorithmOf(t, o.Family, o.Algorithm, ""); err != nil {
		return nil, err
	}
	if err := checkFailback(!o.NoFailback, o.Family); err != nil {
		return nil, err
	}
	if o.GUID != "" {
		if _, err := h.checkGUID(o.GUID); err != nil {
			return nil, err
		}
	}
	if _, err := h.freeSlot(); err != nil {
		return nil, err
	}
	return DeleteTeam{o.Name}, nil
}

func (o CreateTeam) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	t, err := mux.ParseType(o.Type)
	if err != nil {
		return err
	}
	guid, err := h.guid(o.GUID, h.lab.Description().Host.TeamGUIDs)
	if err != nil {
		return err
	}
	slot, err := h.freeSlot()
	if err != nil {
		return err
	}
	algorithm, err := algorithmOf(t, o.Family, o.Algorithm, "")
	if err != nil {
		return err
	}
	h.lab.ResetVirtual(slot)
	h.teams = append(h.teams, team{
		name: o.Name, guid: guid, algorithm: algorithm, family: o.Family, ipoib: o.IPoIB, addressOf: nowhere, slot: slot,
		machine: mux.Machine{Type: t, Failback: !o.NoFailback, Primary: mux.Nobody, Chosen: mux.Nobody},
	})
	h.bind()
	return nil
}

func (o ModifyTeam) inverse(h *Host) (Operation, error) {
	i, err := h.team(o.Team)
	if err != nil {
		return nil, err
	}
	t := &h.teams[i]
	back := ModifyTeam{Team: t.name}
	if o.Name != "" {
		if !strings.EqualFold(o.Name, t.name) {
			err = h.checkNewTeam(o.Name)
		}
		back.Team, back.Name = o.Name, t.name
	}
	if err == nil && (o.Type != "" || o.Algorithm != "") {
		_, _, err = o.wanted(t)
		back.Type, back.Algorithm = t.machine.Type.String(), t.algorithm
	}
	if o.Failback != nil {
		back.Failback = new(t.machine.Failback)
		if err == nil {
			err = checkFailback(*o.Failback, t.family)
		}
	}
	if err == nil && o.Name == "" && o.Type == "" && o.Algorithm == "" && o.Failback == nil {
		err = errors.New("it says nothing that could be changed")
	}
	return back, err
}

// wanted are the type and the load balancing algorithm that a team is to have.
func (o ModifyTeam) wanted(t *team) (wanted mux.Type, algorithm string, err error) {
	wanted = t.machine.Type
	if o.Type != "" {
		if wanted, err = mux.ParseType(o.Type); err != nil {
			return wanted, "", err
		}
	}
	if err = checkType(wanted, t.ipoib, t.family); err != nil {
		return wanted, "", err
	}
	if err = checkCount(wanted, t.family, len(t.machine.Members)); err != nil {
		return wanted, "", err
	}
	algorithm, err = algorithmOf(wanted, t.family, o.Algorithm, t.algorithm)
	return wanted, algorithm, err
}

func (o ModifyTeam) apply(h *Host) error {
	i, err := h.team(o.Team)
	if err != nil {
		return err
	}
	if _, err := o.inverse(h); err != nil {
		return err
	}
	t := &h.teams[i]
	before := t.machine.ActiveSet()
	if o.Name != "" {
		h.changeVirtual(func(v virtualization.Hypervisor) {
			for i := range v.Switches {
				if strings.EqualFold(v.Switches[i].Team, t.name) {
					v.Switches[i].Team = o.Name
				}
			}
		})
		t.name = o.Name
	}
	if o.Type != "" || o.Algorithm != "" {
		if t.machine.Type, t.algorithm, err = o.wanted(t); err != nil {
			return err
		}
	}
	if o.Failback != nil {
		t.machine.Failback = *o.Failback
	}
	h.resettle(t, before)
	return nil
}

func (o DeleteTeam) inverse(h *Host) (Operation, error) {
	i, err := h.team(o.Team)
	if err != nil {
		return nil, err
	}
	for _, s := range h.virtual.Switches {
		if strings.EqualFold(s.Team, o.Team) {
			return nil, fmt.Errorf("the virtual switch %s is on it; remove the switch first", s.Name)
		}
	}
	return RestoreTeam{h.teams[i].record(h), i}, nil
}

func (o DeleteTeam) apply(h *Host) error {
	i, err := h.team(o.Team)
	if err != nil {
		return err
	}
	members := h.teams[i].machine.Members
	h.teams = slices.Delete(h.teams, i, i+1)
	h.renewAll(members)
	h.bind()
	return nil
}

func (o AttachMember) inverse(h *Host) (Operation, error) {
	i, err := h.team(o.Team)
	if err != nil {
		return nil, err
	}
	t := &h.teams[i]
	if err := h.CanJoin(o.Team, t.machine.Type, o.Connection); err != nil {
		return nil, err
	}
	if len(t.machine.Members) == 0 || !o.Primary && !o.SetMAC {
		return DetachMember{o.Team, o.Connection}, nil
	}
	return RestoreTeam{t.record(h), i}, nil
}

func (o AttachMember) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	i, err := h.team(o.Team)
	if err != nil {
		return err
	}
	port, err := h.port(o.Connection)
	if err != nil {
		return err
	}
	t := &h.teams[i]
	before := t.machine.ActiveSet()
	t.machine.Attach(mux.Member{Key: port}, o.Primary)
	if o.SetMAC {
		t.addressOf = port
	}
	h.address(t)
	h.renew(port)
	h.resettle(t, before)
	return nil
}

// member finds a member of a team.
func (h *Host) member(team, connection string) (of *team, port int, err error) {
	i, err := h.team(team)
	if err != nil {
		return nil, 0, err
	}
	if port, err = h.port(connection); err != nil {
		return nil, 0, err
	}
	if of = h.teamOf(port); of != &h.teams[i] {
		return nil, 0, fmt.Errorf("%s is no member of the team %s", connection, h.teams[i].name)
	}
	return of, port, nil
}

func (o DetachMember) inverse(h *Host) (Operation, error) {
	t, _, err := h.member(o.Team, o.Connection)
	if err != nil {
		return nil, err
	}
	return RestoreTeam{Team: t.record(h)}, nil
}

func (o DetachMember) apply(h *Host) error {
	t, port, err := h.member(o.Team, o.Connection)
	if err != nil {
		return err
	}
	before := t.machine.ActiveSet()
	t.machine.Detach(port)
	if t.addressOf == port { // the team keeps an address only while the one that it is from is in it
		t.addressOf = nowhere
	}
	h.address(t)
	h.renew(port)
	h.resettle(t, before)
	return nil
}

func (o SetPrimary) inverse(h *Host) (Operation, error) {
	i, err := h.team(o.Team)
	if err == nil && o.Connection != "" {
		_, _, err = h.member(o.Team, o.Connection)
	}
	if err != nil {
		return nil, err
	}
	return SetPrimary{o.Team, h.connection(h.teams[i].machine.Primary)}, nil
}

func (o SetPrimary) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	i, err := h.team(o.Team)
	if err != nil {
		return err
	}
	port := mux.Nobody
	if o.Connection != "" {
		if port, err = h.port(o.Connection); err != nil {
			return err
		}
	}
	t := &h.teams[i]
	before := t.machine.ActiveSet()
	t.machine.Primary = port
	h.resettle(t, before)
	return nil
}
