package sriov

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/virtualization"
	"cxdeck/perf/lab"
	"cxdeck/perf/labstate"
	"cxdeck/ui/widget"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/viewtest"
)

// TestMarksStayWithTheirAdapters detaches marked adapters and attaches them again without marking them a second time.
func TestMarksStayWithTheirAdapters(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, viewtest.Lab(t), false)
	v.choose(vfRowID("Ethernet 7", 0))
	s.Press(" ", " ", "d", "enter")
	apply(t, d, s)
	s.Await(d, "two without functions",
		func() bool { return v.nic("vm001").Function < 0 && v.nic("vm002").Function < 0 })
	if len(v.marked) != 2 || !v.marked[nicRowID("vm001/"+defaultNIC)] || !v.marked[nicRowID("vm002/"+defaultNIC)] {
		t.Fatalf("marked are %v", v.marked)
	}
	s.Press("a")
	s.Want("[x] vm001/Network Adapter", "[x] vm002/Network Adapter")
	s.Press("enter")
	apply(t, d, s)
	s.Await(d, "both attached", func() bool { return v.nic("vm001").Function >= 0 && v.nic("vm002").Function >= 0 })
	if len(v.marked) != 2 || !v.marked[vfRowID("Ethernet 7", 0)] || !v.marked[vfRowID("Ethernet 7", 1)] {
		t.Errorf("marked are %v", v.marked)
	}
}

// TestFailedRequestCanBeRepeated removes the cause of a failed request; the adapter already has the right IovWeight.
func TestFailedRequestCanBeRepeated(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, viewtest.Lab(t), false)
	limited := func(pages string) {
		s.Press("Z", "down", "down", "down", "down", "down", "enter", "tab", "ctrl+u")
		s.Type(pages)
		s.Press("enter")
		apply(t, d, s)
	}
	v.choose(vfRowID("Ethernet 7", 0))
	s.Press("Z", "down", "down", "down", "down", "down", "enter", "tab")
	s.Type("1000")
	s.Want("4 functions use more now")
	s.Press("enter", "enter")
	s.AwaitText(d, "It applies to functions that are attached from now on; 4 functions use more now.")
	s.Press("esc", "d", "enter")
	apply(t, d, s)
	s.Press("a", "enter")
	s.Press("enter")
	s.AwaitText(d, "partly done")
	s.Press("esc")
	s.Await(d, "no function",
		func() bool { return strings.Contains(v.nic("vm001").Why, "MaxFWPagesUsagePerVF allows 1000") })
	limited("0")
	s.Press("a", "enter")
	s.Want("IovWeight of vm001/Network Ad", "100 → 0", "0 → 100")
	apply(t, d, s)
	s.Await(d, "a function", func() bool { return v.nic("vm001").Path == virtualization.PathVF })
	s.Press("a")
	s.Want("it has a virtual function")
}

// TestUnchangedVMMQKeepsEachValue edits adapters that differ in VMMQ; each keeps its value unless the operator chooses one.
func TestUnchangedVMMQKeepsEachValue(t *testing.T) {
	t.Parallel()
	yes, no := &virtualization.VMAdapterView{}, &virtualization.VMAdapterView{}
	yes.VmmqEnabled = true
	vmmq := func(list ...*virtualization.VMAdapterView) *wizard.Field {
		f := &wizard.Field{ID: fieldVMMQ, Kind: wizard.Toggle}
		new(View).editField(f, list)
		return f
	}
	for choice, want := range map[string][2]bool{unchanged: {false, false}, choiceOn: {false, true},
		choiceOff: {true, false}} {
		for i, a := range []*virtualization.VMAdapterView{yes, no} {
			o, differs := edited(a, wizard.Values{fieldVMMQ: {Text: choice}}, false)
			if differs != want[i] || (o.VmmqEnabled != nil) != want[i] {
				t.Errorf("%s: adapter %d changes: %t", choice, i, differs)
			}
		}
	}
	if f := vmmq(yes, no); f.Kind != wizard.OneOf || f.Initial.Text != unchanged || vmmq(yes, yes).Kind != wizard.Toggle {
		t.Errorf("the field is %+v", f)
	}
}

