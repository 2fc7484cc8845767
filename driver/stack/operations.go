package stack

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver/cmdlet"
	"cxdeck/driver/request"
	"cxdeck/driver/wording"
)

// SetSMB changes settings of SMB. Settings that are nil do not change.
type SetSMB struct {
	// Side is "client" or "server".
	Side Side `json:"side"`
	// Multichannel lets SMB use several connections and RDMA, Sign requires signed packets, Encrypt encrypted packets; Encrypt is
	// a setting of the server only.
	Multichannel *bool `json:"multichannel,omitempty"`
	Sign         *bool `json:"require_signature,omitempty"`
	Encrypt      *bool `json:"encrypt,omitempty"`
	// Stored is the value that the registry gets for Sign of the server when it is not 0 or 1 of Sign: a number, or "none" for no value.
	// The inverse of an Operation has it.
	Stored string `json:"stored,omitempty"`
}

// noValue is Stored for no value in the registry.
const noValue = "none"

// signature returns the value of Sign in the registry.
func (o SetSMB) signature() (*uint32, error) {
	switch {
	case o.Stored != "" && (o.Side != ServerSide || o.Sign == nil):
		return nil, errors.New("a stored value belongs to the signing of the SMB server")
	case o.Stored == noValue:
		return nil, nil
	case o.Stored != "":
		n, err := strconv.ParseUint(o.Stored, 10, 32)
		if err != nil {
			return nil, request.Errorf("the stored value of RequireSecuritySignature must be a number or %s, not %q", noValue, o.Stored)
		}
		return new(uint32(n)), nil
	case *o.Sign:
		return new(uint32(1)), nil
	}
	return new(uint32(0)), nil
}

// sameSignature reports whether the registry has the value of Sign already; no value counts as 0.
func (o SetSMB) sameSignature(s Set) bool {
	if o.Side != ServerSide || o.Sign == nil {
		return true
	}
	value := s.Signature()
	if wanted, err := o.signature(); o.Stored != "" && err == nil {
		return value == nil && wanted == nil || value != nil && wanted != nil && *value == *wanted
	}
	return (value != nil && *value != 0) == *o.Sign
}

// Side is a side of SMB.
type Side string

// The sides.
const (
	ClientSide Side = "client"
	ServerSide Side = "server"
)

// SetNetworkDirect switches Network Direct of the whole host on or off.
type SetNetworkDirect struct {
	Enabled bool `json:"enabled"`
}

// AddAddress gives a connection an IP address.
type AddAddress struct {
	Connection string       `json:"connection"`
	Address    netip.Prefix `json:"address"`
	// Place is the position among the addresses, from 1; 0 or a position out of range appends the address.
	Place int `json:"place,omitempty"`
}

// RemoveAddress removes an IP address from a connection.
type RemoveAddress struct {
	Connection string     `json:"connection"`
	Address    netip.Addr `json:"address"`
}

// SetDNS sets the DNS servers of a connection.
type SetDNS struct {
	Connection string       `json:"connection"`
	Servers    []netip.Addr `json:"servers,omitempty"`
}

// SetDHCP turns DHCP on a connection on or off.
type SetDHCP struct {
	Connection string `json:"connection"`
	Enabled    bool   `json:"enabled"`
}

// SetExecutionPolicy sets the execution policy of PowerShell for the computer.
type SetExecutionPolicy struct {
	// Policy is one of ExecutionPolicies, or empty for the default.
	Policy string `json:"policy,omitempty"`
}

func (SetSMB) Kind() string           { return "set-smb" }
func (SetNetworkDirect) Kind() string { return "set-network-direct" }
func (AddAddress) Kind() string       { return "add-ip-address" }
func (RemoveAddress) Kind() string    { return "remove-ip-address" }
func (SetDNS) Kind() string           { return "set-dns-servers" }
func (SetDHCP) Kind() string          { return "set-dhcp" }

func (SetExecutionPolicy) Kind() string { return "set-execution-policy" }

func (o SetSMB) Target() string         { return "SMB " + string(o.Side) }
func (SetNetworkDirect) Target() string { return "Network Direct" }
func (o AddAddress) Target() string     { return o.Connection }
func (o RemoveAddress) Target() string  { return o.Connection }
func (o SetDNS) Target() string         { return o.Connection }
func (o SetDHCP) Target() string        { return o.Connection }

func (SetExecutionPolicy) Target() string { return "PowerShell" }

