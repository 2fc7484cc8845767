package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/local"
	"cxdeck/perf/monitor"
	"cxdeck/perf/pdh"
	"cxdeck/perf/regular"
	"cxdeck/perf/threshold"
	"cxdeck/store"
	"cxdeck/store/fault"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/views/browse"
	"cxdeck/views/change"
	"cxdeck/views/control"
	"cxdeck/views/counters"
	"cxdeck/views/deck"
	"cxdeck/views/diagnose"
	"cxdeck/views/events"
	"cxdeck/views/exec"
	"cxdeck/views/exec/shell"
	"cxdeck/views/guide"
	"cxdeck/views/history"
	"cxdeck/views/lab"
	"cxdeck/views/overview"
	"cxdeck/views/qos"
	"cxdeck/views/registry"
	"cxdeck/views/settings"
	"cxdeck/views/sriov"
	"cxdeck/views/teaming"
	"cxdeck/views/train"
)

// snapshotInterval is the time between snapshots of an unchanged host in the history. A replay simulates the host from the last
// snapshot on.
const snapshotInterval = 5 * time.Minute

// closeTimeout limits the wait for the last samples to reach the disk when the console ends.
const closeTimeout = 5 * time.Second

func runConsole(s *session) error {
	if s.streams.Terminal == nil && !s.options.plain {
		return mistake("the console requires a terminal; cxdeck counters prints counters without one, and --plain prints the screens as lines")
	}
	for {
		c := newConsole(s)
		open, err := c.prepareSource()
		if err != nil {
			return err
		}
		if err := c.run(open); err != nil || c.next == "" {
			return err
		}
		e, err := s.findExercise(c.next)
		if err == nil {
			err = s.trainInConsole(e, true)
		}
		if err != nil {
			return err
		}
	}
}

func newConsole(s *session) *console {
	c := &console{session: s, shown: make(chan struct{}), deck: &deck.Deck{
		ReadOnly: s.options.readOnly, InBytes: s.options.inBytes, LowBandwidth: s.options.lowBandwidth,
		Restore: s.restoreSnapshots(),
	}}
	c.trainer = &train.Trainer{Directory: s.stateDirectory(), Now: time.Now, Start: c.startExercise, CannotStart: c.cannotStart(),
		Clone: func(ctx context.Context) (*driver.Host, error) { return c.deck.Live.Clone(ctx) }}
	c.guides = &guide.Guides{Open: c.openGuide, Run: c.runGuide, CannotChange: c.deck.CannotChange, Unavailable: c.cannotGuide}
	return c
}

// run opens the source, runs the screens, and closes everything.
func (c *console) run(open sourceOpener) error {
	debug.SetGCPercent(startGarbage)
	if err := c.open(open); err != nil {
		return joinDistinct(err, c.close())
	}
	err := c.show()
	if c.next == "" && !c.returns {
		c.session.ending.begin()
	}
	return joinDistinct(err, c.close(), c.loss())
}

// Garbage collection percentages, as for debug.SetGCPercent. The start of the default lab stays below the first one, and shows
// its first frame without a collection. Afterwards the console is mostly idle, and trades a little processor time for a third
// less memory.
const (
	startGarbage   = 500
	restingGarbage = 25
	settleTime     = 100 * time.Millisecond
	startTime      = time.Second
)

// keepAfter is the time from the start until old parts of the history are summed up or removed: after the first frame and the
// first rates, and before the second collection of the start's garbage.
const keepAfter = 500 * time.Millisecond

// frameTimeout limits the monitor's wait for the first frame on a terminal that does not accept it.
const frameTimeout = 100 * time.Millisecond

// awaitFrame waits for the first frame, which parallel work would delay on a machine with two processors.
func (c *console) awaitFrame(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-c.shown:
	case <-time.After(frameTimeout):
	}
}

// collectGarbage frees the memory of the start after the first frame, and sets the percentage of the idle console.
func (c *console) collectGarbage(ctx context.Context) {
	c.awaitFrame(ctx)
	debug.SetGCPercent(restingGarbage)
	flushProgram()
	for _, pause := range []time.Duration{0, settleTime, startTime} {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
			// Free the memory of the start at once; by default the runtime keeps a part of it for minutes.
			debug.FreeOSMemory()
			releaseCode()
		}
	}
}

