package stack

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/operation"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
)

// State holds the stored settings of Windows. The zero State is a new Windows. It is saved as JSON; its lists are replaced, never
// modified, so that copies of a State are not affected.
type State struct {
	Client Client `json:"smb_client,omitzero"`
	Server Server `json:"smb_server,omitzero"`
	// NoNetworkDirect turns Network Direct off for the whole host (Set-NetOffloadGlobalSetting).
	NoNetworkDirect bool `json:"no_network_direct,omitempty"`
	// ExecutionPolicy is the policy of PowerShell, empty while none was set.
	ExecutionPolicy string `json:"execution_policy,omitempty"`
	// RemovedProviders are the NetworkDirect providers that were removed, in alphabetical order.
	RemovedProviders []string `json:"removed_nd_providers,omitempty"`
	// Interfaces are the connections whose addresses or DNS servers were changed.
	Interfaces []Interface `json:"interfaces,omitempty"`
	// Lagging are the GID tables of connections whose addresses have changed since the last poll of their drivers.
	Lagging []GIDTable `json:"gid_tables,omitempty"`
	// Servers are the servers of performance tools that wait in the background.
	Servers []TestServer `json:"test_servers,omitempty"`
}

// Client are the settings of the SMB client that differ from a new Windows.
type Client struct {
	// NoMultichannel limits SMB to one TCP connection; without multichannel there is no SMB Direct.
	NoMultichannel bool `json:"no_multichannel,omitempty"`
	// Sign requires signed packets.
	Sign bool `json:"require_signature,omitempty"`
}

// Server are the settings of the SMB server that differ from a new Windows.
type Server struct {
	NoMultichannel bool `json:"no_multichannel,omitempty"`
	// Sign requires signed packets, Encrypt encrypted packets.
	Sign    bool `json:"require_signature,omitempty"`
	Encrypt bool `json:"encrypt,omitempty"`
}

// Interface holds the IP settings of a connection.
type Interface struct {
	Connection string         `json:"connection"`
	Addresses  []netip.Prefix `json:"addresses,omitempty"`
	DNS        []netip.Addr   `json:"dns,omitempty"`
	// Static reports that DHCP is off.
	Static bool `json:"static,omitempty"`
}

// Ports is the part of the host that the stack uses.
type Ports interface {
	Lab() *device.Lab
	// Port returns the port number of a connection.
	Port(connection string) (int, error)
	// HasNetworkDirect reports whether the adapter of a port offers RDMA to Windows, and TakesRDMA whether the host's RDMA can use
	// the port, even if a virtual switch is bound to it.
	HasNetworkDirect(port int) bool
	TakesRDMA(port int) bool
	// NeedsFlowControl reports that the driver of a port disables RDMA of the kernel, because the port has neither PFC nor global
	// pause (ROCE-6).
	NeedsFlowControl(port int) bool
	// GIDPoll returns the interval at which the driver of a port compares its GIDs with its addresses, 0 for never; polls is false
	// for a driver that follows each change at once.
	GIDPoll(port int) (interval time.Duration, polls bool)
	// TooManyGIDs logs that a port has more addresses than RoCE uses.
	TooManyGIDs(port, limit int)
	// Stored returns a value of the registry, and StoreAt stores it; InUse returns the one that a driver uses, and Use changes it at once.
	Stored(port int, key string, scopes ...registry.Scope) (registry.Value, bool)
	StoreAt(port int, scope registry.Scope, key string, value registry.Value)
	InUse(port int, scope registry.Scope, key string) (registry.Value, bool)
	Use(key string, value registry.Value)
	// Reclassify applies a changed state to the lab.
	Reclassify() error
}

// Set is the network stack of a host with its ports.
type Set struct {
	Ports
	*State
}

// Operation is a change of the stack.
type Operation = operation.Of[Set]

// WhyNoRDMA returns why Windows or the adapter does not use SMB Direct on a port, a clause; empty if both do.
func (s Set) WhyNoRDMA(port int) string {
	if why := s.WhyIncapable(port); why != "" {
		return why
	}
	return s.whyRefused(port)
}

