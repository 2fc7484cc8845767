package setup

import (
	"slices"

	"cxdeck/device/counter"
)

// ShareBase holds the counters of the virtual functions and guests of a port at the last change of their shares, and the shared
// counters of the port at that time. It is replaced, never modified; nil means zeroes.
type ShareBase struct {
	Functions, Guests, Shared []uint64
}

// SetShareBase replaces the share base of a port. Lists of zeroes alone become nil.
func (l *Lab) SetShareBase(port int, b ShareBase) {
	for _, part := range []*[]uint64{&b.Functions, &b.Guests, &b.Shared} {
		if !slices.ContainsFunc(*part, func(n uint64) bool { return n != 0 }) {
			*part = nil
		}
	}
	l.ShareBases = slices.Clone(l.ShareBases)
	l.ShareBases[port] = b
}

// CopyShareBase returns a copy of a port's share base for changes.
func (l *Lab) CopyShareBase(port int) ShareBase {
	kept := &l.ShareBases[port]
	b := ShareBase{slices.Clone(kept.Functions), slices.Clone(kept.Guests), slices.Clone(kept.Shared)}
	if b.Functions == nil {
		b.Functions = make([]uint64, counter.MaxFunctions*int(counter.FunctionCount))
	}
	if b.Guests == nil {
		b.Guests = make([]uint64, counter.GuestSlots*int(counter.GuestCount))
	}
	if b.Shared == nil {
		b.Shared = make([]uint64, SharedCounters)
	}
	return b
}

// check rejects lists that don't have the lengths of a port's counters.
func (b *ShareBase) check() error {
	wrong := func(part []uint64, n int) bool { return part != nil && len(part) != n }
	if wrong(b.Functions, counter.MaxFunctions*int(counter.FunctionCount)) || wrong(b.Guests, counter.GuestSlots*int(counter.GuestCount)) ||
		wrong(b.Shared, SharedCounters) {
		return errLengths
	}
	return nil
}

// Row returns the counters of one function or guest in a part of a share base, nil when the part is empty.
func Row(part []uint64, index, width int) []uint64 {
	if part == nil {
		return nil
	}
	return part[index*width : (index+1)*width]
}

// Entry returns an entry of a row, 0 if the row is nil.
func Entry(row []uint64, index int) uint64 {
	if row == nil {
		return 0
	}
	return row[index]
}

// SharedCounters is the number of counters of a port that virtual functions and guests share; they are contiguous.
const SharedCounters = int(counter.OverlayDropped - counter.FunctionsReceivedBytes + 1)
