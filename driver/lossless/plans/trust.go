package plans

import (
	"fmt"
	"slices"

	"cxdeck/device/dscp"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
)

// Trust has a WinOF-2 adapter and its switch port read the priority of frames from the DSCP, or from the tag again.
type Trust struct {
	Connection string
	DSCP       bool
	// Codes are the DSCPs that RDMA of the priorities is marked with; priorities that are absent keep theirs when RDMA of none
	// uses them, and get one that leads back to them otherwise.
	Codes map[int]int
}

// trustKey is the key for the field that gives received frames their priority, with its values.
const (
	trustKey  = "RxTrustedState"
	trustsTag = 1
	trustsIP  = 2
)

// CodeKey returns the name of the key for the DSCP of RDMA on a priority.
func CodeKey(priority int) string { return fmt.Sprintf("PriorityToDscpMappingTable_%d", priority) }

const maxDSCP = 63

// Plan implements Setup.
func (s Trust) Plan(h *driver.Host) (AnnotatedPlan, error) {
	at, _, err := winOF2(h, s.Connection, "trust in the DSCP")
	if err != nil {
		return AnnotatedPlan{}, err
	}
	for priority, code := range s.Codes {
		if err := checkPriority(priority); err != nil {
			return AnnotatedPlan{}, err
		}
		if err := within("a DSCP", code, 0, maxDSCP); err != nil {
			return AnnotatedPlan{}, err
		}
		if back := int(dscp.FromDSCP(uint8(code))); s.DSCP && back != priority {
			return AnnotatedPlan{}, fmt.Errorf("DSCP %d maps to priority %d, not to %d: choose %d to %d", code, back, priority, 8*priority, 8*priority+7)
		}
	}
	title := fmt.Sprintf("Let %s trust the DSCP", s.Connection)
	if !s.DSCP {
		title = fmt.Sprintf("Let %s trust the tag", s.Connection)
	}
	b := newBuilder(h, title)
	if err := s.apply(b, rdmaPriorities(b.host, at)); err != nil {
		return AnnotatedPlan{}, err
	}
	return b.made()
}

// rdmaPriorities returns the priorities of RDMA at a port.
func rdmaPriorities(h *driver.Host, at int) (list []int) {
	view := h.QoS()
	for i := range view.Flows {
		f := &view.Flows[i]
		if f.Port == at && f.NetDirectPort != 0 && f.Priority >= 0 && !slices.Contains(list, f.Priority) {
			list = append(list, f.Priority)
		}
	}
	slices.Sort(list)
	return list
}

// apply adds the Operations; used are the priorities that RDMA uses.
func (s Trust) apply(b *builder, used []int) error {
	at, d, err := port(b.host, s.Connection)
	if err != nil {
		return err
	}
	now := b.host.Lab().Settings(at)
	usual := dscp.ConsistentMap()
	for priority := range usual {
		code, given := s.Codes[priority]
		if !given {
			if !s.DSCP || !slices.Contains(used, priority) || now.DSCP.Consistent(uint8(priority)) {
				continue
			}
			code = int(usual[priority])
		}
		if int(now.DSCP[priority]) == code {
			continue
		}
		if err := b.key(s.Connection, CodeKey(priority), code); err != nil {
			return err
		}
	}
	if s.DSCP != now.TrustDSCP {
		value := trustsTag
		if s.DSCP {
			value = trustsIP
		}
		if err := b.key(s.Connection, trustKey, value); err != nil {
			return err
		}
	}
	if trust := setup.Trust(s.DSCP); b.host.Lab().SwitchPort(at).Trust != trust {
		return b.add(fabric.SetSwitchPort{Connection: d.Connection, Trust: &trust})
	}
	return nil
}

// Check implements Setup: RDMA keeps its priority along the path.
func (s Trust) Check(h *driver.Host) []Finding {
	h = h.Clone()
	h.Advance(settle)
	at, d, err := port(h, s.Connection)
	if err != nil {
		return []Finding{{Title: "the port", Text: err.Error()}}
	}
	words := map[bool]string{true: "the DSCP", false: "the tag"}
	here, there := h.Lab().Operational(at)
	list := []Finding{
		{s.Connection + " trusts " + words[s.DSCP], words[here.TrustDSCP], here.TrustDSCP == s.DSCP},
		{d.Switch.Name + " trusts " + words[s.DSCP], words[bool(there.Trust)], bool(there.Trust) == s.DSCP},
	}
	view := h.QoS()
	for i := range view.Flows {
		f := &view.Flows[i]
		if f.Port != at || f.NetDirectPort == 0 || f.Priority < 0 {
			continue
		}
		kept := f.Sent.Switch == f.Priority && f.Received.Adapter == f.Priority
		list = append(list, Finding{
			Title: fmt.Sprintf("%s keeps priority %d", f.Name, f.Priority), OK: kept,
			Text: fmt.Sprintf("%d at the switch, %d at the adapter", f.Sent.Switch, f.Received.Adapter),
		})
	}
	return list
}
