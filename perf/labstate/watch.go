package labstate

import (
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/scenes"
)

// The bounds of the recorded rates of workloads.
const (
	recentSpan = time.Minute
	maxRecent  = 600
)

// Tracker makes the states of a lab.
type Tracker struct {
	scenes []Scene
	recent []Rates
	loads  loadTracker
}

// scenesIn returns the ready scenes, with where they show in this lab.
func scenesIn(host *driver.Host) (list []Scene) {
	for _, scene := range scenes.All() {
		one := Scene{Scene: scene, Connection: scene.Connection(host)}
		if one.Connection == "" {
			one.Refusal = "no port of this lab can show it"
		} else if _, err := scene.Plan(host, one.Connection); err != nil {
			one.Refusal = err.Error()
		}
		for port := range host.Lab().Ports() {
			d, _, _ := host.Lab().Port(port)
			if shows, err := scene.At(host, d.Connection); err == nil { // it lists its ports
				one.Places = append(one.Places, shows)
			}
		}
		list = append(list, one)
	}
	return list
}

// Column keeps the rates of a new column. The scenes come with the first one, beside the first frame of a console and
// not before it.
func (w *Tracker) Column(host *driver.Host) {
	if w.scenes == nil {
		w.scenes = scenesIn(host)
	}
	flows := host.Lab().Flows()
	rates := Rates{Time: host.Now(), Rates: make([]float32, len(flows))}
	for i := range flows {
		rates.Rates[i] = float32(flows[i].ReceiveRate + flows[i].SendRate)
	}
	// What was published keeps its part of the array: new columns go behind it, and append moves what is kept to a new
	// array now and then.
	w.recent = append(w.recent, rates)
	from := max(len(w.recent)-maxRecent, 0)
	for rates.Time.Sub(w.recent[from].Time) > recentSpan {
		from++
	}
	w.recent = w.recent[from:]
	w.loads.column(host)
}

// Loaded reports whether there are loads: they take two columns.
func (w *Tracker) Loaded() bool { return len(w.loads.recent) > 0 }

// State returns the lab now.
func (w *Tracker) State(host *driver.Host) *State {
	lab := host.Lab()
	s := &State{Scenes: w.scenes, Recent: w.recent[:len(w.recent):len(w.recent)], Ports: make([]Port, lab.Ports())}
	session := host.Management()
	for port := range s.Ports {
		description, adapter, _ := lab.Port(port)
		link := lab.State(port)
		s.Ports[port] = Port{
			Adapter: &lab.Description().Adapters[adapter], Description: description, Cabled: link.Cabled, Up: link.Up,
			Subnet: link.Subnet, Management: description.Connection == session,
			Switch: lab.SwitchPort(port), Slot: lab.Slot(adapter), ProcessorSpeed: lab.ProcessorSpeed(port), Far: lab.FarEnd(port),
			State: host.State(port), VLANs: host.VLANsOf(port),
		}
		if err := host.CanJoin("", 0, description.Connection); err != nil {
			s.Ports[port].JoinRefusal = err.Error()
		}
	}
	s.Teams, s.Waits = host.Teams(), host.Waits()
	s.QoS = host.QoS()
	s.Paths = host.Paths(&s.QoS)
	s.Host, s.Loads = host.View(), slices.Clip(w.loads.recent)
	s.OlderLoads = slices.Clip(w.loads.older)
	flows := lab.Flows()
	s.Flows = make([]Flow, len(flows))
	for i, f := range flows {
		s.Flows[i] = Flow{f, s.Ports[f.Port].Description.Connection}
	}
	return s
}
