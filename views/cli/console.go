package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/views/counters"
	"cxdeck/views/deck"
	"cxdeck/views/events"
	"cxdeck/views/history"
	"cxdeck/views/overview"
	"cxdeck/views/settings"
)

// closingTime bounds how long the console waits at its end for the last samples to reach the disk.
const closingTime = 5 * time.Second

func runConsole(s *session) error {
	if s.streams.Terminal == nil && !s.options.plain {
		return mistake("the console needs a terminal, and this is none; cxdeck counters prints without one, and --plain shows the screens as lines")
	}
	source, err := s.openSource()
	if err != nil {
		return err
	}
	c := &console{session: s, deck: &deck.Deck{
		ReadOnly: s.options.readOnly, InBytes: s.options.inBytes, LowBandwidth: s.options.lowBandwidth,
	}}
	if err := c.open(source); err != nil {
		_ = source.Close()
		return err
	}
	err = c.show()
	return errors.Join(err, c.close())
}

// console is the wiring of a running console: who is started, and who is stopped in which order.
type console struct {
	session *session
	deck    *deck.Deck
	notice  string

	stop    context.CancelFunc
	running sync.WaitGroup
}

// open starts the history and the monitor.
func (c *console) open(source perf.Source) error {
	o := c.session.options
	ctx, stop := context.WithCancel(c.session.ctx)
	c.stop = stop
	c.openHistory(ctx, source)
	var sink perf.Sink
	if c.deck.Recorder != nil {
		sink = c.deck.Recorder
	}
	monitor, err := perf.NewMonitor(source, perf.MonitorOptions{
		Interval: o.interval, Speed: o.speed, QuickStart: true, Sink: sink, Thresholds: thresholds(o.settings, source.Info().Kind),
	})
	if err != nil {
		stop()
		return errors.Join(err, c.close())
	}
	c.deck.Live = monitor
	c.running.Go(func() {
		if err := monitor.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
			c.session.log.Error("source", "error", err.Error())
		}
	})
	return nil
}

func thresholds(from settings.Settings, source perf.SourceKind) []perf.Threshold {
	if len(from.Thresholds) == 0 {
		return settings.DefaultThresholds(source)
	}
	var list []perf.Threshold
	for _, one := range from.Thresholds {
		list = append(list, one.Perf())
	}
	return list
}

// openHistory opens the history file and begins a session in it. What is wrong with it never keeps the console from
// showing live data: the header and the History screen say what it is.
func (c *console) openHistory(ctx context.Context, source perf.Source) {
	o := c.session.options
	if o.ephemeral {
		c.deck.NoDB = "No history is kept: the console was started with --ephemeral. Start it without to record sessions."
		return
	}
	keep := o.settings.History
	if o.readOnly {
		// Read-only mode deletes nothing, old sessions neither.
		keep = settings.History{}
	}
	db, err := store.Open(ctx, o.db, store.Options{
		Version: c.session.version, MaximumAge: time.Duration(keep.MaximumAge), MaximumBytes: int64(keep.MaximumUse),
	})
	if errors.Is(err, store.ErrInUse) {
		// Another console records. This one can still read what there is.
		c.notice = err.Error()
		db, err = store.Open(ctx, o.db, store.Options{ReadOnly: true, Version: c.session.version})
		if err == nil {
			c.deck.DB = db
			return
		}
	}
	if err != nil {
		c.deck.NoDB, c.notice = err.Error(), err.Error()
		c.session.log.Error("history", "error", err.Error())
		return
	}
	c.deck.DB, c.notice = db, db.Notice()
	recorder, err := db.Begin(ctx, source.Info(), o.interval)
	if err != nil {
		c.notice = err.Error()
		c.session.log.Error("history", "error", err.Error())
		return
	}
	c.deck.Recorder = recorder
}

// show runs the screens until the operator leaves.
func (c *console) show() error {
	options, err := c.screens()
	if err != nil {
		return err
	}
	if c.session.options.plain {
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
	options := ui.Options{
		Product:         "cxdeck",
		Views:           Screens(c.deck),
		Start:           o.screen,
		Header:          func() ui.Header { return c.deck.Header(glyphs) },
		Items:           c.deck.Items,
		Looks:           looks,
		Feeds:           []<-chan struct{}{c.deck.Live.Updates()},
		ReadOnly:        o.readOnly,
		LowBandwidth:    o.lowBandwidth,
		Mouse:           !o.noMouse,
		QuitQuestion:    c.wouldLose,
		Version:         c.session.version,
		ReportDirectory: c.session.stateDirectory(),
		Input:           c.session.streams.In,
		Output:          c.session.streams.Terminal,
		Log: func(entry ui.LogEntry) {
			c.session.log.Info("action", "what", entry.What, "commands", entry.Commands)
		},
	}
	if c.notice != "" {
		options.Notice = c.notice
	}
	return options, nil
}

// Screens are all screens in the order of their number keys.
func Screens(d *deck.Deck) []ui.View {
	return []ui.View{overview.New(d), counters.New(d), events.New(d), history.New(d)}
}

// wouldLose asks before changes of a lab that nothing keeps are lost.
func (c *console) wouldLose() string {
	if c.deck.Recorder != nil || c.deck.Live == nil {
		return ""
	}
	applied := 0
	for _, entry := range c.deck.Live.Journal() {
		if entry.Err == "" {
			applied++
		}
	}
	if applied == 0 {
		return ""
	}
	return fmt.Sprintf("Nothing is recorded, so the %d changes of this session will be lost. Quit all the same?", applied)
}

// close stops in the order of the data: the source first, then what records it.
func (c *console) close() error {
	if c.stop != nil {
		c.stop()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.session.ctx), closingTime)
	defer cancel()
	err := c.deck.Close(ctx)
	c.running.Wait()
	if c.deck.Recorder != nil {
		err = errors.Join(err, c.deck.Recorder.Close(ctx))
	}
	if c.deck.DB != nil {
		err = errors.Join(err, c.deck.DB.Close())
	}
	return err
}

func chooseGlyphs(name string, getenv func(string) string) (*themes.Glyphs, error) {
	if name == "" || name == "auto" {
		return themes.DetectGlyphs(getenv), nil
	}
	return themes.GlyphsByName(name)
}

// looks are all themes, the chosen one first.
func looks(chosen string, glyphs *themes.Glyphs, profile themes.Profile) ([]ui.Look, error) {
	first, err := themes.ByName(chosen)
	if err != nil {
		return nil, err
	}
	look := func(theme themes.Theme) ui.Look {
		one := ui.Look{Name: theme.Name, Painter: themes.NewPainter(theme, profile), Glyphs: glyphs}
		if profile == themes.NoColor || !theme.Colored() {
			one.Glyphs = glyphs.WithLetters()
		}
		return one
	}
	list := []ui.Look{look(first)}
	for _, theme := range themes.All() {
		if theme.Name != first.Name {
			list = append(list, look(theme))
		}
	}
	return list, nil
}

// openSource opens what --source names.
func (s *session) openSource() (perf.Source, error) {
	switch s.options.source {
	case "lab":
		return s.openLab()
	case "local":
		return perf.NewLocalSource()
	}
	switch info, err := os.Stat(s.options.source); {
	case err != nil:
		return nil, sourceMistake(s.options.source)
	case info.IsDir():
		return nil, mistake("%s is a directory: name a log file in it after --source", s.options.source)
	case !info.Mode().IsRegular():
		// Opening a pipe would wait for someone to write into it.
		return nil, mistake("%s is no regular file, and a log is read more than once: write it to a file first", s.options.source)
	}
	return perf.OpenLog(s.options.source)
}
