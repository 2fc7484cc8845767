package deck

import (
	"strings"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/themes"
)

// look is the appearance of a state: it has a glyph and a word, because colour alone is not enough.
type look struct {
	word  string
	role  themes.Role
	glyph func(g *themes.Glyphs) rune
}

var looks = [...]look{
	perf.StateUnknown:    {"unknown", themes.Muted, func(*themes.Glyphs) rune { return '-' }},
	perf.StateRunning:    {"running", themes.Good, func(g *themes.Glyphs) rune { return g.Up }},
	perf.StateStopped:    {"stopped", themes.Muted, func(g *themes.Glyphs) rune { return g.Down }},
	perf.StateRestarting: {"restarting", themes.Pending, func(g *themes.Glyphs) rune { return g.Restarting }},
	perf.StateFailed:     {"failed", themes.Bad, func(g *themes.Glyphs) rune { return g.Failed }},
	perf.StateUp:         {"up", themes.Good, func(g *themes.Glyphs) rune { return g.Up }},
	perf.StateDown:       {"down", themes.Muted, func(g *themes.Glyphs) rune { return g.Down }},
}

// StateWord returns the word for a state: "up", "restarting".
func StateWord(state perf.State) string { return lookOfState(state).word }

// StateRole returns the role for a state.
func StateRole(state perf.State) themes.Role { return lookOfState(state).role }

// StateShort returns the glyph and the word of a state: "✕ failed".
func StateShort(glyphs *themes.Glyphs, state perf.State) string {
	l := lookOfState(state)
	return string(l.glyph(glyphs)) + " " + l.word
}

// StateText is StateShort of a node with the source's detail: "✕ failed (Code 10)".
func StateText(glyphs *themes.Glyphs, node *perf.Node) string {
	text := StateShort(glyphs, node.State)
	if node.StateText != "" {
		text += " (" + node.StateText + ")"
	}
	return text
}

func lookOfState(state perf.State) look {
	if int(state) >= len(looks) {
		state = perf.StateUnknown
	}
	return looks[state]
}

// SeverityLook returns the glyph and role of a severity.
func SeverityLook(glyphs *themes.Glyphs, severity eventlog.Severity) (rune, themes.Role) {
	switch severity {
	case eventlog.Error:
		return glyphs.Failed, themes.Bad
	case eventlog.Warning:
		return glyphs.Warning, themes.Warn
	default:
		return glyphs.Up, themes.Info
	}
}

// EventTime formats the time of an event: without the date on the day of now.
func EventTime(at, now time.Time) string {
	y, m, d := at.Date()
	if ny, nm, nd := now.Date(); y == ny && m == nm && d == nd {
		return at.Format("15:04:05")
	}
	return at.Format("2006-01-02 15:04:05")
}

// EventText returns an event's message for a line that names the adapter already: without the part before the first colon,
// if that only names the adapter.
func EventText(e *eventlog.Event) string {
	if text, ok := strings.CutPrefix(e.Message, e.Adapter+": "); ok && e.Adapter != "" && text != "" { // a host of a fleet: the name has a colon
		return text
	}
	if head, text, ok := strings.Cut(e.Message, ": "); ok && e.Adapter != "" && text != "" && (head == e.Adapter || strings.Contains(head, " adapter ")) {
		return text
	}
	return e.Message
}
