package device

import (
	"fmt"

	"cxdeck/device/traffic"
)

// DrawGUID returns the n-th GUID from the seed, such as "C71781EC-F459-4A8E-ABAC-74CA05F13AE8": its version and variant mark it
// as random.
func (l *Lab) DrawGUID(n int) string {
	d := traffic.NewDice(l.seed, traffic.GUIDDice, n)
	high, low := traffic.Mix(uint64(d)), traffic.Mix(uint64(d)+1)
	high, low = high&^0xf000|0x4000, low&^(3<<62)|1<<63
	return fmt.Sprintf("%08X-%04X-%04X-%04X-%012X", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&(1<<48-1))
}
