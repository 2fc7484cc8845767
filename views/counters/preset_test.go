package counters

import (
	"testing"

	"cxdeck/views/counters/preset"
)

func TestEachPresetHasAKey(t *testing.T) {
	t.Parallel()
	if n := len(preset.All()); n > len(presetKeys) {
		t.Fatalf("%d presets have %d keys", n, len(presetKeys))
	}
}
