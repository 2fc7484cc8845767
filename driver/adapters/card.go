package adapters

import "cxdeck/driver/operation"

// ResetCard resets a card: its firmware restarts with all counters at 0, and the drivers of its ports restart. It can't
// be undone.
type ResetCard struct {
	// Adapter is the card's name: "ConnectX-5 Ex".
	Adapter string `json:"adapter"`
}

func (ResetCard) Kind() string { return "reset-card" }

func (o ResetCard) Target() string { return o.Adapter }

func (o ResetCard) Describe() string { return "reset " + o.Adapter + " with all its counters" }

// Commands has a placeholder for the card's device name; CommandsOn fills it in.
func (ResetCard) Commands() []string { return ResetCard{}.CommandsOn("mtNNNN_pciconfM") }

// CommandsOn returns the command for the card's device name.
func (ResetCard) CommandsOn(device string) []string {
	return []string{"mlxfwreset -d " + device + " r --yes"}
}

func (o ResetCard) Inverse(h Host) (operation.Any, error) {
	_, err := h.Card(o.Adapter)
	return nil, err
}

func (o ResetCard) Apply(h Host) error {
	card, err := h.Card(o.Adapter)
	if err == nil {
		h.ResetCard(card)
	}
	return err
}
