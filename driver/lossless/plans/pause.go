package plans

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/qos"
	"cxdeck/driver/wording"
)

// Pause has a port and its switch port use global pause, or no flow control. Global pause and PFC exclude each other: QoS of the
// adapter is turned off.
type Pause struct {
	Connection string
	On         bool
}

// The values of *FlowControl: none, and both directions.
const (
	pauseKey  = "*FlowControl"
	pauseOff  = 0
	pauseBoth = 3
)

// Plan implements Setup.
func (s Pause) Plan(h *driver.Host) (AnnotatedPlan, error) {
	at, d, err := ethernet(h, s.Connection)
	if err != nil {
		return AnnotatedPlan{}, err
	}
	title := "Use global pause on " + s.Connection
	if !s.On {
		title = "Use no global pause on " + s.Connection
	}
	b := newBuilder(h, title)
	view := h.QoS()
	p := &view.Ports[at]
	value, mode := pauseOff, description.NoFlowControl
	if s.On {
		value, mode = pauseBoth, description.GlobalPause
		if p.Operational != 0 {
			b.note("global pause and PFC exclude each other: PFC of %s on %s ends", s.Connection, p.Operational.Words())
		}
		if p.Enabled {
			if err := b.add(qos.SetAdapter{Connection: s.Connection}); err != nil {
				return AnnotatedPlan{}, err
			}
		}
	} else if p.Operational != 0 {
		return AnnotatedPlan{}, fmt.Errorf("%s uses PFC on %s, and no global pause", s.Connection, p.Operational.Words())
	}
	if err := b.key(s.Connection, pauseKey, value); err != nil {
		return AnnotatedPlan{}, err
	}
	for _, name := range []string{"RxPause", "TxPause"} { // of WinOF, where they are stored they come before *FlowControl
		if k, err := h.Key(s.Connection, name); err == nil && k.Stored.Exists() {
			if err := b.key(s.Connection, name, value/pauseBoth); err != nil {
				return AnnotatedPlan{}, err
			}
		}
	}
	if err := b.restarts(); err != nil {
		return AnnotatedPlan{}, err
	}
	if h.Lab().SwitchPort(at).FlowControl != mode {
		if err := b.add(fabric.SetSwitchPort{Connection: d.Connection, FlowControl: &mode}); err != nil {
			return AnnotatedPlan{}, err
		}
	}
	return b.made()
}

// Check implements Setup.
func (s Pause) Check(h *driver.Host) []Finding {
	h = h.Clone()
	h.Advance(settle)
	at, d, err := port(h, s.Connection)
	if err != nil {
		return []Finding{{Title: "the port", Text: err.Error()}}
	}
	here, there := h.Lab().Operational(at)
	words := func(asks, obeys bool) string {
		return "sends pauses " + wording.YesNo(asks) + ", obeys them " + wording.YesNo(obeys)
	}
	view := h.QoS()
	list := []Finding{
		{"global pause of " + s.Connection + " is " + wording.OnOff(s.On), words(here.AsksPause, here.ObeysPause), here.AsksPause == s.On && here.ObeysPause == s.On},
		{"global pause of " + d.Switch.Name + " is " + wording.OnOff(s.On), flowControlText(there.FlowControl), (there.FlowControl == description.GlobalPause) == s.On},
	}
	if s.On {
		set := view.Ports[at].Operational
		text := "PFC on no priority"
		if set != 0 {
			text = "PFC on " + set.Words()
		}
		list = append(list, Finding{s.Connection + " has no PFC", text, set == 0})
	}
	return list
}

func flowControlText(mode description.FlowControl) string {
	switch mode {
	case description.GlobalPause:
		return "global pause"
	case description.PriorityPause:
		return "PFC"
	default:
		return "no flow control"
	}
}
