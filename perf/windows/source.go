package windows

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/pdh"
)

// ErrAbsent reports that the machine lacks a counter.
var ErrAbsent = errors.New("the machine has no such counter")

// ErrUnlisted reports that the system has no function that lists counter sets, as Wine.
var ErrUnlisted = errors.New("the system can't list its counter sets")

// Reading is the value of one instance of a counter; the name is empty for a counter without instances.
type Reading struct {
	Instance string
	Value    float64
	// Valid is false when Windows has no value yet, as for a rate after one sample.
	Valid bool
}

// OtherSet is an installed counter set, with its names in the language of the system.
type OtherSet struct {
	Name     string
	Counters []string
}

// Counters are the counters of Performance Monitor.
type Counters interface {
	// Add watches all instances of a counter by its English names, or with local set by the names in the system's language. It
	// returns ErrAbsent when the machine lacks it.
	Add(set, counter string, local bool) (handle int, err error)
	// Sets lists the installed sets whose names pass, or fails with ErrUnlisted.
	Sets(pass func(name string) bool) ([]OtherSet, error)
	// Collect takes a sample of all watched counters.
	Collect() error
	// Read appends the values of a counter in the sample.
	Read(handle int, dst []Reading) ([]Reading, error)
	Close() error
}

// maxSeries is the maximum number of series; instances beyond it are ignored.
const maxSeries = 200_000

// watched is a counter with the series of its instances.
type watched struct {
	set, counter string
	handle       int
	series       map[string]int // by folded instance
}

// source reads the machine.
type source struct {
	host     string
	counters Counters
	root     Key
	log      Log
	// machine is HKEY_LOCAL_MACHINE, for the tables of the registry; nil for none.
	machine Key
	now     func() time.Time
	started time.Time

	watched    []*watched
	series     []perf.Series
	paths      map[string]bool
	generation uint64
	schema     *perf.Schema
	inventory  *perf.Inventory
	adapters   []Adapter
	samples    int
	readings   []Reading
	newest     uint64
	sequence   uint64
	notes      []string
}

// Notes returns sentences for the operator.
func (s *source) Notes() []string { return s.notes }

// adaptersEvery is the number of samples between two readings of the adapters in the registry.
const adaptersEvery = 30

// newSource watches all counters of the catalogue that the machine has, and the other sets of network adapters. root is the key
// HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control; root and log may be nil.
func newSource(host string, counters Counters, root Key, log Log, now func() time.Time) (*source, error) {
	s := &source{host: host, counters: counters, root: root, log: log, now: now, started: now().UTC(), paths: map[string]bool{}}
	known := map[string]bool{}
	for _, set := range perf.Catalogue().Sets() {
		known[perf.FoldPath(set.Name)] = true
		for i := range set.Counters {
			if err := s.watch(set.Name, set.Counters[i].Name, false); err != nil {
				return nil, err
			}
		}
	}
	others, err := counters.Sets(func(name string) bool { return isNetworkSet(name) && !known[perf.FoldPath(name)] })
	if errors.Is(err, ErrUnlisted) {
		s.notes = append(s.notes, "Performance Monitor of this system can't list its counter sets: only sets of the catalogue are shown.")
	} else if err != nil {
		return nil, fmt.Errorf("Performance Monitor lists no counter sets: %w", err) //nolint:staticcheck // a name
	}
	for _, set := range others {
		for _, counter := range set.Counters {
			if err := s.watch(set.Name, counter, true); err != nil {
				return nil, err
			}
		}
	}
	s.readAdapters()
	if len(s.watched) == 0 {
		if !slices.ContainsFunc(s.adapters, func(a Adapter) bool { return a.Mellanox() }) {
			return nil, errors.New("Performance Monitor has no counters of network adapters, and the registry has no Mellanox adapter") //nolint:staticcheck // a name
		}
		s.notes = append(s.notes, "Performance Monitor has no counters of network adapters: only their registry is shown.")
	}
	if log != nil { // the events before the start are not events of the session
		if _, s.newest, err = log.Read(0, true); err != nil {
			s.log = nil // without the right to read the log there are no events
		}
	}
	if err := s.counters.Collect(); err != nil {
		return nil, err
	}
	err = s.discover()
	return s, err
}

