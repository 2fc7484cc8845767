package ui

import (
	"slices"
	"strings"
	"time"

	"cxdeck/ui/widget"
)

// The zones of the shell. A dialog covers everything below it with zoneOutside.
const (
	zoneShell   = "shell."
	zoneTab     = "shell.tab"
	zoneHint    = "shell.hint"
	zoneToast   = "shell.toast"
	zoneOutside = "shell.outside"
)

// RuleZone is the zone of the line that replaces the rule above the status line.
const RuleZone = "rule"

// MouseMsg is a mouse event, in cells of the terminal; the shell turns it into a HitMsg for the zone drawn there.
type MouseMsg struct {
	X, Y   int
	Button MouseButton
}

// pointer has the last press: a drag belongs to the zone in which it began, and a second press nearby is a double press.
type pointer struct {
	held   bool
	hit    widget.Hit
	x0, y0 int // the corner of the held zone
	x, y   int
	at     time.Time
}

// doubleTime is the maximum time between the two presses of a double press.
const doubleTime = 400 * time.Millisecond

// mouse passes a mouse event to the zone that was drawn there.
func (s *Shell) mouse(msg MouseMsg) {
	p := &s.pointer
	if msg.Button == Drag || msg.Button == Release {
		if !p.held {
			return
		}
		hit := p.hit
		hit.X = max(0, min(msg.X-p.x0, hit.Width-1))
		hit.Y = max(0, min(msg.Y-p.y0, hit.Height-1))
		p.held = msg.Button == Drag
		s.hit(HitMsg{Hit: hit, Button: msg.Button})
		return
	}
	hit, ok := s.canvas.HitAt(msg.X, msg.Y)
	if !ok {
		return
	}
	double := false
	if msg.Button == Press {
		now := s.options.Now()
		double = msg.X == p.x && msg.Y == p.y && now.Sub(p.at) <= doubleTime
		*p = pointer{held: true, hit: hit, x0: msg.X - hit.X, y0: msg.Y - hit.Y, x: msg.X, y: msg.Y, at: now}
		if double {
			p.at = time.Time{} // a third press is a single press again
		}
	}
	s.hit(HitMsg{Hit: hit, Button: msg.Button, Double: double})
}

func (s *Shell) hit(hit HitMsg) {
	s.requestFrame(answered)
	switch {
	case strings.HasPrefix(hit.ID, zoneShell):
		if hit.Button == Press {
			s.pressed(hit)
		}
	case hit.ID == RuleZone:
		if s.options.RuleHit != nil {
			s.runCmd(s.options.RuleHit(hit))
		}
	case s.dialog() != nil:
		s.sendToDialog(s.dialog(), hit)
	case s.view() != nil:
		s.runCmd(s.view().Update(hit))
	}
}

// pressed handles a press on a part of the shell itself.
func (s *Shell) pressed(hit HitMsg) {
	switch hit.ID {
	case zoneTab:
		s.leaveWaitingDialogs()
		s.show(hit.Index, nil)
	case zoneToast:
		if hit.Index < len(s.toasts) {
			s.toasts = slices.Delete(s.toasts, hit.Index, hit.Index+1)
		}
	case zoneHint:
		if hit.Index < len(s.hints) {
			s.press(s.hints[hit.Index])
		}
	}
}

// press runs a hint of the status line.
func (s *Shell) press(h hint) {
	if h.key != "" {
		s.key(KeyMsg{Name: h.key})
		return
	}
	s.perform(h.action)
}
