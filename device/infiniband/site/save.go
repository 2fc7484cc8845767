package site

import (
	"slices"
	"time"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/device/infiniband/trap"
	"cxdeck/device/setup"
)

// Saved is the state of a site.
type Saved struct {
	Fabric   *infiniband.Saved
	Managers []*opensm.Manager
	Now      time.Duration
	Counted  int64
	Rests    []float64 // of the flows
	Base     []infiniband.Counters
	Notices  []trap.Notice `json:",omitempty"`
	// Crossings and Extra are the lab's own traffic and its counters, nil without any.
	Crossings []crossing            `json:",omitempty"`
	Extra     []infiniband.Counters `json:",omitempty"`
}

// Save returns the state of the site.
func (s *Site) Save() *Saved {
	saved := &Saved{Fabric: s.Fabric.Save(), Managers: s.Managers, Now: s.Now(), Counted: s.counted, Base: s.base, Notices: s.Notices, Rests: make([]float64, len(s.flows))}
	for i := range s.flows {
		saved.Rests[i] = s.flows[i].rest
	}
	saved.Crossings = slices.Clone(s.crossings)
	for _, e := range s.extra {
		saved.Extra = append(saved.Extra, e.Counters)
	}
	if !slices.ContainsFunc(saved.Extra, func(c infiniband.Counters) bool { return c != infiniband.Counters{} }) {
		saved.Extra = nil
	}
	return saved
}

// Resume continues a saved site of the same description at a time. One that was not saved starts with the managers of the switch ports.
func (s *Site) Resume(saved *Saved, now time.Duration, switches []setup.SwitchPort) error {
	switch {
	case saved == nil:
		s.SkipTo(now)
		s.Tell(switches)
		return nil
	case saved.Now > now || saved.Counted > int64(now/time.Second):
		return infiniband.ErrDamaged
	case saved.Fabric == nil || len(saved.Rests) != len(s.flows) || len(saved.Base) != len(s.base) || saved.Counted < 0 || saved.Now < 0:
		return infiniband.ErrDamaged
	}
	if saved.Extra != nil && len(saved.Extra) != len(s.extra) || !s.validCrossings(saved.Crossings) {
		return infiniband.ErrDamaged
	}
	if err := s.Fabric.Restore(saved.Fabric); err != nil {
		return err
	}
	s.crossings = saved.Crossings
	for i, c := range saved.Extra {
		s.extra[i].Counters = c
	}
	for i := range s.flows {
		s.flows[i].rest = min(max(saved.Rests[i], 0), 1)
	}
	s.counted, s.base, s.Touched = saved.Counted, saved.Base, true
	return s.Restore(saved.Now, saved.Managers, saved.Notices)
}

// validCrossings reports whether saved traffic can be in the subnet.
func (s *Site) validCrossings(list []crossing) bool {
	for i := range list {
		c := &list[i]
		if c.Port < 0 || c.Port >= len(s.Own) || s.find(c.Crossing) == nil {
			return false
		}
		for _, w := range c.Ways {
			if !(w.Wanted >= 0 && w.Wanted < 1e15 && w.Offered >= 0 && w.Offered < 1e15 && w.Share >= 0 && w.Share <= 1) || w.Rest >= Word || w.Narrow.Node < 0 ||
				w.Narrow.Node >= len(s.Fabric.Nodes) || w.Narrow.Port < 0 || w.Narrow.Port >= len(s.Fabric.Nodes[w.Narrow.Node].Ports) {
				return false
			}
		}
	}
	s.crossings = nil
	return true
}
