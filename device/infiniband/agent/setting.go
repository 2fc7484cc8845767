package agent

import (
	"encoding/binary"
	"slices"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
)

// Change is what a datagram asks to change: a reset of counters, or settings of a port.
type Change struct {
	Clear *Clear
	Port  *Port
}

// Port are settings of a port that PortInfo asks for, as ibportstate does.
type Port struct {
	Place infiniband.Place
	// Disabled disables the port, or enables it; Reset trains its link again.
	Disabled *bool
	Reset    bool
	// Enabled are the widths and speeds that the port may use from the next training on, nil for no change.
	Enabled *infiniband.Mode
	// Write is what a subnet manager outside of the lab sets in the node of the place, nil for none.
	Write *mad.Write
}

// Apply makes the changes in a fabric.
func (p *Port) Apply(n *mad.Network) {
	f := n.Fabric
	if p.Write != nil {
		n.Set(p.Place, *p.Write) // the agent has checked it
	}
	if p.Enabled != nil {
		f.SetEnabled(p.Place, *p.Enabled)
	}
	if p.Disabled != nil {
		f.SetDisabled(p.Place, *p.Disabled)
	}
	if p.Reset {
		f.Reset(p.Place)
	}
}

// Values of PortInfo in a request.
const (
	toDown, toArmed, toActive = uint64(infiniband.Down), uint64(infiniband.Armed), uint64(infiniband.Active)
	toPolling, toDisabled     = uint64(infiniband.Polling), uint64(infiniband.Disabled)

	allSupported     = 0xff // widths
	allSpeeds        = 15
	noExtendedSpeeds = 30
	allExtended      = 31
)

// managed reports whether a subnet manager of the lab runs: what managers set is its own then.
func (a *Agent) managed() bool {
	return slices.ContainsFunc(a.Managers, func(m *opensm.Manager) bool { return m.Running })
}

// set answers a request to set an attribute: the data show it after the change, which the caller makes. While a subnet manager of the lab
// runs, only states, widths and speeds of PortInfo can be set; other fields stay as they are.
func (a *Agent) set(at infiniband.Place, packet, answer []byte) (mad.Status, *Change) {
	attribute, modifier := mad.Attribute(binary.BigEndian.Uint16(packet[attributeAt:])), binary.BigEndian.Uint32(packet[modifierAt:])
	if attribute != mad.PortInfo && a.managed() {
		return unsupportedMethod, nil
	}
	w := &mad.Write{Attribute: attribute, Modifier: modifier, Data: slices.Clone(packet[dataAt : dataAt+mad.Size])}
	if attribute != mad.PortInfo {
		return a.change(&Port{Place: at, Write: w}, at, w, answer)
	}
	place := infiniband.Place{Node: at.Node, Port: int(modifier & 0x7fffffff)}
	node := a.Of(at)
	if node.Kind != infiniband.Switch && place.Port == 0 {
		place.Port = at.Port
	}
	first := 1
	if !a.managed() {
		first = node.First() // port 0 of a switch has addresses
	}
	if place.Port > node.External() || place.Port < first {
		return mad.BadValue, nil
	}
	change, status := a.read(place, packet[dataAt:])
	if status != mad.OK {
		return status, nil
	}
	if !a.managed() {
		if change == nil {
			change = &Port{Place: place}
		}
		change.Write = w
		if change.Reset || change.Disabled != nil {
			mad.State.Set(w.Data, 0) // the link goes down
		}
	}
	return a.change(change, at, w, answer)
}

// change answers with an attribute as it is after a change; nil changes nothing.
func (a *Agent) change(change *Port, at infiniband.Place, w *mad.Write, answer []byte) (mad.Status, *Change) {
	after := *a.Network
	if change != nil {
		after.Fabric = a.Clone()
		if change.Write != nil {
			if status := after.Set(change.Place, *change.Write); status != mad.OK {
				return status, nil
			}
			after.Fabric = a.Clone()
		}
		change.Apply(&after)
	}
	data, status := after.Get(at, w.Attribute, w.Modifier)
	copy(answer[dataAt:dataAt+mad.Size], data)
	if change == nil {
		return status, nil
	}
	return status, &Change{Port: change}
}

// read returns what the data ask of a port, nil for nothing.
func (a *Agent) read(place infiniband.Place, data []byte) (*Port, mad.Status) {
	port, p := a.At(place), &Port{Place: place}
	switch state := mad.State.Get(data); {
	case state == toArmed && port.State != infiniband.Armed && (a.managed() || port.State != infiniband.Initialize),
		state == toActive && port.State != infiniband.Active && (a.managed() || port.State != infiniband.Armed):
		return nil, mad.BadValue // only Initialize to Armed to Active, by a manager outside the lab
	case place.Port == 0 && state == toDown: // the management port has no link
		return nil, mad.BadValue
	case state == toDown:
		p.Reset = true
	}
	switch physical := mad.Physical.Get(data); {
	case physical == toDisabled:
		p.Disabled, p.Reset = new(true), false
	case physical == toPolling && port.Physical == infiniband.Disabled:
		p.Disabled, p.Reset = new(false), false
	case physical == toPolling:
		p.Reset = true
	}
	if place.Port == 0 {
		return nil, mad.OK
	}
	mode := port.Enabled
	switch widths := mad.WidthEnabled.Get(data); widths {
	case 0:
	case allSupported:
		mode.Widths = port.Supported.Widths
	default:
		mode.Widths = infiniband.Widths(widths)
	}
	extended := port.Supported.Speeds &^ (1<<infiniband.FDR - 1)
	slow := port.Supported.Speeds & (1<<infiniband.FDR10 - 1)
	switch speeds := mad.SpeedEnabled.Get(data); speeds {
	case 0:
	case allSpeeds:
		mode.Speeds |= slow
	default:
		mode.Speeds = mode.Speeds&^(1<<infiniband.FDR10-1) | infiniband.Speeds(speeds)<<infiniband.SDR
	}
	switch speeds := mad.ExtendedEnabled.Get(data); speeds {
	case 0:
	case noExtendedSpeeds:
		mode.Speeds &= 1<<infiniband.FDR - 1
	case allExtended:
		mode.Speeds |= extended
	default:
		mode.Speeds = mode.Speeds&(1<<infiniband.FDR-1) | infiniband.Speeds(speeds)<<infiniband.FDR
	}
	if mode.Widths&^port.Supported.Widths != 0 || mode.Speeds&^port.Supported.Speeds != 0 || mode.Speeds == 0 {
		return nil, mad.BadValue
	}
	if mode != port.Enabled {
		p.Enabled = &mode
	}
	if p.Disabled == nil && !p.Reset && p.Enabled == nil {
		return nil, mad.OK
	}
	return p, mad.OK
}
