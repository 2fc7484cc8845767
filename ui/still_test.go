package ui

import (
	"testing"

	"cxdeck/ui/widget"
)

// stillView counts its data and has a frozen picture if still is set.
type stillView struct {
	still bool
	data  int
}

func (v *stillView) ID() string        { return "still" }
func (v *stillView) Title() string     { return "Still" }
func (v *stillView) Help() string      { return "" }
func (v *stillView) Actions() []Action { return nil }
func (v *stillView) Draw(widget.Area)  {}
func (v *stillView) Frozen() bool      { return v.still }

func (v *stillView) Update(msg Msg) Cmd {
	if _, ok := msg.(DataMsg); ok {
		v.data++
	}
	return nil
}

func TestFrozenScreenNeedsNoFrame(t *testing.T) {
	t.Parallel()
	view := &stillView{}
	s := NewShell(Options{Views: []View{view}})
	for _, still := range []bool{false, true} {
		view.still = still
		s.dirty, view.data = 0, 0
		s.data()
		if drawn := s.dirty != 0; drawn == still || view.data != 1 {
			t.Errorf("still %v: frame requested: %v, the view got %d messages", still, drawn, view.data)
		}
	}
	s.dirty = 0
	s.Send(KeyMsg{Name: "x"})
	if s.dirty == 0 {
		t.Error("a key draws no frame on a frozen screen")
	}
}
