package windows

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/views/exec"
)

// ipRow is an adapter with its addresses as JSON.
type ipRow struct {
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Physical    string      `json:"physical_address"`
	DHCP        bool        `json:"dhcp_enabled"`
	Connected   bool        `json:"connected"`
	Addresses   []ipAddress `json:"addresses"`
	DNS         []string    `json:"dns_servers"`
}

type ipAddress struct {
	Address string `json:"address"`
	Bits    int    `json:"prefix_length"`
	four    bool
}

// ipconfig prints the addresses of the ports whose driver runs; /all also prints MAC addresses, DHCP and DNS servers.
func ipconfig(c *exec.Call) (exec.Answer, error) {
	all := false
	for _, word := range c.Arguments {
		if option := strings.ToLower(word); option != "/all" && option != "-all" {
			return exec.Answer{}, exec.Mistake("ipconfig takes /all, not %q", word)
		}
		all = true
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	ports, err := exec.PortViews(view, "")
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []ipRow{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, p := range ports {
			if p.State != driver.Running {
				continue
			}
			d := p.Description
			ip := h.Stack().IP(d.Connection)
			row := ipRow{
				Name: d.Connection, Description: d.Device, Physical: strings.ToUpper(strings.ReplaceAll(d.MAC.String(), ":", "-")), DHCP: !ip.Static,
				Connected: p.Up, Addresses: []ipAddress{}, DNS: []string{},
			}
			for _, a := range ip.Addresses {
				row.Addresses = append(row.Addresses, ipAddress{a.Addr().String(), a.Bits(), a.Addr().Is4()})
			}
			for _, server := range ip.DNS {
				row.DNS = append(row.DNS, server.String())
			}
			rows = append(rows, row)
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Adapters []ipRow `json:"adapters"`
		}{rows},
		Text: func(w io.Writer) error {
			lines := []string{"", "Windows IP Configuration", ""}
			if all {
				lines = append(lines, ipLine("Host Name", view.Name), "")
			}
			for i := range rows {
				lines = append(lines, rows[i].lines(all)...)
			}
			_, err := io.WriteString(w, exec.CleanLines(lines))
			return err
		},
	}, err
}

// lines returns the part of an adapter.
func (r *ipRow) lines(all bool) []string {
	lines := []string{"", "Ethernet adapter " + r.Name + ":", ""}
	if !r.Connected {
		lines = append(lines, ipLine("Media State", "Media disconnected"))
	}
	lines = append(lines, "   Connection-specific DNS Suffix  . :")
	if all {
		dhcp := "No"
		if r.DHCP {
			dhcp = "Yes"
		}
		lines = append(lines, ipLine("Description", r.Description), ipLine("Physical Address", r.Physical), ipLine("DHCP Enabled", dhcp))
	}
	if !r.Connected {
		return lines
	}
	addresses := slices.Clone(r.Addresses) // Windows prints IPv6 first
	slices.SortStableFunc(addresses, func(a, b ipAddress) int {
		switch {
		case a.four == b.four:
			return 0
		case b.four:
			return -1
		}
		return 1
	})
	for _, a := range addresses {
		if !a.four {
			lines = append(lines, ipLine("IPv6 Address", a.Address))
			continue
		}
		lines = append(lines, ipLine("IPv4 Address", a.Address), ipLine("Subnet Mask", net.IP(net.CIDRMask(a.Bits, 32)).String()))
	}
	lines = append(lines, ipLine("Default Gateway", "")) // the lab has none
	if all && len(r.DNS) > 0 {
		lines = append(lines, ipLine("DNS Servers", r.DNS[0]))
		for _, server := range r.DNS[1:] {
			lines = append(lines, strings.Repeat(" ", 3+ipLabel+2)+server)
		}
	}
	return lines
}

// ipLabel is the width of a label with its dots.
const ipLabel = 34

// ipLine returns a line of ipconfig: a label, dots at the even columns, and a value.
func ipLine(label, value string) string {
	for len(label) < ipLabel {
		if len(label)%2 == 0 {
			label += "."
		} else {
			label += " "
		}
	}
	return strings.TrimRight(fmt.Sprintf("   %s: %s", label, value), " ")
}
