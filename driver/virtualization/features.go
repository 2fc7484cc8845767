package virtualization

import (
	"errors"
	"fmt"
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/request"
	"cxdeck/driver/wording"
)

func (o SetFeature) Inverse(v Hypervisor) (Operation, error) {
	now, err := o.isOn(v)
	if err != nil {
		return nil, err
	}
	if now == o.On {
		return nil, request.Unchanged("it is %s already", wording.OnOff(o.On))
	}
	return SetFeature{o.Connection, o.Feature, !o.On}, nil
}

// isOn reports whether the feature is on, or why it can't be switched.
func (o SetFeature) isOn(v Hypervisor) (bool, error) {
	if o.Feature == FeatureRdma {
		a, err := v.FindAdapter(AdapterName{Adapter: o.Connection})
		return err == nil && a.RdmaWeight > 0, err
	}
	port, err := v.Port(o.Connection)
	if err != nil {
		return false, err
	}
	d, card, _ := v.Lab().Port(port)
	switch p := &v.Ports[port]; o.Feature {
	case FeatureTCPIPv4, FeatureTCPIPv6, FeatureClient:
		if v.switchOn(o.Connection) < 0 {
			return false, fmt.Errorf("%s of %s stays bound: the host uses the connection itself", o.Feature, o.Connection)
		}
		return v.Bound(port, o.Feature), nil
	case FeaturePacketDirect:
		const connectX3 = 0x1003
		if o.On && (d.Link != description.Ethernet || v.card(card).DeviceID == connectX3) {
			return false, errors.New("PacketDirect requires an Ethernet port of a ConnectX-3 Pro or later")
		}
		if !o.On && slices.ContainsFunc(v.Switches, func(s SwitchRecord) bool { return s.PacketDirect && slices.Contains(s.Connections(), o.Connection) }) {
			return false, errors.New("its virtual switch uses PacketDirect; remove the switch first")
		}
		return p.PacketDirect, nil
	case FeatureNetworkVirtualization:
		return p.NetworkVirtualization, nil
	case FeaturePromiscuous:
		if o.On && d.Link != description.Ethernet {
			return false, errors.New("only an Ethernet port can be promiscuous")
		}
		return p.Promiscuous, nil
	default:
		return false, request.Errorf("a connection has no feature %q", o.Feature)
	}
}

func (o SetFeature) Apply(v Hypervisor) error {
	if o.Feature == FeatureRdma {
		a, err := v.FindAdapter(AdapterName{Adapter: o.Connection})
		if err != nil {
			return err
		}
		if a.RdmaWeight = 0; o.On {
			a.RdmaWeight = FullWeight
		}
		return nil
	}
	port, err := v.Port(o.Connection)
	if err != nil {
		return err
	}
	switch p := &v.Ports[port]; o.Feature {
	case FeaturePacketDirect:
		p.PacketDirect = o.On
	case FeatureTCPIPv4, FeatureTCPIPv6, FeatureClient:
		p.bind(o.Feature, o.On)
	case FeaturePromiscuous:
		p.Promiscuous = o.On
	default:
		p.NetworkVirtualization = o.On
	}
	return nil
}

func (o SetNumVFs) Inverse(v Hypervisor) (Operation, error) {
	port, err := v.Port(o.Connection)
	if err != nil {
		return nil, err
	}
	if o.NumVFs < 0 || o.NumVFs > counter.MaxFunctions {
		return nil, fmt.Errorf("NumVFs must be 0 to %d, not %d", counter.MaxFunctions, o.NumVFs)
	}
	now := v.Ports[port].NumVFs
	if now == o.NumVFs {
		return nil, request.Unchanged("NumVFs is %d already", now)
	}
	return SetNumVFs{o.Connection, now}, nil
}

func (o SetNumVFs) Apply(v Hypervisor) error {
	port, err := v.Port(o.Connection)
	if err != nil {
		return err
	}
	v.Ports[port].NumVFs = o.NumVFs
	v.Restart(port)
	return nil
}

// Inverse is nil: the counters can't be restored.
func (o ResetVF) Inverse(v Hypervisor) (Operation, error) {
	port, err := v.Port(o.Connection)
	if err != nil {
		return nil, err
	}
	if count := v.Lab().VirtualFunctions(port); o.Function < 0 || o.Function >= count {
		if count == 0 {
			return nil, errors.New("the port has no virtual functions")
		}
		return nil, fmt.Errorf("the port has the virtual functions 0 to %d", count-1)
	}
	if !v.Running(port) {
		return nil, request.ErrNotRunning
	}
	return nil, nil
}

func (o ResetVF) Apply(v Hypervisor) error {
	port, err := v.Port(o.Connection)
	if err != nil {
		return err
	}
	v.Lab().ResetFunction(port, o.Function)
	for _, kind := range []description.FaultKind{description.FirmwareLoad, description.Storm} { // faults that a reset clears
		panicOn(v.Lab().SetFunctionFault(port, o.Function, kind, 0))
	}
	v.FunctionRestarted(port, o.Function, "the virtual function was reset")
	if w := v.Watch(port); w.Due > 0 {
		w.Read = FunctionCosts(v.Lab(), port)
	}
	return nil
}

// FunctionRestarted records why the driver of a virtual function has restarted.
func (v Hypervisor) FunctionRestarted(port, function int, why string) {
	if _, a := v.adapterOfFunction(port, function); a != nil {
		a.addChange(VFChange{At: v.Lab().Now(), Path: a.Path, Why: why})
	}
}

// adapterOfFunction returns the adapter that has a virtual function, with its name; nil for a free function.
func (v *State) adapterOfFunction(port, function int) (name AdapterName, user *Adapter) {
	v.Each(func(of AdapterName, _ *Machine, a *Adapter) {
		if a.Port == port && a.Function == function {
			name, user = of, a
		}
	})
	return name, user
}

// StoppedGuest returns the machine whose driver restarts with the function, empty for none.
func (o ResetVF) StoppedGuest(v Hypervisor) string {
	port, err := v.Port(o.Connection)
	if err != nil {
		return ""
	}
	name, _ := v.adapterOfFunction(port, o.Function)
	return name.VM
}
