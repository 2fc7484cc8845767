package registry

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"cxdeck/driver"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// shownOn is the screen on a deck after the registry was read.
func shownOn(t testing.TB, d *deck.Deck) (*View, *viewtest.Stage) {
	t.Helper()
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	s.Await(d, "the registry", func() bool { return v.snapshot != nil })
	return v, s
}

// goldenStage compares the whole terminal, dialogs included, with a golden file for each size.
func goldenStage(t *testing.T, s *viewtest.Stage, name string) {
	t.Helper()
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		s.Resize(size[0], size[1])
		s.Text() // dialogs learn their size
		got := s.Text()
		path := filepath.Join("testdata", fmt.Sprintf("%s-%dx%d.golden", name, size[0], size[1]))
		if viewtest.Updating() {
			if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%v: run the test with -update", err)
		}
		if got != string(want) {
			t.Errorf("%s is not as in its golden file; got\n%s\nwant\n%s", path, got, want)
		}
	}
	s.Resize(120, 40)
}

func TestGolden(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 60, map[int]driver.Operation{
		50: driver.SetValue{Connection: "Ethernet 7", Key: "*JumboPacket", Value: "4014"},
		51: driver.SetValue{Connection: "Ethernet 7", Key: "*TransmitBuffers", Value: "100000"},
	})
	v, s := shownOn(t, d)
	viewtest.Golden(t, v, "keys")
	v.focus = treePart
	viewtest.Golden(t, v, "tree")
	v.focus = pagePart
	viewtest.Golden(t, v, "page")
	s.Press("esc", "down", "enter")
	goldenStage(t, s, "editor")
	s.Press("ctrl+u")
	s.Type("100000")
	s.Press("enter")
	goldenStage(t, s, "editor-invalid")
	s.Press("ctrl+u")
	s.Type("1024")
	s.Press("enter", "/")
	s.Type("sriov_port_num|*flowcontrol")
	s.Press("enter", "enter")
	goldenStage(t, s, "editor-list")
	s.Press("up", "enter", "esc", "p")
	goldenStage(t, s, "review")
	s.Press("f")
	goldenStage(t, s, "forecast")
	s.Press("esc", "c")
	goldenStage(t, s, "compare")
	s.Press("enter")
	goldenStage(t, s, "compared")
	s.Press("esc", "esc", "home", "tab", "tab", "home", "tab", "s")
	viewtest.Golden(t, v, "sorted")
	s.Press("v", "v", "v", "v", "v", "v")
	viewtest.Golden(t, v, "no-favourites")
	viewtest.EverySize(t, v)
}
