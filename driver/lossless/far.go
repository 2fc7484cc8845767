package lossless

import (
	"fmt"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/fabric"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
)

// The names of the two parts of the far end.
const (
	FarSwitchName  = "the peers' switch port"
	FarAdapterName = "the peers' adapters"
)

// Place is the place of a mismatch on the path.
type Place int

// The places, from the host on.
const (
	OnCable  Place = iota // between the adapter and its switch port
	InSwitch              // between the two switch ports
	OnFar                 // between the second switch port and the peers' adapters
	OnHost                // Windows and the adapter, for what RDMA needs
)

// Evidence is a count that proves a mismatch, with what it counts: "frames of priority 3 dropped by the switch".
type Evidence struct {
	Name  string
	Count uint64
}

// farPriorities returns the priorities with PFC of a hop.
func farPriorities(h *setup.Hop) qos.Priorities { return qos.Priorities(h.Lossless) }

// farMismatches finds what does not fit together beyond the first switch port. A far end without settings of its own agrees.
func farMismatches(e *Ends) (list []Mismatch) {
	if !e.Remote.Set {
		return nil
	}
	for _, find := range []func(*Ends) []Mismatch{findSwitchMismatch, findAdapterMismatch, findMarkMismatch, findControlMismatch} {
		list = append(list, find(e)...)
	}
	return list
}

// fixFarEnd returns the Operation that changes the far end.
func (e *Ends) fixFarEnd(change func(*setup.FarEnd)) []Operation {
	f := e.Far
	change(&f)
	return []Operation{fabric.SetFarEnd{Connection: e.name(), Settings: f}}
}

// firstOf returns the first of some priorities, -1 for none.
func firstOf(set qos.Priorities) int {
	if set == 0 {
		return -1
	}
	return set.List()[0]
}

// findSwitchMismatch finds two switch ports with different flow control.
func findSwitchMismatch(e *Ends) []Mismatch {
	near, far := setup.Hop{FlowControl: e.Switch.FlowControl, Lossless: uint8(e.switchProtected())}, e.Remote.Switch
	if near.FlowControl == far.FlowControl && near.Lossless == far.Lossless {
		return nil
	}
	m := Mismatch{Kind: FarSwitch, Place: InSwitch, Priority: firstOf(farPriorities(&near) ^ farPriorities(&far)), Title: "Set flow control of " + FarSwitchName + " to match " + e.SwitchName}
	m.Text = fmt.Sprintf("%s has %s and %s %s: the switch can't pause the peers, and drops frames that it can't forward to %s", e.SwitchName,
		modeText(near.FlowControl, farPriorities(&near)), FarSwitchName, modeText(far.FlowControl, farPriorities(&far)), e.name())
	if lost := farPriorities(&far) &^ farPriorities(&near); near.Lossless&^far.Lossless == 0 && lost != 0 {
		m.Text = fmt.Sprintf("%s has PFC on %s and %s does not: the switch pauses the peers there, and drops frames of %s", FarSwitchName, lost.Words(), e.SwitchName, e.name())
	}
	m.Fix = e.fixFarEnd(func(f *setup.FarEnd) { f.FlowControl, f.Lossless = nil, nil })
	m.Evidence = e.drops(m.Priority)
	return []Mismatch{m}
}

// findAdapterMismatch finds peers whose flow control differs from their switch port's.
func findAdapterMismatch(e *Ends) []Mismatch {
	here, there := e.Remote.Adapter, e.Remote.Switch
	if here.FlowControl == there.FlowControl && here.Lossless == there.Lossless {
		return nil
	}
	m := Mismatch{Kind: FarAdapter, Place: OnFar, Priority: firstOf(farPriorities(&here) ^ farPriorities(&there)), Title: "Set flow control of " + FarAdapterName + " to match their switch port"}
	m.Text = fmt.Sprintf("%s has %s and %s %s: pause frames have no effect there, and the switch drops frames that it can't forward to %s", FarSwitchName,
		modeText(there.FlowControl, farPriorities(&there)), FarAdapterName, modeText(here.FlowControl, farPriorities(&here)), e.name())
	m.Fix = e.fixFarEnd(func(f *setup.FarEnd) { f.AdapterFlowControl, f.AdapterLossless = nil, nil })
	m.Evidence = e.drops(m.Priority)
	return []Mismatch{m}
}

// drops returns the frames of a priority, or of all for -1, that were dropped beyond the adapter.
func (e *Ends) drops(priority int) (list []Evidence) {
	name := "dropped by the switch"
	if priority >= 0 {
		name = fmt.Sprintf("of priority %d dropped by the switch", priority)
	}
	atSwitch, atPeers := uint64(0), uint64(0)
	for p := range counter.Priorities {
		if priority < 0 || p == priority {
			atSwitch += e.Counts.SwitchDrops[p]
			atPeers += e.Counts.PeerDrops[p]
		}
	}
	list = []Evidence{{"frames " + name, atSwitch}}
	if atPeers > 0 {
		list = append(list, Evidence{"frames dropped by the peers' adapters", atPeers})
	}
	return list
}