// console starts the parts of a running console, and stops them in order.
type console struct {
	session *session
	deck    *deck.Deck
	notice  string
	// labText is the text of the lab file; nil for other sources.
	labText []byte
	// recording is closed when the attempt to begin a session in the history has ended; nil before the attempt.
	recording <-chan struct{}
	// reading reports that another console writes the history.
	reading bool
	// saver saves the host of a lab; nil for other sources and without a history.
	saver *hostSaver
	// serving runs the commands of exec; nil when this console does not own the host.
	serving *serving
	// ownDrafts stores the draft if there is no history; the terminal loop creates it.
	ownDrafts exec.DraftStore
	// variables hold what the typed PowerShell lines assigned.
	variables *shell.Session
	// inherited is the number of changes in the restored host's journal.
	inherited int
	// written is the newest unsaved change that the operator has exported to the file writtenTo.
	written   atomic.Uint64
	writtenTo atomic.Pointer[string]

	// trainer has the exercises; next is the exercise that the operator has chosen to start. returns reports that another console
	// follows this one.
	trainer *train.Trainer
	// guides are the procedures that G lists.
	guides  *guide.Guides
	next    string
	returns bool

	// shown is closed when the first frame is on the terminal.
	shown   chan struct{}
	stop    context.CancelFunc
	running sync.WaitGroup
}

// open starts the history, the source that resumes from it, and the monitor.
func (c *console) open(openSource sourceOpener) error {
	o := c.session.options
	ctx, stop := context.WithCancel(c.session.ctx)
	c.stop = stop
	c.running.Go(func() { c.collectGarbage(ctx) })
	c.openHistory(ctx)
	source, notice, err := openSource(ctx, c.deck.DB)
	if c.recording != nil {
		<-c.recording
	}
	if err != nil {
		return err
	}
	c.notify(notice)
	if noter, ok := source.(perf.Noter); ok {
		for _, note := range noter.Notes() {
			c.notify(note)
		}
	}
	if c.recording == nil {
		c.record(ctx, source.Info())
	}
	if err := c.deck.LoadThresholds(ctx); err != nil {
		c.notify("the thresholds of the previous run can't be read:  " + err.Error())
	}
	options := monitor.Options{
		Interval: o.interval, Speed: o.speed, QuickStart: true,
		Thresholds: c.deck.Thresholds.ApplyTo(thresholds(o.settings, source.Info().Kind)),
	}
	if c.deck.Recorder != nil {
		options.Sink = c.deck.Recorder
		c.saver = newHostSaver(context.WithoutCancel(ctx), c.deck.DB, c.session.log, source.Info())
		options.Saver, options.SaveEvery = c.saver, snapshotInterval
	}
	monitor, err := monitor.New(source, options)
	if err != nil {
		return errors.Join(err, source.Close())
	}
	if guard, unconfirmed := monitor.Unconfirmed(); unconfirmed {
		c.notify(fmt.Sprintf("cxdeck ended before change %d, %q, was confirmed: it is undone", guard.Sequence, guard.Title))
	}
	c.deck.Live, c.inherited = monitor, len(monitor.Journal())
	if c.trainer.Course == nil {
		c.deck.Unsaved = func() int { return len(c.unsavedChanges()) }
	}
	c.running.Go(func() {
		c.awaitFrame(ctx)
		if err := monitor.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
			c.session.log.Error("source", "error", err.Error())
		}
	})
	c.serve(ctx, source.Info())
	return nil
}

// notify shows the operator a notice at the start.
func (c *console) notify(sentence string) {
	if sentence != "" {
		c.notice = strings.TrimPrefix(c.notice+"; "+sentence, "; ")
	}
}

func thresholds(from settings.Settings, source perf.SourceKind) []threshold.Rule {
	if len(from.Thresholds) == 0 {
		return settings.DefaultThresholds(source)
	}
	var list []threshold.Rule
	for _, t := range from.Thresholds {
		list = append(list, t.Perf())
	}
	return list
}

// openHistory opens the history file. The console shows live data even if that fails: the header and the History screen report
// the reason.
func (c *console) openHistory(ctx context.Context) {
	o := c.session.options
	if o.ephemeral {
		c.deck.NoDB = "no history: started with --ephemeral"
		if c.trainer.Course != nil {
			c.deck.NoDB = "no history: an exercise is not recorded"
		}
		return
	}
	keep := o.settings.History
	if o.readOnly {
		// Read-only mode deletes nothing, not even old sessions.
		keep = settings.KeepEverything()
	}
	samples, minutes := keep.Keep()
	recording := store.Options{
		Version: c.session.version, Progress: c.session.salvageProgress(),
		MaximumAge: time.Duration(keep.MaximumAge), MaximumBytes: int64(keep.MaximumUse),
		Levels: true, KeepSamples: samples, KeepMinutes: minutes, KeepAfter: keepAfter,
	}
	db, err := store.Open(ctx, o.db, recording)
	for begun := time.Now(); errors.Is(err, fault.ErrInUse) && time.Since(begun) < c.ownerTimeout(ctx); {
		time.Sleep(maxPause)
		db, err = store.Open(ctx, o.db, recording)
	}
	if why := err; errors.Is(err, fault.ErrInUse) || errors.Is(err, fault.ErrLocked) || unwritable(err) {
		// Another console records, or the file is locked or can't be written. It can still be read.
		db, err = store.Open(ctx, o.db, store.Options{ReadOnly: true, Version: c.session.version, Progress: c.session.salvageProgress()})
		if errors.Is(err, fault.ErrNoFile) {
			err = why
		}
		if err == nil {
			c.notify(why.Error())
			c.reading, c.deck.Unwritable = true, why.Error()
		}
	}
	if err != nil {
		c.deck.NoDB, c.notice = err.Error(), err.Error()
		c.session.log.Error("history", "error", err.Error())
		return
	}
	c.deck.DB = db
	if c.session.ending != nil {
		c.session.ending.setBlocker(func() error { return db.Locked(context.WithoutCancel(ctx)) })
	}
	c.notify(db.Notice())
}

