package subnet

import (
	"net/netip"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
)

var sminfoOptions = []option{
	{"state", 's', "<0-3>", "state to set"},
	{"priority", 'p', "<0-15>", "priority to set"},
	{"activity", 'a', "<number>", "activity counter to set"},
}

func runSminfo(s *session) error {
	words := s.given.operands
	r := mad.ByLID(s.local().ManagerLID)
	if len(words) > 0 {
		var err error
		if r, err = s.resolve(words[0]); err != nil {
			return err
		}
	} else if r.LID == 0 {
		r = self // no manager has configured the port: the request goes to the port itself
	}
	modifier := 0
	if len(words) > 1 {
		modifier = int(number(words[1]))
	}
	data, ok := s.ask(r, mad.SMInfo, 0)
	if !ok {
		return failed("query")
	}
	if modifier != 0 {
		if err := s.setManager(r, modifier); err != nil {
			return err
		}
		data, _ = s.ask(r, mad.SMInfo, 0)
	}
	role := opensm.Role(mad.SMState.Get(data))
	s.printf("sminfo: sm lid %d sm guid 0x%x, activity count %d priority %d state %d %s\n", r.LID, mad.SMGUID.Get(data), mad.SMActivity.Get(data),
		mad.SMPriority.Get(data), role, role)
	return nil
}

// The modifiers of a request to a subnet manager: what another manager asks it to do.
const (
	handOver = 1 + iota
	acknowledge
	disable
	standby
	discover
)

// setManager asks a manager for a change of its role. The table of the architecture tells which role follows on which request.
func (s *session) setManager(r mad.Route, modifier int) error {
	at, ok := s.Arrive(s.at, r)
	if !ok {
		return failed("query")
	}
	for _, m := range s.Managers {
		if s.End(m.Place) != s.End(at) || !m.Running {
			continue
		}
		was := m.Role
		switch {
		case modifier == handOver && was == opensm.Standby:
			m.Role = opensm.Master
		case modifier == handOver && was == opensm.Master, modifier == acknowledge && was == opensm.Master:
		case modifier == disable && was == opensm.Standby:
			m.Role = opensm.NotActive
		case modifier == standby && was == opensm.NotActive, modifier == discover && was == opensm.Standby:
			m.Role = opensm.Standby
			if modifier == discover {
				m.Role = opensm.Discovering
			}
		default:
			return failed("query")
		}
		if m.Role != was {
			s.result.Changes = append(s.result.Changes, Change{Place: m.Place, Verb: SetRole, Role: m.Role})
		}
		return nil
	}
	return failed("query")
}

var ibaddrOptions = []option{
	{"gid_show", 'g', "", "write only the GID"},
	{"lid_show", 'l', "", "write only the LIDs"},
	{"Lid_show", 'L', "", "write only the LIDs, as decimal numbers"},
}

func runAddr(s *session) error {
	words, r, port := s.given.operands, mad.ByLID(s.local().LID), 0
	if r.LID == 0 {
		r = self
	}
	if len(words) > 0 {
		var err error
		if r, err = s.resolve(words[0]); err != nil {
			return err
		}
	} else if s.Of(s.at).Kind != infiniband.Switch {
		port = s.at.Port
	}
	if len(words) > 1 {
		port = int(number(words[1]))
	}
	node, ok := s.ask(r, mad.NodeInfo, 0)
	data := []byte(nil)
	if ok {
		data, ok = s.ask(r, mad.PortInfo, uint32(port))
	}
	if !ok {
		return failed("can't resolve requested address")
	}
	showGID, hexLID, decimalLID := s.has("gid_show") > 0, s.has("lid_show") > 0, s.has("Lid_show") > 0
	if !showGID && !hexLID && !decimalLID {
		showGID, hexLID = true, true
	}
	if showGID {
		s.printf("GID %s ", gidText(mad.Prefix.Get(data), mad.PortGUID.Get(node)))
	}
	first := mad.LID.Get(data)
	last := first + 1<<mad.LMC.Get(data) - 1
	if decimalLID {
		s.printf("LID start %d end %d", first, last)
	} else if hexLID {
		s.printf("LID start 0x%x end 0x%x", first, last)
	}
	s.printf("\n")
	return nil
}

// gidText writes a GID as an address of IPv6.
func gidText(prefix, guid uint64) string {
	var gid [16]byte
	mad.Field{Offset: 0, Bits: 64}.Set(gid[:], prefix)
	mad.Field{Offset: 64, Bits: 64}.Set(gid[:], guid)
	return netip.AddrFrom16(gid).String()
}
