package framesize

import (
	"testing"

	"cxdeck/device/description"
)

// TestFrames holds the lengths of frames with tags and overlays, and that the largest packet fills its frame.
func TestFrames(t *testing.T) {
	t.Parallel()
	tcp := &description.Flow{Protocol: description.TCP}
	for _, c := range []struct {
		frames  Frames
		onCable int // of an IP packet of 1500 bytes
	}{
		{Frames{Flow: tcp}, 1518}, {Frames{Flow: tcp, Tags: 1}, 1522}, {Frames{Flow: tcp, Overlay: true}, 1560},
		{Frames{Flow: &description.Flow{Protocol: description.UDP, VXLAN: true}}, 1568},
	} {
		got := c.frames.OnCable(1500)
		if got != c.onCable {
			t.Errorf("%+v: a packet of 1500 bytes needs %d bytes, want %d", c.frames, got, c.onCable)
		}
		if largest := c.frames.LargestPacket(got - 4); largest != 1500 { // a frame limit is without FCS
			t.Errorf("%+v: a frame of %d bytes holds %d", c.frames, got, largest)
		}
	}
}

// TestAdapted holds which packets follow a frame limit.
func TestAdapted(t *testing.T) {
	t.Parallel()
	limits := Limits{MaxFrame: 9014, Described: 1514, Switch: 9216}
	for _, c := range []struct {
		protocol description.Protocol
		ip       int
		sent     bool
		limits   Limits
		want     int
	}{
		{description.TCP, 1500, false, limits, 9000}, {description.TCP, 400, false, limits, 400}, {description.UDP, 1500, true, limits, 1500},
		{description.TCP, 1500, false, Limits{MaxFrame: 1014, Described: 1514, Switch: 1514}, 1000},
		{description.UDP, 1500, true, Limits{MaxFrame: 1014, Described: 1514}, 1000}, {description.UDP, 1500, false, Limits{MaxFrame: 1014, Described: 1514}, 1500},
	} {
		f := Frames{Flow: &description.Flow{Protocol: c.protocol}}
		if got := f.Adapted(c.ip, c.sent, c.limits); got != c.want {
			t.Errorf("%v of %d bytes, sent %t, under %+v: %d, want %d", c.protocol, c.ip, c.sent, c.limits, got, c.want)
		}
	}
	if got := Windowed(&description.Flow{Protocol: description.TCP, Flows: 2}, 40, 65536); got < 2.09 || got > 2.1 {
		t.Errorf("two streams with a window of 64 KB move %g Gb/s", got)
	}
	if !Answered(&description.Flow{Protocol: description.TCP}) || Answered(&description.Flow{Protocol: description.UDP}) {
		t.Error("TCP is answered, UDP is not")
	}
}
