package ports

import (
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/views/exec/subnet"
)

var sminfoOptions = []subnet.Option{
	subnet.NewOption("state", 's', "<0-3>", "state to set"),
	subnet.NewOption("priority", 'p', "<0-15>", "priority to set"),
	subnet.NewOption("activity", 'a', "<number>", "activity counter to set"),
}

func runSminfo(s *subnet.Session) error {
	words := s.Given.Operands
	r := mad.ByLID(s.Local().ManagerLID)
	if len(words) > 0 {
		var err error
		if r, err = s.Resolve(words[0]); err != nil {
			return err
		}
	} else if r.LID == 0 {
		r = subnet.Self // no manager has configured the port: the request goes to the port itself
	}
	modifier := 0
	if len(words) > 1 {
		modifier = int(subnet.Number(words[1]))
	}
	data, ok := s.Request(r, mad.SMInfo, 0)
	if !ok {
		return subnet.Failed("query")
	}
	if modifier != 0 {
		if err := setManager(s, r, modifier); err != nil {
			return err
		}
		data, _ = s.Request(r, mad.SMInfo, 0)
	}
	role := opensm.Role(mad.SMState.Get(data))
	s.Printf("sminfo: sm lid %d sm guid 0x%x, activity count %d priority %d state %d %s\n", r.LID, mad.SMGUID.Get(data), mad.SMActivity.Get(data),
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
func setManager(s *subnet.Session, r mad.Route, modifier int) error {
	at, ok := s.Arrive(s.From, r)
	if !ok {
		return subnet.Failed("query")
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
			return subnet.Failed("query")
		}
		if m.Role != was {
			s.Report(subnet.Change{Place: m.Place, Verb: subnet.SetRole, Role: m.Role})
		}
		return nil
	}
	return subnet.Failed("query")
}

var ibaddrOptions = []subnet.Option{
	subnet.NewOption("gid_show", 'g', "", "write only the GID"),
	subnet.NewOption("lid_show", 'l', "", "write only the LIDs"),
	subnet.NewOption("Lid_show", 'L', "", "write only the LIDs, as decimal numbers"),
}

func runAddr(s *subnet.Session) error {
	words, r, port := s.Given.Operands, mad.ByLID(s.Local().LID), 0
	if r.LID == 0 {
		r = subnet.Self
	}
	if len(words) > 0 {
		var err error
		if r, err = s.Resolve(words[0]); err != nil {
			return err
		}
	} else if s.Of(s.From).Kind != infiniband.Switch {
		port = s.From.Port
	}
	if len(words) > 1 {
		port = int(subnet.Number(words[1]))
	}
	node, ok := s.Request(r, mad.NodeInfo, 0)
	data := []byte(nil)
	if ok {
		data, ok = s.Request(r, mad.PortInfo, uint32(port))
	}
	if !ok {
		return subnet.Failed("can't resolve requested address")
	}
	showGID, hexLID, decimalLID := s.Has("gid_show") > 0, s.Has("lid_show") > 0, s.Has("Lid_show") > 0
	if !showGID && !hexLID && !decimalLID {
		showGID, hexLID = true, true
	}
	if showGID {
		s.Printf("GID %s ", subnet.GIDText(mad.Prefix.Get(data), mad.PortGUID.Get(node)))
	}
	first := mad.LID.Get(data)
	last := first + 1<<mad.LMC.Get(data) - 1
	if decimalLID {
		s.Printf("LID start %d end %d", first, last)
	} else if hexLID {
		s.Printf("LID start 0x%x end 0x%x", first, last)
	}
	s.Printf("\n")
	return nil
}
