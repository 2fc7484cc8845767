package driver

import (
	"errors"
	"fmt"
	"slices"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
	"cxdeck/driver/virtualization"
)

func (o SetFeature) inverse(h *Host) (Operation, error) {
	back := SetFeature{o.Connection, o.Feature, !o.On}
	if o.Feature == FeatureRdma {
		a, err := h.virtual.FindAdapter(virtualization.AdapterName{Adapter: o.Connection})
		switch {
		case err != nil:
			return nil, err
		case (a.RdmaWeight > 0) == o.On:
			return nil, request.Unchanged("it is %s already", onOff(o.On))
		}
		return back, nil
	}
	port, err := h.port(o.Connection)
	if err != nil {
		return nil, err
	}
	p := &h.virtual.Ports[port]
	var now bool
	switch o.Feature {
	case FeaturePacketDirect:
		now = p.PacketDirect
		d, card, _ := h.lab.Port(port)
		const connectX3 = 0x1003
		if o.On && (d.Link != description.Ethernet || h.lab.Description().Adapters[card].DeviceID == connectX3) {
			return nil, errors.New("PacketDirect takes an Ethernet port of a ConnectX-3 Pro or later")
		}
		if !o.On && slices.ContainsFunc(h.virtual.Switches, func(s virtualization.SwitchRecord) bool { return s.PacketDirect && s.Connection == o.Connection }) {
			return nil, errors.New("its virtual switch works with PacketDirect; remove the switch first")
		}
	case FeatureNetworkVirtualization:
		now = p.NetworkVirtualization
	case FeaturePromiscuous:
		now = p.Promiscuous
		if d, _, _ := h.lab.Port(port); o.On && d.Link != description.Ethernet {
			return nil, errors.New("only a port of Ethernet can be promiscuous")
		}
	default:
		return nil, fmt.Errorf("a connection has no feature %q", o.Feature)
	}
	if now == o.On {
		return nil, request.Unchanged("it is %s already", onOff(o.On))
	}
	return back, nil
}

func (o SetFeature) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	h.changeVirtual(func(v virtualization.Hypervisor) {
		if o.Feature == FeatureRdma {
			a, err := v.FindAdapter(virtualization.AdapterName{Adapter: o.Connection})
			h.must(err)
			if a.RdmaWeight = 0; o.On {
				a.RdmaWeight = virtualization.FullWeight
			}
			return
		}
		port, err := h.port(o.Connection)
		h.must(err)
		switch p := &v.Ports[port]; o.Feature {
		case FeaturePacketDirect:
			p.PacketDirect = o.On
		case FeaturePromiscuous:
			p.Promiscuous = o.On
		default:
			p.NetworkVirtualization = o.On
		}
	})
	h.updateGuests()
	return nil
}

func (o SetNumVFs) inverse(h *Host) (Operation, error) {
	port, err := h.port(o.Connection)
	if err != nil {
		return nil, err
	}
	if o.NumVFs < 0 || o.NumVFs > device.MaxFunctions {
		return nil, fmt.Errorf("NumVFs is 0 to %d, and not %d", device.MaxFunctions, o.NumVFs)
	}
	now := h.virtual.Ports[port].NumVFs
	if now == o.NumVFs {
		return nil, request.Unchanged("NumVFs is %d already", now)
	}
	return SetNumVFs{o.Connection, now}, nil
}

func (o SetNumVFs) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	port, err := h.port(o.Connection)
	if err != nil {
		return err
	}
	h.changeVirtual(func(v virtualization.Hypervisor) { v.Ports[port].NumVFs = o.NumVFs })
	if h.miniports[port].state != Stopped {
		h.stop(port, Restarting, stopTime+startTime)
	}
	return nil
}

// sriovKeys are those that Set-MlnxPCIDeviceSriovSetting stores.
var sriovKeys = [...]string{"SriovPortMode", "MaxVFPort1", "MaxVFPort2"}

func (o SetSriovPorts) inverse(h *Host) (Operation, error) {
	card, port, err := h.cardPort(o.Adapter)
	if err != nil {
		return nil, err
	}
	a := &h.lab.Description().Adapters[card]
	switch {
	case a.Family != description.WinOF:
		return nil, errors.New("its driver shares no virtual functions among ports: each has its own; set NUM_OF_VFS in the firmware")
	case o.Mode < 0 || o.Mode > 2:
		return nil, fmt.Errorf("SriovPortMode is 0 auto_port1, 1 auto_port2 or 2 manual, and not %d", o.Mode)
	case o.Port1 < 0 || o.Port1 > 126 || o.Port2 < 0 || o.Port2 > 126:
		return nil, errors.New("a port has 0 to 126 virtual functions")
	}
	back := StoreValues{Path: h.path(&registry.Stored{Scope: registry.BusDevice, Index: card, Name: sriovKeys[0]})}
	for _, name := range sriovKeys {
		r, ok := h.catalogue(port).Find(name, registry.BusDevice)
		if !ok {
			return nil, fmt.Errorf("the driver has no key %s", name)
		}
		back.Values = append(back.Values, StoredValue{name, h.hive.Of(h.place(port, r.Scope), r)})
	}
	return back, nil
}

// cardPort is a card with its first port.
func (h *Host) cardPort(name string) (card, port int, err error) {
	if card, err = h.adapter(name); err != nil {
		return 0, 0, err
	}
	for port := range h.miniports {
		if h.cardOf(port) == card {
			return card, port, nil
		}
	}
	return 0, 0, &UnknownAdapterError{name}
}

func (o SetSriovPorts) apply(h *Host) error {
	_, port, err := h.cardPort(o.Adapter)
	if err != nil {
		return err
	}
	for i, n := range []int{o.Mode, o.Port1, o.Port2} {
		r, ok := h.catalogue(port).Find(sriovKeys[i], registry.BusDevice)
		if !ok {
			return fmt.Errorf("the driver has no key %s", sriovKeys[i])
		}
		h.hive.Set(h.place(port, r.Scope), r.Name, registry.NumberValue(uint32(n)))
		h.changed(port, r)
	}
	return nil
}
