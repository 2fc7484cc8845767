package windows

import (
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/stack"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// withStack looks at the network stack of the host.
func withStack(p *powershell.Invocation, look func(h *driver.Host, s stack.Set)) error {
	return p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		look(h, h.Stack())
		return nil
	})
}

// smbRow are the settings of a side of SMB as JSON.
type smbRow struct {
	Multichannel bool  `json:"enable_multichannel"`
	Sign         bool  `json:"require_security_signature"`
	Encrypt      *bool `json:"encrypt_data,omitempty"`
}

// getSmb is Get-SmbClientConfiguration and Get-SmbServerConfiguration, with the settings that the lab has.
func getSmb(side stack.Side) func(*powershell.Invocation) (exec.Answer, error) {
	return func(p *powershell.Invocation) (exec.Answer, error) {
		var r smbRow
		err := withStack(p, func(_ *driver.Host, s stack.Set) {
			if r = (smbRow{!s.Client.NoMultichannel, s.Client.Sign, nil}); side == stack.ServerSide {
				r = smbRow{!s.Server.NoMultichannel, s.Server.Sign, new(s.Server.Encrypt)}
			}
		})
		b := powershell.Block{{"EnableMultiChannel", powershell.BoolText(r.Multichannel)}, {"EnableSecuritySignature", "True"}, {"RequireSecuritySignature", powershell.BoolText(r.Sign)}}
		if r.Encrypt != nil {
			b = append(b, [2]string{"EncryptData", powershell.BoolText(*r.Encrypt)})
		}
		return powershell.Blocks([]powershell.Block{b}, struct {
			Configuration smbRow `json:"configuration"`
		}{r}, ""), err
	}
}

type smbParameters struct{ EnableMultiChannel, RequireSecuritySignature, EncryptData *bool }

// setSmb is Set-SmbClientConfiguration and Set-SmbServerConfiguration.
func setSmb(side stack.Side) func(*powershell.Invocation, *smbParameters) (exec.Answer, error) {
	return func(p *powershell.Invocation, in *smbParameters) (exec.Answer, error) {
		if *in == (smbParameters{}) {
			return exec.Answer{}, exec.Mistake("%s changes nothing: a parameter is required", p.Command)
		}
		return p.Call.ApplyOne(stack.SetSMB{Side: side, Multichannel: in.EnableMultiChannel, Sign: in.RequireSecuritySignature, Encrypt: in.EncryptData})
	}
}

// smbInterfaceRow is an interface that SMB uses, as JSON.
type smbInterfaceRow struct {
	Index   int      `json:"interface_index"`
	Name    string   `json:"name"`
	RSS     bool     `json:"rss_capable"`
	RDMA    bool     `json:"rdma_capable"`
	Gbps    int      `json:"speed_gbps"`
	Address []string `json:"ip_addresses"`
}

// smbInterfaces returns the interfaces whose links are up.
func smbInterfaces(p *powershell.Invocation) (rows []smbInterfaceRow, err error) {
	rows = []smbInterfaceRow{}
	ports, err := exec.PortViews(p.View, "")
	if err != nil {
		return nil, err
	}
	err = withStack(p, func(h *driver.Host, s stack.Set) {
		for _, port := range ports {
			d := port.Description
			if !port.Up {
				continue
			}
			r := smbInterfaceRow{exec.InterfaceIndex(port.Port), d.Connection, h.Lab().Settings(port.Port).RSS, s.WhyIncapable(port.Port) == "", int(port.Rate / 1e9), []string{}}
			for _, a := range s.IP(d.Connection).Addresses {
				r.Address = append(r.Address, a.Addr().String())
			}
			rows = append(rows, r)
		}
	})
	return rows, err
}