func (o SetSMB) Describe() string {
	var words []string
	for _, setting := range []struct {
		on   *bool
		name string
	}{{o.Multichannel, "multichannel"}, {o.Sign, "required signing"}, {o.Encrypt, "encryption"}} {
		if setting.on != nil {
			words = append(words, setting.name+" "+wording.OnOff(*setting.on))
		}
	}
	return fmt.Sprintf("set the SMB %s: %s", o.Side, strings.Join(words, ", "))
}

func (o SetNetworkDirect) Describe() string {
	return "switch Network Direct of the host " + wording.OnOff(o.Enabled)
}

func (o AddAddress) Describe() string {
	return fmt.Sprintf("add the IP address %s to %s", o.Address, o.Connection)
}

func (o RemoveAddress) Describe() string {
	return fmt.Sprintf("remove the IP address %s from %s", o.Address, o.Connection)
}

func (o SetDNS) Describe() string {
	if len(o.Servers) == 0 {
		return "remove the DNS servers of " + o.Connection
	}
	return fmt.Sprintf("set the DNS servers of %s to %s", o.Connection, joined(o.Servers))
}

func (o SetDHCP) Describe() string {
	return fmt.Sprintf("turn DHCP of %s %s", o.Connection, wording.OnOff(o.Enabled))
}

func (o SetExecutionPolicy) Describe() string {
	if o.Policy == "" {
		return "set the execution policy of PowerShell to its default"
	}
	return "set the execution policy of PowerShell to " + o.Policy
}

func joined(list []netip.Addr) string {
	words := make([]string, len(list))
	for i, a := range list {
		words[i] = a.String()
	}
	return strings.Join(words, ",")
}

// Commands returns the cmdlet of Windows. It does not ask: the program has asked.
func (o SetSMB) Commands() []string {
	name := "Set-SmbClientConfiguration"
	if o.Side == ServerSide {
		name = "Set-SmbServerConfiguration"
	}
	l := cmdlet.New(name).With("EnableMultiChannel", o.Multichannel).With("RequireSecuritySignature", o.Sign)
	if o.Side == ServerSide {
		l = l.With("EncryptData", o.Encrypt)
	}
	return []string{l.WithoutConfirm().String()}
}

// Commands returns the cmdlet of Windows.
func (o SetNetworkDirect) Commands() []string {
	word := map[bool]string{true: "Enabled", false: "Disabled"}[o.Enabled]
	return []string{cmdlet.New("Set-NetOffloadGlobalSetting").With("NetworkDirect", word).String()}
}

// Commands returns the cmdlet of Windows.
func (o AddAddress) Commands() []string {
	return []string{cmdlet.New("New-NetIPAddress").With("InterfaceAlias", o.Connection).With("IPAddress", o.Address.Addr().String()).
		With("PrefixLength", o.Address.Bits()).String()}
}

// Commands returns the cmdlet of Windows. It does not ask: the program has asked.
func (o RemoveAddress) Commands() []string {
	return []string{cmdlet.New("Remove-NetIPAddress").With("InterfaceAlias", o.Connection).With("IPAddress", o.Address.String()).WithoutConfirm().String()}
}

// Commands returns the cmdlet of Windows.
func (o SetDNS) Commands() []string {
	l := cmdlet.New("Set-DnsClientServerAddress").With("InterfaceAlias", o.Connection)
	if len(o.Servers) == 0 {
		return []string{l.Switch("ResetServerAddresses").String()}
	}
	return []string{l.With("ServerAddresses", cmdlet.Expression(`"`+strings.ReplaceAll(joined(o.Servers), ",", `","`)+`"`)).String()}
}

// Commands returns the cmdlet of Windows.
func (o SetDHCP) Commands() []string {
	word := map[bool]string{true: "Enabled", false: "Disabled"}[o.Enabled]
	return []string{cmdlet.New("Set-NetIPInterface").With("InterfaceAlias", o.Connection).With("Dhcp", word).String()}
}

// Commands returns the cmdlet of Windows. It does not ask: the program has asked.
func (o SetExecutionPolicy) Commands() []string {
	return []string{cmdlet.New("Set-ExecutionPolicy").With("ExecutionPolicy", cmp.Or(o.Policy, undefinedPolicy)).Switch("Force").String()}
}

