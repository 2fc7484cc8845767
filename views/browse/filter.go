package browse

import (
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// Filter is the input that "/" opens: each key narrows the rows, Enter keeps the filter, Esc restores the previous one. It
// survives a change of screen. The zero Filter matches every row.
type Filter struct {
	input  *widget.Input
	typing bool
	before string
	words  deck.Words
}

// Typing reports whether the input receives the keys.
func (f *Filter) Typing() bool { return f.typing }

// Open starts typing.
func (f *Filter) Open() {
	f.before = f.Text()
	f.input = widget.NewInput(f.before, "text to look for", 64)
	f.typing = true
}

// Text returns the typed text.
func (f *Filter) Text() string {
	if f.input == nil {
		return ""
	}
	return f.input.Value()
}

// Active reports whether a filter is set.
func (f *Filter) Active() bool { return len(f.words) > 0 }

// Set replaces the text.
func (f *Filter) Set(text string) {
	f.input = widget.NewInput(text, "text to look for", 64)
	f.words = deck.ParseWords(f.input.Value())
}

// Key handles a key while the operator types; it reports whether the matching rows may have changed.
func (f *Filter) Key(key ui.KeyMsg) (changed bool) {
	if !f.typing {
		return false
	}
	switch key.Name {
	case "enter", "tab":
		f.typing = false
		return false
	case "esc":
		f.typing = false
		f.Set(f.before)
		return true
	}
	if !f.input.Key(key.Name, key.Runes) {
		return false
	}
	f.words = deck.ParseWords(f.input.Value())
	return true
}

// Take handles keys and pasted text while the operator types; the arrow and page keys move the cursor of list. It reports
// whether the matching rows may have changed, and whether the cursor may have moved. It ignores other messages.
func (f *Filter) Take(list *widget.List, msg ui.Msg) (changed, moved bool) {
	switch msg := msg.(type) {
	case ui.PasteMsg:
		return f.Paste(msg.Text), false
	case ui.KeyMsg:
		switch msg.Name {
		case "up", "down", "pgup", "pgdown":
			if f.typing {
				list.Key(msg.Name)
			}
			return false, f.typing
		}
		return f.Key(msg), false
	}
	return false, false
}

// Follow calls Take, then arrange if the matching rows may have changed, and follow if the cursor may have moved.
func (f *Filter) Follow(list *widget.List, msg ui.Msg, arrange, follow func()) {
	changed, moved := f.Take(list, msg)
	if changed {
		arrange()
	}
	if moved {
		follow()
	}
}

// AllAction clears the filter of a screen; changed is called when the matching rows may have changed.
func (f *Filter) AllAction(screen string, changed func()) ui.Action {
	a := ui.Action{ID: screen + ".all", Keys: []string{"esc"}, Name: "show all", Hidden: !f.Active(),
		Help: "Clear the filter",
		Run: func() ui.Cmd {
			f.Set("")
			changed()
			return nil
		}}
	if !f.Active() {
		a.Disabled = "nothing is filtered"
	}
	return a
}

// Paste inserts pasted text while the operator types; it reports whether the matching rows may have changed.
func (f *Filter) Paste(text string) (changed bool) {
	return f.typing && f.Key(ui.KeyMsg{Runes: []rune(text)})
}

// Match reports whether a row with these texts matches the filter.
func (f *Filter) Match(texts ...string) bool { return f.words.Match(texts...) }

// NoMatch returns the text for a list in which no row matches, with the keys that help; what begins it: "No adapter matches".
func (f *Filter) NoMatch(what string) string {
	return what + " “" + f.Text() + "”. Esc shows all again, / changes the filter."
}

// Draw draws the filter into the first row of the area: the input while the operator types, otherwise the text of the
// filter, if one is set. zone is the mouse zone that opens it.
func (f *Filter) Draw(area widget.Area, zone string) {
	area.Zone(0, 0, area.Width, 1, zone, 0)
	label := themes.Style{Role: themes.Muted}
	switch {
	case f.typing:
		x := area.Print(0, 0, "/ ", themes.Style{Role: themes.Accent})
		f.input.Draw(area.Sub(x, 0, area.Width-x, 1), true, themes.Style{})
	case f.Active():
		x := area.Print(0, 0, "filter ", label)
		area.PrintCut(x, 0, area.Width-x, f.Text(), themes.Style{Role: themes.Accent})
	}
}
