package driver

import "cxdeck/driver/registry"

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
	for _, port := range h.cardPorts(a) {
		if h.miniports[port].state != Stopped {
			h.stop(port, Restarting, stopTime+startTime)
		}
	}
	if h.loadFirmware(a) { // the driver looks again at what the card can do
		h.stopAll(h.cardPorts(a), registry.AtReload, stopTime+startTime)
	}
	h.lab.ResetCard(a)
	return nil
}

// cardPorts returns the ports of a card.
func (h *Host) cardPorts(card int) (ports []int) {
	for port := range h.miniports {
		if _, of, _ := h.lab.Port(port); of == card {
			ports = append(ports, port)
		}
	}
	return ports
}
