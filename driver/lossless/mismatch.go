package lossless

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver/fabric"
	"cxdeck/driver/qos"
)

// The counters that show a mismatch, by their names in the sets of WinOF and WinOF-2.
var (
	pausesSent     = []string{"Sent Pause Frames"}
	pausesReceived = []string{"Received Pause Frames", "Rcv Pause Frames"}
	unheeded       = []string{"Sent Pause Frames", "packets received discarded"} // pauses that have no effect, and the frames that they don't save
	discards       = []string{"packets received discarded", "Sent Discard Frames"}
)

// pauseModes finds ends with different kinds of flow control: neither then obeys the other's pause frames (QOS-1).
func pauseModes(e *Ends) []Mismatch {
	mode := e.mode()
	if mode == e.Switch.FlowControl {
		return nil
	}
	m := Mismatch{Kind: PauseModes, Priority: -1, Counters: unheeded}
	switch {
	case mode == description.PriorityPause:
		m.Text = fmt.Sprintf("%s has %s, but %s has %s: it ignores pause frames of %s, which drops frames when its buffer is full",
			e.name(), modeText(mode, e.protected()), e.SwitchName, described(e.Switch.FlowControl), e.name())
		m.Title, m.Fix = "Set PFC on "+e.SwitchName+" to match "+e.name(), []Operation{e.switchPFC(e.protected())}
		m.Priority = e.protected().List()[0]
	case mode == description.GlobalPause:
		m.Text = fmt.Sprintf("%s uses global pause, but %s has %s: it ignores pause frames of %s, which drops frames when its buffer is full",
			e.name(), e.SwitchName, modeText(e.Switch.FlowControl, e.switchProtected()), e.name())
		m.Title = "Turn on global pause on " + e.SwitchName
		m.Fix = []Operation{fabric.SetSwitchPort{Connection: e.name(), FlowControl: new(description.GlobalPause)}}
		if fix := e.hostPFC(e.switchProtected()); len(fix) > 0 {
			m.Title, m.Fix = "Set PFC on "+e.name()+" to match "+e.SwitchName, fix
		}
	case e.switchProtected() != 0:
		m.Text = fmt.Sprintf("%s has %s, but %s ignores its pause frames: %s", e.SwitchName, modeText(e.Switch.FlowControl, e.switchProtected()), e.name(), e.why())
		m.Title, m.Fix = "Set PFC on "+e.name()+" to match "+e.SwitchName, e.hostPFC(e.switchProtected())
		m.Counters, m.Priority, m.Evidence = pausesReceived, e.switchProtected().List()[0], e.ignored()
	case e.Switch.FlowControl == description.GlobalPause:
		m.Text = fmt.Sprintf("%s uses global pause, but %s ignores its pause frames: *FlowControl 3 and a restart of the adapter turn global pause on", e.SwitchName, e.name())
		m.Counters, m.Evidence = pausesReceived, e.ignored()
	default:
		return nil
	}
	return []Mismatch{m}
}

// described returns a flow control for a sentence: "no flow control".
func described(mode description.FlowControl) string {
	switch mode {
	case description.PriorityPause:
		return "PFC on no priority"
	case description.GlobalPause:
		return "global pause"
	default:
		return "no flow control"
	}
}

// why returns why the adapter has no PFC.
func (e *Ends) why() string {
	if why := e.windows().Why; why != "" {
		return why
	}
	return "the host has PFC on no priority"
}

// missingPriorities finds priorities that have PFC at one end only.
func missingPriorities(e *Ends) (list []Mismatch) {
	if e.mode() != description.PriorityPause || e.Switch.FlowControl != description.PriorityPause {
		return nil
	}
	here, there := e.protected(), e.switchProtected()
	if missing := here &^ there; missing != 0 {
		list = append(list, Mismatch{
			Kind: SwitchPFC, Priority: missing.List()[0], Counters: unheeded,
			Text: fmt.Sprintf("%s has no PFC on %s: it ignores pause frames of %s, which drops frames when its buffer is full",
				e.SwitchName, missing.Words(), e.name()),
			Title: "Add PFC on " + missing.Words() + " to " + e.SwitchName, Fix: []Operation{e.switchPFC(here | there)},
		})
	}
	if missing := there &^ here; missing != 0 {
		list = append(list, Mismatch{
			Kind: HostPFC, Priority: missing.List()[0], Counters: pausesReceived, Evidence: e.ignored(),
			Text: fmt.Sprintf("%s has no PFC on %s: it ignores pause frames of %s, whose queue then drops frames",
				e.name(), missing.Words(), e.SwitchName),
			Title: "Add PFC on " + missing.Words() + " to " + e.name(), Fix: e.hostPFC(missing),
		})
	}
	return list
}

