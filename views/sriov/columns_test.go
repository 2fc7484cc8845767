package sriov

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/driver/virtualization"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/viewtest"
)

// drawn returns the text of the screen at a size.
func drawn(v *View, width, height int) string {
	canvas := widget.NewCanvas(width, height)
	canvas.SetGlyphs(themes.UnicodeGlyphs())
	v.Draw(canvas.All())
	return canvas.Text()
}

// TestHiddenColumnsAreNamedAndCanBeShown checks that the line below the table names the hidden columns and their keys,
// and that s sorts by each column and shows it.
func TestHiddenColumnsAreNamedAndCanBeShown(t *testing.T) {
	t.Parallel()
	v := newView(viewtest.WatchLab(t, 20, hostChanges()))
	v.choose(portRowID("Ethernet 7"))
	for width, want := range map[int]string{120: "hidden: Drops, Pages (s: sort by column, Tab: details)", 80: "6 columns hidden (s, Tab)"} {
		if screen := drawn(v, width, 37); !strings.Contains(screen, want) {
			t.Errorf("width %d lacks %q:\n%s", width, want, screen)
		}
		var sorted []column
		for range columns {
			v.sortBy(v.nextColumn())
			screen, c := drawn(v, width, 37), column(v.Table.SortColumn)
			if sorted = append(sorted, c); !strings.Contains(screen, " "+columns[c].Title) ||
				v.Table.ColumnWidth(int(c)) == 0 {
				t.Errorf("width %d: sorted by %s, which is hidden:\n%s", width, columns[c].Title, screen)
			}
		}
		for _, c := range []column{vlanColumn, macColumn, dropsColumn, pagesColumn} {
			if !slices.Contains(sorted, c) {
				t.Errorf("s never sorts by %s", columns[c].Title)
			}
		}
		v.sortBy(idColumn)
	}
}

// TestPagesFitTheirColumn checks that no valid number of pages is cut.
func TestPagesFitTheirColumn(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 2048, 9999, 10000, 65536, 1 << 20, 1 << 30} {
		for _, n := range []int{0, limit - 1, limit} {
			cell := pagesCell(themes.UnicodeGlyphs(), &virtualization.VFView{Pages: n, PageLimit: limit})
			if widget.Width(cell.Text) > columns[pagesColumn].Width {
				t.Errorf("%d of %d: %q is wider than its column", n, limit, cell.Text)
			}
		}
	}
}

// TestKeysNamedOnThePageWorkThere checks that the keys named on the page work while the page has the focus.
func TestKeysNamedOnThePageWorkThere(t *testing.T) {
	t.Parallel()
	_, v, s := openScreen(t, viewtest.Lab(t), false)
	v.choose(vfRowID("Ethernet 7", 0))
	s.Press("tab")
	if !v.InPage {
		t.Fatal("Tab does not focus the page")
	}
	s.Press("Z", "down", "down", "down", "down", "enter")
	s.Want("VF monitor")
	s.Press("esc", "z")
	s.Want("Quarantine: Ethernet 7 VF 0")
	s.Press("esc", "esc")
	if v.InPage {
		t.Error("Esc does not focus the table")
	}
}
