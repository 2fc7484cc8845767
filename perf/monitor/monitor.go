package monitor

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
	"cxdeck/driver/keeper"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/perf/threshold"
	"cxdeck/perf/window"
)

// Sink receives everything that a monitor publishes, to store it. Its methods must not block, and must not keep their arguments
// beyond the call, except schemas and inventories, which never change. After a seek the columns continue at another time; the
// columns that fill the window before it are not passed to the sink.
type Sink interface {
	Schema(schema *perf.Schema, inventory *perf.Inventory)
	Column(column *perf.Column)
	Events(events []eventlog.Event)
	Journal(entry driver.Entry)
}

// Options are the options of a monitor.
type Options struct {
	// Interval between samples in the source's time, 100 ms to 60 s.
	Interval time.Duration
	// Speed is the source's time relative to real time; ignored for a live machine. 0 means 1.
	Speed float64
	// Recorded reports that a live machine or fleet is a recorded one, whose clock moves with its samples: Speed is valid for it.
	Recorded bool
	// QuickStart takes the second sample 200 ms after the first, so that rates show at once.
	QuickStart bool
	// Sink may be nil.
	Sink Sink
	// Thresholds are watched from the first column on.
	Thresholds []threshold.Rule
	// Saver saves the source's host after each change and when Run ends; nil for none.
	Saver keeper.Saver
	// SaveEvery is the interval, in the source's time, at which the host is saved without a change; it is also saved with the
	// first sample. With 0 it is saved only after changes and at the end.
	SaveEvery time.Duration
	// RestoreHost restores the host of a recording; nil for a recording without a host.
	Past RestoreHost
}

// The limits of a monitor's interval and speed.
const (
	MinInterval = 100 * time.Millisecond
	MaxInterval = 60 * time.Second
	MinSpeed    = 0.1
	MaxSpeed    = 1000
)

// fleetValues limits the values that are kept of a fleet, because Prometheus keeps all of them: 1,000 hosts with 100 series keep
// a quarter of an hour at an interval of 15 s.
const fleetValues = 6_000_000

// ErrNotPossible is wrapped by errors about actions that a source does not support.
var ErrNotPossible = errors.New("not possible")

// Monitor owns a source: it samples the source at the pace that the operator chooses, keeps the window, the events and the
// journal, and publishes all of it. Run is the owner; every other method may be called from any goroutine.
type Monitor struct {
	// Changer changes the source's host between two samples.
	keeper.Changer
	window  *window.Recent
	updates chan struct{}
	// wake signals changed settings to the owner, which also runs requests between two samples.
	wake     chan struct{}
	requests chan func(context.Context)
	ended    chan struct{}
	sink     Sink

	live, operable, seekable bool
	from, to                 time.Time

	mutex sync.RWMutex
	// The fields below are guarded by mutex. Only the owner writes published data; any goroutine may write the settings.
	settings  settings
	schema    *perf.Schema
	inventory *perf.Inventory
	status    Status
	// newlyWatched are watched series that have not been passed to the source yet.
	newlyWatched []int
	events       eventlog.Log
	journal      []driver.Entry
	states       []threshold.State
	lab          *labstate.State
	health       *findings.Report
	// unconfirmed is the change that waits for its confirmation; its Sequence is 0 for none.
	unconfirmed driver.Guard
	past        past

	owner owner
}

// settings are the settings that the operator may change at any time.
type settings struct {
	interval time.Duration
	speed    float64
	paused   bool
	// until is the end of the skipped time, in the source's time; zero for none.
	until time.Time
	// repeated is the range of a recording that is played in a loop.
	repeated span
	// thresholds were replaced if their generation differs from the watched one.
	thresholds          []threshold.Rule
	thresholdGeneration int
}

// New wraps a source. The monitor closes it when Run returns.
func New(source perf.Source, options Options) (*Monitor, error) {
	if err := checkInterval(options.Interval); err != nil {
		return nil, err
	}
	info := source.Info()
	live := (info.Kind == perf.LocalSource || info.Kind == perf.FleetSource) && !options.Recorded
	if options.Speed == 0 || live {
		options.Speed = 1
	}
	if err := checkSpeed(options.Speed); err != nil {
		return nil, err
	}
	for _, threshold := range options.Thresholds {
		if err := threshold.Check(); err != nil {
			return nil, err
		}
	}
	m := &Monitor{
		window:    window.New(options.Interval),
		updates:   make(chan struct{}, 1),
		wake:      make(chan struct{}, 1),
		requests:  make(chan func(context.Context)),
		ended:     make(chan struct{}),
		sink:      options.Sink,
		live:      live,
		settings:  settings{interval: options.Interval, speed: options.Speed, thresholds: options.Thresholds},
		schema:    source.Schema(),
		inventory: source.Inventory(),
		states:    threshold.States(nil, options.Thresholds, source.Schema()),
		status:    Status{Info: info, Now: info.Started, Interval: options.Interval, Speed: options.Speed},
	}
	if info.Kind == perf.FleetSource {
		m.window.Limit(fleetValues)
	}
	if seeker, can := source.(perf.Seeker); can {
		m.from, m.to = seeker.Span()
		m.seekable = true
	}
	m.past = newPast(options.Past)
	m.owner = owner{Monitor: m, source: source, runner: threshold.NewRunner(), saveEvery: options.SaveEvery}
	if operator, can := source.(Operator); can {
		m.owner.host = operator.Host()
	}
	if host := m.owner.host; host != nil {
		m.operable, m.lab = true, source.(Operator).State()
		m.journal = host.Journal() // a restored host has a journal
		m.unconfirmed, _ = host.Unconfirmed()
	}
	m.owner.keeper = keeper.New(m.owner.host, options.Saver, keeper.Options{Own: m.doOnHost, Now: time.Now, Report: m.owner.publishEntry})
	m.Changer = m.owner.keeper.Changer()
	m.owner.pace.live = live
	if options.QuickStart {
		m.owner.early = 2
	}
	return m, nil
}

