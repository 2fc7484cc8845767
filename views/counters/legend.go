package counters

import (
	"context"
	"strings"
	"time"

	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// The columns of the legend.
const (
	columnKey = iota
	columnCounter
	columnInstance
	columnScale
	columnLast
	columnAverage
	columnMinimum
	columnMaximum
	column95
	column99
	columnMaximumAt
	columnCursor
	columnCount
)

// legendColumns are the columns without columnCursor, which is present only with a cursor. In a narrow window the columns
// with the highest rank are left out first.
var legendColumns = [columnCount - 1]widget.TableColumn{
	columnKey:       {Title: "", Width: 3},
	columnCounter:   {Title: "Counter", Width: 17, Grow: 3},
	columnInstance:  {Title: "Instance", Width: 10, Grow: 2},
	columnScale:     {Title: "Scale", Width: 6, Right: true, Rank: rankScale},
	columnLast:      {Title: "Last", Width: 9, Right: true},
	columnAverage:   {Title: "Average", Width: 9, Right: true, Rank: 3},
	columnMinimum:   {Title: "Minimum", Width: 9, Right: true, Rank: 4},
	columnMaximum:   {Title: "Maximum", Width: 9, Right: true, Rank: 2},
	column95:        {Title: "95th", Width: 9, Right: true, Rank: 5},
	column99:        {Title: "99th", Width: 9, Right: true, Rank: 7},
	columnMaximumAt: {Title: "Max at", Width: 8, Right: true, Rank: 6},
}

const (
	// Bounds of the widths of the columns with names.
	minName, maxCounterName, maxInstanceName = 8, 30, 20
	// rankScale is the rank of the column that is left out first when names need room.
	rankScale = 8
	// rankMinimum is the rank up to which columns stay, however long the names are.
	rankMinimum = 4
)

// arrangeLegend sets the columns of the legend; a cursor adds a column with the values at its time.
func (s *Screen) arrangeLegend(width int) {
	s.legend.Columns = append(s.legend.Columns[:0], legendColumns[:]...)
	if !s.time.Cursor.IsZero() {
		s.legend.Columns = append(s.legend.Columns, widget.TableColumn{
			Title: "at " + s.clock(s.time.Cursor), Width: 12, Right: true, Rank: 1,
		})
	}
	s.fitNames(width - scrollBarWidth)
	s.legend.List.SetLength(len(s.curves))
	s.legend.Empty = s.emptyText()
}

// scrollBarWidth is the width of the bar beside the rows, with its gap, in cells.
const scrollBarWidth = 2

// fitNames divides the width between names and figures: names grow into the room that the figures leave.
func (s *Screen) fitNames(width int) {
	wantCounter, wantInstance := minName, minName
	for i := range s.curves {
		wantCounter = max(wantCounter, min(widget.Width(s.curves[i].title()), maxCounterName))
		wantInstance = max(wantInstance, min(widget.Width(s.shortInstance(&s.curves[i])), maxInstanceName))
	}
	counter, instance := &s.legend.Columns[columnCounter], &s.legend.Columns[columnInstance]
	counter.Width, instance.Width = min(counter.Width, wantCounter), min(instance.Width, wantInstance)
	spare := 0
	for rank := rankScale; rank >= rankMinimum && spare <= 0; rank-- {
		spare = width + 1
		for _, column := range s.legend.Columns {
			if column.Rank <= rank {
				spare -= column.Width + 1
			}
		}
	}
	grow := func(column *widget.TableColumn, want int) {
		more := max(0, min(want-column.Width, spare))
		column.Width += more
		spare -= more
	}
	grow(instance, wantInstance)
	grow(counter, wantCounter)
}

// shortInstance returns the instance of a curve without the name of its host, where the title of the graph begins with that name.
func (s *Screen) shortInstance(c *curve) string {
	host, _, _ := strings.Cut(s.title, ": ")
	return strings.TrimPrefix(c.instance, host+": ")
}

// writeCells formats the texts of one row, once per sample or change.
func (s *Screen) writeCells(i int) {
	c, r := &s.curves[i], &s.picture.rows[i]
	number := func(value float64) string { return c.Number(value, s.deck.InBytes) }
	st := &r.statistics
	cells := &r.cells
	cells[columnKey] = string([]rune{c.letter(), ' ', s.glyph})
	cells[columnCounter], cells[columnInstance] = c.title(), s.shortInstance(c)
	cells[columnScale] = s.picture.axis.notes[i]
	if c.missing() {
		for n := columnLast; n < columnCount; n++ {
			cells[n] = "-"
		}
		cells[columnLast] = "missing"
		return
	}
	cells[columnLast] = number(st.Last)
	cells[columnAverage], cells[columnMinimum], cells[columnMaximum] = number(st.Average), number(st.Minimum), number(st.Maximum)
	cells[column95], cells[column99] = number(st.P95), number(st.P99)
	cells[columnMaximumAt] = "-"
	if !st.MaximumAt.IsZero() && st.Maximum > st.Minimum {
		cells[columnMaximumAt] = s.clock(st.MaximumAt)
	}
	cells[columnCursor] = number(r.at)
}

// drawRow copies the texts of a row to the table's cells, with their styles.
func (s *Screen) drawRow(i int, cells []widget.TableCell) {
	r, c := &s.picture.rows[i], &s.curves[i]
	for n := range cells {
		cells[n].Text = r.cells[n]
		switch text := r.cells[n]; {
		case text == "0" || text == "-":
			cells[n].Style.Role = themes.Muted
		case n == columnScale || n == columnMaximumAt:
			cells[n].Style.Role = themes.Muted
		}
	}
	for _, n := range [...]int{columnCounter, columnInstance} {
		cells[n].Text = widget.CutName(r.cells[n], s.legend.ColumnWidth(n), s.ellipsis)
	}
	cells[columnKey].Style.Role = c.role()
	if s.highlighted() == i {
		for n := columnKey; n <= columnLast; n++ {
			cells[n].Style.Attr |= themes.Bold
		}
	}
	if c.missing() {
		cells[columnLast].Style.Role = themes.Muted
	}
	if r.alarm != quiet {
		cells[columnLast].Style.Role = r.alarm.role()
		cells[columnKey].Text = cells[columnKey].Text[:1] + warned + cells[columnKey].Text[2:]
	}
}

// warned replaces the blank between letter and line of a row whose value is beyond a threshold.
const warned = "!"

// describe returns the description of a row.
func (s *Screen) describe(i int) string {
	c := &s.curves[i]
	var b strings.Builder
	b.WriteString(c.title())
	if c.instance != "" {
		b.WriteString(", " + c.instance)
	}
	if c.info.Sum != "" {
		b.WriteString(" (" + c.info.Sum + ")")
	}
	b.WriteString(": ")
	switch {
	case c.missing():
		b.WriteString("the source has no such counter now; the row is kept in case it returns, d removes it.")
		return b.String()
	case s.catalogue == nil:
	default:
		if c.rated() {
			b.WriteString("per second: ")
		}
		b.WriteString(meaning(s.catalogue, c.info))
		b.WriteByte(' ')
	}
	b.WriteString("(" + c.set + ")")
	return b.String()
}

// meaning returns the catalogue's description of a series. A rate that the catalogue lacks is described by its counter.
func meaning(catalogue *perf.CounterCatalogue, series perf.Series) string {
	if counter, ok := catalogue.Counter(series.Set, series.Counter); ok {
		return counter.Describe()
	}
	if n := len(series.Counter) - len("/sec"); series.Kind == perf.Rate && n > 0 && strings.EqualFold(series.Counter[n:], "/sec") {
		if counter, ok := catalogue.Counter(series.Set, series.Counter[:n]); ok {
			return "Per second: " + counter.Describe()
		}
	}
	if set, ok := catalogue.Set(series.Set); ok {
		return set.Description + " It counts " + kindText(series)
	}
	return kindText(series)
}

// kindText describes a counter that is not in the catalogue, by its unit and kind.
func kindText(series perf.Series) string {
	unit := string(series.Unit)
	if unit == "" {
		unit = "value"
	}
	switch series.Kind {
	case perf.Cumulative:
		return unit + " since the last reset."
	case perf.Rate:
		return unit + " per second."
	case perf.Maximum:
		return "the largest " + unit + " so far."
	default:
		return unit + "."
	}
}

// clock formats a time of day in the screen's time zone.
func (s *Screen) clock(at time.Time) string { return at.In(s.location).Format("15:04:05") }

// readCatalogue reads the embedded catalogue outside the terminal loop.
func readCatalogue(context.Context) ui.Msg { return catalogueMsg{perf.Catalogue()} }
