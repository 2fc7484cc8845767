package overview

import (
	"testing"

	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// BenchmarkSelect measures selecting another node, with the search for its inner series.
func BenchmarkSelect(b *testing.B) {
	v := shown(viewtest.WatchLab(b, 90, nil))
	canvas := viewtest.Body(v, 120, 40)
	v.Update(ui.DataMsg{})
	at := 0
	b.ReportAllocs()
	for b.Loop() {
		v.table.List.Select(1 + at%2) // the ports of a card
		at++
		v.remember()
		canvas.Clear()
		v.Draw(canvas.All())
	}
}
