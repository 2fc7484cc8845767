package widget

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/themes"
)

func TestInputEditing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		start string
		keys  []string
		want  string // with the cursor as |
	}{
		{"", []string{"a", "b"}, "ab|"},
		{"abc", []string{"left", "left", "x"}, "ax|bc"},
		{"abc", []string{"home", "delete", "right", "backspace"}, "|c"},
		{"abc", []string{"right", "delete", "end"}, "abc|"},
		{"abc", []string{"home", "left", "backspace"}, "|abc"},
		{"*RSS ProfileName", []string{"ctrl+left"}, "*RSS |ProfileName"},
		{"*RSS ProfileName", []string{"ctrl+left", "ctrl+left"}, "|*RSS ProfileName"},
		{"*RSS ProfileName", []string{"home", "ctrl+right"}, "*RSS| ProfileName"},
		{"*RSS ProfileName", []string{"alt+b", "ctrl+w"}, "|ProfileName"},
		{"*RSS ProfileName", []string{"left", "alt+d"}, "*RSS ProfileNam|"},
		{"*RSS ProfileName", []string{"alt+delete", "alt+backspace", "alt+delete"}, "*RSS |"},
		{"*RSS ProfileName", []string{"ctrl+a", "alt+d"}, "| ProfileName"},
		{"*RSS ProfileName", []string{"alt+left", "ctrl+u"}, "|ProfileName"},
		{"*RSS ProfileName", []string{"alt+left", "ctrl+k"}, "*RSS |"},
		{"日本", []string{"left", "é"}, "日é|本"},
		{"12345678", []string{"9", "x"}, "12345678|"},
	} {
		i := NewInput(c.start, "", max(8, len(c.start)))
		i.Key("end", nil)
		for _, key := range c.keys {
			var runes []rune
			if len([]rune(key)) == 1 {
				runes = []rune(key)
			}
			if !i.Key(key, runes) {
				t.Errorf("%q: %q was not handled", c.start, key)
			}
		}
		got := string(slices.Insert([]rune(i.Value()), i.position(), '|'))
		if got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.start, c.keys, got, c.want)
		}
	}
}

func TestInputIgnoresOtherKeys(t *testing.T) {
	t.Parallel()
	i := NewInput("abc", "", 0)
	for _, key := range []string{"enter", "esc", "tab", "shift+tab", "up", "down", "ctrl+c", "ctrl+v", "ctrl+n", "f1", "pgup"} {
		if i.Key(key, nil) {
			t.Errorf("%q was handled", key)
		}
	}
	if i.Key("alt+x", []rune("x")) || i.Key("\x1b", []rune("\x1b")) || i.Value() != "abc" {
		t.Errorf("the text is now %q", i.Value())
	}
}

func TestInputPasteIsCleanAndLimited(t *testing.T) {
	t.Parallel()
	i := NewInput("", "", 10)
	i.Paste("a\x1b[2J\nb\u202e\u200b" + strings.Repeat("c", 99))
	if got := i.Value(); got != "a[2J bcccc" {
		t.Errorf("got %q", got)
	}
	i.SetValue("new")
	if i.Value() != "new" || i.position() != 3 {
		t.Errorf("after SetValue: %q, cursor %d", i.Value(), i.position())
	}
	i.Key("end", nil)
	if i.Paste("left"); i.Value() != "newleft" {
		t.Errorf("a pasted name of a key made it %q", i.Value())
	}
}

// A long name, path or command line is not cut silently: what follows the field refuses it.
func TestInputTakesLongTexts(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", 9000)
	for _, input := range []*Input{NewInput(text, "", 0), NewInput("", "", 0)} {
		input.Paste(text)
		if len(input.Value()) != len(text) {
			t.Errorf("%d of %d characters are left", len(input.Value()), len(text))
		}
	}
}

func TestInputCursorIsAlwaysInTheField(t *testing.T) {
	t.Parallel()
	i := NewInput(strings.Repeat("ab日", 20), "", 0)
	for _, key := range append(append(slices.Repeat([]string{"left"}, 70), slices.Repeat([]string{"right"}, 70)...), slices.Repeat([]string{"backspace"}, 70)...) {
		i.Key(key, nil)
		for _, width := range []int{1, 2, 7, 30} {
			canvas := NewCanvas(width, 1)
			i.Draw(canvas.All(), true, themes.Style{})
			if _, _, on := canvas.Cursor(); !on {
				t.Fatalf("width %d, position %d: the cursor is outside the field", width, i.position())
			}
		}
	}
	i.SetValue("one two")
	canvas := NewCanvas(20, 1)
	i.Draw(canvas.All(), true, themes.Style{})
	i.ClickAt(4)
	if i.position() != 4 {
		t.Errorf("a press at column 4 puts the cursor on %d", i.position())
	}
	i.ClickAt(99)
	if i.position() != 7 {
		t.Errorf("a press behind the text puts the cursor on %d", i.position())
	}
}

