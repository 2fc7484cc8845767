package adapters

import (
	"cxdeck/driver/operation"
	"cxdeck/driver/request"
)

// MarkManagement marks the connection that carries the operator's own session, or removes the mark. Only one connection has it:
// marking another removes the mark of the first.
type MarkManagement struct {
	Connection string `json:"connection"`
	// Carries is false to remove the mark.
	Carries bool `json:"carries"`
}

func (MarkManagement) Kind() string { return "mark-management" }

func (o MarkManagement) Target() string { return o.Connection }

func (o MarkManagement) Describe() string {
	if o.Carries {
		return "mark " + o.Connection + " as carrying your session"
	}
	return "mark " + o.Connection + " as no longer carrying your session"
}

// Commands is empty: Windows has no such mark.
func (MarkManagement) Commands() []string { return nil }

func (o MarkManagement) Inverse(h Host) (operation.Any, error) {
	port, err := h.Port(o.Connection)
	if err != nil {
		return nil, err
	}
	now := h.Management()
	carrier, _ := h.Port(now) // now is empty or a connection of the host
	carries := now != "" && carrier == port
	switch {
	case o.Carries && carries:
		return nil, request.Unchanged("it carries your session already")
	case !o.Carries && !carries:
		return nil, request.Unchanged("it does not carry your session")
	case o.Carries && now != "":
		return MarkManagement{now, true}, nil
	}
	return MarkManagement{o.Connection, !o.Carries}, nil
}

func (o MarkManagement) Apply(h Host) error {
	if _, err := h.Port(o.Connection); err != nil {
		return err
	}
	connection := ""
	if o.Carries {
		connection = o.Connection
	}
	h.SetManagement(connection)
	return nil
}
