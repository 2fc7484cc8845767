package overview

import (
	"os"
	"path/filepath"
	"testing"

	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// TestFramesOfAPort shows the frames of the selected port, and exports them.
func TestFramesOfAPort(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 20, nil)
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	s.Press("home", "U")
	s.Want("select a port")
	for range 10 {
		if n := v.node(); n != nil && n.Kind == perf.PortNode {
			break
		}
		s.Press("down")
	}
	name := v.node().Name
	s.Press("U")
	s.WaitIdle()
	s.Want("Frames of "+name, "PROTOCOL", "RoCE v2")
	s.Press("esc")
	path := filepath.Join(t.TempDir(), "frames.pcapng")
	for range 2 {
		s.Press("x", "ctrl+u")
		s.Type(path)
		s.Press("enter")
		s.WaitIdle()
	}
	s.Want("exists: choose another name")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 || info.Size() < 1000*60 {
		t.Errorf("the file is %v, %v", info, err)
	}
}
