package setup

import (
	"fmt"
	"slices"
	"strconv"

	"cxdeck/device/dcqcn"
	"cxdeck/device/dscp"
	"cxdeck/driver/lossless/plans"
	"cxdeck/driver/qos"
	"cxdeck/driver/wording"
	"cxdeck/ui/widget/wizard"
)

// usualShare is the share of RDMA that the manuals' example has, where the classes leave it.
const usualShare = 50

func losslessForm(s *scene) functions {
	return functions{
		field: func(f *wizard.Field, values wizard.Values) bool {
			connections := values.IDs("ports")
			switch f.ID {
			case "ports":
				s.offer(f, func(p *port) string { return p.noRDMA })
			case "priority":
				if p := s.portNamed(s.connection); p != nil {
					f.Initial.Text = strconv.Itoa(s.rdmaPriority(p))
				}
			case "netdirect":
				s.offerNetDirect(f, connections)
			case "share":
				priority, _ := values.Number("priority")
				f.Initial.Text = strconv.Itoa(s.share(priority))
			case "trust":
				for _, name := range connections {
					if p := s.portNamed(name); p != nil {
						f.Disabled = withWinOF2("trust in the DSCP")(p)
						f.Initial.On = p.settings.TrustDSCP
					}
				}
				f.Initial.On = f.Initial.On && f.Disabled == ""
			case "now":
				f.Facts = s.mismatches(connections)
			}
			return true
		},
		setup: func(values wizard.Values) plans.Setup {
			l := plans.Lossless{Connections: values.IDs("ports"), Only: values.On("only"), TrustDSCP: values.On("trust"), Control: values.On("control")}
			l.Priority, _ = values.Number("priority")
			l.Share, _ = values.Number("share")
			for _, id := range values.IDs("netdirect") {
				if n, err := strconv.Atoi(id); err == nil {
					l.Ports = append(l.Ports, n)
				}
			}
			return l
		},
		check: func(values wizard.Values) (list []wizard.Message) {
			if n, _ := values.Number("priority"); n == 0 {
				list = append(list, wizard.Message{Field: "priority", Severity: wizard.Warning, Text: "priority 0 also carries all other traffic"})
			}
			if values.On("only") {
				list = append(list, wizard.Message{Field: "only", Severity: wizard.Warning,
					Text: "RDMA on other priorities is no longer protected on any port of the host"})
			}
			return list
		},
	}
}

// rdmaPriority returns the priority that RDMA of a port has, 3 where it has none.
func (s *scene) rdmaPriority(p *port) int {
	const usual = 3
	for i := range s.view.Flows {
		f := &s.view.Flows[i]
		if f.NetDirectPort != 0 && f.Priority >= 0 && s.view.Ports[f.Port].Connection == p.Connection {
			return f.Priority
		}
	}
	return usual
}

// offerNetDirect completes the field for NetDirect ports.
func (s *scene) offerNetDirect(f *wizard.Field, connections []string) {
	own := plans.NetDirectPorts(&s.view, connections)
	names := map[int]string{}
	var all []int
	for i := range s.view.Flows {
		flow := &s.view.Flows[i]
		if flow.NetDirectPort == 0 {
			continue
		}
		if names[flow.NetDirectPort] == "" {
			all = append(all, flow.NetDirectPort)
			names[flow.NetDirectPort] = flow.Name
		}
	}
	for _, n := range own {
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
		f.Initial.IDs = append(f.Initial.IDs, strconv.Itoa(n))
	}
	slices.Sort(all)
	for _, n := range all {
		f.Choices = append(f.Choices, wizard.Choice{ID: strconv.Itoa(n), Label: strconv.Itoa(n), Text: names[n]})
	}
}

// share returns the share of a priority's class: its present one, or what is usual as far as it is left.
func (s *scene) share(priority int) int {
	for _, c := range s.view.Classes[1:] {
		if c.Priorities == 1<<priority && c.Algorithm == qos.ETS {
			return c.Bandwidth
		}
		if c.Priorities.Has(priority) {
			return 0
		}
	}
	return min(usualShare, max(s.view.Classes[0].Bandwidth-1, 0))
}

