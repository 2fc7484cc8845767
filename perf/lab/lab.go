package lab

import (
	"context"
	"sync"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
)

// Source is the source of the embedded model: a host's counters, events and inventory in the host's own time.
type Source struct {
	host *driver.Host
	info perf.SourceInfo
	// builder has the blocks that fill the cells; it adds blocks for new objects.
	builder   *Builder
	schema    *perf.Schema
	inventory *publisher
	watch     labstate.Tracker
	begun     bool
	// watched reports for each port whether its counters by processor and kind are watched.
	watched []bool
	reader  *Reader
	// lastEvent is the sequence of the last event that Events returned.
	lastEvent uint64
}

// InfoOf returns the Info of a source that New would make from a host now.
func InfoOf(host *driver.Host) perf.SourceInfo {
	lab, name := host.Lab(), host.Lab().Description().Host.Name
	info := perf.SourceInfo{
		Kind: perf.LabSource, Name: name, Host: name, Seed: lab.Seed(), LabHash: lab.Plant().Hash(), Started: host.Now(),
	}
	if twin := lab.Description().Twin; twin != nil {
		info.Twin, info.Assumed = twin.Host, len(twin.Assumed)
	}
	return info
}

// New makes a source from a host. From now on the host belongs to the source: only Next advances it.
func New(host *driver.Host) (*Source, error) {
	lab := host.Lab()
	l := &Source{host: host, info: InfoOf(host), builder: NewBuilder(lab), watched: make([]bool, lab.Ports())}
	l.reader = NewReader(l.builder, host)
	lab.Counters() // it may fill in counters: the goroutines below only read
	var view *driver.View
	var viewing sync.WaitGroup
	viewing.Go(func() { view = host.View() })
	err := l.grow()
	viewing.Wait()
	if err != nil {
		return nil, err
	}
	l.inventory = newPublisher(host, view, l.schema, l.builder)
	return l, nil
}

// Info describes the source.
func (l *Source) Info() perf.SourceInfo { return l.info }

// grow publishes a new schema when the lab has objects without series: more rings, counting by processor after a restart with
// RssMonitoringEnabled, or a team or VLAN with a new name.
func (l *Source) grow() error {
	l.builder.lab = l.host.Lab() // after a failed plan the host has another Lab
	virtuals := l.host.VirtualMiniports()
	if l.builder.lacksSeries(virtuals) {
		if err := l.extend(virtuals); err != nil {
			return err
		}
	}
	l.reader.locate(virtuals)
	return nil
}

// extend publishes the new schema.
func (l *Source) extend(virtuals []driver.VirtualMiniport) error {
	if err := l.builder.Grow(virtuals); err != nil {
		return err
	}
	generation := uint64(1)
	if l.schema != nil {
		generation = l.schema.Generation + 1
	}
	// The builder ensures that all paths are distinct.
	l.schema = perf.UncheckedSchema(generation, l.builder.cells, l.builder.series)
	return nil
}

// Watch makes ports count received packets by processor and kind once a series with these counts is watched (R5), as when its
// counter is added in Performance Monitor. It continues after a restart of the driver. With RssCountersActivatedAtStartup a
// port counts without it.
func (l *Source) Watch(series []int) {
	for _, i := range series {
		if i < 0 || i >= len(l.schema.Series) {
			continue
		}
		if gate := l.builder.gateOf(l.schema.Series[i].Cell); gate.kind == spreadGate || gate.kind == virtualPortGate {
			l.watched[gate.port] = true
		}
	}
	l.startCounting()
}

// startCounting starts the counting by processor and kind on watched ports.
func (l *Source) startCounting() {
	for port, watched := range l.watched {
		if watched {
			l.host.StartCounting(port)
		}
	}
}

// Schema returns the newest schema.
func (l *Source) Schema() *perf.Schema { return l.schema }

// Inventory returns the newest inventory.
func (l *Source) Inventory() *perf.Inventory { return l.inventory.published }

// Next advances the host by interval, except in the first call, and reads it.
func (l *Source) Next(ctx context.Context, interval time.Duration, column *perf.Column) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.begun {
		l.host.Advance(interval)
	}
	l.begun = true
	if err := l.grow(); err != nil {
		return err
	}
	l.startCounting()
	column.Time = l.host.Now()
	column.Missed = 0
	column.Grow(l.schema.Cells)
	l.reader.fill(column.Cells)
	l.inventory.refresh(l.host, l.schema)
	l.watch.Column(l.host)
	return nil
}

// Close does nothing: the host is in memory.
func (l *Source) Close() error { return nil }

// Host returns the model behind the source.
func (l *Source) Host() *driver.Host { return l.host }

// State returns the current environment of the adapters.
func (l *Source) State() *labstate.State { return l.watch.State(l.host) }

// Events returns the events since the last call.
func (l *Source) Events() []eventlog.Event {
	events := l.host.EventsAfter(l.lastEvent)
	if len(events) > 0 {
		l.lastEvent = events[len(events)-1].Sequence
	}
	return events
}
