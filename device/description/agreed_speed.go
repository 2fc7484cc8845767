package description

import (
	"strconv"
	"strings"
)

// FDREthernet is the Ethernet speed over FDR systems in Gb/s. WinOF cards with 40 Gb/s ports support it with the firmware
// fdrFirmware or later, when the switch is set to it (FAM-7).
const (
	FDREthernet = 56
	fdrFirmware = "2.31.5050"
)

// AgreedSpeed returns the negotiated speed of a port and its switch port, in Gb/s.
func AgreedSpeed(card *Adapter, d *Port, far int) int {
	const plain = 40
	if far == FDREthernet && card.Family == WinOF && d.Link == Ethernet && d.SpeedGbps >= plain && !olderFirmware(card.Firmware, fdrFirmware) {
		return FDREthernet
	}
	if d.SpeedGbps == FDREthernet && d.Link == Ethernet { // it is 56 on both ends, or the next speed below
		return min(plain, far)
	}
	return min(d.SpeedGbps, far)
}

// olderFirmware reports whether a dotted version precedes another; false for an invalid version.
func olderFirmware(version, than string) bool {
	a, b := strings.Split(version, "."), strings.Split(than, ".")
	for i := range min(len(a), len(b)) {
		m, err1 := strconv.Atoi(a[i])
		n, err2 := strconv.Atoi(b[i])
		if err1 != nil || err2 != nil || m != n {
			return err1 == nil && err2 == nil && m < n
		}
	}
	return len(a) < len(b)
}