// getSmbInterfaces is Get-SmbClientNetworkInterface and Get-SmbServerNetworkInterface: the server has a row for each address.
func getSmbInterfaces(side stack.Side) func(*powershell.Invocation) (exec.Answer, error) {
	return func(p *powershell.Invocation) (exec.Answer, error) {
		rows, err := smbInterfaces(p)
		return exec.Answer{
			Result: struct {
				Interfaces []smbInterfaceRow `json:"interfaces"`
			}{rows},
			Text: func(w io.Writer) error {
				t := exec.NewTextTable(w, "Interface Index", "RSS Capable", "RDMA Capable", "Speed", "IpAddresses", "Friendly Name")
				t.Row("---------------", "-----------", "------------", "-----", "-----------", "-------------")
				if side == stack.ServerSide {
					t = exec.NewTextTable(w, "Scope Name", "Interface Index", "RSS Capable", "RDMA Capable", "Speed", "IpAddress")
					t.Row("----------", "---------------", "-----------", "------------", "-----", "---------")
				}
				for i := range rows {
					r := &rows[i]
					speed := fmt.Sprintf("%d Gbps", r.Gbps)
					if side == stack.ClientSide {
						t.Row(strconv.Itoa(r.Index), powershell.BoolText(r.RSS), powershell.BoolText(r.RDMA), speed, fmt.Sprintf("{%s}", joinWords(r.Address)), r.Name)
						continue
					}
					for _, a := range r.Address {
						t.Row("*", strconv.Itoa(r.Index), powershell.BoolText(r.RSS), powershell.BoolText(r.RDMA), speed, a)
					}
				}
				return t.Flush()
			},
		}, err
	}
}

func joinWords(list []string) string {
	text := ""
	for i, word := range list {
		if i > 0 {
			text += ", "
		}
		text += word
	}
	return text
}

// smbConnectionRow is an SMB connection as JSON: the flows of SMB Direct of the lab, each to one server.
type smbConnectionRow struct {
	Server   string `json:"server"`
	Share    string `json:"share"`
	Dialect  string `json:"dialect"`
	Open     int    `json:"opens"`
	Client   string `json:"client_ip"`
	RDMA     bool   `json:"rdma"`
	Number   int    `json:"connections"`
	Why      string `json:"why_no_rdma,omitempty"`
	Index    int    `json:"interface_index"`
	Workload string `json:"workload"`
}

// smbConnections returns the SMB connections whose programs move something: without traffic sessions expire.
func smbConnections(p *powershell.Invocation) (rows []smbConnectionRow, multichannel bool, err error) {
	rows = []smbConnectionRow{}
	err = withStack(p, func(h *driver.Host, s stack.Set) {
		multichannel = !s.Client.NoMultichannel && !s.Server.NoMultichannel
		flows := h.Lab().Flows()
		list := h.Lab().Description().Flows
		for i := range list {
			d, f := &list[i], &flows[i]
			if d.Protocol != description.RDMA || !d.Application.SMB() || f.ReceiveRate+f.SendRate == 0 {
				continue
			}
			n := d.Connections
			if !multichannel {
				n = 1
			}
			rows = append(rows, smbConnectionRow{d.Peer.String(), "data", "3.1.1", n, d.Local.String(), f.Protocol == description.RDMA, n,
				s.WhyNoRDMA(f.Port), exec.InterfaceIndex(f.Port), d.Name})
		}
	})
	return rows, multichannel, err
}

func getSmbConnection(p *powershell.Invocation) (exec.Answer, error) {
	rows, _, err := smbConnections(p)
	return smbConnectionAnswer(rows, func(w io.Writer) error {
		t := exec.NewTextTable(w, "ServerName", "ShareName", "UserName", "Credential", "Dialect", "NumOpens")
		t.Row("----------", "---------", "--------", "----------", "-------", "--------")
		for i := range rows {
			r := &rows[i]
			user := p.View.Name + `\Administrator`
			t.Row(r.Server, r.Share, user, user, r.Dialect, strconv.Itoa(r.Open))
		}
		return t.Flush()
	}), err
}

func smbConnectionAnswer(rows []smbConnectionRow, text func(io.Writer) error) exec.Answer {
	return exec.Answer{Result: struct {
		Connections []smbConnectionRow `json:"connections"`
	}{rows}, Text: text}
}

// getSmbMultichannelConnection lists nothing while multichannel is off.
func getSmbMultichannelConnection(p *powershell.Invocation) (exec.Answer, error) {
	rows, multichannel, err := smbConnections(p)
	if !multichannel {
		rows = []smbConnectionRow{}
	}
	return smbConnectionAnswer(rows, func(w io.Writer) error {
		t := exec.NewTextTable(w, "Server Name", "Selected", "Client IP", "Server IP", "Client Interface Index", "Client RSS Capable", "Client RDMA Capable")
		t.Row("-----------", "--------", "---------", "---------", "----------------------", "------------------", "-------------------")
		for i := range rows {
			r := &rows[i]
			t.Row(r.Server, "True", r.Client, r.Server, strconv.Itoa(r.Index), "True", powershell.BoolText(r.RDMA))
		}
		return t.Flush()
	}), err
}

