package setup

import (
	"errors"
	"fmt"
	"net/netip"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/dscp"
)

// FarEnd holds the settings of the far end of a port's path: of the second switch port, to which the peers are cabled, and of
// the peers' adapters. A nil field agrees with the near end: the second switch port with the first one, its flow control with the
// flow control of the adapters, and the DSCPs of the peers with the DSCPs of the port. The zero value agrees everywhere.
type FarEnd struct {
	// FlowControl, Lossless (a bit for each priority with PFC) and Trust are settings of the second switch port.
	FlowControl *description.FlowControl `json:"flow_control,omitempty"`
	Lossless    *uint8                   `json:"lossless,omitempty"`
	Trust       *Trust                   `json:"trust,omitempty"`
	// AdapterFlowControl, AdapterLossless and AdapterTrust are the same of the peers' adapters.
	AdapterFlowControl *description.FlowControl `json:"adapter_flow_control,omitempty"`
	AdapterLossless    *uint8                   `json:"adapter_lossless,omitempty"`
	AdapterTrust       *Trust                   `json:"adapter_trust,omitempty"`
	// AdapterWilling has the adapters use the PFC of the second switch port by DCBX, if that sends the IEEE version.
	AdapterWilling bool `json:"adapter_willing,omitempty"`
	// DSCP is the DSCP of the peers' RDMA by priority.
	DSCP *dscp.Map `json:"dscp,omitempty"`
	// Reacts and Notifies have a bit for each priority on which the peers take part in congestion control.
	Reacts   *uint8 `json:"reacts,omitempty"`
	Notifies *uint8 `json:"notifies,omitempty"`
	// DropsCNPs: an access list of the second switch port drops congestion notifications, in both directions.
	DropsCNPs bool `json:"drops_notices,omitempty"`
	// SlowPeer is a peer that takes only the part Takes, 0.01 to 1, of the port's line rate in RDMA; it is empty for none.
	SlowPeer string  `json:"slow_peer,omitempty"`
	Takes    float64 `json:"takes,omitempty"`
	// Shares is another connection whose peers are cabled to the same second switch port: pausing the peers for one connection
	// pauses them for the other. It is empty for none.
	Shares string `json:"shares,omitempty"`
}

// Check rejects values that no far end can be set up with.
func (f *FarEnd) Check(link description.LinkType) error {
	switch {
	case *f == FarEnd{}:
		return nil
	case link != description.Ethernet:
		return errors.New("an InfiniBand port has no priorities to agree on; name an Ethernet port")
	case f.FlowControl != nil && !f.FlowControl.Known() || f.AdapterFlowControl != nil && !f.AdapterFlowControl.Known():
		return errors.New("the flow control of the far end must be off, global or pfc")
	case (f.SlowPeer != "") != (f.Takes != 0):
		return errors.New("a slow peer requires both its address and the part of the line rate that it takes")
	case f.SlowPeer != "" && !validAddress(f.SlowPeer):
		return fmt.Errorf("the slow peer must be an IP address, not %q", f.SlowPeer)
	case f.Takes != 0 && !(f.Takes >= 0.01 && f.Takes <= 1):
		return fmt.Errorf("a slow peer must take 0.01 to 1 of the line rate, not %v", f.Takes)
	}
	if f.DSCP != nil {
		for priority, code := range f.DSCP {
			if code > maxDSCP {
				return fmt.Errorf("the peers' DSCP of priority %d must be 0 to %d, not %d", priority, maxDSCP, code)
			}
		}
	}
	return nil
}

func validAddress(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}

// Hop holds the flow control and the trust of one end of a cable.
type Hop struct {
	FlowControl description.FlowControl
	// Lossless has a bit for each priority with PFC; it is 0 without PFC.
	Lossless uint8
	Trust    Trust
}

// Pauses reports whether an end asks for pauses of a priority and obeys them. Frames without a priority wait with any PFC.
func (h *Hop) Pauses(priority int) bool {
	switch h.FlowControl {
	case description.GlobalPause:
		return true
	case description.PriorityPause:
		return priority == counter.Untagged || h.Lossless>>priority&1 == 1
	default:
		return false
	}
}

