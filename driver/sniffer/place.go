package sniffer

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/device/capture/pcap"
	"cxdeck/device/description"
	"cxdeck/device/roce"
	"cxdeck/device/tap"
	"cxdeck/driver"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
)

// Place is a place where frames can be captured.
type Place struct {
	tap.Place
	// Name is the place as the operator names it; Description says what it is.
	Name, Description string
	Link              pcap.Link
	Bits              uint64 // of the line in a second
	Up                bool
}

// UnknownPlaceError is the error of a name without a place; Names are all names.
type UnknownPlaceError struct {
	Name  string
	Names []string
}

func (e *UnknownPlaceError) Error() string {
	return fmt.Sprintf("there is no port, virtual function or switch port %q", request.Word(e.Name))
}

// Places returns all places of a host: its ports by connection, their virtual functions as "Ethernet 7 VF 0", and switch ports by name.
func Places(h *driver.Host) (list []Place) {
	v := h.View()
	for a := range v.Adapters {
		for i := range v.Adapters[a].Ports {
			p := &v.Adapters[a].Ports[i]
			place := Place{
				Place: tap.Place{Port: p.Port, Function: -1, UDPPort: udpPort(h, p.Port), Hops: hops(h, p.Port)},
				Name:  p.Description.Connection, Description: v.Adapters[a].Description.Name + ", port of the host", Link: pcap.Ethernet,
				Bits: uint64(p.Rate), Up: p.Up,
			}
			if p.Description.Link != description.Ethernet {
				place.Link = pcap.InfiniBand
			}
			list = append(list, place)
			if name := p.Description.Switch.Name; name != "" {
				there := place
				there.Name, there.AtSwitch, there.Description = name, true, "switch port of "+p.Description.Connection
				list = append(list, there)
			}
			for n := range p.VirtualFunctions {
				function := place
				function.Function, function.Name = n, p.Description.Connection+" VF "+strconv.Itoa(n)
				function.Description = "virtual function of " + p.Description.Connection
				list = append(list, function)
			}
		}
	}
	for m := range v.VMs {
		for i := range v.VMs[m].Adapters {
			adapter := &v.VMs[m].Adapters[i]
			for j := range list {
				if p := &list[j]; adapter.Function >= 0 && p.Port == adapter.Port && p.Function == adapter.Function && !p.AtSwitch {
					p.Address = adapter.MAC
					p.Description += ", of machine " + adapter.VM
				}
			}
		}
	}
	return list
}

// Find returns the place of a name, in any case.
func Find(h *driver.Host, name string) (Place, error) {
	list := Places(h)
	unknown := &UnknownPlaceError{Name: name}
	for _, p := range list {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
		unknown.Names = append(unknown.Names, p.Name)
	}
	return Place{}, unknown
}

// udpPort returns the destination port of RoCE v2 on a port.
func udpPort(h *driver.Host, port int) uint16 {
	if value, has := h.InUse(port, registry.RoCE, "roce_udp_dport"); has && value.Exists() {
		return uint16(value.Number())
	}
	return roce.DestinationPort
}

// hops returns the time to live of RDMA packets of a port: WinOF has 16 from 5.50 on and 128 before (ROCE-6); other drivers have
// the usual one.
func hops(h *driver.Host, port int) uint8 {
	const recent, before = 16, 128
	_, card, _ := h.Lab().Port(port)
	d := h.Lab().Description().Adapters[card]
	switch {
	case d.Family != description.WinOF:
		return 0
	case limits.Older(cmp.Or(d.DriverVersion, d.Package), "5.50"):
		return before
	}
	return recent
}
