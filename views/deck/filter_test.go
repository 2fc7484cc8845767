package deck_test

import (
	"testing"

	"cxdeck/ui"
	"cxdeck/views/deck"
)

func typed(f *deck.Filter, names ...string) {
	for _, name := range names {
		key := ui.KeyMsg{Name: name}
		if len(name) == 1 {
			key.Runes = []rune(name)
		}
		f.Key(key)
	}
}

func TestFilterKeepsAndTakesBack(t *testing.T) {
	t.Parallel()
	var f deck.Filter
	typed(&f, "x") // nobody types
	if f.Active() || f.Typing() || f.Text() != "" {
		t.Fatalf("a fresh filter has %q", f.Text())
	}
	f.Open()
	typed(&f, "u", "p")
	if !f.Match("● up") || f.Match("down") || !f.Typing() {
		t.Errorf("while typing %q the rows do not follow", f.Text())
	}
	typed(&f, "enter")
	if f.Typing() || f.Text() != "up" {
		t.Errorf("Enter kept %q, typing %v", f.Text(), f.Typing())
	}
	f.Open()
	f.Paste(" and down\n")
	if f.Match("● up") {
		t.Errorf("pasted text does not filter: %q", f.Text())
	}
	typed(&f, "esc")
	if f.Text() != "up" || !f.Match("● up") {
		t.Errorf("Esc put back %q, want what was kept before", f.Text())
	}
	f.Set("")
	if f.Active() || !f.Match("anything") {
		t.Error("an emptied filter still filters")
	}
}
