package cli

import (
	"slices"
	"time"

	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/views/browse"
	"cxdeck/views/change"
	"cxdeck/views/cli/process"
	"cxdeck/views/counters"
	"cxdeck/views/deck"
	"cxdeck/views/diagnose"
	"cxdeck/views/events"
	"cxdeck/views/fabric"
	"cxdeck/views/history"
	"cxdeck/views/lab"
	"cxdeck/views/overview"
	"cxdeck/views/qos"
	"cxdeck/views/registry"
	"cxdeck/views/sriov"
	"cxdeck/views/teaming"
)

// show runs the screens until the operator quits.
func (c *console) show() error {
	options, err := c.screens()
	if err != nil {
		return err
	}
	if c.session.options.plain {
		close(c.shown)
		if in := c.session.streams.In; in == nil || !process.IsTerminal(in) {
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
	c.views = Screens(c.deck)
	seekBar := browse.SeekBar{Deck: c.deck}
	options := ui.Options{
		Product: "cxdeck",
		Views:   c.views,
		Start:   o.screen,
		Header:  func() ui.Header { return c.deck.Header(glyphs) },
		Rule:    seekBar.Draw,
		RuleHit: seekBar.Hit,
		Items:   c.deck.Items,
		Actions: func(screen string) []ui.Action {
			return slices.Concat(change.WaitActions(c.deck), c.trainer.Actions(), c.guides.Actions(screen), fabric.Actions(c.deck))
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
		Taken:           c.session.ending.OnTerminal,
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
