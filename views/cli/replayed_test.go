package cli

import (
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// TestSeekBarOnAllScreens: in a replay, all screens at all sizes have the seek bar above the status line, and the keys that step
// through a recording work.
func TestSeekBarOnAllScreens(t *testing.T) {
	t.Parallel()
	d := viewtest.Replay(t, 40, map[int]driver.Operation{20: hardware.PullCable{Connection: "Ethernet 7"}})
	views := Screens(d)
	s := viewtest.Open(t, d, views)
	s.SeekTo(d, 30*time.Second)
	position := func() time.Duration {
		from, _, _ := d.Replay.Seekable()
		return d.Replay.Status().Now.Sub(from)
	}
	for _, view := range views {
		s.Shell.Send(ui.Go(view.ID(), nil)())
		s.WaitIdle()
		for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {200, 60}} {
			s.Resize(size[0], size[1])
			lines := strings.Split(strings.TrimRight(s.Text(), "\n"), "\n")
			if len(lines) != size[1] {
				t.Fatalf("%s at %d rows has %d", view.ID(), size[1], len(lines))
			}
			bar := lines[len(lines)-2]
			if !strings.HasPrefix(bar, " ⟲ paused") || !strings.Contains(bar, "◆") || !strings.Contains(bar, "●") || strings.Count(s.Text(), "⟲ paused") != 1 {
				t.Errorf("%s at %dx%d has no seek bar, or two:\n%s", view.ID(), size[0], size[1], s.Text())
			}
		}
		for i, key := range []string{",", ",", ".", "."} {
			s.Press(key)
			if got, want := position(), time.Duration([]int{29, 28, 29, 30}[i])*time.Second; got != want {
				t.Errorf("%s: after %q the recording is at %s, want %s", view.ID(), key, got, want)
			}
		}
		s.Hit(ui.RuleZone, 0, false)
		if got := position(); got < 15*time.Second || got > 25*time.Second {
			t.Errorf("%s: a press in the middle of the bar moved the recording to %s", view.ID(), got)
		}
		s.SeekTo(d, 30*time.Second)
	}
}
