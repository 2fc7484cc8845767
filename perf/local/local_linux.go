package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/linuxhost"
	"cxdeck/perf"
)

// interfaceLimit is the maximum number of watched interfaces; further ones, of a machine with very many containers, are
// ignored.
const interfaceLimit = 4096

// speedEvery is the number of samples between two readings of a link's speed: some drivers have to ask their firmware for it.
const speedEvery = 30

// source reads the interfaces of this machine.
type source struct {
	host    string
	root    string // of sysfs
	links   linkReader
	drivers driverReader
	now     func() time.Time
	started time.Time

	interfaces []*netInterface // in the order of discovery; removed ones stay
	byName     map[string]*netInterface
	instances  map[string]bool

	series     []perf.Series
	cells      int
	generation uint64
	schema     *perf.Schema
	inventory  *perf.Inventory

	// paths are the folded paths of the series in the sets of WinOF; cards the names of adapters by device.
	paths     map[string]bool
	cards     map[string]string
	cardNames []string

	rdma map[string]*rdmaPort
	// rdmaCells are the cells of RDMA counters by path; portsOnly the owners of RDMA ports without an interface.
	rdmaCells map[string]int
	portsOnly map[string]*netInterface

	// openMachine opens the reader of settings and states; nil for none.
	openMachine func() machineReader
	survey      *survey
	machine     *linuxhost.Machine
	sheets      []perf.Sheet
	kernel      kernelLog
	booted      time.Time

	readings []linkReading
	events   []eventlog.Event
	sequence uint64
	samples  int
}

// netInterface is an interface of this machine with its last reading.
type netInterface struct {
	name, instance string
	reading        linkReading
	hardware       hardware
	// stacked reports that its frames also pass another interface of the machine, as for a bond, a bridge or a VLAN.
	stacked          bool
	present, running bool
	speed            uint64
	// cell and series are the indexes of the interface's first cell and series.
	cell, series int
	// driver maps the driver's statistics to cells, -1 for none; silent reports that the driver has no statistics.
	driver map[string]int
	taken  map[string]bool
	silent bool
	// meant maps the names of the table of statistics, with the number of the statistic behind them, to cells.
	meant map[string]int
	sums  []sum
	// instances are the instances of its priorities; summary are the series that the Overview adds up, 0 for none.
	instances []string
	summary   [3]int
	// functions are the first cells of its virtual functions, by number.
	functions map[int]int
	// health are the newest values of hardwareCounters, whose cells begin at healthCell; nil without any.
	health     []int64
	healthCell int
}

// Open opens the network interfaces of this machine as a source: statistics of the kernel and the drivers, the state and speed
// of the links, and the properties of the PCI devices. It needs no privileges.
func Open() (perf.Source, error) {
	const root = "/sys"
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	var drivers driverReader = noDriver{}
	if reader, err := newEthtoolReader(); err == nil {
		drivers = reader
	}
	if links, err := newNetlinkReader(); err == nil {
		source, err := newSource(root, perf.CleanText(host, perf.NameLimit), links, drivers, time.Now)
		if err == nil {
			source.openLogs()
			return source, nil
		}
		links.close() // denied, as in some containers: sysfs has the same data
	}
	source, err := newSource(root, perf.CleanText(host, perf.NameLimit), newSysfsReader(root), drivers, time.Now)
	if err != nil {
		drivers.close()
		return nil, fmt.Errorf("the interfaces of this machine can't be read, neither from the kernel nor from %s: %w", root, err)
	}
	source.openLogs()
	return source, nil
}

// openLogs opens what is read beside the counters: settings and states, and the kernel log where it is allowed.
func (s *source) openLogs() {
	s.openMachine = func() machineReader { return linuxhost.Open() }
	var since unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &since) != nil {
		return
	}
	if log, err := linuxhost.OpenKernelLog(); err == nil {
		s.kernel, s.booted = log, s.now().Add(-time.Duration(since.Nano()))
	}
}

