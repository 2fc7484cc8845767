package lab

import (
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// shown returns the screen after its first data.
func shown(d *deck.Deck) *View {
	v := New(d)
	v.Update(ui.ShowMsg{})
	v.Update(ui.DataMsg{})
	return v
}

func TestGolden(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 90, map[int]driver.Operation{80: hardware.PullCable{Connection: "Ethernet 5"}})
	v := shown(d)
	viewtest.Golden(t, v, "scenes")
	v.focusList(flowsPart)
	viewtest.Golden(t, v, "workloads")
	v.focusList(portsPart)
	v.tables[portsPart].List.Select(2)
	v.resetPage()
	viewtest.Golden(t, v, "ports")
	v.filter.Set("no such thing")
	v.arrange()
	viewtest.Golden(t, v, "no-match")
}
