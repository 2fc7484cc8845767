package exec

import (
	"cxdeck/driver"
)

// PortViews returns the ports of a host; with a name, the ports that it means.
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

// PortsOf returns the ports that a name means.
func (c *Call) PortsOf(name string) ([]*driver.PortView, error) {
	view, err := c.View()
	if err != nil {
		return nil, err
	}
	return PortViews(view, name)
}
