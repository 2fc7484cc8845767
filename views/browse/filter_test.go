package browse_test

import (
	"testing"

	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
)

func typed(f *browse.Filter, names ...string) {
	for _, name := range names {
		key := ui.KeyMsg{Name: name}
		if len(name) == 1 {
			key.Runes = []rune(name)
		}
		f.Key(key)
	}
}

func TestFilterEnterKeepsAndEscRestores(t *testing.T) {
	t.Parallel()
	var f browse.Filter
	typed(&f, "x") // the input is closed
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
		t.Errorf("Esc restored %q, want the kept filter", f.Text())
	}
	f.Set("")
	if f.Active() || !f.Match("anything") {
		t.Error("an emptied filter still filters")
	}
}

func TestRowsMoveWhileTheFilterIsTyped(t *testing.T) {
	t.Parallel()
	var f browse.Filter
	var list widget.List
	list.SetLength(3)
	if changed, moved := f.Take(&list, ui.KeyMsg{Name: "down"}); changed || moved || list.Cursor() != 0 {
		t.Errorf("the input is closed: changed %v, moved %v, row %d", changed, moved, list.Cursor())
	}
	f.Open()
	if changed, moved := f.Take(&list, ui.KeyMsg{Name: "down"}); changed || !moved || list.Cursor() != 1 {
		t.Errorf("down: changed %v, moved %v, row %d", changed, moved, list.Cursor())
	}
	if changed, moved := f.Take(&list, ui.KeyMsg{Name: "u", Runes: []rune("u")}); !changed || moved || f.Text() != "u" {
		t.Errorf("u: changed %v, moved %v, text %q", changed, moved, f.Text())
	}
}