// Remote is the operational far end of a port: a setting that FarEnd leaves open is the near end's.
type Remote struct {
	Switch, Adapter Hop
	// DSCP is the DSCP of the peers' RDMA by priority.
	DSCP dscp.Map
	// Reacts and Notifies have a bit for each priority with congestion control.
	Reacts, Notifies uint16
	// ByDCBX reports that the adapters use the PFC of the second switch port.
	ByDCBX bool
	// Set reports that the far end has settings of its own.
	Set bool
}

func value[T any](own *T, near T) T {
	if own == nil {
		return near
	}
	return *own
}

// Remote returns the far end of a port with the operational settings of the two near ends; peers are the priorities with
// congestion control of the lab's peers, a bit for each.
func (f *FarEnd) Remote(here *Port, near *SwitchPort, peers uint16) Remote {
	r := Remote{Set: *f != FarEnd{}, DSCP: value(f.DSCP, here.DSCP), Reacts: peers, Notifies: peers}
	if f.Reacts != nil {
		r.Reacts = uint16(*f.Reacts)
	}
	if f.Notifies != nil {
		r.Notifies = uint16(*f.Notifies)
	}
	r.Switch = newHop(value(f.FlowControl, near.FlowControl), value(f.Lossless, near.Lossless), value(f.Trust, near.Trust))
	r.Adapter = newHop(value(f.AdapterFlowControl, r.Switch.FlowControl), value(f.AdapterLossless, r.Switch.Lossless),
		value(f.AdapterTrust, Trust(here.TrustDSCP)))
	if r.ByDCBX = f.AdapterWilling && near.DCBX == description.IEEE && r.Switch.FlowControl == description.PriorityPause; r.ByDCBX {
		r.Adapter = newHop(r.Switch.FlowControl, r.Switch.Lossless, r.Adapter.Trust)
	}
	return r
}

func newHop(mode description.FlowControl, lossless uint8, trust Trust) Hop {
	if mode != description.PriorityPause {
		lossless = 0
	}
	return Hop{mode, lossless, trust}
}

// bothPause reports whether both ends of a cable pause each other's frames of a priority.
func bothPause(asks, obeys *Hop, priority int) bool {
	return asks.FlowControl == obeys.FlowControl && asks.Pauses(priority) && obeys.Pauses(priority)
}

// HoldsPeers reports whether the second switch port can hold the peers' frames with a header back, instead of dropping them when
// the host does not take them: both ends of that cable have PFC on the priority of the frames there.
func (r *Remote) HoldsPeers(h *Header) bool {
	return !r.Set || bothPause(&r.Switch, &r.Adapter, h.Switch) && (r.Switch.FlowControl == description.GlobalPause || h.Switch%counter.Untagged == h.Peer%counter.Untagged)
}

// HoldsSwitch reports whether a peer can hold the second switch port back, instead of dropping frames with a header that it
// does not take.
func (r *Remote) HoldsSwitch(h *Header) bool {
	return bothPause(&r.Adapter, &r.Switch, h.Peer) && (r.Switch.FlowControl == description.GlobalPause || h.Switch%counter.Untagged == h.Peer%counter.Untagged)
}

// QueueUntagged has frames that the adapter counts as untagged wait as such in the switch, where they are in the queue of priority 0.
func (h *Header) QueueUntagged() {
	if h.Adapter == counter.Untagged && h.Switch == 0 {
		h.Switch = counter.Untagged
	}
}

// FarEnd returns the settings of the far end of a port's path.
func (l *Lab) FarEnd(port int) FarEnd {
	if len(l.FarEnds) == 0 {
		return FarEnd{}
	}
	return l.FarEnds[port]
}

// SetFarEnd replaces the settings of the far end of a port's path.
func (l *Lab) SetFarEnd(port int, f FarEnd) {
	list, some := make([]FarEnd, len(l.Ports)), f != FarEnd{}
	copy(list, l.FarEnds)
	list[port] = f
	for i := range list {
		some = some || list[i] != FarEnd{}
	}
	if l.FarEnds = list; !some { // as in a lab that never had any
		l.FarEnds = nil
	}
}

// checkFarEnds rejects settings that no lab with these links has.
func (l *Lab) checkFarEnds(links []description.LinkType) (err error) {
	if len(l.FarEnds) != 0 && len(l.FarEnds) != len(l.Ports) {
		return errLengths
	}
	for port := range l.FarEnds {
		err = errors.Join(err, l.FarEnds[port].Check(links[port]))
	}
	return err
}
