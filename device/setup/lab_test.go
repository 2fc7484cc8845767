package setup_test

import (
	"reflect"
	"testing"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// TestOnlyASetupOfTheDescriptionIsAccepted changes the setup of the default lab in ways that no lab has.
func TestOnlyASetupOfTheDescriptionIsAccepted(t *testing.T) {
	t.Parallel()
	d := description.Default()
	layout := counter.NewLayout(d)
	var links []description.LinkType
	for _, a := range d.Adapters {
		for _, p := range a.Ports {
			links = append(links, p.Link)
		}
	}
	described := setup.New(d, d.Flows)
	check := func(l *setup.Lab) error { return l.Check(&described, links, layout) }
	if err := check(&described); err != nil {
		t.Fatalf("the described lab is refused: %v", err)
	}
	guest := setup.Guest{Share: 1, Rings: []int{0}}
	for name, change := range map[string]func(*setup.Lab){
		"a port":           func(l *setup.Lab) { l.Ports[0].MaxFrame = 0 },
		"a switch port":    func(l *setup.Lab) { l.Switches[0].SpeedGbps = 0 },
		"a slot":           func(l *setup.Lab) { l.Slots[0].Lanes = 3 },
		"a speed":          func(l *setup.Lab) { l.Speeds[0] = 2 },
		"a scale":          func(l *setup.Lab) { l.Scales[0] = -1 },
		"a fault":          func(l *setup.Lab) { l.Faults[0][description.Stall] = 2 },
		"a binding":        func(l *setup.Lab) { l.Bindings = []setup.Binding{{Ports: []int{-1}, Slot: setup.NoSlot}} },
		"a guest":          func(l *setup.Lab) { l.Guests[0] = []setup.Guest{{Slot: -1, Rings: []int{0}}} },
		"no lease":         func(l *setup.Lab) { l.Guests[0] = []setup.Guest{guest} },
		"no guest":         func(l *setup.Lab) { l.Leases[0].List = []setup.Lease{{Due: 1, Frames: 1}} },
		"a wrong next":     func(l *setup.Lab) { l.Leases[0].Next = 1 },
		"a share base":     func(l *setup.Lab) { l.ShareBases[0].Guests = make([]uint64, 1) },
		"a shared count":   func(l *setup.Lab) { l.Virtual[0].Shared = make([]uint64, 1) },
		"a taken count":    func(l *setup.Lab) { l.Virtual[0].Taken = []setup.VirtualCount{{Slot: counter.GuestSlots}} },
		"a function":       func(l *setup.Lab) { l.FunctionFaults = []setup.FunctionFault{{Function: -1, Kind: description.Storm}} },
		"a fault of ports": func(l *setup.Lab) { l.FunctionFaults = []setup.FunctionFault{{Kind: description.Stall}} },
	} {
		l := setup.New(d, d.Flows)
		if change(&l); check(&l) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for i := range reflect.TypeFor[setup.Lab]().NumField() {
		l := setup.New(d, d.Flows)
		if list := reflect.ValueOf(&l).Elem().Field(i); list.Len() > 0 {
			list.Set(list.Slice(0, list.Len()-1))
			if check(&l) == nil {
				t.Errorf("a short list of %s is accepted", reflect.TypeFor[setup.Lab]().Field(i).Name)
			}
		}
	}
}
