package switchcli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
)

// grammar returns the rows of the console. Lines of both systems stand beside each other; no two mean different things.
func grammar() []form {
	return slices.Concat(modeForms(), showForms(), switchForms(), portForms())
}

// modeForms are the lines that move between modes.
func modeForms() []form {
	return []form{
		{userMode, "enable", "enter the privileged mode", func(s *session, _ []string) error {
			s.mode = max(s.mode, enableMode)
			return nil
		}},
		{userMode, "disable", "leave the privileged mode", func(s *session, _ []string) error { s.mode = userMode; return nil }},
		{enableMode, "configure [terminal]", "change the settings", func(s *session, _ []string) error { s.mode = configMode; return nil }},
		{userMode, "end", "go back to the privileged mode", func(s *session, _ []string) error { s.mode = min(s.mode, enableMode); return nil }},
		{userMode, "exit", "go back by one mode, or end the console", func(s *session, _ []string) error {
			if s.mode <= enableMode {
				s.ended = true
			}
			s.mode--
			return nil
		}},
		{userMode, "{quit|logout}", "end the console", func(s *session, _ []string) error { s.ended = true; return nil }},
		{configMode, "interface <port>", "change the settings of a port", func(s *session, words []string) error { return s.enterPort(words[0]) }},
	}
}

// keep answers the lines that save the settings: the lab saves its settings with the host.
func keep(s *session, _ []string) error {
	s.print("The settings are kept: each line was saved with the host.")
	return nil
}

// switchForms are the settings of the whole switch.
func switchForms() []form {
	return []form{
		{enableMode, "configuration write", "save the settings", keep},
		{enableMode, "write [memory]", "save the settings", keep},
		{enableMode, "copy running-config startup-config", "save the settings", keep},
		{configMode, "system profile <profile>", "set the profile of the switch", func(s *session, words []string) error {
			// The manual's text has eth-single-switch, its line eth-single-profile.
			if words[0] != "eth-single-profile" && words[0] != "eth-single-switch" {
				return &lineError{fmt.Sprintf("%% The switch of the lab has only the profile eth-single-profile, not %q", words[0])}
			}
			s.print("The switch has the profile eth-single-profile already.")
			return nil
		}},
		{configMode, "dcb priority-flow-control enable [force]", "allow PFC on ports", func(s *session, _ []string) error {
			if s.mode == portMode {
				return s.set(pfcOn(strings.HasSuffix(s.line, "force")))
			}
			s.print("PFC is allowed. A port uses it after dcb priority-flow-control mode on.")
			return nil
		}},
		{configMode, "no dcb priority-flow-control enable", "disable PFC on all ports", func(s *session, _ []string) error { return s.here(pfcOff) }},
		{configMode, "dcb priority-flow-control priority <priority> {enable|disable}", "turn on PFC for a priority", func(s *session, words []string) error {
			p, err := priority(words[0])
			if err != nil {
				return err
			}
			return s.here(lossless(p, words[1] == "enable"))
		}},
		{configMode, "no dcb priority-flow-control priority <priority> [enable]", "turn off PFC for a priority", func(s *session, words []string) error {
			p, err := priority(words[0])
			if err != nil {
				return err
			}
			return s.here(lossless(p, false))
		}},
		{configMode, "ib sm", "run the subnet manager", subnetManager(description.SubnetManaged)},
		{configMode, "no ib sm", "stop the subnet manager", subnetManager(description.SubnetDown)},
		{configMode, "ib sm virt {enable|disable|ignore}", "say whether the subnet manager manages virtual ports", func(s *session, words []string) error {
			return s.setVirtual(words[0] == "enable")
		}},
		{configMode, "no ib sm virt [enable]", "let the subnet manager leave virtual ports alone", func(s *session, _ []string) error { return s.setVirtual(false) }},
		{enableMode, "reload", "restart the switch", restartSwitch},
	}
}

// here sets the ports of portMode, or all Ethernet ports from the mode of the whole switch.
func (s *session) here(do change) error {
	if s.mode == portMode {
		return s.set(do)
	}
	ports, err := s.every(description.Ethernet)
	if err != nil {
		return err
	}
	return s.setPorts(ports, do)
}