// settings returns the settings of a side that the Operation changes, with their new values. Multichannel is stored inverted.
func (o SetSMB) settings(s *State) (list []setting, err error) {
	multichannel, sign := &s.Client.NoMultichannel, &s.Client.Sign
	switch {
	case o.Side == ServerSide:
		multichannel, sign = &s.Server.NoMultichannel, &s.Server.Sign
	case o.Side != ClientSide:
		return nil, request.Errorf("the side of SMB must be %s or %s, not %q", ClientSide, ServerSide, o.Side)
	case o.Encrypt != nil:
		return nil, errors.New("encryption is a setting of the SMB server")
	}
	if o.Multichannel != nil {
		list = append(list, setting{multichannel, !*o.Multichannel})
	}
	if o.Sign != nil {
		list = append(list, setting{sign, *o.Sign})
	}
	if o.Encrypt != nil {
		list = append(list, setting{&s.Server.Encrypt, *o.Encrypt})
	}
	if o.Stored != "" {
		if _, err := o.signature(); err != nil {
			return nil, err
		}
	}
	if list == nil {
		return nil, errors.New("a setting is required: multichannel, signing or encryption")
	}
	return list, nil
}

type setting struct {
	current *bool
	value   bool
}

// Inverse restores the previous settings.
func (o SetSMB) Inverse(s Set) (Operation, error) {
	list, err := o.settings(s.State)
	if err != nil {
		return nil, err
	}
	if o.sameSignature(s) && !slices.ContainsFunc(list, func(s setting) bool { return *s.current != s.value }) {
		return nil, request.Unchanged("SMB has these settings already")
	}
	back := SetSMB{Side: o.Side}
	if o.Multichannel != nil {
		was := s.Client.NoMultichannel
		if o.Side == ServerSide {
			was = s.Server.NoMultichannel
		}
		back.Multichannel = new(!was)
	}
	if o.Sign != nil {
		was := s.Client.Sign
		if o.Side == ServerSide {
			was, back.Stored = s.Server.Sign, noValue
			if value := s.Signature(); value != nil {
				back.Stored = strconv.FormatUint(uint64(*value), 10)
			}
		}
		back.Sign = &was
	}
	if o.Encrypt != nil {
		back.Encrypt = new(s.Server.Encrypt)
	}
	return back, nil
}

func (o SetSMB) Apply(s Set) error {
	list, err := o.settings(s.State)
	if err != nil {
		return err
	}
	for _, s := range list {
		*s.current = s.value
	}
	if o.Side == ServerSide && o.Sign != nil {
		value, err := o.signature()
		if err != nil {
			return err
		}
		s.SetSignature(value, *o.Sign)
	}
	return s.Reclassify()
}

func (o SetNetworkDirect) Inverse(s Set) (Operation, error) {
	if s.NoNetworkDirect != o.Enabled {
		return nil, request.Unchanged("Network Direct is %s already", wording.OnOff(o.Enabled))
	}
	return SetNetworkDirect{!o.Enabled}, nil
}

func (o SetNetworkDirect) Apply(s Set) error {
	s.NoNetworkDirect = !o.Enabled
	return s.Reclassify()
}

// set stores the IP settings of a connection; settings as described are not stored.
func (s Set) set(settings Interface) {
	list := slices.DeleteFunc(slices.Clone(s.Interfaces), func(i Interface) bool { return i.Connection == settings.Connection })
	was := s.described(settings.Connection)
	if !slices.Equal(settings.Addresses, was.Addresses) || !slices.Equal(settings.DNS, was.DNS) || settings.Static != was.Static {
		list = append(list, settings)
	}
	slices.SortFunc(list, func(a, b Interface) int { return strings.Compare(a.Connection, b.Connection) })
	if s.Interfaces = list; len(list) == 0 {
		s.Interfaces = nil
	}
}

func (o AddAddress) Inverse(s Set) (Operation, error) {
	if _, err := s.Port(o.Connection); err != nil {
		return nil, err
	}
	if err := checkAddress(o.Address); err != nil {
		return nil, err
	}
	ip := s.IP(o.Connection)
	if len(ip.Addresses) >= maxAddresses {
		return nil, fmt.Errorf("%s has %d IP addresses, the maximum", o.Connection, maxAddresses)
	}
	for port := range s.Lab().Ports() {
		d, _, _ := s.Lab().Port(port)
		if slices.ContainsFunc(s.IP(d.Connection).Addresses, func(p netip.Prefix) bool { return p.Addr() == o.Address.Addr() }) {
			return nil, fmt.Errorf("%s has the IP address %s already", d.Connection, o.Address.Addr())
		}
	}
	return RemoveAddress{o.Connection, o.Address.Addr()}, nil
}

