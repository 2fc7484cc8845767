package dcbx

import "bytes"

// End is one end of a link as its TLVs show it.
type End struct {
	// Willing says that it accepts the settings of the other end.
	Willing bool
	// MAC is the address that its LLDP frames come from. The end with the lower one, as a number of 48 bits, gives way when
	// both are willing.
	MAC [6]byte
}

// Accepts reports whether an end uses the settings of its peer in place of its own. At most one end of a link does; ends with the
// same address, which no network has, keep their own.
func (e End) Accepts(peer End) bool {
	if !e.Willing {
		return false
	}
	return !peer.Willing || bytes.Compare(e.MAC[:], peer.MAC[:]) < 0
}
