package counters

import (
	"fmt"
	"slices"
	"time"

	"cxdeck/perf/window"
	"cxdeck/views/counters/preset"
	"cxdeck/views/deck"
)

// presetInstances returns the instances to which a preset is limited; nil for no limit.
func (s *Screen) presetInstances(p *preset.Preset) []string {
	if !p.Teams {
		return nil
	}
	return deck.TeamInstances(s.monitor.Inventory())
}

// applyPreset replaces the curves by the curves of a preset; if it finds none, the screen shows why.
func (s *Screen) applyPreset(n int) {
	p := &preset.All()[n]
	s.title, s.why, s.awaiting = p.Title, "", -1
	s.curves = s.curves[:0]
	s.highlight = ""
	var paths []string
	all := 0
	if x := s.index.index; x != nil {
		paths, all = p.Match(x, s.presetInstances(p), s.activity)
	}
	for _, path := range paths {
		s.curves.add(s.schema, path)
	}
	switch {
	case all == 0:
		s.awaiting = n
		s.why = "This source has no counters for the preset " + p.Title + ": that needs " + p.Need +
			". P shows the other presets, a adds single counters."
	case all > len(paths):
		s.title = fmt.Sprintf("%s (%s)", p.Title, p.Share(len(paths), all))
	}
	s.live = n
	s.stacked, s.small = p.Stacked, p.Small
	if s.scale == scaleManual { // its value is probably in another unit
		s.scale, s.manual = scaleAuto, 0
	}
	s.legend.List.Select(0)
	s.curvesChanged()
}

// activityInterval is the number of samples between two checks of a preset for counters that are no longer 0.
const activityInterval = 10

// addActive adds counters of the current preset that are no longer 0, unless the operator has changed the curves.
func (s *Screen) addActive() {
	if s.live < 0 || s.samples%activityInterval != 0 || s.time.Frozen || s.index.index == nil {
		return
	}
	p := &preset.All()[s.live]
	recent := s.monitor.Window()
	if p.Busiest && !s.idle(recent) {
		return
	}
	paths, all := p.Match(s.index.index, s.presetInstances(p), func(series int) window.Bucket {
		last, _ := recent.Last(series)
		return window.Bucket{Min: last, Max: last, Average: last}
	})
	if p.Busiest && slices.ContainsFunc(paths, func(path string) bool { return s.curves.index(path) < 0 }) {
		s.curves = s.curves[:0]
	}
	added := false
	for _, path := range paths {
		if i, ok := s.schema.Find(path); ok && len(s.curves) < p.Max {
			if last, ok := recent.Last(i); ok && (last > 0 || p.Busiest) && s.curves.add(s.schema, path) {
				added = true
			}
		}
	}
	if added {
		if all > len(s.curves) {
			s.title = fmt.Sprintf("%s (%s)", p.Title, p.Share(len(s.curves), all))
		}
		s.curvesChanged()
	}
}

// idle reports whether all curves are 0: then they are no longer the busiest ports.
func (s *Screen) idle(window *window.Recent) bool {
	for i := range s.curves {
		if s.curves[i].missing() {
			continue
		}
		if last, ok := window.Last(s.curves[i].series); ok && last > 0 {
			return false
		}
	}
	return true
}

// applyFocus shows throughput and drops of the focused instances, and the focused single counters. It returns false if the
// source has none of them yet.
func (s *Screen) applyFocus(focus deck.Focus) bool {
	var paths []string
	for n := 0; n < 2 && len(focus.Instances) > 0; n++ {
		some, _ := preset.All()[n].Match(s.index.index, focus.Instances, s.activity)
		paths = append(paths, some...)
	}
	for _, path := range focus.Paths {
		if _, ok := s.schema.Find(path); ok {
			paths = append(paths, path)
		}
	}
	s.title, s.why, s.highlight, s.awaiting = focus.Title, "", "", -1
	s.live = -1
	s.curves = s.curves[:0]
	for _, path := range paths {
		s.curves.add(s.schema, path)
	}
	if len(paths) == 0 {
		s.why = "This source has no counters of " + focus.Title + ". P shows the presets, a adds single counters."
	}
	s.mode, s.stacked, s.small = modeLine, false, false
	s.legend.List.Select(0)
	s.curvesChanged()
	if !focus.At.IsZero() {
		s.moveCursorTo(focus.At)
	}
	return len(paths) > 0
}

// activity summarises the values of a series in the last ten minutes.
func (s *Screen) activity(series int) window.Bucket {
	lately := []window.Bucket{{}}
	if window := s.monitor.Window(); window != nil {
		if _, newest, ok := window.Span(); ok {
			window.Buckets([]int{series}, newest.Add(-10*time.Minute), newest.Add(time.Nanosecond), lately)
		}
	}
	return lately[0]
}
