package dcbx

import "bytes"

// End is one end of a link as its TLVs describe it.
type End struct {
	// Willing reports that the end accepts the settings of its peer.
	Willing bool
	// MAC is the source address of its LLDP frames. When both ends are willing, the end with the lower address, read as a number
	// of 48 bits, accepts the settings of the other.
	MAC [6]byte
}

// Accepts reports whether an end uses the settings of its peer instead of its own. At most one end of a link does; ends with the
// same address, which no network has, keep their own settings.
func (e End) Accepts(peer End) bool {
	if !e.Willing {
		return false
	}
	return !peer.Willing || bytes.Compare(e.MAC[:], peer.MAC[:]) < 0
}
