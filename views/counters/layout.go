package counters

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/counters/timeline"
	"cxdeck/views/deck"
)

// savedLayout is an arrangement of the screen as the database keeps it: paths, never indexes, so that it fits any
// source.
type savedLayout struct {
	Version   int          `json:"version"`
	Title     string       `json:"title"`
	Curves    []savedCurve `json:"curves"`
	Mode      string       `json:"mode"`
	Scale     string       `json:"scale"`
	Manual    float64      `json:"manual,omitempty"`
	Window    string       `json:"window"`
	Stacked   bool         `json:"stacked,omitempty"`
	Log       bool         `json:"log,omitempty"`
	Small     bool         `json:"small,omitempty"`
	Highlight string       `json:"highlight,omitempty"`
	// Thresholds are the thresholds of its curves.
	Thresholds []deck.KeptThreshold `json:"thresholds,omitempty"`
}

// savedCurve is one curve of it.
type savedCurve struct {
	Path   string  `json:"path"`
	Slot   int     `json:"slot"`
	Factor float64 `json:"factor,omitempty"`
	Rate   bool    `json:"rate,omitempty"`
}

const (
	layoutVersion = 1
	// lastLayout is the name under which the last arrangement is kept.
	lastLayout = "as it was last time"
	// keepAfter is how long after a change the arrangement is saved, so that a run of changes is saved once.
	keepAfter = 2 * time.Second
	// maxLayout bounds what is read of a layout, in bytes; maximumName bounds its name in characters.
	maxLayout   = 64 << 10
	maximumName = 40
)

// layout returns the screen's arrangement now.
func (s *Screen) layout() savedLayout {
	l := savedLayout{
		Version: layoutVersion, Title: s.title, Mode: modeNames[s.mode], Scale: scaleNames[s.scale], Manual: s.manual,
		Window: timeline.Spans[s.time.Span].Name, Stacked: s.stacked, Log: s.log, Small: s.small, Highlight: s.highlight,
	}
	for i := range s.curves {
		l.Curves = append(l.Curves, savedCurve{s.curves[i].path, s.curves[i].slot, s.curves[i].scale, s.curves[i].asRate})
	}
	l.Thresholds = s.layoutThresholds()
	return l
}

// parseLayout reads a saved arrangement. It comes from a file, so nothing in it is taken on trust.
func parseLayout(data []byte) (savedLayout, error) {
	var l savedLayout
	if len(data) > maxLayout {
		return l, fmt.Errorf("the layout is %d bytes long; %d is the limit", len(data), maxLayout)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&l); err != nil {
		return l, fmt.Errorf("the layout can't be read: %w", err)
	}
	if l.Version > layoutVersion {
		return l, fmt.Errorf("the layout was saved by a newer cxdeck")
	}
	l.Curves = l.Curves[:min(len(l.Curves), maximumCurves)]
	l.Thresholds = l.Thresholds[:min(len(l.Thresholds), maximumCurves)]
	l.Curves = slices.DeleteFunc(l.Curves, func(c savedCurve) bool {
		_, _, _, ok := perf.SplitPath(c.Path)
		return !ok
	})
	for i := range l.Curves {
		c := &l.Curves[i]
		c.Slot = max(0, min(c.Slot, maximumCurves-1))
		if !(c.Factor > 0) || math.IsInf(c.Factor, 0) {
			c.Factor = 0
		}
	}
	if !(l.Manual > 0) || math.IsInf(l.Manual, 0) {
		l.Manual = 0
	}
	return l, nil
}

// restore arranges the screen as a layout says. Counters that the source doesn't have are kept and wait for it.
func (s *Screen) restore(l savedLayout) {
	s.curves = s.curves[:0]
	for _, one := range l.Curves {
		if !s.curves.add(s.schema, one.Path) {
			continue
		}
		c := &s.curves[len(s.curves)-1]
		c.scale, c.asRate = one.Factor, one.Rate
		c.resolve(s.schema)
		if !slices.ContainsFunc(s.curves[:len(s.curves)-1], func(other curve) bool { return other.slot == one.Slot }) {
			c.slot = one.Slot
		}
	}
	s.title, s.why, s.filled, s.focus, s.awaiting, s.live = l.Title, "", true, nil, -1, -1
	s.mode = viewMode(max(0, slices.Index(modeNames[:], l.Mode)))
	s.scale = scaleMode(max(0, slices.Index(scaleNames[:], l.Scale)))
	s.manual, s.stacked, s.log, s.small, s.highlight = l.Manual, l.Stacked, l.Log, l.Small, l.Highlight
	if s.scale == scaleManual && s.manual == 0 {
		s.scale = scaleAuto
	}
	for n := range timeline.Spans {
		if timeline.Spans[n].Name == l.Window {
			s.time.Span, s.time.Growing = n, false
		}
	}
	s.changes++
	s.legend.List.Select(0)
	s.curvesChanged()
}