func getNetOffloadGlobalSetting(p *powershell.Invocation) (exec.Answer, error) {
	on := false
	err := withStack(p, func(_ *driver.Host, s stack.Set) { on = !s.NoNetworkDirect })
	word := func(on bool) string { return map[bool]string{true: "Enabled", false: "Disabled"}[on] }
	return powershell.Blocks([]powershell.Block{{{"NetworkDirect", word(on)}}}, struct {
		NetworkDirect string `json:"network_direct"`
	}{word(on)}, ""), err
}

func setNetOffloadGlobalSetting(p *powershell.Invocation) (exec.Answer, error) {
	if _, err := p.Required("NetworkDirect", "Enabled or Disabled"); err != nil {
		return exec.Answer{}, err
	}
	word, err := powershell.ChooseWord(p.Command, "NetworkDirect", p.Values["NetworkDirect"], []string{"Enabled", "Disabled"})
	if err != nil {
		return exec.Answer{}, err
	}
	return p.Call.ApplyOne(stack.SetNetworkDirect{Enabled: word == "Enabled"})
}

// addressRow is an IP address as JSON.
type addressRow struct {
	Connection string   `json:"connection"`
	Index      int      `json:"interface_index"`
	Address    string   `json:"ip_address"`
	Bits       int      `json:"prefix_length"`
	DHCP       bool     `json:"dhcp"`
	DNS        []string `json:"dns_servers"`
}

func getNetIPAddress(p *powershell.Invocation) (exec.Answer, error) {
	rows := []addressRow{}
	ports, err := exec.PortViews(p.View, "")
	if err != nil {
		return exec.Answer{}, err
	}
	if p.Has("InterfaceAlias") {
		p.Values["Name"] = p.Values["InterfaceAlias"]
		if ports, err = p.Ports(); err != nil {
			return exec.Answer{}, err
		}
	}
	err = withStack(p, func(_ *driver.Host, s stack.Set) {
		for _, port := range ports {
			ip := s.IP(port.Description.Connection)
			dns := []string{}
			for _, a := range ip.DNS {
				dns = append(dns, a.String())
			}
			for _, a := range ip.Addresses {
				rows = append(rows, addressRow{ip.Connection, exec.InterfaceIndex(port.Port), a.Addr().String(), a.Bits(), !ip.Static, dns})
			}
		}
	})
	var list []powershell.Block
	for i := range rows {
		r := &rows[i]
		family := "IPv4"
		if a, err := netip.ParseAddr(r.Address); err == nil && a.Is6() {
			family = "IPv6"
		}
		origin := "Manual"
		if r.DHCP {
			origin = "Dhcp"
		}
		list = append(list, powershell.Block{{"IPAddress", r.Address}, {"InterfaceIndex", strconv.Itoa(r.Index)}, {"InterfaceAlias", r.Connection},
			{"AddressFamily", family}, {"Type", "Unicast"}, {"PrefixLength", strconv.Itoa(r.Bits)}, {"PrefixOrigin", origin}})
	}
	return powershell.Blocks(list, struct {
		Addresses []addressRow `json:"addresses"`
	}{rows}, "No connection has an IP address."), err
}

func newNetIPAddress(p *powershell.Invocation, in *struct {
	IPAddress      netip.Addr `need:"an IP address"`
	InterfaceAlias string     `need:"the name of a connection"`
	PrefixLength   int        `default:"32"`
}) (exec.Answer, error) {
	if err := checkFamily(p, in.IPAddress); err != nil {
		return exec.Answer{}, err
	}
	if _, err := powershell.ChooseWord(p.Command, "Type", append(p.Values["Type"], "Unicast")[:1], []string{"Unicast"}); err != nil {
		return exec.Answer{}, err
	}
	name, err := exec.Connection(p.View, in.InterfaceAlias)
	if err != nil {
		return exec.Answer{}, err
	}
	address := netip.PrefixFrom(in.IPAddress, in.PrefixLength)
	if !address.IsValid() {
		return exec.Answer{}, exec.Mistake("-PrefixLength of %s must be 1 to %d, not %d", p.Command, in.IPAddress.BitLen(), in.PrefixLength)
	}
	return p.Call.ApplyOne(stack.AddAddress{Connection: name, Address: address})
}