// mismatches returns what does not fit at ports now.
func (s *scene) mismatches(connections []string) (facts []wizard.Fact) {
	for _, name := range connections {
		p := s.portNamed(name)
		if p == nil {
			continue
		}
		for _, m := range p.path.Mismatches {
			facts = append(facts, wizard.Fact{Mark: wizard.Warn, Label: name, Word: "differs", Text: wording.UpperFirst(m.Text) + "."})
		}
		if len(p.path.Mismatches) == 0 {
			facts = append(facts, wizard.Fact{Mark: wizard.Good, Label: name, Word: "agrees", Text: "Adapter and " + p.Switch.Name + " agree."})
		}
	}
	return facts
}

func trustForm(s *scene) functions {
	return functions{
		field: func(f *wizard.Field, values wizard.Values) bool {
			p := s.at(values)
			switch {
			case f.ID == fieldPort:
				s.offer(f, withWinOF2("trust in the DSCP"))
			case f.ID == "RxTrustedState":
			case p == nil:
				return false
			default: // the DSCP of a priority
				priority := int(f.ID[len(f.ID)-1] - '0')
				code := p.settings.DSCP[priority]
				if trustsDSCP(values) && !p.settings.DSCP.Consistent(uint8(priority)) {
					code = dscp.ConsistentMap()[priority]
				}
				f.Initial.Text = strconv.Itoa(int(code))
				f.Hint = fmt.Sprintf("%d now", p.settings.DSCP[priority])
			}
			return true
		},
		setup: func(values wizard.Values) plans.Setup {
			t := plans.Trust{Connection: values.Text(fieldPort), DSCP: trustsDSCP(values), Codes: map[int]int{}}
			for priority := range dcqcn.Priorities {
				if code, ok := values.Number(fmt.Sprint("dscp", priority)); ok {
					t.Codes[priority] = code
				}
			}
			return t
		},
		check: func(values wizard.Values) (list []wizard.Message) {
			for priority := range dcqcn.Priorities {
				field := fmt.Sprint("dscp", priority)
				code, ok := values.Number(field)
				if back := int(dscp.FromDSCP(uint8(code))); ok && code >= 0 && code < 64 && trustsDSCP(values) && back != priority {
					list = append(list, wizard.Message{Field: field, Text: fmt.Sprintf("DSCP %d maps to priority %d: choose %d to %d",
						code, back, 8*priority, 8*priority+7)})
				}
			}
			return list
		},
	}
}

func trustsDSCP(values wizard.Values) bool { return values.Text("RxTrustedState") == "2" }

func pauseForm(s *scene) functions {
	return functions{
		field: func(f *wizard.Field, values wizard.Values) bool {
			p := s.at(values)
			switch f.ID {
			case fieldPort:
				s.offer(f, everyPort)
			case "now":
				if p == nil || len(p.path.Settings) == 0 {
					return false
				}
				setting := p.path.Settings[0] // the flow control of both ends
				f.Facts = []wizard.Fact{{Label: p.Connection, Text: setting.Adapter}, {Label: p.Switch.Name, Text: setting.Switch}}
			}
			return true
		},
		setup: func(values wizard.Values) plans.Setup {
			return plans.Pause{Connection: values.Text(fieldPort), On: values.On("on")}
		},
		check: func(values wizard.Values) (list []wizard.Message) {
			for i := range s.view.Ports {
				p := &s.view.Ports[i]
				if p.Connection != values.Text(fieldPort) || p.Operational == 0 {
					continue
				}
				if values.On("on") {
					list = append(list, wizard.Message{Field: "on", Severity: wizard.Warning,
						Text: "global pause and PFC exclude each other: PFC on " + p.Operational.Words() + " ends"})
				} else {
					list = append(list, wizard.Message{Field: "on", Text: "the port uses PFC on " + p.Operational.Words() + ", and no global pause"})
				}
			}
			return list
		},
	}
}
