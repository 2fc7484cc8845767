package completion

import (
	"testing"

	"cxdeck/device/counter"
)

// TestRangesOfIndications: an indication is in one range of the histogram, by its packets.
func TestRangesOfIndications(t *testing.T) {
	t.Parallel()
	for packets, want := range map[uint64]counter.ReceiveRing{
		0: counter.RingFewIndicates, 39: counter.RingFewIndicates, 40: counter.RingSomeIndicates, 79: counter.RingSomeIndicates, 80: counter.RingManyIndicates, 256: counter.RingManyIndicates,
	} {
		if got := indicateRange(packets); got != want {
			t.Errorf("%d packets are in range %d, want %d", packets, got-counter.RingFewIndicates, want-counter.RingFewIndicates)
		}
	}
}