// setWords mark sets of network adapters that the catalogue lacks; these words are the same in most languages.
var setWords = []string{"mellanox", "nvidia", "connectx", "mlx", "rdma", "hyper-v virtual switch", "hyper-v virtual network", "network qos"}

func isNetworkSet(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(setWords, func(word string) bool { return strings.Contains(name, word) })
}

func (s *source) watch(set, counter string, local bool) error {
	handle, err := s.counters.Add(set, counter, local)
	if errors.Is(err, ErrAbsent) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the counter %s can't be watched: %w", perf.JoinPath(set, "*", counter), err)
	}
	s.watched = append(s.watched, &watched{set: set, counter: counter, handle: handle, series: map[string]int{}})
	return nil
}

// discover adds the series of new instances and publishes the schema when there are any.
func (s *source) discover() error {
	changed := false
	for _, w := range s.watched {
		var err error
		if s.readings, err = s.counters.Read(w.handle, s.readings[:0]); err != nil {
			continue // a set without instances, or a driver that is being restarted
		}
		for _, reading := range s.readings {
			key := perf.FoldPath(reading.Instance)
			if _, known := w.series[key]; known || len(s.series) >= maxSeries {
				continue
			}
			changed = true
			w.series[key] = -1
			series := pdh.NewSeries(w.set, reading.Instance, w.counter)
			if path := perf.FoldPath(series.Path()); !s.paths[path] {
				s.paths[path] = true
				series.Cell = len(s.series)
				if series.Kind == perf.Gauge {
					series.Scale = perf.FloatCells
				}
				w.series[key] = series.Cell
				s.series = append(s.series, series)
			}
		}
	}
	if changed || s.schema == nil {
		return s.publish()
	}
	return nil
}

// publish sets a new schema and inventory.
func (s *source) publish() error {
	s.generation++
	schema, err := perf.NewSchema(s.generation, len(s.series), slices.Clone(s.series))
	if err != nil {
		return errors.Join(errors.New("the counters of this machine can't be identified"), err)
	}
	s.schema, s.inventory = schema, s.takeInventory(schema.Series)
	return nil
}

// Info describes this machine.
func (s *source) Info() perf.SourceInfo {
	return perf.SourceInfo{Kind: perf.LocalSource, Name: "this machine", Host: s.host, Started: s.started}
}

func (s *source) Schema() *perf.Schema       { return s.schema }
func (s *source) Inventory() *perf.Inventory { return s.inventory }

// Close ends the query.
func (s *source) Close() error { return s.counters.Close() }

// Next reads all counters now.
func (s *source) Next(ctx context.Context, _ time.Duration, column *perf.Column) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.counters.Collect(); err != nil {
		return err
	}
	s.samples++
	if s.samples%adaptersEvery == 0 && s.readAdapters() {
		if err := s.publish(); err != nil {
			return err
		}
	}
	if err := s.discover(); err != nil {
		return err
	}
	column.Time, column.Missed = s.now().UTC(), 0
	column.Grow(len(s.series))
	for i := range column.Cells {
		column.Cells[i] = perf.Missing
	}
	for _, w := range s.watched {
		readings, err := s.counters.Read(w.handle, s.readings[:0])
		s.readings = readings
		if err != nil {
			continue
		}
		for _, reading := range readings {
			if cell, known := w.series[perf.FoldPath(reading.Instance)]; known && cell >= 0 && reading.Valid && !math.IsNaN(reading.Value) {
				column.Cells[cell] = encode(&s.series[cell], reading.Value)
			}
		}
	}
	return nil
}

// encode returns the cell of a value.
func encode(series *perf.Series, value float64) int64 {
	switch {
	case series.Scale == perf.FloatCells:
		return int64(math.Float64bits(value))
	case value < 0 || value >= 1<<64:
		return perf.Missing
	}
	return int64(uint64(value))
}

// Events returns the events of the drivers since the previous call.
func (s *source) Events() []eventlog.Event {
	if s.log == nil {
		return nil
	}
	records, newest, err := s.log.Read(s.newest, false)
	if err != nil {
		return nil // the log was cleared or its service restarts: the next call reads it again
	}
	s.newest = newest
	var events []eventlog.Event
	for _, record := range records {
		event, err := parseEvent(record)
		if err != nil {
			continue
		}
		s.sequence++
		event.Sequence = s.sequence
		events = append(events, event)
	}
	return events
}
