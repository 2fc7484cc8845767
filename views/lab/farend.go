package lab

import (
	"fmt"

	"cxdeck/device/counter"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/themes"
	"cxdeck/views/browse"
)

// writeFarEnd writes the counters of the switch port: frames from the host and to it.
func (v *View) writeFarEnd(port *labstate.Port) {
	p, far := &v.page, &port.Far
	p.Blank()
	heading(p, "The switch port has counted")
	v.writeCount("Frames from the host", far.ReceivedFrames, themes.Style{})
	v.writeCount("  damaged by the cable", far.ReceivedErrors, warning)
	v.writeCount("Frames to the host", far.SentFrames, themes.Style{})
	for priority := range counter.Priorities {
		name := fmt.Sprintf("PFC %d", priority)
		if priority == counter.Untagged {
			name = "Pause"
		}
		if far.ReceivedPauses[priority]+far.SentPauses[priority] > 0 {
			v.writeCount(name+" from the host", far.ReceivedPauses[priority], accent)
			v.writeCount(name+" to the host", far.SentPauses[priority], accent)
		}
	}
	v.writeCount("Dropped, too long", far.TooLong, warning)
	v.writeCount("Dropped, wrong VLAN", far.WrongVLAN, warning)
	v.writeCount("Dropped, queue full", far.NoBuffer, warning)
}

// writeCount writes a count, in the style unless it is 0.
func (v *View) writeCount(name string, n uint64, style themes.Style) {
	if n == 0 {
		style = muted
	}
	v.page.Add(browse.Line{Text: name, Value: perf.Number(float64(n), perf.Packets, false, v.deck.InBytes), ValueStyle: style})
}
