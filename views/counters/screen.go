package counters

import (
	"time"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/counters/timeline"
	"cxdeck/views/deck"
)

// ID names the screen in ui.Go and --screen.
const ID = "counters"

// viewMode is the kind of drawing.
type viewMode uint8

const (
	modeLine viewMode = iota
	modeBars
	modeReport
	modeCount
)

// modeNames are the names of the modes, in the title line and in stored layouts.
var modeNames = [modeCount]string{"line", "bars", "report"}

// Screen is the Counters screen. It belongs to the terminal loop.
type Screen struct {
	deck     *deck.Deck
	location *time.Location
	// directory is the default directory of exports.
	directory string

	// monitor and schema are the ones in which the curves were looked up.
	monitor *monitor.Monitor
	schema  *perf.Schema
	status  monitor.Status
	// samples is incremented with every sample, chosen with every change of the set of curves, changes with every other
	// choice. The picture is computed again when one of them has changed.
	samples, chosen, changes uint64

	curves curves
	// title describes the curves; why is the reason why there are none.
	title, why string
	// filled is set once the screen has got its first curves.
	filled bool
	// awaiting is the preset that found nothing and is tried again when the schema grows; -1 for none.
	awaiting int
	// live is the current preset; -1 after the operator has changed the curves.
	live int
	// focus waits for a schema that has its instances.
	focus *deck.Focus

	mode    viewMode
	stacked bool
	log     bool
	small   bool
	scale   scaleMode
	manual  float64
	// highlight is the path of the highlighted curve, empty for none.
	highlight string
	// smallTop is the first visible small chart.
	smallTop int

	time      timeline.Timeline
	picture   picture
	past      past
	marks     timeline.Marks
	alarms    alarms
	legend    widget.Table
	barList   widget.List
	reportTop widget.List
	catalogue *perf.CounterCatalogue
	index     indexCache
	layouts   layoutList
	// pressed is the time at which the mouse was pressed on the chart, zero when it is not down.
	pressed time.Time
	// glyph is the line before a name in the legend; ellipsis replaces the middle of long names.
	glyph, ellipsis rune
}

// Option changes how a Screen is made.
type Option func(*Screen)

// WithLocation sets the time zone of clock times; the local one otherwise.
func WithLocation(location *time.Location) Option {
	return func(s *Screen) { s.location = location }
}

// WithExportDirectory sets where exports go when the operator types no directory; the working directory otherwise.
func WithExportDirectory(path string) Option {
	return func(s *Screen) { s.directory = path }
}

// New makes the screen over a deck.
func New(d *deck.Deck, options ...Option) *Screen {
	s := &Screen{deck: d, location: time.Local, awaiting: -1, live: -1}
	s.time.Growing = true
	s.legend = widget.Table{ID: zoneLegend, Focused: true, SortColumn: -1}
	for _, option := range options {
		option(s)
	}
	return s
}

func (s *Screen) ID() string { return ID }

func (s *Screen) Title() string { return "Counters" }

func (s *Screen) Help() string {
	return "Counters over time, as in Performance Monitor. The graph shows the chosen counters; the legend below gives " +
		"their last, average, minimum and maximum values over the window shown. P loads a preset of counters, a adds single counters. Left and right move a cursor that reads all values at its time and names the " +
		"event under it; V at both of its ends marks a range; [ and ] change the length of the window. A window of up to 10 minutes shows every sample, " +
		"a longer one the minimum, maximum and average of each 30 seconds. Marks on the time axis are events and applied changes. " +
		"Keys to seek in a recording: Home and End, ( and ) by 10 seconds, { and } by a minute, K and J to an event or " +
		"change, @ to a time that you type."
}

// Frozen implements ui.Freezer: a frozen screen sends nothing to the terminal.
func (s *Screen) Frozen() bool { return s.time.Frozen }

func (s *Screen) Update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case ui.DataMsg:
		return s.takeData()
	case ui.ShowMsg:
		return s.show(msg.Arg)
	case ui.KeyMsg:
		return s.key(msg)
	case ui.HitMsg:
		return s.hit(msg)
	case catalogueMsg:
		s.catalogue = msg.catalogue
		s.changes++
	case indexMsg:
		s.index.take(msg)
		s.fill()
	case pastMsg:
		return ui.Batch(s.handlePast(msg), s.readPast())
	case layoutsMsg:
		s.layouts.take(msg)
	case deck.GoneBackMsg:
		return s.deck.TakePast(msg)
	case savedMsg:
		return s.takeSaved(msg)
	case exportedMsg:
		return s.takeExported(msg)
	case deck.AddCounter:
		return s.addCounter(msg.Path)
	case keepLayoutMsg:
		return s.keepLayout()
	}
	return nil
}

