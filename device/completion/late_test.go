package completion

import "testing"

// TestLongerLookingFindsMore: a ring that polls for longer in vain takes fewer packets after an interrupt (NIC-14).
func TestLongerLookingFindsMore(t *testing.T) {
	t.Parallel()
	late := func(cycles int, packets float64) uint64 {
		var s Settings
		s.Polling.IdleCycles = cycles
		return s.late(packets, 0.05)
	}
	const packets = 500
	last := late(0, packets)
	if last == 0 || last > packets {
		t.Fatalf("of %d packets %d come late", packets, last)
	}
	for cycles := 1000; cycles <= 16_000; cycles *= 2 {
		now := late(cycles, packets)
		if now >= last {
			t.Errorf("after %d cycles in vain %d packets come late, after fewer %d", cycles, now, last)
		}
		last = now
	}
}
