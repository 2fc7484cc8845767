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

// drawn is the screen at a size.
func drawn(v *View, width, height int) string {
	canvas := widget.NewCanvas(width, height)
	canvas.SetGlyphs(themes.UnicodeGlyphs())
	v.Draw(canvas.All())
	return canvas.Text()
}

// TestAColumnWithoutRoomIsNamedAndShown: what there is no room for is below the table with the keys that bring it,
// and s comes by every column and shows it.
func TestAColumnWithoutRoomIsNamedAndShown(t *testing.T) {
	t.Parallel()
	v := shown(viewtest.WatchLab(t, 20, made()))
	v.choose(portRowID("Ethernet 7"))
	for width, want := range map[int]string{120: "Drops, Pages: s or Tab", 80: "6 more columns: s or Tab"} {
		if screen := drawn(v, width, 37); !strings.Contains(screen, want) {
			t.Errorf("width %d does not say %q:\n%s", width, want, screen)
		}
		var sorted []column
		for range columns {
			v.sortBy(v.nextColumn())
			screen, c := drawn(v, width, 37), column(v.Table.SortColumn)
			if sorted = append(sorted, c); !strings.Contains(screen, " "+columns[c].Title) ||
				v.Table.ColumnWidth(int(c)) == 0 {
				t.Errorf("width %d: sorted by %s, which does not show:\n%s", width, columns[c].Title, screen)
			}
		}
		for _, c := range []column{vlanColumn, macColumn, dropsColumn, pagesColumn} {
			if !slices.Contains(sorted, c) {
				t.Errorf("s never comes to %s", columns[c].Title)
			}
		}
		v.sortBy(idColumn)
	}
}

// TestPagesFitTheirColumn: no number of pages that a limit can be is cut.
func TestPagesFitTheirColumn(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 2048, 9999, 10000, 65536, 1 << 20, 1 << 30} {
		for _, n := range []int{0, limit - 1, limit} {
			cell := pagesCell(themes.UnicodeGlyphs(), &virtualization.VFView{Pages: n, PageLimit: limit})
			if widget.Width(cell.Text) > columns[pagesColumn].Width {
				t.Errorf("%d of %d: %q takes more than its column", n, limit, cell.Text)
			}
		}
	}
}

// TestThePageTakesTheKeysItNames: what the page says that a key does, the key does there.
func TestThePageTakesTheKeysItNames(t *testing.T) {
	t.Parallel()
	_, v, s := opened(t, viewtest.Lab(t), false)
	v.choose(vfRowID("Ethernet 7", 0))
	s.Press("tab")
	if !v.InPage {
		t.Fatal("Tab does not lead to the page")
	}
	s.Press("w", "down", "down", "down", "down", "enter")
	s.Want("Monitor of VFs")
	s.Press("esc", "z")
	s.Want("Quarantine: Ethernet 7 VF 0")
	s.Press("esc", "esc")
	if v.InPage {
		t.Error("Esc does not lead back to the table")
	}
}
