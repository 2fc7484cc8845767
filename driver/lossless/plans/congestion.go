package plans

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/dcqcn"
	"cxdeck/driver"
	"cxdeck/driver/qos"
	"cxdeck/driver/request"
)

// Congestion tunes congestion control (DCQCN) of a WinOF-2 adapter.
type Congestion struct {
	Connection string
	// Profile is the name of a set of parameters, empty to leave them as they are; Values are single parameters, which come
	// before it.
	Profile string
	Values  map[dcqcn.Parameter]uint32
	// Priorities are turned on, all others off; nil leaves them as they are.
	Priorities *qos.Priorities
}

// Profile is a set of parameters of the reaction point.
type Profile struct {
	Name, About string
	// Values differ from the defaults.
	Values map[dcqcn.Parameter]uint32
}

// Profiles returns the sets, the most cautious first.
//
// The manuals name no sets but their defaults. The other two turn the parameters that bound the rate after the first CNP and the
// rate of recovery [D]: a third or the whole of the default's first rate, and steps of a half or four times its steps.
func Profiles() []Profile {
	return []Profile{
		{"conservative", "slows down at once and recovers slowly: for many senders and shallow buffers", map[dcqcn.Parameter]uint32{
			dcqcn.FirstRate: 1000, dcqcn.AdditiveRate: 5, dcqcn.HyperRate: 50, dcqcn.TimeReset: 200, dcqcn.AlphaGain: 64,
		}},
		{"default", "the manufacturer's parameters", nil},
		{"aggressive", "slows down little and recovers fast: for few senders and deep buffers", map[dcqcn.Parameter]uint32{
			dcqcn.FirstRate: 9000, dcqcn.AdditiveRate: 40, dcqcn.HyperRate: 400, dcqcn.TimeReset: 50, dcqcn.AlphaGain: 16,
		}},
	}
}

// Tuned returns the parameters that profiles set and a form asks for: the ones of the reaction point that belong to the port.
func Tuned() []dcqcn.Parameter {
	return []dcqcn.Parameter{
		dcqcn.ClampTargetRate, dcqcn.ClampTargetAfterTime, dcqcn.TimeReset, dcqcn.ByteReset, dcqcn.Threshold, dcqcn.AdditiveRate, dcqcn.HyperRate,
		dcqcn.AlphaToRateShift, dcqcn.MinimumDecreaseFactor, dcqcn.MinimumRate, dcqcn.FirstRate, dcqcn.AlphaGain, dcqcn.AlphaWindow,
		dcqcn.MonitorPeriod, dcqcn.InitialAlpha,
	}
}

// CongestionOf returns the parameters that act at a port, and its line rate in Mbit/s. The error says why it has none.
func CongestionOf(h *driver.Host, connection string) (p dcqcn.Parameters, line uint32, err error) {
	at, d, err := winOF2(h, connection, "congestion control")
	if err != nil {
		return p, 0, err
	}
	return h.Lab().Settings(at).Congestion, uint32(d.SpeedGbps) * 1000, nil
}

// With returns parameters with a profile and with single values, for a port with a line rate in Mbit/s. Rates of a profile end at
// the line rate; the error is about a single value.
func (s Congestion) With(now dcqcn.Parameters, line uint32) (dcqcn.Parameters, error) {
	if s.Profile != "" {
		list := Profiles()
		at := slices.IndexFunc(list, func(p Profile) bool { return strings.EqualFold(p.Name, s.Profile) })
		if at < 0 {
			var names []string
			for _, p := range list {
				names = append(names, p.Name)
			}
			return now, request.Errorf("there is no profile %q: there are %s", s.Profile, strings.Join(names, ", "))
		}
		for _, p := range Tuned() {
			value := p.Range().Default
			if v, ok := list[at].Values[p]; ok {
				value = v
			}
			if p.Range().LineRate {
				value = min(value, line)
			}
			now[p] = value
		}
	}
	for _, p := range dcqcn.All() {
		value, ok := s.Values[p]
		if !ok {
			continue
		}
		var wrong *dcqcn.RangeError
		if err := now.Set(p, int64(value), line); errors.As(err, &wrong) {
			return now, fmt.Errorf("%s must be %d to %d, not %d", p, wrong.Min, wrong.Max, wrong.Value)
		}
	}
	return now, nil
}

