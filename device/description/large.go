package description

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// The size of the large lab: its cards, with two ports each, and the virtual functions of each port.
const (
	largeCards     = 8
	largeFunctions = 127
	// largeInfiniBand is the number of the InfiniBand port.
	largeInfiniBand = 13
	// maxDatagram is the longest IP packet of IPoIB in datagram mode, in bytes.
	maxDatagram = 2044
)

// LargeText returns the description of the large lab as TOML, for an operator to save, edit and load.
func LargeText() []byte {
	text, err := toml.Marshal(Large())
	if err != nil { // plain data always encodes; a test encodes it
		panic("description: the large lab does not encode: " + err.Error())
	}
	return text
}

// Large returns the description of a host with many adapters and virtual functions, for load tests of the console. Its cards
// are like the fastest card of the default lab; its traffic is the same on every port apart from the timing.
func Large() *Description {
	small := Default()
	d := &Description{
		Name: "Large lab", Epoch: small.Epoch, Schedules: small.Schedules,
		Host: HostMachine{Name: "LAB-N128", System: small.Host.System, NUMANodes: 2, ProcessorsPerNode: 32},
	}
	for card := range largeCards {
		a := small.Adapters[0]
		a.PCI = PCIAddress{Bus: uint8(0x10 * (card + 1))}
		a.NUMANode = card * d.Host.NUMANodes / largeCards
		a.NodeGUID += GUID(card) << 8
		a.Ports = nil
		for port := range 2 {
			number := 2*card + port
			p := largePort(small.Adapters[0].Ports[port], number)
			flows := largeFlows(p.Connection, number)
			if number == largeInfiniBand {
				p, flows = overInfiniBand(p, flows)
			}
			a.Ports, d.Flows = append(a.Ports, p), append(d.Flows, flows...)
		}
		d.Adapters = append(d.Adapters, a)
	}
	d.Faults = []Fault{
		{Port: d.Adapters[1].Ports[1].Connection, Kind: BadCable, Schedule: "bad cable", Share: 4e-5},
		{Port: d.Adapters[5].Ports[0].Connection, Kind: FarEndPause, Schedule: "switch congested", Priority: 3, Share: 0.35},
	}
	return d
}

// largePort returns one of the 16 ports, made from a port of the default lab.
func largePort(p Port, number int) Port {
	p.Connection = fmt.Sprintf("Ethernet %d", number+1)
	p.Device = "Mellanox ConnectX-5 Ex Ethernet Adapter"
	if number > 0 {
		p.Device += fmt.Sprintf(" #%d", number+1)
	}
	p.MAC[4], p.MAC[5] = byte(number/2), byte(number%2)
	p.GUID = p.GUID&^0xffff | GUID(number/2)<<8 | GUID(number%2)
	p.Class = fmt.Sprintf("%04d", number+2)
	p.Interface = fmt.Sprintf("{5B1E6B0C-52B7-4C0E-9A53-2D0C1F7E8%03X}", number)
	p.BaseProcessor = number * 4
	p.VirtualFunctions = largeFunctions
	p.Management = number == 0
	p.Switch.Name = fmt.Sprintf("Eth1/%d", number+1)
	return p
}

// overInfiniBand converts a port to InfiniBand (EDR), and its flows to IPoIB, without RDMA, which is RoCE in a lab.
func overInfiniBand(p Port, flows []Flow) (Port, []Flow) {
	p.Link, p.FlowControl, p.Lossless, p.RoCE, p.CongestionControl = InfiniBand, NoFlowControl, []int{}, NoRoCE, []int{}
	p.Device = strings.Replace(p.Device, "Ethernet", "IPoIB", 1)
	p.MaxFrame = 4092
	p.Switch = SwitchPort{
		Name: fmt.Sprintf("IB1/%d", largeInfiniBand+1), SpeedGbps: p.SpeedGbps, MaxFrame: 4200, Lossless: []int{},
	}
	flows = slices.DeleteFunc(flows, func(f Flow) bool { return f.Protocol == RDMA })
	for i := range flows {
		flows[i].Protocol, flows[i].Packets = IPoIB, slices.Clone(flows[i].Packets)
		for j := range flows[i].Packets {
			size := &flows[i].Packets[j]
			size.IP = min(size.IP, maxDatagram)
		}
	}
	return p, flows
}

// largeFlows returns the traffic of a port: traffic of its virtual functions, and storage and migration traffic of the host.
func largeFlows(connection string, number int) []Flow {
	phase := float64(number) / (2 * largeCards)
	local, peer := netip.AddrFrom4([4]byte{10, 20, byte(number), 10}), netip.AddrFrom4([4]byte{10, 20, byte(number), 20})
	group := func(name string, protocol Protocol, flows int) Flow {
		return Flow{
			Name: name + ", " + connection, Port: connection, Protocol: protocol, Local: local, Peer: peer, Flows: flows,
		}
	}
	seconds := func(n int) Duration { return Duration(time.Duration(n) * time.Second) }

	web := group("Virtual machines, web tier", TCP, 4000)
	web.Virtual, web.ReceiveGbps, web.SendGbps = true, 6, 14
	web.Packets = []PacketSize{{1500, 0.7}, {420, 0.2}, {52, 0.1}}
	web.Rhythm = Rhythm{Kind: Wave, Period: seconds(41 + number), Depth: 0.4, Phase: phase, Noise: 0.12}

	database := group("Virtual machines, database tier", TCP, 600)
	database.Virtual, database.ReceiveGbps, database.SendGbps = true, 3, 2.5
	database.Packets = []PacketSize{{1500, 0.45}, {240, 0.55}}
	database.Rhythm = Rhythm{Kind: Wave, Period: seconds(29 + number), Depth: 0.4, Phase: phase, Noise: 0.18}

	storage := group("SMB Direct", RDMA, 16)
	storage.Priority, storage.VLAN, storage.Connections = new(int), 70, 16
	*storage.Priority = 3
	storage.ReceiveGbps, storage.SendGbps = 16, 20
	storage.Packets = []PacketSize{{2092, 0.96}, {300, 0.04}}
	storage.Rhythm = Rhythm{Kind: Wave, Period: seconds(53 + number), Depth: 0.6, Phase: phase, Noise: 0.12}

	migration := group("Live migration", TCP, 2)
	migration.SendGbps = 22
	migration.Packets = []PacketSize{{8996, 1}}
	migration.Rhythm = Rhythm{Kind: Burst, Schedule: "live migration", Noise: 0.08}

	telemetry := group("Telemetry", UDP, 64)
	telemetry.Virtual, telemetry.Multicast, telemetry.ReceiveGbps = true, true, 0.05
	telemetry.Peer = netip.AddrFrom4([4]byte{239, 20, byte(number), 1})
	telemetry.Packets = []PacketSize{{300, 1}}
	telemetry.Rhythm = Rhythm{Kind: Steady, Noise: 0.2}

	return []Flow{web, database, storage, migration, telemetry}
}
