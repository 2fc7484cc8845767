package driver

import (
	"errors"
	"reflect"
	"slices"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/mux"
)

// savedTeam is a team as it is written down; who carries what is saved with the lab.
type savedTeam struct {
	Team TeamRecord `json:"team"`
	// Seen is how the team saw its members last, in their order, Chosen the connection of the one that carries everything.
	Seen   []mux.Status `json:"seen,omitempty"`
	Chosen string       `json:"chosen,omitempty"`
	Apart  bool         `json:"apart,omitempty"`
	Slot   int          `json:"slot"`
	// VLANSlots are those of its VLANs, in their order.
	VLANSlots []int      `json:"vlan_slots,omitempty"`
	Failovers []Failover `json:"failovers,omitempty"`
	Lost      [2]uint64  `json:"lost"`
	// Moved is what each member of an adaptive team had moved at the last comparison, by port.
	Moved map[int][2]uint64 `json:"moved,omitempty"`
}

// savedPortVLANs are the VLANs of a port itself.
type savedPortVLANs struct {
	Connection string `json:"connection"`
	VLANs      []vlan `json:"vlans"`
}

func (h *Host) saveTeams() (list []savedTeam) {
	for i := range h.teams {
		t := &h.teams[i]
		s := savedTeam{
			Team: t.record(h), Chosen: h.connection(t.machine.Chosen), Apart: t.machine.Apart, Slot: t.slot,
			VLANSlots: t.slots()[1:], Failovers: t.failovers, Lost: t.lost, Moved: t.moved,
		}
		for _, m := range t.machine.Members {
			s.Seen = append(s.Seen, m.Status)
		}
		list = append(list, s)
	}
	return list
}

func (h *Host) savePortVLANs() (list []savedPortVLANs) {
	for port := range h.miniports {
		if w := h.vlans[port]; len(w) > 0 {
			list = append(list, savedPortVLANs{h.connection(port), w})
		}
	}
	return list
}

// errTeams is all that can be said of saved teams that make no sense.
var errTeams = errors.New("the saved teams and VLANs are damaged")

// restoreTeams puts saved teams and VLANs on a host whose lab has them already.
func (h *Host) restoreTeams(teams []savedTeam, vlans []savedPortVLANs, drawn int) error {
	if drawn < 0 {
		return errTeams
	}
	h.drawn = drawn
	for i := range teams {
		if err := h.restoreTeam(&teams[i]); err != nil {
			return err
		}
	}
	for _, s := range vlans {
		port, err := h.port(s.Connection)
		if err != nil {
			return err
		}
		for i, w := range s.VLANs {
			list, err := h.vlansOf("", s.Connection)
			if err == nil {
				err = checkVLAN(list, w.Name, w.ID, w.Priority, s.Connection)
			}
			if err == nil {
				_, err = h.checkGUID(w.GUID)
			}
			if err != nil {
				return err
			}
			if h.vlans == nil {
				h.vlans = map[int][]vlan{}
			}
			h.vlans[port] = s.VLANs[:i+1]
		}
	}
	if !reflect.DeepEqual(h.bindings(), h.lab.Bindings()) {
		return errTeams
	}
	return nil
}

func (h *Host) restoreTeam(s *savedTeam) error {
	t, err := RestoreTeam{Team: s.Team}.made(h)
	if err != nil {
		return err
	}
	if _, err := h.team(t.name); err == nil || len(s.Seen) != len(t.machine.Members) || len(s.VLANSlots) != len(t.vlans) ||
		len(s.Failovers) > keptFailovers {
		return errTeams
	}
	for i := range t.vlans {
		t.vlans[i].Slot = s.VLANSlots[i]
	}
	t.slot, t.failovers, t.lost, t.moved, t.machine.Apart = s.Slot, s.Failovers, s.Lost, s.Moved, s.Apart
	for i, seen := range s.Seen {
		if seen > mux.Disabled {
			return errTeams
		}
		t.machine.Members[i].Status = seen
	}
	h.teams = append(h.teams, *t)
	t = &h.teams[len(h.teams)-1]
	if t.machine.Chosen, err = h.memberOr(t.name, s.Chosen, mux.Nobody); err != nil {
		return err
	}
	// The members of an adaptive team may have been relieved; all others carry what follows.
	t.carriers = t.machine.Carriers()
	for _, b := range h.lab.Bindings() {
		set := t.machine.ActiveSet()
		outside := func(port int) bool { return !slices.Contains(set, port) }
		if t.machine.Type == mux.ALB && b.Slot == t.slot && b.Carriers.ByAddress && !slices.ContainsFunc(b.Carriers.Send, outside) {
			t.carriers = b.Carriers
		}
	}
	t.broken, _ = h.broken(t)
	return nil
}

// tagged are VLANs as the lab knows them. Those of Windows leave what is sent its priority.
func tagged(vlans []vlan, family description.Family) (list []device.TaggedMiniport) {
	for _, w := range vlans {
		one := device.TaggedMiniport{ID: w.ID, Priority: w.Priority, Slot: w.Slot}
		if family == description.WinOF2 {
			one.Priority = device.OwnPriority
		}
		list = append(list, one)
	}
	return list
}
