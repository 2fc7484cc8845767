package stack

import (
	"fmt"
	"net/netip"
	"slices"

	"cxdeck/device/description"
)

// Missing is what Windows lacks for RDMA of a workload.
type Missing struct {
	// Why is the reason why it does not use RDMA, a clause.
	Why string
	// Title and Fix are the change that provides it; nil if no setting of the stack does.
	Title string
	Fix   Operation
}

// Missing returns what Windows lacks for RDMA of a flow at a port, in the order in which an operator provides it; empty if nothing.
func (s Set) Missing(f *description.Flow, port int) (list []Missing) {
	if f.Protocol != description.RDMA {
		return nil
	}
	d, _, _ := s.Lab().Port(port)
	if s.NoNetworkDirect && f.Application != description.Verbs {
		list = append(list, Missing{"Network Direct is disabled for the whole host", "Turn on Network Direct of the host", SetNetworkDirect{Enabled: true}})
	}
	if name := s.missingProvider(port); name != "" && f.Application == description.NDSPI {
		list = append(list, Missing{"no NetworkDirect provider of the driver is installed", "Install the NetworkDirect provider " + name, SetProvider{Provider: name, Installed: true}})
	}
	if s.withoutGID(f, port) {
		list = append(list, s.missingGID(d.Connection, f.Local))
	}
	if !f.Application.SMB() {
		return list
	}
	for _, off := range []struct {
		set  bool
		why  string
		what string
		fix  SetSMB
	}{
		{s.Client.NoMultichannel, "multichannel of the SMB client is off, and SMB Direct needs it", "Turn on multichannel of the SMB client", SetSMB{Side: ClientSide, Multichannel: new(true)}},
		{s.Server.NoMultichannel, "multichannel of the SMB server is off, and SMB Direct needs it", "Turn on multichannel of the SMB server", SetSMB{Side: ServerSide, Multichannel: new(true)}},
		{s.Client.Sign, "the SMB client requires signed packets, which SMB Direct does not support", "Let the SMB client accept unsigned packets", SetSMB{Side: ClientSide, Sign: new(false)}},
		{s.Server.Sign, "the SMB server requires signed packets, which SMB Direct does not support", "Let the SMB server accept unsigned packets", SetSMB{Side: ServerSide, Sign: new(false)}},
		{s.Server.Encrypt, "the SMB server requires encryption, which SMB Direct does not support", "Turn off encryption of the SMB server", SetSMB{Side: ServerSide, Encrypt: new(false)}},
	} {
		if off.set {
			list = append(list, Missing{off.why, off.what, off.fix})
		}
	}
	return list
}

// missingGID says why an address has no GID: the connection lacks it, or its driver has not followed it yet.
func (s Set) missingGID(connection string, address netip.Addr) Missing {
	ip := s.IP(connection)
	if slices.ContainsFunc(ip.Addresses, func(p netip.Prefix) bool { return p.Addr() == address }) {
		return Missing{Why: fmt.Sprintf("the GID table has no entry for %s until the driver follows the changed addresses", address)}
	}
	bits := 24
	if address.Is6() {
		bits = 64
	}
	return Missing{fmt.Sprintf("the IP address %s is missing, and so is its GID", address), fmt.Sprintf("Add the IP address %s to %s", address, connection),
		AddAddress{Connection: connection, Address: netip.PrefixFrom(address, bits)}}
}
