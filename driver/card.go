package driver

import "cxdeck/driver/virtualization"

// ResetCard resets a card: its firmware restarts with all counters at 0, and the drivers of its ports restart. It can't
// be undone.
type ResetCard struct {
	// Adapter is the card's name: "ConnectX-5 Ex".
	Adapter string `json:"adapter"`
}

func (ResetCard) Kind() string { return "reset-card" }

func (o ResetCard) Target() string { return o.Adapter }

func (o ResetCard) Describe() string { return "reset " + o.Adapter + " with all its counters" }

// Commands has a placeholder for the card's device name; Host.Commands fills it in.
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