func subnetManager(state description.SubnetManager) action {
	return func(s *session, _ []string) error {
		ports, err := s.every(description.InfiniBand)
		if err != nil {
			return err
		}
		if len(ports) == 0 {
			return &lineError{"% The switch has no InfiniBand port"}
		}
		return s.setPorts(ports, func(p *setup.SwitchPort, _ *description.Port) error {
			p.SubnetManager = state
			return nil
		})
	}
}

// portForms are the settings of ports.
func portForms() []form {
	set := func(do change) action { return func(s *session, _ []string) error { return s.set(do) } }
	withPriority := func(do func(p int, word string) change) action {
		return func(s *session, words []string) error {
			p, err := priority(words[0])
			if err != nil {
				return err
			}
			word := ""
			if len(words) > 1 {
				word = words[1]
			}
			return s.set(do(p, word))
		}
	}
	noDrop := withPriority(func(p int, word string) change { return lossless(p, word == "no-drop") })
	drop := withPriority(func(p int, _ string) change { return lossless(p, false) })
	return []form{
		{portMode, "dcb priority-flow-control mode {on|off|auto} [force]", "switch PFC on the port", func(s *session, words []string) error {
			switch words[0] {
			case "off":
				return s.set(pfcOff)
			case "auto":
				return &lineError{"% PFC of the lab's switch is on or off; with dcbx mode ieee its settings are also sent by DCBX"}
			}
			return s.set(pfcOn(strings.HasSuffix(s.line, "force")))
		}},
		{portMode, "no dcb priority-flow-control [mode]", "disable PFC on the port", set(pfcOff)},
		{portMode, "priority-flow-control mode {on|off}", "switch PFC on the port", func(s *session, words []string) error {
			if words[0] == "off" {
				return s.set(pfcOff)
			}
			return s.replacePause()
		}},
		{portMode, "priority-flow-control on", "enable PFC on the port", func(s *session, _ []string) error { return s.replacePause() }},
		{portMode, "no priority-flow-control [mode]", "disable PFC on the port", set(pfcOff)},
		{portMode, "no priority-flow-control on", "disable PFC on the port", set(pfcOff)},
		{portMode, "priority-flow-control priority <priority> {drop|no-drop}", "turn PFC of a priority on or off", noDrop},
		{portMode, "no priority-flow-control priority <priority> [no-drop]", "turn off PFC for a priority", drop},
		{portMode, "flowcontrol {receive|send} {on|off}", "switch global pause", flowControl},
		{portMode, "no flowcontrol [{receive|send}]", "disable global pause", set(pauseOff)},
		{portMode, "switchport mode {trunk|access|hybrid}", "forward VLANs or untagged frames only", func(s *session, words []string) error {
			return s.set(func(p *setup.SwitchPort, d *description.Port) error {
				p.Trunk = words[0] != "access"
				return ethernetOnly(d)
			})
		}},
		{portMode, "switchport trunk allowed vlan <vlans>", "set the VLANs of the trunk", plainVLANs},
		{portMode, "switchport trunk allowed vlan {add|remove|except} <vlans>", "change the VLANs of the trunk", plainVLANs},
		{portMode, "switchport trunk allowed-vlan <vlans>", "set the VLANs of the trunk", plainVLANs},
		{portMode, "switchport trunk allowed-vlan {add|remove|except} <vlans>", "change the VLANs of the trunk", plainVLANs},
		{portMode, "no switchport trunk allowed vlan", "forward all VLANs", set(func(p *setup.SwitchPort, _ *description.Port) error {
			p.VLANs = ""
			return nil
		})},
		{portMode, "switchport trunk native vlan tag", "tag frames of the native VLAN",
			noEffect("frames of the lab have the tags that the host gives them")},
		{portMode, "no switchport trunk native vlan [tag]", "send frames of the native VLAN untagged",
			noEffect("frames of the lab have the tags that the host gives them")},
		{portMode, "dcbx mode {ieee|cee|none}", "set the version of DCBX", func(s *session, words []string) error {
			return s.set(func(p *setup.SwitchPort, d *description.Port) error {
				p.DCBX = map[string]description.DCBXMode{"ieee": description.IEEE, "cee": description.CEE}[words[0]]
				return ethernetOnly(d)
			})
		}},
		{portMode, "no dcbx [mode]", "send no DCBX", set(func(p *setup.SwitchPort, d *description.Port) error {
			p.DCBX = d.Switch.DCBX
			return nil
		})},
		{portMode, "speed [forced] <speed>", "set the speed", func(s *session, words []string) error {
			gbps, err := speed(words[0])
			if err != nil {
				return err
			}
			return s.set(func(p *setup.SwitchPort, d *description.Port) error {
				p.SpeedGbps = gbps
				return ethernetOnly(d)
			})
		}},
		{portMode, "speed auto", "use the speed of the cable", set(ownSpeed)},
		{portMode, "no speed", "use the speed of the cable", set(ownSpeed)},
		{portMode, "channel-group <n> mode {active|passive|on}", "add the port to an aggregation group", func(s *session, words []string) error {
			n, err := strconv.Atoi(words[0])
			if err != nil || n < 1 {
				return &lineError{fmt.Sprintf("%% A channel group must be an integer from 1 on, not %q", words[0])}
			}
			return s.set(func(p *setup.SwitchPort, d *description.Port) error {
				p.Aggregation = n
				return ethernetOnly(d)
			})
		}},
		{portMode, "no channel-group", "remove the port from its aggregation group", set(func(p *setup.SwitchPort, _ *description.Port) error {
			p.Aggregation = 0
			return nil
		})},
		{portMode, "load-interval <n>", "set the time over which rates are averaged", func(s *session, words []string) error {
			if n, err := strconv.Atoi(words[0]); err != nil || n < 5 || n > 600 {
				return &lineError{fmt.Sprintf("%% A load interval must be 5 to 600 seconds, not %q", words[0])}
			}
			return noEffect("it shows totals and no rates")(s, nil)
		}},
		{portMode, "no load-interval", "use the default load interval", noEffect("it shows totals and no rates")},
		{portMode, "mtu <n>", "set the largest frame in bytes", func(s *session, words []string) error {
			n, err := strconv.Atoi(words[0])
			if err != nil {
				return &lineError{fmt.Sprintf("%% The MTU must be a number of bytes, not %q", words[0])}
			}
			return s.set(func(p *setup.SwitchPort, _ *description.Port) error { p.MaxFrame = n; return nil })
		}},
		{portMode, "no mtu", "restore the original MTU", set(func(p *setup.SwitchPort, d *description.Port) error {
			p.MaxFrame = d.Switch.MaxFrame
			return nil
		})},
		{portMode, "qos trust {cos|dscp|l2|l3}", "take the priority from the tag or from DSCP", func(s *session, words []string) error {
			return s.set(func(p *setup.SwitchPort, d *description.Port) error {
				p.Trust = setup.Trust(words[0] == "dscp" || words[0] == "l3")
				return ethernetOnly(d)
			})
		}},
		{portMode, "no qos trust", "take the priority from the tag", set(func(p *setup.SwitchPort, _ *description.Port) error {
			p.Trust = setup.TrustPCP
			return nil
		})},
		{portMode, "random-detect ecn minimum-threshold <n> {bytes|kbytes} maximum-threshold <n> {bytes|kbytes} max-mark-probability <n>",
			"mark frames between two lengths of the queue", markingFrom},
		{portMode, "no random-detect [ecn]", "restore the original marking", set(func(p *setup.SwitchPort, _ *description.Port) error {
			p.Marking = dcqcn.DefaultMarking()
			return nil
		})},
		{portMode, "shutdown", "take the link down", func(s *session, _ []string) error { return s.link(false) }},
		{portMode, "no shutdown", "bring the link up", func(s *session, _ []string) error { return s.link(true) }},
	}
}