// layoutShelf is the list of saved layouts.
type layoutShelf struct {
	list []store.Layout
	err  error
	// last is the arrangement of the run before, kept while this run saves its own.
	last *store.Layout
	read bool
	// due reports that a change waits to be saved; kept is what was saved last.
	due  bool
	kept []byte
}

// layoutsMsg brings the saved layouts.
type layoutsMsg struct {
	list []store.Layout
	err  error
}

// savedMsg reports that a layout was saved or deleted; what is empty for the arrangement that is kept by itself.
type savedMsg struct {
	what string
	err  error
}

// keepLayoutMsg is the time to save a changed arrangement.
type keepLayoutMsg struct{}

func (shelf *layoutShelf) take(msg layoutsMsg) {
	shelf.err = msg.err
	shelf.list = shelf.list[:0]
	for _, l := range msg.list {
		if l.Name != lastLayout {
			shelf.list = append(shelf.list, l)
		} else if !shelf.read {
			shelf.last = &l
		}
	}
	shelf.read = shelf.read || msg.err == nil
}

// readLayouts reads the saved layouts outside the terminal loop.
func (s *Screen) readLayouts() ui.Cmd {
	db := s.deck.DB
	if db == nil {
		return nil
	}
	return ui.Background("read the layouts", func(ctx context.Context) ui.Msg {
		list, err := db.Layouts(ctx, ID)
		return layoutsMsg{list, err}
	})
}

// changedLayout has the arrangement saved a little later, as the one of last time.
func (s *Screen) changedLayout() ui.Cmd {
	s.changes++
	if s.deck.DB == nil || s.layouts.due || s.deck.ReadOnly {
		return nil
	}
	s.layouts.due = true
	return ui.After(keepAfter, keepLayoutMsg{})
}

// keepLayout saves the arrangement of this run, once the last run's arrangement has been read.
func (s *Screen) keepLayout() ui.Cmd {
	s.layouts.due = false
	if !s.layouts.read {
		return nil
	}
	data, err := json.Marshal(s.layout())
	if err != nil || bytes.Equal(data, s.layouts.kept) {
		return nil
	}
	s.layouts.kept = data
	return s.saveLayout(lastLayout, data, "")
}

// saveLayout writes a layout outside the terminal loop.
func (s *Screen) saveLayout(name string, data []byte, what string) ui.Cmd {
	db, at := s.deck.DB, s.status.Now
	return ui.Background("save the layout", func(ctx context.Context) ui.Msg {
		return savedMsg{what, db.SaveLayout(ctx, store.Layout{Screen: ID, Name: name, Data: data, Saved: at})}
	})
}

// takeSaved reports how saving or deleting went.
func (s *Screen) takeSaved(msg savedMsg) ui.Cmd {
	switch {
	case msg.err != nil && msg.what == "":
		return nil // the header says that nothing is recorded, and why
	case msg.err != nil:
		return ui.Toast(ui.Failure, "The layout could not be saved: "+msg.err.Error())
	case msg.what == "":
		return nil
	default:
		return ui.Batch(ui.Toast(ui.Success, msg.what), ui.Log(s.deck.Live.Status().Now, msg.what, nil), s.readLayouts())
	}
}

// askLayoutName asks for a name and saves the arrangement under it.
func (s *Screen) askLayoutName() ui.Cmd {
	return ui.Prompt("Save layout", "Name", s.title, checkName, func(name string) ui.Cmd {
		name = strings.TrimSpace(name)
		save := func() ui.Cmd {
			data, err := json.Marshal(s.layout())
			if err != nil {
				return ui.Toast(ui.Failure, "The layout could not be saved: "+err.Error())
			}
			return s.saveLayout(name, data, "The layout "+name+" is saved.")
		}
		if slices.ContainsFunc(s.layouts.list, func(l store.Layout) bool { return l.Name == name }) {
			return ui.Confirm("Replace the layout "+name+"?", "Replace", save)
		}
		return save()
	})
}

// checkName returns what is wrong with the name of a layout.
func checkName(name string) string {
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return "a layout requires a name"
	case len([]rune(name)) > maximumName:
		return fmt.Sprintf("a name has at most %d characters", maximumName)
	case name == lastLayout:
		return "this name is reserved for the automatic layout"
	}
	return ""
}