// findMarkMismatch finds RDMA that the far end assigns to a different priority.
func findMarkMismatch(e *Ends) (list []Mismatch) {
	if e.mode() == description.GlobalPause {
		return nil
	}
	arrives, leaves := e.Far.Trust != nil || e.Far.DSCP != nil, e.Far.AdapterTrust != nil
	for i := range e.QoS.Flows {
		f := &e.QoS.Flows[i]
		if f.Port != e.Port || f.NetDirectPort == 0 || f.Priority < 0 {
			continue
		}
		if at := queue(f.Received.Switch); arrives && (at != f.Priority || queue(f.Received.Adapter) != f.Priority) {
			arrives = false
			m := Mismatch{
				Kind: FarMarks, Place: OnFar, Priority: f.Priority, Title: "Mark and read RDMA of the peers as at the near end", Counters: discards,
				Text: fmt.Sprintf("%s puts RDMA of %s, which the peers send with %s, on priority %d, and %s on %d: pauses of priority %d don't protect it",
					FarSwitchName, f.Name, marks(&f.Received), at, e.name(), queue(f.Received.Adapter), f.Priority),
				Fix: e.fixFarEnd(func(f *setup.FarEnd) { f.Trust, f.DSCP = nil, nil }), Evidence: e.drops(at),
			}
			list = append(list, m)
		}
		if at := queue(f.Sent.Peer); leaves && at != f.Priority {
			leaves = false
			list = append(list, Mismatch{
				Kind: FarMarks, Place: OnFar, Priority: f.Priority, Title: "Let " + FarAdapterName + " trust what " + e.name() + " trusts",
				Text: fmt.Sprintf("%s read priority %d from RDMA of %s, which arrives with %s: their pauses name another priority than its own",
					FarAdapterName, at, f.Name, marks(&f.Sent)),
				Fix: e.fixFarEnd(func(f *setup.FarEnd) { f.AdapterTrust = nil }), Evidence: e.drops(-1),
			})
		}
	}
	return list
}

// rdmaPriorities returns the priorities that carry RDMA of the host on the port.
func (e *Ends) rdmaPriorities() (set qos.Priorities) {
	for i := range e.QoS.Flows {
		if f := &e.QoS.Flows[i]; f.Port == e.Port && f.NetDirectPort != 0 && f.Priority >= 0 {
			set |= 1 << f.Priority
		}
	}
	return set
}

// findControlMismatch finds congestion control that acts at one end only, on the priorities of RDMA.
func findControlMismatch(e *Ends) (list []Mismatch) {
	var reacts, notifies qos.Priorities // of this end
	for _, p := range e.rdmaPriorities().List() {
		if e.Adapter.Congestion.Reacts(uint8(p)) {
			reacts |= 1 << p
		}
		if e.Adapter.Congestion.Notifies(uint8(p)) {
			notifies |= 1 << p
		}
	}
	if missing := notifies &^ qos.Priorities(e.Remote.Reacts); e.Far.Reacts != nil && missing != 0 {
		list = append(list, Mismatch{
			Kind: FarCongestion, Place: OnFar, Priority: firstOf(missing), Counters: []string{"Notification Point CNPs Sent Successfully"}, Title: "Let the peers react to congestion as " + e.name() + " does",
			Text: fmt.Sprintf("%s ignore the congestion notifications of %s on %s: they don't slow down, and only pause frames stop them", FarAdapterName, e.name(), missing.Words()),
			Fix:  e.fixFarEnd(func(f *setup.FarEnd) { f.Reacts = new(uint8(e.Remote.Reacts) | uint8(missing)) }), Evidence: e.pauses(),
		})
	}
	if missing := reacts &^ qos.Priorities(e.Remote.Notifies); e.Far.Notifies != nil && missing != 0 {
		list = append(list, Mismatch{
			Kind: FarCongestion, Place: OnFar, Priority: firstOf(missing), Title: "Let the peers notify of congestion as " + e.name() + " does",
			Text: fmt.Sprintf("%s send no congestion notifications on %s: %s does not slow down for them", FarAdapterName, missing.Words(), e.name()),
			Fix:  e.fixFarEnd(func(f *setup.FarEnd) { f.Notifies = new(uint8(e.Remote.Notifies) | uint8(missing)) }), Evidence: e.pauses(),
		})
	}
	if e.Far.DropsCNPs {
		list = append(list, Mismatch{
			Kind: LostNotices, Place: OnFar, Priority: -1, Title: "Let " + FarSwitchName + " forward congestion notifications",
			Text: FarSwitchName + " drops congestion notifications: no sender slows down, and only pause frames stop the senders",
			Fix:  e.fixFarEnd(func(f *setup.FarEnd) { f.DropsCNPs = false }), Evidence: append([]Evidence{{"notifications of the host dropped by the switch", e.Counts.LostNotices}}, e.pauses()...),
		})
	}
	return list
}

