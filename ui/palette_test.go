package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestPaletteRanksTheWordAsTyped(t *testing.T) {
	t.Parallel()
	var entries []paletteEntry
	for _, title := range []string{"Free memory", "Bytes sent", "Freeze", "Anti-freeze", "Do not freeze", "Far reefs emerge", "Frame zebra edge"} {
		entries = append(entries, paletteEntry{title: title, kind: "test"})
	}
	found, more := newPaletteIndex(entries).search("freeze", 10)
	var titles []string
	for _, place := range found {
		titles = append(titles, entries[place].title)
	}
	if found, _ := newPaletteIndex(entries).search("sent by", 10); len(found) != 1 || found[0] != 1 {
		t.Errorf("words in another order find %v, want the second entry", found)
	}
	if found, _ := newPaletteIndex(entries).search("frmzeb", 10); len(found) != 1 || found[0] != 6 {
		t.Errorf("letters of a title find %v, want the last entry", found)
	}
	if got, want := strings.Join(titles, ", "), "Freeze, Do not freeze, Anti-freeze"; got != want || more != 0 {
		t.Errorf("found %s and %d more, want %s", got, more, want)
	}
}

func TestPaletteSearchCountsAllMatches(t *testing.T) {
	t.Parallel()
	x := newPaletteIndex(manyEntries(5000))
	if found, more := x.search("port 77 ", 10); len(found) != 10 || more == 0 {
		t.Fatalf("found %d and %d more", len(found), more)
	}
	if found, _ := x.search("no such thing at all", 10); len(found) != 0 {
		t.Errorf("found %d entries for a text that none contains", len(found))
	}
	if found, more := x.search("", 10); len(found)+more != 5000 {
		t.Errorf("an empty word finds %d, want all 5000", len(found)+more)
	}
}

func manyEntries(n int) []paletteEntry {
	entries := make([]paletteEntry, n)
	for i := range entries {
		entries[i] = paletteEntry{title: fmt.Sprintf(`\Mellanox WinOF-2 Port Traffic(Ethernet %d)\Bytes Received/Sec port %d`, i%97, i), kind: "counter"}
	}
	return entries
}

// itemsOptions has two views, of which the hidden second one has a freeze action, and items.
func itemsOptions(ran *[]string) (Options, *screenView, *screenView) {
	one, two := twoViews()
	note := func(what string) func() Cmd {
		return func() Cmd {
			*ran = append(*ran, what)
			return nil
		}
	}
	two.actions = []Action{{ID: "counters.freeze", Keys: []string{"f"}, Name: "freeze", Help: "Hold the picture still", Run: note("freeze")}}
	options := testOptions(one, two)
	options.Items = func() []Item {
		return []Item{
			{Title: "Ethernet 7", Kind: "adapter", Run: note("Ethernet 7")},
			{Title: "Ethernet 9", Kind: "adapter", Disabled: "it is gone", Run: note("Ethernet 9")},
		}
	}
	return options, one, two
}

func TestPaletteRunsTheTypedAction(t *testing.T) {
	t.Parallel()
	var ran []string
	options, _, _ := itemsOptions(&ran)
	s := NewShell(options)
	press(s, ":", "f", "r", "e", "e", "enter")
	if s.Active() != "counters" || fmt.Sprint(ran) != "[freeze]" {
		t.Errorf("on screen %s, ran %v; want the action of the other screen done there", s.Active(), ran)
	}
	press(s, "ctrl+p")
	s.Send(PasteMsg{"ethernet 7"})
	press(s, "enter")
	if fmt.Sprint(ran) != "[freeze Ethernet 7]" {
		t.Errorf("ran %v, want the item", ran)
	}
	press(s, ":")
	s.Send(PasteMsg{"ethernet 9"})
	wantText(t, s, "Not now: it is gone")
	press(s, "enter")
	wantText(t, s, "it is gone")
	if len(ran) != 2 {
		t.Errorf("a disabled item was run: %v", ran)
	}
	press(s, ":")
	s.Send(PasteMsg{"zzzzzz"})
	wantText(t, s, "No name matches.")
	press(s, "enter", "esc")
	wantNoText(t, s, "Enter run")
}

func TestPaletteMouse(t *testing.T) {
	t.Parallel()
	var ran []string
	options, _, _ := itemsOptions(&ran)
	s := NewShell(options)
	press(s, ":")
	s.Send(PasteMsg{"ethernet 7"})
	clickText(t, s, "Ethernet 7")
	if fmt.Sprint(ran) != "[Ethernet 7]" {
		t.Errorf("ran %v, want the row that was pressed", ran)
	}
}

func BenchmarkPaletteOpen(b *testing.B) {
	entries := manyEntries(20_000)
	for b.Loop() {
		newPaletteIndex(entries)
	}
}

func BenchmarkPaletteSearch(b *testing.B) {
	x := newPaletteIndex(manyEntries(20_000))
	for _, word := range []string{"e", "bytes", "wnftrcv", "ethernet 77", "port 19999"} {
		b.Run(word, func(b *testing.B) {
			for b.Loop() {
				x.last = "\x00" // start from all entries
				x.search(word, maxFound)
			}
		})
	}
}

// TestPaletteCompletesLines presses Tab: the field gets the unambiguous part, and the list below shows the possible continuations.
func TestPaletteCompletesLines(t *testing.T) {
	t.Parallel()
	s, _, _ := oneAction(deleteAction(), func(o *Options) {
		o.Complete = func(typed string) func(context.Context) (string, []string) {
			return func(context.Context) (string, []string) {
				if typed == "ad" {
					return "adapter ", nil
				}
				return typed + "s", []string{"show", "statistics"}
			}
		}
	})
	press(s, ":", "a", "d", "tab")
	s.WaitIdle(t.Context())
	wantText(t, s, "adapter ")
	press(s, "x", "tab")
	s.WaitIdle(t.Context())
	wantText(t, s, "adapter xs")
	wantText(t, s, "show  statistics")
	press(s, "y")
	wantText(t, s, "adapter xsy")
	if strings.Contains(screenText(s), "statistics") {
		t.Error("the continuations are still shown")
	}
	press(s, "tab")
	press(s, "z") // before the answer arrives
	s.WaitIdle(t.Context())
	wantText(t, s, "adapter xsyz")
}
