package counters

import (
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// watched is a lab that has run for ten minutes, with a cable pulled and put back.
func watched(t testing.TB) *deck.Deck {
	return viewtest.WatchLab(t, 600, map[int]driver.Operation{
		520: driver.PullCable{Connection: "Ethernet 5"},
		540: driver.PlugCable{Connection: "Ethernet 5"},
	})
}

// settled runs the screen as the shell would, background work included.
func staged(t testing.TB, d *deck.Deck) (*Screen, *viewtest.Stage) {
	s := New(d, WithLocation(time.UTC), WithExportDirectory(t.TempDir()))
	stage := viewtest.Open(t, d, []ui.View{s})
	return s, stage
}

func TestGolden(t *testing.T) {
	t.Parallel()
	d := watched(t)
	s, stage := staged(t, d)
	viewtest.Golden(t, s, "throughput")
	stage.Press("left", "left", "left")
	viewtest.Golden(t, s, "cursor")
	stage.Press("esc", "m")
	viewtest.Golden(t, s, "bars")
	stage.Press("m")
	viewtest.Golden(t, s, "report")
	stage.Press("m", "g")
	viewtest.Golden(t, s, "small")
	stage.Press("g", "s")
	viewtest.Golden(t, s, "stacked")
	stage.Press("s", "S", "f")
	viewtest.Golden(t, s, "line-rate")
	stage.Press("f", "D")
	viewtest.Golden(t, s, "empty")
	viewtest.EverySize(t, s)
}
