package device

import "testing"

// TestRangesOfIndications: an indication is in one range of the histogram, by its packets.
func TestRangesOfIndications(t *testing.T) {
	t.Parallel()
	for packets, want := range map[uint64]ReceiveRingCounter{
		0: RingFewIndicates, 39: RingFewIndicates, 40: RingSomeIndicates, 79: RingSomeIndicates, 80: RingManyIndicates, 256: RingManyIndicates,
	} {
		if got := indicateRange(packets); got != want {
			t.Errorf("%d packets are in range %d, want %d", packets, got-RingFewIndicates, want-RingFewIndicates)
		}
	}
}
