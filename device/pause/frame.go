package pause

import "errors"

// Mode is the flow control of a port: global pause or PFC, never both (QOS-1).
type Mode uint8

// The modes.
const (
	Off Mode = iota
	Global
	PerPriority
)

// Frame is a pause frame: the standard that it follows, and for PFC the priorities that it names, a bit for each.
type Frame struct {
	Mode
	Priorities uint8
}

// Standard returns the standard that defines the frame, "" for no frame.
func (f Frame) Standard() string { return [...]string{"", "802.3x", "802.1Qbb"}[f.Mode] }

// Xoff returns the pause frame for full buffers: global pause names no priority, PFC names the priorities that are both full and
// lossless; without such a priority there is no frame (QOS-2). Both sets have a bit for each priority.
func Xoff(mode Mode, lossless, full uint8) Frame {
	switch {
	case mode == Global && full != 0:
		return Frame{Mode: Global}
	case mode == PerPriority && full&lossless != 0:
		return Frame{Mode: PerPriority, Priorities: full & lossless}
	}
	return Frame{}
}

// Keys are the registry keys of flow control that a port is set up with.
type Keys struct{ RxPause, TxPause, PerPriRxPause, PerPriTxPause bool }

// Check rejects pairs of keys that cannot be combined (QOS-1).
func (k Keys) Check() error {
	var receive, transmit error
	if k.RxPause && k.PerPriRxPause {
		receive = errors.New("RxPause and PerPriRxPause exclude each other; set one of them to 0")
	}
	if k.TxPause && k.PerPriTxPause {
		transmit = errors.New("TxPause and PerPriTxPause exclude each other; set one of them to 0")
	}
	return errors.Join(receive, transmit)
}

// everyPriority is the mask of global pause.
const everyPriority = 0xff

// Stall returns the priorities, a bit for each, for which a port stops sending pause frames when receive queues have been stalled
// for longer than DeviceRxStallTimeout: all priorities with PFC, even if only one is stalled. Global pause has no priorities and
// stops for the whole port, regardless of stalled. After the stall, the port sends pause frames as before (QOS-4).
func Stall(mode Mode, pfc, stalled uint8, beyondTimeout bool) uint8 {
	switch {
	case !beyondTimeout:
		return 0
	case mode == Global:
		return everyPriority
	case mode == PerPriority && stalled != 0:
		return pfc
	}
	return 0
}
