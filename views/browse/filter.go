package browse

import (
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// Filter is the line behind "/": the operator types, the rows shrink with each key, Enter keeps it and Esc puts back
// what was there before. It stays when the screen is left. The zero Filter lets everything through.
type Filter struct {
	input  *widget.Input
	typing bool
	before string
	words  deck.Words
}

// Typing reports whether the line takes the keys.
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

// Active reports whether anything is filtered.
func (f *Filter) Active() bool { return len(f.words) > 0 }

// Set replaces the text.
func (f *Filter) Set(text string) {
	f.input = widget.NewInput(text, "text to look for", 64)
	f.words = deck.ParseWords(f.input.Value())
}

// Key takes a key while typing; it reports whether the rows may differ now.
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

// Take is Key and Paste with a list below the line, which the keys for rows move; it says which of the two may differ
// now. Other messages it leaves alone.
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

// Follow is Take for a screen that rebuilds its rows by one function, and follows the cursor by another.
func (f *Filter) Follow(list *widget.List, msg ui.Msg, arrange, follow func()) {
	changed, moved := f.Take(list, msg)
	if changed {
		arrange()
	}
	if moved {
		follow()
	}
}

// AllAction clears the filter of a screen; changed is called when the rows may differ.
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

// Paste takes pasted text while typing; it reports whether the rows may differ now.
func (f *Filter) Paste(text string) (changed bool) {
	return f.typing && f.Key(ui.KeyMsg{Runes: []rune(text)})
}

// Match reports whether a row of these texts stays.
func (f *Filter) Match(texts ...string) bool { return f.words.Match(texts...) }

// NoMatch reports that the filter lets no row through, and which keys help; what is "No adapter matches".
func (f *Filter) NoMatch(what string) string {
	return what + " “" + f.Text() + "”. Esc shows all again, / changes the filter."
}

// Draw draws the filter into the first row of the area: the input while typing, the text in force otherwise, nothing
// when there is none. zone is the mouse zone that opens it.
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
