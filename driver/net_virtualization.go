package driver

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// mostRecords is how many records of each kind a host has at most.
const mostRecords = 1024

var routingDomain = regexp.MustCompile(`^\{[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}\}$`)

func (r NetVirtualization) clone() NetVirtualization {
	return NetVirtualization{
		slices.Clone(r.Lookups), slices.Clone(r.CustomerRoutes), slices.Clone(r.ProviderAddresses), slices.Clone(r.ProviderRoutes),
	}
}

func (r *NetVirtualization) empty() bool {
	return len(r.Lookups)+len(r.CustomerRoutes)+len(r.ProviderAddresses)+len(r.ProviderRoutes) == 0
}

// check says why a host can't have records.
func (r *NetVirtualization) check(h *Host) error {
	subnet := func(n uint32) error {
		const least, most = 4096, 1<<24 - 2
		if n < least || n > most {
			return fmt.Errorf("a virtual subnet is %d to %d, and not %d", least, most, n)
		}
		return nil
	}
	for _, l := range r.Lookups {
		if !l.CustomerAddress.IsValid() || !l.ProviderAddress.IsValid() {
			return errors.New("a lookup record needs the addresses of the customer and of the provider")
		}
		if err := subnet(l.VirtualSubnet); err != nil {
			return err
		}
	}
	for _, c := range r.CustomerRoutes {
		if !c.Prefix.IsValid() || !c.NextHop.IsValid() || !routingDomain.MatchString(c.RoutingDomain) {
			return errors.New("a customer route needs a prefix, a next hop and a routing domain such as {11111111-2222-3333-4444-000000005001}")
		}
		if err := subnet(c.VirtualSubnet); err != nil {
			return err
		}
	}
	for _, a := range r.ProviderAddresses {
		if !a.Address.IsValid() || a.PrefixLength < 0 || a.PrefixLength > a.Address.BitLen() {
			return errors.New("a provider address needs an address and the length of its prefix")
		}
		if _, err := h.port(a.Connection); err != nil {
			return err
		}
	}
	for _, p := range r.ProviderRoutes {
		if !p.Prefix.IsValid() || !p.NextHop.IsValid() {
			return errors.New("a provider route needs a prefix and a next hop")
		}
		if _, err := h.port(p.Connection); err != nil {
			return err
		}
	}
	return nil
}

// with is a list with others behind it, none of which may be there already.
func with[T comparable](list, more []T) ([]T, error) {
	list = slices.Clone(list)
	for _, one := range more {
		if slices.Contains(list, one) {
			return nil, errors.New("one of the records is there already")
		}
		list = append(list, one)
	}
	if len(list) > mostRecords {
		return nil, fmt.Errorf("a host has %d records of a kind at most", mostRecords)
	}
	return list, nil
}

// without is a list without others, which must be there.
func without[T comparable](list, less []T) ([]T, error) {
	list = slices.Clone(list)
	for _, one := range less {
		i := slices.Index(list, one)
		if i < 0 {
			return nil, errors.New("one of the records is not there")
		}
		list = slices.Delete(list, i, i+1)
	}
	if len(list) == 0 {
		return nil, nil
	}
	return list, nil
}

// changed are the records after some were added or removed.
func (r NetVirtualization) changed(o NetVirtualization, add bool) (next NetVirtualization, err error) {
	var failed [4]error
	if add {
		next.Lookups, failed[0] = with(r.Lookups, o.Lookups)
		next.CustomerRoutes, failed[1] = with(r.CustomerRoutes, o.CustomerRoutes)
		next.ProviderAddresses, failed[2] = with(r.ProviderAddresses, o.ProviderAddresses)
		next.ProviderRoutes, failed[3] = with(r.ProviderRoutes, o.ProviderRoutes)
	} else {
		next.Lookups, failed[0] = without(r.Lookups, o.Lookups)
		next.CustomerRoutes, failed[1] = without(r.CustomerRoutes, o.CustomerRoutes)
		next.ProviderAddresses, failed[2] = without(r.ProviderAddresses, o.ProviderAddresses)
		next.ProviderRoutes, failed[3] = without(r.ProviderRoutes, o.ProviderRoutes)
	}
	for _, err := range failed {
		if err != nil {
			return next, err
		}
	}
	return next, nil
}

