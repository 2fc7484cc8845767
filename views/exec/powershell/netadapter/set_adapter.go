package netadapter

import (
	"fmt"
	"net"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/teams"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
	"cxdeck/views/exec/registrykey"
)

// setNetAdapter sets the MAC address of a connection in the key NetworkAddress, or of a team to a member's address.
func setNetAdapter(p *powershell.Invocation, in *struct {
	Name       string `need:"the name of a connection or team"`
	MacAddress string `need:"a MAC address, such as 02-15-5D-00-00-07"`
}) (exec.Answer, error) {
	address, err := parseUnicast(in.MacAddress)
	if err != nil {
		return exec.Answer{}, err
	}
	for _, t := range p.View.Teams {
		if strings.EqualFold(t.Name, in.Name) {
			return setTeamAddress(p, t, address)
		}
	}
	names, err := p.Connections()
	if err != nil {
		return exec.Answer{}, err
	}
	if len(names) > 1 {
		return exec.Answer{}, exec.Mistake("only one adapter can have a MAC address, and %q matches %d", in.Name, len(names))
	}
	k, err := registrykey.Find(p.Call, registrykey.Target{Connection: names[0]}, "NetworkAddress")
	if err != nil {
		return exec.Answer{}, err
	}
	return p.Apply(p.Command+" "+names[0],
		edit.SetValue{Connection: names[0], Key: k.Row.Name, Value: powershell.HyperVMAC(address)}, adapters.RestartAdapter{Connection: names[0]})
}

// parseUnicast parses the unicast address of a device: 12 hexadecimal digits, with hyphens or colons between bytes, or none.
func parseUnicast(text string) (address description.MAC, err error) {
	digits := text
	if len(text) == 2*len(address) {
		var pairs []string
		for i := 0; i < len(text); i += 2 {
			pairs = append(pairs, text[i:i+2])
		}
		digits = strings.Join(pairs, "-")
	}
	parsed, err := net.ParseMAC(digits)
	switch {
	case err != nil || len(parsed) != len(address):
		return address, exec.Mistake("a MAC address must have 12 hexadecimal digits, such as 02-15-5D-00-00-07, not %q", text)
	case parsed[0]&1 != 0:
		return address, exec.Mistake("%s is a multicast address; an adapter requires a unicast one", text)
	}
	copy(address[:], parsed)
	if address == (description.MAC{}) {
		return address, exec.Mistake("%s is not the MAC address of a device; choose one such as 02-15-5D-00-00-07", text)
	}
	return address, nil
}

// setTeamAddress sets the address of a team, which must be the address of a member.
func setTeamAddress(p *powershell.Invocation, t teams.View, address description.MAC) (exec.Answer, error) {
	ports, err := exec.PortViews(p.View, "")
	if err != nil {
		return exec.Answer{}, err
	}
	var members []string
	for _, m := range t.Members {
		for _, port := range ports {
			if port.Description.Connection != m.Connection {
				continue
			}
			if port.Description.MAC == address {
				return p.Call.ApplyOne(teams.SetAddress{Team: t.Name, Connection: m.Connection})
			}
			members = append(members, powershell.WindowsMAC(port.Description.MAC)+" of "+m.Connection)
		}
	}
	if members == nil {
		return exec.Answer{}, fmt.Errorf("%s has no members, and therefore no MAC address", t.Name)
	}
	return exec.Answer{}, fmt.Errorf("%s is a team, which takes the MAC address of a member: %s", t.Name, strings.Join(members, ", "))
}
