package counters

import (
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/ui"
	"cxdeck/views/counters/preset"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// watched watches a lab that has run for ten minutes, with a cable pulled and plugged in again.
func watched(t testing.TB) *deck.Deck {
	return viewtest.WatchLab(t, 600, map[int]driver.Operation{
		520: hardware.PullCable{Connection: "Ethernet 5"},
		540: hardware.PlugCable{Connection: "Ethernet 5"},
	})
}

// staged opens the screen on a stage.
func staged(t testing.TB, d *deck.Deck) (*Screen, *viewtest.Stage) {
	s := New(d, WithLocation(time.UTC), WithExportDirectory(t.TempDir()))
	stage := viewtest.Open(t, d, []ui.View{s})
	return s, stage
}

func TestGolden(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 3, 390)
	viewtest.Golden(t, p.screen, "throughput")
	p.Press("K")
	viewtest.Golden(t, p.screen, "cursor")
	p.Press("esc", "m", "m")
	viewtest.Golden(t, p.screen, "bars")
	p.Press("m")
	viewtest.Golden(t, p.screen, "report")
	p.Press("m", "o")
	viewtest.Golden(t, p.screen, "small")
	p.Press("o", "m")
	viewtest.Golden(t, p.screen, "stacked")
	p.Press("m", "m", "m", "Y", "f", "down", "enter")
	viewtest.Golden(t, p.screen, "line-rate")
	p.Press("f", "Y", "esc", "P", "2")
	viewtest.Golden(t, p.screen, "drops")
	p.Press("E")
	viewtest.Golden(t, p.screen, "empty")
	viewtest.EverySize(t, p.screen)
}

func TestDrawsAtEverySizeInEveryMode(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 9, 40)
	for range 4 {
		p.Press("left", "o")
		viewtest.EverySize(t, p.screen)
		p.Press("o", "m")
		viewtest.EverySize(t, p.screen)
	}
}

// TestEveryPresetFindsLabCounters matches each preset with the counters of the lab.
func TestEveryPresetFindsLabCounters(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	s, stage := staged(t, watched(t))
	for _, p := range preset.All() {
		if p.Teams { // the lab has no team at its start
			continue
		}
		if found, _ := p.Match(s.index.index, nil, noActivity); len(found) == 0 {
			t.Errorf("the preset %s finds nothing in the lab", p.Title)
		}
	}
	stage.Want("Throughput (the busiest 8 of")
}
