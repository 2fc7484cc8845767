package switchcli

import (
	"fmt"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// showForms are the lines that show something. They are taken in every mode.
func showForms() []form {
	ports := func(lines func(s *session, h *driver.Host, ports []int)) action {
		return func(s *session, words []string) error {
			return s.box.Look(func(h *driver.Host) (err error) {
				var list []int
				if len(words) > 0 {
					list, err = findPorts(h, s.home, words[0])
				} else {
					for port := range h.Lab().Ports() {
						list = append(list, port)
					}
				}
				if err == nil {
					lines(s, h, list)
				}
				return err
			})
		}
	}
	say := func(lines ...string) action {
		return func(s *session, _ []string) error { s.output = lines; return nil }
	}
	return []form{
		{userMode, "show interfaces [<port>]", "show ports with their counters", ports(showPorts)},
		{userMode, "show interfaces [<port>] status", "show the state of ports", ports(showStatus)},
		{userMode, "show interfaces [<port>] counters", "show frames by kind", ports(showCounters)},
		{userMode, "show interfaces [<port>] counters discards", "show discarded frames", ports(showDiscards)},
		{userMode, "show interfaces [<port>] flowcontrol", "show global pause", ports(showPause)},
		{userMode, "show flowcontrol [interface <port>]", "show global pause", ports(showPause)},
		{userMode, "show priority-flow-control [interfaces <port>]", "show PFC", ports(showPFC)},
		{userMode, "show priority-flow-control [interfaces <port>] counters", "show pauses by priority", ports(showPFCCounters)},
		{userMode, "show dcb priority-flow-control [interface <port>] [detail]", "show PFC", ports(showPFC)},
		{userMode, "show dcbx [<port>]", "show DCBX", ports(showDCBX)},
		{userMode, "show running-config [interfaces <port>]", "show the settings as lines", ports(showSettings)},
		{userMode, "show ib sm", "show the subnet manager", showSubnetManager},
		{userMode, "show ib sm virt", "show whether the subnet manager manages virtual ports", showVirtual},
		{userMode, "show version", "show the version of the switch", showVersion},
		{userMode, "show system profile", "show the profile of the switch", say("Profile: eth-single-profile")},
	}
}

// each calls show for each port.
func each(h *driver.Host, ports []int, show func(d *description.Port, p *setup.SwitchPort, port int)) {
	for _, port := range ports {
		d, _, _ := h.Lab().Port(port)
		p := h.Lab().SwitchPort(port)
		show(d, &p, port)
	}
}

// portText writes Enabled, or Disabled.
func portText(on bool) string {
	if on {
		return "Enabled"
	}
	return "Disabled"
}

// frames are the frames of a direction by kind.
type frames struct{ all, unicast, multicast, broadcast, octets uint64 }

// framesOf returns the frames that a switch port received from the host and sent to it. The far end counts all frames; which
// of them are no unicast the host's port knows, from its traffic, its virtual functions and its control frames.
func framesOf(lab *device.Lab, port int) (received, sent frames) {
	far, cells := lab.FarEnd(port), lab.Counters()
	at := func(c counter.Port) uint64 { return cells[counter.Cell(port, c)] }
	received = frames{all: far.ReceivedFrames, octets: far.ReceivedBytes, multicast: at(counter.HostOutMulticast) + at(counter.FunctionsSentMulticastPackets)}
	sent = frames{all: far.SentFrames, octets: far.SentBytes, multicast: at(counter.HostInMulticast) + at(counter.FunctionsReceivedMulticastPackets)}
	for priority := range far.SentPauses { // pauses go to a multicast address
		received.multicast += far.ReceivedPauses[priority]
		sent.multicast += far.SentPauses[priority]
	}
	for function := range lab.VirtualFunctions(port) {
		received.broadcast += cells[lab.FunctionCell(port, function, counter.FunctionSentBroadcastPackets)]
		sent.broadcast += cells[lab.FunctionCell(port, function, counter.FunctionReceivedBroadcastPackets)]
	}
	for _, f := range []*frames{&received, &sent} {
		f.multicast = min(f.multicast, f.all)
		f.broadcast = min(f.broadcast, f.all-f.multicast)
		f.unicast = f.all - f.multicast - f.broadcast
	}
	return received, sent
}

// showPorts prints ports as MLNX-OS does (WinOF manual, 56GbE Link Speed).
func showPorts(s *session, h *driver.Host, ports []int) {
	each(h, ports, func(d *description.Port, p *setup.SwitchPort, port int) {
		state, far := h.Lab().State(port), h.Lab().FarEnd(port)
		operational := map[bool]string{true: "Up", false: "Down"}[state.Up || h.Power().Holds(port)]
		switchport := map[bool]string{true: "trunk", false: "access"}[p.Trunk]
		pause := wording.OnOff(p.FlowControl == description.GlobalPause)
		received, sent := framesOf(h.Lab(), port)
		s.print("%s", d.Switch.Name)
		s.print("Admin state: %s", portText(state.Cabled))
		s.print("Operational state: %s", operational)
		s.print(`Description: N\A`)
		s.print("Mac address: %s", h.Lab().SwitchAddress(port))
		s.print("MTU: %d bytes", p.MaxFrame)
		s.print("Flow-control: receive %s send %s", pause, pause)
		s.print("Actual speed: %d Gbps", p.SpeedGbps)
		s.print("Switchport mode: %s", switchport)
		s.printFrames("Rx", received)
		s.print("%d error frames", far.ReceivedErrors)
		s.print("%d discard frames", far.TooLong)
		s.printFrames("Tx", sent)
		s.print("%d discard frames", far.NoBuffer+far.WrongVLAN)
	})
}

func (s *session) printFrames(direction string, f frames) {
	s.print("%s", direction)
	s.print("%d frames", f.all)
	s.print("%d unicast frames", f.unicast)
	s.print("%d multicast frames", f.multicast)
	s.print("%d broadcast frames", f.broadcast)
	s.print("%d octets", f.octets)
}

// table prints rows with aligned columns; the first is the heading.
func (s *session) table(rows [][]string) {
	var b strings.Builder
	t := exec.NewTextTable(&b, rows[0]...)
	for _, row := range rows[1:] {
		t.Row(row...)
	}
	_ = t.Flush() // a Builder takes everything
	s.output = append(s.output, strings.Split(strings.TrimRight(b.String(), "\n"), "\n")...)
}

func showStatus(s *session, h *driver.Host, ports []int) {
	rows := [][]string{{"Port", "Admin", "State", "Speed", "Mode", "VLANs", "Connection"}}
	each(h, ports, func(d *description.Port, p *setup.SwitchPort, port int) {
		state := h.Lab().State(port)
		mode, vlans := "access", "-"
		if p.Trunk {
			if mode, vlans = "trunk", p.VLANs; vlans == "" {
				vlans = "all"
			}
		}
		rows = append(rows, []string{d.Switch.Name, portText(state.Cabled), map[bool]string{true: "Up", false: "Down"}[state.Up || h.Power().Holds(port)],
			fmt.Sprintf("%dG", p.SpeedGbps), mode, vlans, d.Connection})
	})
	s.table(rows)
}

func count(n uint64) string { return strconv.FormatUint(n, 10) }

func showCounters(s *session, h *driver.Host, ports []int) {
	in, out := [][]string{{"Port", "InOctets", "InUcastPkts", "InMcastPkts", "InBcastPkts"}}, [][]string{{"Port", "OutOctets", "OutUcastPkts", "OutMcastPkts", "OutBcastPkts"}}
	each(h, ports, func(d *description.Port, _ *setup.SwitchPort, port int) {
		r, t := framesOf(h.Lab(), port)
		in = append(in, []string{d.Switch.Name, count(r.octets), count(r.unicast), count(r.multicast), count(r.broadcast)})
		out = append(out, []string{d.Switch.Name, count(t.octets), count(t.unicast), count(t.multicast), count(t.broadcast)})
	})
	s.table(in)
	s.print("")
	s.table(out)
}

func showDiscards(s *session, h *driver.Host, ports []int) {
	rows := [][]string{{"Port", "InErrors", "InTooLong", "OutNoBuffer", "OutWrongVlan"}}
	each(h, ports, func(d *description.Port, _ *setup.SwitchPort, port int) {
		far := h.Lab().FarEnd(port)
		rows = append(rows, []string{d.Switch.Name, count(far.ReceivedErrors), count(far.TooLong), count(far.NoBuffer), count(far.WrongVLAN)})
	})
	s.table(rows)
}

func showPause(s *session, h *driver.Host, ports []int) {
	rows := [][]string{{"Port", "Send", "Receive", "RxPause", "TxPause"}}
	each(h, ports, func(d *description.Port, p *setup.SwitchPort, port int) {
		far, on := h.Lab().FarEnd(port), wording.OnOff(p.FlowControl == description.GlobalPause)
		rows = append(rows, []string{d.Switch.Name, on, on, count(far.ReceivedPauses[counter.Untagged]), count(far.SentPauses[counter.Untagged])})
	})
	s.table(rows)
}

// priorityList lists the priorities of a mask, with spaces.
func priorityList(mask uint8) string {
	var list []string
	for p := range 8 {
		if mask>>p&1 == 1 {
			list = append(list, strconv.Itoa(p))
		}
	}
	return strings.Join(list, " ")
}

func showPFC(s *session, h *driver.Host, ports []int) {
	rows := [][]string{{"Port", "Enabled", "Priorities", "RxPfc", "TxPfc"}}
	each(h, ports, func(d *description.Port, p *setup.SwitchPort, port int) {
		far := h.Lab().FarEnd(port)
		enabled := "No"
		if p.FlowControl == description.PriorityPause {
			enabled = "Yes"
		}
		var in, out uint64
		for priority := range 8 {
			in += far.ReceivedPauses[priority]
			out += far.SentPauses[priority]
		}
		rows = append(rows, []string{d.Switch.Name, enabled, priorityList(p.Lossless), count(in), count(out)})
	})
	s.table(rows)
}

func showPFCCounters(s *session, h *driver.Host, ports []int) {
	rows := [][]string{{"Port", "Priority", "RxPfc", "TxPfc"}}
	each(h, ports, func(d *description.Port, _ *setup.SwitchPort, port int) {
		far := h.Lab().FarEnd(port)
		for priority := range 8 {
			rows = append(rows, []string{d.Switch.Name, strconv.Itoa(priority), count(far.ReceivedPauses[priority]), count(far.SentPauses[priority])})
		}
	})
	s.table(rows)
}

func showDCBX(s *session, h *driver.Host, ports []int) {
	rows := [][]string{{"Port", "Mode", "Willing", "Address"}}
	each(h, ports, func(d *description.Port, p *setup.SwitchPort, port int) {
		mode := map[description.DCBXMode]string{description.IEEE: "ieee", description.CEE: "cee"}[p.DCBX]
		if mode == "" {
			mode = "none"
		}
		rows = append(rows, []string{d.Switch.Name, mode, map[bool]string{true: "Yes", false: "No"}[p.Willing], h.Lab().SwitchAddress(port).String()})
	})
	s.table(rows)
}

// showSettings prints lines that set ports as they are.
func showSettings(s *session, h *driver.Host, ports []int) {
	each(h, ports, func(d *description.Port, p *setup.SwitchPort, port int) {
		s.print("interface %s", longName(d))
		for _, line := range settingLines(d, p, h.Lab().State(port).Cabled) {
			s.print("   %s", line)
		}
		s.print("!")
	})
}

// settingLines are the lines of a port, in an order in which a console takes them.
func settingLines(d *description.Port, p *setup.SwitchPort, cabled bool) (lines []string) {
	add := func(format string, values ...any) { lines = append(lines, fmt.Sprintf(format, values...)) }
	if !cabled {
		add("shutdown")
	}
	add("mtu %d", p.MaxFrame)
	if d.Link != description.Ethernet {
		return lines
	}
	add("speed %d", p.SpeedGbps*1000)
	if p.Trunk {
		add("switchport mode trunk")
		if p.VLANs != "" {
			add("switchport trunk allowed vlan %s", p.VLANs)
		}
	} else {
		add("switchport mode access")
	}
	if p.Aggregation > 0 {
		add("channel-group %d mode active", p.Aggregation)
	}
	if p.Trust == setup.TrustDSCP {
		add("qos trust dscp")
	}
	switch p.DCBX {
	case description.IEEE:
		add("dcbx mode ieee")
	case description.CEE:
		add("dcbx mode cee")
	case description.NoDCBX:
		add("dcbx mode none")
	}
	switch p.FlowControl {
	case description.GlobalPause:
		add("flowcontrol receive on")
		add("flowcontrol send on")
	case description.PriorityPause:
		add("priority-flow-control mode on")
	case description.NoFlowControl:
	}
	for priority := range 8 {
		if p.Lossless>>priority&1 == 1 {
			add("priority-flow-control priority %d no-drop", priority)
		}
	}
	if p.Marking != dcqcn.DefaultMarking() {
		add("random-detect ecn minimum-threshold %.0f bytes maximum-threshold %.0f bytes max-mark-probability %.0f",
			p.Marking.Min, p.Marking.Max, p.Marking.Probability*100)
	}
	return lines
}

func showSubnetManager(s *session, _ []string) error {
	ports, err := s.every(description.InfiniBand)
	if err != nil {
		return err
	}
	if len(ports) == 0 {
		return &lineError{"% The switch has no InfiniBand port"}
	}
	return s.box.Look(func(h *driver.Host) error {
		each(h, ports, func(d *description.Port, p *setup.SwitchPort, _ int) {
			s.print("%s: %s", d.Switch.Name, map[description.SubnetManager]string{description.SubnetManaged: "enable", description.SubnetDown: "disable",
				description.SubnetAbsent: "absent"}[p.SubnetManager])
		})
		return nil
	})
}

// showVirtual says whether the subnet manager manages virtual ports; a line for each port if they differ.
func showVirtual(s *session, _ []string) error {
	ports, err := s.every(description.InfiniBand)
	if err != nil {
		return err
	}
	if len(ports) == 0 {
		return &lineError{"% The switch has no InfiniBand port"}
	}
	return s.box.Look(func(h *driver.Host) error {
		words := map[bool]string{true: "Enabled", false: "Disabled"}
		same := true
		for _, port := range ports {
			same = same && h.Lab().ManagesVirtual(port) == h.Lab().ManagesVirtual(ports[0])
		}
		if same {
			s.print("Virtualization: %s", words[h.Lab().ManagesVirtual(ports[0])])
			return nil
		}
		each(h, ports, func(d *description.Port, _ *setup.SwitchPort, port int) {
			s.print("%s: Virtualization: %s", d.Switch.Name, words[h.Lab().ManagesVirtual(port)])
		})
		return nil
	})
}

// recentVersion is the version of a switch whose description names none.
const recentVersion = "3.6.8010"

// showVersion shows the version of the switch, which is the one of its subnet manager.
func showVersion(s *session, _ []string) error {
	return s.box.Look(func(h *driver.Host) error {
		version := recentVersion
		for port := range h.Lab().Ports() {
			if d, _, _ := h.Lab().Port(port); d.Switch.SubnetManagerVersion != "" {
				version = d.Switch.SubnetManagerVersion
			}
		}
		s.print("Product name:      MLNX-OS")
		s.print("Product release:   %s", version)
		return nil
	})
}
