package moderation_test

import (
	"testing"

	"cxdeck/device/moderation"
)

// TestProfilesInTheirOrder: each profile waits longer and for more packets than the one before it, the first for none.
func TestProfilesInTheirOrder(t *testing.T) {
	t.Parallel()
	low, moderate, aggressive := moderation.LowLatency.Setting(), moderation.Moderate.Setting(), moderation.Aggressive.Setting()
	if low.Time != 0 || low.Packets > 1 {
		t.Errorf("low latency waits: %+v", low)
	}
	if moderate.Time <= low.Time || aggressive.Time <= moderate.Time || moderate.Packets <= low.Packets || aggressive.Packets <= moderate.Packets {
		t.Errorf("%+v, %+v, %+v", low, moderate, aggressive)
	}
}
