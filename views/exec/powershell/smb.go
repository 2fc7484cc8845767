package powershell

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
)

// withStack looks at the network stack of the host.
func (p *invocation) withStack(look func(h *driver.Host, s stack.Set)) error {
	return p.call.Host.ReadHost(p.call.Ctx, func(h *driver.Host) error {
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
func getSmb(side stack.Side) func(*invocation) (exec.Answer, error) {
	return func(p *invocation) (exec.Answer, error) {
		var r smbRow
		err := p.withStack(func(_ *driver.Host, s stack.Set) {
			if r = (smbRow{!s.Client.NoMultichannel, s.Client.Sign, nil}); side == stack.ServerSide {
				r = smbRow{!s.Server.NoMultichannel, s.Server.Sign, new(s.Server.Encrypt)}
			}
		})
		b := block{{"EnableMultiChannel", boolText(r.Multichannel)}, {"EnableSecuritySignature", "True"}, {"RequireSecuritySignature", boolText(r.Sign)}}
		if r.Encrypt != nil {
			b = append(b, [2]string{"EncryptData", boolText(*r.Encrypt)})
		}
		return blocks([]block{b}, struct {
			Configuration smbRow `json:"configuration"`
		}{r}, ""), err
	}
}

type smbParameters struct{ EnableMultiChannel, RequireSecuritySignature, EncryptData *bool }

// setSmb is Set-SmbClientConfiguration and Set-SmbServerConfiguration.
func setSmb(side stack.Side) func(*invocation, *smbParameters) (exec.Answer, error) {
	return func(p *invocation, in *smbParameters) (exec.Answer, error) {
		if *in == (smbParameters{}) {
			return exec.Answer{}, exec.Mistake("%s changes nothing: a parameter is required", p.command)
		}
		return p.call.ApplyOne(stack.SetSMB{Side: side, Multichannel: in.EnableMultiChannel, Sign: in.RequireSecuritySignature, Encrypt: in.EncryptData})
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
func (p *invocation) smbInterfaces() (rows []smbInterfaceRow, err error) {
	rows = []smbInterfaceRow{}
	ports, err := exec.PortViews(p.view, "")
	if err != nil {
		return nil, err
	}
	err = p.withStack(func(h *driver.Host, s stack.Set) {
		for _, port := range ports {
			d := port.Description
			if !port.Up {
				continue
			}
			r := smbInterfaceRow{interfaceIndex(port.Port), d.Connection, h.Lab().Settings(port.Port).RSS, s.WhyIncapable(port.Port) == "", int(port.Rate / 1e9), []string{}}
			for _, a := range s.IP(d.Connection).Addresses {
				r.Address = append(r.Address, a.Addr().String())
			}
			rows = append(rows, r)
		}
	})
	return rows, err
}

// getSmbInterfaces is Get-SmbClientNetworkInterface and Get-SmbServerNetworkInterface: the server has a row for each address.
func getSmbInterfaces(side stack.Side) func(*invocation) (exec.Answer, error) {
	return func(p *invocation) (exec.Answer, error) {
		rows, err := p.smbInterfaces()
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
						t.Row(strconv.Itoa(r.Index), boolText(r.RSS), boolText(r.RDMA), speed, fmt.Sprintf("{%s}", joinWords(r.Address)), r.Name)
						continue
					}
					for _, a := range r.Address {
						t.Row("*", strconv.Itoa(r.Index), boolText(r.RSS), boolText(r.RDMA), speed, a)
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
func (p *invocation) smbConnections() (rows []smbConnectionRow, multichannel bool, err error) {
	rows = []smbConnectionRow{}
	err = p.withStack(func(h *driver.Host, s stack.Set) {
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
				s.WhyNoRDMA(f.Port), interfaceIndex(f.Port), d.Name})
		}
	})
	return rows, multichannel, err
}

func getSmbConnection(p *invocation) (exec.Answer, error) {
	rows, _, err := p.smbConnections()
	return smbConnectionAnswer(rows, func(w io.Writer) error {
		t := exec.NewTextTable(w, "ServerName", "ShareName", "UserName", "Credential", "Dialect", "NumOpens")
		t.Row("----------", "---------", "--------", "----------", "-------", "--------")
		for i := range rows {
			r := &rows[i]
			user := p.view.Name + `\Administrator`
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
func getSmbMultichannelConnection(p *invocation) (exec.Answer, error) {
	rows, multichannel, err := p.smbConnections()
	if !multichannel {
		rows = []smbConnectionRow{}
	}
	return smbConnectionAnswer(rows, func(w io.Writer) error {
		t := exec.NewTextTable(w, "Server Name", "Selected", "Client IP", "Server IP", "Client Interface Index", "Client RSS Capable", "Client RDMA Capable")
		t.Row("-----------", "--------", "---------", "---------", "----------------------", "------------------", "-------------------")
		for i := range rows {
			r := &rows[i]
			t.Row(r.Server, "True", r.Client, r.Server, strconv.Itoa(r.Index), "True", boolText(r.RDMA))
		}
		return t.Flush()
	}), err
}

func getNetOffloadGlobalSetting(p *invocation) (exec.Answer, error) {
	on := false
	err := p.withStack(func(_ *driver.Host, s stack.Set) { on = !s.NoNetworkDirect })
	word := func(on bool) string { return map[bool]string{true: "Enabled", false: "Disabled"}[on] }
	return blocks([]block{{{"NetworkDirect", word(on)}}}, struct {
		NetworkDirect string `json:"network_direct"`
	}{word(on)}, ""), err
}

func setNetOffloadGlobalSetting(p *invocation) (exec.Answer, error) {
	if _, err := p.required("NetworkDirect", "Enabled or Disabled"); err != nil {
		return exec.Answer{}, err
	}
	word, err := chooseWord(p.command, "NetworkDirect", p.values["NetworkDirect"], []string{"Enabled", "Disabled"})
	if err != nil {
		return exec.Answer{}, err
	}
	return p.call.ApplyOne(stack.SetNetworkDirect{Enabled: word == "Enabled"})
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

func getNetIPAddress(p *invocation) (exec.Answer, error) {
	rows := []addressRow{}
	ports, err := exec.PortViews(p.view, "")
	if err != nil {
		return exec.Answer{}, err
	}
	if p.hasParameter("InterfaceAlias") {
		p.values["Name"] = p.values["InterfaceAlias"]
		if ports, err = p.ports(); err != nil {
			return exec.Answer{}, err
		}
	}
	err = p.withStack(func(_ *driver.Host, s stack.Set) {
		for _, port := range ports {
			ip := s.IP(port.Description.Connection)
			dns := []string{}
			for _, a := range ip.DNS {
				dns = append(dns, a.String())
			}
			for _, a := range ip.Addresses {
				rows = append(rows, addressRow{ip.Connection, interfaceIndex(port.Port), a.Addr().String(), a.Bits(), !ip.Static, dns})
			}
		}
	})
	var list []block
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
		list = append(list, block{{"IPAddress", r.Address}, {"InterfaceIndex", strconv.Itoa(r.Index)}, {"InterfaceAlias", r.Connection},
			{"AddressFamily", family}, {"Type", "Unicast"}, {"PrefixLength", strconv.Itoa(r.Bits)}, {"PrefixOrigin", origin}})
	}
	return blocks(list, struct {
		Addresses []addressRow `json:"addresses"`
	}{rows}, "No connection has an IP address."), err
}

func newNetIPAddress(p *invocation, in *struct {
	IPAddress      netip.Addr `need:"an IP address"`
	InterfaceAlias string     `need:"the name of a connection"`
	PrefixLength   int        `default:"32"`
}) (exec.Answer, error) {
	if err := p.checkFamily(in.IPAddress); err != nil {
		return exec.Answer{}, err
	}
	if _, err := chooseWord(p.command, "Type", append(p.values["Type"], "Unicast")[:1], []string{"Unicast"}); err != nil {
		return exec.Answer{}, err
	}
	name, err := exec.Connection(p.view, in.InterfaceAlias)
	if err != nil {
		return exec.Answer{}, err
	}
	address := netip.PrefixFrom(in.IPAddress, in.PrefixLength)
	if !address.IsValid() {
		return exec.Answer{}, exec.Mistake("-PrefixLength of %s must be 1 to %d, not %d", p.command, in.IPAddress.BitLen(), in.PrefixLength)
	}
	return p.call.ApplyOne(stack.AddAddress{Connection: name, Address: address})
}

// removeNetIPAddress finds the connection by the address where none is named.
func removeNetIPAddress(p *invocation, in *struct {
	IPAddress      netip.Addr
	InterfaceAlias string
}) (exec.Answer, error) {
	if !in.IPAddress.IsValid() {
		return p.removeAddresses(in.InterfaceAlias)
	}
	if err := p.checkFamily(in.IPAddress); err != nil {
		return exec.Answer{}, err
	}
	name := ""
	if in.InterfaceAlias != "" {
		var err error
		if name, err = exec.Connection(p.view, in.InterfaceAlias); err != nil {
			return exec.Answer{}, err
		}
	}
	ports, err := exec.PortViews(p.view, "")
	if err != nil {
		return exec.Answer{}, err
	}
	err = p.withStack(func(_ *driver.Host, s stack.Set) {
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
	return p.call.ApplyOne(stack.RemoveAddress{Connection: name, Address: in.IPAddress})
}

// family returns the typed -AddressFamily; it is empty without the parameter.
func (p *invocation) family() (string, error) {
	if !p.hasParameter("AddressFamily") {
		return "", nil
	}
	return chooseWord(p.command, "AddressFamily", p.values["AddressFamily"], []string{"IPv4", "IPv6"})
}

// checkFamily refuses an address that is not of the typed -AddressFamily.
func (p *invocation) checkFamily(a netip.Addr) error {
	family, err := p.family()
	if err == nil && family != "" && a.Is6() != (family == "IPv6") {
		err = exec.Mistake("%s is no address of -AddressFamily %s", a, family)
	}
	return err
}

// removeAddresses removes all addresses of a connection, or of -AddressFamily, as one plan.
func (p *invocation) removeAddresses(connection string) (exec.Answer, error) {
	if connection == "" {
		return exec.Answer{}, exec.Mistake("%s requires -IPAddress with an IP address, or -InterfaceAlias with the name of a connection", p.command)
	}
	name, err := exec.Connection(p.view, connection)
	if err != nil {
		return exec.Answer{}, err
	}
	family, err := p.family()
	if err != nil {
		return exec.Answer{}, err
	}
	var operations []driver.Operation
	err = p.withStack(func(_ *driver.Host, s stack.Set) {
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
	return p.apply("Remove IP addresses of "+name, operations...)
}

func setNetIPInterface(p *invocation, in *struct {
	InterfaceAlias string `need:"the name of a connection"`
	Dhcp           string `need:"Enabled or Disabled" one:"Enabled,Disabled"`
}) (exec.Answer, error) {
	name, err := exec.Connection(p.view, in.InterfaceAlias)
	if err != nil {
		return exec.Answer{}, err
	}
	return p.call.ApplyOne(stack.SetDHCP{Connection: name, Enabled: in.Dhcp == "Enabled"})
}

func setDNSClientServerAddress(p *invocation, in *struct {
	InterfaceAlias string `need:"the name of a connection"`
}) (exec.Answer, error) {
	name, err := exec.Connection(p.view, in.InterfaceAlias)
	if err != nil {
		return exec.Answer{}, err
	}
	o := stack.SetDNS{Connection: name}
	if !p.flag("ResetServerAddresses") {
		if _, err := p.required("ServerAddresses", "IP addresses, or -ResetServerAddresses"); err != nil {
			return exec.Answer{}, err
		}
		for _, text := range p.values["ServerAddresses"] {
			a, err := netip.ParseAddr(text)
			if err != nil || a.Zone() != "" {
				return exec.Answer{}, exec.Mistake("-ServerAddresses of %s must be IP addresses, not %q", p.command, text)
			}
			o.Servers = append(o.Servers, a)
		}
	}
	return p.call.ApplyOne(o)
}
