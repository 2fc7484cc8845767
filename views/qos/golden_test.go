package qos

import (
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// shown is the screen after its first data.
func shown(d *deck.Deck) *View {
	v := New(d)
	v.Update(ui.ShowMsg{})
	v.Update(ui.DataMsg{})
	return v
}

// withoutPFC takes PFC from the switch port of Ethernet 7.
var withoutPFC = fabric.SetSwitchPort{Connection: "Ethernet 7", FlowControl: new(description.NoFlowControl)}

func TestGolden(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 90, map[int]driver.Operation{60: withoutPFC})
	v := shown(d)
	v.table.List.Select(3)
	v.selectionChanged()
	viewtest.Golden(t, v, "mismatch")
	viewtest.GoldenWide(t, v, "mismatch")
	v.inPage = true
	viewtest.Golden(t, v, "page")
	v.inPage = false
	v.filter.Set("Ethernet 8")
	v.arrange()
	viewtest.Golden(t, v, "other-port")
	v.filter.Set("IB")
	v.arrange()
	viewtest.Golden(t, v, "infiniband")
	v.filter.Set("no such thing")
	v.arrange()
	viewtest.Golden(t, v, "no-match")
}

func TestEverySize(t *testing.T) {
	t.Parallel()
	viewtest.EverySize(t, shown(viewtest.WatchLab(t, 20, map[int]driver.Operation{10: withoutPFC})))
}
