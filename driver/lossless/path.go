package lossless

import (
	"fmt"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/farend"
	"cxdeck/device/setup"
	"cxdeck/driver/qos"
)

// Ends are the two ends of a cable.
type Ends struct {
	// QoS is the QoS state of Windows, and Port the index in QoS.Ports.
	QoS  *qos.View
	Port int
	// Adapter and Switch are the operational settings of the port and the switch port, which DCBX may have replaced.
	Adapter setup.Port
	// SwitchName is the name of the switch port: "Eth1/7".
	SwitchName string
	Switch     setup.SwitchPort
	// Remote is the configuration of the far end, Far its differences from the near end, and Counts its counters.
	Remote setup.Remote
	Far    setup.FarEnd
	Counts farend.Path
}

// Path is the path of frames from the host over the cable to the switch.
type Path struct {
	Settings   []Setting
	Mismatches []Mismatch
	// Needs are what RDMA workloads of the host lack: they use TCP, or stop. Host.Paths adds them.
	Needs []Mismatch
	// SwitchPFC are the priorities for which the switch port has PFC.
	SwitchPFC qos.Priorities
}

// Setting is a setting with its values along the path. A place that has no such setting has an empty text.
type Setting struct {
	Name            string
	Adapter, Switch string
	// Host is the configuration of Windows; FarSwitch and FarAdapter are the second switch port and the peers' adapters.
	Host, FarSwitch, FarAdapter string
	// SwitchDiffers says that the two switch ports don't agree, FarDiffers that the second one and the peers don't.
	SwitchDiffers, FarDiffers bool
	// Compared reports that the ends must agree on the setting, Differs that they don't.
	Compared, Differs bool
}

// Mismatch is a difference between the ends that loses or delays frames.
type Mismatch struct {
	// Kind identifies what differs: "pfc-switch"; see the constants.
	Kind Kind
	// Place is its place on the path.
	Place Place
	// Priority is the affected priority, -1 for all frames.
	Priority int
	// Text says what differs and what it causes, a sentence without its full stop.
	Text string
	// Counters are the names of the counters that rise because of the mismatch, in the sets of both drivers.
	Counters []string
	// Evidence are counts beyond the host's own counters that prove it, since the start of the lab.
	Evidence []Evidence
	// Title describes the plan that fixes the mismatch, and Fix are its Operations; nil if the console can't fix it.
	Title string
	Fix   []Operation
	// Restarts reports that the plan takes effect at a restart of the adapter, which Host.Paths appends to Fix.
	Restarts bool
}

// Kind is a kind of mismatch.
type Kind string

// The kinds: different flow control, PFC that the switch port or the adapter lacks, RDMA without flow control, priorities that get
// lost, frames that the switch drops for their length, differences beyond the first switch port, and congestion control of priorities
// without RDMA.
const (
	PauseModes    Kind = "pause-modes"
	SwitchPFC     Kind = "pfc-switch"
	HostPFC       Kind = "pfc-host"
	Unprotected   Kind = "unprotected"
	LostPriority  Kind = "lost-priority"
	LongFrames    Kind = "long-frames"
	FarSwitch     Kind = "far-switch"
	FarAdapter    Kind = "far-adapter"
	FarMarks      Kind = "far-marks"
	FarCongestion Kind = "far-congestion"
	StrayControl  Kind = "stray-congestion"
	LostNotices   Kind = "lost-notices"
	WorkloadNeed  Kind = "need"
)

// Operation is an Operation of any part of the host.
type Operation interface {
	Kind() string
	Target() string
	Describe() string
	Commands() []string
}

// Compare compares the ends of a port's cable. An InfiniBand port has a path without settings.
func Compare(e *Ends) Path {
	if !e.windows().Ethernet {
		return Path{}
	}
	p := Path{Mismatches: []Mismatch{}}
	for _, find := range []func(*Ends) []Mismatch{pauseModes, missingPriorities, unprotected, lostPriorities, findStrayControl, longFrames, farMismatches} {
		p.Mismatches = append(p.Mismatches, find(e)...)
	}
	p.Settings, p.SwitchPFC = e.settings(), e.switchProtected()
	return p
}

func (e *Ends) windows() *qos.PortView { return &e.QoS.Ports[e.Port] }

func (e *Ends) name() string { return e.windows().Connection }

// protected returns the priorities for which the adapter has PFC; none where it uses global pause or no flow control.
func (e *Ends) protected() qos.Priorities { return e.windows().Operational }

