package description

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"
)

// Duration is a span of lab time, written "90s" or "2m".
type Duration time.Duration

// MaxDuration is the largest duration in a description: a longer period would not be visible in a session.
const MaxDuration = 24 * time.Hour

// UnmarshalText reads a duration of 0 to 24 hours.
func (d *Duration) UnmarshalText(text []byte) error {
	span, err := time.ParseDuration(string(text))
	if err != nil || span < 0 || span > MaxDuration {
		return fmt.Errorf("invalid duration %q: it must be 0s to 24h, such as \"90s\"", text)
	}
	*d = Duration(span)
	return nil
}

// MarshalText writes the form that UnmarshalText reads.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// PCIAddress is bus, device and function of a PCI function.
type PCIAddress struct{ Bus, Device, Function uint8 }

// UnmarshalText reads "04:00.0".
func (a *PCIAddress) UnmarshalText(text []byte) error {
	bus, rest, ok1 := strings.Cut(string(text), ":")
	dev, function, ok2 := strings.Cut(rest, ".")
	b, err1 := strconv.ParseUint(bus, 16, 8)
	d, err2 := strconv.ParseUint(dev, 16, 5)
	f, err3 := strconv.ParseUint(function, 8, 3)
	if !ok1 || !ok2 || err1 != nil || err2 != nil || err3 != nil {
		return fmt.Errorf("invalid PCI address %q: it must be like \"04:00.0\"", text)
	}
	*a = PCIAddress{uint8(b), uint8(d), uint8(f)}
	return nil
}

// MarshalText writes the form that UnmarshalText reads.
func (a PCIAddress) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// String returns the form "04:00.0".
func (a PCIAddress) String() string { return fmt.Sprintf("%02x:%02x.%x", a.Bus, a.Device, a.Function) }

// MAC is an Ethernet address.
type MAC [6]byte

// UnmarshalText reads "24:8a:07:1c:2b:3c"; a multicast address is refused (FAM-10).
func (m *MAC) UnmarshalText(text []byte) error {
	hw, err := net.ParseMAC(string(text))
	if err != nil || len(hw) != len(m) {
		return fmt.Errorf("invalid MAC address %q: it must be like \"24:8a:07:1c:2b:3c\"", text)
	}
	if hw[0]&1 != 0 {
		return fmt.Errorf("%q is a multicast address; a port needs a unicast one", text)
	}
	copy(m[:], hw)
	return nil
}

// MarshalText writes the form that UnmarshalText reads.
func (m MAC) MarshalText() ([]byte, error) { return []byte(net.HardwareAddr(m[:]).String()), nil }

// String returns the form of Windows tools: "24:8A:07:1C:2B:3C".
func (m MAC) String() string { return strings.ToUpper(net.HardwareAddr(m[:]).String()) }

// GUID is the 64-bit name of a node or port.
type GUID uint64

// UnmarshalText reads 16 hexadecimal digits.
func (g *GUID) UnmarshalText(text []byte) error {
	v, err := strconv.ParseUint(string(text), 16, 64)
	if err != nil || len(text) != 16 {
		return fmt.Errorf("invalid GUID %q: it must have 16 hexadecimal digits", text)
	}
	*g = GUID(v)
	return nil
}

// MarshalText writes the form that UnmarshalText reads.
func (g GUID) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(g)), nil }

// String returns the form "248a:0703:001c:2b3c".
func (g GUID) String() string {
	return fmt.Sprintf("%04x:%04x:%04x:%04x", uint16(g>>48), uint16(g>>32), uint16(g>>16), uint16(g))
}

// Family is a driver family with its hardware (FAM-1).
type Family uint8

// The families.
const (
	WinOF  Family = iota // mlx4: ConnectX-3 and -3 Pro, one function for both ports
	WinOF2               // mlx5: ConnectX-4 and later, one function for each port
)

// Driver returns the driver of the family: "mlx4", "mlx5".
func (f Family) Driver() string {
	if f == WinOF {
		return "mlx4"
	}
	return "mlx5"
}

// LinkType is the link layer of a port (FAM-5).
type LinkType uint8

// The link types.
const (
	Ethernet LinkType = iota
	InfiniBand
)

// FlowControl is the means by which an end of a link pauses the other (QOS-1).
type FlowControl uint8

// The modes; global pause and PFC exclude each other.
const (
	NoFlowControl FlowControl = iota
	GlobalPause
	PriorityPause
)

// RoCEMode is the transport of RDMA on an Ethernet port (ROCE-1).
type RoCEMode uint8

// The modes.
const (
	NoRoCE RoCEMode = iota
	RoCEv1
	RoCEv2
)

// Protocol is the protocol of a flow.
type Protocol uint8

// The protocols.
const (
	TCP     Protocol = iota // over Ethernet
	UDP                     // over Ethernet
	RDMA                    // RoCE v2
	IPoIB                   // TCP over InfiniBand
	OtherIP                 // IP that is neither TCP nor UDP
	NotIP                   // other frames, such as address resolution
)

// RhythmKind is the shape of a flow's level over time.
type RhythmKind uint8

// The shapes.
const (
	Steady RhythmKind = iota
	Wave
	Burst
	Trace // follows a recorded course
)

// FaultKind is a kind of fault.
type FaultKind uint8

// The faults.
const (
	LinkFlap    FaultKind = iota // the link is lost
	FarEndPause                  // the switch port pauses a priority, for a share of the time
	BadCable                     // a share of the frames arrives damaged
	// Congestion: a switch on the path of sent frames lacks a share of its capacity, and marks RDMA frames.
	Congestion
	// LongFrames: a share of the frames that peers send to the host's network stack is longer than the port accepts.
	LongFrames
	// Stall: the host takes nothing from the receive buffer.
	Stall
	// Debugger: the host is set up for a kernel debugger, which disables flow control.
	Debugger
	// FewReceives: a share of the RDMA messages, in both directions, finds no posted receive.
	FewReceives
	// WrongKey: a share of the RDMA requests, in both directions, names memory with a wrong key.
	WrongKey
	// BadRequest: a share of the RDMA requests, in both directions, is invalid.
	BadRequest
	// RemoteFailure: the peer can't execute a share of the requests from this end.
	RemoteFailure
	// ApplicationExit: the RDMA applications have ended.
	ApplicationExit
	// SendHang: the send rings send nothing until the driver starts again.
	SendHang
	// ManyQueuePairs: applications hold 65536 more queue pairs, or a share of them.
	ManyQueuePairs
	// WrongAddress: the first virtual function sends frames with an address that is not its own, 20000 a second or a
	// share of that. The switch in the card drops them (IOV-11).
	WrongAddress
	// DisallowedType: the function sends as many frames with an Ethertype that is not on its list (IOV-9).
	DisallowedType
	// FirmwareLoad: the function loads the firmware with commands, of which ten a second fail, or a share of that.
	FirmwareLoad
	// Storm: the function sends a million broadcasts a second, or a share of that.
	Storm
	// Capture: a capture tool runs on the port itself, instead of on its team.
	Capture
	// MissingUpdate: Windows lacks the update that queues of virtual machines and NVGRE offload need on a team.
	MissingUpdate
	// WrongSizes: a share of the frames that peers send to the host's network stack is truncated, lacks its header, or has
	// trailing noise, in equal parts.
	WrongSizes
	FaultCount
)

// MaxVLAN is the highest id of a VLAN.
const MaxVLAN = 4094
