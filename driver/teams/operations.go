package teams

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/teams/mux"
)

// Create creates a team without members.
type Create struct {
	Name string `json:"name"`
	// Type is a word of vlan_config: "AFT", "3AD".
	Type string `json:"type"`
	// IPoIB creates a team for IPoIB ports.
	IPoIB bool `json:"ipoib,omitempty"`
	// NoFailback leaves the traffic where it is when the primary member comes back.
	NoFailback bool `json:"no_failback,omitempty"`
	// GUID of the team, with or without braces; empty to derive one from the lab's seed.
	GUID string `json:"guid,omitempty"`
	// Family is WinOF for a team of the multiplexer, WinOF2 for one of Windows Server.
	Family description.Family `json:"family"`
	// Algorithm is the load balancing algorithm of a team of Windows Server: "TransportPorts". Empty is the default of the
	// type.
	Algorithm string `json:"algorithm,omitempty"`
}

// Modify changes a team. Empty and nil fields leave their settings unchanged.
type Modify struct {
	// Team is its name now, Name the new one.
	Team     string `json:"team"`
	Name     string `json:"name,omitempty"`
	Type     string `json:"type,omitempty"`
	Failback *bool  `json:"failback,omitempty"`
	// Algorithm is the load balancing algorithm of a team of Windows Server.
	Algorithm string `json:"algorithm,omitempty"`
}

// Delete removes a team with its members and VLANs.
type Delete struct {
	Team string `json:"team"`
}

// Attach adds a connection to a team, after its other members. The adapter restarts for it.
type Attach struct {
	Team       string `json:"team"`
	Connection string `json:"connection"`
	// Primary makes it the primary member, SetMAC gives its MAC address to the team.
	Primary bool `json:"primary,omitempty"`
	SetMAC  bool `json:"set_mac,omitempty"`
}

// Detach removes a connection from a team. The adapter restarts for it.
type Detach struct {
	Team       string `json:"team"`
	Connection string `json:"connection"`
}

// SetPrimary sets the primary member of a team; without a connection it is the member that was attached first.
type SetPrimary struct {
	Team       string `json:"team"`
	Connection string `json:"connection,omitempty"`
}

// SetAddress sets the MAC address of a team of Windows Server to the address of a member; without a connection the address is
// derived from the members.
type SetAddress struct {
	Team       string `json:"team"`
	Connection string `json:"connection,omitempty"`
}

func (Create) Kind() string     { return "create-team" }
func (Modify) Kind() string     { return "modify-team" }
func (Delete) Kind() string     { return "delete-team" }
func (Attach) Kind() string     { return "attach-member" }
func (Detach) Kind() string     { return "detach-member" }
func (SetPrimary) Kind() string { return "set-primary" }
func (SetAddress) Kind() string { return "set-team-address" }

func (o Create) Target() string     { return o.Name }
func (o Modify) Target() string     { return o.Team }
func (o Delete) Target() string     { return o.Team }
func (o Attach) Target() string     { return o.Team }
func (o Detach) Target() string     { return o.Team }
func (o SetPrimary) Target() string { return o.Team }
func (o SetAddress) Target() string { return o.Team }

// Adds is true for Operations that create an object and false for Operations that remove one: see driver.Adder.
func (Create) Adds() bool     { return true }
func (Delete) Adds() bool     { return false }
func (Attach) Adds() bool     { return true }
func (Detach) Adds() bool     { return false }
func (AddVLAN) Adds() bool    { return true }
func (RemoveVLAN) Adds() bool { return false }

// Restarts returns the member whose adapter restarts (TEAM-9).
func (o Attach) Restarts() string { return o.Connection }
func (o Detach) Restarts() string { return o.Connection }

// names returns the team and the connection that an Operation names, either of which may be empty.
func names(o Operation) (team, connection string) {
	switch o := o.(type) {
	case Attach:
		return o.Team, o.Connection
	case Detach:
		return o.Team, o.Connection
	case SetPrimary:
		return o.Team, o.Connection
	case SetAddress:
		return o.Team, o.Connection
	case AddVLAN:
		return o.Team, o.Connection
	case ModifyVLAN:
		return o.Team, o.Connection
	case RemoveVLAN:
		return o.Team, o.Connection
	}
	return o.Target(), ""
}

func (o Create) Describe() string {
	return fmt.Sprintf("create the team %s of type %s", o.Name, o.Type)
}

func (o Modify) Describe() string {
	var changes []string
	suffix := " for the team " + o.Team
	if o.Name != "" && o.Name != o.Team {
		changes, suffix = append(changes, "rename the team "+o.Team+" to "+o.Name), ""
	}
	if o.Type != "" {
		changes = append(changes, "set the type to "+o.Type)
	}
	if o.Algorithm != "" {
		changes = append(changes, "set the load balancing algorithm to "+o.Algorithm)
	}
	if o.Failback != nil {
		word := "off"
		if *o.Failback {
			word = "on"
		}
		changes = append(changes, "turn failback "+word)
	}
	if changes == nil {
		return "no change to the team " + o.Team
	}
	text, last := changes[0], len(changes)-1
	if last > 0 {
		text = strings.Join(changes[:last], ", ") + " and " + changes[last]
	}
	return text + suffix
}

