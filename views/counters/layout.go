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

// savedLayout is the layout of the screen as the database stores it: it has paths instead of indexes, to fit any source.
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

// savedCurve is one curve of a saved layout.
type savedCurve struct {
	Path   string  `json:"path"`
	Slot   int     `json:"slot"`
	Factor float64 `json:"factor,omitempty"`
	Rate   bool    `json:"rate,omitempty"`
}

const (
	layoutVersion = 1
	// lastLayout is the name of the layout that is saved automatically.
	lastLayout = "as it was last time"
	// saveDelay is the time between a change and the automatic save, so that quick changes are saved together.
	saveDelay = 2 * time.Second
	// maxLayout is the maximum size of a saved layout in bytes, maximumName the maximum length of its name in characters.
	maxLayout   = 64 << 10
	maximumName = 40
)

// layout returns the current layout of the screen.
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

// parseLayout reads a saved layout. It comes from a file, so every value is checked.
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

// restore applies a layout. It keeps curves whose counters the source doesn't have: the source may get them later.
func (s *Screen) restore(l savedLayout) {
	s.curves = s.curves[:0]
	for _, saved := range l.Curves {
		if !s.curves.add(s.schema, saved.Path) {
			continue
		}
		c := &s.curves[len(s.curves)-1]
		c.scale, c.asRate = saved.Factor, saved.Rate
		c.resolve(s.schema)
		if !slices.ContainsFunc(s.curves[:len(s.curves)-1], func(other curve) bool { return other.slot == saved.Slot }) {
			c.slot = saved.Slot
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

// layoutList is the list of saved layouts.
type layoutList struct {
	list []store.Layout
	err  error
	// last is the layout at the end of the previous run, which this run overwrites in the database.
	last *store.Layout
	read bool
	// due is set while a change waits to be saved; saved is the content of the last automatic save.
	due   bool
	saved []byte
}

// layoutsMsg contains the saved layouts.
type layoutsMsg struct {
	list []store.Layout
	err  error
}

// savedMsg reports that a layout was saved or deleted; what is the text for the operator, empty for an automatic save.
type savedMsg struct {
	what string
	err  error
}

// keepLayoutMsg triggers the automatic save.
type keepLayoutMsg struct{}

func (l *layoutList) take(msg layoutsMsg) {
	l.err = msg.err
	l.list = l.list[:0]
	for _, layout := range msg.list {
		if layout.Name != lastLayout {
			l.list = append(l.list, layout)
		} else if !l.read {
			l.last = &layout
		}
	}
	l.read = l.read || msg.err == nil
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

// saveLayoutSoon schedules the automatic save.
func (s *Screen) saveLayoutSoon() ui.Cmd {
	s.changes++
	if s.deck.DB == nil || s.layouts.due || s.deck.ReadOnly {
		return nil
	}
	s.layouts.due = true
	return ui.After(saveDelay, keepLayoutMsg{})
}

// keepLayout saves the layout under lastLayout, once the previous run's has been read.
func (s *Screen) keepLayout() ui.Cmd {
	s.layouts.due = false
	if !s.layouts.read {
		return nil
	}
	data, err := json.Marshal(s.layout())
	if err != nil || bytes.Equal(data, s.layouts.saved) {
		return nil
	}
	s.layouts.saved = data
	return s.saveLayout(lastLayout, data, "")
}

// saveLayout writes a layout outside the terminal loop.
func (s *Screen) saveLayout(name string, data []byte, what string) ui.Cmd {
	db, at := s.deck.DB, s.status.Now
	return ui.Background("save the layout", func(ctx context.Context) ui.Msg {
		return savedMsg{what, db.SaveLayout(ctx, store.Layout{Screen: ID, Name: name, Data: data, Saved: at})}
	})
}

// takeSaved reports the outcome of saving or deleting a layout.
func (s *Screen) takeSaved(msg savedMsg) ui.Cmd {
	switch {
	case msg.err != nil && msg.what == "":
		return nil // the header shows why nothing is recorded
	case msg.err != nil:
		return ui.Toast(ui.Failure, "The layout could not be saved: "+msg.err.Error())
	case msg.what == "":
		return nil
	default:
		return ui.Batch(ui.Toast(ui.Success, msg.what), ui.Log(s.deck.Live.Status().Now, msg.what, nil), s.readLayouts())
	}
}

// askLayoutName asks for a name and saves the layout under it.
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

// checkName returns why the name of a layout is invalid; empty for a valid one.
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
