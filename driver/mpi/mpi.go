package mpi

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"cxdeck/driver/operation"
	"cxdeck/driver/request"
)

// DefaultPack is the version of HPC Pack that the manuals require, and that the hosts of a lab have.
const DefaultPack = "4.0.3906.0"

// Program is the image of the process manager, and Process its number on this host.
const (
	Program = "smpd.exe"
	Process = 3408
)

// maxHosts is the maximum number of hosts whose state differs from the state of a new host.
const maxHosts = 256

// Host is a host of the cluster. The zero Host is a new one, without smpd.
type Host struct {
	// Address is one of a peer's addresses; the zero address is this host.
	Address netip.Addr `json:"address,omitzero"`
	// Port is the port of its smpd, 0 while none runs.
	Port int `json:"smpd_port,omitempty"`
	// Pack is the version of its HPC Pack, empty for DefaultPack.
	Pack string `json:"pack,omitempty"`
	// NoProvider reports that a peer has no NetworkDirect provider.
	NoProvider bool `json:"no_provider,omitempty"`
}

// Version returns the version of its HPC Pack.
func (h *Host) Version() string {
	if h.Pack == "" {
		return DefaultPack
	}
	return h.Pack
}

// Name is the operator's name for the host.
func (h *Host) Name() string {
	if !h.Address.IsValid() {
		return "this host"
	}
	return h.Address.String()
}

// State holds the hosts that are not as new ones, by their addresses. It is saved as JSON, and its list is replaced, never modified.
type State struct {
	Hosts []Host `json:"hosts,omitempty"`
}

// Find returns the host with an address.
func (s *State) Find(address netip.Addr) Host {
	for _, h := range s.Hosts {
		if h.Address == address {
			return h
		}
	}
	return Host{Address: address}
}

// Check validates a saved state.
func (s *State) Check() error {
	if len(s.Hosts) > maxHosts {
		return errors.New("the saved host knows too many hosts of MPI")
	}
	for i := range s.Hosts {
		if err := s.Hosts[i].check(); err != nil {
			return fmt.Errorf("the saved host has a damaged host of MPI: %w", err)
		}
		if i > 0 && s.Hosts[i-1].Address.Compare(s.Hosts[i].Address) >= 0 {
			return errors.New("the saved host has the hosts of MPI in a wrong order")
		}
	}
	return nil
}

func (h *Host) check() error {
	switch {
	case h.Address.Zone() != "" || h.Address.IsUnspecified() || h.Address.IsMulticast():
		return request.Errorf("%s is not the address of a host", h.Address)
	case h.Port < 0 || h.Port > 65535:
		return errors.New("the port of smpd must be 1 to 65535")
	case len(h.Pack) > 32 || strings.Trim(h.Pack, "0123456789.") != "":
		return request.Errorf("the version of HPC Pack must be a number such as %s, not %q", DefaultPack, h.Pack)
	case h.NoProvider && !h.Address.IsValid():
		return errors.New("the provider of this host is removed with ndinstall")
	}
	return nil
}

// Operation is a change of a host of the cluster.
type Operation = operation.Of[*State]

// SetHost sets the state of a host: starts or ends its smpd, installs another HPC Pack, or removes a provider. Settings that are nil do not
// change.
type SetHost struct {
	// Address is a peer's; the zero address is this host.
	Address netip.Addr `json:"address,omitzero"`
	// Port starts smpd, and 0 ends it. Pack is a version, empty for DefaultPack.
	Port     *int    `json:"smpd_port,omitempty"`
	Pack     *string `json:"pack,omitempty"`
	Provider *bool   `json:"provider,omitempty"`
}

// Kind implements Operation.
func (SetHost) Kind() string { return "set-mpi-host" }

// Target returns the address, or the name of the package for this host.
func (o SetHost) Target() string {
	if !o.Address.IsValid() {
		return "MPI"
	}
	return o.Address.String()
}

// Describe names the changes.
func (o SetHost) Describe() string {
	host := Host{Address: o.Address}
	var parts []string
	switch {
	case o.Port != nil && *o.Port > 0:
		parts = append(parts, fmt.Sprintf("start smpd at port %d", *o.Port))
	case o.Port != nil:
		parts = append(parts, "end smpd")
	}
	if o.Pack != nil {
		version := Host{Pack: *o.Pack}
		parts = append(parts, "install HPC Pack "+version.Version())
	}
	if o.Provider != nil {
		parts = append(parts, map[bool]string{true: "install", false: "remove"}[*o.Provider]+" the NetworkDirect provider")
	}
	return strings.Join(parts, ", ") + " on " + host.Name()
}

// Commands returns the line on this host; a peer is changed at the peer.
func (o SetHost) Commands() []string {
	switch {
	case o.Address.IsValid() || o.Port == nil:
		return nil
	case *o.Port > 0:
		return []string{fmt.Sprintf("start smpd -d -p %d", *o.Port)}
	}
	return []string{"taskkill /f /im smpd.exe"}
}

// changed returns the host after the change.
func (o SetHost) changed(now Host) Host {
	if o.Port != nil {
		now.Port = *o.Port
	}
	if o.Pack != nil {
		if now.Pack = *o.Pack; now.Pack == DefaultPack {
			now.Pack = ""
		}
	}
	if o.Provider != nil {
		now.NoProvider = !*o.Provider
	}
	return now
}

// Inverse restores the state before.
func (o SetHost) Inverse(s *State) (Operation, error) {
	now := s.Find(o.Address)
	next := o.changed(now)
	switch {
	case o.Port == nil && o.Pack == nil && o.Provider == nil:
		return nil, errors.New("a setting of the host is required")
	case next == now:
		return nil, request.Unchanged("%s is so already", now.Name())
	case now.Port > 0 && next.Port > 0 && next.Port != now.Port:
		return nil, request.Errorf("smpd runs on %s at port %d already: end it first", now.Name(), now.Port)
	case len(s.Hosts) >= maxHosts && next.Address.IsValid():
		return nil, request.Errorf("%d hosts of MPI are set already", maxHosts)
	}
	if err := next.check(); err != nil {
		return nil, err
	}
	back := SetHost{Address: o.Address}
	if o.Port != nil {
		back.Port = &now.Port
	}
	if o.Pack != nil {
		back.Pack = &now.Pack
	}
	if o.Provider != nil {
		back.Provider = new(!now.NoProvider)
	}
	return back, nil
}

// Apply sets the state.
func (o SetHost) Apply(s *State) error {
	next := o.changed(s.Find(o.Address))
	list := slices.DeleteFunc(slices.Clone(s.Hosts), func(h Host) bool { return h.Address == o.Address })
	if next != (Host{Address: o.Address}) {
		list = append(list, next)
	}
	slices.SortFunc(list, func(a, b Host) int { return a.Address.Compare(b.Address) })
	if s.Hosts = list; len(list) == 0 {
		s.Hosts = nil
	}
	return nil
}

// Boot ends the smpd of this host.
func (s *State) Boot() {
	if now := s.Find(netip.Addr{}); now.Port > 0 {
		_ = SetHost{Port: new(int)}.Apply(s) // never fails
	}
}
