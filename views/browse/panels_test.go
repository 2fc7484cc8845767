package browse

import "testing"

// overlap reports whether two places share a cell.
func overlap(a, b Rect) bool {
	return a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height
}

func TestPanelsFitEverySize(t *testing.T) {
	t.Parallel()
	for width := range 241 {
		for height := range 71 {
			for _, opened := range []bool{false, true} {
				p := PlacePanels(width, height, 110, opened)
				parts := []Rect{p.Bar, p.Table, p.Page, p.Rule}
				for i, r := range parts {
					if r.Width < 0 || r.Height < 0 || r.X < 0 || r.Y < 0 ||
						r.Width > 0 && r.Height > 0 && (r.X+r.Width > width || r.Y+r.Height > height) {
						t.Fatalf("%dx%d opened %v: part %d %+v leaves the screen", width, height, opened, i, r)
					}
					for j := range i {
						if overlap(r, parts[j]) {
							t.Fatalf("%dx%d opened %v: parts %d and %d overlap: %+v %+v", width, height, opened, i, j, r, parts[j])
						}
					}
				}
				if width < 60 || height < 11 {
					continue
				}
				if table, page := p.Table.Width >= 60 && p.Table.Height >= 5, opened && p.Page.Height >= 5; !table && !page {
					t.Fatalf("%dx%d opened %v: neither table nor page can be used: %+v", width, height, opened, p)
				}
				if opened && p.Page.Height == 0 {
					t.Fatalf("%dx%d: the opened page does not show", width, height)
				}
			}
		}
	}
}
