package dump

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/hostfiles"
)

// Event is what a state dump is written for.
type Event uint8

// The events. WinOF dumps when the state of a port changes, WinOF-2 when it goes down and when something of the adapter is stuck; both on
// request.
const (
	PortUp Event = iota
	PortDown
	PortNone // the driver has stopped the port, and the state of its link is unknown
	UserRequest
	CommandError
	EventQueueStuck
	SendQueueStuck
	ReceiveQueueStuck
)

// row is a row of the manuals' tables of events (SD-1 to SD-3).
type row struct {
	tag, name string
	// off and on name the key that disables the dump with the value 1, and the one that enables it; both empty for a dump that is on.
	off, on string
	// mask is the bit of DumpModeFlags that disables it.
	mask uint32
	// requested reports that a user asks for it, whatever the keys say; fatal that an event of the log names the file.
	requested, fatal bool
}

// rows returns the events of a driver.
func rows(family description.Family) map[Event]row {
	if family == description.WinOF {
		return map[Event]row{
			PortUp: {tag: "p", name: "up", mask: 0x10}, PortDown: {tag: "p", name: "down", mask: 0x04}, PortNone: {tag: "p", name: "none", mask: 0x08},
			UserRequest: {tag: "u", name: "user", requested: true},
		}
	}
	return map[Event]row{
		PortDown: {tag: "p", name: "down", on: "EnableDumpOnPortDown"}, PortNone: {tag: "p", name: "unknown", on: "EnableDumpOnUnknownLink"},
		UserRequest: {tag: "o", name: "oid", requested: true}, CommandError: {tag: "c", name: "cmd-err", fatal: true},
		EventQueueStuck:   {tag: "e", name: "eq-stuck", off: "DisableDumpOnEqStuck", fatal: true},
		SendQueueStuck:    {tag: "t", name: "txcq-stuck", off: "DisableDumpOnTxCqStuck", fatal: true},
		ReceiveQueueStuck: {tag: "r", name: "rxcq-stuck", off: "DisableDumpOnRxCqStuck", fatal: true},
	}
}

// Folder is the folder of state dumps (SD-4).
const Folder = hostfiles.System + `\temp`

// defaultSets is the default of DumpEventsNum.
const defaultSets = 20

// allowed reports whether the keys of the driver allow a dump.
func (s Set) allowed(port int, family description.Family, r row) bool {
	if r.requested {
		return true
	}
	if family == description.WinOF {
		flags, _ := s.read(port, "DumpModeFlags")
		return flags.Number()&r.mask == 0
	}
	if mode, ok := s.read(port, "MstDumpMode"); ok && mode.Exists() && mode.Number() == 0 {
		return false
	}
	is := func(key string) bool {
		value, ok := s.read(port, key)
		return ok && value.Number() == 1
	}
	return (r.on == "" || is(r.on)) && (r.off == "" || !is(r.off))
}