// removeNetIPAddress finds the connection by the address where none is named.
func removeNetIPAddress(p *powershell.Invocation, in *struct {
	IPAddress      netip.Addr
	InterfaceAlias string
}) (exec.Answer, error) {
	if !in.IPAddress.IsValid() {
		return removeAddresses(p, in.InterfaceAlias)
	}
	if err := checkFamily(p, in.IPAddress); err != nil {
		return exec.Answer{}, err
	}
	name := ""
	if in.InterfaceAlias != "" {
		var err error
		if name, err = exec.Connection(p.View, in.InterfaceAlias); err != nil {
			return exec.Answer{}, err
		}
	}
	ports, err := exec.PortViews(p.View, "")
	if err != nil {
		return exec.Answer{}, err
	}
	err = withStack(p, func(_ *driver.Host, s stack.Set) {
		for _, port := range ports {
			has := slices.ContainsFunc(s.IP(port.Description.Connection).Addresses, func(a netip.Prefix) bool { return a.Addr() == in.IPAddress })
			if name == "" && has {
				name = port.Description.Connection
			}
		}
	})
	if err == nil && name == "" {
		err = fmt.Errorf("no connection has the IP address %s; Get-NetIPAddress lists them", in.IPAddress)
	}
	if err != nil {
		return exec.Answer{}, err
	}
	return p.Call.ApplyOne(stack.RemoveAddress{Connection: name, Address: in.IPAddress})
}

// addressFamily returns the typed -AddressFamily; it is empty without the parameter.
func addressFamily(p *powershell.Invocation) (string, error) {
	if !p.Has("AddressFamily") {
		return "", nil
	}
	return powershell.ChooseWord(p.Command, "AddressFamily", p.Values["AddressFamily"], []string{"IPv4", "IPv6"})
}

// checkFamily refuses an address that is not of the typed -AddressFamily.
func checkFamily(p *powershell.Invocation, a netip.Addr) error {
	family, err := addressFamily(p)
	if err == nil && family != "" && a.Is6() != (family == "IPv6") {
		err = exec.Mistake("%s is no address of -AddressFamily %s", a, family)
	}
	return err
}

// removeAddresses removes all addresses of a connection, or of -AddressFamily, as one plan.
func removeAddresses(p *powershell.Invocation, connection string) (exec.Answer, error) {
	if connection == "" {
		return exec.Answer{}, exec.Mistake("%s requires -IPAddress with an IP address, or -InterfaceAlias with the name of a connection", p.Command)
	}
	name, err := exec.Connection(p.View, connection)
	if err != nil {
		return exec.Answer{}, err
	}
	family, err := addressFamily(p)
	if err != nil {
		return exec.Answer{}, err
	}
	var operations []driver.Operation
	err = withStack(p, func(_ *driver.Host, s stack.Set) {
		for _, a := range s.IP(name).Addresses {
			if family == "" || a.Addr().Is6() == (family == "IPv6") {
				operations = append(operations, stack.RemoveAddress{Connection: name, Address: a.Addr()})
			}
		}
	})
	if err == nil && len(operations) == 0 {
		return exec.NothingChanges("Remove IP addresses of "+name, []string{"it has none"}), nil
	}
	if err != nil {
		return exec.Answer{}, err
	}
	return p.Apply("Remove IP addresses of "+name, operations...)
}

func setNetIPInterface(p *powershell.Invocation, in *struct {
	InterfaceAlias string `need:"the name of a connection"`
	Dhcp           string `need:"Enabled or Disabled" one:"Enabled,Disabled"`
}) (exec.Answer, error) {
	name, err := exec.Connection(p.View, in.InterfaceAlias)
	if err != nil {
		return exec.Answer{}, err
	}
	return p.Call.ApplyOne(stack.SetDHCP{Connection: name, Enabled: in.Dhcp == "Enabled"})
}

func setDNSClientServerAddress(p *powershell.Invocation, in *struct {
	InterfaceAlias string `need:"the name of a connection"`
}) (exec.Answer, error) {
	name, err := exec.Connection(p.View, in.InterfaceAlias)
	if err != nil {
		return exec.Answer{}, err
	}
	o := stack.SetDNS{Connection: name}
	if !p.Flag("ResetServerAddresses") {
		if _, err := p.Required("ServerAddresses", "IP addresses, or -ResetServerAddresses"); err != nil {
			return exec.Answer{}, err
		}
		for _, text := range p.Values["ServerAddresses"] {
			a, err := netip.ParseAddr(text)
			if err != nil || a.Zone() != "" {
				return exec.Answer{}, exec.Mistake("-ServerAddresses of %s must be IP addresses, not %q", p.Command, text)
			}
			o.Servers = append(o.Servers, a)
		}
	}
	return p.Call.ApplyOne(o)
}
