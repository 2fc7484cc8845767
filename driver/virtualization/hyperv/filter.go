package hyperv

import (
	"fmt"
	"slices"

	"cxdeck/device/description"
)

// Verdict is the handling of a frame of a virtual function.
type Verdict string

// The verdicts (IOV-9).
const (
	Pass    Verdict = "pass"
	Drop    Verdict = "drop"    // dropped in the switch of the card
	Corrupt Verdict = "corrupt" // sent damaged, and counted as good
)

// Ethertypes with a name of their own.
const (
	IPv4        uint16 = 0x0800
	ARP         uint16 = 0x0806
	IPv6        uint16 = 0x86DD
	FCoE        uint16 = 0x8906
	FIP         uint16 = 0x8914
	FlowControl uint16 = 0x8808
	LLDP        uint16 = 0x88CC
	LLC         uint16 = 0 // a length in its place (IOV-12)
)

// Named is an Ethertype with its name.
type Named struct {
	Type uint16
	Name string
}

// EtherTypes returns the types that an operator may want to allow.
func EtherTypes() []Named {
	return []Named{{IPv4, "IPv4"}, {ARP, "ARP"}, {IPv6, "IPv6"}, {FCoE, "FCoE"}, {FIP, "FIP"}, {LLDP, "LLDP"}, {LLC, "LLC"}}
}

// EtherTypeName returns the name of an Ethertype, or its number.
func EtherTypeName(t uint16) string {
	for _, n := range EtherTypes() {
		if n.Type == t {
			return n.Name
		}
	}
	return fmt.Sprintf("0x%04X", t)
}

// Filter is the set of frames that virtual functions may send.
type Filter struct {
	Family description.Family
	// Enabled is VFAllowedTxEtherTypeListEnable, Types are VFAllowedTxEtherType0 to 7.
	Enabled bool
	Types   []uint16
}

// DefaultTypes returns the types that are allowed without an entry (IOV-8).
func DefaultTypes() []uint16 { return []uint16{IPv4, ARP, IPv6} }

// Judge returns the verdict on a frame with an Ethertype after its VLAN tags; ownAddress reports that its source address is the
// function's (IOV-8 to IOV-12).
func (f Filter) Judge(ethertype uint16, ownAddress bool) Verdict {
	if f.Family == description.WinOF2 && !ownAddress {
		return Drop
	}
	if f.allows(ethertype) {
		return Pass
	}
	if f.Family == description.WinOF {
		return Corrupt
	}
	return Drop
}

func (f Filter) allows(ethertype uint16) bool {
	switch {
	case !f.Enabled && f.Family == description.WinOF:
		return true
	case !f.Enabled:
		return ethertype != FlowControl
	}
	list := f.Types
	if len(list) == 0 {
		list = DefaultTypes()
	}
	if f.Family == description.WinOF && (ethertype == FCoE || ethertype == FIP) {
		return slices.Contains(list, FCoE) || slices.Contains(list, FIP)
	}
	return slices.Contains(list, ethertype) && (ethertype != LLC || f.Family == description.WinOF)
}

// Redirect holds the conditions under which DHCP packets of virtual functions go to the physical function (IOV-13).
type Redirect struct {
	// On is RedirectVfDHCPToPF; Promiscuous reports that the physical function receives all frames.
	On, Promiscuous bool
	// OldCard reports that it is a ConnectX-4 or -4 Lx, where the driver of the guest must be newer than 2.50; GuestDriver is
	// its version, empty for an unknown one.
	OldCard     bool
	GuestDriver string
}

// lastOldGuest is the last driver of a guest that is too old for an old card.
const lastOldGuest = "2.50"

// ToPhysical reports whether a packet from or to a virtual function goes to the physical function.
func (r Redirect) ToPhysical(udp bool, source, destination uint16) bool {
	const server, client = 67, 68
	dhcp := func(port uint16) bool { return port == server || port == client }
	if !r.On || !r.Promiscuous || !udp || !dhcp(source) && !dhcp(destination) {
		return false
	}
	return !r.OldCard || Newer(r.GuestDriver, lastOldGuest)
}
