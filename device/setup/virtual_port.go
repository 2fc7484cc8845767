package setup

import (
	"errors"
	"slices"

	"cxdeck/device/counter"
)

// VirtualPorts holds the counts for the virtual ports of a port's embedded switch: the default port, for the host and all
// guests without their own queue, and one port for each guest with queues (VIRT-1 to VIRT-3). Traffic of virtual functions
// bypasses them. It is replaced, never modified.
type VirtualPorts struct {
	// On reports that a virtual switch is bound to the port: packets are counted by virtual port, not for the whole port (R6).
	On bool `json:",omitempty"`
	// Shared holds the packets that the guests had received at the last change of guests, by path, ring and kind, and Taken the
	// packets of each guest. nil means zeroes.
	Shared []uint64       `json:",omitempty"`
	Taken  []VirtualCount `json:",omitempty"`
}

// VirtualCount counts what a processor has received for a virtual port.
type VirtualCount struct {
	// Slot is the slot of the guest, or DefaultSlot.
	Slot int
	// Processor is the processor number, or AllProcessors for the sum.
	Processor int
	// Kinds are the packets by kind, which is a counter of package rss (RSS-3).
	Kinds [counter.ReceiveKinds]uint64
}

const (
	// DefaultSlot represents the default virtual port.
	DefaultSlot = -1
	// AllProcessors is the sum over the processors of a virtual port.
	AllProcessors = -1
)

// check rejects counts that a port could not have.
func (v *VirtualPorts) check(l *counter.Layout, port int) error {
	processors, shared := l.Processors(), l.SharedKinds(port)
	if v.Shared != nil && len(v.Shared) != shared || len(v.Taken) > (counter.GuestSlots+1)*processors {
		return errLengths
	}
	outside := func(had VirtualCount) bool {
		return had.Slot < DefaultSlot || had.Slot >= counter.GuestSlots || had.Processor < 0 || had.Processor >= processors
	}
	if slices.ContainsFunc(v.Taken, outside) {
		return errors.New("the setup refers to a virtual port or a processor that the lab does not have")
	}
	return nil
}
