package pause

import (
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/dscp"
	"cxdeck/device/setup"
)

// Control is how the two ends of a link stop each other. Its sets have a bit for each priority and for Untagged.
type Control struct {
	Mode Mode // of the frames that this end sends
	// asked are the priorities for which this end asks the far end to wait when its buffer fills, heeded the ones of them for
	// which the far end waits, and obeyed the ones for which this end waits when the far end asks.
	asked, heeded, obeyed uint16
	buffers               dscp.Buffers
	// FarGlobal and FarSilent say that the far end uses global pause, or no flow control at all.
	FarGlobal, FarSilent bool
}

const everyClass = 1<<counter.Priorities - 1

// NewControl derives the flow control of a link from the settings of its port and of the switch port (model QOS-1 to QOS-14).
func NewControl(s *setup.Port, far *setup.SwitchPort, ethernet bool) (c Control) {
	if !ethernet { // InfiniBand waits for credits and has no pause frames
		return c
	}
	c.FarGlobal, c.FarSilent = far.FlowControl == description.GlobalPause, far.FlowControl == description.NoFlowControl
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

// Protects reports whether this end asks the far end to wait when received frames with a header fill its buffer. With PFC these
// are frames of the lossless buffer with a priority that has PFC (QOS-14).
func (c *Control) Protects(h *setup.Header) bool {
	return c.Requests(h.Adapter) && (c.Mode == Global || c.buffers.TakesLossless(h.Tagged, uint8(h.Adapter%counter.Untagged)))
}

// Requests reports whether this end asks the far end to wait for a priority.
func (c *Control) Requests(priority int) bool { return c.asked>>priority&1 == 1 }

// Listens reports whether the far end waits when it is asked to for a priority.
func (c *Control) Listens(priority int) bool { return c.heeded>>priority&1 == 1 }

// Holds reports whether a pause of the far end that names a priority stops frames of another or the same.
func (c *Control) Holds(named, priority int) bool {
	return c.obeyed>>priority&1 == 1 && (c.FarGlobal || named == priority)
}
