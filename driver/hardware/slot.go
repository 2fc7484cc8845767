package hardware

import "fmt"

// SetSlot moves a card to a slot of another kind.
type SetSlot struct {
	// Adapter is the card's name: "ConnectX-5 Ex".
	Adapter string `json:"adapter"`
	// Generation of PCI Express, 1 to 4, and Lanes: 1, 2, 4, 8 or 16.
	Generation int `json:"generation"`
	Lanes      int `json:"lanes"`
}

// SetProcessorSpeed slows down the processors' work for a connection.
type SetProcessorSpeed struct {
	Connection string `json:"connection"`
	// Speed is the remaining fraction of their speed, 0.01 to 1.
	Speed float64 `json:"speed"`
}

func (SetSlot) Kind() string           { return "set-slot" }
func (SetProcessorSpeed) Kind() string { return "set-processor-speed" }

func (o SetSlot) Target() string           { return o.Adapter }
func (o SetProcessorSpeed) Target() string { return o.Connection }

func (o SetSlot) Describe() string {
	return fmt.Sprintf("move %s to a PCI Express %d slot of %d lanes", o.Adapter, o.Generation, o.Lanes)
}

func (o SetProcessorSpeed) Describe() string {
	return fmt.Sprintf("run the processors of %s at %g%% of their speed", o.Connection, o.Speed*100)
}

// Commands is empty: a card is moved by hand.
func (SetSlot) Commands() []string { return nil }

// Commands is empty: it models the load of other programs.
func (SetProcessorSpeed) Commands() []string { return nil }

func (o SetSlot) Inverse(h Host) (Operation, error) {
	a, err := h.Adapter(o.Adapter)
	if err != nil {
		return nil, err
	}
	slot := h.Lab().Slot(a)
	return SetSlot{o.Adapter, slot.Generation, slot.Lanes}, nil
}

func (o SetSlot) Apply(h Host) error {
	a, err := h.Adapter(o.Adapter)
	if err != nil {
		return err
	}
	return h.Lab().SetSlot(a, o.Generation, o.Lanes)
}

func (o SetProcessorSpeed) Inverse(h Host) (Operation, error) {
	port, err := h.Port(o.Connection)
	if err != nil {
		return nil, err
	}
	return SetProcessorSpeed{o.Connection, h.Lab().ProcessorSpeed(port)}, nil
}

func (o SetProcessorSpeed) Apply(h Host) error {
	port, err := h.Port(o.Connection)
	if err != nil {
		return err
	}
	return h.Lab().SetProcessorSpeed(port, o.Speed)
}
