package main

import (
	"fmt"
	"net"
	"net/netip"

	"cxdeck/device/roce"
	"cxdeck/device/tunnel"
	"cxdeck/device/wire"
)

// wireVectors are the topics of the wire formats and rates: model rules ROCE-7 to ROCE-9, VIRT-6 to VIRT-10 and PERF-1 to
// PERF-8.
var wireVectors = map[string]vectorRunner{
	"roce-udp-sport": vectorOps(map[string]vectorRunner{
		"source_port": vector(sourcePortInput{}, func(in sourcePortInput) (sourcePortOutput, error) {
			port := roce.SourcePort(in.Local, in.Remote)
			return sourcePortOutput{port, fmt.Sprintf("0x%04X", port)}, nil
		}),
		"destination_port": vector(destinationPortInput{}, func(in destinationPortInput) (destinationPortOutput, error) {
			return destinationPortOutput{roce.ChosenDestinationPort(in.Key, in.Version...)}, nil
		}),
	}),
	"roce-gid": vectorOps(map[string]vectorRunner{
		"gid":        vector(gidInput{}, runGID),
		"gid_update": vector(gidUpdateInput{Poll: roce.DefaultPoll}, runGIDUpdate),
	}),
	"performance": vectorOps(map[string]vectorRunner{
		"ethernet":            vector(ethernetInput{}, runEthernet),
		"roce":                vector(roceInput{}, runRoCE),
		"pcie":                vector(pcieInput{}, runPCIe),
		"nd_send_bw_loopback": vector(loopbackInput{}, runLoopback),
		"nd_gigabits":         vector(gigabitsInput{}, runGigabits),
		"infiniband":          vector(infinibandInput{}, runInfiniBand),
		"bottleneck":          vector(bottleneckInput{}, runBottleneck),
	}),
	"encapsulation": vectorOps(map[string]vectorRunner{
		"sizes": vector(tunnelInput{}, runTunnelSizes),
		"gre_key": vector(keyInput{}, func(in keyInput) (keyOutput, error) {
			return keyOutput{fmt.Sprintf("0x%08x", tunnel.GREKey(in.Subnet, in.Flow))}, nil
		}),
		"headers":         vector(tunnelInput{}, runTunnelHeaders),
		"vxlan_dual_port": vector(dualPortInput{}, runDualPort),
	}),
}

type sourcePortInput struct {
	Local  uint16 `json:"src_port"` // 0 if missing
	Remote uint16 `json:"dst_port"`
}

type sourcePortOutput struct {
	Port uint16 `json:"udp_source_port"`
	Hex  string `json:"hex"`
}

type destinationPortInput struct {
	Version []int `json:"winof_version"`
	Key     int   `json:"roce_udp_dport"` // 0 if not set
}

type destinationPortOutput struct {
	Port uint16 `json:"udp_destination_port"`
}

type gidInput struct {
	Mode  string `json:"mode"`
	Value string `json:"value"`
}

type gidOutput struct {
	GID string `json:"gid"`
}

func runGID(in gidInput) (gidOutput, error) {
	if in.Mode == "mac" {
		mac, err := net.ParseMAC(in.Value)
		if err != nil || len(mac) != 6 {
			return gidOutput{}, fmt.Errorf("%q is no MAC address", in.Value)
		}
		return gidOutput{roce.FromMAC([6]byte(mac)).String()}, nil
	}
	address, err := netip.ParseAddr(in.Value)
	if err != nil {
		return gidOutput{}, err
	}
	return gidOutput{roce.FromAddress(address).String()}, nil
}

type gidUpdateInput struct {
	Poll    int64 `json:"UpdateGIDTimerFrequency_ms"`
	Start   int64 `json:"poll_start_ms"`
	Changed int64 `json:"address_changed_ms"`
}

type gidUpdateOutput struct {
	Visible *int64 `json:"gid_visible_ms"` // null: never
}

func runGIDUpdate(in gidUpdateInput) (gidUpdateOutput, error) {
	at, ever := roce.Visible(in.Changed, in.Start, in.Poll)
	if !ever {
		return gidUpdateOutput{}, nil
	}
	return gidUpdateOutput{&at}, nil
}

type ethernetInput struct {
	Link float64 `json:"link_gbps"`
	IP   int     `json:"ip_bytes"`
	Tags int     `json:"vlan_tags"`
}

type ethernetOutput struct {
	Frame   int     `json:"frame_bytes_no_fcs"`
	Line    int     `json:"wire_bytes"`
	Rate    float64 `json:"frames_per_second"`
	Share   float64 `json:"tcp_ipv4_payload_efficiency"`
	Goodput float64 `json:"tcp_ipv4_goodput_gbps"`
}

func runEthernet(in ethernetInput) (ethernetOutput, error) {
	frame := wire.FrameBytes(in.IP, in.Tags)
	line, share := wire.LineBytes(frame), wire.TCPShare(in.IP, in.Tags)
	return ethernetOutput{frame - wire.FrameCheck, line, wire.FrameRate(in.Link*1e9, line), share, in.Link * share}, nil
}

type roceInput struct {
	Link    float64 `json:"link_gbps"`
	Payload int     `json:"roce_mtu"`
	Version string  `json:"version"`
}

type roceOutput struct {
	Line    int     `json:"wire_bytes"`
	Share   float64 `json:"efficiency"`
	Goodput float64 `json:"goodput_gbps"`
}