// unprotected finds RDMA programs of the host without flow control for their frames, which makes RoCE unreliable (ROCE-6).
// Programs with the same port and priority are one mismatch.
func unprotected(e *Ends) (list []Mismatch) {
	if e.mode() == description.GlobalPause {
		return nil
	}
	type program struct{ port, priority int }
	var programs []program
	names := map[program][]string{}
	for i := range e.QoS.Flows {
		f := &e.QoS.Flows[i]
		if f.Port != e.Port || f.NetDirectPort == 0 || f.Priority >= 0 && e.protected().Has(f.Priority) {
			continue
		}
		key := program{f.NetDirectPort, f.Priority}
		if names[key] == nil {
			programs = append(programs, key)
		}
		names[key] = append(names[key], f.Name)
	}
	for _, p := range programs {
		priority := "without a priority"
		if p.priority >= 0 {
			priority = fmt.Sprintf("on priority %d, which has no PFC", p.priority)
		}
		flows := fmt.Sprintf("%q", names[p][0])
		if n := len(names[p]); n > 1 {
			flows = fmt.Sprintf("%s (and %d more)", flows, n-1)
		}
		m := Mismatch{
			Kind: Unprotected, Priority: p.priority, Counters: discards,
			Text: fmt.Sprintf("the workload %s sends RDMA %s: frames are dropped when a buffer is full", flows, priority),
		}
		m.Title, m.Fix = e.protect(p.port, p.priority)
		list = append(list, m)
	}
	return list
}

// protect returns the plan that gives the RDMA programs of a port a priority with PFC: the first priority with PFC, or their own
// priority if none has PFC.
func (e *Ends) protect(port, own int) (title string, fix []Operation) {
	if set := e.protected(); set != 0 {
		priority := set.List()[0]
		if rows, sent := e.application(port, priority); sent {
			return fmt.Sprintf("Let %s send priority %d for NetworkDirect port %d", e.SwitchName, priority, port),
				[]Operation{fabric.SetSwitchPort{Connection: e.name(), Applications: &rows}}
		}
		title = fmt.Sprintf("Give NetworkDirect port %d priority %d", port, priority)
		for i := range e.QoS.Policies {
			p := e.QoS.Policies[i].Policy
			if p.NetDirectPort == port && e.QoS.Policies[i].ShadowedBy == "" {
				p.Priority = &priority
				return title, []Operation{qos.SetPolicy{Policy: p}}
			}
		}
		policy := qos.Policy{Name: fmt.Sprintf("NetworkDirect %d", port), NetDirectPort: port, Priority: &priority}
		return title, []Operation{qos.AddPolicy{Policy: policy}}
	}
	if own < 0 {
		return "", nil
	}
	set := qos.Priorities(1) << own
	exchange := &e.windows().DCBX
	if exchange.HostAccepts { // the host uses the settings of the switch port
		return fmt.Sprintf("Turn on PFC on priority %d at %s, whose settings %s uses", own, e.SwitchName, e.name()),
			[]Operation{e.switchPFC(e.switchProtected() | set)}
	}
	if fix = e.hostPFC(set); len(fix) == 0 {
		return "", nil
	}
	if e.switchProtected()&set == 0 && !exchange.NeighbourAccepts {
		fix = append(fix, e.switchPFC(e.switchProtected()|set))
	}
	return fmt.Sprintf("Turn on PFC on priority %d at both ends", own), fix
}

// longFrames finds a switch port that drops the longest frames of the port.
func longFrames(e *Ends) []Mismatch {
	if e.Adapter.MaxFrame <= e.Switch.MaxFrame {
		return nil
	}
	return []Mismatch{{
		Kind: LongFrames, Priority: -1, Counters: []string{"Packets Received Errors"},
		Text: fmt.Sprintf("%s sends frames of up to %d bytes, but %s drops frames above %d bytes",
			e.name(), e.Adapter.MaxFrame, e.SwitchName, e.Switch.MaxFrame),
		Title: fmt.Sprintf("Let %s forward frames of up to %d bytes", e.SwitchName, e.Adapter.MaxFrame),
		Fix:   []Operation{fabric.SetSwitchPort{Connection: e.name(), MaxFrame: &e.Adapter.MaxFrame}},
	}}
}

// switchPFC sets PFC of the switch port to the given priorities.
func (e *Ends) switchPFC(set qos.Priorities) Operation {
	return fabric.SetSwitchPort{
		Connection: e.name(), FlowControl: new(description.PriorityPause), Lossless: new(uint8(set)),
	}
}

// hostPFC turns PFC on for further priorities of the host and its adapter. It returns nil if the driver offers no QoS, which only a
// registry key changes.
func (e *Ends) hostPFC(set qos.Priorities) (list []Operation) {
	p := e.windows()
	if set == 0 || !p.Offered || p.DCBX.HostAccepts {
		return nil
	}
	if !e.QoS.Installed {
		list = append(list, qos.SetFeature{Installed: true})
	}
	if missing := set &^ p.Configured; missing != 0 {
		o := qos.SetFlowControl{Priorities: missing.List(), Enabled: true}
		if p.Own {
			o.Connection = p.Connection
		}
		list = append(list, o)
	}
	if !p.Enabled {
		list = append(list, qos.SetAdapter{Connection: p.Connection, Enabled: true})
	}
	return list
}
