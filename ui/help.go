package ui

import (
	"strings"

	"cxdeck/themes"
)

// openHelp explains the screen and lists every key that works there, from the declarations of the actions.
func (s *Shell) openHelp() Cmd {
	view := s.view()
	if view == nil {
		return nil
	}
	lines := []paragraph{{text: view.Help()}, {}}
	lines = append(lines, heading("On this screen"))
	lines = append(lines, s.helpLines(view.Actions())...)
	lines = append(lines, paragraph{}, heading("Everywhere"))
	lines = append(lines, s.helpLines(s.commonActions())...)
	return OpenDialog(&sheet{title: "Help: " + view.Title(), leadWidth: 20, paragraphs: lines})
}

func heading(text string) paragraph {
	return paragraph{text: text, role: themes.Title, attr: themes.Bold}
}

func (s *Shell) helpLines(actions []Action) []paragraph {
	var lines []paragraph
	for _, action := range actions {
		if len(action.Keys) == 0 {
			continue // only for the palette
		}
		line := paragraph{lead: keyLabels(action, s.glyphs()), indented: true, text: action.description()}
		if why := s.refusal(action); why != "" {
			line.text += " (not now: " + why + ")"
			line.role = themes.Muted
		}
		lines = append(lines, line)
	}
	return lines
}

// description returns the full phrase of an action, or its name when it has none.
func (a Action) description() string {
	if a.Help != "" {
		return a.Help
	}
	return sentence(a.Name)
}

// keyLabels returns the labels of all keys of an action.
func keyLabels(action Action, glyphs *themes.Glyphs) string {
	labels := make([]string, len(action.Keys))
	for i, key := range action.Keys {
		labels[i] = keyLabel(key, glyphs)
	}
	return strings.Join(labels, " ")
}
