package teaming

import (
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/teams"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// newView returns the screen after its first data.
func newView(d *deck.Deck) *View {
	v := New(d)
	v.Update(ui.ShowMsg{})
	v.Update(ui.DataMsg{})
	return v
}

// hostChanges returns the Operations that create a team of the two ConnectX-4 Lx ports, by the sample before which they are applied.
func hostChanges() map[int]driver.Operation {
	return map[int]driver.Operation{
		5: teams.Create{Name: "A", Type: "AFT", Family: description.WinOF2, GUID: "{11111111-2222-3333-4444-555555555555}"},
		6: teams.Attach{Team: "A", Connection: "Ethernet 5", Primary: true, SetMAC: true},
		7: teams.Attach{Team: "A", Connection: "Ethernet 6"},
		8: teams.AddVLAN{Team: "A", Name: "storage", ID: 100, Priority: 3, GUID: "{11111111-2222-3333-4444-666666666666}"},
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	empty := newView(viewtest.WatchLab(t, 30, nil))
	viewtest.Golden(t, empty, "no-team")
	changes := hostChanges()
	changes[60] = hardware.PullCable{Connection: "Ethernet 5"}
	v := newView(viewtest.WatchLab(t, 90, changes))
	v.choose(teamID("A"))
	viewtest.Golden(t, v, "team")
	v.choose(memberID("A", "Ethernet 5"))
	viewtest.Golden(t, v, "member")
	v.InPage = true
	viewtest.Golden(t, v, "page")
	v.InPage = false
	v.choose(vlanID("A", "", "storage"))
	viewtest.Golden(t, v, "vlan")
	v.choose(portID("Ethernet 3"))
	viewtest.Golden(t, v, "port")
	v.Filter.Set("no such thing")
	v.arrange()
	viewtest.Golden(t, v, "no-match")
	viewtest.EverySize(t, v)
}
