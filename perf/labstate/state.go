package labstate

import (
	"math"
	"slices"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/subnet"
	"cxdeck/driver"
	"cxdeck/driver/health/findings"
	"cxdeck/driver/lossless"
	"cxdeck/driver/qos"
	"cxdeck/driver/scenes"
	"cxdeck/driver/survey"
	"cxdeck/driver/teams"
)

// State is the environment of a lab's adapters: workloads, cables, switch ports, slots. A published State never changes.
type State struct {
	// Flows are the workloads, in the order of the description.
	Flows []Flow
	// Ports are all ports in the order of the inventory.
	Ports []Port
	// Teams are in the order of their creation.
	Teams []teams.View
	// Scenes are the ready-made scenes, each with the connections that can show it.
	Scenes []Scene
	// Recent are the rates of workloads in the columns of the newest minute, oldest first.
	Recent []Rates
	// Waits are the operations in progress that end by themselves, the next to end first.
	Waits []driver.Wait
	// QoS is the quality of service of Windows; Paths compare the two ends of each port's cable, in the order of Ports.
	QoS   qos.View
	Paths []lossless.Path
	// Drift has the failed checks of the stored intent; nil for a host without one.
	Drift *survey.Drift
	// Facts are the facts about the host of a recording that the rules of driver/health/findings read; nil for a live host.
	Facts *findings.Facts
	// Host is the operating system's side: virtual functions, switches and machines.
	Host *driver.View
	// Loads are the loads of virtual functions and guests in the newest columns, oldest first.
	Loads []*Loads
	// OlderLoads are averages of ten seconds each, oldest first, which reach ten minutes back; the newest overlap Loads.
	OlderLoads []*Loads
}

// WithoutRates returns the state with NaN for rates and without loads, for a recorded host at a time long after it was saved.
func (s *State) WithoutRates() *State {
	known := *s
	known.Flows = slices.Clone(s.Flows)
	for i := range known.Flows {
		known.Flows[i].ReceiveRate, known.Flows[i].SendRate = math.NaN(), math.NaN()
	}
	known.Recent, known.Loads, known.OlderLoads = nil, nil, nil
	return &known
}

// Flow is a group of flows with the connection that it goes through.
type Flow struct {
	device.FlowState
	Connection string
}

// Congestion are the counts of congestion control of a priority of a port. WinOF-2 has such counters of the port only.
type Congestion struct {
	// Marked are the received RDMA frames that a switch marked, NoticesSent the notifications (CNPs) that answered them, NoticesHandled
	// the received notifications that slowed a sender down.
	Marked, NoticesSent, NoticesHandled uint64
}

// Port is a port with its cable, the switch port at the far end, and the slot of its card.
type Port struct {
	Adapter     *description.Adapter
	Description *description.Port
	Cabled, Up  bool
	// Management reports that the operator's own session goes through the port.
	Management bool
	// Subnet is the state of an InfiniBand port in its subnet.
	Subnet subnet.State
	Switch setup.SwitchPort
	Slot   setup.Slot
	// ProcessorSpeed is the part of the processors' speed that is available to the port, 0 to 1.
	ProcessorSpeed float64
	// Stall is the receive-stall monitor of an Ethernet port.
	Stall device.StallMonitor
	// Congestion are the counts of congestion control since the host's start, by priority; the last row is for frames without one.
	Congestion [counter.Priorities]Congestion
	// Far holds the counters of the switch port and the peers.
	Far device.FarEnd
	// State is the state of its driver.
	State driver.AdapterState
	// RoCE is the mode in effect.
	RoCE description.RoCEMode
	// VLANs are the VLANs on the port itself, not on a team.
	VLANs []teams.VLANView
	// JoinRefusal is the reason why the port can't join a new team; empty when it can.
	JoinRefusal string
}

// Scene is a ready scene and the connection that shows it best in this lab.
type Scene struct {
	scenes.Scene
	Connection string
	// Places are all connections, with the effect of the scene there or the reason why it has none.
	Places []scenes.PortScene
	// Refusal is the reason why the scene can't be played in this lab; empty when it can.
	Refusal string
}

// Rates are the rates of all flows in one column: received plus sent, in bits per second.
type Rates struct {
	Time  time.Time
	Rates []float32
}