// Maximum waits at the start for an exec that owns the host, and for an owner that can't be reached because it is starting or
// ending.
const (
	execTimeout = 3 * time.Second
	lostTimeout = 300 * time.Millisecond
)

// ownerTimeout returns how long to wait for the owner of the history.
func (c *console) ownerTimeout(ctx context.Context) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, maxPause)
	defer cancel()
	client, err := control.Dial(ctx, c.session.options.db, control.Hello{Version: c.session.version})
	if err != nil {
		return lostTimeout
	}
	defer client.Close()
	if client.Owner.Owner == control.Exec {
		return execTimeout
	}
	return 0
}

// beginRecording begins a session while the source is being prepared, because the first write waits for the disk. It closes the
// channel recording at its end.
func (c *console) beginRecording(ctx context.Context, info perf.SourceInfo) {
	if c.recording != nil {
		return
	}
	done := make(chan struct{})
	c.recording = done
	c.running.Go(func() {
		defer close(done)
		c.record(ctx, info)
	})
}

// record begins a session in the history if this console may write it, and sets deck.Recorder.
func (c *console) record(ctx context.Context, info perf.SourceInfo) {
	if c.deck.DB == nil || c.reading {
		return
	}
	recorder, err := c.deck.DB.Begin(ctx, info, c.session.options.interval)
	if err != nil {
		c.notify(err.Error())
		c.deck.Unwritable = err.Error()
		c.session.log.Error("history", "error", err.Error())
		return
	}
	c.deck.Recorder = recorder
}

// show runs the screens until the operator quits.
func (c *console) show() error {
	options, err := c.screens()
	if err != nil {
		return err
	}
	if c.session.options.plain {
		close(c.shown)
		if in := c.session.streams.In; in == nil || !isTerminal(in) {
			options.Ended = func() bool { return c.deck.Live.Status().Ended }
		}
		return ui.RunPlain(c.session.ctx, options, c.session.streams.In, c.session.streams.Out, c.session.options.interval)
	}
	return ui.Run(c.session.ctx, options)
}

func (c *console) screens() (ui.Options, error) {
	o := c.session.options
	getenv := func(name string) string {
		value, _ := c.session.streams.Environment(name)
		return value
	}
	glyphs, err := chooseGlyphs(o.glyphs, getenv)
	if err != nil {
		return ui.Options{}, err
	}
	looks, err := looks(o.theme, glyphs, themes.DetectProfile(getenv))
	if err != nil {
		return ui.Options{}, err
	}
	c.deck.Zone = time.Local
	seekBar := browse.SeekBar{Deck: c.deck}
	options := ui.Options{
		Product: "cxdeck",
		Views:   Screens(c.deck),
		Start:   o.screen,
		Header:  func() ui.Header { return c.deck.Header(glyphs) },
		Rule:    seekBar.Draw,
		RuleHit: seekBar.Hit,
		Items:   c.deck.Items,
		Actions: func(screen string) []ui.Action {
			return slices.Concat(change.WaitActions(c.deck), c.trainer.Actions(), c.guides.Actions(screen))
		},
		Waits:           c.deck.Waits,
		Line:            c.line,
		Complete:        c.complete,
		Looks:           looks,
		Feeds:           []<-chan struct{}{c.deck.Live.Updates()},
		Unchangeable:    c.deck.CannotChange,
		ReadOnly:        o.readOnly,
		LowBandwidth:    o.lowBandwidth,
		Mouse:           !o.noMouse,
		QuitQuestion:    c.askBeforeLoss,
		Version:         c.session.version,
		ReportDirectory: c.session.stateDirectory(),
		Arrived:         c.takeNotices,
		Input:           c.session.streams.In,
		Output:          c.session.streams.Terminal,
		Taken:           c.session.ending.onTerminal,
		Shown:           func() { close(c.shown) },
		Log: func(entry ui.LogEntry) {
			c.session.log.Info("action", "what", entry.What, "commands", entry.Commands)
		},
	}
	if c.serving != nil {
		options.Feeds = append(options.Feeds, c.serving.changes)
	}
	if c.notice != "" {
		options.Notice = c.notice
	}
	return options, nil
}