func newSource(root, host string, links linkReader, drivers driverReader, now func() time.Time) (*source, error) {
	s := &source{
		host: host, root: root, links: links, drivers: drivers, now: now, started: now().UTC(),
		byName: make(map[string]*netInterface), instances: make(map[string]bool),
	}
	if err := s.readInterfaces(); err != nil {
		return nil, err
	}
	s.events, s.sequence = nil, 0 // interfaces present at the start are not events
	return s, nil
}

// Info describes this machine.
func (s *source) Info() perf.SourceInfo {
	return perf.SourceInfo{Kind: perf.LocalSource, Name: "this machine", Host: s.host, Started: s.started}
}

func (s *source) Schema() *perf.Schema       { return s.schema }
func (s *source) Inventory() *perf.Inventory { return s.inventory }

// Close frees the sockets and files.
func (s *source) Close() error {
	if s.survey != nil {
		s.survey.stop()
	}
	if s.kernel != nil {
		_ = s.kernel.Close() // nothing was written
	}
	for _, port := range s.rdma {
		port.close()
	}
	s.links.close()
	s.drivers.close()
	return nil
}

// Events reports links that went up or down and interfaces that were added or removed.
func (s *source) Events() []eventlog.Event {
	events := s.events
	s.events = nil
	return events
}

func (s *source) event(severity eventlog.Severity, adapter, message string) {
	s.sequence++
	s.events = append(s.events, eventlog.Event{
		Sequence: s.sequence, Time: s.now().UTC(), Source: "local", Channel: "System",
		Severity: severity, Adapter: adapter, Message: message,
	})
}

// Next reads all interfaces now.
func (s *source) Next(ctx context.Context, _ time.Duration, column *perf.Column) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.readInterfaces(); err != nil {
		return err
	}
	s.readKernelLog()
	if s.takeSurvey() {
		if err := s.publish(); err != nil {
			return err
		}
	}
	column.Time, column.Missed = s.now().UTC(), 0
	column.Grow(s.cells)
	for i := range column.Cells {
		column.Cells[i] = perf.Missing
	}
	for _, i := range s.interfaces {
		if i.present {
			i.fill(column.Cells, &i.reading)
			i.fillFunctions(column.Cells)
			copy(column.Cells[i.healthCell:], i.health)
		}
	}
	s.fillRDMA(column.Cells)
	return s.fillStatistics(column)
}

// fillStatistics adds the drivers' own statistics; new ones widen the column and the schema.
func (s *source) fillStatistics(column *perf.Column) error {
	grown := false
	for _, i := range s.interfaces {
		if !i.present || i.silent || i.reading.loopback {
			continue
		}
		statistics, err := s.drivers.statistics(i.name)
		if err != nil || len(statistics) == 0 {
			i.silent = len(i.driver) == 0 // a driver that answered before is only busy, for example with a reset
			continue
		}
		if s.addStatistics(i, statistics) {
			grown = true
			column.Grow(s.cells)
		}
		for name, value := range statistics {
			if cell, ok := i.driver[name]; ok && cell >= 0 {
				column.Cells[cell] = int64(value)
			}
		}
		i.addUp(column.Cells)
	}
	if grown {
		return s.publish()
	}
	return nil
}

// readInterfaces reads the interfaces and publishes a new schema and inventory when something has changed.
func (s *source) readInterfaces() error {
	readings, err := s.links.read(s.readings[:0])
	s.readings = readings
	if err != nil {
		return err
	}
	first := s.schema == nil
	changed := first
	for _, i := range s.interfaces {
		i.present = false
	}
	for n := range readings {
		if s.note(&readings[n]) {
			changed = true
		}
	}
	for _, i := range s.interfaces {
		if !i.present && i.reading.index != 0 {
			i.reading.index, i.running, i.silent = 0, false, false
			s.event(eventlog.Warning, i.instance, "the interface was removed")
			changed = true
		}
	}
	s.samples++
	if first { // the drivers' statistics belong to the first schema, so that it need not change at once
		for _, i := range s.interfaces {
			if statistics, err := s.drivers.statistics(i.name); err == nil && !i.reading.loopback {
				s.addStatistics(i, statistics)
			}
		}
	}
	if (changed || s.samples%speedEvery == 0) && s.findRDMA() {
		changed = true
	}
	for _, i := range s.interfaces {
		if i.present && s.addFunctions(i) {
			changed = true
		}
	}
	if changed {
		return s.publish()
	}
	return nil
}

