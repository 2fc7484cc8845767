package overview

import (
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// shown returns the screen after its first data, with the cursor on the first port.
func shown(d *deck.Deck) *View {
	v := New(d)
	v.Update(ui.ShowMsg{})
	v.Update(ui.DataMsg{})
	v.table.List.Select(1)
	v.remember()
	return v
}

func TestGolden(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 90, map[int]driver.Operation{80: hardware.PullCable{Connection: "Ethernet 5"}})
	v := shown(d)
	viewtest.Golden(t, v, "lab")
	v.Update(ui.DataMsg{})
	v.focus = sidePart
	viewtest.Golden(t, v, "details")
	v.chooseTopic(1)
	viewtest.Golden(t, v, "inside")
	v.topic = ""
	v.page.Scroll.Select(0)
	v.focus = treePart
	v.filter.Set("ethernet 7")
	v.arrange()
	viewtest.Golden(t, v, "filtered")
	v.filter.Set("no such thing")
	v.arrange()
	viewtest.Golden(t, v, "no-match")
	viewtest.EverySize(t, v)
}

func BenchmarkDraw(b *testing.B) {
	v := shown(viewtest.WatchLab(b, 90, nil))
	canvas := viewtest.Body(v, 120, 40)
	b.ReportAllocs()
	for b.Loop() {
		canvas.Clear()
		v.Draw(canvas.All())
	}
}

// BenchmarkData measures the handling of a new sample, with the redraw.
func BenchmarkData(b *testing.B) {
	v := shown(viewtest.WatchLab(b, 90, nil))
	canvas := viewtest.Body(v, 120, 40)
	b.ReportAllocs()
	for b.Loop() {
		v.Update(ui.DataMsg{})
		clear(v.sparks)
		v.page.Stale = true
		canvas.Clear()
		v.Draw(canvas.All())
	}
}
