package wire

// Bytes around an IP packet on InfiniBand, which has no preamble and no gap.
const (
	localRoute     = 8
	datagram       = 8 // DETH
	ipoibHeader    = 4
	variantCRC     = 2
	ipoibAroundAll = localRoute + baseTransport + datagram + ipoibHeader + invariantCRC + variantCRC
)

// IPoIBBytes returns the length of the InfiniBand packet of an IP packet: local, base and datagram headers, the IPoIB header
// and both CRCs.
func IPoIBBytes(ip int) int { return ip + ipoibAroundAll }

// InfiniBandPayload is the longest payload of a packet.
const InfiniBandPayload = 4096

// InfiniBandBytes returns the length of the packet of RDMA data: local and base headers, and both CRCs.
func InfiniBandBytes(data int) int {
	return localRoute + baseTransport + data + invariantCRC + variantCRC
}

// Speed is a signalling speed of InfiniBand.
type Speed struct {
	Name string
	// Nominal is the nominal speed of a link of four lanes in Gb/s, Lane the signal rate of one lane in bits per second.
	Nominal int
	Lane    float64
	// Coding is the fraction of the signal that is data.
	Coding float64
}

const (
	code8b10b  = 8.0 / 10
	code64b66b = 64.0 / 66
)

// speeds are the speeds of PERF-7, and EDR of the later cards.
var speeds = [...]Speed{
	{"SDR", 10, 2.5e9, code8b10b},
	{"DDR", 20, 5e9, code8b10b},
	{"QDR", 40, 10e9, code8b10b},
	{"FDR10", 40, 10.3125e9, code64b66b},
	{"FDR", 56, 14.0625e9, code64b66b},
	{"EDR", 100, 25.78125e9, code64b66b},
}

// SpeedOf returns a speed by its name.
func SpeedOf(name string) (Speed, bool) {
	for _, s := range speeds {
		if s.Name == name {
			return s, true
		}
	}
	return Speed{}, false
}

// Signal returns the signal rate of a link with a number of lanes, in bits per second.
func (s Speed) Signal(lanes int) float64 { return float64(lanes) * s.Lane }

// Data returns the data rate of a link with a number of lanes, in bits per second (PERF-7).
func (s Speed) Data(lanes int) float64 { return s.Signal(lanes) * s.Coding }

// InfiniBandRate returns the data rate in bits per second of a link of four lanes by its nominal speed in Gb/s (PERF-7).
func InfiniBandRate(nominal int) float64 {
	const lanes = 4
	for _, s := range speeds {
		if s.Nominal == nominal {
			return s.Data(lanes)
		}
	}
	return float64(nominal) * 1e9 * code8b10b
}
