package ui

import (
	"time"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// toast is a line that shows for some seconds over the body.
type toast struct {
	severity Severity
	text     string
	until    time.Time // zero stays until a key is pressed
}

// toastEndMsg says that a toast's time may be over.
type toastEndMsg struct{}

// mostToasts is how many show at once; older ones make room.
const mostToasts = 3

// toastTimes is how long a toast of a severity shows; failures have no end of their own.
var toastTimes = [...]time.Duration{Note: 4 * time.Second, Success: 4 * time.Second, Caution: 7 * time.Second, Failure: 0}

func (s *Shell) toast(severity Severity, text string) {
	s.want(answered)
	s.trail.add(s.options.Now(), "toast: "+text)
	t := toast{severity: severity, text: text}
	if wait := toastTimes[min(int(severity), len(toastTimes)-1)]; wait > 0 {
		t.until = s.options.Now().Add(wait)
		s.startTimer(afterMsg{wait, toastEndMsg{}})
	}
	s.toasts = append(s.toasts, t)
	if extra := len(s.toasts) - mostToasts; extra > 0 {
		s.toasts = s.toasts[extra:]
	}
}

// notice shows a caution that stays until a key is pressed.
func (s *Shell) notice(text string) {
	s.toasts = append(s.toasts, toast{severity: Caution, text: text})
}

// expireToasts takes away the toasts whose time is over.
func (s *Shell) expireToasts() {
	now := s.options.Now()
	s.keepToasts(func(t toast) bool { return t.until.IsZero() || now.Before(t.until) })
}

// dropFailures takes away the toasts that wait for a key.
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

// drawToasts draws them over the bottom of the body, the newest lowest.
func (s *Shell) drawToasts(body widget.Area) {
	y := body.Height
	for i := len(s.toasts) - 1; i >= 0 && y > 0; i-- {
		t := s.toasts[i]
		role, glyph := toastLooks(t.severity, body.Glyphs())
		lines := widget.Wrap(t.text, body.Width-4)
		if len(lines) > y {
			lines = lines[:y]
		}
		y -= len(lines)
		body.Zone(0, y, body.Width, len(lines), zoneToast, i)
		for n, line := range lines {
			body.Sub(0, y+n, body.Width, 1).Fill(themes.Style{Ground: themes.Raised})
			if n == 0 {
				body.Set(1, y, glyph, themes.Style{Role: role, Ground: themes.Raised, Attr: themes.Bold})
			}
			body.Print(3, y+n, line, themes.Style{Role: themes.Text, Ground: themes.Raised})
		}
	}
}

// toastLooks is the role and the symbol of a severity.
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
