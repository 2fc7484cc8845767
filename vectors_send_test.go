package main

import (
	"fmt"
	"net/netip"

	"cxdeck/device/offload"
	"cxdeck/device/ring"
)

// sendVectors are the topics of sent packets and of frame sizes.
var sendVectors = map[string]vectorRunner{
	"tx-ring": vector(sendRingInput{}, sendRing),
	"jumbo-lso": vectorOps(map[string]vectorRunner{
		"jumbo":            vector(jumboInput{FirmwareMax: offload.MaxFrame}, jumbo),
		"mtu_to_key":       vector(mtuInput{}, jumboKey),
		"lso_enabled":      vector(largeSendInput{LSOSize: offload.DefaultLargeSend}, largeSendOn),
		"offload":          vector(sendInput{LSOSize: offload.DefaultLargeSend, MinSegment: 2, TCPAllowed: 1, IPAllowed: 1}, largeSend),
		"return_threshold": vector(returnInput{}, returnThreshold),
		"tcb_memory":       vector(sendBufferInput{LSOSize: offload.DefaultLargeSend}, sendBuffers),
		"roce_mtu":         vector(roceMTUInput{}, roceMTU),
	}),
}

type sendRingInput struct {
	Distribution    ring.Distribution `json:"TxHashDistribution"`
	Rings           int               `json:"rings"`
	Destination     *netip.Addr       `json:"dst_ip"` // null if it is not IP
	SourcePort      uint16            `json:"src_port"`
	DestinationPort uint16            `json:"dst_port"`
	Bytes           int               `json:"packet_bytes"`
}

type sendRingOutput struct {
	Ring int `json:"ring"`
}

func sendRing(in sendRingInput) (sendRingOutput, error) {
	packet := ring.Packet{SourcePort: in.SourcePort, DestinationPort: in.DestinationPort, Bytes: in.Bytes}
	if in.Destination != nil {
		packet.Destination = *in.Destination
	}
	return sendRingOutput{Ring: in.Distribution.Choose(packet, in.Rings)}, nil
}

type jumboInput struct {
	Setting     int `json:"*JumboPacket"`
	FirmwareMax int `json:"fw_max"`
	// Host is the host's *JumboPacket, for a virtual function.
	Host *int `json:"host_value"`
}

type jumboOutput struct {
	Accepted      bool `json:"accepted"`
	Used          int  `json:"used"`
	MTU           int  `json:"mtu"`
	FrameBytes    int  `json:"frame_bytes"`
	WireBytes     int  `json:"wire_bytes_with_fcs"`
	FirmwareEvent bool `json:"event_fw_limit"`
}

func jumbo(in jumboInput) (jumboOutput, error) {
	f, ok := offload.LargestFrame(in.Setting, in.FirmwareMax)
	if in.Host != nil {
		f, ok = offload.FunctionFrame(in.Setting, in.FirmwareMax, *in.Host)
	}
	return jumboOutput{
		Accepted: ok, Used: f.Bytes, MTU: f.MTU, FrameBytes: f.Bytes, WireBytes: f.WireBytes, FirmwareEvent: f.FirmwareLimit,
	}, nil
}

type mtuInput struct {
	MTU int `json:"mtu"`
}

type jumboKeyOutput struct {
	Setting  int  `json:"*JumboPacket"`
	Accepted bool `json:"accepted"`
}

func jumboKey(in mtuInput) (jumboKeyOutput, error) {
	setting, ok := offload.FrameOfMTU(in.MTU)
	return jumboKeyOutput{Setting: setting, Accepted: ok}, nil
}

type largeSendInput struct {
	MTU     int `json:"mtu"`
	LSOSize int
}

type largeSendOutput struct {
	Enabled bool `json:"enabled"`
}

func largeSendOn(in largeSendInput) (largeSendOutput, error) {
	return largeSendOutput{Enabled: offload.LargeSend{MTU: in.MTU, Largest: in.LSOSize}.On()}, nil
}

type sendInput struct {
	MTU        int    `json:"mtu"`
	Payload    int    `json:"payload"`
	Family     string `json:"family"`
	MinSegment int    `json:"LSOMinSegment"`
	LSOSize    int
	TCPOptions int `json:"tcp_option_bytes"`
	IPOptions  int `json:"ip_option_bytes"`
	TCPAllowed int `json:"LSOTcpOptions"`
	IPAllowed  int `json:"LSOIpOptions"`
}

type sendOutput struct {
	Offloaded bool `json:"offloaded"`
	MSS       int  `json:"mss"`
	Segments  int  `json:"segments"`
}

func largeSend(in sendInput) (sendOutput, error) {
	if in.Family != "ipv4" && in.Family != "ipv6" {
		return sendOutput{}, fmt.Errorf("no family is called %q", in.Family)
	}
	cut := offload.LargeSend{
		MTU: in.MTU, Largest: in.LSOSize, MinSegments: in.MinSegment, TCPOptions: in.TCPAllowed == 1, IPOptions: in.IPAllowed == 1,
	}.Cut(offload.Send{
		Payload: in.Payload, IPv6: in.Family == "ipv6", TCPOptions: in.TCPOptions, IPOptions: in.IPOptions,
	})
	return sendOutput{Offloaded: cut.Offloaded, MSS: cut.MSS, Segments: cut.Packets}, nil
}

type returnInput struct {
	Setting int `json:"ReturnPacketThreshold"`
	Ring    int `json:"ring_size"`
}

type returnOutput struct {
	Threshold int `json:"threshold"`
}

func returnThreshold(in returnInput) (returnOutput, error) {
	return returnOutput{Threshold: ring.ReturnThreshold(in.Setting, in.Ring)}, nil
}

type sendBufferInput struct {
	NumTcb  int
	LSO     bool `json:"lso_enabled"`
	LSOSize int
	MTU     int `json:"mtu"`
}

type sendBufferOutput struct {
	Bytes int `json:"bytes"`
}

func sendBuffers(in sendBufferInput) (sendBufferOutput, error) {
	return sendBufferOutput{Bytes: ring.SendBufferBytes(in.NumTcb, in.LSO, in.LSOSize, in.MTU)}, nil
}

type roceMTUInput struct {
	MTU int `json:"ethernet_mtu"`
}

type roceMTUOutput struct {
	MTU int `json:"roce_mtu"`
}

func roceMTU(in roceMTUInput) (roceMTUOutput, error) {
	return roceMTUOutput{MTU: offload.RoCEMTU(in.MTU)}, nil
}
