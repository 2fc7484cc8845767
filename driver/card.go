package driver

import "cxdeck/driver/registry"

// ResetCard restarts the firmware of a card, and the drivers of its ports.
func (h partHost) ResetCard(card int) {
	for _, port := range h.cardPorts(card) {
		h.Restart(port)
	}
	if h.loadFirmware(card) { // the driver looks again at what the card can do
		h.stopAll(h.cardPorts(card), registry.AtReload, stopTime+startTime)
	}
	h.lab.ResetCard(card)
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
