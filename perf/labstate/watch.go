package labstate

import (
	"slices"
	"time"

	"cxdeck/device/counter"
	"cxdeck/driver"
	"cxdeck/driver/scenes"
	"cxdeck/driver/survey"
)

// The limits of the recorded rates of workloads.
const (
	recentSpan = time.Minute
	maxRecent  = 600
)

// Tracker returns the states of a lab, and records the rates of workloads between them.
type Tracker struct {
	scenes []Scene
	recent []Rates
	loads  loadTracker
	drift  survey.Watch
}

// scenesIn returns the ready-made scenes, with the connections of this lab that show them.
func scenesIn(host *driver.Host) (list []Scene) {
	survey := scenes.NewSurvey(host)
	for _, scene := range scenes.All() {
		s := Scene{Scene: scene, Connection: survey.Connection(&scene)}
		if s.Connection == "" {
			s.Refusal = "no port of this lab can show it"
		} else if _, err := scene.Plan(host, s.Connection); err != nil {
			s.Refusal = err.Error()
		}
		for port := range host.Lab().Ports() {
			s.Places = append(s.Places, survey.At(&scene, port))
		}
		list = append(list, s)
	}
	return list
}

// Column records the rates of a new column. The first one also finds the scenes, so that they do not delay the first frame of a
// console.
func (w *Tracker) Column(host *driver.Host) {
	if w.scenes == nil {
		w.scenes = scenesIn(host)
	}
	flows := host.Lab().Flows()
	rates := Rates{Time: host.Now(), Rates: make([]float32, len(flows))}
	for i := range flows {
		rates.Rates[i] = float32(flows[i].ReceiveRate + flows[i].SendRate)
	}
	// Published slices keep their part of the array: new columns are appended behind it, and append copies the kept ones to a
	// new array from time to time.
	w.recent = append(w.recent, rates)
	from := max(len(w.recent)-maxRecent, 0)
	for rates.Time.Sub(w.recent[from].Time) > recentSpan {
		from++
	}
	w.recent = w.recent[from:]
	w.loads.column(host)
}

// Loaded reports whether there are loads, which need two columns.
func (w *Tracker) Loaded() bool { return len(w.loads.recent) > 0 }

// State returns the current state of the lab.
func (w *Tracker) State(host *driver.Host) *State {
	lab := host.Lab()
	s := &State{Scenes: w.scenes, Recent: w.recent[:len(w.recent):len(w.recent)], Ports: make([]Port, lab.Ports())}
	session, counters := host.Management(), lab.Counters()
	for port := range s.Ports {
		description, adapter, _ := lab.Port(port)
		link := lab.State(port)
		s.Ports[port] = Port{
			Adapter: &lab.Description().Adapters[adapter], Description: description, Cabled: link.Cabled, Up: link.Up,
			Subnet: link.Subnet, Management: description.Connection == session,
			Switch: lab.SwitchPort(port), Slot: lab.Slot(adapter), ProcessorSpeed: lab.ProcessorSpeed(port), Far: lab.FarEnd(port),
			State: host.State(port), RoCE: lab.Settings(port).RoCE, VLANs: host.VLANsOf(port),
		}
		s.Ports[port].Stall, _ = lab.StallMonitor(port)
		for priority := range counter.Priorities {
			cell := func(c counter.Priority) uint64 { return counters[counter.PriorityCell(port, priority, c)] }
			s.Ports[port].Congestion[priority] = Congestion{
				Marked: cell(counter.PriorityECNMarked), NoticesSent: cell(counter.PriorityCNPsSent), NoticesHandled: cell(counter.PriorityCNPsHandled),
			}
		}
		if err := host.CanJoin("", 0, description.Connection); err != nil {
			s.Ports[port].JoinRefusal = err.Error()
		}
	}
	s.Teams, s.Waits = host.Teams(), host.Waits()
	s.QoS = host.QoS()
	s.Paths, s.Host = host.Paths(&s.QoS), host.View()
	s.Drift = w.drift.Drift(survey.HostViews{Host: host, View: s.Host, QoS: &s.QoS, Paths: s.Paths})
	s.Loads = slices.Clip(w.loads.recent)
	s.OlderLoads = slices.Clip(w.loads.older)
	flows := lab.Flows()
	s.Flows = make([]Flow, len(flows))
	for i, f := range flows {
		s.Flows[i] = Flow{f, s.Ports[f.Port].Description.Connection}
	}
	return s
}