// note stores the reading of one interface and reports whether it changes the schema or the inventory.
func (s *source) note(r *linkReading) bool {
	i := s.byName[r.name]
	changed := false
	if i == nil {
		if len(s.interfaces) == interfaceLimit {
			return false
		}
		i = &netInterface{name: r.name, instance: s.instance(r.name), driver: make(map[string]int), taken: make(map[string]bool)}
		s.interfaces = append(s.interfaces, i)
		s.byName[r.name] = i
		s.addInterface(i)
	}
	i.present = true
	was := i.reading
	i.reading = *r
	if was.index != r.index { // new, or removed and added again
		i.hardware = readHardware(s.root, r.name)
		i.hardware.firmware = s.drivers.firmware(r.name)
		i.silent, i.running, i.speed = false, r.running, 0
		s.event(eventlog.Information, i.instance, "the interface was added")
		changed = true
	}
	if changed || s.samples%speedEvery == 0 || i.running != r.running {
		speed := s.speed(r)
		changed = changed || speed != i.speed
		i.speed = speed
	}
	if changed || s.samples%speedEvery == 0 {
		stacked := s.stacked(r.name)
		changed = changed || stacked != i.stacked
		i.stacked = stacked
	}
	if i.running != r.running {
		i.running, changed = r.running, true
		s.linkEvent(i)
	}
	return changed || was.mtu != r.mtu || was.address != r.address || was.other != r.other
}

func (s *source) linkEvent(i *netInterface) {
	switch {
	case !i.running:
		s.event(eventlog.Warning, i.instance, "link down")
	case i.speed == 0:
		s.event(eventlog.Information, i.instance, "link up")
	default:
		s.event(eventlog.Information, i.instance, "link up, "+speedText(i.speed))
	}
}

// instance returns a name for the perfmon paths of an interface; when two names are equal after cleaning, the second gets a
// number, as in Windows.
func (s *source) instance(name string) string {
	plain := instanceName(name)
	instance := plain
	for n := 1; s.instances[perf.FoldPath(instance)]; n++ {
		instance = fmt.Sprintf("%s#%d", plain, n)
	}
	s.instances[perf.FoldPath(instance)] = true
	return instance
}

// speed returns the line rate in bits per second, 0 when the link is down or has none.
func (s *source) speed(r *linkReading) uint64 {
	if !r.running {
		return 0
	}
	megabits, ok := numberAttribute(filepath.Join(s.root, "class", "net", r.name), "speed")
	const unknown = 1<<32 - 1 // older kernels; newer ones return -1
	if !ok || megabits <= 0 || megabits == unknown {
		return 0
	}
	return uint64(megabits) * 1_000_000
}

// stacked reports whether the interface is on top of other interfaces of the machine.
func (s *source) stacked(name string) bool {
	entries, err := os.ReadDir(filepath.Join(s.root, "class", "net", name))
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "lower_") })
}

// publish sets a new schema and inventory of the known interfaces.
func (s *source) publish() error {
	for _, i := range s.interfaces {
		for n := range interfaceCounters {
			s.series[i.series+n].Line = i.speed
		}
	}
	s.generation++
	schema, err := perf.NewSchema(s.generation, s.cells, slices.Clone(s.series))
	if err != nil {
		return errors.Join(errors.New("the network interfaces of this machine can't be identified"), err)
	}
	s.schema = schema
	s.inventory = s.takeInventory()
	return nil
}