// TestBoundsAreTheDrivers checks that a form rejects a value above the driver's maximum.
func TestBoundsAreTheDrivers(t *testing.T) {
	t.Parallel()
	_, v, s := openScreen(t, viewtest.Lab(t), false)
	v.choose(vfRowID("Ethernet 7", 0))
	s.Press("Z", "down", "down", "down", "down", "enter", "tab", "tab", "ctrl+u")
	s.Type("1000001")
	s.Press("enter")
	s.Want("integer from 1 to 1000000")
}

// TestEnableRepairsTheDriver checks that the wizard enables a disabled adapter and, with WinOF, sets the key that permits
// functions for the card and for the bus driver.
func TestEnableRepairsTheDriver(t *testing.T) {
	t.Parallel()
	_, v, _ := openScreen(t, named(t, "manual-winof"), false)
	p, card := v.target(wizard.Values{fieldPort: {Text: "Ethernet 2"}})
	v.policies["Ethernet 2"].stored[keyPermit] = "0"
	stoppedPort := *p
	stoppedPort.State = driver.Stopped
	var operations []string
	for _, o := range v.driverPart(&stoppedPort, card, wizard.Values{fieldMode: {Text: "2"}}) {
		operations = append(operations, o.Describe())
	}
	want := []string{"enable Ethernet 2", "set bus-driver/PermitSriov of Ethernet 2 to 1",
		"reload the driver " + card.Driver + " with all its adapters"}
	if !slices.Equal(operations, want) {
		t.Errorf("the plan is %q", operations)
	}
	v.policies["Ethernet 2"].stored[keyPermitCard] = "0"
	if list := v.driverPart(&stoppedPort, card, wizard.Values{fieldMode: {Text: "2"}}); len(list) != 4 {
		t.Errorf("with both keys the plan has %d Operations", len(list))
	}
}

// TestASwitchIsOfferedOnce checks that a switch offered for recreation is not listed again as a disabled choice.
func TestASwitchIsOfferedOnce(t *testing.T) {
	t.Parallel()
	_, v, s := openScreen(t, named(t, "manual-winof2"), false)
	f := wizard.Field{ID: fieldSwitch}
	v.enableField(&f, wizard.Values{})
	n := 0
	for _, c := range f.Choices {
		if c.Label == "MlnxSwitch" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("MlnxSwitch is offered %d times:\n%s", n, s.Text())
	}
}

// TestCurvesReachTenMinutesBack checks that curves use averages for the time before the oldest kept column.
func TestCurvesReachTenMinutesBack(t *testing.T) {
	t.Parallel()
	v := newView(viewtest.WatchLab(t, 200, nil))
	v.choose(vfRowID("Ethernet 7", 0))
	read := func() (known int) {
		bands := make([]widget.Band, 60)
		v.read(v.row(), v.chart.span, bands, func(l labstate.Load) float64 { return l.Receive })
		for _, b := range bands {
			if b.Average > 0 && b.Min <= b.Average && b.Average <= b.Max {
				known++
			}
		}
		return known
	}
	if n := read(); n < 59 {
		t.Errorf("%d of 60 pieces of the last minute are known", n)
	}
	v.zoom(1)
	v.zoom(1)
	if n := read(); v.chart.span != 5*time.Minute || n < 36 || n > 40 { // 200 s of 300
		t.Errorf("%d of 60 pieces of %s are known", n, v.chart.span)
	}
	for range 9 {
		v.zoom(1)
	}
	if v.chart.span != 10*time.Minute {
		t.Errorf("the longest period is %s", v.chart.span)
	}
	for range 9 {
		v.zoom(-1)
	}
	if v.chart.span != time.Minute {
		t.Errorf("the shortest period is %s", v.chart.span)
	}
}

