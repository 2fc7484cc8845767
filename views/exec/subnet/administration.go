package subnet

import (
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
)

// Master returns the subnet manager that answers the port, and false when none does.
func (s *Session) Master() (*opensm.Manager, bool) {
	lid := s.Local().ManagerLID
	if s.manager != 0 {
		lid = s.manager
	}
	for _, m := range s.Managers {
		port := s.End(m.Place)
		if !m.Running || m.Role != opensm.Master || lid == 0 || port.LID != lid {
			continue
		}
		if _, ok := s.Arrive(s.From, mad.ByLID(lid)); ok {
			return m, true
		}
	}
	return nil, false
}
