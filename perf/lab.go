package perf

import (
	"context"
	"fmt"
	"time"

	"cxdeck/driver"
)

// Lab is the source of the embedded model: a host's counters, events and inventory in the host's own time.
type Lab struct {
	host *driver.Host
	info SourceInfo
	// program says how the cells come from the hardware's counters.
	program   labProgram
	schema    *Schema
	inventory *labInventory
	watch     labWatch
	begun     bool
	// told is the sequence of the last event that Events gave.
	told uint64
}

// NewLabSource makes a source of a host. The host belongs to the source from now on: it moves only with Next.
func NewLabSource(host *driver.Host) (*Lab, error) {
	lab := host.Lab()
	description := lab.Description()
	l := &Lab{
		host: host,
		info: SourceInfo{
			Kind: LabSource, Name: description.Host.Name, Host: description.Host.Name,
			Seed: lab.Seed(), LabHash: description.Hash(), Started: host.Now(),
		},
	}
	b := newLabBuilder(lab)
	if err := b.build(); err != nil {
		return nil, err
	}
	schema, err := NewSchema(1, b.program.cells(), b.series)
	if err != nil {
		return nil, fmt.Errorf("the lab description names two things alike: %w", err)
	}
	l.schema, l.program = schema, b.program
	l.inventory = newLabInventory(host, schema)
	l.watch = newLabWatch(host)
	return l, nil
}

// Info is what the source says of itself.
func (l *Lab) Info() SourceInfo { return l.info }

// Schema is fixed as long as the lab is open.
func (l *Lab) Schema() *Schema { return l.schema }

// Inventory is the newest inventory.
func (l *Lab) Inventory() *Inventory { return l.inventory.published }

// Next moves the host by interval, but for the first call, and reads it.
func (l *Lab) Next(ctx context.Context, interval time.Duration, column *Column) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.begun {
		l.host.Advance(interval)
	}
	l.begun = true
	column.Time = l.host.Now()
	column.Missed = 0
	column.Grow(l.schema.Cells)
	l.program.run(l.host.Lab(), column.Cells)
	l.inventory.refresh(l.host)
	l.watch.column(l.host)
	return nil
}

// Close has nothing to free.
func (l *Lab) Close() error { return nil }

// Host is the model behind the source.
func (l *Lab) Host() *driver.Host { return l.host }

// State is what is around the adapters, as it is now.
func (l *Lab) State() *LabState { return l.watch.state(l.host) }

// Events gives the events since the last call.
func (l *Lab) Events() []driver.Event {
	events := l.host.EventsAfter(l.told)
	if len(events) > 0 {
		l.told = events[len(events)-1].Sequence
	}
	return events
}
