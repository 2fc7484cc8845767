package wire

// Ethertypes.
const (
	TypeIPv4 = 0x0800
	TypeARP  = 0x0806
	TypeVLAN = 0x8100
	TypeIPv6 = 0x86dd
)