func (o AddNetVirtualization) inverse(h *Host) (Operation, error) {
	if o.Records.empty() {
		return nil, errors.New("no record is named")
	}
	if err := o.Records.check(h); err != nil {
		return nil, err
	}
	if _, err := h.virtual.Net.changed(o.Records, true); err != nil {
		return nil, err
	}
	return RemoveNetVirtualization{o.Records, true}, nil
}

func (o AddNetVirtualization) apply(h *Host) error {
	next, err := h.virtual.Net.changed(o.Records, true)
	if err == nil {
		h.recordNet(next)
	}
	return err
}

func (o RemoveNetVirtualization) inverse(h *Host) (Operation, error) {
	if o.Records.empty() {
		return nil, errors.New("no record is named")
	}
	if _, err := o.left(h); err != nil {
		return nil, err
	}
	return RestoreNetVirtualization{h.virtual.Net}, nil
}

// left are the records that a host has after it.
func (o RemoveNetVirtualization) left(h *Host) (NetVirtualization, error) {
	return h.virtual.Net.changed(o.there(h), false)
}

// there are the records that are to go, of an addition that is taken back those that are still there.
func (o RemoveNetVirtualization) there(h *Host) NetVirtualization {
	if !o.Back {
		return o.Records
	}
	now := &h.virtual.Net
	return NetVirtualization{
		among(o.Records.Lookups, now.Lookups), among(o.Records.CustomerRoutes, now.CustomerRoutes),
		among(o.Records.ProviderAddresses, now.ProviderAddresses), among(o.Records.ProviderRoutes, now.ProviderRoutes),
	}
}

// among are those of a list that are in another one.
func among[T comparable](list, other []T) (both []T) {
	for _, one := range list {
		if slices.Contains(other, one) {
			both = append(both, one)
		}
	}
	return both
}

func (o RemoveNetVirtualization) apply(h *Host) error {
	next, err := o.left(h)
	if err == nil {
		h.recordNet(next)
	}
	return err
}

// recordNet puts records in place of those that were, and lets the traffic of machines follow them.
func (h *Host) recordNet(r NetVirtualization) {
	h.virtually(func(v *virtualization) { v.Net = r })
	h.tellGuests()
}

// RestoreNetVirtualization makes the records of NVGRE what they were, in their order: it takes a removal back.
type RestoreNetVirtualization struct {
	Records NetVirtualization `json:"records"`
}

// Kind is "restore-net-virtualization".
func (RestoreNetVirtualization) Kind() string { return "restore-net-virtualization" }

// Target says what they are of.
func (RestoreNetVirtualization) Target() string { return netVirtualization }

// Describe says what it does.
func (o RestoreNetVirtualization) Describe() string {
	return "make the records of " + netVirtualization + " what they were"
}

// Commands are those that add the records; Host.Commands leaves out what is there.
func (o RestoreNetVirtualization) Commands() []string { return AddNetVirtualization(o).Commands() }

func (o RestoreNetVirtualization) inverse(h *Host) (Operation, error) {
	if err := o.Records.check(h); err != nil {
		return nil, err
	}
	return RestoreNetVirtualization{h.virtual.Net}, nil
}

func (o RestoreNetVirtualization) apply(h *Host) error {
	if err := o.Records.check(h); err != nil {
		return err
	}
	if _, err := (NetVirtualization{}).changed(o.Records, true); err != nil {
		return err
	}
	h.recordNet(o.Records.clone())
	return nil
}

// missing are the records that a host does not have.
func (o RestoreNetVirtualization) missing(h *Host) AddNetVirtualization {
	lacks := h.virtual.Net
	var add AddNetVirtualization
	for _, r := range o.Records.Lookups {
		if !slices.Contains(lacks.Lookups, r) {
			add.Records.Lookups = append(add.Records.Lookups, r)
		}
	}
	for _, r := range o.Records.CustomerRoutes {
		if !slices.Contains(lacks.CustomerRoutes, r) {
			add.Records.CustomerRoutes = append(add.Records.CustomerRoutes, r)
		}
	}
	for _, r := range o.Records.ProviderAddresses {
		if !slices.Contains(lacks.ProviderAddresses, r) {
			add.Records.ProviderAddresses = append(add.Records.ProviderAddresses, r)
		}
	}
	for _, r := range o.Records.ProviderRoutes {
		if !slices.Contains(lacks.ProviderRoutes, r) {
			add.Records.ProviderRoutes = append(add.Records.ProviderRoutes, r)
		}
	}
	return add
}
