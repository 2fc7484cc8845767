package comparing

import (
	"context"
	"sync/atomic"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/compare"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/comparison"
	"cxdeck/views/deck"
)

// Kind is the kind of a comparison.
type Kind uint8

// The kinds of comparisons.
const (
	// WhatChanged compares a range with the time before it.
	WhatChanged Kind = iota
	// Around compares before and after a change.
	Around
	// Pair compares two ranges.
	Pair
)

// Request is a comparison that was requested.
type Request struct {
	Kind Kind
	// Open opens the compared sources; the second is nil if both periods have the same source.
	Open [2]deck.OpenSubject
	// Ranges holds the ranges of a pair; the second is the range of WhatChanged. A zero range is the whole source; for WhatChanged,
	// its last fifth.
	Ranges [2]compare.Range
	// Change is the number of the change, Length the length of the periods around it.
	Change uint64
	Length time.Duration
	// Why describes the range; empty for a marked range.
	Why string
}

// section is a part of the differences.
type section uint8

const (
	counterSection section = iota
	keySection
	partSection
	eventSection
	sectionCount
)

var sectionNames = [sectionCount]string{"Counters", "Registry", "Host", "Events"}

// Page is a comparison on the screen. It belongs to the terminal loop.
type Page struct {
	deck *deck.Deck
	// zone is the time zone of clock times.
	zone *time.Location
	// open shows Counters at a time of a session, 0 for the live source.
	open func(session int64, at time.Time, focus deck.Focus) ui.Cmd

	request Request
	// number identifies the request, so that results of earlier requests are ignored.
	number uint64
	work   *work
	err    error
	found  *comparison.Comparison
	// hosts is set when the hosts have been compared.
	hosts bool

	section section
	tables  [sectionCount]widget.Table
	filter  browse.Filter
	// changedOnly hides counters within their noise; rows holds the indexes of the visible counters.
	changedOnly bool
	rows        []int
	events      []event

	curves curves
	chart  widget.Chart
}

// event is a kind of event that happened in only one period.
type event struct {
	comparison.EventCount
	second bool
}

// work is a running comparison.
type work struct {
	name      string
	done, all atomic.Int64
	cancel    context.CancelFunc
}

// New makes the page over a deck. open shows a screen at a time of a session.
func New(d *deck.Deck, open func(session int64, at time.Time, focus deck.Focus) ui.Cmd) *Page {
	p := &Page{deck: d, zone: time.Local, open: open}
	p.makeTables()
	return p
}

// SetZone sets the time zone of clock times.
func (p *Page) SetZone(zone *time.Location) { p.zone = zone }

// Open begins a comparison.
func (p *Page) Open(request Request) ui.Cmd {
	p.section, p.changedOnly = counterSection, false
	p.filter.Set("")
	if request.Length == 0 {
		request.Length = comparison.DefaultLength
	}
	return p.begin(request)
}

// begin compares in the background, and cancels an earlier request.
func (p *Page) begin(request Request) ui.Cmd {
	p.Close()
	p.number++
	p.request, p.found, p.err, p.hosts = request, nil, nil, false
	p.curves = curves{}
	p.makeTables()
	own, cancel := context.WithCancel(context.Background())
	w := &work{name: workName(request), cancel: cancel}
	p.work = w
	number := p.number
	return ui.Background(w.name, func(ctx context.Context) ui.Msg {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(own, stop)()
		found, err := run(ctx, request, func(done, all int) {
			w.all.Store(int64(all))
			w.done.Store(int64(done))
		})
		return foundMsg{number, found, err}
	})
}

func workName(request Request) string {
	switch request.Kind {
	case WhatChanged:
		return "Find what changed"
	case Around:
		return "Compare before and after the change"
	default:
		return "Compare"
	}
}

// run makes the comparison of a request.
func run(ctx context.Context, request Request, progress comparison.Progress) (found *comparison.Comparison, err error) {
	err = withSubjects(ctx, request, func(first, second *comparison.Subject) error {
		in := request.Ranges
		switch request.Kind {
		case WhatChanged:
			if in[1].From.IsZero() {
				whole := first.FullRange()
				in[1] = compare.Range{From: whole.To.Add(-whole.Length() / comparison.LastPart), To: whole.To}
			}
			found, err = comparison.WhatChanged(ctx, first, in[1], progress)
		case Around:
			entry, findErr := comparison.FindChange(ctx, first, request.Change)
			if findErr != nil {
				return findErr
			}
			found, err = comparison.AroundChange(ctx, first, entry, request.Length, progress)
		case Pair:
			for i, s := range []*comparison.Subject{first, second} {
				if in[i].From.IsZero() {
					in[i] = s.FullRange()
				}
			}
			found, err = comparison.Compare(ctx, first, second, in[0], in[1], progress)
		}
		return err
	})
	return found, err
}

