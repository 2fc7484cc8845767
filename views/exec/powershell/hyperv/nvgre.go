package hyperv

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// Kinds of NVGRE records: the ends of the cmdlets' names.
const (
	lookupRecord    = "LookupRecord"
	customerRoute   = "CustomerRoute"
	providerAddress = "ProviderAddress"
	providerRoute   = "ProviderRoute"
)

func recordKinds() []string {
	return []string{lookupRecord, customerRoute, providerAddress, providerRoute}
}

// onInterface returns the connection that -InterfaceIndex or -InterfaceAlias names.
func onInterface(p *powershell.Invocation) (string, error) {
	switch {
	case p.Has("InterfaceAlias"):
		return p.Connection("InterfaceAlias")
	case !p.Has("InterfaceIndex"):
		return "", exec.Mistake("%s requires -InterfaceIndex or -InterfaceAlias", p.Command)
	}
	for i := range p.View.Adapters {
		for _, port := range p.View.Adapters[i].Ports {
			if strconv.Itoa(exec.InterfaceIndex(port.Port)) == p.Value("InterfaceIndex") {
				return port.Description.Connection, nil
			}
		}
	}
	return "", fmt.Errorf("no connection has the interface index %s; Get-NetAdapter prints them",
		p.Value("InterfaceIndex"))
}

// newRecord returns the cmdlet New-NetVirtualization... that adds a record.
func newRecord(kind string) func(*powershell.Invocation) (exec.Answer, error) {
	return func(p *powershell.Invocation) (exec.Answer, error) {
		var records virtualization.NetVirtualization
		if err := addRecord(p, kind, &records); err != nil {
			return exec.Answer{}, err
		}
		return p.Call.ApplyOne(virtualization.AddNetVirtualization{Records: records})
	}
}

// addRecord parses the parameters of a new record, and adds it to records.
func addRecord(p *powershell.Invocation, kind string, records *virtualization.NetVirtualization) (err error) {
	var on string
	if kind == providerAddress || kind == providerRoute {
		if on, err = onInterface(p); err != nil {
			return err
		}
	}
	switch kind {
	case lookupRecord:
		var in struct {
			CustomerAddress netip.Addr      `need:"an IP address"`
			ProviderAddress netip.Addr      `need:"an IP address"`
			VirtualSubnetID uint32          `need:"the number of a virtual subnet"`
			MACAddress      description.MAC `need:"the MAC address of the machine's adapter"`
			Rule            string          `one:"TranslationMethodEncap"`
		}
		err = p.Bind(&in)
		records.Lookups = append(records.Lookups, virtualization.LookupRecord{CustomerAddress: in.CustomerAddress,
			ProviderAddress: in.ProviderAddress, VirtualSubnet: in.VirtualSubnetID, MAC: in.MACAddress})
	case customerRoute:
		var in struct {
			RoutingDomainID   string       `need:"a GUID in braces"`
			VirtualSubnetID   uint32       `need:"the number of a virtual subnet"`
			DestinationPrefix netip.Prefix `need:"a network such as 172.16.0.0/16"`
			NextHop           netip.Addr   `need:"an IP address"`
			Metric            int          `default:"255"` // the value in the manual's example
		}
		err = p.Bind(&in)
		records.CustomerRoutes = append(records.CustomerRoutes, virtualization.CustomerRoute{RoutingDomain: in.RoutingDomainID,
			VirtualSubnet: in.VirtualSubnetID, Prefix: in.DestinationPrefix, NextHop: in.NextHop, Metric: in.Metric})
	case providerAddress:
		var in struct {
			ProviderAddress netip.Addr `need:"an IP address"`
			PrefixLength    *int
		}
		if err = p.Bind(&in); in.PrefixLength == nil {
			in.PrefixLength = new(in.ProviderAddress.BitLen())
		}
		records.ProviderAddresses = append(records.ProviderAddresses, virtualization.ProviderAddress{Connection: on,
			Address: in.ProviderAddress, PrefixLength: *in.PrefixLength})
	default:
		var in struct {
			DestinationPrefix netip.Prefix `need:"a network such as 172.16.0.0/16"`
			NextHop           netip.Addr   `need:"an IP address"`
		}
		err = p.Bind(&in)
		records.ProviderRoutes = append(records.ProviderRoutes, virtualization.ProviderRoute{Connection: on,
			Prefix: in.DestinationPrefix, NextHop: in.NextHop})
	}
	return err
}

