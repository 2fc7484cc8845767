package subnet

import (
	"net/netip"

	"cxdeck/device/infiniband/mad"
)

// GIDText writes a GID as an address of IPv6.
func GIDText(prefix, guid uint64) string {
	var gid [16]byte
	mad.Field{Offset: 0, Bits: 64}.Set(gid[:], prefix)
	mad.Field{Offset: 64, Bits: 64}.Set(gid[:], guid)
	return netip.AddrFrom16(gid).String()
}

// Kinds of nodes in NodeInfo.
const (
	KindAdapter = 1
	KindSwitch  = 2
	KindRouter  = 3
)

// HasVendorPortInfo reports whether nodes with a device number answer the vendor's extension of PortInfo.
func HasVendorPortInfo(device uint64) bool {
	return device >= 0xc738 && device <= 0xc73b || device >= 0x1003 && device <= 0x101b || device == 0xcb20 || device == 0xcf08 || device == 0xd2f0
}
