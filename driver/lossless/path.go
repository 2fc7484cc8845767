package lossless

import (
	"fmt"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/qos"
)

// Ends is what is compared.
type Ends struct {
	// QoS is what Windows has, and Port the port's place in its list of ports.
	QoS  *qos.View
	Port int
	// Adapter is what the port works with, and Switch what the switch port does: what DCBX has replaced is not as it is configured.
	Adapter setup.Port
	// SwitchName is the name of the switch port: "Eth1/7".
	SwitchName string
	Switch     setup.SwitchPort
}

// Path is the way of frames from the host over the cable to the switch.
type Path struct {
	Settings   []Setting
	Mismatches []Mismatch
	// SwitchPFC are the priorities for which the switch port has PFC.
	SwitchPFC qos.Priorities
}

// Setting is a setting with its values at the two ends of the cable. An end that has no such setting has an empty text.
type Setting struct {
	Name            string
	Adapter, Switch string
	// Compared says that the ends must agree on it, Differs that they don't.
	Compared, Differs bool
}

// Mismatch is a difference that costs frames or time.
type Mismatch struct {
	// Priority is the one that it affects, -1 for all frames.
	Priority int
	// Text says what does not fit and what that does, a sentence without its end.
	Text string
	// Counters are the names of the counters that rise because of it, in the sets of either driver.
	Counters []string
	// Title says what the plan does, and Fix are its Operations; none where the console can't fix it.
	Title string
	Fix   []Operation
	// Restarts says that the plan takes effect at a restart of the adapter, which Host.Paths appends to Fix.
	Restarts bool
}

// Operation is an Operation of any part of the host.
type Operation interface {
	Kind() string
	Target() string
	Describe() string
	Commands() []string
}

// Compare follows a port's cable. An InfiniBand port has a path without settings.
func Compare(e *Ends) Path {
	if !e.windows().Ethernet {
		return Path{}
	}
	p := Path{Mismatches: []Mismatch{}}
	for _, find := range []func(*Ends) []Mismatch{pauseModes, missingPriorities, unprotected, lostPriorities, longFrames} {
		p.Mismatches = append(p.Mismatches, find(e)...)
	}
	p.Settings, p.SwitchPFC = e.settings(), e.switchProtected()
	return p
}

func (e *Ends) windows() *qos.PortView { return &e.QoS.Ports[e.Port] }

func (e *Ends) name() string { return e.windows().Connection }

// protected returns the priorities for which the adapter has PFC; none where it uses global pause or no flow control.
func (e *Ends) protected() qos.Priorities { return e.windows().Operational }

// mode returns how the adapter asks its far end to wait: PFC wins over global pause (QOS-1).
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
	return []Setting{
		{"Flow control", here, there, true, e.mode() != e.Switch.FlowControl || e.protected() != e.switchProtected()},
		{"DCBX", e.hostExchange(), e.switchExchange(), false, false},
		{"Classes", e.classes(), "", false, false},
		{"Trusts", trustText(e.Adapter.TrustDSCP), trustText(bool(e.Switch.Trust)), false, false},
		{"DSCP of RDMA", e.codes(), "", false, false},
		{"Congestion control", e.reaction(), e.marking(), false, false},
		{"Longest frame", fmt.Sprintf("%d bytes", e.Adapter.MaxFrame), fmt.Sprintf("%d bytes", e.Switch.MaxFrame), true, len(longFrames(e)) > 0},
	}
}

// trustText returns the field that gives received frames their priority.
func trustText(dscp bool) string {
	if dscp {
		return "DSCP"
	}
	return "the tag (PCP)"
}

// codes lists the DSCPs of the priorities that carry RDMA.
func (e *Ends) codes() string {
	var list []string
	seen := map[string]bool{}
	for i := range e.QoS.Flows {
		f := &e.QoS.Flows[i]
		if f.Port != e.Port || f.NetDirectPort == 0 {
			continue
		}
		text := fmt.Sprintf("%d without a priority", f.Sent.DSCP)
		if f.Priority >= 0 {
			text = fmt.Sprintf("%d on %d", f.Sent.DSCP, f.Priority)
		}
		if !seen[text] {
			seen[text], list = true, append(list, text)
		}
	}
	if list == nil {
		return "no RDMA"
	}
	return strings.Join(list, ", ")
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

// reaction says for which priorities senders slow down for notifications (DCQ-1).
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
	return "reacts on " + set.Ranges()
}

// marking says from which queue length on the switch marks RDMA frames (DCQ-22).
func (e *Ends) marking() string {
	if m := e.Switch.Marking; m.Probability > 0 {
		return fmt.Sprintf("marks from %.0f KB", m.Min/1000)
	}
	return "marks nothing"
}