// DumpState writes the state dump of a port's card for an event, if the keys allow it and the event has fewer dumps than DumpEventsNum. It
// returns the paths of the files; none when it wrote none (SD-9).
func (s Set) DumpState(port int, event Event) (paths []string) {
	card, _, index := s.card(port)
	r, known := rows(card.Family)[event]
	if !known || !s.allowed(port, card.Family, r) {
		return nil
	}
	name, d := r.name, s.Lab().Description()
	if !r.requested {
		name = fmt.Sprintf("%s-%s-%d", prefixOf(card.Ports[index].Link), r.name, index+1)
	}
	at := slices.IndexFunc(s.Sets, func(c SetCount) bool { return c.Adapter == card.Name && c.Event == name })
	count := SetCount{Adapter: card.Name, Event: name}
	if at >= 0 {
		count = s.Sets[at]
	}
	limit := s.number(port, "DumpEventsNum", defaultSets)
	if count.Count >= limit || count.Count > maxNumber {
		return nil
	}
	location := card.PCI
	if card.Family == description.WinOF2 {
		location.Function += uint8(index)
	}
	prefix := fmt.Sprintf("%s_%d_%d_%d_%s%03d_%s_", s.mode(port), location.Bus, location.Device, location.Function, r.tag, count.Count, name)
	files := s.setFiles(port, prefix)
	next := s.Files
	if err := next.Add(Folder, s.now(), files); err != nil {
		return nil // the disk is full
	}
	s.Files = next
	count.Count++
	if s.Sets = slices.Clone(s.Sets); at >= 0 {
		s.Sets[at] = count
	} else {
		s.Sets = append(s.Sets, count)
	}
	for _, f := range files {
		paths = append(paths, Folder+`\`+f.Name)
	}
	s.noteSet(port, d, r, files[0].Name)
	return paths
}

// maxNumber is the largest number of a set: names have three digits.
const maxNumber = 999

// noteSet logs the file of a dump of WinOF-2 after a fatal error or on request (SD-12).
func (s Set) noteSet(port int, d *description.Description, r row, file string) {
	_, a, _ := s.Lab().Port(port)
	if d.Adapters[a].Family != description.WinOF2 || !r.fatal && !r.requested {
		return
	}
	event := "mlx5.mstdump-fatal"
	if r.requested {
		event = "mlx5.mstdump-oid"
	}
	// {Y}_{Z}{L}_{M}_{F}_{O}.log: the mode, the location with the tag, the number, the event, the type and its index.
	parts := strings.Split(strings.TrimSuffix(file, ".log"), "_")
	n := len(parts)
	if n < 7 {
		return
	}
	tagged := parts[n-4]
	s.Note(port, event, s.deviceOf(port), parts[0], strings.Join(parts[1:n-4], "_")+"_"+tagged[:1], tagged[1:], parts[n-3], parts[n-2], parts[n-1])
}

func (s Set) deviceOf(port int) string {
	d, _, _ := s.Lab().Port(port)
	return d.Device
}

// mode returns the driver's mode of work in the names of files.
func (s Set) mode(port int) string {
	if len(s.functionsOf(port)) > 0 {
		return "MultiFunc"
	}
	return "SingleFunc"
}

// prefixOf returns the first part of the name of an event of a port.
func prefixOf(link description.LinkType) string {
	if link == description.InfiniBand {
		return "ib"
	}
	return "eth"
}

// setFiles returns the files of a state dump: three register dumps in a row, and with WinOF two dumps of event queues and the firmware's
// trace (SD-7, SD-8).
func (s Set) setFiles(port int, prefix string) (files []hostfiles.Content) {
	card, _, _ := s.card(port)
	for i := range 3 {
		files = append(files, hostfiles.Content{Name: prefix + "crspace_" + strconv.Itoa(i) + ".log", Data: s.registers(port, i)})
	}
	if card.Family == description.WinOF {
		files = append(files,
			hostfiles.Content{Name: prefix + "eq_dump_0.log", Data: s.queues(port, false)}, hostfiles.Content{Name: prefix + "eq_print_0.log", Data: s.queues(port, true)},
			hostfiles.Content{Name: prefix + "fwtrace_0.log", Data: s.firmwareTrace(port)})
	}
	return files
}

// incidentFiles returns the files of Dump Me Now (DMN-8). The driver's own traces are not among them (DMN-9).
func (s Set) incidentFiles(port int) []hostfiles.Content {
	files := []hostfiles.Content{
		{Name: "mst_dump.txt", Data: s.registers(port, 0)}, {Name: "fw_commands.txt", Data: s.commandHistory(port)},
		{Name: "eq_dump.txt", Data: s.queues(port, true)}, {Name: "fw_traces.txt", Data: s.firmwareTrace(port)},
	}
	mode := s.number(port, "DmnIovMode", defaultIovMode)
	if mode < 0 || mode > 4 {
		mode = defaultIovMode
	}
	if mode > 0 && len(s.functionsOf(port)) > 0 {
		files = append(files, hostfiles.Content{Name: "iov_objects.txt", Data: s.iovObjects(port, mode)})
	}
	return files
}
