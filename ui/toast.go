package ui

import (
	"fmt"
	"time"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// toast is a line that shows for some seconds over the status line.
type toast struct {
	severity Severity
	text     string
	until    time.Time // zero: until a key is pressed
}

// toastEndMsg reports that a toast's time may be over.
type toastEndMsg struct{}

// maxToasts is the maximum number of toasts; the oldest are dropped.
const maxToasts = 3

// toastTimes are the display times of toasts by severity; failures stay until a key is pressed.
var toastTimes = [...]time.Duration{Note: 4 * time.Second, Success: 4 * time.Second, Caution: 7 * time.Second, Failure: 0}

func (s *Shell) toast(severity Severity, text string) {
	s.requestFrame(answered)
	s.trail.add(s.options.Now(), "toast: "+text)
	t := toast{severity: severity, text: text}
	if wait := toastTimes[min(int(severity), len(toastTimes)-1)]; wait > 0 {
		t.until = s.options.Now().Add(wait)
		s.startTimer(afterMsg{wait, toastEndMsg{}})
	}
	s.toasts = append(s.toasts, t)
	if extra := len(s.toasts) - maxToasts; extra > 0 {
		s.toasts = s.toasts[extra:]
	}
}

// notice shows a warning that stays until a key is pressed.
func (s *Shell) notice(text string) {
	s.toasts = append(s.toasts, toast{severity: Caution, text: text})
}

// expireToasts removes the toasts whose time is over.
func (s *Shell) expireToasts() {
	now := s.options.Now()
	s.keepToasts(func(t toast) bool { return t.until.IsZero() || now.Before(t.until) })
}

// dropFailures removes the toasts that wait for a key.
func (s *Shell) dropFailures() { s.keepToasts(func(t toast) bool { return !t.until.IsZero() }) }

func (s *Shell) keepToasts(keep func(toast) bool) {
	kept := s.toasts[:0]
	for _, t := range s.toasts {
		if keep(t) {
			kept = append(kept, t)
		}
	}
	s.toasts = kept
}

// toastRows is the number of rows that toasts take before they cover the body: the rule and the status line.
const toastRows = 2

// drawToast draws the newest toast over the rule and the status line, so that it covers no data; only a longer text covers part
// of the body. Older toasts show after it; until then it shows their number.
func (s *Shell) drawToast(all widget.Area) {
	newest := len(s.toasts) - 1
	if newest < 0 {
		return
	}
	t := s.toasts[newest]
	text := t.text
	if newest > 0 {
		text = fmt.Sprintf("%s (%s)", text, messages(newest))
	}
	lines := widget.Wrap(text, all.Width-4)
	rows := toastRows
	if s.barDrawn {
		rows = 1 // a short one does not cover the bar of a recording
	}
	_, area := all.SplitBottom(max(len(lines), rows))
	area, _ = area.SplitTop(len(lines))
	role, glyph := toastLooks(t.severity, area.Glyphs())
	area.Fill(themes.Style{Ground: themes.Raised})
	area.Zone(0, 0, area.Width, area.Height, zoneToast, newest)
	for y, line := range lines[:min(len(lines), area.Height)] {
		if y == 0 {
			area.Set(1, 0, glyph, themes.Style{Role: role, Ground: themes.Raised, Attr: themes.Bold})
		}
		area.Print(3, y, line, themes.Style{Role: themes.Text, Ground: themes.Raised})
	}
}

// messages counts messages.
func messages(n int) string {
	if n == 1 {
		return "1 more message"
	}
	return fmt.Sprintf("%d more messages", n)
}

// toastLooks returns the role and the symbol of a severity.
func toastLooks(severity Severity, glyphs *themes.Glyphs) (themes.Role, rune) {
	switch severity {
	case Success:
		return themes.Good, glyphs.Up
	case Caution:
		return themes.Warn, glyphs.Warning
	case Failure:
		return themes.Bad, glyphs.Failed
	default:
		return themes.Info, glyphs.Bullet
	}
}
