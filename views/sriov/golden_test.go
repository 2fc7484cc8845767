package sriov

import (
	"slices"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/virtualization"
	"cxdeck/perf/lab"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
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

// hostChanges returns Operations by the sample before which they are applied: one function misbehaves, one adapter is on the
// synthetic path, and one is in quarantine.
func hostChanges() map[int]driver.Operation {
	none, vlan := 0, 100
	return map[int]driver.Operation{
		5: virtualization.SetVMAdapter{VM: "vm002", Adapter: defaultNIC, IovWeight: &none, VLAN: &vlan},
		6: hardware.SetFunctionFault{Connection: "Ethernet 7", Function: 2, Fault: description.FirmwareLoad, Share: 0.5},
		7: hardware.SetFunctionFault{Connection: "Ethernet 7", Function: 2, Fault: description.WrongAddress, Share: 0.5},
		8: virtualization.Quarantine{VM: "vm004", Adapter: defaultNIC, Reason: "port scans"},
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	v := newView(viewtest.WatchLab(t, 70, hostChanges()))
	v.choose(portRowID("Ethernet 7"))
	viewtest.Golden(t, v, "port")
	v.choose(vfRowID("Ethernet 7", 2))
	v.marked[v.row().id] = true
	viewtest.Golden(t, v, "watched")
	v.InPage = true
	viewtest.Golden(t, v, "page")
	v.InPage = false
	v.choose(portRowID("Ethernet 8"))
	viewtest.Golden(t, v, "off")
	v.group = byVM
	v.sortBy(receiveColumn)
	viewtest.Golden(t, v, "machines")
	v.Filter.Set("no such thing")
	v.arrange()
	viewtest.Golden(t, v, "no-match")
	v.Filter.Set("")
	v.arrange()
	viewtest.EverySize(t, v)
}

// TestMonoAndASCII checks that no information depends on colour or a symbol alone, and that an ASCII terminal gets ASCII.
func TestMonoAndASCII(t *testing.T) {
	t.Parallel()
	v := newView(viewtest.WatchLab(t, 20, hostChanges()))
	v.choose(vfRowID("Ethernet 7", 2))
	canvas := widget.NewCanvas(200, 55)
	canvas.SetGlyphs(themes.ASCIIGlyphs())
	v.Draw(canvas.All())
	for _, r := range canvas.Text() {
		if r > 126 {
			t.Fatalf("the ASCII screen has %q:\n%s", r, canvas.Text())
		}
	}
	for _, heat := range heats {
		if heat.word == "" {
			t.Error("a heat level has no word")
		}
	}
}

// large returns the screen on the large lab after some samples.
func large(tb testing.TB) *View {
	tb.Helper()
	model, err := device.New(description.Large(), 7)
	if err != nil {
		tb.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		tb.Fatal(err)
	}
	d := viewtest.Watch(tb, source, 1)
	v := newView(d)
	for deadline := time.Now().Add(time.Minute); v.state == nil || len(v.state.Loads) < 2; v.Update(ui.DataMsg{}) {
		if time.Now().After(deadline) {
			tb.Fatal("no data came")
		}
		select {
		case <-d.Live.Updates():
		case <-time.After(100 * time.Millisecond):
		}
	}
	return v
}

// TestLargeLab checks that every function has exactly one row.
func TestLargeLab(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	v := large(t)
	v.group = flat
	v.arrange()
	if len(v.rows) < 8*127 || len(v.places) != len(v.rows) {
		t.Errorf("%d rows with %d ids", len(v.rows), len(v.places))
	}
	viewtest.EverySize(t, v)
}

// BenchmarkAnswer measures the response on the large lab: a key that moves the cursor, new data, and the next frame.
func BenchmarkAnswer(b *testing.B) {
	v := large(b)
	canvas := widget.NewCanvas(200, 55)
	canvas.SetGlyphs(themes.UnicodeGlyphs())
	state := *v.state
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		next := state // every value is new
		v.state, v.scene = &next, newScene(&next)
		v.arrange()
		v.Table.List.Move(1)
		v.resetPage()
		canvas.Clear()
		v.Draw(canvas.All())
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100])/float64(time.Millisecond), "p99-ms")
}