// noEffect answers a line that the lab's switch takes and has nothing to do for.
func noEffect(why string) action {
	return func(s *session, _ []string) error {
		s.print("%% Accepted without effect on the switch of the lab: %s", why)
		return nil
	}
}

func ethernetOnly(d *description.Port) error {
	if d.Link != description.Ethernet {
		return &lineError{fmt.Sprintf("%% %s is an InfiniBand port, and this is a setting of Ethernet ports", d.Switch.Name)}
	}
	return nil
}

func priority(text string) (int, error) {
	if p, err := strconv.Atoi(text); err == nil && p <= 7 {
		return p, nil
	}
	return 0, &lineError{fmt.Sprintf("%% A priority must be 0 to 7, not %q", text)}
}

// pfcOn turns PFC on. It and global pause exclude each other, so that global pause must be off, or the line forces it off.
func pfcOn(force bool) change {
	return func(p *setup.SwitchPort, d *description.Port) error {
		if p.FlowControl == description.GlobalPause && !force {
			return &lineError{fmt.Sprintf("%% %s has global pause, which excludes PFC; force at the end of the line turns it off", d.Switch.Name)}
		}
		p.FlowControl = description.PriorityPause
		return ethernetOnly(d)
	}
}

func pfcOff(p *setup.SwitchPort, _ *description.Port) error {
	if p.FlowControl == description.PriorityPause {
		p.FlowControl = description.NoFlowControl
	}
	return nil
}