func checkInterval(interval time.Duration) error {
	if interval < MinInterval || interval > MaxInterval {
		return fmt.Errorf("the interval %s is not between 100 ms and 60 s", interval)
	}
	return nil
}

func checkSpeed(speed float64) error {
	if !(speed >= MinSpeed && speed <= MaxSpeed) {
		return fmt.Errorf("the speed %g is not between %g and %d", speed, MinSpeed, MaxSpeed)
	}
	return nil
}

// Updates sends a token after a new column or a change of status; tokens without a receiver are dropped. At high speed there
// are at most 20 tokens per second.
func (m *Monitor) Updates() <-chan struct{} { return m.updates }

// Window returns the window of recent columns; it is the same one for the monitor's life.
func (m *Monitor) Window() *window.Recent { return m.window }

// Schema returns the newest schema.
func (m *Monitor) Schema() *perf.Schema {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.schema
}

// Inventory returns the newest inventory.
func (m *Monitor) Inventory() *perf.Inventory {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.inventory
}

// Lab returns the environment of a lab's adapters, for a recording at its position; nil when no host is known. Each column and
// each change publishes a new one.
func (m *Monitor) Lab() *labstate.State {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.lab
}

// Status returns the current status of the monitor.
func (m *Monitor) Status() Status {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.status
}

// Events returns the newest events with a sequence above after, oldest first, at most limit of them. The monitor keeps
// the newest 10,000 and numbers them itself.
func (m *Monitor) Events(after uint64, limit int) []eventlog.Event {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.events.After(after, limit)
}

// Journal returns all entries of the host, oldest first, including the entries from before the start. A
// recording returns the entries up to its time.
func (m *Monitor) Journal() []driver.Entry {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.journal[:len(m.journal):len(m.journal)]
}

// SetInterval changes the time between samples; it fails outside 100 ms to 60 s.
func (m *Monitor) SetInterval(interval time.Duration) error {
	if err := checkInterval(interval); err != nil {
		return err
	}
	m.set(func(s *settings) { s.interval = interval })
	return nil
}

// SetSpeed changes the speed; it fails for a live machine and outside 0.1 to 1000.
func (m *Monitor) SetSpeed(speed float64) error {
	if m.live {
		return fmt.Errorf("%w: this machine runs at its own speed", ErrNotPossible)
	}
	if err := checkSpeed(speed); err != nil {
		return err
	}
	m.set(func(s *settings) { s.speed = speed })
	return nil
}

// SetPaused stops and resumes the source's time; it fails for a live machine.
func (m *Monitor) SetPaused(paused bool) error {
	if m.live {
		return fmt.Errorf("%w: the time of this machine can't be stopped; freeze the screen instead", ErrNotPossible)
	}
	m.set(func(s *settings) { s.paused = paused })
	return nil
}

// SetThresholds replaces the thresholds. Unchanged ones keep their alarms. A threshold that fails its Check watches nothing.
func (m *Monitor) SetThresholds(thresholds []threshold.Rule) {
	m.set(func(s *settings) {
		s.thresholds = append([]threshold.Rule(nil), thresholds...)
		s.thresholdGeneration++
		m.states = threshold.States(m.states, s.thresholds, m.schema)
	})
}

// Thresholds returns each threshold with its current state, once for each series that it watches, or once if it watches
// none.
func (m *Monitor) Thresholds() []threshold.State {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return append([]threshold.State(nil), m.states...)
}

// Watch marks series as watched from now on; see perf.Watcher. They are passed to the source before its next column.
func (m *Monitor) Watch(series ...int) {
	m.mutex.Lock()
	m.newlyWatched = append(m.newlyWatched, series...)
	m.mutex.Unlock()
	signal(m.wake)
}

// set changes the settings, shows them in the status at once and wakes the owner.
func (m *Monitor) set(change func(*settings)) {
	m.mutex.Lock()
	change(&m.settings)
	m.status.Interval, m.status.Speed, m.status.Paused = m.settings.interval, m.settings.speed, m.settings.paused
	m.status.RepeatFrom, m.status.RepeatTo = m.settings.repeated.from, m.settings.repeated.to
	m.mutex.Unlock()
	signal(m.wake)
	signal(m.updates)
}

// signal sends a token unless one is waiting.
func signal(channel chan struct{}) {
	select {
	case channel <- struct{}{}:
	default:
	}
}