// withSubjects opens the sources of a request, calls do, and closes them.
func withSubjects(ctx context.Context, request Request, do func(first, second *comparison.Subject) error) error {
	first, err := request.Open[0](ctx)
	if err != nil {
		return err
	}
	defer first.Close() //nolint:errcheck // nothing was written
	second := first
	if request.Open[1] != nil {
		if second, err = request.Open[1](ctx); err != nil {
			return err
		}
		defer second.Close() //nolint:errcheck // as above
	}
	return do(first, second)
}

// Messages of the work outside the terminal loop.
type (
	foundMsg struct {
		number uint64
		found  *comparison.Comparison
		err    error
	}
	// hostsMsg brings the differences of the hosts.
	hostsMsg struct {
		number uint64
		host   *comparison.HostDifference
		noHost string
		err    error
	}
	curvesMsg struct {
		number uint64
		path   string
		points [2][]perf.Point
		err    error
	}
)

// Update handles the page's own messages.
func (p *Page) Update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case foundMsg:
		if msg.number != p.number {
			return nil
		}
		p.work, p.err, p.found = nil, msg.err, msg.found
		if p.err != nil {
			return nil
		}
		p.arrange()
		return ui.Batch(p.compareHosts(), p.readCurves(), p.log())
	case hostsMsg:
		if msg.number != p.number || p.found == nil {
			return nil
		}
		p.hosts = true
		p.found.Host, p.found.NoHost = msg.host, msg.noHost
		if msg.err != nil {
			p.found.NoHost = msg.err.Error()
		}
		p.arrange()
	case curvesMsg:
		return p.takeCurves(msg)
	}
	return nil
}

// compareHosts compares the hosts in the background, after the faster parts are shown.
func (p *Page) compareHosts() ui.Cmd {
	request, number := p.request, p.number
	c := *p.found // the goroutine writes to its own copy
	return ui.Background("Compare the hosts", func(ctx context.Context) ui.Msg {
		err := withSubjects(ctx, request, func(first, second *comparison.Subject) error { return c.AddHosts(ctx, first, second) })
		return hostsMsg{number, c.Host, c.NoHost, err}
	})
}

// Close cancels a running comparison.
func (p *Page) Close() {
	if p.work != nil {
		p.work.cancel()
		p.work = nil
		p.number++
	}
}

// Working reports whether a comparison is running.
func (p *Page) Working() bool { return p.work != nil }

// Typing reports whether the filter receives the keys.
func (p *Page) Typing() bool { return p.filter.Typing() }

// Take passes keys and pasted text that no action has handled to the filter.
func (p *Page) Take(msg ui.Msg) ui.Cmd {
	p.filter.Follow(p.list(), msg, p.arrange, func() {})
	return p.readCurves()
}

func (p *Page) list() *widget.List { return &p.tables[p.section].List }

// arrange makes the rows of all sections.
func (p *Page) arrange() {
	if p.found == nil {
		return
	}
	p.rows = p.rows[:0]
	for i := range p.found.Counters {
		d := &p.found.Counters[i]
		if p.filter.Match(d.Series.Counter, d.Series.Instance, d.Series.Set) && (!p.changedOnly || d.BeyondNoise()) {
			p.rows = append(p.rows, i)
		}
	}
	p.events = p.events[:0]
	for _, count := range p.found.SecondEvents {
		p.events = append(p.events, event{count, true})
	}
	for _, count := range p.found.FirstEvents {
		p.events = append(p.events, event{count, false})
	}
	p.tables[counterSection].List.SetLength(len(p.rows))
	p.tables[eventSection].List.SetLength(len(p.events))
	keys, parts := 0, 0
	if h := p.found.Host; h != nil {
		keys, parts = len(h.Keys), len(h.Parts)
	}
	p.tables[keySection].List.SetLength(keys)
	p.tables[partSection].List.SetLength(parts)
}

// selected returns the counter under the cursor, nil for none.
func (p *Page) selected() *compare.Difference {
	if p.found == nil {
		return nil
	}
	if at := widget.At(&p.tables[counterSection].List, p.rows); at != nil {
		return &p.found.Counters[*at]
	}
	return nil
}
