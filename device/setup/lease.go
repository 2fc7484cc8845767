package setup

import (
	"errors"
	"slices"
)

// Lease is the address of a guest, which it got by DHCP.
type Lease struct {
	Slot int
	// Due is the step of its next request, Frames the number of requests then.
	Due    int64
	Frames int
}

// Leases are the leases of a port's guests. They are replaced and never changed.
type Leases struct {
	Next int64   `json:",omitempty"` // the first step in which one is due
	List []Lease `json:",omitempty"`
}

// FindNext sets Next to the earliest Due, 0 without leases.
func (l *Leases) FindNext() {
	l.Next = 0
	for i, lease := range l.List {
		if i == 0 || lease.Due < l.Next {
			l.Next = lease.Due
		}
	}
}

// LeaseFrames is the number of frames that a machine without an address sends to request one; an assumption of the lab.
const LeaseFrames = 2

// check rejects leases that don't belong to the guests.
func (l *Leases) check(guests []Guest) error {
	same := func(a Lease, g Guest) bool {
		return a.Slot == g.Slot && a.Due >= 0 && a.Frames > 0 && a.Frames <= LeaseFrames
	}
	now := *l
	now.FindNext()
	if !slices.EqualFunc(l.List, guests, same) || now.Next != l.Next {
		return errors.New("leases don't belong to the guests of their port")
	}
	return nil
}
