package monitor

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/perf/threshold"
	"cxdeck/perf/window"
)

// Sink takes all that a monitor sees, to keep it. Its methods must not block and must not keep what they are given
// beyond the call, but for schemas and inventories, which never change. After a seek the columns go on at another time;
// the columns that fill the window before it are not given again.
type Sink interface {
	Schema(schema *perf.Schema, inventory *perf.Inventory)
	Column(column *perf.Column)
	Events(events []eventlog.Event)
	Journal(entry driver.Entry)
}

// Options are the choices for a monitor.
type Options struct {
	// Interval between samples in the source's time, 100 ms to 60 s.
	Interval time.Duration
	// Speed is how many seconds of the source pass in one; ignored for a live machine. 0 counts as 1.
	Speed float64
	// QuickStart takes the second sample 200 ms after the first, so that rates show at once.
	QuickStart bool
	// Sink may be nil.
	Sink Sink
	// Thresholds are watched from the first column on.
	Thresholds []threshold.Rule
	// Keep is called with the source's host after each change and when Run ends, to save it; nil for none. It must not
	// keep the host.
	Keep func(*driver.Host)
	// Begin is called before a change of the source's host begins, with its plan and the newest entry of the journal
	// then, to note on disk that it was begun; what it gives is called when the change is over, and after Keep when it
	// was applied. Both may block, and run on the goroutine of whoever asked for the change. nil for none.
	Begin func(ctx context.Context, plan driver.Plan, after uint64) (end func())
}

// The bounds of a monitor's pace.
const (
	MinInterval = 100 * time.Millisecond
	MaxInterval = 60 * time.Second
	MinSpeed    = 0.1
	MaxSpeed    = 1000
)

// ErrNotPossible is wrapped by the errors that say that a source can't do what was asked of it.
var ErrNotPossible = errors.New("not possible")

// Monitor owns a source: it samples it at the pace of the operator's choice, keeps the window, the events and the
// journal, and publishes all of it. Run is the owner; every other method may be called from any goroutine.
type Monitor struct {
	window  *window.Recent
	updates chan struct{}
	// wake tells the owner that the settings changed; requests are done by it between two samples.
	wake     chan struct{}
	requests chan func(context.Context)
	ended    chan struct{}
	sink     Sink
	keep     func(*driver.Host)
	begin    func(context.Context, driver.Plan, uint64) func()

	live, operable, seekable bool
	from, to                 time.Time

	mutex sync.RWMutex
	// Below is guarded by mutex. Only the owner writes what is published; anyone writes the settings.
	settings  settings
	schema    *perf.Schema
	inventory *perf.Inventory
	status    Status
	// looked are series that someone began to look at and the source has not been told of.
	looked  []int
	events  eventlog.Log
	journal []driver.Entry
	states  []threshold.State
	lab     *labstate.State
	// unconfirmed is the change that waits for its confirmation; its Sequence is 0 for none.
	unconfirmed Unconfirmed

	owner owner
}

// settings are what the operator may change at any time.
type settings struct {
	interval time.Duration
	speed    float64
	paused   bool
	// until is when the stretch ends that passes at once, by the source's time; zero for none.
	until time.Time
	// thresholds were replaced when their generation differs from the one that is watched.
	thresholds          []threshold.Rule
	thresholdGeneration int
}

// New wraps a source. The monitor closes it when Run returns.
func New(source perf.Source, options Options) (*Monitor, error) {
	if err := checkInterval(options.Interval); err != nil {
		return nil, err
	}
	info := source.Info()
	live := info.Kind == perf.LocalSource
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
		keep:      options.Keep,
		begin:     options.Begin,
		live:      live,
		settings:  settings{interval: options.Interval, speed: options.Speed, thresholds: options.Thresholds},
		schema:    source.Schema(),
		inventory: source.Inventory(),
		states:    threshold.States(nil, options.Thresholds, source.Schema()),
		status:    Status{Info: info, Now: info.Started, Interval: options.Interval, Speed: options.Speed},
	}
	if seeker, can := source.(perf.Seeker); can {
		m.from, m.to = seeker.Span()
		m.seekable = true
	}
	operator, can := source.(Operator)
	if m.operable = can && operator.Host() != nil; m.operable {
		m.lab = operator.State()
		m.journal = operator.Host().Journal() // a host that was restored has one already
		guard, _ := operator.Host().Unconfirmed()
		m.unconfirmed = Unconfirmed(guard)
	}
	m.owner = owner{Monitor: m, source: source, runner: threshold.NewRunner()}
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

// Updates gives a token after a new column or a change of status; tokens that nobody takes are dropped. At high speed
// there are at most 20 tokens a second.
func (m *Monitor) Updates() <-chan struct{} { return m.updates }

// Window is the recent past; it is the same as long as the monitor is.
func (m *Monitor) Window() *window.Recent { return m.window }

// Schema is the newest schema.
func (m *Monitor) Schema() *perf.Schema {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.schema
}

// Inventory is the newest inventory.
func (m *Monitor) Inventory() *perf.Inventory {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.inventory
}

// Lab is what is around the adapters of a lab; nil for a source that takes no changes. It is a new one after each
// column and each change.
func (m *Monitor) Lab() *labstate.State {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.lab
}

// Status is how the monitor is now.
func (m *Monitor) Status() Status {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.status
}

// Events gives the newest events with a sequence above after, oldest first, at most limit of them. The monitor keeps
// the newest 10,000 and numbers them itself.
func (m *Monitor) Events(after uint64, limit int) []eventlog.Event {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.events.After(after, limit)
}

// Journal gives all entries of the host, oldest first: what it came with and what was done since the start.
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

// SetThresholds replaces the thresholds. Unchanged ones keep their alarms. A threshold that does not pass
// its Check watches nothing.
func (m *Monitor) SetThresholds(thresholds []threshold.Rule) {
	m.set(func(s *settings) {
		s.thresholds = append([]threshold.Rule(nil), thresholds...)
		s.thresholdGeneration++
		m.states = threshold.States(m.states, s.thresholds, m.schema)
	})
}

// Thresholds gives each threshold with its present state, once for each series that it watches, or once if it watches
// none.
func (m *Monitor) Thresholds() []threshold.State {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return append([]threshold.State(nil), m.states...)
}

// Watch says that someone looks at series from now on; see Watcher. The source is told before its next column.
func (m *Monitor) Watch(series ...int) {
	m.mutex.Lock()
	m.looked = append(m.looked, series...)
	m.mutex.Unlock()
	signal(m.wake)
}

// set changes the settings, shows them in the status at once and wakes the owner.
func (m *Monitor) set(change func(*settings)) {
	m.mutex.Lock()
	change(&m.settings)
	m.status.Interval, m.status.Speed, m.status.Paused = m.settings.interval, m.settings.speed, m.settings.paused
	m.mutex.Unlock()
	signal(m.wake)
	signal(m.updates)
}

// signal leaves a token when there is none.
func signal(channel chan struct{}) {
	select {
	case channel <- struct{}{}:
	default:
	}
}
