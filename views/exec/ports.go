package exec

import (
	"fmt"

	"cxdeck/driver"
)

// PortViews returns the port whose connection has a name, the ports of the card with the name, or all ports if name is empty.
func PortViews(view *driver.View, name string) (ports []*driver.PortView, err error) {
	card, port := -1, -1
	if name != "" {
		if card, port, err = FindAdapter(view, name); err != nil {
			return nil, err
		}
	}
	for i := range view.Adapters {
		for j := range view.Adapters[i].Ports {
			if (card < 0 || i == card) && (port < 0 || j == port) {
				ports = append(ports, &view.Adapters[i].Ports[j])
			}
		}
	}
	return ports, nil
}

// PortsOf is PortViews for the current state of the host.
func (c *Call) PortsOf(name string) ([]*driver.PortView, error) {
	view, err := c.View()
	if err != nil {
		return nil, err
	}
	return PortViews(view, name)
}

// OptionalPort has the argument of a command for one connection, or for all if Name is empty.
type OptionalPort struct {
	Name string `is:"connection"`
}

// NoPriorities is the error of a command for priorities at an InfiniBand port.
func NoPriorities(connection string) error {
	return fmt.Errorf("%s is an InfiniBand port: it has service levels and credits in place of priorities and pauses", connection)
}
