package virtualization

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cxdeck/device/description"
)

// LookupRecord maps a virtual machine's address to a provider address (NVGRE).
type LookupRecord struct {
	CustomerAddress netip.Addr      `json:"customer_address"`
	ProviderAddress netip.Addr      `json:"provider_address"`
	VirtualSubnet   uint32          `json:"virtual_subnet"`
	MAC             description.MAC `json:"mac"`
}

// CustomerRoute is a route inside a virtual network.
type CustomerRoute struct {
	RoutingDomain string       `json:"routing_domain"`
	VirtualSubnet uint32       `json:"virtual_subnet"`
	Prefix        netip.Prefix `json:"prefix"`
	NextHop       netip.Addr   `json:"next_hop"`
	Metric        int          `json:"metric"`
}

// ProviderAddress is an address of the host, at a connection.
type ProviderAddress struct {
	Connection   string     `json:"connection"`
	Address      netip.Addr `json:"address"`
	PrefixLength int        `json:"prefix_length"`
}

// ProviderRoute is a route between provider addresses.
type ProviderRoute struct {
	Connection string       `json:"connection"`
	Prefix     netip.Prefix `json:"prefix"`
	NextHop    netip.Addr   `json:"next_hop"`
}

// NetVirtualization are the records of NVGRE on the host.
type NetVirtualization struct {
	Lookups           []LookupRecord    `json:"lookups,omitempty"`
	CustomerRoutes    []CustomerRoute   `json:"customer_routes,omitempty"`
	ProviderAddresses []ProviderAddress `json:"provider_addresses,omitempty"`
	ProviderRoutes    []ProviderRoute   `json:"provider_routes,omitempty"`
}

// maxRecords is the maximum number of records of each kind on a host.
const maxRecords = 1024

