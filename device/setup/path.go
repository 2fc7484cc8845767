package setup

import "math"

// Path is the path of a flow to its receivers.
type Path uint8

// The paths.
const (
	HostPath      Path = iota // the host's own traffic
	FunctionPath              // through virtual functions, bypassing the host's stack
	SyntheticPath             // to virtual machines, through the host
	OverlayPath               // the same, in an overlay
	Paths                     // the number of paths
)

// Synthetic reports whether the path leads to virtual machines through the host.
func (p Path) Synthetic() bool { return p == SyntheticPath || p == OverlayPath }

// Path returns the path of a guest's traffic.
func (g *Guest) Path() Path {
	switch {
	case g.Function != NoFunction:
		return FunctionPath
	case g.Overlay.Subnet != 0:
		return OverlayPath
	}
	return SyntheticPath
}

// PathShares returns the share of virtual machine flows on each path. managed is false for a port without guests.
func (l *Lab) PathShares(port int) (shares [Paths]float64, managed bool) {
	if l.Guests[port] == nil {
		return shares, false
	}
	for i := range l.Guests[port] {
		g := &l.Guests[port][i]
		shares[g.Path()] += g.Share
	}
	for i, x := range shares {
		if math.Abs(x-1) < wholeEnough {
			shares[i] = 1
		}
	}
	return shares, true
}
