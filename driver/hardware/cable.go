package hardware

import "cxdeck/driver/request"

// PullCable pulls the cable of a port.
type PullCable struct {
	// Connection is the connection name: "Ethernet 7".
	Connection string `json:"connection"`
}

// PlugCable plugs the cable of a port in again.
type PlugCable struct {
	Connection string `json:"connection"`
}

// Why a cable can't be changed.
var (
	ErrCableOut = request.Unchanged("its cable is unplugged already")
	ErrCableIn  = request.Unchanged("its cable is plugged in already")
)

func (PullCable) Kind() string       { return "pull-cable" }
func (PlugCable) Kind() string       { return "plug-cable" }
func (o PullCable) Target() string   { return o.Connection }
func (o PlugCable) Target() string   { return o.Connection }
func (o PullCable) Describe() string { return "pull the cable of " + o.Connection }

func (o PlugCable) Describe() string { return "plug in the cable of " + o.Connection }

// Commands is empty: a cable is pulled by hand.
func (PullCable) Commands() []string { return nil }

// Commands is empty: a cable is plugged in by hand.
func (PlugCable) Commands() []string { return nil }

func (o PullCable) Inverse(h Host) (Operation, error) {
	return PlugCable(o), checkCable(h, o.Connection, true, ErrCableOut)
}

func (o PlugCable) Inverse(h Host) (Operation, error) {
	return PullCable(o), checkCable(h, o.Connection, false, ErrCableIn)
}

func (o PullCable) Apply(h Host) error { return setCable(h, o.Connection, false) }

func (o PlugCable) Apply(h Host) error { return setCable(h, o.Connection, true) }

func checkCable(h Host, connection string, in bool, otherwise error) error {
	port, err := h.Port(connection)
	if err != nil {
		return err
	}
	if h.Lab().State(port).Cabled != in {
		return otherwise
	}
	return nil
}

func setCable(h Host, connection string, in bool) error {
	port, err := h.Port(connection)
	if err != nil {
		return err
	}
	if err := h.Lab().SetCable(port, in); err != nil {
		return err
	}
	h.LinksChanged()
	return nil
}
