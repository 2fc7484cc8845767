package setup

import (
	"errors"
	"fmt"
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/tunnel"
)

// Guest is a network adapter of a virtual machine that moves traffic through a port.
type Guest struct {
	// Slot is the guest's index among the guests of the port, and so the index of its counters.
	Slot int
	// Function is the virtual function that carries its traffic, or NoFunction for the synthetic path: through the
	// host's virtual switch and the physical function.
	Function int
	// Share is the guest's share of the port's virtual machine flows.
	Share float64
	// Rings receive the guest's packets on the synthetic path; there is at least one.
	Rings []int
	// Default reports that the guest has no queue of its own on the synthetic path and shares the default queue (VIRT-2).
	Default bool
	// Redirected reports that the guest's DHCP packets go to the physical function, despite its virtual function (IOV-13).
	Redirected bool
	// Held reports that the guest's port on the virtual switch is blocked (VIRT-4): the virtual port of its function is down,
	// the guest has no traffic, and Share must be 0.
	Held bool
	// Overlay is the virtual network (NVGRE) that encapsulates its packets on the synthetic path.
	Overlay tunnel.Overlay
}

// NoFunction means no virtual function.
const NoFunction = -1

const (
	// maxShare is the maximum share of a guest.
	maxShare = 64.0
	// wholeEnough is the tolerance within which a sum of shares counts as 1.
	wholeEnough = 1e-6
)

// CheckGuests rejects guests that no port could have together.
func CheckGuests(guests []Guest) error {
	var slots [counter.GuestSlots]bool
	var functions [counter.MaxFunctions]bool
	for _, g := range guests {
		if g.Slot < 0 || g.Slot >= counter.GuestSlots || slots[g.Slot] {
			return fmt.Errorf("slot %d of a guest does not exist, or is taken", g.Slot)
		}
		slots[g.Slot] = true
		if g.Function != NoFunction {
			if g.Function < 0 || g.Function >= counter.MaxFunctions || functions[g.Function] {
				return fmt.Errorf("the virtual function %d does not exist, or is taken", g.Function)
			}
			functions[g.Function] = true
		}
		if !(g.Share >= 0 && g.Share <= maxShare) || g.Held && g.Share > 0 {
			return fmt.Errorf("the share of a guest must be 0 to %g, and 0 for a blocked guest, not %v", maxShare, g.Share)
		}
		if err := g.Overlay.Check(); err != nil {
			return err
		}
		if len(g.Rings) == 0 || len(g.Rings) > counter.MaxRings || slices.ContainsFunc(g.Rings, func(r int) bool { return r < 0 || r >= counter.MaxRings }) {
			return errors.New("rings of a guest are required, and must be rings of its port")
		}
	}
	return nil
}

// Attached returns the guest of a virtual function, nil for none.
func (l *Lab) Attached(port, function int) *Guest {
	for i := range l.Guests[port] {
		if g := &l.Guests[port][i]; g.Function == function {
			return g
		}
	}
	return nil
}

// RingShares returns the share of each ring in the frames of a port's guests on one of the synthetic paths.
func (l *Lab) RingShares(port int, by Path, rings int) (parts [counter.MaxRings]float64) {
	all, _ := l.PathShares(port)
	for i := range l.Guests[port] {
		g := &l.Guests[port][i]
		if g.Path() != by || g.Share == 0 {
			continue
		}
		for _, ring := range g.Rings {
			parts[ring%rings] += g.Share / all[by] / float64(len(g.Rings))
		}
	}
	return parts
}

// PartOfRing returns the part of a guest's share that a ring of its port receives on a path.
func (g *Guest) PartOfRing(by Path, ring, rings int) (part float64) {
	if g.Path() != by {
		return 0
	}
	for _, r := range g.Rings {
		if r%rings == ring {
			part += g.Share / float64(len(g.Rings))
		}
	}
	return part
}

// Queued reports whether a guest has queues, and so a virtual port, of its own.
func (g *Guest) Queued() bool { return g.Function == NoFunction && !g.Default }
