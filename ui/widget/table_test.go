package widget

import (
	"strings"
	"testing"

	"cxdeck/themes"
)

// shown are the titles in the first line of a table of this width.
func shown(t *Table, width int) string {
	canvas := NewCanvas(width, 4)
	t.Draw(canvas.All(), sampleRow)
	title, _, _ := strings.Cut(canvas.Text(), "\n")
	return strings.Join(strings.Fields(title), " ")
}

func TestTableHidesColumnsByRank(t *testing.T) {
	t.Parallel()
	for width, want := range map[int]string{
		60: "Adapter Receive▼ State Drops/s Note",
		50: "Adapter Receive▼ State Drops/s Note",
		49: "Adapter Receive▼ State Drops/s", // two go to the scroll bar
		42: "Adapter Receive▼ State",
		30: "Adapter Receive▼",
		20: "Adapter Rec…▼",
		8:  "Adapt…",
	} {
		if got := shown(sampleTable(), width); got != want {
			t.Errorf("width %d: %q, want %q", width, got, want)
		}
	}
}

// TestTableHiddenColumnLeavesNoGap hides a column by its width: its neighbours are placed as if it did not exist.
func TestTableHiddenColumnLeavesNoGap(t *testing.T) {
	t.Parallel()
	for _, width := range []int{40, 200} {
		table := Table{Columns: []TableColumn{{Title: "Key", Width: 10, Grow: 1}, {Title: "On"}, {Title: "Stored", Width: 6}}}
		table.arrange(width)
		if got, want := table.ColumnWidth(0), width-6-TableGap(width); got != want || table.ColumnWidth(1) != 0 {
			t.Errorf("width %d: the columns have %d and %d cells, want %d and 0", width, got, table.ColumnWidth(1), want)
		}
	}
}

// TestTableUsesTheFullWidth adds up the columns: the growing columns take all remaining cells.
func TestTableUsesTheFullWidth(t *testing.T) {
	t.Parallel()
	for width := 48; width < 240; width++ {
		table := sampleTable()
		table.arrange(width)
		last := table.layout[len(table.layout)-1]
		if last.x+last.width != width {
			t.Errorf("width %d: the columns end at %d", width, last.x+last.width)
		}
		for i, s := range table.layout {
			if s.width < table.Columns[i].Width {
				t.Errorf("width %d: column %d has only %d cells", width, i, s.width)
			}
		}
	}
}

func TestTableAsksForVisibleRowsOnly(t *testing.T) {
	t.Parallel()
	table := sampleTable()
	table.List.SetLength(1000000)
	table.List.Select(500000)
	asked := map[int]int{}
	table.Draw(NewCanvas(60, 11).All(), func(row int, cells []TableCell) {
		asked[row]++
		for i := range cells {
			if cells[i] != (TableCell{}) {
				t.Fatalf("row %d gets cells of another row: %+v", row, cells[i])
			}
			cells[i].Text = "x"
		}
	})
	from, to := table.List.Visible()
	if len(asked) != 10 || from != 499991 || to != 500001 {
		t.Errorf("asked for %d rows, from %d to %d", len(asked), from, to)
	}
}

func TestTableBackgrounds(t *testing.T) {
	t.Parallel()
	for _, focused := range []bool{true, false} {
		canvas := NewCanvas(60, 8)
		table := sampleTable()
		table.Focused = focused
		table.Draw(canvas.All(), sampleRow)
		drops := table.layout[3].x + 6
		for y, want := range []themes.Ground{themes.Plain, themes.Heat2, themes.Marked, cursorGround(focused), themes.Heat2} {
			if got := canvas.All().At(drops, y).Style.Ground; got != want {
				t.Errorf("focused %v, line %d: ground %d, want %d", focused, y, got, want)
			}
		}
		if got := canvas.All().At(57, 3).Style.Ground; got != cursorGround(focused) {
			t.Errorf("the cursor's ground does not reach the end of the line: %d", got)
		}
	}
}

func TestTableZones(t *testing.T) {
	t.Parallel()
	canvas := NewCanvas(60, 5)
	table := sampleTable()
	table.List.SetLength(40)
	table.List.Select(20)
	table.Draw(canvas.All(), sampleRow)
	from, _ := table.List.Visible()
	if hit, ok := canvas.HitAt(10, 2); !ok || hit.ID != "table" || hit.Index != from+1 {
		t.Errorf("a row: %+v, %v", hit, ok)
	}
	if hit, ok := canvas.HitAt(table.layout[2].x, 0); !ok || hit.ID != "table.head" || hit.Index != 2 {
		t.Errorf("a title: %+v, %v", hit, ok)
	}
	hit, ok := canvas.HitAt(59, 4)
	if !ok || hit.ID != "table.scroll" {
		t.Fatalf("the scroll bar: %+v, %v", hit, ok)
	}
	table.ScrollHit(hit)
	if _, to := table.List.Visible(); to < 30 {
		t.Errorf("a press at the foot of the scroll bar shows rows up to %d", to)
	}
	table.List.SetLength(4)
	canvas.Clear()
	table.Draw(canvas.All(), sampleRow)
	if hit, _ := canvas.HitAt(59, 4); hit.ID == "table.scroll" {
		t.Error("a scroll bar although all rows show")
	}
}

// TestTableKeepsTheSortedColumn: the sorted column is never hidden, its title is complete if a blank follows it,
// and the column of the next rank is hidden instead.
func TestTableKeepsTheSortedColumn(t *testing.T) {
	t.Parallel()
	table := Table{Columns: []TableColumn{
		{Title: "Adapter", Width: 10}, {Title: "Drops", Width: 5, Right: true, Rank: 2}, {Title: "Rate", Width: 6, Rank: 1},
	}, SortColumn: -1}
	if got, want := shown(&table, 18), "Adapter Rate"; got != want {
		t.Errorf("without an order: %q, want %q", got, want)
	}
	table.SortColumn = 1
	if got, want := shown(&table, 18), "Adapter Drops▲"; got != want {
		t.Errorf("sorted: %q, want %q", got, want)
	}
	if got, want := shown(&table, 23), "Adapter Drops▲Rate"; got != want {
		t.Errorf("with all: %q, want %q", got, want)
	}
	table.Columns = []TableColumn{{Title: "Adapter", Width: 10, Grow: 1}, {Title: "Drops", Width: 5, Right: true}}
	for width, want := range map[int]string{16: "Adapter Dro…▲", 17: "Adapter Drops▲"} {
		if got := shown(&table, width); got != want {
			t.Errorf("at the edge of %d: %q, want %q", width, got, want)
		}
	}
}

// TestTableCellSpansEmptyCells: a text that spans runs on up to the next cell with a text, and no further.
func TestTableCellSpansEmptyCells(t *testing.T) {
	t.Parallel()
	const text = "a text of several columns"
	table := Table{SortColumn: -1, Columns: []TableColumn{{Title: "A", Width: 8}, {Title: "B", Width: 8}, {Title: "C", Width: 8}}}
	table.List.SetLength(3)
	canvas := NewCanvas(26, 4)
	table.Draw(canvas.All(), func(row int, cells []TableCell) {
		cells[0] = TableCell{Text: text, Spans: row < 2}
		if row == 1 {
			cells[2].Text = "C1"
		}
	})
	lines := strings.Split(canvas.Text(), "\n")
	for i, want := range []string{"a text of several columns", "a text of severa… C1", "a text …"} {
		if got := strings.TrimSpace(lines[i+1]); got != want {
			t.Errorf("row %d is %q, expected %q", i, got, want)
		}
	}
}
