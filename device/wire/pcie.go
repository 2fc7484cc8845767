package wire

import "fmt"

// gigatransfers are the speeds of a lane by generation, 1 to 4, in 10^9 transfers a second.
var gigatransfers = [...]float64{1: 2.5, 2: 5, 3: 8, 4: 16}

// packetOverhead are the bytes around the payload of a PCI Express packet.
const packetOverhead = 24

// PCIeLabel returns the speed of a slot in the form of the adapter's property page, "PCI-E 8.0 GT/s" (PERF-1).
func PCIeLabel(generation int) string {
	return fmt.Sprintf("PCI-E %.1f GT/s", gigatransfers[generation])
}

// PCIeRaw returns the raw rate of a slot in one direction in bytes per second (PERF-6).
func PCIeRaw(generation, lanes int) float64 {
	coding := 128.0 / 130
	if generation <= 2 {
		coding = code8b10b
	}
	return float64(lanes) * gigatransfers[generation] * coding * 1e9 / 8
}

// PCIeUsable returns the usable rate of a slot in one direction in bytes per second: its raw rate less the overhead around
// each maxPayload bytes (PERF-6).
func PCIeUsable(generation, lanes, maxPayload int) float64 {
	return PCIeRaw(generation, lanes) * float64(maxPayload) / float64(maxPayload+packetOverhead)
}
