package subnet

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/device/infiniband/site"
	"cxdeck/driver/operation"
)

// Host is the part of the host that the subnet uses.
type Host interface {
	Lab() *device.Lab
	// LinksChanged has the host react to a link of its own that went down or came up.
	LinksChanged()
}

// Operation is a change of the subnet.
type Operation = operation.Of[Host]

// UnknownNodeError reports a name that no node of the subnet has.
type UnknownNodeError struct{ Name string }

// Error names the node.
func (e *UnknownNodeError) Error() string { return fmt.Sprintf("the subnet has no node %q", e.Name) }

// Find returns the port with a name, "IB1/12".
func Find(f *infiniband.Fabric, name string) (infiniband.Place, error) {
	if text, isSwitch := strings.CutSuffix(name, "/0"); isSwitch { // the management port of a switch
		if node := f.Named(text); node >= 0 && f.Nodes[node].Kind == infiniband.Switch {
			return infiniband.Place{Node: node}, nil
		}
	}
	text, port, err := description.CutPort(name)
	if err != nil {
		return infiniband.Nowhere, err
	}
	node := f.Named(text)
	if node < 0 {
		return infiniband.Nowhere, &UnknownNodeError{text}
	}
	if port > f.Nodes[node].External() {
		return infiniband.Nowhere, fmt.Errorf("%s has ports 1 to %d", text, f.Nodes[node].External())
	}
	return infiniband.Place{Node: node, Port: port}, nil
}

// Name returns the name of a port: "IB1/12".
func Name(f *infiniband.Fabric, at infiniband.Place) string {
	return fmt.Sprintf("%s/%d", f.Of(at).Name, at.Port)
}

// read returns the port with a name, as it is now.
func read(h Host, name string) (port *infiniband.Port, err error) {
	err = h.Lab().ReadSubnet(func(s *site.Site) error {
		at, err := Find(s.Fabric, name)
		if err == nil {
			port = s.Fabric.At(at)
		}
		return err
	})
	return port, err
}

// own returns the port of the lab whose cable is at a place, -1 without one.
func own(s *site.Site, at infiniband.Place) int {
	far := s.Fabric.At(at).Far
	return slices.IndexFunc(s.Own, func(p infiniband.Place) bool { return p != infiniband.Nowhere && (p == at || p == far) })
}

// managerOn returns the manager on a node, nil without one.
func managerOn(s *site.Site, node int) *opensm.Manager {
	i := slices.IndexFunc(s.Managers, func(m *opensm.Manager) bool { return m.Place.Node == node })
	if i < 0 {
		return nil
	}
	return s.Managers[i]
}
