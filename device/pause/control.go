package pause

import (
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/dscp"
	"cxdeck/device/setup"
)

// Control is the flow control between the two ends of a link. Its sets have a bit for each priority and for Untagged.
type Control struct {
	Mode Mode // of the frames that this end sends
	// asked are the priorities for which this end sends pause frames when its buffer fills, heeded the subset for which the far
	// end obeys them, and obeyed the priorities for which this end obeys pause frames of the far end.
	asked, heeded, obeyed uint16
	buffers               dscp.Buffers
	// farAsks are the priorities for which the far end asks this end to wait, whether or not it does.
	farAsks uint16
	// FarGlobal and FarSilent report that the far end uses global pause, or no flow control.
	FarGlobal, FarSilent bool
}

const everyClass = 1<<counter.Priorities - 1

// NewControl derives the flow control of a link from the settings of its port and of the switch port (model QOS-1 to QOS-14).
func NewControl(s *setup.Port, far *setup.SwitchPort, ethernet bool) (c Control) {
	if !ethernet { // InfiniBand uses credits and has no pause frames
		return c
	}
	c.FarGlobal, c.FarSilent = far.FlowControl == description.GlobalPause, far.FlowControl == description.NoFlowControl
	switch far.FlowControl {
	case description.GlobalPause:
		c.farAsks = everyClass
	case description.PriorityPause:
		c.farAsks = uint16(far.Lossless)
	default:
	}
	if s.QoS && s.Lossless != 0 {
		c.Mode, c.asked = PerPriority, uint16(s.Lossless&s.PauseSends)
		c.buffers = dscp.Buffers{Lossless: s.Lossless, UntaggedLossless: s.UntaggedLossless, ByDSCP: s.TrustDSCP}
		if far.FlowControl == description.PriorityPause {
			c.heeded = c.asked & uint16(far.Lossless)
			c.obeyed = uint16(s.Lossless & s.PauseObeys & far.Lossless)
		}
		if s.UntaggedLossless { // QOS-14
			c.asked |= 1 << counter.Untagged
			if far.FlowControl == description.PriorityPause {
				c.heeded |= 1 << counter.Untagged
			}
		}
		return c
	}
	if s.AsksPause {
		c.Mode, c.asked = Global, everyClass
		if c.FarGlobal {
			c.heeded = everyClass
		}
	}
	if s.ObeysPause && c.FarGlobal {
		c.obeyed = everyClass
	}
	return c
}

// Protects reports whether this end sends pause frames when received frames with a header fill its buffer. With PFC it does so
// for frames in the lossless buffer with a priority that has PFC (QOS-14).
func (c *Control) Protects(h *setup.Header) bool {
	return c.Requests(h.Adapter) && (c.Mode == Global || c.buffers.TakesLossless(h.Tagged, uint8(h.Adapter%counter.Untagged)))
}

// Requests reports whether this end sends pause frames for a priority.
func (c *Control) Requests(priority int) bool { return c.asked>>priority&1 == 1 }

// Obeys reports whether the far end obeys pause frames for a priority.
func (c *Control) Obeys(priority int) bool { return c.heeded>>priority&1 == 1 }

// Asks reports whether the far end asks this end to wait for a priority when its buffer fills.
func (c *Control) Asks(priority int) bool { return c.farAsks>>priority&1 == 1 }

// Stops reports whether a pause frame of the far end for the priority named stops frames of a priority.
func (c *Control) Stops(named, priority int) bool {
	return c.obeyed>>priority&1 == 1 && (c.FarGlobal || named == priority)
}
