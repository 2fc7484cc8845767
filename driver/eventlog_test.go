package driver

import (
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
)

// TestStartEventNamesLinkType looks at the large lab, which has a port of the newer family on InfiniBand.
func TestStartEventNamesLinkType(t *testing.T) {
	t.Parallel()
	lab, err := device.New(description.Large(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range NewHost(lab).EventsAfter(0) {
		want := "port type Ethernet"
		if e.Adapter == "Ethernet 14" {
			want = "port type InfiniBand"
		}
		if e.Key == "mlx5.identity" && !strings.HasSuffix(e.Message, want) {
			t.Errorf("%s: %s, want %s", e.Adapter, e.Message, want)
		}
	}
}

func TestEveryEventOfAPortsLifeIsFilled(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	for port := range h.miniports {
		for what := onLinkUp; what <= onStopped; what++ {
			h.logPortEvent(0, port, what)
		}
	}
	for _, e := range h.EventsAfter(0) {
		if strings.ContainsAny(e.Message, "{}") || e.Source == "" || e.Channel == "" || e.Adapter == "" {
			t.Errorf("the event is not filled: %+v", e)
		}
	}
}
