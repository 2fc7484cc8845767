package driver

import (
	"fmt"

	"cxdeck/driver/virtualization"
)

// ResetCard resets a card: its firmware starts anew with all counters at 0, and the drivers of its ports start again.
// Nothing takes it back.
type ResetCard struct {
	// Adapter is the card's name: "ConnectX-5 Ex".
	Adapter string `json:"adapter"`
}

func (ResetCard) Kind() string { return "reset-card" }

func (o ResetCard) Target() string { return o.Adapter }

func (o ResetCard) Describe() string { return "reset " + o.Adapter + " with all its counters" }

// Commands is the tool that resets a card; Host.Commands knows the card's device name.
func (ResetCard) Commands() []string { return resetCommands("mtNNNN_pciconfM") }

func resetCommands(device string) []string { return []string{"mlxfwreset -d " + device + " r --yes"} }

func (o ResetCard) inverse(h *Host) (Operation, error) {
	_, err := h.adapter(o.Adapter)
	return nil, err
}

func (o ResetCard) apply(h *Host) error {
	a, err := h.adapter(o.Adapter)
	if err != nil {
		return err
	}
	for port := range h.miniports {
		if _, card, _ := h.lab.Port(port); card == a && h.miniports[port].state != Stopped {
			h.stop(port, Restarting, stopTime+startTime)
		}
	}
	h.changeVirtual(func(v virtualization.Hypervisor) { v.LoadFirmware(a) })
	h.lab.ResetCard(a)
	return nil
}

// deviceName is what the firmware tools call a card: the device id, and the card's number among those of that id
// (FAM-2).
func (h *Host) deviceName(adapter int) string {
	cards, number := h.lab.Description().Adapters, 0
	for i := range cards[:adapter] {
		if cards[i].DeviceID == cards[adapter].DeviceID {
			number++
		}
	}
	return fmt.Sprintf("mt%d_pciconf%d", cards[adapter].DeviceID, number)
}
