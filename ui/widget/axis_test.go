package widget

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/themes"
)

// axisLines are the first line of the plot, the axis and its labels of a chart whose plot is 40 cells wide.
func axisLines(c *Chart) []string {
	lines := picture(c, valueAxisWidth+40, 8, themes.ASCIIGlyphs())
	cut := func(line string) string {
		return strings.TrimRight(line[min(valueAxisWidth, len(line)):], " ")
	}
	return []string{cut(lines[0]), cut(lines[6]), cut(lines[7])}
}

func TestTimeAxis(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		from, to     time.Duration // since midnight
		offsets      bool
		axis, labels string
	}{
		"seconds": {time.Hour, time.Hour + 40*time.Second, false,
			"+--------------+--------------+---------", "           01:00:15       01:00:30"},
		"midnight": {-20 * time.Minute, 20 * time.Minute, false,
			"-----+--------------+--------------+----", "   23:45          Mar 2          00:15"},
		"offsets of seconds": {0, 20 * time.Second, true,
			"+-------------------+------------------+", "+0:00             +0:10"},
		"offsets of minutes": {0, 4 * time.Minute, true,
			"+-------------------+------------------+", "+0:00             +2:00"},
		"offsets of hours": {0, 5*time.Hour + time.Minute, true,
			"+--------------+---------------+--------", "+0:00      +2:00:00        +4:00:00"},
		"offsets of 90 minutes": {0, 90 * time.Minute, true, "+------------+------------+------------+", "+0:00     +30:00      +1:00:00"},
		"no time":               {0, 0, true, "----------------------------------------", ""},
		"a clock without time":  {0, 0, false, "----------------------------------------", ""},
	} {
		c := Chart{From: midnight.Add(test.from), To: midnight.Add(test.to), Offsets: test.offsets}
		if got := axisLines(&c); got[1] != test.axis || got[2] != test.labels {
			t.Errorf("%s: %q, %q", name, got[1], got[2])
		}
	}
}

// TestMarkedRange: the plot marks the ends of a range that lie inside it, and a bar on the axis spans the range.
func TestMarkedRange(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		from, to   int // seconds
		plot, axis string
	}{
		{10, 20, "          |         |", "+---------===========---------+---------"},
		{-5, 20, "                    |", "=====================---------+---------"},
		{10, 60, "          |", "+---------=============================="},
		{-5, 60, "", "========================================"},
		{0, 40, "|                                      |", "========================================"},
		{-5, -1, "", "+--------------+--------------+---------"},
		{-5, 0, "", "+--------------+--------------+---------"},
		{40, 60, "", "+--------------+--------------+---------"},
	} {
		c := Chart{From: start.Truncate(time.Hour), To: start.Truncate(time.Hour).Add(40 * time.Second)}
		c.RangeFrom, c.RangeTo = c.From.Add(time.Duration(test.from)*time.Second), c.From.Add(time.Duration(test.to)*time.Second)
		got := axisLines(&c)
		if got[0] != test.plot || got[1] != test.axis {
			t.Errorf("%d to %d: %q, %q", test.from, test.to, got[0], got[1])
		}
		lines := picture(&c, valueAxisWidth+40, 8, themes.ASCIIGlyphs())
		for y := range 6 {
			want := ""
			if y%2 == 0 {
				want = test.plot
			}
			if rest := lines[y][min(valueAxisWidth, len(lines[y])):]; strings.TrimRight(rest, " ") != want {
				t.Errorf("%d to %d, line %d: %q", test.from, test.to, y, rest)
			}
		}
	}
}

func TestDashedCurve(t *testing.T) {
	t.Parallel()
	c := Chart{High: 7, Series: []ChartSeries{{Dashed: true, Bands: flat(0, 0, 0, 0, 0, 0, 0, 0, 7, 7, 0, 0, 0, 0, 0, 0)}}}
	if got := picture(&c, 8, 2, themes.UnicodeGlyphs()); !slices.Equal(got, []string{"    ⢹", "⣀⣀   ⣇"}) {
		t.Errorf("%q", got)
	}
}

// TestTicksOfAnyScale: steps that divide the scale come first, and digits between powers of ten only if there is room.
func TestTicksOfAnyScale(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		chart Chart
		n     int
		want  []float64
	}{
		{Chart{High: 5}, 4, []float64{0, 2.5, 5}},
		{Chart{Low: 1, High: 100, Log: true}, 8, []float64{1, 10, 100}},
		{Chart{Low: 1, High: 100, Log: true}, 9, []float64{1, 2, 5, 10, 20, 50, 100}},
	} {
		if got := c.chart.valueTicks(c.n, nil); !slices.Equal(got, c.want) {
			t.Errorf("%v to %v in %d: %v, want %v", c.chart.Low, c.chart.High, c.n, got, c.want)
		}
	}
}

func TestRowUnderTheCursor(t *testing.T) {
	t.Parallel()
	rows := []string{"a", "b", "c"}
	var l List
	l.SetLength(3)
	for want := range rows {
		l.Select(want)
		if got := At(&l, rows); got == nil || *got != rows[want] {
			t.Errorf("row %d: %v", want, got)
		}
	}
	if At(&l, rows[:2]) != nil {
		t.Error("a shortened list has a row there")
	}
	l.SetLength(0)
	if At(&l, rows[:0]) != nil {
		t.Error("an empty list has a row")
	}
}

func TestColumnsAtTheEdge(t *testing.T) {
	t.Parallel()
	table := Table{SortColumn: 0, Columns: []TableColumn{{Title: "A", Width: 60}, {Title: "B", Width: 50, Rank: 1}, {Title: "C", Width: 38}}}
	table.arrange(100)
	if got := [...]int{table.ColumnWidth(-1), table.ColumnWidth(0), table.ColumnWidth(1), table.ColumnWidth(2), table.ColumnWidth(3)}; got != [...]int{0, 60, 0, 38, 0} {
		t.Errorf("widths %v", got)
	}
	if table.layout[2].x != 62 {
		t.Errorf("the gap has %d cells, not 2", table.layout[2].x-60)
	}
	narrow := Table{Columns: []TableColumn{{Title: "A", Width: 1}}}
	narrow.List.SetLength(9)
	canvas := NewCanvas(1, 3)
	narrow.Draw(canvas.All(), func(_ int, cells []TableCell) { cells[0].Text = "x" })
	if got := canvas.Text(); got != "A\nx\nx\n" {
		t.Errorf("one cell wide: %q", got)
	}
}
