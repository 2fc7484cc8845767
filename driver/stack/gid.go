package stack

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/roce"
	"cxdeck/device/setup"
)

// maxGIDs is the number of IP addresses of a connection that RoCE uses; the manual has an event for more and no number.
const maxGIDs = 32

// GIDTable holds the stale addresses in a driver's GID table, until its next poll compares them with the connection's addresses
// (ROCE-9).
type GIDTable struct {
	Connection string       `json:"connection"`
	Addresses  []netip.Addr `json:"addresses,omitempty"`
	// Next is the time of the poll since the lab's start; 0 without polls, until the adapter starts again.
	Next time.Duration `json:"next_ns,omitempty"`
}

// GID is one entry of the GID table of a port.
type GID struct {
	Index int `json:"index"`
	// Text has all digits of the GID: "0000:0000:0000:0000:0000:ffff:0b04:0c3f".
	Text string `json:"gid"`
	// Mode is the RoCE mode of the entry: "v1", "v1.25", "v2", as the port has it.
	Mode string `json:"mode"`
	// Address is the IP address that it was made of, invalid for a GID made of the MAC address. VLAN is the id of its frames, 0 for
	// none.
	Address netip.Addr `json:"address,omitzero"`
	VLAN    int        `json:"vlan,omitempty"`
}

// GIDs returns the GID table of an Ethernet port with RoCE: the GID of its MAC address for v1, one GID for each address that its
// driver knows for the modes over IP. It is empty for other ports. word returns the name of its mode.
func (s Set) GIDs(port int, mode string) (list []GID) {
	d, _, _ := s.Lab().Port(port)
	settings := s.Lab().Settings(port)
	if d.Link != description.Ethernet || settings.RoCE == description.NoRoCE {
		return nil
	}
	if settings.RoCE == description.RoCEv1 && mode != roceByIP {
		gid := roce.FromMAC(s.Lab().Address(port))
		return []GID{{Text: gid.String(), Mode: mode, VLAN: settings.VLAN}}
	}
	for i, address := range s.knownAddresses(d.Connection) {
		gid := roce.FromAddress(address)
		list = append(list, GID{i, gid.String(), mode, address, s.vlanOf(d.Connection, address, settings.VLAN)})
	}
	return list
}

// roceByIP is the name of RoCE v1 whose GIDs are made of IP addresses.
const roceByIP = "v1.25"

// vlanOf returns the VLAN of the RDMA traffic of an address, usual if it has none.
func (s Set) vlanOf(connection string, address netip.Addr, usual int) int {
	flows := s.Lab().Description().Flows
	for i := range flows {
		if f := &flows[i]; f.Port == connection && f.Protocol == description.RDMA && f.Local == address && f.VLAN != 0 {
			return f.VLAN
		}
	}
	return usual
}

// addressesOf returns the addresses of a connection that RoCE uses.
func (s Set) addressesOf(connection string) []netip.Addr {
	ip := s.IP(connection)
	list := make([]netip.Addr, min(len(ip.Addresses), maxGIDs))
	for i := range list {
		list[i] = ip.Addresses[i].Addr()
	}
	return list
}

// knownAddresses returns the addresses of a connection that its driver has GIDs for.
func (s Set) knownAddresses(connection string) []netip.Addr {
	if i := s.lagging(connection); i >= 0 {
		return s.Lagging[i].Addresses
	}
	return s.addressesOf(connection)
}

func (s Set) lagging(connection string) int {
	return slices.IndexFunc(s.Lagging, func(t GIDTable) bool { return strings.EqualFold(t.Connection, connection) })
}

// changeAddresses sets the addresses of a connection. The WinOF driver notices at its next poll, the WinOF-2 driver at once.
func (s Set) changeAddresses(ip Interface) error {
	port, err := s.Port(ip.Connection)
	if err != nil {
		return err
	}
	known := s.knownAddresses(ip.Connection)
	before := len(s.IP(ip.Connection).Addresses)
	s.set(ip)
	s.RefreshGIDs(ip.Connection)
	if interval, polls := s.GIDPoll(port); polls && !slices.Equal(known, s.addressesOf(ip.Connection)) {
		table := GIDTable{Connection: ip.Connection, Addresses: known}
		now := s.Lab().Elapsed().Milliseconds()
		if at, ever := roce.Visible(now+1, 0, interval.Milliseconds()); ever {
			table.Next = time.Duration(at) * time.Millisecond
		}
		s.Lagging = append(slices.Clone(s.Lagging), table)
	}
	if len(ip.Addresses) > max(before, maxGIDs) {
		s.TooManyGIDs(port, maxGIDs)
	}
	return s.Reclassify()
}

// RefreshGIDs updates the GIDs of a connection to its current addresses, as a driver start does.
func (s Set) RefreshGIDs(connection string) {
	if i := s.lagging(connection); i >= 0 {
		s.Lagging = slices.Delete(slices.Clone(s.Lagging), i, i+1)
	}
	if len(s.Lagging) == 0 {
		s.Lagging = nil
	}
}

// NextPoll returns the time of the next poll that finds changed addresses, at most until; times count from the lab's start.
func (s Set) NextPoll(until time.Duration) time.Duration {
	for i := range s.Lagging {
		if next := s.Lagging[i].Next; next > 0 {
			until = min(until, max(next, s.Lab().Elapsed()))
		}
	}
	return until
}

// Poll refreshes the GIDs of connections whose polls are due, and reports whether there were any.
func (s Set) Poll() (found bool) {
	for _, t := range slices.Clone(s.Lagging) {
		if t.Next > 0 && t.Next <= s.Lab().Elapsed() {
			s.RefreshGIDs(t.Connection)
			found = true
		}
	}
	return found
}

// withoutGID reports whether RDMA of a flow has no GID to send from: RoCE over IP needs one of the flow's own address. Hosts whose
// addresses were never changed have all of them.
func (s Set) withoutGID(f *description.Flow, port int) bool {
	d, _, _ := s.Lab().Port(port)
	if f.Protocol != description.RDMA || f.Virtual || !f.Local.IsValid() || d.Link != description.Ethernet || s.Lab().Settings(port).RoCE != description.RoCEv2 {
		return false
	}
	if s.find(d.Connection) < 0 && s.lagging(d.Connection) < 0 {
		return false
	}
	return !slices.Contains(s.knownAddresses(d.Connection), f.Local)
}

// checkGIDs validates the saved tables.
func (s Set) checkGIDs() bool {
	for i, t := range s.Lagging {
		if _, err := s.Port(t.Connection); err != nil || s.lagging(t.Connection) != i || len(t.Addresses) > maxGIDs || t.Next < 0 {
			return false
		}
		if slices.ContainsFunc(t.Addresses, func(a netip.Addr) bool { return !a.IsValid() }) {
			return false
		}
	}
	return true
}

// noMark leaves a flow as it is described.
var noMark = setup.Mark{Priority: setup.AsDescribed, DSCP: setup.AsDescribed}
