package infiniband

import "fmt"

// Speed is the signalling rate of a lane. NoSpeed belongs to a link that is down.
type Speed uint8

// The speeds of lanes. FDR10 is a speed of Mellanox devices between QDR and FDR.
const (
	NoSpeed Speed = iota
	SDR
	DDR
	QDR
	FDR10
	FDR
	EDR
	HDR
	NDR
	speeds // the number of speeds
)

// lanes holds the facts of each speed: its name, the signalling rate of a lane, and its data rate after coding, both in Gb/s.
var lanes = [speeds]struct {
	name      string
	gbps      float64
	data      float64
	printable string // as the tools write it
}{
	SDR:   {"SDR", 2.5, 2, "2.5 Gbps"},
	DDR:   {"DDR", 5, 4, "5.0 Gbps"},
	QDR:   {"QDR", 10, 8, "10.0 Gbps"},
	FDR10: {"FDR10", 10.3125, 10, "10.0 Gbps (FDR10)"},
	FDR:   {"FDR", 14.0625, 13.63636, "14.0625 Gbps"},
	EDR:   {"EDR", 25.78125, 25, "25.78125 Gbps"},
	HDR:   {"HDR", 53.125, 50, "53.125 Gbps"},
	NDR:   {"NDR", 106.25, 100, "106.25 Gbps"},
}

// String returns the name: "FDR"; empty for NoSpeed.
func (s Speed) String() string { return lanes[s%speeds].name }

// Rate returns the speed as the tools write it: "14.0625 Gbps".
func (s Speed) Rate() string { return lanes[s%speeds].printable }

// LaneGbps returns the signalling rate of a lane in Gb/s.
func (s Speed) LaneGbps() float64 { return lanes[s%speeds].gbps }

// UnmarshalText reads a name: "FDR".
func (s *Speed) UnmarshalText(text []byte) error {
	for speed := SDR; speed < speeds; speed++ {
		if lanes[speed].name == string(text) {
			*s = speed
			return nil
		}
	}
	return fmt.Errorf("unknown speed %q: it must be SDR, DDR, QDR, FDR10, FDR, EDR, HDR or NDR", text)
}

// MarshalText writes the form that UnmarshalText reads.
func (s Speed) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Speeds is a set of speeds, a bit for each.
type Speeds uint16

// UpTo returns the speeds that a device supports: all up to its fastest.
func UpTo(fastest Speed) Speeds { return Speeds(1)<<(fastest+1) - 1<<SDR }

// Has reports whether the set holds a speed.
func (s Speeds) Has(speed Speed) bool { return speed != NoSpeed && s>>speed&1 == 1 }

// Fastest returns the fastest speed of the set.
func (s Speeds) Fastest() Speed {
	for speed := speeds - 1; speed > NoSpeed; speed-- {
		if s.Has(speed) {
			return speed
		}
	}
	return NoSpeed
}

// Width is the number of lanes of a link: 1, 2, 4, 8 or 12; 0 when it is down.
type Width uint8

// String returns the form "4X".
func (w Width) String() string { return fmt.Sprintf("%dX", uint8(w)) }

// widthBits are the widths in the order of their bits in Widths, which is the order of the architecture.
var widthBits = [...]Width{1, 4, 8, 12, 2}

// Widths is a set of widths with the bits of the architecture: 1 for 1X, 2 for 4X, 4 for 8X, 8 for 12X, 16 for 2X.
type Widths uint8

// WidthsUpTo returns the widths of a port with a number of lanes: 1X and all its lanes.
func WidthsUpTo(w Width) Widths { return Widths(1) | w.Bit() }

// Bit returns the set of one width, empty for an unknown one.
func (w Width) Bit() Widths {
	for i, known := range widthBits {
		if known == w {
			return 1 << i
		}
	}
	return 0
}

// Has reports whether the set holds a width.
func (w Widths) Has(width Width) bool { return w&width.Bit() != 0 }

// Widest returns the widest width of the set, 0 for an empty one.
func (w Widths) Widest() Width {
	widest := Width(0)
	for i, known := range widthBits {
		if w>>i&1 == 1 && known > widest {
			widest = known
		}
	}
	return widest
}

// DataGbps returns the data rate of a link in Gb/s after coding (PERF-7): 54.5 for 4X FDR.
func DataGbps(w Width, s Speed) float64 { return float64(w) * lanes[s%speeds].data }

// rates are the codes of rates in path records, by the lanes and the speed.
var rates = map[Speed]map[Width]uint8{
	SDR:   {1: 2, 4: 3, 8: 6, 12: 4, 2: 5},
	DDR:   {1: 5, 4: 6, 8: 7, 12: 8, 2: 3},
	QDR:   {1: 3, 4: 7, 8: 9, 12: 10, 2: 6},
	FDR10: {1: 3, 4: 7, 8: 9, 12: 10, 2: 6},
	FDR:   {1: 11, 4: 12, 8: 13, 12: 14, 2: 19},
	EDR:   {1: 15, 4: 16, 8: 17, 12: 18, 2: 20},
	HDR:   {1: 20, 4: 17, 8: 21, 12: 22, 2: 16},
	NDR:   {1: 16, 4: 21, 8: 21, 12: 22, 2: 17},
}

// RateCode returns the code of a link's rate in path records, 0 for one that has none.
func RateCode(width Width, speed Speed) uint8 { return rates[speed][width] }
