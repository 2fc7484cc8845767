package offload

// Checksum is the set of directions in which the adapter computes a checksum (NIC-8; manual: registry keys
// *IPChecksumOffloadIPv4, *TCPUDPChecksumOffloadIPv4 and *TCPUDPChecksumOffloadIPv6).
type Checksum uint8

// The settings, numbered as in the registry.
const (
	NoChecksum       Checksum = 0
	SendChecksum     Checksum = 1
	ReceiveChecksum  Checksum = 2
	ChecksumBothWays Checksum = 3 // the default
)

// Sends reports whether the adapter computes the checksums of sent packets.
func (c Checksum) Sends() bool { return c&SendChecksum != 0 }

// Receives reports whether the adapter verifies the checksums of received packets.
func (c Checksum) Receives() bool { return c&ReceiveChecksum != 0 }
