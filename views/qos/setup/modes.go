package setup

import (
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/lossless/plans"
	"cxdeck/ui/widget/wizard"
)

func roceForm(s *scene) functions {
	return functions{
		field: func(f *wizard.Field, values wizard.Values) bool {
			p := s.at(values)
			switch {
			case f.ID == fieldPort:
				s.offer(f, everyPort)
			case p == nil:
				return false
			case f.ID == "roce_mode":
				now, _ := p.settings.RoCE.MarshalText() // a valid mode encodes without an error
				f.Initial.Text, f.Hint = string(now), string(now)+" now"
				for _, m := range plans.ModesOf(p.family) {
					f.Choices = append(f.Choices, wizard.Choice{ID: m.Word, Label: m.Word, Text: m.About})
				}
			case f.ID == "driver":
				if p.family == description.WinOF {
					f.Initial.On, f.Disabled = true, "WinOF has one mode for all adapters"
				}
			case f.ID == "gids":
				fact := wizard.Fact{Mark: wizard.Good, Label: p.Connection, Text: strings.Join(p.gids, ", ")}
				if len(p.gids) == 0 {
					fact.Mark, fact.Text = wizard.Warn, "no IP address, and therefore no RoCE v2 GID"
				}
				f.Facts = []wizard.Fact{fact}
			}
			return true
		},
		setup: func(values wizard.Values) plans.Setup {
			return plans.RoCE{Connection: values.Text(fieldPort), Mode: values.Text("roce_mode"), Driver: values.On("driver")}
		},
	}
}

func droplessForm(s *scene) functions {
	return functions{
		field: func(f *wizard.Field, values wizard.Values) bool {
			p := s.at(values)
			switch {
			case f.ID == fieldPort:
				s.offer(f, everyPort)
			case p == nil:
				return false
			case f.ID == "DelayDropTimeout":
				const recommended = 50
				f.High, f.Initial.Text = plans.MaxTimeout(p.family), strconv.Itoa(recommended)
				if p.settings.DropTimeout > 0 {
					f.Initial.Text = strconv.Itoa(p.settings.DropTimeout)
				}
				return values.On("on")
			case f.ID == "now":
				fact := wizard.Fact{Label: p.Connection, Word: "drops", Text: "Packets without a descriptor are dropped."}
				if p.dropless {
					fact = wizard.Fact{Mark: wizard.Good, Label: p.Connection, Word: "dropless", Text: "Packets without a descriptor wait."}
				}
				f.Facts = []wizard.Fact{fact}
			}
			return true
		},
		setup: func(values wizard.Values) plans.Setup {
			d := plans.Dropless{Connection: values.Text(fieldPort), On: values.On("on")}
			d.Timeout, _ = values.Number("DelayDropTimeout")
			return d
		},
	}
}
