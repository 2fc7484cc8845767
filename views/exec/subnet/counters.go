package subnet

import "cxdeck/device/infiniband/mad"

// CountersOf asks a node for an attribute of performance management.
func (s *Session) CountersOf(r mad.Route, attribute mad.Attribute, port int) ([]byte, bool) {
	at, ok := s.Arrive(s.From, r)
	if !ok || r.Direct && r.LID == 0 && len(r.Ports) > 0 {
		s.noted(r, mad.NoAnswer)
		return make([]byte, mad.CounterSize), false
	}
	data, status := s.GetCounters(at, attribute, port)
	s.noted(r, status)
	return data, status == mad.OK
}

// ResetCounters resets counters.
func (s *Session) ResetCounters(r mad.Route, attribute mad.Attribute, port int, mask uint32) bool {
	at, ok := s.Arrive(s.From, r)
	if !ok || s.ClearCounters(at, attribute, port, mask) != mad.OK {
		return false
	}
	change := Change{Place: at, Verb: Clear, Mask: mask}
	change.Place.Port = port
	if attribute == mad.ExtendedCounters {
		change.Verb = ClearExtended
	}
	s.Report(change)
	return true
}
