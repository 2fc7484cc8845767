package ui

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// palette is the dialog that finds actions and objects by a part of their names.
type palette struct {
	shell *Shell
	input *widget.Input
	index *paletteIndex
	found []int // indexes of entries, best first; atLine is the typed line itself
	line  paletteEntry
	more  int // the number of further matches
	list  widget.List
	// offered are the possible words after the typed text, set by Tab.
	offered []string
}

// completedMsg has the completion of a line.
type completedMsg struct {
	typed, completed string
	offered          []string
}

// maxFound is the maximum number of listed matches.
const maxFound = 200

// atLine marks the typed line in found.
const atLine = -1

func (s *Shell) openPalette() Cmd {
	p := &palette{shell: s, input: widget.NewInput("", "type part of a name", 0), index: newPaletteIndex(s.paletteEntries())}
	p.search()
	return OpenDialog(p)
}

// paletteEntries returns all actions and items: first the front screen's, then the shell's own, then the rest.
func (s *Shell) paletteEntries() []paletteEntry {
	var entries []paletteEntry
	if view := s.view(); view != nil {
		entries = s.actionEntries(entries, view.Title(), view.Actions(), s.active)
	}
	entries = s.actionEntries(entries, "everywhere", s.commonActions(), s.active)
	entries = s.backgroundEntries(entries)
	for i, view := range s.views {
		if i != s.active {
			entries = s.actionEntries(entries, view.Title(), view.Actions(), i)
		}
	}
	if s.options.Items == nil {
		return entries
	}
	for _, item := range s.options.Items() {
		action := Action{ID: "item." + item.Kind, Name: item.Title, Disabled: item.Disabled, Run: item.Run}
		entries = append(entries, paletteEntry{title: item.Title, kind: item.Kind, refusal: item.Disabled, run: func() Cmd {
			s.perform(action)
			return nil
		}})
	}
	return entries
}

// actionEntries appends the entries of actions. An action of another screen first brings that screen to the front, and is then
// looked up again, because its object may have changed. Actions in the status line come before well-known ones, such as cursor
// keys.
func (s *Shell) actionEntries(entries []paletteEntry, kind string, actions []Action, view int) []paletteEntry {
	actions = slices.Clone(s.offeredActions(actions))
	slices.SortStableFunc(actions, func(a, b Action) int { return cmp.Compare(hiddenRank(a), hiddenRank(b)) })
	for _, action := range actions {
		entries = append(entries, paletteEntry{title: sentence(action.Name), help: action.Help, kind: kind,
			keys: keyLabels(action, s.glyphs()), refusal: s.refusal(action),
			run: func() Cmd {
				if view != s.active {
					s.show(view, nil)
					if current, ok := actionByID(s.views[view].Actions(), action.ID); ok {
						action = current
					}
				}
				s.perform(action)
				return nil
			}})
	}
	return entries
}

func hiddenRank(a Action) int {
	if a.Hidden {
		return 1
	}
	return 0
}

func actionByID(actions []Action, id string) (Action, bool) {
	for _, action := range actions {
		if action.ID == id {
			return action, true
		}
	}
	return Action{}, false
}

func (p *palette) Title() string { return "Commands" }

func (p *palette) Size(width, height int) (int, int) { return min(width, 96), min(height, 20) }

// Typing reports that plain keys are text.
func (p *palette) Typing() bool { return true }

func (p *palette) search() {
	p.found, p.more = p.index.search(p.input.Value(), maxFound)
	p.offerLine(p.input.Value())
	p.list = widget.List{}
	p.list.SetLength(len(p.found))
}

// offerLine adds the typed line if it is a command: after entries with the text in their names, and before fuzzy matches.
func (p *palette) offerLine(typed string) {
	if p.shell.options.Line == nil {
		return
	}
	action, ok := p.shell.options.Line(typed)
	if !ok {
		return
	}
	p.line = paletteEntry{title: typed, help: action.Help, kind: "command", refusal: p.shell.refusal(action), run: func() Cmd {
		p.shell.perform(action)
		return nil
	}}
	at := slices.IndexFunc(p.found, func(place int) bool {
		return !strings.Contains(strings.ToLower(p.index.entries[place].title), strings.ToLower(typed))
	})
	if at < 0 {
		at = len(p.found)
	}
	p.found = slices.Insert(slices.Clone(p.found), at, atLine)
}

// entry returns the entry of a row.
func (p *palette) entry(row int) *paletteEntry {
	if p.found[row] == atLine {
		return &p.line
	}
	return &p.index.entries[p.found[row]]
}

