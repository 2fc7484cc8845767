package setup

import (
	"fmt"
	"strconv"

	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/driver/lossless/plans"
	"cxdeck/driver/qos"
	"cxdeck/ui/widget/wizard"
)

// keepProfile is the choice of no profile.
const keepProfile = "keep"

// line returns the line rate of a port in Mbit/s.
func (p *port) line() uint32 { return uint32(p.SpeedGbps) * 1000 }

// request returns what the answers ask for; with says whether the single parameters count.
func congestionRequest(s *scene, values wizard.Values, with bool) plans.Congestion {
	c := plans.Congestion{Connection: values.Text(fieldPort), Values: map[dcqcn.Parameter]uint32{}}
	if profile := values.Text("profile"); profile != keepProfile {
		c.Profile = profile
	}
	p := s.at(values)
	if p == nil || !with {
		return c
	}
	base, err := c.With(p.settings.Congestion, p.line())
	if err != nil {
		return c
	}
	for _, parameter := range dcqcn.All() {
		if n, err := strconv.ParseUint(values.Text(parameter.String()), 10, 32); err == nil && uint32(n) != base[parameter] {
			c.Values[parameter] = uint32(n)
		}
	}
	var set qos.Priorities
	for _, id := range values.IDs("prios") {
		if n, err := strconv.Atoi(id); err == nil && n >= 0 && n < dcqcn.Priorities { // the form refuses others later
			set |= 1 << n
		}
	}
	if set != controlled(p) {
		c.Priorities = &set
	}
	return c
}

// controlled returns the priorities with congestion control at both ends.
func controlled(p *port) (set qos.Priorities) {
	for priority := range dcqcn.Priorities {
		if p.settings.Congestion.Reacts(uint8(priority)) && p.settings.Congestion.Notifies(uint8(priority)) {
			set |= 1 << priority
		}
	}
	return set
}

func congestionForm(s *scene) functions {
	kept := map[string]*preview{"preview": {rate: s.rate}, "tuned": {rate: s.rate}}
	return functions{
		field: func(f *wizard.Field, values wizard.Values) bool {
			p := s.at(values)
			switch {
			case f.ID == fieldPort:
				s.offer(f, withWinOF2("congestion control"))
			case p == nil || p.family == description.WinOF:
				return false
			case f.ID == "profile":
				f.Choices = append(f.Choices, wizard.Choice{ID: keepProfile, Label: "in use", Text: "the parameters as they are"})
				for _, profile := range plans.Profiles() {
					f.Choices = append(f.Choices, wizard.Choice{ID: profile.Name, Label: profile.Name, Text: profile.About})
				}
			case f.ID == "preview", f.ID == "tuned":
				want, err := congestionRequest(s, values, f.ID == "tuned").With(p.settings.Congestion, p.line())
				if err != nil {
					return false
				}
				f.Plot = kept[f.ID].plot(&p.settings.Congestion, &want, p.line())
			case f.ID == "prios":
				for priority := range dcqcn.Priorities {
					id := strconv.Itoa(priority)
					f.Choices = append(f.Choices, wizard.Choice{ID: id, Label: id})
					if controlled(p).Has(priority) {
						f.Initial.IDs = append(f.Initial.IDs, id)
					}
				}
			default:
				return s.completeParameter(f, p, values)
			}
			return true
		},
		setup: func(values wizard.Values) plans.Setup { return congestionRequest(s, values, true) },
	}
}

// completeParameter completes the field of a parameter: its range, and its value after the profile.
func (s *scene) completeParameter(f *wizard.Field, p *port, values wizard.Values) bool {
	parameter, ok := dcqcn.Find(f.ID)
	if !ok {
		return false
	}
	r := parameter.Range()
	f.Low, f.High = int(r.Min), int(r.Max)
	if r.LineRate {
		f.High = int(p.line())
	}
	f.Hint = r.Unit
	if base, err := congestionRequest(s, values, false).With(p.settings.Congestion, p.line()); err == nil {
		f.Initial.Text = fmt.Sprint(base[parameter])
	}
	return true
}

// preview keeps the newest plot of a field: a field is asked for with every key.
type preview struct {
	now, want dcqcn.Parameters
	line      uint32
	made      wizard.Plot
	rate      func(bits float64) string
}

// points is the number of values of a curve.
const points = 200

// plot returns the curves of the rate after the first CNP, over the time that the slower one takes to recover.
func (v *preview) plot(now, want *dcqcn.Parameters, line uint32) wizard.Plot {
	if v.line == line && v.now == *now && v.want == *want {
		return v.made
	}
	v.now, v.want, v.line = *now, *want, line
	was, _ := plans.Recovery(now, line)
	is, back := plans.Recovery(want, line)
	span := max(was, is, 100)
	label := "chosen: line rate after " + milliseconds(is)
	if !back {
		label = "chosen: no line rate within " + milliseconds(is)
	}
	v.made = wizard.Plot{
		High: float64(line), Top: v.rate(float64(line) * 1e6), Left: "0", Right: milliseconds(span),
		Curves: []wizard.Curve{{Label: label, Values: plans.Curve(want, line, span, points)}},
	}
	if *now != *want {
		v.made.Curves = append(v.made.Curves, wizard.Curve{Label: "in use: " + milliseconds(was), Values: plans.Curve(now, line, span, points), Dashed: true})
	}
	return v.made
}

func milliseconds(us int64) string { return fmt.Sprintf("%.1f ms", float64(us)/1000) }
