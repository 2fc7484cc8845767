package wire

import "encoding/binary"

// Checksum returns the Internet checksum of a header (RFC 1071).
func Checksum(header []byte) uint16 {
	sum := uint32(0)
	for i := 0; i+1 < len(header); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(header[i:]))
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}
