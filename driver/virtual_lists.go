package driver

import (
	"fmt"
	"regexp"
	"slices"

	"cxdeck/device/description"
	"cxdeck/driver/virtualization"
)

// virtualCommands are the commands of Operations that take what the host knows.
func (h *Host) virtualCommands(o Operation) (commands []string, ok bool) {
	switch o := o.(type) {
	case SetFirmware:
		if card, err := h.adapter(o.Adapter); err == nil {
			return o.commands(h.deviceName(card)), true
		}
	case SetSriovPorts:
		if card, err := h.adapter(o.Adapter); err == nil {
			return o.commands(h.hcaName(card)), true
		}
	case Quarantine:
		if a, err := h.virtual.FindAdapter(virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter}); err == nil && o.Reason == "" {
			of := adapterOf(o.VM, o.Adapter)
			return []string{
				fmt.Sprintf("Set-VMNetworkAdapter %s -IovWeight %d", of, a.IovWeight), connectCommand(o.VM, o.Adapter, a.Switch),
			}, true
		}
	case ReleasePort:
		if a, err := h.virtual.FindAdapter(virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter}); err == nil && a.Switch != "" {
			i, err := h.virtual.FindMachine(o.VM)
			if err == nil {
				return o.commands(h.hypervisor().SwitchPort(&h.virtual.VMs[i], a)), true
			}
		}
	case ResetVF:
		port, err := h.port(o.Connection)
		if err != nil {
			return nil, false
		}
		h.virtual.Each(func(name virtualization.AdapterName, _ *virtualization.Machine, a *virtualization.Adapter) {
			if a.Port == port && a.Function == o.Function {
				of := adapterOf(name.VM, name.Adapter)
				commands = []string{
					fmt.Sprintf("Set-VMNetworkAdapter %s -IovWeight 0", of), fmt.Sprintf("Set-VMNetworkAdapter %s -IovWeight %d", of, a.IovWeight),
				}
			}
		})
		return commands, true
	case RemoveNetVirtualization:
		return RemoveNetVirtualization{Records: o.present(h)}.Commands(), true
	case RestoreNetVirtualization:
		return o.missing(h).Commands(), true
	}
	return nil, false
}

var hcaCalled = regexp.MustCompile(`^HCA \d+$`)

// hcaName is what the commands of the WinOF driver call a card: "HCA 0". One that the lab calls so keeps its name, the
// others have the numbers that are left.
func (h *Host) hcaName(card int) string {
	cards := h.lab.Description().Adapters
	if hcaCalled.MatchString(cards[card].Name) {
		return cards[card].Name
	}
	number, name := -1, ""
	for i := range card + 1 {
		if cards[i].Family != description.WinOF || hcaCalled.MatchString(cards[i].Name) {
			continue
		}
		taken := func(a description.Adapter) bool { return a.Name == name }
		for name = ""; name == "" || slices.ContainsFunc(cards, taken); {
			number++
			name = fmt.Sprintf("HCA %d", number)
		}
	}
	return name
}
