package lab

import (
	"reflect"
	"strings"
	"testing"

	"cxdeck/device/setup"
	"cxdeck/driver/scenes"
	"cxdeck/perf/labstate"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// TestEveryScene runs each scene with keys, waits for the changes of its counters and for its events, and ends it: the lab
// must then have its previous settings.
func TestEveryScene(t *testing.T) {
	t.Parallel()
	for i, scene := range scenes.All() {
		t.Run(scene.Name, func(t *testing.T) {
			t.Parallel()
			d := viewtest.Run(t, viewtest.Lab(t))
			v := New(d)
			s := viewtest.Open(t, d, []ui.View{v}, "counters", "events")
			s.Await(d, "the first minute", func() bool { return d.Live.Status().Samples > 60 })
			before := conditions(v.state)
			for range i {
				s.Press("down")
			}
			s.Press(" ")
			s.Want(scene.Title+" at ", "disturbs")
			s.Press("y")
			s.Await(d, "the scene", func() bool { _, runs := v.running[i]; return runs })
			if reflect.DeepEqual(before, conditions(v.state)) && scene.Name != "mtu-mismatch" && !strings.HasPrefix(scene.Name, "stall-") {
				t.Error("the scene changes nothing around the adapters")
			}
			moved := map[string]bool{}
			s.Await(d, "its counters and events", func() bool {
				for _, c := range v.sceneCounters(i) {
					if c.series < 0 {
						t.Fatalf("the source has no counter %s", c.path)
					}
					value, _, ok := v.rise(c.series, v.running[i])
					moved[c.path] = moved[c.path] || ok && value > 0 || c.way != scenes.Rises
				}
				for _, key := range v.showing(i).Events {
					p := v.running[i]
					moved[key] = newestEvent(v.log, key, p.port.Description.Connection, p.entry.Time) != nil
				}
				for what, seen := range moved {
					if !seen {
						t.Logf("%s has not changed until %s", what, v.now)
						return false
					}
				}
				return true
			})
			s.Press("enter")
			if focus, ok := s.ShowArgs["counters"].(deck.Focus); !ok || len(focus.Paths) != len(v.sceneCounters(i)) {
				t.Errorf("Enter went to %+v", s.ShowArgs["counters"])
			}
			s.Press("1")
			if scene.Fix.Text != "" {
				s.Press("r")
				s.Want("Fix: "+scene.Title+" at ", "[ Apply ]")
				s.Press("y")
				s.Await(d, "the fix", func() bool {
					newest := v.deck.Monitor().Journal()
					return strings.HasPrefix(newest[len(newest)-1].Plan.Title, "Fix: ")
				})
			}
			s.Press(" ")
			if text := s.Text(); strings.Contains(text, "Undo it anyway?") || strings.Contains(text, "Undo all of them?") {
				s.Press("y")
			}
			s.Await(d, "the end", func() bool { return len(v.running) == 0 })
			if after := conditions(v.state); !reflect.DeepEqual(before, after) {
				t.Errorf("the scene left\n%v\nof\n%v", after, before)
			}
		})
	}
}

// condition holds the changeable settings of a port or a workload.
type condition struct {
	name   string
	cabled bool
	at     setup.SwitchPort
	slot   setup.Slot
	scale  float64
}

func conditions(state *labstate.State) []condition {
	var list []condition
	for i := range state.Ports {
		p := &state.Ports[i]
		list = append(list, condition{p.Description.Connection, p.Cabled, p.Switch, p.Slot, p.ProcessorSpeed})
	}
	for i := range state.Flows {
		list = append(list, condition{name: state.Flows[i].Name, scale: state.Flows[i].Scale + 1000*float64(state.Flows[i].Burst)})
	}
	return list
}

// TestASceneAtAnotherPort chooses a port for a scene and runs it there.
func TestASceneAtAnotherPort(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	s.Press("down", "down", "down") // pause storm
	s.Want(". chooses another port")
	for range 3 {
		s.Press(".")
	}
	place := v.place(3)
	if place == "Ethernet 7" || place == "Ethernet 5" {
		t.Fatalf("the scene would run at %s", place)
	}
	s.Press(" ")
	s.Want("Pause storm at "+place+"?", "That disturbs the")
	s.Press("y")
	s.Await(d, "the scene", func() bool { p, runs := v.running[3]; return runs && p.port.Description.Connection == place })
	s.Press(".")
	s.Want("Space ends it first")
}

// TestTwoScenesAtATime runs two scenes, and ends the one that is not the newest change.
func TestTwoScenesAtATime(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	s.Press("down", " ", "y") // receiver too slow
	s.Press("down", "down", " ", "y")
	s.Await(d, "two scenes", func() bool { return len(v.running) == 2 })
	s.Press("up", "up", " ")
	s.Await(d, "one scene", func() bool { return len(v.running) == 1 })
	if _, runs := v.running[3]; !runs {
		t.Error("the wrong scene was ended")
	}
	s.Press("u")
	s.Await(d, "no scene", func() bool { return len(v.running) == 0 })
	s.Press("right")
	v.page.Scroll.Select(5)
	s.Want("open")
	opened := false
	for range 12 {
		s.Press("down", "enter")
		if _, ok := s.ShowArgs["counters"].(deck.Focus); ok {
			opened = true
			break
		}
	}
	if !opened {
		t.Error("no line of the page opens a counter")
	}
}