func (o Delete) Describe() string {
	return "delete the team " + o.Team + " with its members and VLANs"
}

func (o Attach) Describe() string {
	text := fmt.Sprintf("attach %s to the team %s", o.Connection, o.Team)
	if o.Primary {
		text += " as its primary member"
	}
	if o.SetMAC {
		text += ", which gets its MAC address"
	}
	return text
}

func (o Detach) Describe() string {
	return fmt.Sprintf("detach %s from the team %s", o.Connection, o.Team)
}

func (o SetPrimary) Describe() string {
	if o.Connection == "" {
		return "make the first member of the team " + o.Team + " its primary member"
	}
	return fmt.Sprintf("make %s the primary member of the team %s", o.Connection, o.Team)
}

func (o SetAddress) Describe() string {
	if o.Connection == "" {
		return "derive the MAC address of the team " + o.Team + " from its members"
	}
	return fmt.Sprintf("set the MAC address of the team %s to the address of %s", o.Team, o.Connection)
}

func (o Create) Inverse(s Set) (Operation, error) {
	if err := s.checkNewTeam(o.Name); err != nil {
		return nil, err
	}
	t, err := mux.ParseType(o.Type)
	if err != nil {
		return nil, err
	}
	if err := CheckType(t, o.IPoIB, o.Family); err != nil {
		return nil, err
	}
	if _, err := algorithmOf(t, o.Family, o.Algorithm, ""); err != nil {
		return nil, err
	}
	if err := CheckFailback(!o.NoFailback, o.Family); err != nil {
		return nil, err
	}
	if o.GUID != "" {
		if _, err := s.checkGUID(o.GUID); err != nil {
			return nil, err
		}
	}
	if _, err := s.freeSlot(); err != nil {
		return nil, err
	}
	return Delete{o.Name}, nil
}

func (o Create) Apply(s Set) error {
	if _, err := o.Inverse(s); err != nil {
		return err
	}
	t, err := mux.ParseType(o.Type)
	if err != nil {
		return err
	}
	guid, err := s.GUID(o.GUID, s.Lab().Description().Host.TeamGUIDs)
	if err != nil {
		return err
	}
	slot, err := s.freeSlot()
	if err != nil {
		return err
	}
	algorithm, err := algorithmOf(t, o.Family, o.Algorithm, "")
	if err != nil {
		return err
	}
	s.Lab().ResetVirtual(slot)
	s.Teams = append(s.Teams, Team{
		Name: o.Name, guid: guid, algorithm: algorithm, Family: o.Family, ipoib: o.IPoIB, addressOf: mux.NoMember, Slot: slot,
		Machine: mux.Machine{Type: t, Failback: !o.NoFailback, Primary: mux.NoMember, Chosen: mux.NoMember},
	})
	s.Bind()
	return nil
}

func (o Modify) Inverse(s Set) (Operation, error) {
	i, err := s.Find(o.Team)
	if err != nil {
		return nil, err
	}
	t := &s.Teams[i]
	back := Modify{Team: t.Name}
	if o.Name != "" {
		if !strings.EqualFold(o.Name, t.Name) {
			err = s.checkNewTeam(o.Name)
		}
		back.Team, back.Name = o.Name, t.Name
	}
	if err == nil && (o.Type != "" || o.Algorithm != "") {
		_, _, err = o.target(t)
		back.Type, back.Algorithm = t.Machine.Type.String(), t.algorithm
	}
	if o.Failback != nil {
		back.Failback = new(t.Machine.Failback)
		if err == nil {
			err = CheckFailback(*o.Failback, t.Family)
		}
	}
	if err == nil && o.Name == "" && o.Type == "" && o.Algorithm == "" && o.Failback == nil {
		err = errors.New("a setting is required")
	}
	return back, err
}

// target returns the type and the load balancing algorithm that a team is to have.
func (o Modify) target(t *Team) (wanted mux.Type, algorithm string, err error) {
	wanted = t.Machine.Type
	if o.Type != "" {
		if wanted, err = mux.ParseType(o.Type); err != nil {
			return wanted, "", err
		}
	}
	if err = CheckType(wanted, t.ipoib, t.Family); err != nil {
		return wanted, "", err
	}
	if err = CheckCount(wanted, t.Family, len(t.Machine.Members)); err != nil {
		return wanted, "", err
	}
	algorithm, err = algorithmOf(wanted, t.Family, o.Algorithm, t.algorithm)
	return wanted, algorithm, err
}

func (o Modify) Apply(s Set) error {
	i, err := s.Find(o.Team)
	if err != nil {
		return err
	}
	if _, err := o.Inverse(s); err != nil {
		return err
	}
	t := &s.Teams[i]
	before := t.Machine.ActiveSet()
	if o.Name != "" {
		s.TeamRenamed(t.Name, o.Name)
		t.Name = o.Name
	}
	if o.Type != "" || o.Algorithm != "" {
		if t.Machine.Type, t.algorithm, err = o.target(t); err != nil {
			return err
		}
	}
	if o.Failback != nil {
		t.Machine.Failback = *o.Failback
	}
	s.reselect(t, before)
	return nil
}

