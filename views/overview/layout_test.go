package overview

import (
	"testing"

	"cxdeck/views/browse"
)

func overlap(a, b browse.Rect) bool {
	return a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height
}

func TestLayoutFitsEverySize(t *testing.T) {
	t.Parallel()
	for width := 0; width <= 240; width += 3 {
		for height := range 71 {
			for _, rows := range []int{0, 1, 4, 12, 30, 1000} {
				l := place(width, height, rows, 3, 7)
				parts := []browse.Rect{l.tree, l.totals, l.curves, l.side, l.foot}
				for i, r := range parts {
					if r.Width < 0 || r.Height < 0 || r.X < 0 || r.Y < 0 || r.X+r.Width > width || r.Y+r.Height > height {
						t.Fatalf("%dx%d, %d rows: part %d %+v leaves the screen", width, height, rows, i, r)
					}
					for j := range i {
						if overlap(r, parts[j]) {
							t.Fatalf("%dx%d, %d rows: parts %d and %d overlap: %+v %+v", width, height, rows, i, j, r, parts[j])
						}
					}
				}
				if width < 60 || height < 11 {
					continue
				}
				if l.tree.Width < 60 || l.tree.Height < 2 || l.totals.Height != 1 || l.foot.Height < footMin {
					t.Fatalf("%dx%d, %d rows: a part can't be used: %+v", width, height, rows, l)
				}
				if wide := width >= sideFrom; wide != (l.side.Width >= sideMin) || wide == l.sideInFoot {
					t.Fatalf("%dx%d: the details are in the wrong place: %+v", width, height, l)
				}
			}
		}
	}
}

// TestNoBlankRowsWhileTheTreeScrolls checks that the foot is not higher than its events while rows of the tree are hidden.
func TestNoBlankRowsWhileTheTreeScrolls(t *testing.T) {
	t.Parallel()
	for width := 60; width <= 240; width += 20 {
		for height := 12; height <= 70; height++ {
			for rows := range 60 {
				for events := range 20 {
					l := place(width, height, rows, events, 7)
					hidden := max(rows, 1)+1 > l.tree.Height
					if blank := l.foot.Height - 1 - max(events, 1); hidden && blank > 0 {
						t.Fatalf("%dx%d, %d rows, %d events: %d rows stay blank: %+v", width, height, rows, events, blank, l)
					}
				}
			}
		}
	}
}

// TestCurvesUseTheRoom checks that on a large screen every port of the default lab has a readable curve.
func TestCurvesUseTheRoom(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{200, 56}, {240, 66}} {
		l := place(size[0], size[1], 14, 3, 7)
		columns, rows := curveGrid(l.curves.Width, l.curves.Height, 7)
		if columns*rows < 7 || l.curves.Height/max(rows, 1) < 9 {
			t.Errorf("%dx%d: %d by %d curves in %+v", size[0], size[1], columns, rows, l.curves)
		}
		if unused := size[1] - l.tree.Height - l.curves.Height - 4 - footWithCurves; unused > 5 {
			t.Errorf("%dx%d: %d rows are not used: %+v", size[0], size[1], unused, l)
		}
	}
}
