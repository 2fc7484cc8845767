package scenes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
)

func newHost(t testing.TB, seed uint64) *driver.Host {
	t.Helper()
	lab, err := device.New(description.Default(), seed)
	if err != nil {
		t.Fatal(err)
	}
	return driver.NewHost(lab)
}

// last is the number of the newest event of a host.
func last(h *driver.Host) uint64 {
	var number uint64
	for _, e := range h.EventsAfter(0) {
		number = e.Sequence
	}
	return number
}

// newest are the keys of the events of an adapter after one.
func newest(h *driver.Host, after uint64, adapter string) (keys []string) {
	for _, e := range h.EventsAfter(after) {
		if e.Adapter == adapter {
			keys = append(keys, e.Key)
		}
	}
	return keys
}

func TestApplyAndUndoScenes(t *testing.T) {
	t.Parallel()
	if len(All()) != 18 {
		t.Errorf("there are %d scenes", len(All()))
	}
	for _, s := range All() {
		h := newHost(t, 1)
		h.Advance(2 * time.Second)
		from, connection := last(h), s.Connection(h)
		shows, err := s.At(h, connection)
		if err != nil || shows.Refusal != "" {
			t.Errorf("%s at %s: %v, %s", s.Name, connection, err, shows.Refusal)
		}
		plan, err := s.Plan(h, "")
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		if _, err := h.Apply(plan); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		h.Advance(6 * time.Second)
		for _, key := range shows.Events {
			if _, ok := eventlog.Catalogue().Lookup(key); !ok || !slices.Contains(newest(h, from, connection), key) {
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
			t.Errorf("%s can't be undone: %v", s.Name, err)
		}
		if found, ok := Find(strings.ToUpper(s.Title)); !ok || found.Name != s.Name {
			t.Errorf("%s is not found by its title", s.Name)
		}
	}
}

func TestScenesWithHostileNames(t *testing.T) {
	t.Parallel()
	d := description.Default()
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
	h := driver.NewHost(lab)
	ofHost := []string{"scale-flow", "burst-flow", "add-traffic-class", "set-dcbx"} // they don't name a connection
	for _, s := range All() {
		plan, err := s.Plan(h, name)
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		for _, o := range plan.Operations {
			if target := o.Target(); target != name && target != d.Adapters[0].Name && !slices.Contains(ofHost, o.Kind()) {
				t.Errorf("%s is on %q", s.Name, target)
			}
		}
	}
}

func TestAPortThatCanNotShowASceneSaysWhy(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	s, _ := Find("pause-storm")
	for connection, reason := range map[string]string{
		"Ethernet 4": "InfiniBand has credits", "Ethernet 5": "needs a port with PFC on priority 3, or with global pause",
	} {
		if _, err := s.Plan(h, connection); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("got %v", err)
		}
	}
	for _, scene := range All() {
		for _, need := range scene.Needs {
			if conditionWords[need] == "" {
				t.Errorf("%s needs %q, which nothing explains", scene.Name, need)
			}
		}
		for _, sign := range scene.Signs {
			if !slices.Contains([]Trend{Rises, Falls, Stops}, sign.Way) {
				t.Errorf("%s: %s goes the way %q", scene.Name, sign.Counter, sign.Way)
			}
			for _, where := range sign.Where {
				if !slices.Contains(allConditions[:], where) {
					t.Errorf("%s: nothing is %q", scene.Name, where)
				}
			}
		}
	}
	if _, err := s.Plan(h, "Ethernet 99"); err == nil {
		t.Error("an unknown connection shows a scene")
	}
	if _, err := json.Marshal(All()); err != nil {
		t.Error(err)
	}
}

// allConditions are all that a scene may name.
var allConditions = [...]Condition{
	onWinOF, onWinOF2, onEthernet, onInfiniBand, withPauses, withPFC, withGlobal, withJumbo, withDatagrams, withIncoming,
	forHost, isLossy, isMarked, withRDMA, isSender, receivesRDMA, sendsRDMA, withDCBX, withOther, withBursts, isUnclassed,
}

// TestASceneIsShownWhereItShowsBest: at the preferred connection when that can show it, else at the first that can and does
// not carry the operator's session.
func TestASceneIsShownWhereItShowsBest(t *testing.T) {
	t.Parallel()
	for _, management := range []string{"", "Ethernet 3", "Ethernet 7"} {
		h := newHost(t, 1)
		if management != "" {
			mark := adapters.MarkManagement{Connection: management, Carries: true}
			if _, err := h.Apply(driver.Plan{Operations: []driver.Operation{mark}}); err != nil {
				t.Fatal(err)
			}
		}
		for _, s := range All() {
			want := ""
			for port := range h.Lab().Ports() {
				connection := h.Lab().Connection(port)
				showing, err := s.At(h, connection)
				if err != nil {
					t.Fatal(err)
				}
				if showing.Refusal != "" || h.Management() == connection && connection != s.Prefer {
					continue
				}
				if want == "" || connection == s.Prefer {
					want = connection
				}
			}
			if got := s.Connection(h); got != want {
				t.Errorf("%s is shown at %q, want %q", s.Name, got, want)
			}
		}
	}
}

// TestAFixedSceneEnds: the end of a scene takes back its fix as well, and leaves the host with the settings that it had.
func TestAFixedSceneEnds(t *testing.T) {
	t.Parallel()
	for _, s := range All() {
		h := newHost(t, 1)
		h.Advance(2 * time.Second)
		before := storedValues(t, h)
		plan, err := s.Plan(h, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Apply(plan); err != nil {
			t.Fatal(err)
		}
		h.Advance(10 * time.Second)
		sequence, at, _ := s.Running(h, "")
		changes := 1
		if fix, err := s.FixPlan(h, at); err == nil {
			if _, err := h.Apply(fix); err != nil {
				t.Fatal(err)
			}
			changes++
		}
		h.Advance(10 * time.Second)
		order, err := EndOrder(h, sequence)
		if err != nil || len(order) != changes || order[changes-1] != sequence {
			t.Errorf("%s: the order is %v, %v", s.Name, order, err)
		}
		for _, change := range order {
			if _, err := h.UndoEntry(change); err != nil {
				t.Fatal(err)
			}
		}
		if left := storedValues(t, h); left != before {
			t.Errorf("%s leaves values in the registry", s.Name)
		}
	}
}

// storedValues returns the registry of all connections as regedit exports it.
func storedValues(t *testing.T, h *driver.Host) string {
	t.Helper()
	var connections []string
	for port := range h.Lab().Ports() {
		connections = append(connections, h.Lab().Connection(port))
	}
	file, err := h.ExportRegistry(connections...)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(file)
}
