package registry

import (
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/registry/edit"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// shownOn opens the screen on a deck and waits until it has read the registry.
func shownOn(t testing.TB, d *deck.Deck) (*View, *viewtest.Stage) {
	t.Helper()
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	s.Await(d, "the registry", func() bool { return v.snapshot != nil })
	return v, s
}

func TestGolden(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 60, map[int]driver.Operation{
		50: edit.SetValue{Connection: "Ethernet 7", Key: "*JumboPacket", Value: "4014"},
		51: edit.SetValue{Connection: "Ethernet 7", Key: "*TransmitBuffers", Value: "100000"},
	})
	v, s := shownOn(t, d)
	viewtest.Golden(t, v, "keys")
	v.focus = treePart
	viewtest.Golden(t, v, "tree")
	v.focus = pagePart
	viewtest.Golden(t, v, "page")
	s.Press("esc", "down", "enter")
	s.Golden("editor")
	s.Press("ctrl+u")
	s.Type("100000")
	s.Press("enter")
	s.Golden("editor-invalid")
	s.Press("ctrl+u")
	s.Type("1024")
	s.Press("enter", "/")
	s.Type("sriov_port_num|*flowcontrol")
	s.Press("enter", "enter")
	s.Golden("editor-list")
	s.Press("up", "enter", "esc", "r")
	s.Golden("review")
	s.Press("F")
	s.Golden("forecast")
	s.Press("esc", "c")
	s.Golden("compare")
	s.Press("enter")
	s.Golden("compared")
	s.Press("esc", "esc", "home", "tab", "tab", "home", "tab", "s")
	viewtest.Golden(t, v, "sorted")
	s.Press("v", "v", "v", "v", "v", "v")
	viewtest.Golden(t, v, "no-favourites")
	viewtest.EverySize(t, v)
}
