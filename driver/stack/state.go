package stack

import (
	"fmt"
	"net/netip"
	"slices"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/operation"
)

// State is what Windows keeps. The zero State is what a new Windows has. It is saved as JSON; its lists are replaced and never
// changed, so that copies of a State keep theirs.
type State struct {
	Client Client `json:"smb_client,omitzero"`
	Server Server `json:"smb_server,omitzero"`
	// NoNetworkDirect switches Network Direct off for the whole host (Set-NetOffloadGlobalSetting).
	NoNetworkDirect bool `json:"no_network_direct,omitempty"`
	// Interfaces are the connections whose addresses or DNS servers were changed.
	Interfaces []Interface `json:"interfaces,omitempty"`
}

// Client are the settings of the SMB client that differ from a new Windows.
type Client struct {
	// NoMultichannel keeps it to one connection, and with that from SMB Direct, which multichannel finds.
	NoMultichannel bool `json:"no_multichannel,omitempty"`
	// Sign demands signed packets.
	Sign bool `json:"require_signature,omitempty"`
}

// Server are the settings of the SMB server that differ from a new Windows.
type Server struct {
	NoMultichannel bool `json:"no_multichannel,omitempty"`
	// Sign demands signed packets, Encrypt encrypted ones.
	Sign    bool `json:"require_signature,omitempty"`
	Encrypt bool `json:"encrypt,omitempty"`
}

// Interface is IP on a connection.
type Interface struct {
	Connection string         `json:"connection"`
	Addresses  []netip.Prefix `json:"addresses,omitempty"`
	DNS        []netip.Addr   `json:"dns,omitempty"`
	// Static reports that it asks no DHCP server for an address.
	Static bool `json:"static,omitempty"`
}

// Ports is the part of the host that the stack uses.
type Ports interface {
	Lab() *device.Lab
	// Port is the number of a connection.
	Port(connection string) (int, error)
	// HasNetworkDirect reports whether the adapter of a port offers RDMA to Windows, and TakesRDMA whether what is bound to the
	// port lets the host's own RDMA through.
	HasNetworkDirect(port int) bool
	TakesRDMA(port int) bool
	// Reclassify puts the state into effect after a change.
	Reclassify() error
}

// Set is the stack as a host sees it.
type Set struct {
	Ports
	*State
}

// Operation is a change of the stack.
type Operation = operation.Of[Set]

// WhyNoRDMA returns why SMB Direct is not used at a port, a clause; empty when it is, as far as Windows and the adapter decide.
func (s Set) WhyNoRDMA(port int) string {
	if why := s.WhyIncapable(port); why != "" {
		return why
	}
	return s.whyRefused(port)
}

// WhyIncapable returns why SMB finds no RDMA at a port, whatever its own settings are; empty when it does.
func (s Set) WhyIncapable(port int) string {
	switch {
	case s.NoNetworkDirect:
		return "Network Direct is disabled for the whole host"
	case !s.HasNetworkDirect(port):
		return "the adapter offers no RDMA"
	}
	return ""
}

// whyRefused is WhyNoRDMA without what the adapter decides.
func (s Set) whyRefused(port int) string {
	switch {
	case s.NoNetworkDirect:
		return "Network Direct is disabled for the whole host"
	case !s.TakesRDMA(port):
		return "the port is under a virtual switch, and no adapter of the host there has RDMA"
	case s.Client.NoMultichannel || s.Server.NoMultichannel:
		return "SMB multichannel is off, and SMB Direct needs it"
	case s.Client.Sign || s.Server.Sign:
		return "SMB demands signed packets, which SMB Direct does not carry"
	case s.Server.Encrypt:
		return "SMB demands encryption, which SMB Direct does not carry"
	}
	return ""
}

// Carry sets the carrier of the flows of SMB Direct in marks, which may be nil: the flows are as described then. The hardware
// itself knows of adapters without RDMA.
func (s Set) Carry(marks []setup.Mark) []setup.Mark {
	list := s.Lab().Description().Flows
	var flows []device.FlowState
	for i := range list {
		if f := &list[i]; f.Protocol != description.RDMA || f.Application != description.SMBDirect {
			continue
		}
		if flows == nil {
			flows = s.Lab().Flows()
		}
		if s.whyRefused(flows[i].Port) == "" {
			continue
		}
		if marks == nil {
			marks = slices.Repeat([]setup.Mark{{Priority: setup.AsDescribed, DSCP: setup.AsDescribed}}, len(flows))
		}
		marks[i].Carrier = setup.ByTCP
		if s.Client.NoMultichannel || s.Server.NoMultichannel {
			marks[i].Carrier = setup.ByOneTCP
		}
	}
	return marks
}

// Check returns what is wrong with a saved state.
func (s Set) Check() error {
	seen := map[string]bool{}
	for _, i := range s.Interfaces {
		if _, err := s.Port(i.Connection); err != nil || seen[i.Connection] || len(i.Addresses) > maxAddresses || len(i.DNS) > maxAddresses {
			return fmt.Errorf("the saved host has damaged IP addresses of %q", i.Connection)
		}
		seen[i.Connection] = true
		for _, a := range i.Addresses {
			if checkAddress(a) != nil {
				return fmt.Errorf("the saved host has the IP address %s, which no connection can have", a)
			}
		}
	}
	return nil
}

// maxAddresses is how many addresses, and how many DNS servers, a connection can have.
const maxAddresses = 64

func checkAddress(p netip.Prefix) error {
	a := p.Addr()
	if !p.IsValid() || a.Zone() != "" || a.IsUnspecified() || a.IsMulticast() || a.IsLoopback() || p.Bits() == 0 {
		return fmt.Errorf("%s can't be the address of a connection", p)
	}
	return nil
}

// IP returns IP on a connection: what was set, or else the addresses from which the lab's flows of the port go out.
func (s Set) IP(connection string) Interface {
	if i := s.find(connection); i >= 0 {
		return s.Interfaces[i]
	}
	return s.described(connection)
}

func (s Set) described(connection string) Interface {
	one := Interface{Connection: connection, Static: true}
	const usualBits = 24
	flows := s.Lab().Description().Flows
	for i := range flows {
		f := &flows[i]
		if f.Port != connection || f.Virtual || f.Multicast || !f.Local.IsValid() || f.VLAN != 0 && f.Protocol != description.RDMA {
			continue
		}
		bits := usualBits
		if f.Local.Is6() {
			bits = 64
		}
		if p := netip.PrefixFrom(f.Local, bits); !slices.Contains(one.Addresses, p) && checkAddress(p) == nil && len(one.Addresses) < maxAddresses {
			one.Addresses = append(one.Addresses, p)
		}
	}
	return one
}

func (s *State) find(connection string) int {
	return slices.IndexFunc(s.Interfaces, func(i Interface) bool { return i.Connection == connection })
}