// Screens returns all screens in the order of their number keys.
func Screens(d *deck.Deck) []ui.View {
	return []ui.View{overview.New(d), counters.New(d), registry.New(d), teaming.New(d), sriov.New(d), qos.New(d), events.New(d), history.New(d), lab.New(d), diagnose.New(d)}
}

// close stops commands of exec, the source and the recorder, in this order: the order of the data.
func (c *console) close() error {
	if c.serving != nil {
		c.serving.close()
	}
	if c.stop != nil {
		c.stop()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.session.ctx), closeTimeout)
	defer cancel()
	problems := []error{c.deck.Close(ctx)}
	c.running.Wait()
	if c.saver != nil {
		problems = append(problems, c.saver.close())
	}
	if c.deck.Recorder != nil {
		problems = append(problems, c.deck.Recorder.Close(ctx))
	}
	if c.deck.DB != nil {
		problems = append(problems, c.deck.DB.Close())
		if rescue := c.deck.DB.Rescue(); rescue.Moved != "" {
			if moved := errors.New(rescue.Moved); rescue.Lost {
				problems = append(problems, moved) // the exit code reports it, too
			} else {
				complain(c.session.streams.Err, moved)
			}
		}
	}
	return joinDistinct(problems...)
}

func chooseGlyphs(name string, getenv func(string) string) (*themes.Glyphs, error) {
	if name == "" || name == "auto" {
		return themes.DetectGlyphs(getenv), nil
	}
	return themes.GlyphsByName(name)
}

// looks returns all themes, the chosen one first.
func looks(chosen string, glyphs *themes.Glyphs, profile themes.Profile) ([]ui.Look, error) {
	first, err := themes.ByName(chosen)
	if err != nil {
		return nil, err
	}
	look := func(theme themes.Theme) ui.Look {
		l := ui.Look{Name: theme.Name, Painter: themes.NewPainter(theme, profile), Glyphs: glyphs}
		if profile == themes.NoColor || !theme.Colored() {
			l.Glyphs = glyphs.WithLetters()
		}
		return l
	}
	list := []ui.Look{look(first)}
	for _, theme := range themes.All() {
		if theme.Name != first.Name {
			list = append(list, look(theme))
		}
	}
	return list, nil
}

// sourceOpener opens a source; a lab resumes its host from db, which may be nil. notice is a sentence for the operator, or empty.
type sourceOpener func(ctx context.Context, db *store.DB) (source perf.Source, notice string, err error)

// prepareSource checks --source and --lab before anything is opened. It builds a lab while the history is opened.
func (c *console) prepareSource() (open sourceOpener, err error) {
	s := c.session
	if s.options.source == "lab" {
		if c.labText, err = s.labText(); err != nil {
			return nil, err
		}
		laid := s.layOutText(c.labText)
		if s.options.labFile != "" { // the embedded lab is valid
			if _, err := laid.plant(); err != nil {
				return nil, err
			}
		}
		c.running.Go(func() {
			_, _ = laid.plant() // restoreLab returns the error
			readTables()
		})
		return func(ctx context.Context, db *store.DB) (perf.Source, string, error) {
			s.hostReady = func(info perf.SourceInfo) { c.beginRecording(ctx, info) }
			lab, err := s.restoreLab(ctx, laid, db)
			return lab.source, lab.notice, err
		}, nil
	}
	source, err := s.openSource()
	if err != nil {
		return nil, err
	}
	if source.Info().Kind == perf.LogSource {
		c.deck.Reopen = s.openSource
	}
	return func(context.Context, *store.DB) (perf.Source, string, error) { return source, "", nil }, nil
}

// openSource opens the source of --source; a lab starts with a new host.
func (s *session) openSource() (perf.Source, error) {
	switch s.options.source {
	case "lab":
		description, err := s.describeLab()
		if err != nil {
			return nil, err
		}
		lab, err := s.restoreLab(s.ctx, layOut(description), nil)
		return lab.source, err
	case "local":
		return local.Open()
	}
	if err := regular.Check(s.options.source); errors.Is(err, fs.ErrNotExist) {
		return nil, sourceMistake(s.options.source)
	} else if err != nil {
		return nil, unreadable("--source", s.options.source, err)
	}
	return pdh.Open(s.options.source)
}
