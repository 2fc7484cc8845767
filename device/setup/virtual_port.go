package setup

import (
	"errors"
	"slices"

	"cxdeck/device/counter"
)

// VirtualPorts is what a port keeps for the virtual ports of its embedded switch: the default one, which has what the
// host and all without a queue of their own receive, and one for each guest with queues (VIRT-1 to VIRT-3). What a
// virtual function receives goes past them. It is replaced and never changed.
type VirtualPorts struct {
	// On says that a virtual switch is bound to the port: its packets count by virtual port, and not for all of it (R6).
	On bool `json:",omitempty"`
	// Shared is what the guests had received on each ring when they changed last, by path, ring and kind, and Taken what
	// of that each of them has. nil stands for nothing.
	Shared []uint64       `json:",omitempty"`
	Taken  []VirtualCount `json:",omitempty"`
}

// VirtualCount is what a processor has received for a virtual port.
type VirtualCount struct {
	// Slot is the slot of the guest, or DefaultSlot.
	Slot int
	// Processor is its number, or AllProcessors for the sum.
	Processor int
	// Kinds are the packets by kind, which is a counter of package rss (RSS-3).
	Kinds [counter.ReceiveKinds]uint64
}

const (
	// DefaultSlot stands for the default virtual port.
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
		return errors.New("a count is of no virtual port or processor of the lab")
	}
	return nil
}