// Plan implements Setup.
func (s Congestion) Plan(h *driver.Host) (AnnotatedPlan, error) {
	now, line, err := CongestionOf(h, s.Connection)
	if err != nil {
		return AnnotatedPlan{}, err
	}
	want, err := s.With(now, line)
	if err != nil {
		return AnnotatedPlan{}, err
	}
	b := newBuilder(h, "Tune congestion control of "+s.Connection)
	for _, p := range dcqcn.All() {
		if p >= dcqcn.ClampTargetRate && want[p] != now[p] {
			if err := b.key(s.Connection, p.String(), int(want[p])); err != nil {
				return AnnotatedPlan{}, err
			}
		}
	}
	if s.Priorities != nil {
		for priority := range dcqcn.Priorities {
			if err := b.enable(s.Connection, priority, s.Priorities.Has(priority)); err != nil {
				return AnnotatedPlan{}, err
			}
		}
	}
	if want[dcqcn.MinimumRate] >= line {
		b.note("a minimum rate of the line rate turns congestion control off")
	}
	return b.made()
}

// Check implements Setup.
func (s Congestion) Check(h *driver.Host) (list []Finding) {
	h = h.Clone()
	h.Advance(settle)
	now, line, err := CongestionOf(h, s.Connection)
	if err != nil {
		return []Finding{{Title: "the port", Text: err.Error()}}
	}
	want, err := s.With(now, line)
	differs := 0
	for _, p := range Tuned() {
		if want[p] != now[p] {
			differs++
		}
	}
	text := "all are"
	if differs > 0 {
		text = fmt.Sprintf("%d are not", differs)
	}
	list = append(list, Finding{"the parameters are as requested", text, err == nil && differs == 0})
	if s.Priorities != nil {
		var set qos.Priorities
		for p := range dcqcn.Priorities {
			if now.Reacts(uint8(p)) && now.Notifies(uint8(p)) {
				set |= 1 << p
			}
		}
		text := "on no priority"
		if set != 0 {
			text = "on " + set.Words()
		}
		list = append(list, Finding{"it is on only for these priorities", text, set == *s.Priorities})
	}
	return list
}

// The steps of a preview: how often the flow reports what it sent, in us, and the longest preview.
const (
	previewStep = 10
	longestTime = 1_000_000
)

// Recovery returns the time in us from a flow's first CNP until it has the line rate again, by the model of the lab; ok is false
// when it takes longer than a second.
func Recovery(p *dcqcn.Parameters, line uint32) (us int64, ok bool) {
	c := dcqcn.NewControl(p, float64(line))
	var f dcqcn.Flow
	f.Notify(&c, 0)
	for us < longestTime && f.Limited() {
		us += previewStep
		f.Sent(&c, us, sentBytes(f.Rate(&c)))
	}
	return us, !f.Limited()
}

// Curve returns the rate in Mbit/s of a flow after its first CNP at the beginning, at count moments of a span in us. The flow
// sends all that it may, and no further CNP arrives.
func Curve(p *dcqcn.Parameters, line uint32, span int64, count int) []float64 {
	c := dcqcn.NewControl(p, float64(line))
	var f dcqcn.Flow
	f.Notify(&c, 0)
	rates := make([]float64, count)
	now := int64(0)
	for i := range rates {
		for end := span * int64(i+1) / int64(count); now < end; {
			step := min(previewStep, end-now)
			now += step
			f.Sent(&c, now, sentBytes(f.Rate(&c))*step/previewStep)
		}
		rates[i] = f.Rate(&c)
	}
	return rates
}

// sentBytes returns what a rate in Mbit/s sends in a step.
func sentBytes(rate float64) int64 { return int64(rate * previewStep / 8) }
