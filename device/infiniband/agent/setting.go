package agent

import (
	"encoding/binary"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
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
}

// Apply makes the changes in a fabric.
func (p *Port) Apply(f *infiniband.Fabric) {
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

// set answers a request to set PortInfo: the data show the port after the change, which the caller makes. Other fields than states, widths
// and speeds belong to the lab's subnet manager, and stay as they are.
func (a *Agent) set(at infiniband.Place, packet, answer []byte) (mad.Status, *Change) {
	attribute, modifier := mad.Attribute(binary.BigEndian.Uint16(packet[attributeAt:])), binary.BigEndian.Uint32(packet[modifierAt:])
	if attribute != mad.PortInfo {
		return unsupportedMethod, nil
	}
	place := infiniband.Place{Node: at.Node, Port: int(modifier & 0x7fffffff)}
	node := a.Of(at)
	if node.Kind != infiniband.Switch && place.Port == 0 {
		place.Port = at.Port
	}
	if place.Port > node.External() || place.Port < 1 {
		return mad.BadValue, nil
	}
	change, status := a.read(place, packet[dataAt:])
	if status != mad.OK {
		return status, nil
	}
	after := *a.Network
	if change != nil {
		after.Fabric = a.Clone()
		change.Apply(after.Fabric)
	}
	data, status := after.Get(at, attribute, modifier)
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
	case state == toArmed && port.State != infiniband.Armed, state == toActive && port.State != infiniband.Active:
		return nil, mad.BadValue // the subnet manager brings ports up; other ways are none of the architecture's
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
