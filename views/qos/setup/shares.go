package setup

import (
	"fmt"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/lossless/plans"
	"cxdeck/driver/qos"
	"cxdeck/ui/widget/wizard"
)

// newClasses returns the classes that a form adds, without their shares.
func newClasses(values wizard.Values) (list []qos.Class) {
	for _, row := range values.Rows("new") {
		priority, ok := row.Number("class_priority")
		if ok && priority >= 0 && priority <= 7 {
			list = append(list, qos.Class{Name: row.Text("name"), Algorithm: qos.ETS, Priorities: 1 << priority})
		}
	}
	return list
}

func sharesForm(s *scene) functions {
	return functions{
		field: func(f *wizard.Field, values wizard.Values) bool {
			switch f.ID {
			case "now":
				for _, c := range s.view.Classes {
					share := "strict"
					if c.Algorithm == qos.ETS {
						share = fmt.Sprintf("%d%%", c.Bandwidth)
					}
					text := "no priority"
					if c.Priorities != 0 {
						text = c.Priorities.Words()
					}
					f.Facts = append(f.Facts, wizard.Fact{Label: c.Name, Word: share, Text: text})
				}
			case "shares":
				s.offerShares(f, newClasses(values))
			}
			return true
		},
		setup: func(values wizard.Values) plans.Setup {
			var all plans.Shares
			list, fresh := values.Shares("shares"), newClasses(values)
			for i, n := range list {
				switch old := len(list) - len(fresh); {
				case i >= old:
					fresh[i-old].Bandwidth = n
				case i < len(s.view.Classes) && s.view.Classes[i].Algorithm == qos.ETS:
					all.Classes = append(all.Classes, plans.Share{Class: s.view.Classes[i].Name, Percent: n})
				}
			}
			all.New = fresh
			return all
		},
		check: func(values wizard.Values) (list []wizard.Message) {
			seen := map[int]bool{}
			for i, row := range values.Rows("new") {
				say := func(text string, about ...any) {
					list = append(list, wizard.Message{Field: "new", Row: i + 1, Text: fmt.Sprintf(text, about...)})
				}
				priority, _ := row.Number("class_priority")
				if seen[priority] {
					say("priority %d is in another new class", priority)
				}
				seen[priority] = true
				for _, c := range s.view.Classes {
					if strings.EqualFold(c.Name, row.Text("name")) {
						say("there is a traffic class %q already", c.Name)
					}
					if !c.Default && c.Priorities.Has(priority) {
						say("priority %d is in the traffic class %q already", priority, c.Name)
					}
				}
			}
			return list
		},
	}
}

// newShare is the share that a new class begins with, as far as the default class has it.
const newShare = 10

// offerShares completes the bar: the classes of the host, then the new ones.
func (s *scene) offerShares(f *wizard.Field, fresh []qos.Class) {
	var list []int
	for _, c := range s.view.Classes {
		choice := wizard.Choice{ID: c.Name, Label: c.Name, Text: "no priority"}
		if c.Priorities != 0 {
			choice.Text = c.Priorities.Words()
		}
		if c.Algorithm == qos.Strict {
			choice.Disabled, choice.Text = "strict: sent before all others", ""
		}
		f.Choices, list = append(f.Choices, choice), append(list, c.Bandwidth)
	}
	for _, c := range fresh {
		n := min(newShare, max(list[0]-1, 0))
		list[0] -= n
		f.Choices, list = append(f.Choices, wizard.Choice{ID: c.Name, Label: c.Name, Text: c.Priorities.Words() + ", new"}), append(list, n)
	}
	f.Initial.Text = wizard.SharesText(list)
}

func limitForm(s *scene) functions {
	return functions{
		field: func(f *wizard.Field, values wizard.Values) bool {
			if f.ID == fieldPort {
				s.offer(f, func(p *port) string {
					if p.family != description.WinOF {
						return "only WinOF adapters limit traffic classes"
					}
					return ""
				})
				return true
			}
			class, p := int(f.ID[len(f.ID)-1]-'0'), s.at(values)
			if p == nil {
				return false
			}
			for i := range s.view.Ports {
				if candidate := &s.view.Ports[i]; candidate.Connection == p.Connection {
					f.Initial.Text = strconv.Itoa(candidate.Limits[class])
					if len(s.view.Classes) > 1 && candidate.Acts { // without classes the classes are the priorities
						if class >= len(s.view.Classes) {
							return false
						}
						f.Label = s.view.Classes[class].Name
					}
				}
			}
			return true
		},
		setup: func(values wizard.Values) plans.Setup {
			l := plans.Limit{Connection: values.Text(fieldPort)}
			for class := range 8 {
				if n, ok := values.Number(fmt.Sprint("limit", class)); ok {
					l.Limits = append(l.Limits, qos.Limit{Class: class, Mbps: n})
				}
			}
			return l
		},
	}
}
