package plans

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/wording"
)

// Dropless has packets that find no receive descriptor wait for one, or be dropped again.
type Dropless struct {
	Connection string
	On         bool
	// Timeout is how long they wait in units of 100 us: 1 to 100 with WinOF-2, to 65535 with WinOF, where 65535 has no end. 0
	// leaves it as it is, or sets the recommended 5 ms where there is none.
	Timeout int
}

// timeoutKey is the key for the time that packets wait, with the recommended value and the limits of both drivers.
const (
	timeoutKey   = "DelayDropTimeout"
	usualTimeout = 50
	maxTimeout   = 100
	maxWinOF     = 65535
)

// MaxTimeout returns the largest Timeout of a driver.
func MaxTimeout(family description.Family) int {
	if family == description.WinOF {
		return maxWinOF
	}
	return maxTimeout
}

// Plan implements Setup. The WinOF driver starts without the mode: after a change of the time it is entered by a second plan.
func (s Dropless) Plan(h *driver.Host) (AnnotatedPlan, error) {
	at, d, err := ethernet(h, s.Connection)
	if err != nil {
		return AnnotatedPlan{}, err
	}
	family := h.Lab().Family(at)
	title := "Enter dropless mode on " + s.Connection
	if !s.On {
		title = "Leave dropless mode on " + s.Connection
	}
	b := newBuilder(h, title)
	if !s.On {
		if h.Lab().Dropless(at) {
			err = b.add(hardware.SetDropless{Connection: s.Connection})
		}
		if err != nil {
			return AnnotatedPlan{}, err
		}
		return b.made()
	}
	now := h.Lab().Settings(at).DropTimeout
	want := s.Timeout
	if want == 0 && now == 0 {
		want = usualTimeout
	}
	if want != 0 {
		if err := within("the time that packets wait, in 100 us,", want, 1, MaxTimeout(family)); err != nil {
			return AnnotatedPlan{}, err
		}
		if err := b.key(s.Connection, timeoutKey, want); err != nil {
			return AnnotatedPlan{}, err
		}
	}
	switch {
	case len(b.stale) > 0 && family == description.WinOF:
		if err := b.restarts(); err != nil {
			return AnnotatedPlan{}, err
		}
		trial := driver.Plan{Title: title, Operations: []driver.Operation{hardware.SetDropless{Connection: s.Connection, On: true}}}
		if _, err := b.host.Clone().Apply(trial); err != nil { // part 2 would be refused
			return AnnotatedPlan{}, cause(err)
		}
		b.note("part 1 of 2: %s starts without dropless mode; enter it when it has restarted", s.Connection)
	case len(b.stale) == 0 && !h.Lab().Dropless(at):
		if err := b.add(hardware.SetDropless{Connection: s.Connection, On: true}); err != nil {
			return AnnotatedPlan{}, err
		}
	}
	view := h.QoS()
	if p := &view.Ports[at]; p.Operational == 0 && !p.AsksPause {
		b.note("%s has no flow control: packets that wait fill its buffer, and %s continues to send", s.Connection, d.Switch.Name)
	}
	return b.made()
}

// Check implements Setup.
func (s Dropless) Check(h *driver.Host) []Finding {
	h = h.Clone()
	h.Advance(settle)
	at, _, err := port(h, s.Connection)
	if err != nil {
		return []Finding{{Title: "the port", Text: err.Error()}}
	}
	is := h.Lab().Dropless(at)
	list := []Finding{{"dropless mode of " + s.Connection + " is " + wording.OnOff(s.On), wording.OnOff(is), is == s.On}}
	if !s.On {
		return list
	}
	view := h.QoS()
	p := &view.Ports[at]
	text := "none"
	switch {
	case p.Operational != 0:
		text = "PFC on " + p.Operational.Words()
	case p.AsksPause:
		text = "global pause"
	}
	return append(list, Finding{"flow control pauses the far end meanwhile", text, text != "none"},
		Finding{"packets wait", waitText(h.Lab().Settings(at).DropTimeout), h.Lab().Settings(at).DropTimeout > 0})
}

// waitText says how long a packet waits, by a number of 100 us.
func waitText(units int) string {
	switch units {
	case 0:
		return "not at all"
	case maxWinOF:
		return "without an end"
	}
	return fmt.Sprintf("at most %g ms", float64(units)/10)
}
