package dump

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/eventlog"
)

// command is a firmware command of the driver.
type command struct {
	at     time.Time
	opcode int
	name   string
	port   int // from 1; 0 for the whole card
	status string
}

// maxCommands is the number of commands that the driver remembers, maxEvents the number of events that they are made of.
const (
	maxCommands = 96
	maxEvents   = 400
)

// step is a command of a sequence, with its opcodes in WinOF and WinOF-2.
type step struct {
	name          string
	winof, winof2 int
	card          bool // it is for the whole card
}

// The commands that a driver posts when it starts and stops a port and when a link changes. The opcodes come from the public drivers for
// Linux; the manuals give none.
var (
	startSteps = []step{
		{name: "QUERY_FW", winof: 0x004, winof2: 0x100, card: true}, {name: "QUERY_DEV_CAP", winof: 0x003, winof2: 0x100, card: true},
		{name: "INIT_HCA", winof: 0x007, winof2: 0x102, card: true}, {name: "SW2HW_EQ", winof: 0x013, winof2: 0x301, card: true},
		{name: "SW2HW_CQ", winof: 0x016, winof2: 0x400}, {name: "SET_PORT", winof: 0x00c, winof2: 0x805}, {name: "INIT_PORT", winof: 0x009, winof2: 0x754},
	}
	stopSteps = []step{{name: "CLOSE_PORT", winof: 0x00a, winof2: 0x755}, {name: "HW2SW_CQ", winof: 0x017, winof2: 0x401}}
	linkSteps = []step{{name: "QUERY_PORT", winof: 0x043, winof2: 0x805}}
)

// winof2Names are the names of the same commands in WinOF-2.
var winof2Names = map[string]string{
	"QUERY_FW": "QUERY_HCA_CAP", "QUERY_DEV_CAP": "QUERY_ADAPTER", "SW2HW_EQ": "CREATE_EQ", "SW2HW_CQ": "CREATE_CQ", "SET_PORT": "ACCESS_REG",
	"INIT_PORT": "MODIFY_NIC_VPORT_CONTEXT", "CLOSE_PORT": "MODIFY_NIC_VPORT_CONTEXT", "HW2SW_CQ": "DESTROY_CQ", "QUERY_PORT": "ACCESS_REG",
}

// commands returns the newest firmware commands of a port's card, oldest first: what the events of the card say that its driver did, and
// the readings of statistics, one a second.
func (s Set) commands(port int) (list []command) {
	card, first, _ := s.card(port)
	for _, e := range s.cardEvents(port) {
		index := slices.IndexFunc(card.Ports, func(p description.Port) bool { return p.Connection == e.Adapter })
		var steps []step
		status := "ok"
		switch {
		case strings.HasSuffix(e.Key, "eth-started-mac"), strings.HasSuffix(e.Key, ".identity"):
			steps = startSteps
		case strings.HasSuffix(e.Key, "stopped"):
			steps = stopSteps
		case strings.HasSuffix(e.Key, "link-up"), strings.HasSuffix(e.Key, "link-down"):
			steps = linkSteps
		case strings.Contains(e.Key, "fw-command"):
			steps, status = []step{{name: "COMMAND"}}, "failed: "+e.Message
		}
		for i, posted := range steps {
			if posted.card && index > 0 {
				continue // the driver of the first port posts it
			}
			c := command{e.Time.Add(time.Duration(i-len(steps)) * 40 * time.Microsecond), posted.winof, posted.name, index + 1, status}
			if card.Family == description.WinOF2 {
				c.opcode = posted.winof2
				if name, ok := winof2Names[posted.name]; ok {
					c.name = name
				}
			}
			if posted.card {
				c.port = 0
			}
			list = append(list, c)
		}
	}
	statistics := step{name: "DUMP_ETH_STATS", winof: 0x049, winof2: 0x770}
	second := s.now().Add(-s.Lab().Elapsed() % time.Second).Truncate(time.Microsecond)
	for p := range card.Ports {
		if !s.Running(first + p) {
			continue
		}
		for i := range 4 {
			if back := time.Duration(i) * time.Second; back < s.Lab().Elapsed() {
				c := command{second.Add(-back), statistics.winof, statistics.name, p + 1, "ok"}
				if card.Family == description.WinOF2 {
					c.opcode, c.name = statistics.winof2, "QUERY_VPORT_COUNTER"
				}
				list = append(list, c)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b command) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.port, b.port)) })
	return list[max(0, len(list)-maxCommands):]
}

