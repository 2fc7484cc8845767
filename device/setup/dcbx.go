package setup

import (
	"errors"

	"cxdeck/device/dcbx"
	"cxdeck/device/description"
)

// LLDP holds the LLDP settings of a port in the card's firmware, and the driver's DCBX mode.
type LLDP struct {
	// Receives and Sends are LLDP_NB_RX_MODE and LLDP_NB_TX_MODE of 2; Exchanges is LLDP_NB_DCBX of 1 with DcbxMode of 2 in a
	// driver that supports DCBX.
	Receives  bool `json:",omitempty"`
	Sends     bool `json:",omitempty"`
	Exchanges bool `json:",omitempty"`
	// Willing is the willing bit that Windows has set.
	Willing bool `json:",omitempty"`
}

// Operates reports whether a port can exchange settings with a peer: it needs LLDP in both directions, DCBX, and QoS of the
// adapter.
func (s *Port) Operates() bool { return s.QoS && s.LLDP.Receives && s.LLDP.Sends && s.LLDP.Exchanges }

// Exchange is the result of DCBX on a link.
type Exchange struct {
	// Operates reports that both ends exchange settings. HostAccepts and SwitchAccepts report that one end uses the settings of
	// the other instead of its own; at most one of them is true.
	Operates, HostAccepts, SwitchAccepts bool
}

// NewExchange returns the result of DCBX between a port and its switch port, given their addresses.
func NewExchange(s *Port, far *SwitchPort, host, peer description.MAC) (e Exchange) {
	if e.Operates = s.Operates() && far.DCBX == description.IEEE; e.Operates {
		here, there := dcbx.End{Willing: s.LLDP.Willing, MAC: host}, dcbx.End{Willing: far.Willing, MAC: peer}
		e.HostAccepts, e.SwitchAccepts = here.Accepts(there), there.Accepts(here)
	}
	return e
}

// Negotiate returns the operational settings of both ends of a link: the configured ones, except where DCBX replaces them. A
// feature whose TLV the peer does not send stays as it is configured.
func (e Exchange) Negotiate(s Port, far SwitchPort) (Port, SwitchPort) {
	switch {
	case e.HostAccepts:
		s.Lossless = 0
		if far.FlowControl == description.PriorityPause {
			s.Lossless = far.Lossless
		}
		if s.Lossless != 0 { // PFC and global pause exclude each other (QOS-1)
			s.AsksPause, s.ObeysPause = false, false
		}
		s.useClasses(far.Classes)
	case e.SwitchAccepts && (s.Lossless != 0 || far.FlowControl == description.PriorityPause):
		far.FlowControl, far.Lossless = description.PriorityPause, s.Lossless
	}
	return s, far
}

// useClasses replaces the port's classes by the classes of an ETS TLV. Priorities without a class share the remaining bandwidth.
func (s *Port) useClasses(classes []description.SwitchClass) {
	if len(classes) == 0 {
		return
	}
	s.Shares, s.StrictPriorities, s.Joined, s.Limits = [8]float64{}, 0, [8]uint8{}, [8]int{}
	rest, left := uint16(0xff), 100
	join := func(priorities uint16, share int) {
		leader := uint8(0)
		for p := range uint8(8) {
			if priorities>>p&1 == 1 {
				leader = p
			}
		}
		s.Shares[leader] = float64(share)
		for p := range 8 {
			if priorities>>p&1 == 1 {
				s.Joined[p] = leader + 1
			}
		}
	}
	for _, c := range classes {
		set := PrioritySet(c.Priorities)
		join(set, c.Share)
		if rest, left = rest&^set, left-c.Share; c.Share == 0 {
			s.StrictPriorities |= uint8(set)
		}
	}
	if rest != 0 {
		join(rest, left)
	}
}

// checkDCBX rejects TLVs that no switch port of a link sends.
func (s *SwitchPort) checkDCBX(link description.LinkType) error {
	switch {
	case !s.DCBX.Known():
		return errors.New("DCBX of a switch port must be off, ieee or cee")
	case link != description.Ethernet && s.DCBX != description.NoDCBX:
		return errors.New("an InfiniBand port has no DCBX; name an Ethernet port")
	}
	return errors.Join(description.CheckSwitchClasses(s.Classes), description.CheckSwitchApplications(s.Applications))
}

// firstSwitchAddress is the address of the first switch port of a lab whose description gives none; the others follow it.
var firstSwitchAddress = description.MAC{0x7c, 0xfe, 0x90, 0x20, 0x00, 0x00}

// SwitchAddress returns the LLDP address of the switch port of a port, derived from the port's number unless described.
func SwitchAddress(d *description.SwitchPort, port int) description.MAC {
	if d.MAC != (description.MAC{}) {
		return d.MAC
	}
	address := firstSwitchAddress
	address[4], address[5] = byte(port>>8), byte(port)
	return address
}
