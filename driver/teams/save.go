package teams

import (
	"errors"
	"reflect"
	"slices"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/teams/mux"
)

// Saved is the saved form of a team; the carriers of its flows are saved with the lab.
type Saved struct {
	Team Record `json:"team"`
	// Seen are the last known states of the members, in their order; Chosen is the connection of the member that carries
	// everything.
	Seen      []mux.Status `json:"seen,omitempty"`
	Chosen    string       `json:"chosen,omitempty"`
	Ungrouped bool         `json:"apart,omitempty"`
	Slot      int          `json:"slot"`
	// VLANSlots are the slots of its VLANs, in their order.
	VLANSlots []int      `json:"vlan_slots,omitempty"`
	Failovers []Failover `json:"failovers,omitempty"`
	Lost      [2]uint64  `json:"lost"`
	// Moved is the traffic of each member of an adaptive team at the last rebalancing, by port.
	Moved map[int][2]uint64 `json:"moved,omitempty"`
}

// SavedPort is a port with VLANs of its own.
type SavedPort struct {
	Connection string `json:"connection"`
	VLANs      []VLAN `json:"vlans"`
}

// Save returns the teams in their saved form.
func (s Set) Save() (list []Saved) {
	for i := range s.Teams {
		t := &s.Teams[i]
		saved := Saved{
			Team: t.Record(s), Chosen: s.Lab().Connection(t.Machine.Chosen), Ungrouped: t.Machine.Ungrouped, Slot: t.Slot,
			VLANSlots: t.slots()[1:], Failovers: t.Failovers, Lost: t.lost, Moved: t.moved,
		}
		for _, m := range t.Machine.Members {
			saved.Seen = append(saved.Seen, m.Status)
		}
		list = append(list, saved)
	}
	return list
}

// SavePorts returns the VLANs of single ports in their saved form.
func (s Set) SavePorts() (list []SavedPort) {
	for port := range s.Lab().Ports() {
		if w := s.VLANs[port]; len(w) > 0 {
			list = append(list, SavedPort{s.Lab().Connection(port), w})
		}
	}
	return list
}

// errDamaged is the error of inconsistent saved teams.
var errDamaged = errors.New("the saved teams and VLANs are damaged")

// Restore restores saved teams and VLANs on a host whose lab has their bindings already.
func (s Set) Restore(teams []Saved, vlans []SavedPort) error {
	for i := range teams {
		if err := s.restoreTeam(&teams[i]); err != nil {
			return err
		}
	}
	for _, saved := range vlans {
		port, err := s.Port(saved.Connection)
		if err != nil {
			return err
		}
		for i, w := range saved.VLANs {
			list, err := s.vlansOf("", saved.Connection)
			if err == nil {
				err = checkVLAN(list, w.Name, w.ID, w.Priority, saved.Connection)
			}
			if err == nil {
				_, err = s.checkGUID(w.GUID)
			}
			if err != nil {
				return err
			}
			if s.VLANs == nil {
				s.VLANs = map[int][]VLAN{}
			}
			s.VLANs[port] = saved.VLANs[:i+1]
		}
	}
	if !reflect.DeepEqual(s.bindings(), s.Lab().Bindings()) {
		return errDamaged
	}
	return nil
}

// Recreate creates saved teams and VLANs on a host whose lab has none.
func (s Set) Recreate(teams []Saved, vlans []SavedPort) error {
	for i := range teams {
		if err := (Restore{teams[i].Team, i}).Apply(s); err != nil {
			return err
		}
	}
	for _, saved := range vlans {
		for _, w := range saved.VLANs {
			if err := (AddVLAN{"", saved.Connection, w.Name, w.ID, w.Priority, w.GUID}).Apply(s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s Set) restoreTeam(saved *Saved) error {
	t, err := Restore{Team: saved.Team}.build(s)
	if err != nil {
		return err
	}
	if _, err := s.Find(t.Name); err == nil || len(saved.Seen) != len(t.Machine.Members) || len(saved.VLANSlots) != len(t.VLANs) ||
		len(saved.Failovers) > maxFailovers {
		return errDamaged
	}
	for i := range t.VLANs {
		t.VLANs[i].Slot = saved.VLANSlots[i]
	}
	t.Slot, t.Failovers, t.lost, t.moved, t.Machine.Ungrouped = saved.Slot, saved.Failovers, saved.Lost, saved.Moved, saved.Ungrouped
	for i, seen := range saved.Seen {
		if seen > mux.Disabled {
			return errDamaged
		}
		t.Machine.Members[i].Status = seen
	}
	s.Teams = append(s.Teams, *t)
	t = &s.Teams[len(s.Teams)-1]
	if t.Machine.Chosen, err = s.memberPort(t.Name, saved.Chosen, mux.NoMember); err != nil {
		return err
	}
	// An adaptive team may have been rebalanced; the carriers of other teams follow from their state.
	t.carriers = t.Machine.Carriers()
	for _, b := range s.Lab().Bindings() {
		set := t.Machine.ActiveSet()
		outside := func(port int) bool { return !slices.Contains(set, port) }
		if t.Machine.Type == mux.ALB && b.Slot == t.Slot && b.Carriers.ByAddress && !slices.ContainsFunc(b.Carriers.Send, outside) {
			t.carriers = b.Carriers
		}
	}
	t.broken, _ = s.fault(t)
	return nil
}

// taggedMiniports returns VLANs in the form of the lab. A VLAN of Windows does not change the priority of sent frames.
func taggedMiniports(vlans []VLAN, family description.Family) (list []setup.TaggedMiniport) {
	for _, w := range vlans {
		miniport := setup.TaggedMiniport{ID: w.ID, Priority: w.Priority, Slot: w.Slot}
		if family == description.WinOF2 {
			miniport.Priority = setup.OwnPriority
		}
		list = append(list, miniport)
	}
	return list
}