func (p *palette) Update(msg Msg) (bool, Cmd) {
	switch msg := msg.(type) {
	case KeyMsg:
		switch msg.Name {
		case "enter":
			return p.choose(p.list.Cursor())
		case "up", "ctrl+p":
			p.list.Move(-1)
		case "down", "ctrl+n":
			p.list.Move(1)
		case "pgup", "pgdown":
			p.list.Key(msg.Name)
		case "tab":
			return false, p.complete()
		default:
			if p.input.Key(msg.Name, msg.Runes) {
				p.offered = nil
				p.search()
			}
		}
	case completedMsg:
		p.take(msg)
	case PasteMsg:
		p.input.Paste(msg.Text)
		p.search()
	case HitMsg:
		switch {
		case msg.Button == WheelUp:
			p.list.Scroll(-3)
		case msg.Button == WheelDown:
			p.list.Scroll(3)
		case msg.Button == Press && msg.ID == "palette.row":
			return p.choose(msg.Index)
		}
	}
	return false, nil
}

// complete completes the typed line in the background.
func (p *palette) complete() Cmd {
	if p.shell.options.Complete == nil {
		return nil
	}
	typed := p.input.Value()
	find := p.shell.options.Complete(typed)
	return Background("Complete the line", func(ctx context.Context) Msg {
		completed, offered := find(ctx)
		return completedMsg{typed, completed, offered}
	})
}

// take puts a completion into the field, unless the text has changed meanwhile.
func (p *palette) take(msg completedMsg) {
	if p.input.Value() != msg.typed {
		return
	}
	p.offered = msg.offered
	if msg.completed == msg.typed {
		return
	}
	p.input.SetValue(msg.completed)
	p.input.Key("end", nil) // deselects it, so that further typing keeps it
	p.search()
}

func (p *palette) choose(row int) (bool, Cmd) {
	if row < 0 || row >= len(p.found) {
		return false, nil
	}
	return true, p.entry(row).run()
}

func (p *palette) Draw(area widget.Area) {
	field, rest := area.SplitTop(1)
	p.input.Draw(field, true, themes.Style{})
	rows, foot := rest.SplitBottom(1)
	p.list.SetHeight(rows.Height)
	from, to := p.list.Visible()
	for row := from; row < to; row++ {
		p.drawRow(rows, row-from, row)
	}
	switch {
	case len(p.offered) > 0:
		foot.PrintCut(0, 0, foot.Width, strings.Join(p.offered, "  "), themes.Style{Role: themes.Info})
	case len(p.found) == 0:
		rows.PrintCut(0, 0, rows.Width, "No name matches. Backspace deletes a character.", themes.Style{Role: themes.Muted})
	case p.more > 0:
		foot.PrintCut(0, 0, foot.Width, moreText(p.more), themes.Style{Role: themes.Muted})
	case p.selectedRefusal() != "":
		foot.PrintCut(0, 0, foot.Width, "Not now: "+p.selectedRefusal(), themes.Style{Role: themes.Warn})
	}
}

// selectedRefusal returns the reason why the selected entry is not possible now.
func (p *palette) selectedRefusal() string {
	row := p.list.Cursor()
	if row < 0 || row >= len(p.found) {
		return ""
	}
	return p.entry(row).refusal
}

// The widths of the columns at the right, in cells.
const (
	paletteKeys = 14
	paletteKind = 12
)

func (p *palette) drawRow(rows widget.Area, y, row int) {
	entry := p.entry(row)
	style, side := themes.Style{}, themes.Style{Role: themes.Muted}
	if entry.refusal != "" {
		style.Role = themes.Muted
	}
	if row == p.list.Cursor() {
		style.Ground, side.Ground = themes.Selected, themes.Selected
		rows.Sub(0, y, rows.Width, 1).Fill(style)
	}
	name := rows.Width - paletteKeys - paletteKind - 2
	end := rows.PrintCut(0, y, name, entry.title, style)
	rows.PrintCut(end+2, y, name-end-2, entry.help, side)
	rows.PrintCut(name+1, y, paletteKeys, entry.keys, themes.Style{Role: themes.KeyCap, Ground: side.Ground})
	rows.PrintCut(name+paletteKeys+2, y, paletteKind, entry.kind, side)
	rows.Zone(0, y, rows.Width, 1, "palette.row", row)
}

func (p *palette) Hints() []Hint {
	return []Hint{{"enter", "run"}, {"up", "up"}, {"down", "down"}, {"tab", "complete"}, {"esc", "close"}}
}