func pauseOff(p *setup.SwitchPort, _ *description.Port) error {
	if p.FlowControl == description.GlobalPause {
		p.FlowControl = description.NoFlowControl
	}
	return nil
}

// replacePause turns PFC on in place of global pause, with a warning.
func (s *session) replacePause() error {
	return s.set(func(p *setup.SwitchPort, d *description.Port) error {
		if p.FlowControl == description.GlobalPause {
			s.print("%% Global pause of %s is off now: it and PFC exclude each other", d.Switch.Name)
		}
		return pfcOn(true)(p, d)
	})
}

// flowControl switches global pause. The lab's ports have it in both directions or in none.
func flowControl(s *session, words []string) error {
	if words[1] == "off" {
		return s.set(pauseOff)
	}
	return s.set(func(p *setup.SwitchPort, d *description.Port) error {
		if p.FlowControl == description.PriorityPause {
			s.print("%% PFC of %s is off now: it and global pause exclude each other", d.Switch.Name)
		}
		p.FlowControl = description.GlobalPause
		return ethernetOnly(d)
	})
}

// lossless gives a priority PFC, which works where PFC on the port is on.
func lossless(priority int, on bool) change {
	return func(p *setup.SwitchPort, d *description.Port) error {
		if p.Lossless &^= 1 << priority; on {
			p.Lossless |= 1 << priority
		}
		return ethernetOnly(d)
	}
}

func ownSpeed(p *setup.SwitchPort, d *description.Port) error {
	p.SpeedGbps = d.Switch.SpeedGbps
	return nil
}

// speeds are the speeds of Ethernet ports in Gb/s; 56 is the vendor's own (WinOF manual, 56GbE Link Speed).
var speeds = []int{1, 10, 25, 40, 50, 56, 100, 200, 400}

// speed reads 56000 in Mb/s, 40G, and 40gfull.
func speed(text string) (gbps int, err error) {
	word := strings.TrimSuffix(strings.ToLower(text), "full")
	if mega, bad := strconv.Atoi(word); bad == nil && mega%1000 == 0 {
		gbps = mega / 1000
	} else if digits, ok := strings.CutSuffix(word, "g"); ok {
		gbps, _ = strconv.Atoi(digits) // 0 means no speed
	}
	if !slices.Contains(speeds, gbps) {
		return 0, &lineError{fmt.Sprintf("%% Invalid speed %q: write it like 40000, 56000, 100G or 40gfull", text)}
	}
	return gbps, nil
}

// plainVLANs sets the VLANs of a trunk: to a list, or that list added, removed or excepted.
func plainVLANs(s *session, words []string) error {
	how := ""
	if len(words) > 1 {
		how, words = words[0], words[1:]
	}
	text := strings.ToLower(words[0])
	var list [description.MaxVLAN + 1]bool
	switch text {
	case "all", "none":
		for id := range list {
			list[id] = text == "all"
		}
	default:
		allows, err := setup.ParseVLANs(text)
		if err != nil {
			return &lineError{fmt.Sprintf("%% VLANs must be ids from 1 to %d in ascending order, such as 100 or 30,31,100-200, not %q", description.MaxVLAN, words[0])}
		}
		for id := range list {
			list[id] = allows(id)
		}
	}
	return s.set(func(p *setup.SwitchPort, d *description.Port) error {
		now, err := setup.ParseVLANs(p.VLANs)
		if err != nil {
			return err
		}
		var wanted [description.MaxVLAN + 1]bool
		for id := 1; id <= description.MaxVLAN; id++ {
			switch how {
			case "add":
				wanted[id] = now(id) || list[id]
			case "remove":
				wanted[id] = now(id) && !list[id]
			case "except":
				wanted[id] = !list[id]
			default:
				wanted[id] = list[id]
			}
		}
		text, some := vlanList(&wanted)
		if !some {
			return &lineError{"% A trunk of the lab forwards at least one VLAN; switchport mode access forwards none"}
		}
		if p.VLANs = text; !p.Trunk {
			s.print("%% %s is an access port; switchport mode trunk lets the VLANs through", d.Switch.Name)
		}
		return ethernetOnly(d)
	})
}