func FuzzInput(f *testing.F) {
	f.Add("text", "ctrl+w left x", 7)
	f.Add("日本\x1b", "home delete alt+d ctrl+k", 1)
	f.Fuzz(func(t *testing.T, text, keys string, width int) {
		i := NewInput(text, "placeholder", 40)
		canvas := NewCanvas(max(0, width%30), 1)
		for _, key := range strings.Fields(keys) {
			i.Key(key, []rune(key))
			canvas.Clear()
			i.Draw(canvas.All(), true, themes.Style{})
			if n := len([]rune(i.Value())); n > 40 || i.position() < 0 || i.position() > n {
				t.Fatalf("%q, cursor %d", i.Value(), i.position())
			}
			if wrong := broken(canvas); wrong != "" {
				t.Fatal(wrong)
			}
		}
	})
}

func TestButtons(t *testing.T) {
	t.Parallel()
	b := Buttons{ID: "b", Items: []Button{{Label: "Apply"}, {Label: "Back"}}}
	for _, step := range []struct {
		key   string
		focus int
	}{{"left", 0}, {"right", 1}, {"right", 1}, {"h", 0}, {"l", 1}} {
		if !b.Key(step.key) || b.Focus() != step.focus {
			t.Errorf("%q: focus %d, want %d", step.key, b.Focus(), step.focus)
		}
	}
	if b.Key("enter") {
		t.Error("enter was handled")
	}
	canvas := NewCanvas(b.Width()+5, 1)
	b.Draw(canvas.All(), true)
	if hit, ok := canvas.HitAt(canvas.width-2, 0); !ok || hit.Index != 1 {
		t.Errorf("a press on the last button: %+v, %v", hit, ok)
	}
	b.Items = nil
	if b.Key("right"); b.Focus() != -1 {
		t.Errorf("no buttons: focus %d", b.Focus())
	}
}

// TestInputReplacesPresetText guards against a class of defects in which 100 became 100200: the first typed or pasted
// character, or a deletion, replaces a preset text, wherever it came from; a cursor key keeps it.
func TestInputReplacesPresetText(t *testing.T) {
	t.Parallel()
	canvas := NewCanvas(20, 1)
	canvas.SetGlyphs(themes.UnicodeGlyphs())
	for name, fill := range map[string]func() *Input{
		"made with it": func() *Input { return NewInput("100", "", 0) },
		"set later": func() *Input {
			i := NewInput("", "", 0)
			i.Key("7", []rune("7"))
			i.SetValue("100")
			return i
		},
		"left and returned to": func() *Input {
			i := NewInput("", "", 0)
			i.Paste("100")
			i.Draw(canvas.All(), true, themes.Style{})
			i.Draw(canvas.All(), false, themes.Style{})
			i.Draw(canvas.All(), true, themes.Style{})
			return i
		},
	} {
		for keys, want := range map[string]string{
			"2 0 0": "200", "backspace": "", "delete": "", "ctrl+w": "", "ctrl+u": "", "alt+d": "", "backspace 5": "5",
			"end 2": "1002", "home 2": "2100", "left 2": "1020", "right 2": "1002", "home delete": "00", "2 home 1": "12",
		} {
			i := fill()
			for key := range strings.FieldsSeq(keys) {
				var runes []rune
				if len(key) == 1 {
					runes = []rune(key)
				}
				i.Key(key, runes)
			}
			if i.Value() != want {
				t.Errorf("%s, %s: %q, want %q", name, keys, i.Value(), want)
			}
		}
		i := fill()
		if i.Paste("200"); i.Value() != "200" {
			t.Errorf("%s, pasted: %q", name, i.Value())
		}
		i = fill()
		if i.Paste("\x1b"); i.Value() != "100" {
			t.Errorf("%s, nothing was pasted: %q", name, i.Value())
		}
		i = fill()
		i.ClickAt(1)
		if i.Paste("2"); i.Value() != "1200" {
			t.Errorf("%s, pressed with the mouse: %q", name, i.Value())
		}
	}
}
