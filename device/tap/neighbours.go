package tap

import (
	"cxdeck/device/description"
	"cxdeck/device/packet"
	"cxdeck/device/setup"
)

// Neighbours returns what a port of a host and its switch port send in LLDP frames; the host's is nil if its firmware sends none.
func Neighbours(hostName string, d *description.Port, s *setup.Port, other *setup.SwitchPort) (host, far *packet.Neighbour) {
	far = &packet.Neighbour{System: "switch", Port: d.Switch.Name, DCBX: other.DCBX == description.IEEE, Willing: other.Willing}
	if other.FlowControl == description.PriorityPause {
		far.Lossless = other.Lossless
	}
	for class, c := range other.Classes {
		far.Shares[class&7], far.Strict[class&7] = uint8(c.Share), c.Share == 0
		for _, priority := range c.Priorities {
			far.ClassOf[priority&7] = uint8(class & 7)
		}
	}
	for _, a := range other.Applications {
		far.Applications = append(far.Applications, packet.Application{Priority: uint8(a.Priority), Selector: 4, Protocol: uint16(a.Port)})
	}
	if !s.LLDP.Sends {
		return nil, far
	}
	host = &packet.Neighbour{System: hostName, Port: d.Connection, DCBX: s.LLDP.Exchanges, Willing: s.LLDP.Willing, Lossless: s.Lossless}
	left := 100
	for priority := range 8 {
		class := priority
		if leader := s.Joined[priority]; leader > 0 {
			class = int(leader) - 1
		}
		host.ClassOf[priority] = uint8(class)
		host.Strict[priority] = s.StrictPriorities>>class&1 == 1
		if class == priority && !host.Strict[priority] {
			host.Shares[priority] = uint8(min(left, int(s.Shares[priority])))
			left -= int(host.Shares[priority])
		}
	}
	for priority := range 8 { // whole percentages add up to 100
		if host.Shares[priority] > 0 && left > 0 {
			host.Shares[priority]++
			left--
		}
	}
	return host, far
}