func (o Delete) Inverse(s Set) (Operation, error) {
	i, err := s.Find(o.Team)
	if err != nil {
		return nil, err
	}
	if name := s.SwitchOn(o.Team, ""); name != "" {
		return nil, fmt.Errorf("the virtual switch %s uses the team; remove the switch first", name)
	}
	return Restore{s.Teams[i].Record(s), i}, nil
}

func (o Delete) Apply(s Set) error {
	i, err := s.Find(o.Team)
	if err != nil {
		return err
	}
	members := s.Teams[i].Machine.Members
	s.Teams = slices.Delete(s.Teams, i, i+1)
	s.restartAll(members)
	s.Bind()
	return nil
}

func (o Attach) Inverse(s Set) (Operation, error) {
	i, err := s.Find(o.Team)
	if err != nil {
		return nil, err
	}
	t := &s.Teams[i]
	if err := s.CanJoin(o.Team, t.Machine.Type, o.Connection); err != nil {
		return nil, err
	}
	if len(t.Machine.Members) == 0 || !o.Primary && !o.SetMAC {
		return Detach{o.Team, o.Connection}, nil
	}
	return Restore{t.Record(s), i}, nil
}

func (o Attach) Apply(s Set) error {
	if _, err := o.Inverse(s); err != nil {
		return err
	}
	i, err := s.Find(o.Team)
	if err != nil {
		return err
	}
	port, err := s.Port(o.Connection)
	if err != nil {
		return err
	}
	t := &s.Teams[i]
	before := t.Machine.ActiveSet()
	t.Machine.Attach(mux.Member{Key: port}, o.Primary)
	if o.SetMAC {
		t.addressOf = port
	}
	s.updateAddress(t)
	s.restart(port)
	s.reselect(t, before)
	return nil
}

// member finds a member of a team.
func (s Set) member(team, connection string) (owner *Team, port int, err error) {
	i, err := s.Find(team)
	if err != nil {
		return nil, 0, err
	}
	if port, err = s.Port(connection); err != nil {
		return nil, 0, err
	}
	if owner = s.TeamOf(port); owner != &s.Teams[i] {
		return nil, 0, fmt.Errorf("%s is not a member of the team %s", connection, s.Teams[i].Name)
	}
	return owner, port, nil
}

func (o Detach) Inverse(s Set) (Operation, error) {
	t, _, err := s.member(o.Team, o.Connection)
	if err != nil {
		return nil, err
	}
	return Restore{Team: t.Record(s)}, nil
}

func (o Detach) Apply(s Set) error {
	t, port, err := s.member(o.Team, o.Connection)
	if err != nil {
		return err
	}
	before := t.Machine.ActiveSet()
	t.Machine.Detach(port)
	if t.addressOf == port { // the team keeps an address only as long as it has the member with the address
		t.addressOf = mux.NoMember
	}
	s.updateAddress(t)
	s.restart(port)
	s.reselect(t, before)
	return nil
}

func (o SetPrimary) Inverse(s Set) (Operation, error) {
	i, err := s.Find(o.Team)
	if err == nil && o.Connection != "" {
		_, _, err = s.member(o.Team, o.Connection)
	}
	if err != nil {
		return nil, err
	}
	return SetPrimary{o.Team, s.Lab().Connection(s.Teams[i].Machine.Primary)}, nil
}

func (o SetPrimary) Apply(s Set) error {
	if _, err := o.Inverse(s); err != nil {
		return err
	}
	i, err := s.Find(o.Team)
	if err != nil {
		return err
	}
	port := mux.NoMember
	if o.Connection != "" {
		if port, err = s.Port(o.Connection); err != nil {
			return err
		}
	}
	t := &s.Teams[i]
	before := t.Machine.ActiveSet()
	t.Machine.Primary = port
	s.reselect(t, before)
	return nil
}

func (o SetAddress) Inverse(s Set) (Operation, error) {
	i, err := s.Find(o.Team)
	if err != nil {
		return nil, err
	}
	t := &s.Teams[i]
	if t.Family != description.WinOF2 {
		return nil, fmt.Errorf("the WinOF driver sets the MAC address of the team %s only when a member is attached", t.Name)
	}
	if o.Connection != "" {
		if _, _, err := s.member(o.Team, o.Connection); err != nil {
			return nil, err
		}
	}
	return SetAddress{o.Team, s.Lab().Connection(t.addressOf)}, nil
}

func (o SetAddress) Apply(s Set) error {
	if _, err := o.Inverse(s); err != nil {
		return err
	}
	i, err := s.Find(o.Team)
	if err != nil {
		return err
	}
	port := mux.NoMember
	if o.Connection != "" {
		if port, err = s.Port(o.Connection); err != nil {
			return err
		}
	}
	s.Teams[i].addressOf = port
	s.updateAddress(&s.Teams[i])
	return nil
}