func (o AddAddress) Apply(s Set) error {
	ip := s.IP(o.Connection)
	place := o.Place
	if place < 1 || place > len(ip.Addresses) {
		place = len(ip.Addresses) + 1
	}
	ip.Addresses = slices.Insert(slices.Clone(ip.Addresses), place-1, o.Address)
	return s.changeAddresses(ip)
}

// Inverse adds the address again, at its position.
func (o RemoveAddress) Inverse(s Set) (Operation, error) {
	if _, err := s.Port(o.Connection); err != nil {
		return nil, err
	}
	ip := s.IP(o.Connection)
	i := slices.IndexFunc(ip.Addresses, func(p netip.Prefix) bool { return p.Addr() == o.Address })
	if i < 0 {
		return nil, fmt.Errorf("%s has no IP address %s; %s lists them", o.Connection, o.Address, cmdlet.New("Get-NetIPAddress"))
	}
	return AddAddress{o.Connection, ip.Addresses[i], i + 1}, nil
}

func (o RemoveAddress) Apply(s Set) error {
	ip := s.IP(o.Connection)
	ip.Addresses = slices.DeleteFunc(slices.Clone(ip.Addresses), func(p netip.Prefix) bool { return p.Addr() == o.Address })
	return s.changeAddresses(ip)
}

// Inverse restores the previous servers.
func (o SetDNS) Inverse(s Set) (Operation, error) {
	if _, err := s.Port(o.Connection); err != nil {
		return nil, err
	}
	if len(o.Servers) > maxAddresses {
		return nil, fmt.Errorf("a connection can have at most %d DNS servers, not %d", maxAddresses, len(o.Servers))
	}
	ip := s.IP(o.Connection)
	if slices.Equal(ip.DNS, o.Servers) {
		return nil, request.Unchanged("the connection has these DNS servers already")
	}
	return SetDNS{o.Connection, ip.DNS}, nil
}

func (o SetDNS) Apply(s Set) error {
	ip := s.IP(o.Connection)
	ip.DNS = o.Servers
	s.set(ip)
	return nil
}

func (o SetDHCP) Inverse(s Set) (Operation, error) {
	if _, err := s.Port(o.Connection); err != nil {
		return nil, err
	}
	if s.IP(o.Connection).Static != o.Enabled {
		return nil, request.Unchanged("DHCP is %s already", wording.OnOff(o.Enabled))
	}
	return SetDHCP{o.Connection, !o.Enabled}, nil
}

func (o SetDHCP) Apply(s Set) error {
	ip := s.IP(o.Connection)
	ip.Static = !o.Enabled
	s.set(ip)
	return nil
}

// undefinedPolicy removes the policy of the computer, so that the default holds.
const undefinedPolicy = "Undefined"

// DefaultExecutionPolicy is the policy of a Windows Server on which none was set.
const DefaultExecutionPolicy = "RemoteSigned"

// ExecutionPolicies returns the policies that Set-ExecutionPolicy takes. Default and Undefined are no policies of their own.
func ExecutionPolicies() []string {
	return []string{"AllSigned", "RemoteSigned", "Restricted", "Unrestricted", "Bypass", undefinedPolicy, "Default"}
}

// NewExecutionPolicy returns the change to one of ExecutionPolicies.
func NewExecutionPolicy(policy string) SetExecutionPolicy {
	switch policy {
	case undefinedPolicy:
		policy = ""
	case "Default":
		policy = DefaultExecutionPolicy
	}
	return SetExecutionPolicy{policy}
}

// Inverse restores the previous policy.
func (o SetExecutionPolicy) Inverse(s Set) (Operation, error) {
	switch policies := ExecutionPolicies(); {
	case o.Policy == s.ExecutionPolicy:
		return nil, request.Unchanged("this is the policy already")
	case o.Policy != "" && !slices.Contains(policies[:len(policies)-2], o.Policy):
		return nil, request.Errorf("there is no execution policy %q", o.Policy)
	}
	return SetExecutionPolicy{s.ExecutionPolicy}, nil
}

func (o SetExecutionPolicy) Apply(s Set) error {
	s.ExecutionPolicy = o.Policy
	return nil
}