// cardEvents returns the newest events of the ports of a port's card, oldest first.
func (s Set) cardEvents(port int) (list []eventlog.Event) {
	card, _, _ := s.card(port)
	for _, e := range s.NewestEvents(maxEvents) {
		if slices.ContainsFunc(card.Ports, func(p description.Port) bool { return p.Connection == e.Adapter }) {
			list = append(list, e)
		}
	}
	return list
}

// posted returns the number of firmware commands that were executed for a port's card.
func (s Set) posted(port int) (n uint64) {
	card, first, _ := s.card(port)
	cells := s.Lab().Counters()
	for p := first; p < first+len(card.Ports); p++ {
		n += cells[counter.Cell(p, counter.Commands)]
	}
	return n
}

const stampLayout = "2006-01-02 15:04:05.000000"

// head writes the first lines of a text: what it is, the card and the time.
func (s Set) head(b *bytes.Buffer, port int, title string) {
	card, _, _ := s.card(port)
	fmt.Fprintf(b, "%s\nDevice: %s (%s, bus %d device %d function %d)\nFirmware: %s  Driver: %s\nTime: %s\n\n", title, s.deviceOf(port), card.Name,
		card.PCI.Bus, card.PCI.Device, card.PCI.Function, card.Firmware, card.DriverVersion, s.now().Format(stampLayout))
}

// commandHistory returns the firmware commands as text, with their status.
func (s Set) commandHistory(port int) []byte {
	var b bytes.Buffer
	s.head(&b, port, "Firmware commands, newest last")
	list, posted := s.commands(port), s.posted(port)
	fmt.Fprintf(&b, "Posted since the start of the driver: %d; the newest %d:\n%-26s  %-6s  %-6s  %-4s  %-26s  %s\n", posted, len(list), "TIME", "TOKEN", "OPCODE", "PORT", "NAME", "STATUS")
	for i, c := range list {
		fmt.Fprintf(&b, "%-26s  0x%04x  0x%03x   %-4d  %-26s  %s\n", c.at.Format(stampLayout), token(posted, len(list), i), c.opcode, c.port, c.name, c.status)
	}
	return b.Bytes()
}

// token returns the token of a command: the last of count commands has the number of all posted ones, in 16 bits.
func token(posted uint64, count, i int) uint64 { return (posted + uint64(i+1-count)) & 0xffff }

// firmwareTrace returns what the firmware recorded: commands, and changes of links and resets.
func (s Set) firmwareTrace(port int) []byte {
	var b bytes.Buffer
	s.head(&b, port, "Firmware trace, newest last")
	type line struct {
		at   time.Time
		text string
	}
	var lines []line
	list, posted := s.commands(port), s.posted(port)
	for i, c := range list {
		lines = append(lines, line{c.at, fmt.Sprintf("CMDIF   token 0x%04x opcode 0x%03x port %d: %s", token(posted, len(list), i), c.opcode, c.port, c.name)})
	}
	card, _, _ := s.card(port)
	for _, e := range s.cardEvents(port) {
		index := slices.IndexFunc(card.Ports, func(p description.Port) bool { return p.Connection == e.Adapter })
		what := ""
		switch {
		case strings.HasSuffix(e.Key, "link-up"):
			what = "PHY     port %d: link up"
		case strings.HasSuffix(e.Key, "link-down"):
			what = "PHY     port %d: link down"
		case strings.Contains(e.Key, "stall"), strings.Contains(e.Key, "timeout"), strings.Contains(e.Key, "stuck"):
			what = "WATCH   port %d: no progress of a queue"
		case strings.Contains(e.Key, "reset"):
			what = "RESET   port %d: reset by the driver"
		}
		if what != "" {
			lines = append(lines, line{e.Time.UTC(), fmt.Sprintf(what, index+1)})
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return a.at.Compare(b.at) })
	for _, l := range lines {
		fmt.Fprintf(&b, "%s %s\n", l.at.Format(stampLayout), l.text)
	}
	return b.Bytes()
}