var routingDomain = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\{[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}\}$`)
})

// Clone returns a copy with lists of its own.
func (r NetVirtualization) Clone() NetVirtualization {
	return NetVirtualization{
		slices.Clone(r.Lookups), slices.Clone(r.CustomerRoutes), slices.Clone(r.ProviderAddresses), slices.Clone(r.ProviderRoutes),
	}
}

// Empty reports whether there is no record of any kind.
func (r *NetVirtualization) Empty() bool {
	return len(r.Lookups)+len(r.CustomerRoutes)+len(r.ProviderAddresses)+len(r.ProviderRoutes) == 0
}

// check returns why records are invalid on a host.
func (r *NetVirtualization) check(f Facts) error {
	subnet := func(n uint32) error {
		const low, high = 4096, 1<<24 - 2
		if n < low || n > high {
			return fmt.Errorf("a virtual subnet must be %d to %d, not %d", low, high, n)
		}
		return nil
	}
	for _, l := range r.Lookups {
		if !l.CustomerAddress.IsValid() || !l.ProviderAddress.IsValid() {
			return errors.New("a lookup record requires the customer and provider addresses")
		}
		if err := subnet(l.VirtualSubnet); err != nil {
			return err
		}
	}
	for _, c := range r.CustomerRoutes {
		if !c.Prefix.IsValid() || !c.NextHop.IsValid() || !routingDomain().MatchString(c.RoutingDomain) {
			return errors.New("a customer route requires a prefix, a next hop and a routing domain such as {11111111-2222-3333-4444-000000005001}")
		}
		if err := subnet(c.VirtualSubnet); err != nil {
			return err
		}
	}
	for _, a := range r.ProviderAddresses {
		if !a.Address.IsValid() || a.PrefixLength < 0 || a.PrefixLength > a.Address.BitLen() {
			return errors.New("a provider address requires an address and its prefix length")
		}
		if _, err := f.Port(a.Connection); err != nil {
			return err
		}
	}
	for _, p := range r.ProviderRoutes {
		if !p.Prefix.IsValid() || !p.NextHop.IsValid() {
			return errors.New("a provider route requires a prefix and a next hop")
		}
		if _, err := f.Port(p.Connection); err != nil {
			return err
		}
	}
	return nil
}

// add appends other records, none of which may exist already.
func (r NetVirtualization) add(o NetVirtualization) (next NetVirtualization, err error) {
	var failed [4]error
	next.Lookups, failed[0] = addRecords(r.Lookups, o.Lookups)
	next.CustomerRoutes, failed[1] = addRecords(r.CustomerRoutes, o.CustomerRoutes)
	next.ProviderAddresses, failed[2] = addRecords(r.ProviderAddresses, o.ProviderAddresses)
	next.ProviderRoutes, failed[3] = addRecords(r.ProviderRoutes, o.ProviderRoutes)
	return next, cmp.Or(failed[:]...)
}

// remove returns the records without others, which must exist.
func (r NetVirtualization) remove(o NetVirtualization) (next NetVirtualization, err error) {
	var failed [4]error
	next.Lookups, failed[0] = removeRecords(r.Lookups, o.Lookups)
	next.CustomerRoutes, failed[1] = removeRecords(r.CustomerRoutes, o.CustomerRoutes)
	next.ProviderAddresses, failed[2] = removeRecords(r.ProviderAddresses, o.ProviderAddresses)
	next.ProviderRoutes, failed[3] = removeRecords(r.ProviderRoutes, o.ProviderRoutes)
	return next, cmp.Or(failed[:]...)
}

// filter returns the records that are also in other, or with in false, the records that are not.
func (r NetVirtualization) filter(other NetVirtualization, in bool) NetVirtualization {
	return NetVirtualization{
		common(r.Lookups, other.Lookups, in), common(r.CustomerRoutes, other.CustomerRoutes, in),
		common(r.ProviderAddresses, other.ProviderAddresses, in), common(r.ProviderRoutes, other.ProviderRoutes, in),
	}
}

func addRecords[T comparable](list, more []T) ([]T, error) {
	list = slices.Clone(list)
	for _, record := range more {
		if slices.Contains(list, record) {
			return nil, errors.New("one of the records exists already")
		}
		list = append(list, record)
	}
	if len(list) > maxRecords {
		return nil, fmt.Errorf("a host can have at most %d records of a kind", maxRecords)
	}
	return list, nil
}

func removeRecords[T comparable](list, less []T) ([]T, error) {
	list = slices.Clone(list)
	for _, record := range less {
		i := slices.Index(list, record)
		if i < 0 {
			return nil, errors.New("one of the records does not exist")
		}
		list = slices.Delete(list, i, i+1)
	}
	if len(list) == 0 {
		return nil, nil
	}
	return list, nil
}

func common[T comparable](list, other []T, in bool) (found []T) {
	for _, record := range list {
		if slices.Contains(other, record) == in {
			found = append(found, record)
		}
	}
	return found
}

// NetTarget names the records of NVGRE as a whole.
const NetTarget = "network virtualization"

// Summary counts the records: "1 lookup record, 2 provider routes of network virtualization".
func (r *NetVirtualization) Summary() string {
	var words []string
	for _, kind := range []struct {
		n         int
		one, more string
	}{
		{len(r.Lookups), "lookup record", "lookup records"},
		{len(r.CustomerRoutes), "customer route", "customer routes"},
		{len(r.ProviderAddresses), "provider address", "provider addresses"},
		{len(r.ProviderRoutes), "provider route", "provider routes"},
	} {
		switch kind.n {
		case 0:
		case 1:
			words = append(words, "1 "+kind.one)
		default:
			words = append(words, fmt.Sprintf("%d %s", kind.n, kind.more))
		}
	}
	return strings.Join(words, ", ") + " of " + NetTarget
}

func (o AddNetVirtualization) Inverse(v Hypervisor) (Operation, error) {
	if o.Records.Empty() {
		return nil, errors.New("a record is required")
	}
	if err := o.Records.check(v); err != nil {
		return nil, err
	}
	if _, err := v.Net.add(o.Records); err != nil {
		return nil, err
	}
	return RemoveNetVirtualization{o.Records, true}, nil
}

func (o AddNetVirtualization) Apply(v Hypervisor) error {
	next, err := v.Net.add(o.Records)
	if err == nil {
		v.Net = next
	}
	return err
}

func (o RemoveNetVirtualization) Inverse(v Hypervisor) (Operation, error) {
	if o.Records.Empty() {
		return nil, errors.New("a record is required")
	}
	if _, err := v.Net.remove(o.present(v)); err != nil {
		return nil, err
	}
	return RestoreNetVirtualization{v.Net}, nil
}

// present returns the records to remove; when an addition is undone, only records that still exist.
func (o RemoveNetVirtualization) present(v Hypervisor) NetVirtualization {
	if !o.Back {
		return o.Records
	}
	return o.Records.filter(v.Net, true)
}

func (o RemoveNetVirtualization) Apply(v Hypervisor) error {
	next, err := v.Net.remove(o.present(v))
	if err == nil {
		v.Net = next
	}
	return err
}

func (o RestoreNetVirtualization) Inverse(v Hypervisor) (Operation, error) {
	if err := o.Records.check(v); err != nil {
		return nil, err
	}
	if _, err := (NetVirtualization{}).add(o.Records); err != nil {
		return nil, err
	}
	return RestoreNetVirtualization{v.Net}, nil
}

func (o RestoreNetVirtualization) Apply(v Hypervisor) error {
	v.Net = o.Records.Clone()
	return nil
}
