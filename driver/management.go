package driver

import "cxdeck/driver/request"

// MarkManagement marks the connection that carries the operator's own session, or removes the mark. Only one connection has it:
// marking another removes the mark of the first.
type MarkManagement struct {
	Connection string `json:"connection"`
	// Carries is false to remove the mark.
	Carries bool `json:"carries"`
}

// nowhere is the port of a session that goes through no port.
const nowhere = -1

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

func (o MarkManagement) inverse(h *Host) (Operation, error) {
	port, err := h.port(o.Connection)
	switch {
	case err != nil:
		return nil, err
	case o.Carries && h.management == port:
		return nil, request.Unchanged("it carries your session already")
	case !o.Carries && h.management != port:
		return nil, request.Unchanged("it does not carry your session")
	case o.Carries && h.management != nowhere:
		return MarkManagement{h.Management(), true}, nil
	}
	return MarkManagement{o.Connection, !o.Carries}, nil
}

func (o MarkManagement) apply(h *Host) error {
	port, err := h.port(o.Connection)
	if err != nil {
		return err
	}
	if h.management = nowhere; o.Carries {
		h.management = port
	}
	return nil
}

// Management returns the connection that the operator's own session goes through; empty when there is none.
func (h *Host) Management() string {
	if h.management == nowhere {
		return ""
	}
	d, _, _ := h.lab.Port(h.management)
	return d.Connection
}

// describedManagement returns the port that the description marks.
func (h *Host) describedManagement() int {
	for port := range h.miniports {
		if d, _, _ := h.lab.Port(port); d.Management {
			return port
		}
	}
	return nowhere
}