// findStrayControl finds congestion control of the adapter that acts only on priorities without RDMA, such as after RDMA has moved to
// another priority. Congestion control that is off is not a mismatch.
func findStrayControl(e *Ends) []Mismatch {
	var on qos.Priorities
	for p := range 8 {
		if e.Adapter.Congestion.Reacts(uint8(p)) || e.Adapter.Congestion.Notifies(uint8(p)) {
			on |= 1 << p
		}
	}
	missing := e.rdmaPriorities() & e.protected()
	if on == 0 || missing == 0 || missing&on != 0 || e.Adapter.RoCE != description.RoCEv2 {
		return nil
	}
	m := Mismatch{
		Kind: StrayControl, Priority: missing.List()[0], Counters: pausesSent, Title: "Turn on congestion control of " + e.name() + " on " + missing.Words(),
		Text: fmt.Sprintf("%s has congestion control on %s, but its RDMA is on %s: no sender slows down, and only pause frames stop them", e.name(), on.Words(), missing.Words()),
	}
	for _, p := range missing.List() { // the key for both roles takes precedence over the keys for one
		m.Fix = append(m.Fix, edit.SetValue{Connection: e.name(), Key: fmt.Sprintf("DcqcnEnablePrio%d", p), Value: "1"})
	}
	return []Mismatch{m}
}

// pauses returns the pause frames on the second cable.
func (e *Ends) pauses() []Evidence {
	n := uint64(0)
	for p := range counter.Priorities {
		n += e.Counts.PausesToPeers[p] + e.Counts.PausesFromPeers[p]
	}
	return []Evidence{{"pause frames between the switch and the peers", n}}
}

// ignored returns the pause frames of the switch port that the adapter did not obey, and the frames that the switch dropped.
func (e *Ends) ignored() []Evidence {
	n := uint64(0)
	for p := range counter.Priorities {
		n += e.Counts.Unheeded[p]
	}
	return append([]Evidence{{"pause frames of " + e.SwitchName + " that " + e.name() + " did not obey", n}}, e.drops(-1)...)
}

// farSettings adds the far end to the settings of the near one.
func (e *Ends) farSettings(list []Setting) {
	r := &e.Remote
	willing := "off"
	if e.Far.AdapterWilling {
		willing = "willing"
	}
	if r.ByDCBX {
		willing = "uses its switch port's settings"
	}
	reacts := "off"
	if set := qos.Priorities(r.Reacts & 0xff); set != 0 {
		reacts = "on priority " + set.Ranges()
	}
	marking := e.marking()
	if e.Far.DropsCNPs {
		marking = "drops notifications"
	}
	codes := ""
	for i := range e.QoS.Flows {
		if f := &e.QoS.Flows[i]; f.Port == e.Port && f.NetDirectPort != 0 && codes == "" && f.Priority >= 0 {
			codes = fmt.Sprintf("DSCP %d on priority %d", f.Received.DSCP, f.Priority)
		}
	}
	for i := range list {
		s := &list[i]
		switch s.Name {
		case flowControlName:
			s.FarSwitch, s.FarAdapter = modeText(r.Switch.FlowControl, farPriorities(&r.Switch)), modeText(r.Adapter.FlowControl, farPriorities(&r.Adapter))
			s.FarDiffers = r.Switch.FlowControl != r.Adapter.FlowControl || r.Switch.Lossless != r.Adapter.Lossless
			s.SwitchDiffers = r.Switch.FlowControl != e.Switch.FlowControl || farPriorities(&r.Switch) != e.switchProtected()
			s.Host = modeText(e.hostMode(), e.windows().Configured)
		case trustName:
			s.FarSwitch, s.FarAdapter = trustText(bool(r.Switch.Trust)), trustText(bool(r.Adapter.Trust))
		case dcbxName:
			s.FarSwitch, s.FarAdapter = "as "+e.SwitchName, willing
			s.Host = map[bool]string{true: "willing", false: "not willing"}[e.QoS.Willing]
		case codesName:
			s.FarAdapter = codes
		case controlName:
			s.FarSwitch, s.FarAdapter = marking, reacts
		}
	}
}

// hostMode returns the flow control that Windows is set up with.
func (e *Ends) hostMode() description.FlowControl {
	if e.windows().Configured != 0 {
		return description.PriorityPause
	}
	return description.NoFlowControl
}