// selectRecords returns the records of a kind that match all typed parameters.
func selectRecords(p *powershell.Invocation, kind string) (records virtualization.NetVirtualization, count int, err error) {
	on := ""
	if p.Has("InterfaceIndex") || p.Has("InterfaceAlias") {
		if on, err = onInterface(p); err != nil {
			return records, 0, err
		}
	}
	all := &p.View.Net
	is := func(parameter, value string) bool {
		return !p.Has(parameter) || strings.EqualFold(p.Value(parameter), value)
	}
	subnet := func(n uint32) bool { return is("VirtualSubnetID", strconv.FormatUint(uint64(n), 10)) }
	at := func(connection string) bool { return on == "" || on == connection }
	address := func(parameter string, a netip.Addr) bool { return is(parameter, a.String()) }
	switch kind {
	case lookupRecord:
		for _, r := range all.Lookups {
			if address("CustomerAddress", r.CustomerAddress) && address("ProviderAddress",
				r.ProviderAddress) && subnet(r.VirtualSubnet) &&
				(!p.Has("MACAddress") || strings.EqualFold(strings.NewReplacer("-", "", ":", "").Replace(p.Value("MACAddress")),
					powershell.HyperVMAC(r.MAC))) {
				records.Lookups = append(records.Lookups, r)
			}
		}
	case customerRoute:
		for _, r := range all.CustomerRoutes {
			if is("RoutingDomainID", r.RoutingDomain) && subnet(r.VirtualSubnet) && is("DestinationPrefix", r.Prefix.String()) &&
				address("NextHop", r.NextHop) && is("Metric", strconv.Itoa(r.Metric)) {
				records.CustomerRoutes = append(records.CustomerRoutes, r)
			}
		}
	case providerAddress:
		for _, r := range all.ProviderAddresses {
			if at(r.Connection) && address("ProviderAddress", r.Address) && is("PrefixLength", strconv.Itoa(r.PrefixLength)) {
				records.ProviderAddresses = append(records.ProviderAddresses, r)
			}
		}
	default:
		for _, r := range all.ProviderRoutes {
			if at(r.Connection) && is("DestinationPrefix", r.Prefix.String()) && address("NextHop", r.NextHop) {
				records.ProviderRoutes = append(records.ProviderRoutes, r)
			}
		}
	}
	count = len(records.Lookups) + len(records.CustomerRoutes) + len(records.ProviderAddresses) +
		len(records.ProviderRoutes)
	return records, count, nil
}

// removeRecords returns the cmdlet Remove-NetVirtualization... that removes the records that match its parameters.
func removeRecords(kind string) func(*powershell.Invocation) (exec.Answer, error) {
	return func(p *powershell.Invocation) (exec.Answer, error) {
		records, count, err := selectRecords(p, kind)
		if err == nil && count == 0 {
			err = fmt.Errorf("no record matches; Get-NetVirtualization%s lists the records", kind)
		}
		if err != nil {
			return exec.Answer{}, err
		}
		return p.Call.ApplyOne(virtualization.RemoveNetVirtualization{Records: records})
	}
}

// getRecords returns the cmdlet Get-NetVirtualization... that lists records.
func getRecords(kind string) func(*powershell.Invocation) (exec.Answer, error) {
	return func(p *powershell.Invocation) (exec.Answer, error) {
		records, _, err := selectRecords(p, kind)
		if err != nil {
			return exec.Answer{}, err
		}
		var list []powershell.Block
		for _, r := range records.Lookups {
			list = append(list, powershell.Block{
				{"CustomerAddress", r.CustomerAddress.String()}, {"VirtualSubnetID", fmt.Sprint(r.VirtualSubnet)}, {"MACAddress",
					powershell.HyperVMAC(r.MAC)},
				{"ProviderAddress", r.ProviderAddress.String()}, {"Rule", "TranslationMethodEncap"},
			})
		}
		for _, r := range records.CustomerRoutes {
			list = append(list, powershell.Block{
				{"RoutingDomainID", r.RoutingDomain}, {"VirtualSubnetID", fmt.Sprint(r.VirtualSubnet)}, {"DestinationPrefix",
					r.Prefix.String()},
				{"NextHop", r.NextHop.String()}, {"Metric", strconv.Itoa(r.Metric)},
			})
		}
		for _, r := range records.ProviderAddresses {
			list = append(list, powershell.Block{
				{"ProviderAddress", r.Address.String()}, {"InterfaceAlias", r.Connection}, {"PrefixLength",
					strconv.Itoa(r.PrefixLength)},
			})
		}
		for _, r := range records.ProviderRoutes {
			list = append(list, powershell.Block{
				{"InterfaceAlias", r.Connection}, {"DestinationPrefix", r.Prefix.String()}, {"NextHop", r.NextHop.String()},
			})
		}
		return powershell.Blocks(list, struct {
			Records virtualization.NetVirtualization `json:"records"`
		}{records}, "No record matches."), nil
	}
}
