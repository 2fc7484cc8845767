package opensm

import (
	"slices"
	"time"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/trap"
)

// maxNotices is the number of notices that a subnet keeps; quiet is the time in which an agent does not repeat a notice.
const (
	maxNotices = 256
	quiet      = time.Minute
)

// Notify sends a trap about a port to the master, and keeps it. A port without an address, or without a master in its part, sends none; a
// trap that makes no manager sweep is not repeated for a minute.
func (s *Subnet) Notify(number trap.Number, at infiniband.Place) {
	end, node := s.Fabric.End(at), s.Fabric.Of(at)
	if end.LID == 0 || end.ManagerLID == 0 {
		return
	}
	n := trap.Notice{
		Serial: 1, At: s.now, Trap: number, LID: end.LID, GUID: end.GUID, Node: node.Name, Port: at.Port,
		Producer: map[infiniband.Kind]trap.Producer{infiniband.Adapter: trap.Adapter, infiniband.Switch: trap.Switch, infiniband.Router: trap.Router}[node.Kind],
	}
	if !number.Sweeps() && slices.ContainsFunc(s.Notices, func(o trap.Notice) bool {
		return o.Trap == n.Trap && o.LID == n.LID && o.Port == n.Port && s.now-o.At < quiet
	}) {
		return
	}
	if s.Master(at) == nil {
		return
	}
	if len(s.Notices) > 0 {
		n.Serial = s.Notices[len(s.Notices)-1].Serial + 1
	}
	kept := s.Notices[max(0, len(s.Notices)+1-maxNotices):]
	s.Notices = append(slices.Clone(kept), n) // copies of the subnet share the list
	if number.Sweeps() {
		s.trap = true
	}
}

// notifyLinks sends the traps of the switches whose links went down or came up.
func (s *Subnet) notifyLinks() {
	moved := s.Fabric.Moved
	s.Fabric.Moved = nil
	told := map[int]bool{}
	for _, at := range moved {
		if s.Fabric.Of(at).Kind == infiniband.Switch && !told[at.Node] {
			told[at.Node] = true
			s.Notify(trap.LinkState, at)
		}
	}
}
