package qos

import (
	"testing"

	"cxdeck/driver/qos"
)

// TestBufferFollowsTheRule compares the column Buffer with QOS-14: tagged frames by PFC, untagged ones by RxUntaggedMapToLossless, and
// all where the port trusts the DSCP; global pause protects all.
func TestBufferFollowsTheRule(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		view     qos.PortView
		priority int
		want     string
	}{
		{"no flow control", qos.PortView{Acts: true}, 3, "lossy"},
		{"global pause", qos.PortView{AsksPause: true}, 5, "lossless"},
		{"PFC", qos.PortView{Acts: true, Operational: 1 << 3}, 3, "lossless"},
		{"PFC on another priority", qos.PortView{Acts: true, Operational: 1 << 3}, 4, "lossy"},
		{"untagged", qos.PortView{Acts: true, Operational: 1 << 3}, untagged, "lossy"},
		{"untagged, with the key", qos.PortView{Acts: true, Operational: 1 << 3, UntaggedLossless: true}, untagged, "lossless"},
		{"trust in the DSCP", qos.PortView{Acts: true, Operational: 1 << 3, TrustDSCP: true}, 0, "lossless"},
		{"QoS off", qos.PortView{Operational: 1 << 3}, 3, "lossy"},
	} {
		if got := bufferOf(&c.view, c.priority); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}
