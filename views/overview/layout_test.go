package overview

import (
	"testing"

	"cxdeck/views/deck"
)

func overlap(a, b deck.Rect) bool {
	return a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height
}

func TestLayoutFitsEverySize(t *testing.T) {
	t.Parallel()
	for width := 0; width <= 240; width += 3 {
		for height := range 71 {
			for _, rows := range []int{0, 1, 4, 12, 30, 1000} {
				l := place(width, height, rows)
				parts := []deck.Rect{l.tree, l.totals, l.side, l.foot}
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
				if l.tree.Width < 60 || l.tree.Height < 2 || l.totals.Height != 1 || l.foot.Height < footLeast {
					t.Fatalf("%dx%d, %d rows: a part can't be used: %+v", width, height, rows, l)
				}
				if wide := width >= sideFrom; wide != (l.side.Width >= sideLeast) || wide == l.sideInFoot {
					t.Fatalf("%dx%d: the details are in the wrong place: %+v", width, height, l)
				}
			}
		}
	}
}
