package lab

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/scenes"
)

// withoutEvents removes what happens now and then from a lab.
func withoutEvents(d *description.Description) {
	d.Faults = nil
	schedules := make([]description.Schedule, len(d.Schedules))
	for i, s := range d.Schedules {
		s.First = []description.Duration{description.Duration(time.Hour), description.Duration(time.Hour)}
		schedules[i] = s
	}
	d.Schedules = schedules
}

// TestFixesOfScenes runs each scene with a fix at each port that supports it, applies the fix, and compares with an unchanged lab:
// the counters return, and after the end of the scene all settings are as before.
func TestFixesOfScenes(t *testing.T) {
	t.Parallel()
	const remaining = 1.0 / 3 // of the change, at most
	host := restedAs(t, 3, withoutEvents)
	without := newCourse(t, host.Clone(), nil, 10*time.Second, 8*time.Second, 10*time.Second)
	played := 0
	for _, scene := range scenes.All() {
		for port := range host.Lab().Ports() {
			connection := host.Lab().Connection(port)
			shows, err := scene.At(host, connection)
			if err != nil {
				t.Fatal(err)
			}
			if scene.Fix.Text == "" || shows.Refusal != "" {
				continue
			}
			if played++; played%labShare != 0 {
				continue
			}
			t.Run(scene.Name+" at "+connection, func(t *testing.T) {
				t.Parallel()
				p := newPair(t, host.Clone(), without)
				h := p.with.Host()
				before := settingsOf(t, h)
				plan, err := scene.Plan(h, connection)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := h.Apply(plan); err != nil {
					t.Fatal(err)
				}
				p.span(t)
				moved := map[string]float64{}
				for _, sign := range shows.Signs {
					a, b := p.change(t, sign.Counter)
					moved[sign.Counter] = math.Abs(a - b)
				}
				fix, err := scene.FixPlan(h, connection)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := h.Apply(fix); err != nil {
					t.Fatal(err)
				}
				p.span(t)
				p.span(t)
				for _, sign := range shows.Signs {
					a, b := p.change(t, sign.Counter)
					rest := a - b
					if sign.Way != scenes.Rises { // the load of the scene may raise it further
						rest = b - a
					}
					if !sign.Stays && rest > remaining*moved[sign.Counter] {
						t.Errorf("after the fix %s changes by %.0f, and by %.0f without the scene; the scene changed it by %.0f", sign.Counter, a, b, moved[sign.Counter])
					}
				}
				for range 2 {
					if _, err := h.Undo(); err != nil {
						t.Fatal(err)
					}
				}
				h.Advance(8 * time.Second)
				after := settingsOf(t, h)
				for i := range min(len(before), len(after)) {
					if before[i] != after[i] {
						t.Errorf("the scene left %.80s, before it %.80s", after[max(0, i-40):], before[max(0, i-40):])
						break
					}
				}
			})
		}
	}
	t.Logf("%d fixes at ports", played)
}

// settingsOf returns all settings of a host that a scene could change, as text.
func settingsOf(t *testing.T, h *driver.Host) string {
	t.Helper()
	data, err := h.Save()
	if err != nil {
		t.Fatal(err)
	}
	var saved map[string]json.RawMessage
	if err := json.Unmarshal(data, &saved); err != nil {
		t.Fatal(err)
	}
	lab, text := h.Lab(), ""
	for _, part := range []string{"registry", "qos", "stack"} {
		text += part + " " + string(saved[part]) + "\n"
	}
	var virtual struct{ Cards json.RawMessage } // the firmware; machines also keep the history of their links
	if err := json.Unmarshal(saved["virtual"], &virtual); err != nil {
		t.Fatal(err)
	}
	text += string(virtual.Cards) + "\n"
	for port := range lab.Ports() {
		_, adapter, _ := lab.Port(port)
		text += fmt.Sprintf("%s %+v %+v %+v %v %v\n", lab.Connection(port), lab.Settings(port), lab.SwitchPort(port), lab.FarEndSettings(port), lab.Slot(adapter), lab.ProcessorSpeed(port))
		for _, kind := range description.FaultKinds() {
			text += fmt.Sprint(lab.Fault(port, kind), " ")
		}
	}
	for _, f := range lab.Flows() {
		text += fmt.Sprintln(f.Name, f.Scale, f.Priority)
	}
	return text
}
