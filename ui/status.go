package ui

import (
	"slices"
	"strings"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// hint is a key in the status line: of a dialog, which takes it as a key, or an action.
type hint struct {
	key    string // the key to press, for a dialog's
	action Action
}

// drawStatus draws the keys of the current screen or dialog: as many as fit, in the order of importance, and always the last
// two, which lead to all others.
func (s *Shell) drawStatus(area widget.Area) {
	if dialog := s.dialog(); dialog != nil {
		x := 1
		for _, h := range dialog.Hints() {
			x = s.drawHint(area, x, area.Width, h.Key, h.Name, themes.Text, hint{key: h.Key})
		}
		if !waiting(dialog) {
			return
		}
		for _, action := range s.commonActions() {
			if !action.Hidden {
				x = s.drawHint(area, x, area.Width, action.Keys[0], action.Name, themes.Text, hint{action: action})
			}
		}
		return
	}
	var last []Action
	for _, action := range s.commonActions() {
		if !action.Hidden {
			last = append(last, action)
		}
	}
	right := area.Width
	for i := len(last) - 1; i >= 0; i-- {
		right -= hintWidth(last[i].Keys[0], last[i].Name, area.Glyphs()) + hintGap
	}
	x := 1
	if view := s.view(); view != nil {
		for _, action := range s.offeredActions(view.Actions()) {
			if action.Hidden || len(action.Keys) == 0 {
				continue
			}
			role := themes.Text
			if s.refusal(action) != "" {
				role = themes.Muted
			}
			x = s.drawHint(area, x, right, action.Keys[0], action.Name, role, hint{action: action})
		}
	}
	for _, action := range last {
		x = s.drawHint(area, max(x, 1), area.Width, action.Keys[0], action.Name, themes.Text, hint{action: action})
	}
}

// hintGap is the gap between two hints, in cells.
const hintGap = 2

// drawHint draws one hint if it ends before right, and returns the column of the next.
func (s *Shell) drawHint(area widget.Area, x, right int, key, name string, role themes.Role, h hint) int {
	width := hintWidth(key, name, area.Glyphs())
	if x+width > right {
		return x
	}
	end := area.Print(x, 0, keyLabel(key, area.Glyphs()), themes.Style{Role: themes.KeyCap, Attr: themes.Bold})
	end = area.Print(end+1, 0, name, themes.Style{Role: role})
	area.Zone(x, 0, end-x, 1, zoneHint, len(s.hints))
	s.hints = append(s.hints, h)
	return end + hintGap
}

func hintWidth(key, name string, glyphs *themes.Glyphs) int {
	return widget.Width(keyLabel(key, glyphs)) + 1 + widget.Width(name)
}

// keyLabel returns the label of a key on the screen.
func keyLabel(key string, glyphs *themes.Glyphs) string {
	prefix := ""
	for _, modifier := range []string{"ctrl+", "alt+", "shift+"} {
		if rest, ok := strings.CutPrefix(key, modifier); ok && rest != "" {
			prefix += upperFirst(strings.TrimSuffix(modifier, "+")) + "-"
			key = rest
		}
	}
	switch key {
	case "up":
		key = string(glyphs.ArrowUp)
	case "down":
		key = string(glyphs.ArrowDown)
	case "left":
		key = string(glyphs.ArrowLeft)
	case "right":
		key = string(glyphs.ArrowRight)
	case " ":
		key = "Space"
	case "pgup":
		key = "PgUp"
	case "pgdown":
		key = "PgDn"
	default:
		if len(key) > 1 || prefix != "" {
			key = upperFirst(key)
		}
	}
	return prefix + key
}

// refusal returns the reason why an action is not possible now; empty when it is.
func (s *Shell) refusal(action Action) string {
	switch {
	case action.Disabled != "":
		return action.Disabled
	case action.Changes && s.options.ReadOnly:
		return "read-only mode is on; start cxdeck without --read-only"
	default:
		return ""
	}
}

// offeredActions removes the actions that can't become possible on this screen: changes of a recording.
func (s *Shell) offeredActions(actions []Action) []Action {
	if s.options.Unchangeable == nil {
		return actions
	}
	why := s.options.Unchangeable()
	if why == "" {
		return actions
	}
	return slices.DeleteFunc(slices.Clone(actions), func(a Action) bool { return a.Disabled == why })
}
