package perf

import (
	"slices"
	"time"

	"cxdeck/device"
	"cxdeck/driver"
)

// LabState is what is around the adapters of a lab and can be changed there: workloads, cables, switch ports, slots. A
// published LabState never changes.
type LabState struct {
	// Flows are the workloads, in the order of the description.
	Flows []LabFlow
	// Ports are all ports in the order of the inventory.
	Ports []LabPort
	// Teams are in the order in which they were made.
	Teams []driver.TeamView
	// Scenes are the ready scenes, each with where it would play.
	Scenes []LabScene
	// Recent are the workloads' rates in the columns of the newest minute, oldest first.
	Recent []LabRates
	// Waits are what the host does and ends by itself, the next to end first.
	Waits []driver.Wait
	// Host is the operating system's side: virtual functions, switches and machines.
	Host *driver.View
	// Loads are those of virtual functions and guests in the newest columns, oldest first.
	Loads []*LabLoads
	// OlderLoads are averages of ten seconds each, oldest first, which reach ten minutes back; the newest overlap Loads.
	OlderLoads []*LabLoads
}

// LabFlow is a group of flows with the connection that it goes through.
type LabFlow struct {
	device.FlowState
	Connection string
}

// LabPort is a port with its cable, the switch port at the far end, and the slot of its card.
type LabPort struct {
	Adapter     *device.Adapter
	Description *device.Port
	Cabled, Up  bool
	// Management says that the operator's own session goes through the port.
	Management bool
	// Subnet is the state of an InfiniBand port in its subnet.
	Subnet device.SubnetState
	Switch device.SwitchSettings
	Slot   device.Slot
	// ProcessorSpeed is the part of their speed that the processors have for the port.
	ProcessorSpeed float64
	// Far is what the switch port and the peers have counted.
	Far device.FarEnd
	// State is how its driver is.
	State driver.AdapterState
	// VLANs are those of the port itself.
	VLANs []driver.VLANView
	// JoinRefusal is why it can't be a member of any new team; empty when it can.
	JoinRefusal string
}

// LabScene is a ready scene and the connection that shows it best in this lab.
type LabScene struct {
	driver.Scene
	Connection string
	// Places are all connections, with what shows there or why nothing does.
	Places []driver.Showing
	// Refusal is why it can't be played in this lab; empty when it can.
	Refusal string
}

// LabRates are the rates of all flows in one column: what was received and sent, in bits a second.
type LabRates struct {
	Time  time.Time
	Rates []float32
}

// The bounds of what is kept of the workloads' rates.
const (
	labRecent     = time.Minute
	labRecentMost = 600
)

// labWatch makes the states of a lab.
type labWatch struct {
	scenes []LabScene
	recent []LabRates
	loads  loadWatch
}

// labScenes are the ready scenes, with where they show in this lab.
func labScenes(host *driver.Host) (list []LabScene) {
	for _, scene := range driver.Scenes() {
		one := LabScene{Scene: scene, Connection: scene.Connection(host)}
		if one.Connection == "" {
			one.Refusal = "no port of this lab can show it"
		} else if _, err := scene.Plan(host, one.Connection); err != nil {
			one.Refusal = err.Error()
		}
		for port := range host.Lab().Ports() {
			d, _, _ := host.Lab().Port(port)
			if shows, err := scene.At(host, d.Connection); err == nil { // it knows its own ports
				one.Places = append(one.Places, shows)
			}
		}
		list = append(list, one)
	}
	return list
}

// column keeps the rates of a new column. The scenes come with the first one, beside the first frame of a console and
// not before it.
func (w *labWatch) column(host *driver.Host) {
	if w.scenes == nil {
		w.scenes = labScenes(host)
	}
	flows := host.Lab().Flows()
	rates := LabRates{Time: host.Now(), Rates: make([]float32, len(flows))}
	for i := range flows {
		rates.Rates[i] = float32(flows[i].ReceiveRate + flows[i].SendRate)
	}
	// What was published keeps its part of the array: new columns go behind it, and append moves what is kept to a new
	// array now and then.
	w.recent = append(w.recent, rates)
	from := max(len(w.recent)-labRecentMost, 0)
	for rates.Time.Sub(w.recent[from].Time) > labRecent {
		from++
	}
	w.recent = w.recent[from:]
	w.loads.column(host)
}

// state is the lab now.
func (w *labWatch) state(host *driver.Host) *LabState {
	lab := host.Lab()
	s := &LabState{Scenes: w.scenes, Recent: w.recent[:len(w.recent):len(w.recent)], Ports: make([]LabPort, lab.Ports())}
	session := host.Management()
	for port := range s.Ports {
		description, adapter, _ := lab.Port(port)
		link := lab.State(port)
		s.Ports[port] = LabPort{
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
	s.Host, s.Loads = host.View(), slices.Clip(w.loads.recent)
	s.OlderLoads = slices.Clip(w.loads.older)
	flows := lab.Flows()
	s.Flows = make([]LabFlow, len(flows))
	for i, f := range flows {
		s.Flows[i] = LabFlow{f, s.Ports[f.Port].Description.Connection}
	}
	return s
}
