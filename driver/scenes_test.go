package driver

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
)

func TestScenesCanBeMadeAndTakenBack(t *testing.T) {
	t.Parallel()
	if len(Scenes()) != 6 {
		t.Errorf("there are %d scenes", len(Scenes()))
	}
	for _, s := range Scenes() {
		h := newHost(t, 1)
		h.Advance(2 * time.Second)
		from, connection := h.sequence, s.Connection(h)
		plan, err := s.Plan(h, "")
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		if _, err := h.Apply(plan); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		h.Advance(6 * time.Second)
		for _, key := range s.Events {
			if _, ok := Events().Lookup(key); !ok || !slices.Contains(newest(h, from, connection), key) {
				t.Errorf("%s: no event %s, but %v", s.Name, key, newest(h, from, connection))
			}
		}
		paths, err := s.Paths(h, connection)
		if err != nil || len(paths) < 3 || strings.Contains(strings.Join(paths, ""), "{") {
			t.Errorf("%s: the counters are %q, %v", s.Name, paths, err)
		}
		if s.Story == "" || s.LookFor == "" || s.Title == "" {
			t.Errorf("%s says too little", s.Name)
		}
		if _, err := h.Undo(); err != nil {
			t.Errorf("%s can't be taken back: %v", s.Name, err)
		}
		if found, ok := SceneNamed(strings.ToUpper(s.Title)); !ok || found.Name != s.Name {
			t.Errorf("%s is not found by its title", s.Name)
		}
	}
}

func TestScenesShowWhatTheySay(t *testing.T) {
	t.Parallel()
	scenes := map[string]func(port int) []int{
		"incast": func(port int) []int {
			return []int{device.PriorityCell(port, 3, device.PriorityECNMarked), device.PriorityCell(port, 3, device.PriorityCNPsSent)}
		},
		"receiver-too-slow": func(port int) []int { return []int{device.Cell(port, device.NoDescriptor)} },
		"mtu-mismatch":      func(port int) []int { return []int{device.Cell(port, device.FrameTooLong)} },
		"pause-storm": func(port int) []int {
			return []int{
				device.PriorityCell(port, 3, device.PauseReceived), device.PriorityCell(port, 3, device.SelfPaused),
				device.Cell(port, device.HeadOfQueueDrops),
			}
		},
		"cable-pulled":    func(port int) []int { return []int{device.Cell(port, device.LinkDowns)} },
		"slot-too-narrow": func(port int) []int { return []int{device.Cell(port, device.Discarded)} },
	}
	for name, cells := range scenes {
		s, ok := SceneNamed(name)
		if !ok {
			t.Fatalf("no scene %s", name)
		}
		with, without := newHost(t, 2), newHost(t, 2)
		plan, err := s.Plan(with, "")
		if err != nil {
			t.Fatal(err)
		}
		port := portOf(t, with, s.Connection(with))
		mustApply(t, with, plan.Operations...)
		with.Advance(12 * time.Second)
		without.Advance(12 * time.Second)
		for i, cell := range cells(port) {
			if a, b := with.lab.Counters()[cell], without.lab.Counters()[cell]; a <= b {
				t.Errorf("%s: counter %d is %d with it and %d without", name, i, a, b)
			}
		}
	}
}

func TestScenesWithHostileNames(t *testing.T) {
	t.Parallel()
	d := device.Default()
	const name = `x","key":"*RSS{adapter}"` + "`; rm"
	for i := range d.Flows {
		if d.Flows[i].Port == "Ethernet 7" {
			d.Flows[i].Port = name
		}
	}
	d.Adapters[0].Ports[0].Connection = name
	lab, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHost(lab)
	for _, s := range Scenes() {
		plan, err := s.Plan(h, name)
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		for _, o := range plan.Operations {
			if target := o.Target(); target != name && target != d.Adapters[0].Name && o.Kind() != "scale-flow" {
				t.Errorf("%s is on %q", s.Name, target)
			}
		}
	}
}

func TestAPortThatCanNotShowASceneSaysWhy(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	s, _ := SceneNamed("pause-storm")
	if _, err := s.Plan(h, "Ethernet 3"); err == nil || !strings.Contains(err.Error(), "needs an Ethernet port of WinOF-2 with PFC") {
		t.Errorf("got %v", err)
	}
	if _, err := s.Plan(h, "Ethernet 99"); err == nil {
		t.Error("an unknown connection shows a scene")
	}
	if _, err := json.Marshal(Scenes()); err != nil {
		t.Error(err)
	}
}
