package lossless

import (
	"fmt"
	"strconv"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/dscp"
	"cxdeck/device/setup"
	"cxdeck/driver/fabric"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
)

// lostPriorities finds RDMA programs whose frames lose their priority on the path: the switch port, or the adapter that receives
// the answers, reads a different priority from them (QOS-9 to QOS-13). Programs with the same port are one mismatch.
func lostPriorities(e *Ends) (list []Mismatch) {
	if e.mode() == description.GlobalPause { // global pause does not depend on priorities
		return nil
	}
	seen := map[[2]int]bool{}
	for i := range e.QoS.Flows {
		f := &e.QoS.Flows[i]
		program := [2]int{f.NetDirectPort, f.Priority}
		if f.Port != e.Port || f.NetDirectPort == 0 || f.Priority < 0 || seen[program] {
			continue
		}
		seen[program] = true
		if m, lost := e.lost(f); lost {
			list = append(list, m)
		}
	}
	return list
}

// lost compares the priorities of a program's frames on the path.
func (e *Ends) lost(f *qos.FlowView) (m Mismatch, lost bool) {
	atSwitch, back := queue(f.Sent.Switch), queue(f.Received.Adapter)
	m = Mismatch{Kind: LostPriority, Priority: f.Priority, Counters: discards}
	switch {
	case atSwitch != f.Priority:
		m.Text = fmt.Sprintf("%s queues RDMA of %s, sent on priority %d with %s, on priority %d: PFC on priority %d does not protect it there",
			e.SwitchName, f.Name, f.Priority, marks(&f.Sent), atSwitch, f.Priority)
		m.Title, m.Fix = e.trust(&f.Sent, f.Priority)
	case back != f.Priority:
		m.Text = fmt.Sprintf("%s reads priority %d from RDMA of %s, which arrives with %s: PFC on priority %d does not protect it",
			e.name(), back, f.Name, marks(&f.Received), f.Priority)
	default:
		return m, false
	}
	if trusted := e.Adapter.TrustDSCP || bool(e.Switch.Trust); trusted && int(e.Adapter.DSCP[f.Priority]) == f.Sent.DSCP && !e.Adapter.DSCP.Consistent(uint8(f.Priority)) {
		code := dscp.ConsistentMap()[f.Priority]
		key := fmt.Sprintf("PriorityToDscpMappingTable_%d", f.Priority)
		m.Title, m.Restarts = fmt.Sprintf("Mark RDMA on priority %d with DSCP %d", f.Priority, code), true
		m.Fix = []Operation{edit.SetValue{Connection: e.name(), Key: key, Value: strconv.Itoa(int(code))}}
	}
	return m, true
}

// queue returns the queue of frames of a priority: frames without a priority use the queue of priority 0.
func queue(priority int) int { return priority % counter.Untagged }

// marks describes the fields that give the priority of frames: "DSCP 24 and no tag".
func marks(h *setup.Header) string {
	tag := "no tag"
	if h.Tagged {
		tag = fmt.Sprintf("priority %d in the tag", h.PCP)
	}
	return fmt.Sprintf("DSCP %d and %s", h.DSCP, tag)
}

// trust returns the plan that lets the switch port read the priority of frames from the field that carries it.
func (e *Ends) trust(h *setup.Header, priority int) (title string, fix []Operation) {
	field, word := setup.TrustPCP, "the tag"
	switch {
	case h.Tagged && h.PCP == priority:
	case int(dscp.FromDSCP(uint8(max(h.DSCP, 0)))) == priority:
		field, word = setup.TrustDSCP, "the DSCP"
	default:
		return "", nil
	}
	return fmt.Sprintf("Let %s trust %s", e.SwitchName, word), []Operation{fabric.SetSwitchPort{Connection: e.name(), Trust: &field}}
}