func runRoCE(in roceInput) (roceOutput, error) {
	version, ok := map[string]int{"v1": 1, "v2": 2}[in.Version]
	if !ok {
		return roceOutput{}, fmt.Errorf("%q is no version of RoCE", in.Version)
	}
	share := wire.RoCEShare(in.Payload, version)
	line := wire.LineBytes(wire.FrameBytes(wire.RoCEPacket(in.Payload, version), 0))
	return roceOutput{line, share, in.Link * share}, nil
}

type pcieInput struct {
	Generation int `json:"gen"`
	Lanes      int `json:"lanes"`
	MaxPayload int `json:"mps_bytes"`
}

type pcieOutput struct {
	Label  string  `json:"label"`
	Raw    float64 `json:"raw_MBps"`
	Usable float64 `json:"usable_MBps"`
}

func runPCIe(in pcieInput) (pcieOutput, error) {
	return pcieOutput{
		wire.PCIeLabel(in.Generation), wire.PCIeRaw(in.Generation, in.Lanes) / 1e6,
		wire.PCIeUsable(in.Generation, in.Lanes, in.MaxPayload) / 1e6,
	}, nil
}

type loopbackInput struct {
	Generation int     `json:"pci_gen"`
	Measured   float64 `json:"measured_MBps"`
}

type loopbackOutput struct {
	Expected *float64 `json:"expected_MBps"` // null: not given
	Verdict  string   `json:"verdict"`
}

func runLoopback(in loopbackInput) (loopbackOutput, error) {
	expected, verdict := wire.Loopback(in.Generation, in.Measured)
	out := loopbackOutput{Verdict: verdict.String()}
	if verdict != wire.Unknown {
		out.Expected = &expected
	}
	return out, nil
}

type gigabitsInput struct {
	Bytes   float64 `json:"bytes"`
	Seconds float64 `json:"seconds"`
}

type gigabitsOutput struct {
	Rate float64 `json:"Gb_per_s"`
}

func runGigabits(in gigabitsInput) (gigabitsOutput, error) {
	return gigabitsOutput{wire.Gigabits(in.Bytes, in.Seconds)}, nil
}

type infinibandInput struct {
	Speed string `json:"speed"`
	Lanes int    `json:"lanes"`
}

type infinibandOutput struct {
	Signal float64 `json:"signal_gbps"`
	Data   float64 `json:"data_gbps"`
}

func runInfiniBand(in infinibandInput) (infinibandOutput, error) {
	speed, ok := wire.SpeedOf(in.Speed)
	if !ok {
		return infinibandOutput{}, fmt.Errorf("%q is no speed of InfiniBand", in.Speed)
	}
	return infinibandOutput{speed.Signal(in.Lanes) / 1e9, speed.Data(in.Lanes) / 1e9}, nil
}

type bottleneckInput struct {
	Link float64 `json:"link_goodput_MBps"`
	Slot float64 `json:"pcie_usable_MBps"`
}

type bottleneckOutput struct {
	Rate float64 `json:"MBps"`
	By   string  `json:"limited_by"`
}

func runBottleneck(in bottleneckInput) (bottleneckOutput, error) {
	limit := wire.LowestLimit(wire.Limit{Name: "link", Rate: in.Link}, wire.Limit{Name: "pcie", Rate: in.Slot})
	return bottleneckOutput{limit.Rate, limit.Name}, nil
}

type tunnelInput struct {
	Type  string `json:"type"`
	Inner int    `json:"inner_mtu"`
}

func (in tunnelInput) kind() (tunnel.Kind, error) {
	for _, kind := range []tunnel.Kind{tunnel.NVGRE, tunnel.VXLAN} {
		if kind.String() == in.Type {
			return kind, nil
		}
	}
	return 0, fmt.Errorf("%q is no tunnel", in.Type)
}

type tunnelSizesOutput struct {
	OuterIP int  `json:"outer_ip_bytes"`
	Frame   int  `json:"frame_bytes"`
	Added   int  `json:"added_bytes"`
	Fits    bool `json:"fits_in_1500"`
}

func runTunnelSizes(in tunnelInput) (tunnelSizesOutput, error) {
	kind, err := in.kind()
	if err != nil {
		return tunnelSizesOutput{}, err
	}
	return tunnelSizesOutput{kind.OuterIP(in.Inner), kind.Frame(in.Inner), kind.Added(), kind.Fits(in.Inner, 1500)}, nil
}

type tunnelHeadersOutput struct {
	Headers []string `json:"headers"`
}

func runTunnelHeaders(in tunnelInput) (tunnelHeadersOutput, error) {
	kind, err := in.kind()
	if err != nil {
		return tunnelHeadersOutput{}, err
	}
	return tunnelHeadersOutput{kind.Headers()}, nil
}

type keyInput struct {
	Subnet uint32 `json:"vsid"`
	Flow   uint8  `json:"flow_id"`
}

type keyOutput struct {
	Key string `json:"key"`
}

type dualPortInput struct {
	UDPPorts []uint16 `json:"udp_ports"`
	Active   []bool   `json:"port_active"`
}

type dualPortOutput struct {
	Offloads bool `json:"offload_on_all_active_ports"`
}

func runDualPort(in dualPortInput) (dualPortOutput, error) {
	if len(in.UDPPorts) != len(in.Active) {
		return dualPortOutput{}, fmt.Errorf("%d UDP ports for %d ports", len(in.UDPPorts), len(in.Active))
	}
	ports := make([]tunnel.Port, len(in.UDPPorts))
	for i := range ports {
		ports[i] = tunnel.Port{UDPPort: in.UDPPorts[i], Active: in.Active[i]}
	}
	return dualPortOutput{tunnel.Offloads(ports...)}, nil
}
