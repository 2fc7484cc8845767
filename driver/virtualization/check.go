package virtualization

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/request"
)

// insert inserts an item at a position counted from 1, or appends it for a position outside the list.
func insert[T any](list []T, place int, value T) []T {
	if place < 1 || place > len(list) {
		return append(list, value)
	}
	return slices.Insert(list, place-1, value)
}

// VMStates returns all states.
func VMStates() []VMState { return []VMState{VMOff, VMRunning, VMPaused, VMSaved} }

func checkVersion(version string) error {
	if len(version) > 64 || strings.ContainsFunc(version, request.IsUnsafe) {
		return errors.New("the version of a driver must be a short text such as 24.4.26429")
	}
	return nil
}

// minMemoryMB is the smallest memory that Hyper-V gives a machine.
const minMemoryMB = 32

func checkSystem(system string, memory int) error {
	if len(system) > 120 || strings.ContainsFunc(system, request.IsUnsafe) {
		return errors.New("the system of a virtual machine must be a short text such as Windows Server 2019")
	}
	if memory != 0 && (memory < minMemoryMB || memory > description.MaxMemoryMB) {
		return fmt.Errorf("the memory of a virtual machine must be %d MB to %d MB, not %d MB", minMemoryMB, description.MaxMemoryMB, memory)
	}
	return nil
}

// checkAdapter returns why a machine, or the host without a name, can't have an adapter.
func (v Hypervisor) checkAdapter(machine string, a *VMAdapterRecord) error {
	if err := request.CheckName("network adapter", a.Name); err != nil {
		return err
	}
	if a.Switch != "" {
		if _, err := v.FindSwitch(a.Switch); err != nil {
			return err
		}
	} else if machine == "" {
		return errors.New("an adapter of the host needs a switch")
	}
	if err := v.checkMapping(a); err != nil {
		return err
	}
	if a.JumboPacket != 0 && (machine != "" || a.JumboPacket < 614 || a.JumboPacket > 9614) {
		return fmt.Errorf("*JumboPacket of an adapter of the host must be 614 to 9614, not %d; machines set their own", a.JumboPacket)
	}
	for _, bound := range []struct {
		name        string
		n, low, top int
	}{
		{"the VLAN", a.VLAN, 0, 4094}, {"IovWeight", a.IovWeight, 0, 100}, {"VmqWeight", a.VmqWeight, 0, 100},
		{"RdmaWeight", a.RdmaWeight, 0, 100}, {"VmmqQueuePairs", a.VmmqQueuePairs, 1, 64},
		{"IovQueuePairsRequested", a.IovQueuePairs, 1, 64}, {"VirtualSubnetID", int(a.VirtualSubnet), 0, 1<<24 - 1},
		{"the claim", a.Claim, 0, counter.MaxFunctions},
	} {
		if bound.n < bound.low || bound.n > bound.top {
			return fmt.Errorf("%s of a network adapter must be %d to %d, not %d", bound.name, bound.low, bound.top, bound.n)
		}
	}
	if !(a.Share >= 0 && a.Share <= 1) {
		return fmt.Errorf("the share of a network adapter must be 0 to 1, not %v", a.Share)
	}
	if len(a.Quarantine) > MaxReason || strings.ContainsFunc(a.Quarantine, request.IsUnsafe) {
		return fmt.Errorf("a reason can have at most %d bytes and no control characters", MaxReason)
	}
	if a.MAC[0]&1 != 0 {
		return fmt.Errorf("%s is a multicast address; an adapter needs a unicast one", a.MAC)
	}
	if a.StaticMAC {
		return v.checkMAC(AdapterName{machine, a.Name}, a.MAC)
	}
	return nil
}

// checkMAC returns why an adapter can't have a static address: it is unique among adapters and ports.
func (v Hypervisor) checkMAC(of AdapterName, mac description.MAC) (err error) {
	if mac == (description.MAC{}) {
		return errors.New("a static MAC address can't be zero")
	}
	v.Each(func(name AdapterName, _ *Machine, a *Adapter) {
		if err == nil && a.MAC == mac && (!strings.EqualFold(name.VM, of.VM) || !strings.EqualFold(name.Adapter, of.Adapter)) {
			err = fmt.Errorf("%s has the MAC address %s already", name, mac)
		}
	})
	for port := range v.Ports {
		if err == nil && v.Lab().Address(port) == mac {
			err = fmt.Errorf("%s has the MAC address %s already", v.connection(port), mac)
		}
	}
	return err
}

// adapterFrom returns an adapter with a configuration, and a dynamic address when it has no static one.
func (v Hypervisor) adapterFrom(machine string, r VMAdapterRecord) Adapter {
	if !r.StaticMAC {
		r.MAC = v.DynamicMAC(AdapterName{machine, r.Name})
	}
	a := newAdapter(r)
	a.Waits, a.Attached = false, false
	return a
}

// checkTransition returns why a machine can't change from one state to another.
func checkTransition(now, next VMState) error {
	switch {
	case next != VMPaused && next != VMSaved || now == VMRunning || now == VMPaused && next == VMSaved:
		return nil
	case now == VMOff:
		return fmt.Errorf("it is off, and only a running machine can be %s; start it first", strings.ToLower(string(next)))
	}
	return fmt.Errorf("it is saved, and only a running machine can be %s; start it first", strings.ToLower(string(next)))
}

// Limits of Hyper-V on a host of the lab.
const (
	MaxSwitches = 64
	MaxMachines = 4096
	MaxAdapters = 8 // of a machine
	MaxReason   = 512
)
