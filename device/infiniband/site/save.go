package site

import (
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
}

// Save returns the state of the site.
func (s *Site) Save() *Saved {
	saved := &Saved{Fabric: s.Fabric.Save(), Managers: s.Managers, Now: s.Now(), Counted: s.counted, Base: s.base, Notices: s.Notices, Rests: make([]float64, len(s.flows))}
	for i := range s.flows {
		saved.Rests[i] = s.flows[i].rest
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
	if err := s.Fabric.Restore(saved.Fabric); err != nil {
		return err
	}
	for i := range s.flows {
		s.flows[i].rest = min(max(saved.Rests[i], 0), 1)
	}
	s.counted, s.base, s.Touched = saved.Counted, saved.Base, true
	return s.Restore(saved.Now, saved.Managers, saved.Notices)
}