// catalogueMsg contains the counter catalogue, which takes some milliseconds to read the first time.
type catalogueMsg struct{ catalogue *perf.CounterCatalogue }

// takeData handles a new sample, a new schema, or another monitor.
func (s *Screen) takeData() ui.Cmd {
	var cmds []ui.Cmd
	monitor := s.deck.Monitor()
	if monitor != s.monitor {
		cmds = append(cmds, s.switchTo(monitor))
	}
	if monitor == nil {
		return ui.Batch(cmds...)
	}
	s.status = monitor.Status()
	if schema := monitor.Schema(); schema != s.schema {
		s.schema = schema
		s.resolve()
		cmds = append(cmds, s.buildIndex())
	}
	s.samples++
	if window := monitor.Window(); window != nil {
		if oldest, newest, ok := window.Span(); ok {
			s.time.Extend(newest.Sub(oldest))
		}
	}
	s.fill()
	s.addActive()
	s.marks.Update(s.deck.Events())
	s.alarms.update(monitor.Thresholds())
	if s.alarms.hasThresholds() {
		s.changes++
	}
	cmds = append(cmds, s.readPast())
	return ui.Batch(cmds...)
}

// switchTo changes to another monitor: it clears the old one's data, and keeps the chosen counters and the settings.
func (s *Screen) switchTo(monitor *monitor.Monitor) ui.Cmd {
	first := s.monitor == nil
	s.monitor, s.schema = monitor, nil
	s.time.End, s.time.Frozen, s.time.Cursor = time.Time{}, false, time.Time{}
	s.past, s.picture, s.alarms, s.index = past{}, picture{}, alarms{}, indexCache{}
	for i := range s.curves {
		s.curves[i].series = -1
		s.curves[i].peak = timeline.NoStatistics.Maximum
	}
	s.chosen++
	var cmds []ui.Cmd
	if s.catalogue == nil {
		cmds = append(cmds, ui.Background("read the counter catalogue", readCatalogue))
	}
	if first {
		cmds = append(cmds, s.readLayouts())
	}
	return ui.Batch(cmds...)
}

// fill shows the counters of the last deferred request, or the first ones.
func (s *Screen) fill() {
	if s.index.index == nil || len(s.index.index.Sets) == 0 {
		return
	}
	switch {
	case s.focus != nil:
		if s.applyFocus(*s.focus) {
			s.focus = nil
		}
	case !s.filled && s.twoSamples():
		s.filled = true
		s.applyPreset(0)
	case s.filled && s.awaiting >= 0 && len(s.curves) == 0:
		s.applyPreset(s.awaiting)
	}
}

// twoSamples reports whether there are rates, which the busiest ports are found by, or there will be none.
func (s *Screen) twoSamples() bool {
	window := s.monitor.Window()
	if window == nil {
		return false
	}
	oldest, newest, ok := window.Span()
	return ok && newest.After(oldest) || s.status.Paused || s.status.Ended || s.status.Err != nil
}

// show applies the focus with which the screen was opened, if there is one.
func (s *Screen) show(arg any) ui.Cmd {
	if focus, ok := arg.(deck.Focus); ok {
		if !focus.Range.From.IsZero() {
			s.deck.MarkRange(focus.Range.From, focus.Range.To)
		}
		if len(focus.Instances) == 0 && len(focus.Paths) == 0 && s.monitor != nil {
			s.moveCursorTo(focus.At) // the counters stay
			return nil
		}
		s.focus, s.filled = &focus, true
		s.fill()
		return s.saveLayoutSoon()
	}
	return nil
}

// resolve looks up the curves' paths in a new schema.
func (s *Screen) resolve() {
	found := s.curves.resolve(s.schema)
	s.chosen++
	s.choose(found)
}

// choose makes the window keep 24 hours of the curves, and makes the source count counters that it counts only on demand.
func (s *Screen) choose(series []int) {
	if s.monitor == nil || len(series) == 0 {
		return
	}
	s.monitor.Watch(series...)
	if window := s.monitor.Window(); window != nil {
		window.Choose(series...)
	}
}

// highlighted returns the highlighted row, -1 for none.
func (s *Screen) highlighted() int {
	if s.highlight == "" {
		return -1
	}
	return s.curves.index(s.highlight)
}

// selected returns the row under the legend's cursor, -1 for none.
func (s *Screen) selected() int {
	if i := s.legend.List.Cursor(); i < len(s.curves) {
		return i
	}
	return -1
}

// curvesChanged must be called after curves were added or removed.
func (s *Screen) curvesChanged() {
	s.chosen++
	s.smallTop = 0
	s.legend.List.SetLength(len(s.curves))
	var found []int
	for i := range s.curves {
		if !s.curves[i].missing() {
			found = append(found, s.curves[i].series)
		}
	}
	s.choose(found)
}
