package device

import (
	"errors"
	"fmt"

	"cxdeck/device/description"
)

var (
	errNoSubnet = errors.New("an Ethernet port has no subnet manager; name an InfiniBand port")
)

// SubnetState is the state of an InfiniBand port in its subnet.
type SubnetState uint8

// The states of a port in its subnet.
const (
	NoSubnet    SubnetState = iota // it is no InfiniBand port
	PortDown                       // no link
	PortInit                       // the link is trained, and no subnet manager has configured the port
	PortActive                     // it carries traffic
	subnetPorts                    // how many there are
)

// String is the state as the tools of InfiniBand write it: "DOWN", "INIT", "ACTIVE"; empty for Ethernet.
func (s SubnetState) String() string {
	return [subnetPorts]string{"", "DOWN", "INIT", "ACTIVE"}[s]
}

// subnetState returns the present state of a port.
func (l *Lab) subnetState(port int) SubnetState {
	s := &l.links[port]
	switch {
	case l.plan.ports[port].ethernet:
		return NoSubnet
	case s.Up:
		return PortActive
	case s.Ready >= training:
		return PortInit
	}
	return PortDown
}

// checkSubnet rejects a subnet manager on an Ethernet port.
func (s *SwitchSettings) checkSubnet(link description.LinkType) error {
	if !s.SubnetManager.Known() {
		return description.ErrSubnetManager
	}
	if link == description.Ethernet && (s.SubnetManager != description.SubnetManaged || len(s.PKeys) > 0) {
		return errNoSubnet
	}
	if len(s.PKeys) > description.MaxPKeys {
		return fmt.Errorf("a subnet manager gives a port at most %d partitions beside the default one", description.MaxPKeys)
	}
	for _, key := range s.PKeys {
		if !key.Valid() {
			return errors.New("there is no partition 0: a PKey is four hexadecimal digits, and not 0000 or 8000")
		}
	}
	return nil
}
