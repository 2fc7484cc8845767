package adapters

import (
	"errors"
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/limits"
	"cxdeck/driver/operation"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/request"
	"cxdeck/driver/virtualization/hyperv"
)

// SetSriovPorts shares the virtual functions of a ConnectX-3 card among its ports (IOV-2). It stores the keys of the card,
// which take effect when the driver is reloaded.
type SetSriovPorts struct {
	Adapter string `json:"adapter"`
	// Mode is 0 auto_port1, 1 auto_port2, 2 manual; the counts matter in manual mode.
	Mode  int `json:"mode"`
	Port1 int `json:"port1_vfs"`
	Port2 int `json:"port2_vfs"`
}

func (SetSriovPorts) Kind() string { return "set-sriov-ports" }

func (o SetSriovPorts) Target() string { return o.Adapter }

func (o SetSriovPorts) Describe() string {
	switch o.Mode {
	case 0, 1:
		return fmt.Sprintf("assign all virtual functions of %s to port %d", o.Adapter, o.Mode+1)
	}
	return fmt.Sprintf("assign %d and %d virtual functions to the ports of %s", o.Port1, o.Port2, o.Adapter)
}

// Commands returns the PowerShell command with "HCA 0"; CommandsOn puts in the name of the card.
func (o SetSriovPorts) Commands() []string { return o.CommandsOn("HCA 0") }

// CommandsOn returns the command for a card.
func (o SetSriovPorts) CommandsOn(name string) []string {
	return []string{cmdlet.New("Set-MlnxPCIDeviceSriovSetting").With("Name", name).With("SriovPortMode", o.Mode).
		With("SriovPort1NumVFs", o.Port1).With("SriovPort2NumVFs", o.Port2).String()}
}

func (o SetSriovPorts) Differences(h Host) []operation.Difference {
	_, port, err := cardPort(h, o.Adapter)
	if err != nil {
		return nil
	}
	_, mode, counts := h.Virtualization().Permitted(port)
	text := func(mode, one, two int) string { return fmt.Sprintf("%s, %d and %d", hyperv.ModeName(mode), one, two) }
	return []operation.Difference{{
		Name: "Ports of " + o.Adapter, From: text(mode, counts[0], counts[1]), To: text(o.Mode, o.Port1, o.Port2),
	}}
}

// sriovKeys are the keys that Set-MlnxPCIDeviceSriovSetting stores.
var sriovKeys = [...]string{"SriovPortMode", "MaxVFPort1", "MaxVFPort2"}

func (o SetSriovPorts) Inverse(h Host) (operation.Any, error) {
	card, port, err := cardPort(h, o.Adapter)
	if err != nil {
		return nil, err
	}
	a := &h.Lab().Description().Adapters[card]
	switch {
	case a.Family != description.WinOF:
		return nil, errors.New("its driver does not share virtual functions among ports: each has its own; set NUM_OF_VFS in the firmware")
	case o.Mode < 0 || o.Mode > 2:
		return nil, fmt.Errorf("SriovPortMode must be 0 auto_port1, 1 auto_port2 or 2 manual, not %d", o.Mode)
	case o.Port1 < 0 || o.Port1 > 126 || o.Port2 < 0 || o.Port2 > 126:
		return nil, errors.New("a port has 0 to 126 virtual functions")
	}
	edits := h.Edits()
	back := edit.StoreValues{Path: edits.Path(&registry.Stored{Scope: registry.BusDevice, Index: card, Name: sriovKeys[0]})}
	for _, name := range sriovKeys {
		r, ok := edits.Layout.Catalogue(port).Find(name, registry.BusDevice)
		if !ok {
			return nil, fmt.Errorf("the driver has no key %s", name)
		}
		back.Values = append(back.Values, edit.StoredValue{Name: name, Value: edits.GetRow(edits.Place(port, r.Scope), r)})
	}
	return back, nil
}

// cardPort returns a card with its first port.
func cardPort(h Host, name string) (card, port int, err error) {
	if card, err = h.Card(name); err != nil {
		return 0, 0, err
	}
	for port := range h.Lab().Ports() {
		if cardOf(h, port) == card {
			return card, port, nil
		}
	}
	return 0, 0, &request.UnknownAdapterError{Adapter: name}
}

func cardOf(h Host, port int) int {
	_, card, _ := h.Lab().Port(port)
	return card
}

func (o SetSriovPorts) Apply(h Host) error {
	_, port, err := cardPort(h, o.Adapter)
	if err != nil {
		return err
	}
	edits := h.Edits()
	for i, n := range []int{o.Mode, o.Port1, o.Port2} {
		r, ok := edits.Layout.Catalogue(port).Find(sriovKeys[i], registry.BusDevice)
		if !ok {
			return fmt.Errorf("the driver has no key %s", sriovKeys[i])
		}
		edits.Set(edits.Place(port, r.Scope), r.Name, registry.NumberValue(uint32(n)))
		edits.Changed(port, r)
	}
	return nil
}

// LimitsAt returns a sentence for each requirement that the host after the Operation does not meet.
func (o SetSriovPorts) LimitsAt(h Host) (list []string) {
	card, _, err := cardPort(h, o.Adapter)
	if err != nil {
		return nil
	}
	for port := range h.Lab().Ports() {
		if cardOf(h, port) == card {
			list = append(list, h.Lacks(port, limits.SRIOV))
		}
	}
	return list
}
