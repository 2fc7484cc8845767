package driver

// nowhere is the port of a session that goes through no port.
const nowhere = -1

// Management returns the connection that the operator's own session goes through; empty when there is none.
func (h *Host) Management() string {
	if h.management == nowhere {
		return ""
	}
	d, _, _ := h.lab.Port(h.management)
	return d.Connection
}

// SetManagement sets the connection of the operator's own session; empty for none.
func (h partHost) SetManagement(connection string) {
	h.management = nowhere
	if port, err := h.port(connection); err == nil && connection != "" {
		h.management = port
	}
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