// mode returns the flow control of the adapter: PFC takes precedence over global pause (QOS-1).
func (e *Ends) mode() description.FlowControl {
	switch {
	case e.protected() != 0:
		return description.PriorityPause
	case e.Adapter.AsksPause || e.Adapter.ObeysPause:
		return description.GlobalPause
	}
	return description.NoFlowControl
}

// switchProtected returns the priorities for which the switch port has PFC.
func (e *Ends) switchProtected() qos.Priorities {
	if e.Switch.FlowControl != description.PriorityPause {
		return 0
	}
	return qos.Priorities(e.Switch.Lossless)
}

// modeText returns a flow control as a table shows it.
func modeText(mode description.FlowControl, priorities qos.Priorities) string {
	switch {
	case mode == description.PriorityPause && priorities != 0:
		return "PFC on " + priorities.Ranges()
	case mode == description.PriorityPause:
		return "PFC on no priority"
	case mode == description.GlobalPause:
		return "global pause"
	}
	return "off"
}

func (e *Ends) settings() []Setting {
	here, there := modeText(e.mode(), e.protected()), modeText(e.Switch.FlowControl, e.switchProtected())
	if e.mode() == description.GlobalPause && e.Adapter.AsksPause != e.Adapter.ObeysPause {
		here = map[bool]string{true: "sends global pause", false: "obeys global pause"}[e.Adapter.AsksPause]
	}
	frame := func(bytes int) string { return fmt.Sprintf("%d bytes", bytes) }
	list := []Setting{
		{Name: flowControlName, Adapter: here, Switch: there, Compared: true, Differs: e.mode() != e.Switch.FlowControl || e.protected() != e.switchProtected()},
		{Name: dcbxName, Adapter: e.hostExchange(), Switch: e.switchExchange()},
		{Name: "Classes", Adapter: e.classes()},
		{Name: trustName, Adapter: trustText(e.Adapter.TrustDSCP), Switch: trustText(bool(e.Switch.Trust))},
		{Name: codesName, Adapter: e.codes()},
		{Name: controlName, Adapter: e.reaction(), Switch: e.marking()},
		{Name: "Longest frame", Adapter: frame(e.Adapter.MaxFrame), Switch: frame(e.Switch.MaxFrame), Compared: true, Differs: len(longFrames(e)) > 0},
	}
	e.farSettings(list)
	return list
}

// The names of settings that the far end has, too.
const (
	flowControlName = "Flow control"
	dcbxName        = "DCBX"
	trustName       = "Trusted field"
	codesName       = "RDMA DSCP"
	controlName     = "Congestion control"
)

// trustText returns the field that sets the priority of received frames.
func trustText(dscp bool) string {
	if dscp {
		return "DSCP"
	}
	return "802.1p tag"
}

// codes lists the DSCP and the priority of RDMA programs.
func (e *Ends) codes() string {
	var list []string
	seen := map[string]bool{}
	for i := range e.QoS.Flows {
		f := &e.QoS.Flows[i]
		if f.Port != e.Port || f.NetDirectPort == 0 {
			continue
		}
		text := fmt.Sprintf("DSCP %d without a priority", f.Sent.DSCP)
		if f.Priority >= 0 {
			text = fmt.Sprintf("DSCP %d on priority %d", f.Sent.DSCP, f.Priority)
		}
		if !seen[text] {
			seen[text], list = true, append(list, text)
		}
	}
	if list == nil {
		return "no RDMA"
	}
	return strings.Join(list, "; ")
}

// classes lists the shares of the traffic classes.
func (e *Ends) classes() string {
	p := e.windows()
	if !p.Acts {
		return "equal shares"
	}
	list := make([]string, 0, len(p.Classes))
	for _, c := range p.Classes {
		share := "strict"
		if c.Algorithm == qos.ETS {
			share = fmt.Sprintf("%d%%", c.Bandwidth)
		}
		list = append(list, c.Name+" "+share)
	}
	return strings.Join(list, ", ")
}

// reaction lists the priorities whose senders slow down on CNPs (DCQ-1).
func (e *Ends) reaction() string {
	var set qos.Priorities
	for p := range 8 {
		if e.Adapter.Congestion.Reacts(uint8(p)) {
			set |= 1 << p
		}
	}
	if set == 0 {
		return "off"
	}
	return "on priority " + set.Ranges()
}

// marking returns the queue length above which the switch marks RDMA frames (DCQ-22).
func (e *Ends) marking() string {
	if m := e.Switch.Marking; m.Probability > 0 {
		return fmt.Sprintf("ECN marks above %.0f KB", m.Min/1000)
	}
	return "off"
}
