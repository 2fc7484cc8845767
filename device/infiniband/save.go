package infiniband

import (
	"errors"

	"cxdeck/device/description"
	"cxdeck/device/infiniband/qos"
)

// Saved is what changes in a fabric, in columns over the ports of all nodes in their order. It belongs to the fabric that saved it.
type Saved struct {
	LIDs, ManagerLIDs      []uint16
	LMCs, States, Physical []byte
	Widths, Speeds         []byte
	EnabledWidths          []byte
	EnabledSpeeds          []Speeds
	Unplugged, Manages     []byte                     // 1 for yes
	SymbolErrors           map[int]float64            `json:",omitempty"`
	Counters               map[int]Counters           `json:",omitempty"`
	PKeys                  map[int][]description.PKey `json:",omitempty"`
	Routes                 [][]byte                   // of the switches
	Multicast              [][]PortSet                // of the switches
	Groups                 []Group                    `json:",omitempty"`
	Changes                uint64
	QoS                    *qos.Tables `json:",omitempty"`
	Policy                 *qos.Policy `json:",omitempty"`
	// Tables and Outside are what a manager outside of the lab left.
	Tables  map[int]*qos.Tables `json:",omitempty"`
	Outside bool                `json:",omitempty"`
}

// each calls do for each port with its number in the columns.
func (f *Fabric) each(do func(i int, p *Port)) int {
	i := 0
	for n := range f.Nodes {
		for p := range f.Nodes[n].Ports {
			do(i, &f.Nodes[n].Ports[p])
			i++
		}
	}
	return i
}

func flag(on bool) byte {
	if on {
		return 1
	}
	return 0
}

// Save returns the state of the fabric.
func (f *Fabric) Save() *Saved {
	s := &Saved{SymbolErrors: map[int]float64{}, Counters: map[int]Counters{}, PKeys: map[int][]description.PKey{}, Groups: f.Clone().Groups, Changes: f.Changes, QoS: f.QoS, Policy: f.Policy, Outside: f.Outside, Tables: map[int]*qos.Tables{}}
	f.each(func(i int, p *Port) {
		s.LIDs, s.ManagerLIDs, s.LMCs = append(s.LIDs, p.LID), append(s.ManagerLIDs, p.ManagerLID), append(s.LMCs, p.LMC)
		s.States, s.Physical = append(s.States, byte(p.State)), append(s.Physical, byte(p.Physical))
		s.Widths, s.Speeds = append(s.Widths, byte(p.Width)), append(s.Speeds, byte(p.Speed))
		s.EnabledWidths, s.EnabledSpeeds = append(s.EnabledWidths, byte(p.Enabled.Widths)), append(s.EnabledSpeeds, p.Enabled.Speeds)
		s.Unplugged, s.Manages = append(s.Unplugged, flag(p.Unplugged)), append(s.Manages, flag(p.IsManager))
		if p.SymbolErrors > 0 {
			s.SymbolErrors[i] = p.SymbolErrors
		}
		if p.Counters != (Counters{}) {
			s.Counters[i] = p.Counters
		}
		if p.Tables != nil {
			s.Tables[i] = p.Tables
		}
		if len(p.PKeys) != 1 || p.PKeys[0] != description.DefaultPKey {
			s.PKeys[i] = p.PKeys
		}
	})
	for n := range f.Nodes {
		if f.Nodes[n].Kind == Switch {
			s.Routes, s.Multicast = append(s.Routes, f.Nodes[n].Routes), append(s.Multicast, f.Nodes[n].Multicast)
		}
	}
	return s
}

// ErrDamaged is returned for a state that does not belong to the fabric.
var ErrDamaged = errors.New("the saved subnet is damaged")

// Restore puts a saved state in place.
func (f *Fabric) Restore(s *Saved) error {
	ports := f.each(func(int, *Port) {})
	for _, length := range []int{
		len(s.LIDs), len(s.ManagerLIDs), len(s.LMCs), len(s.States), len(s.Physical), len(s.Widths), len(s.Speeds),
		len(s.EnabledWidths), len(s.EnabledSpeeds), len(s.Unplugged), len(s.Manages),
	} {
		if length != ports {
			return ErrDamaged
		}
	}
	for _, g := range s.Groups {
		for _, m := range g.Members {
			if m.Node < 0 || m.Node >= len(f.Nodes) || m.Port < 0 || m.Port >= len(f.Nodes[m.Node].Ports) {
				return ErrDamaged
			}
		}
	}
	damaged := false
	f.each(func(i int, p *Port) {
		damaged = damaged || s.LMCs[i] > 7 || s.States[i] > byte(Active) || s.Physical[i] > byte(Recovery) || s.Speeds[i] >= byte(speeds)
		p.LID, p.ManagerLID, p.LMC, p.State, p.Physical = s.LIDs[i], s.ManagerLIDs[i], s.LMCs[i], State(s.States[i]), Physical(s.Physical[i])
		p.Width, p.Speed = Width(s.Widths[i]), Speed(s.Speeds[i])
		p.Enabled = Mode{Widths(s.EnabledWidths[i]), s.EnabledSpeeds[i]}
		p.Unplugged, p.IsManager = s.Unplugged[i] == 1, s.Manages[i] == 1
		p.SymbolErrors, p.Counters, p.PKeys = s.SymbolErrors[i], s.Counters[i], []description.PKey{description.DefaultPKey}
		p.Tables = s.Tables[i]
		damaged = damaged || p.Tables != nil && !p.Tables.Valid()
		if keys, other := s.PKeys[i]; other {
			p.PKeys = keys
		}
	})
	number := 0
	for n := range f.Nodes {
		if f.Nodes[n].Kind != Switch {
			continue
		}
		if number >= len(s.Routes) || number >= len(s.Multicast) {
			return ErrDamaged
		}
		for _, port := range s.Routes[number] {
			damaged = damaged || port != NoRoute && int(port) >= len(f.Nodes[n].Ports)
		}
		f.Nodes[n].Routes, f.Nodes[n].Multicast = s.Routes[number], s.Multicast[number]
		number++
	}
	f.Groups, f.Changes, f.QoS, f.Policy, f.Outside = s.Groups, s.Changes, s.QoS, s.Policy, s.Outside
	damaged = damaged || s.QoS != nil && !s.QoS.Valid() || s.Policy != nil && !s.Policy.Valid()
	if damaged || number != len(s.Routes) {
		return ErrDamaged
	}
	return nil
}
