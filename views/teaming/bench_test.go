package teaming

import (
	"slices"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// large returns the screen on a lab full of adapters, with several teams, after ten minutes.
func large(b *testing.B) *View {
	b.Helper()
	large, err := description.ParseText(description.LargeText())
	if err != nil {
		b.Fatal(err)
	}
	model, err := device.New(large, 1)
	if err != nil {
		b.Fatal(err)
	}
	host := driver.NewHost(model)
	plan := driver.Plan{Title: "teams"}
	view := host.View()
	for _, s := range view.Switches { // an adapter with a virtual switch can't join a team
		plan.Operations = append(plan.Operations, virtualization.RemoveSwitch{Switch: s.Name})
	}
	for i := range view.Adapters {
		a := &view.Adapters[i]
		if a.Description.Family != description.WinOF2 || a.Ports[0].Description.Link != description.Ethernet {
			continue
		}
		name := "team of " + a.Ports[0].Description.Connection
		plan.Operations = append(plan.Operations, teams.Create{Name: name, Type: "ALB", Family: description.WinOF2})
		for j := range a.Ports {
			if a.Ports[j].Description.Link != description.Ethernet {
				continue
			}
			plan.Operations = append(plan.Operations, teams.Attach{Team: name,
				Connection: a.Ports[j].Description.Connection})
		}
		for id := 1; id <= 4; id++ {
			plan.Operations = append(plan.Operations, teams.AddVLAN{Team: name, Name: name + string(rune('a'+id)), ID: id})
		}
	}
	if _, err := host.Apply(plan); err != nil {
		b.Fatal(err)
	}
	source, err := lab.New(host)
	if err != nil {
		b.Fatal(err)
	}
	d := viewtest.Watch(b, source, monitor.MaxSpeed)
	for d.Live.Status().Samples < 120 {
		<-d.Live.Updates()
	}
	if err := d.Live.SetPaused(true); err != nil {
		b.Fatal(err)
	}
	return newView(d)
}

// BenchmarkDown measures one cursor movement with its frame at 120x40.
func BenchmarkDown(b *testing.B) {
	v := large(b)
	canvas := viewtest.Body(v, 120, 40)
	b.ReportAllocs()
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		before := v.Table.List.Cursor()
		v.Table.List.Key("down")
		if v.Table.List.Cursor() == before {
			v.Table.List.Key("home")
		}
		v.resetPage()
		canvas.Clear()
		v.Draw(canvas.All())
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// BenchmarkData measures the work of the terminal loop for a new sample.
func BenchmarkData(b *testing.B) {
	v := large(b)
	canvas := viewtest.Body(v, 120, 40)
	b.ReportAllocs()
	for b.Loop() {
		v.graph.drawn = graphKey{} // as a new sample does
		v.Update(ui.DataMsg{})
		canvas.Clear()
		v.Draw(canvas.All())
	}
}

// BenchmarkWizard measures a key in the member list of the wizard that creates a team, with its frame.
func BenchmarkWizard(b *testing.B) {
	v := large(b)
	s := viewtest.Open(b, v.deck, []ui.View{v})
	s.Shell.Send(ui.DataMsg{})
	s.Press("n", "enter")
	b.ReportAllocs()
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		s.Shell.Send(ui.KeyMsg{Name: "down"})
		s.Text()
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}
