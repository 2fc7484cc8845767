package diagnose

import (
	"strings"
	"testing"

	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// pageText returns the page about the selected row, written at a width.
func pageText(v *View) string {
	v.Page.Stale = true
	v.Page.Fit(70, themes.UnicodeGlyphs())
	v.Page.Rewrite(v.writePage)
	var b strings.Builder
	for _, l := range v.Page.Lines {
		b.WriteString(l.Label + " " + l.Text + " " + l.Value + "\n")
	}
	return b.String()
}

// TestWhy holds that a question about a row shows the findings about its object, and says what was checked when nothing is wrong.
func TestWhy(t *testing.T) {
	t.Parallel()
	v := diagnosed(t, unplugged)
	report := v.report
	ask := func(about deck.Why) {
		v.Update(ui.ShowMsg{Arg: about})
		v.report = report
		v.arrange()
	}
	ask(deck.Why{Object: "Ethernet 9"})
	if len(v.rows) == 0 || v.rows[0].Rule.ID != "cable-out" {
		t.Errorf("the findings about Ethernet 9 are %v", v.rows)
	}
	for _, f := range v.rows {
		if !f.At("Ethernet 9") {
			t.Errorf("%s is not about Ethernet 9", f.Title)
		}
	}
	viewtest.Golden(t, v, "why")
	counter := deck.WhyCounter(v.monitor.Inventory(), "Mellanox WinOF-2 Port Traffic", "Ethernet 4", "Packets Received Bad CRC Error", "0")
	if counter.Object != "Ethernet 4" || counter.From == "" {
		t.Fatalf("the question about a counter is %+v", counter)
	}
	ask(counter)
	if len(v.rows) > 0 {
		t.Fatalf("Ethernet 4 has the finding %s", v.rows[0].Title)
	}
	for _, want := range []string{"Nothing is wrong with Ethernet 4", "Packets Received Bad CRC Error of Ethernet 4", "damaged-frames", "received packets with a wrong checksum"} {
		if text := pageText(v); !strings.Contains(text, want) {
			t.Errorf("the answer lacks %q:\n%s", want, text)
		}
	}
	viewtest.GoldenWide(t, v, "why-nothing")
	v.InPage = true
	viewtest.Golden(t, v, "why-nothing-page")
	viewtest.EverySize(t, v)
	ask(deck.Why{Object: "no such object"})
	if text := pageText(v); !strings.Contains(text, "No rule has facts about no such object") {
		t.Errorf("the answer is %s", text)
	}
	v.Update(ui.ShowMsg{})
	if v.about != nil {
		t.Error("the tab bar keeps the question")
	}
}
