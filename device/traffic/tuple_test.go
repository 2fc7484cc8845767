package traffic_test

import (
	"testing"
	"unsafe"

	"cxdeck/device/traffic"
)

// TestATupleIsSmall keeps the 13,000 tuples of the default lab, which stay in memory, from holding more than numbers.
func TestATupleIsSmall(t *testing.T) {
	t.Parallel()
	if size := unsafe.Sizeof(traffic.Tuple{}); size > 12 {
		t.Errorf("a tuple takes %d bytes, want at most 12", size)
	}
}