// TestPageListsChanges checks that the page of an adapter lists its changes and marks undone ones, and that the page of
// its port lists the switch with the adapters of the host.
func TestPageListsChanges(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, viewtest.Lab(t), false)
	v.choose(vfRowID("Ethernet 7", 1))
	s.Press("d", "enter")
	apply(t, d, s)
	s.Press("u")
	s.Await(d, "undo", func() bool { return v.nic("vm002").Function >= 0 })
	s.Press("tab")
	s.Press("end")
	s.AwaitText(d, "Detach virtual functions: 1 adapter (undone)")
	s.Press("tab")
	v.choose(vfRowID("Ethernet 7", 0))
	s.Press("tab", "end")
	s.WantNot("(undone)")
	s.Press("tab", "Z")
	for range 9 {
		s.Press("down")
	}
	s.Press("enter", "enter", "enter")
	s.Want("Enable-NetAdapterRdma")
	s.Press("enter")
	s.AwaitText(d, "of the journal")
	s.Want("SMB  RDMA on")
	s.Press("esc")
	v.choose(portRowID("Ethernet 7"))
	s.Press("tab", "end")
	s.AwaitText(d, "SMB, RDMA on")
}

// TestSwitchesAreForEthernet checks that the wizards that create switches reject InfiniBand ports, and ask for another
// port if the current switch does not fit.
func TestSwitchesAreForEthernet(t *testing.T) {
	t.Parallel()
	_, v, s := openScreen(t, viewtest.Lab(t), false)
	for _, c := range []struct{ id, port, want string }{
		{ndkID, "Ethernet 4", onlyEthernet}, {directID, "Ethernet 4", onlyEthernet},
		{nvgreID, "Ethernet 4", onlyEthernet},
		{directID, "Ethernet 7", "the port has a virtual switch already; choose another port"},
		{nvgreID, "Ethernet 7", "the port has a virtual switch already; choose another port"},
	} {
		v.choose(portRowID(c.port))
		s.Press("Z", "home")
		for range slices.IndexFunc(v.wizards(), func(w wizardEntry) bool { return w.id == c.id }) {
			s.Press("down")
		}
		s.Press("enter", "enter")
		s.Want("▲ ", c.want)
		s.Press("esc")
	}
}

// TestPendingAddressesAbove4GNeedAReboot leaves one BIOS setting waiting for a reboot: the plan is the reboot alone, and
// empty if nothing is waiting.
func TestPendingAddressesAbove4GNeedAReboot(t *testing.T) {
	t.Parallel()
	for _, pending := range []bool{true, false} {
		description := description.Default()
		for i := range description.Adapters {
			if a := &description.Adapters[i]; a.Name == "ConnectX-5 Ex" {
				a.Flash = map[string]int{"SRIOV_EN": 1, "NUM_OF_VFS": 16}
			}
		}
		description.Host.NoAddressesAbove4G = pending
		model, err := device.New(description, 7)
		if err != nil {
			t.Fatal(err)
		}
		host := driver.NewHost(model)
		if pending {
			if _, err := host.Apply(driver.Plan{Title: "BIOS", Operations: []driver.Operation{
				virtualization.SetBIOS{Host: host.View().Name, Above4G: new(true)},
			}}); err != nil {
				t.Fatal(err)
			}
		}
		source, err := lab.New(host)
		if err != nil {
			t.Fatal(err)
		}
		_, v, _ := openScreen(t, source, false)
		values := wizard.Values{
			fieldPort: {Text: "Ethernet 8"}, fieldFirmwareVFs: {Text: "16"}, fieldBIOS: {On: true}, fieldAbove4G: {On: true},
		}
		list := v.firmwarePart(values)
		if pending {
			if len(list) != 1 || list[0].Kind() != (adapters.Reboot{}).Kind() || !v.reboots(values) {
				t.Errorf("with addresses above 4 GB pending, the plan is %v", list)
			}
		} else if len(list) != 0 || v.reboots(values) {
			t.Errorf("with nothing pending, the plan is %v", list)
		}
	}
}