// vlanList writes VLANs as a trunk has them: empty for all of them. some is false when there is none.
func vlanList(wanted *[description.MaxVLAN + 1]bool) (text string, some bool) {
	var parts []string
	for id := 1; id <= description.MaxVLAN; id++ {
		if !wanted[id] {
			continue
		}
		from := id
		for id < description.MaxVLAN && wanted[id+1] {
			id++
		}
		if from == 1 && id == description.MaxVLAN {
			return "", true
		}
		switch parts = append(parts, strconv.Itoa(from)); {
		case id == from+1:
			parts = append(parts, strconv.Itoa(id))
		case id > from:
			parts[len(parts)-1] += "-" + strconv.Itoa(id)
		}
	}
	return strings.Join(parts, ","), len(parts) > 0
}

// markingFrom sets the thresholds of ECN.
func markingFrom(s *session, words []string) error {
	bytes := func(at int) float64 {
		n, _ := strconv.ParseFloat(words[at], 64) // the grammar takes digits only
		if words[at+1] == "kbytes" {
			n *= 1000
		}
		return n
	}
	percent, err := strconv.Atoi(words[4])
	if err != nil || percent > 100 {
		return &lineError{fmt.Sprintf("%% A mark probability must be 0 to 100 percent, not %q", words[4])}
	}
	marking := dcqcn.Marking{Min: bytes(0), Max: bytes(2), Probability: float64(percent) / 100}
	return s.set(func(p *setup.SwitchPort, d *description.Port) error {
		p.Marking = marking
		return ethernetOnly(d)
	})
}

// link takes links down or brings them up. The lab has one state for a port that is shut down and for a cable that is out.
func (s *session) link(up bool) error {
	var plan driver.Plan
	var names []string
	err := s.box.Look(func(h *driver.Host) error {
		for _, port := range s.ports {
			d, _, _ := h.Lab().Port(port)
			if h.Lab().State(port).Cabled == up {
				continue
			}
			names = append(names, d.Switch.Name)
			if up {
				plan.Operations = append(plan.Operations, hardware.PlugCable{Connection: d.Connection})
			} else {
				plan.Operations = append(plan.Operations, hardware.PullCable{Connection: d.Connection})
			}
		}
		return nil
	})
	if err != nil || len(plan.Operations) == 0 {
		return err
	}
	return s.apply(plan, names)
}

// setVirtual says whether the subnet manager manages virtual ports. It is saved and in effect at once.
func (s *session) setVirtual(manages bool) error {
	ports, err := s.every(description.InfiniBand)
	if err != nil {
		return err
	}
	if len(ports) == 0 {
		return &lineError{"% The switch has no InfiniBand port"}
	}
	return s.setPorts(ports, func(p *setup.SwitchPort, _ *description.Port) error {
		p.IgnoresVirtual = !manages
		return nil
	})
}

// restartSwitch restarts the switch: the links of all its ports go down, and come up again.
func restartSwitch(s *session, _ []string) error {
	plan := driver.Plan{}
	err := s.box.Look(func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			if h.Lab().State(port).Cabled {
				plan.Operations = append(plan.Operations, hardware.PullCable{Connection: h.Lab().Connection(port)})
			}
		}
		for _, o := range slices.Clone(plan.Operations) {
			plan.Operations = append(plan.Operations, hardware.PlugCable{Connection: o.Target()})
		}
		return nil
	})
	if err != nil || len(plan.Operations) == 0 {
		return err
	}
	s.print("The switch restarts: all its links go down.")
	return s.apply(plan, []string{"all ports"})
}
