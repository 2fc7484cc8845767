package lab

import (
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/scenes"
	"cxdeck/perf/labstate"
	"cxdeck/ui"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// runningScene is a running scene: the change that began it, and its port.
type runningScene struct {
	entry driver.Entry
	port  *labstate.Port
}

// findRunning finds the running scenes: their changes were applied and not undone. Of several changes it takes the newest.
func findRunning(running map[int]runningScene, state *labstate.State, journal []driver.Entry) {
	undone := map[uint64]bool{}
	for _, e := range slices.Backward(journal) {
		switch {
		case e.Err != "":
		case e.Undoes != 0:
			undone[e.Undoes] = true
		case !undone[e.Sequence]:
			i, port := sceneOf(state, e.Plan.Title)
			if _, newer := running[i]; port != nil && !newer {
				running[i] = runningScene{e, port}
			}
		}
	}
}

// sceneOf returns the scene of a plan, by its title, and its port; nil for a plan without a scene.
func sceneOf(state *labstate.State, title string) (scene int, port *labstate.Port) {
	for i := range state.Scenes {
		if connection, ok := strings.CutPrefix(title, state.Scenes[i].Title+" at "); ok {
			return i, portOf(state, connection)
		}
	}
	return -1, nil
}

// portOf returns the port of a connection, nil for none.
func portOf(state *labstate.State, connection string) *labstate.Port {
	for i := range state.Ports {
		if state.Ports[i].Description.Connection == connection {
			return &state.Ports[i]
		}
	}
	return nil
}

// place returns the connection at which a scene runs, or would run.
func (v *View) place(scene int) string {
	if p, runs := v.running[scene]; runs {
		return p.port.Description.Connection
	}
	if chosen := v.chosen[scene]; chosen != "" {
		return chosen
	}
	return v.state.Scenes[scene].Connection
}

// showing returns the counters and events of a scene at its present port.
func (v *View) showing(scene int) scenes.PortScene {
	place := v.place(scene)
	for _, shows := range v.state.Scenes[scene].Places {
		if shows.Connection == place {
			return shows
		}
	}
	return scenes.PortScene{}
}

// placeAction chooses the next possible port for the selected scene.
func (v *View) placeAction() ui.Action {
	a := ui.Action{ID: "lab.place", Keys: []string{"."}, FormerKeys: []string{"c"}, Name: "next port",
		Help: "Run the selected scene at another port: the next one that can show it"}
	if v.deck.Recorded() { // the key steps through the recording
		a.Keys, a.FormerKeys = nil, nil
	}
	s := v.scene()
	if s == nil {
		a.Disabled = "select a scene first"
		return a
	}
	scene := v.selected(scenesPart)
	if _, runs := v.running[scene]; runs {
		a.Disabled = s.Title + " is running: Space ends it first"
		return a
	}
	var places []string
	for _, shows := range s.Places {
		if shows.Refusal == "" {
			places = append(places, shows.Connection)
		}
	}
	if len(places) < 2 {
		a.Disabled = "no other port of this lab can show " + s.Title
		return a
	}
	next := places[(slices.Index(places, v.place(scene))+1)%len(places)]
	a.Object = next
	a.Run = func() ui.Cmd {
		v.chosen[scene] = next
		v.page.Stale = true
		return nil
	}
	return a
}

// runSceneAction runs the selected scene, or ends it.
func (v *View) runSceneAction() ui.Action {
	a := ui.Action{ID: "lab.play", Keys: []string{" "}, Name: "run", AsksFirst: true, Changes: true,
		Help: "Run the selected scene, or end it: all its changes are undone"}
	if a.Disabled = v.deck.CannotChange(); a.Disabled != "" {
		return a
	}
	s := v.scene()
	if s == nil {
		a.Disabled = "select a scene to run"
		return a
	}
	a.Object = s.Title
	if p, runs := v.running[v.selected(scenesPart)]; runs {
		a.Name = "end"
		a.Run = func() ui.Cmd { return change.EndScene(v.deck, "End "+p.entry.Plan.Title, p.entry.Sequence) }
		return a
	}
	a.Disabled = s.Refusal
	scene, connection := s.Scene, v.place(v.selected(scenesPart))
	note := s.Story + " That disturbs the traffic there until the scene is ended."
	a.Run = func() ui.Cmd {
		return change.DoBuilt(v.deck, "Run", "Run "+scene.Title, note, func(host *driver.Host) (driver.Plan, error) {
			return scene.Plan(host, connection)
		})
	}
	return a
}

// fixAction reviews the plan that fixes the selected scene while it runs.
func (v *View) fixAction() ui.Action {
	a := ui.Action{ID: "lab.review", Keys: []string{"r"}, Name: "fix", Changes: true, AsksFirst: true,
		Help: "Review and apply the plan that fixes the situation of the selected scene while it runs"}
	if a.Disabled = v.deck.CannotChange(); a.Disabled != "" {
		return a
	}
	s := v.scene()
	if s == nil {
		a.Disabled = "select a scene first"
		return a
	}
	p, runs := v.running[v.selected(scenesPart)]
	switch {
	case s.Fix.Text == "":
		a.Disabled = s.Title + " has no fix: Space ends it"
	case !runs:
		a.Disabled = s.Title + " is not running: Space runs it"
	}
	if a.Disabled != "" {
		return a
	}
	scene, connection := s.Scene, p.port.Description.Connection
	a.Object = s.Title
	a.Run = func() ui.Cmd {
		return change.DoBuilt(v.deck, "Apply", scene.FixTitle(connection), scene.Fix.Text, func(host *driver.Host) (driver.Plan, error) {
			return scene.FixPlan(host, connection)
		})
	}
	return a
}

// sign is a counter that a scene changes; series is -1 if the source does not have it.
type sign struct {
	path   string
	way    scenes.Trend
	series int
}

// sceneCounters finds the counters of a scene.
func (v *View) sceneCounters(scene int) []sign {
	var list []sign
	for _, s := range v.showing(scene).Signs {
		i, ok := v.schema.Find(s.Counter)
		if !ok {
			i = -1
		}
		list = append(list, sign{s.Counter, s.Way, i})
	}
	return list
}

// paths returns the paths of the counters of a scene that this source has.
func (v *View) paths(scene int) []string {
	var paths []string
	for _, counter := range v.sceneCounters(scene) {
		if counter.series >= 0 {
			paths = append(paths, counter.path)
		}
	}
	return paths
}

// newestEvent returns the newest event of a kind at a connection since a time, nil for none.
func newestEvent(log *deck.EventLog, key, connection string, since time.Time) *eventlog.Event {
	first, end := log.Span()
	for at := end - 1; at >= first; at-- {
		e := log.At(at)
		if e.Time.Before(since) {
			return nil
		}
		if e.Key == key && (connection == "" || e.Adapter == connection || e.Adapter == "") {
			return e
		}
	}
	return nil
}
