package counters

import (
	"fmt"
	"testing"
)

// overlap reports whether two rectangles share a cell.
func overlap(a, b rect) bool {
	return a.x < b.x+b.width && b.x < a.x+a.width && a.y < b.y+b.height && b.y < a.y+a.height
}

// inside reports whether a rectangle is within the body.
func inside(r rect, width, height int) bool {
	return r.x >= 0 && r.y >= 0 && r.x+r.width <= width && r.y+r.height <= height
}

func TestArrangedPartsDoNotOverlap(t *testing.T) {
	t.Parallel()
	for width := 56; width <= 240; width += 23 {
		for height := 8; height <= 70; height++ {
			for _, curves := range []int{0, 1, 2, 8, 64} {
				for _, report := range []bool{false, true} {
					n := needs{curves: curves, report: report}
					a := arrange(width, height, n)
					parts := []rect{a.title, a.chart, a.legend, a.description, a.marks}
					rows := 0
					for i, p := range parts {
						rows += p.height
						if !inside(p, width, height) {
							t.Fatalf("%dx%d %+v: part %d is outside: %+v", width, height, n, i, p)
						}
						for _, q := range parts[i+1:] {
							if overlap(p, q) {
								t.Fatalf("%dx%d %+v: %+v and %+v overlap", width, height, n, p, q)
							}
						}
					}
					if rows != height {
						t.Fatalf("%dx%d %+v: %d of %d rows are used", width, height, n, rows, height)
					}
					if a.chart.height < min(minChart, height-1) {
						t.Fatalf("%dx%d %+v: the chart has %d rows", width, height, n, a.chart.height)
					}
					if !n.report && height >= 12 && a.legend.height < 2 {
						t.Fatalf("%dx%d %+v: the legend has %d rows", width, height, n, a.legend.height)
					}
				}
			}
		}
	}
}

func TestTilesAreEqualAndDoNotOverlap(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{60, 8}, {80, 12}, {120, 25}, {240, 50}, {20, 3}} {
		for _, n := range []int{1, 2, 3, 4, 7, 16, 64} {
			t.Run(fmt.Sprintf("%dx%d of %d", size[0], size[1], n), func(t *testing.T) {
				t.Parallel()
				all := rect{0, 3, size[0], size[1]}
				places := tileRect(all, n)
				if len(places) == 0 || len(places) > n {
					t.Fatalf("%d places", len(places))
				}
				for i, p := range places {
					if !inside(rect{p.x, p.y - 3, p.width, p.height}, size[0], size[1]) {
						t.Errorf("place %d is outside: %+v", i, p)
					}
					if p.width != places[0].width || p.height != places[0].height {
						t.Errorf("place %d has another size: %+v", i, p)
					}
					for _, q := range places[i+1:] {
						if overlap(p, q) {
							t.Errorf("%+v and %+v overlap", p, q)
						}
					}
				}
			})
		}
	}
}