// WhyIncapable returns why SMB finds no RDMA on a port, regardless of the settings of SMB; empty if it does.
func (s Set) WhyIncapable(port int) string {
	switch {
	case s.NoNetworkDirect:
		return "Network Direct is disabled for the whole host"
	case !s.HasNetworkDirect(port):
		return "the adapter offers no RDMA"
	}
	return ""
}

// Boot has the SMB server read the registry. It reports whether the requirement of signatures has changed.
func (s Set) Boot() (changed bool) {
	value := s.Signature()
	sign := value != nil && *value != 0
	changed, s.Server.Sign = sign != s.Server.Sign, sign
	return changed
}

// NoFlowControl is the reason while NeedsFlowControl.
const NoFlowControl = "the driver disables RDMA of the kernel, such as SMB Direct, while the port has no flow control"

// whyRefused returns why Windows does not use SMB Direct on a port; empty if it does.
func (s Set) whyRefused(port int) string {
	switch {
	case s.NoNetworkDirect:
		return "Network Direct is disabled for the whole host"
	case !s.TakesRDMA(port):
		return "a virtual switch is bound to the port, and no host adapter on the switch has RDMA"
	case s.NeedsFlowControl(port):
		return NoFlowControl
	case s.Client.NoMultichannel || s.Server.NoMultichannel:
		return "SMB multichannel is off, and SMB Direct needs it"
	case s.Client.Sign || s.Server.Sign:
		return "SMB requires signed packets, which SMB Direct does not support"
	case s.Server.Encrypt:
		return "SMB requires encryption, which SMB Direct does not support"
	}
	return ""
}

// Carry sets the carrier of SMB Direct flows in marks, which may be nil for flows as described. The lab itself handles adapters
// without RDMA.
func (s Set) Carry(marks []setup.Mark) []setup.Mark {
	list := s.Lab().Description().Flows
	var flows []device.FlowState
	for i := range list {
		f := &list[i]
		if f.Protocol != description.RDMA {
			continue
		}
		if flows == nil {
			flows = s.Lab().Flows()
		}
		noGID, refused := s.withoutGID(f, flows[i].Port), f.Application.SMB() && s.whyRefused(flows[i].Port) != ""
		refused = refused || f.Application == description.NDSPI && (s.NoNetworkDirect || s.missingProvider(flows[i].Port) != "")
		if !noGID && !refused {
			continue
		}
		if marks == nil {
			marks = slices.Repeat([]setup.Mark{noMark}, len(flows))
		}
		if marks[i].NoGID = noGID; !refused {
			continue
		}
		marks[i].Carrier = setup.ByTCP
		if s.Client.NoMultichannel || s.Server.NoMultichannel {
			marks[i].Carrier = setup.ByOneTCP
		}
	}
	return marks
}

// Check validates a saved state.
func (s Set) Check() error {
	if !s.checkGIDs() {
		return errors.New("the saved host has damaged GID tables")
	}
	if len(s.Servers) > maxServers {
		return errors.New("the saved host has too many servers of performance tools")
	}
	for _, name := range s.RemovedProviders {
		if p, err := FindProvider(name); err != nil || p.Name != name {
			return request.Errorf("the saved host lacks the NetworkDirect provider %q, which no driver has", name)
		}
	}
	seen := map[string]bool{}
	for _, i := range s.Interfaces {
		if _, err := s.Port(i.Connection); err != nil || seen[i.Connection] || len(i.Addresses) > maxAddresses || len(i.DNS) > maxAddresses {
			return request.Errorf("the saved host has damaged IP addresses of %q", i.Connection)
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

// maxAddresses is the maximum number of IP addresses, and of DNS servers, of a connection.
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
	settings := Interface{Connection: connection, Static: true}
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
		if p := netip.PrefixFrom(f.Local, bits); !slices.Contains(settings.Addresses, p) && checkAddress(p) == nil && len(settings.Addresses) < maxAddresses {
			settings.Addresses = append(settings.Addresses, p)
		}
	}
	return settings
}

func (s *State) find(connection string) int {
	return slices.IndexFunc(s.Interfaces, func(i Interface) bool { return i.Connection == connection })
}
