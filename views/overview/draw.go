package overview

import (
	"math"
	"strings"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/window"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// The columns of the tree table.
const (
	nameColumn = iota
	detailColumn
	pendingColumn
	stateColumn
	speedColumn
	receiveColumn
	sendColumn
	utilisationColumn // of a fleet
	dropsColumn
	markColumn    // one letter per trouble, if the next four columns don't fit
	inColumn      // received packets dropped a second
	outColumn     // packets dropped on the way out a second
	pausedColumn  // the longest pause, in percent of the time
	damagedColumn // damaged frames per second
	sparkColumn
)

// sparkSpan is the time that a sparkline covers.
const sparkSpan = 60 * time.Second

// sparkMin is the width of a sparkline on a narrow screen; see fit.
const sparkMin = 5

// fitColumns sets the widths of the tree's columns: names and details grow to their full length, then the sparklines grow. Widths
// depend only on names and on the room, so that columns stay in place when numbers change.
func (v *View) fitColumns(glyphs *themes.Glyphs, width, height int) {
	table := &v.table
	if table.List.Length() > height-1 {
		width -= 2 // the scroll bar
	}
	if v.fitted == (fitting{v.inventory, width, v.order}) {
		return
	}
	v.fitted = fitting{v.inventory, width, v.order}
	name, detail, speed, marked := 0, 0, 0, 0
	nodes := v.nodes()
	v.duplicates = duplicateNames(nodes)
	for i := range nodes {
		n := &nodes[i]
		depth := 0
		for at := i; nodes[at].Parent >= 0 && nodes[at].Parent < at; at = nodes[at].Parent {
			depth++
		}
		width := 2*depth + 2 + widget.Width(shortName(nodes, n))
		name = max(name, width)
		if mark := memberMark(glyphs, n); mark != "" {
			marked = max(marked, width+1+widget.Width(mark))
		}
		detail = max(detail, widget.Width(detailText(glyphs, n, maxDetail)))
		speed = max(speed, widget.Width(n.SpeedText))
	}
	copy(table.Columns, columns)
	if detail == 0 {
		table.Columns[detailColumn].Width, table.Columns[detailColumn].Grow = 0, 0
	}
	if width >= troublesFrom {
		table.Columns[markColumn].Width = 0
		for i := inColumn; i <= damagedColumn; i++ {
			table.Columns[i].Width, table.Columns[i].Right = troubleWidth, true
		}
	}
	if isFleet(nodes) {
		table.Columns[utilisationColumn].Width = utilisationWidth
		if column := heatColumns[v.order]; column > 0 && table.Columns[column].Width == 0 {
			table.Columns[column].Width, table.Columns[column].Right = troubleWidth, true
		}
		table.Columns[stateColumn].Width = fleetStateWidth
		table.Columns[speedColumn].Width = min(max(speed, table.Columns[speedColumn].Width), 9) // "100 Gb/s"
		table.Columns[pendingColumn].Width = 0                                                  // nothing waits in a fleet
	}
	if i := table.SortColumn; i >= 0 && table.Columns[i].Width > 0 && widget.TableGap(width) < 2 { // the mark of the order needs a gap behind it
		table.Columns[i].Width = max(table.Columns[i].Width, widget.Width(table.Columns[i].Title)+1)
	}
	room := width + widget.TableGap(width)
	for i := range table.Columns {
		if table.Columns[i].Width > 0 || table.Columns[i].Grow > 0 {
			room -= table.Columns[i].Width + widget.TableGap(width)
		}
	}
	if room < 0 { // the table leaves out the details
		room += columns[detailColumn].Width + widget.TableGap(width)
		detail = 0
		name = max(name, marked) // a member's mark follows its name
		for i := range nodes {
			if v.duplicates[nodes[i].Name] && nodes[i].Kind == perf.AdapterNode {
				name = max(name, 2+widget.Width(nodes[i].Name)+1+widget.Width(nodes[i].ID))
			}
		}
	}
	grow := func(column, to int) {
		if more := min(to-table.Columns[column].Width, room); more > 0 {
			table.Columns[column].Width += more
			room -= more
		}
	}
	grow(speedColumn, min(speed, 11)) // first: a long name that is cut can still be distinguished
	grow(nameColumn, min(name, 48))
	grow(stateColumn, 12) // "restarting"
	grow(detailColumn, min(detail, maxDetail))
	grow(sparkColumn, 10)
	if width >= 110 {
		grow(sparkColumn, width/5)
	}
}

// troublesFrom is the minimum width of the tree for a column per trouble, troubleWidth the width of such a column.
const (
	troublesFrom = 140
	troubleWidth = 9
)

// utilisationWidth is the width of the use of the line, fleetStateWidth the width of the state of a host.
const (
	utilisationWidth = 5
	fleetStateWidth  = 9
)

// fitting identifies the contents for which the columns were sized.
type fitting struct {
	inventory *perf.Inventory
	width     int
	order     order
}

var columns = []widget.TableColumn{
	nameColumn:        {Title: "Adapter / port", Width: 15, Grow: 5},
	detailColumn:      {Title: "", Width: 8, Grow: 2, Rank: 4},
	pendingColumn:     {Title: "", Width: 1},
	stateColumn:       {Title: "State", Width: 11},
	speedColumn:       {Title: "Speed", Width: 7, Grow: 1, Rank: 2},
	receiveColumn:     {Title: "Receive", Width: 9, Right: true},
	sendColumn:        {Title: "Send", Width: 9, Right: true},
	utilisationColumn: {Title: "Util", Right: true},
	dropsColumn:       {Title: "Drops/s", Width: 7, Right: true},
	markColumn:        {Title: "Mark", Width: 4},
	inColumn:          {Title: "In drops"},
	outColumn:         {Title: "Out drops"},
	pausedColumn:      {Title: "Paused"},
	damagedColumn:     {Title: "Errors/s"},
	sparkColumn:       {Title: "last 60 s", Width: sparkMin, Rank: 3},
}

// Draw draws the screen's body.
func (v *View) Draw(area widget.Area) {
	events := v.footRows()
	if v.focus == sidePart {
		events = area.Height // the details take all available rows
	}
	l := place(area.Width, area.Height, len(v.rows), events, len(v.portNodes()))
	v.drawTree(l.tree.In(area))
	v.drawTotals(l.totals.In(area))
	v.drawCurves(l.curves.In(area))
	if l.sideInFoot && v.focus == sidePart {
		v.drawSide(l.foot.In(area))
		return
	}
	v.drawNewestEvents(l.foot.In(area))
	if !l.sideInFoot {
		area.Sub(l.side.X-1, 0, 1, area.Height).Vertical(0, area.Glyphs().Vertical, themes.Style{Role: themes.Border})
		v.drawSide(l.side.In(area))
	}
}

func (v *View) drawTree(area widget.Area) {
	v.table.Focused = v.focus == treePart
	v.table.Empty = v.emptyText()
	v.table.SortColumn = [...]int{byPlace: -1, byName: nameColumn, byRate: receiveColumn, byDrops: dropsColumn,
		byPauses: pausedColumn, byErrors: damagedColumn, byUtilisation: utilisationColumn, byTrouble: markColumn}[v.order]
	v.table.Descending = v.order != byName
	glyphs := area.Glyphs()
	v.fitColumns(glyphs, area.Width, area.Height)
	v.table.Columns[sparkColumn].Title = columns[sparkColumn].Title
	if title := &v.table.Columns[sparkColumn]; title.Width < widget.Width(title.Title) {
		title.Title = "60 s"
	}
	v.table.Columns[nameColumn].Title = columns[nameColumn].Title
	if isFleet(v.nodes()) {
		v.table.Columns[nameColumn].Title = "Host / port"
	}
	if v.filter.Active() {
		v.table.Columns[nameColumn].Title = "/" + v.filter.Text()
	}
	v.table.Draw(area, func(row int, cells []widget.TableCell) { v.fillRow(glyphs, row, cells) })
	if v.filter.Typing() { // over the titles, where it takes no row away
		line, _ := area.SplitTop(1)
		line.Fill(themes.Style{})
		v.filter.Draw(line, "overview.filter")
	}
}

// emptyText returns why the tree has no rows, and which key helps.
func (v *View) emptyText() string {
	switch {
	case v.filter.Active() && len(v.nodes()) > 0:
		return v.filter.NoMatch("No adapter matches")
	case v.monitor == nil || v.inventory == nil:
		return "Waiting for the source."
	default:
		return "The source has no adapters. : sources and screens, ? help."
	}
}

// shortName returns the name of a node in the tree: without the host's name below a host of a fleet.
func shortName(nodes []perf.Node, n *perf.Node) string {
	if n.Parent >= 0 && nodes[n.Parent].Kind == perf.HostNode {
		return strings.TrimPrefix(n.Name, nodes[n.Parent].Name+": ")
	}
	return n.Name
}

// fillRow fills the cells of a row of the tree.
func (v *View) fillRow(glyphs *themes.Glyphs, at int, cells []widget.TableCell) {
	r := v.rows[at]
	n := &v.inventory.Nodes[r.node]
	f := &v.figures[r.node]
	name := themes.Style{}
	if r.depth == 0 {
		name.Attr = themes.Bold
	}
	before, after, details := indent(glyphs, r), "", v.table.ColumnWidth(detailColumn)
	switch mark := memberMark(glyphs, n); {
	case details > 0:
	case mark != "":
		after = " " + mark
	case n.Kind == perf.AdapterNode && v.duplicates[n.Name]:
		after = " " + n.ID
	}
	room := v.table.ColumnWidth(nameColumn) - widget.Width(before) - widget.Width(after)
	cells[nameColumn] = widget.TableCell{Text: before + widget.CutName(shortName(v.inventory.Nodes, n), room, glyphs.Ellipsis) + after, Style: name}
	cells[detailColumn] = widget.TableCell{Text: detailText(glyphs, n, details), Style: themes.Style{Role: themes.Muted}}
	cells[pendingColumn] = widget.TableCell{Style: themes.Style{Role: themes.Pending}}
	if n.Pending != "" {
		cells[pendingColumn].Text = string(glyphs.Pending)
	}
	cells[stateColumn] = widget.TableCell{Text: deck.StateShort(glyphs, n.State), Style: themes.Style{Role: deck.StateRole(n.State)}}
	cells[speedColumn] = widget.TableCell{Text: n.SpeedText}
	if n.State == perf.StateDown { // its speed when up
		cells[speedColumn].Style.Role = themes.Muted
	}
	for i := receiveColumn; i <= sparkColumn; i++ {
		cells[i] = widget.TableCell{}
	}
	if len(n.Receive)+len(n.Send)+len(n.Drops) == 0 && !f.troubles.known() {
		return
	}
	cells[receiveColumn] = v.rate(n.Receive, f.receive, f.alarm)
	cells[sendColumn] = v.rate(n.Send, f.send, f.alarm)
	cells[dropsColumn] = dropCell(f.drops, f.dropAlarm)
	cells[markColumn] = markCell(&f.troubles, f.dropAlarm)
	cells[inColumn] = v.troubleCell(&f.troubles, receiveDrops)
	cells[outColumn] = v.troubleCell(&f.troubles, sendDrops)
	cells[pausedColumn] = pauseCell(&f.troubles)
	cells[damagedColumn] = v.troubleCell(&f.troubles, linkErrors)
	cells[utilisationColumn] = utilisationCell(f.utilisation)
	if isFleet(v.inventory.Nodes) {
		v.warm(f, cells)
	}
	cells[sparkColumn] = widget.TableCell{Text: v.spark(glyphs, n), Style: themes.Style{Role: themes.Accent}}
}

// maxDetail is the maximum width of the details, maxTeam of a team's name in them, in cells.
const (
	maxDetail = 24
	maxTeam   = 10
)

// detailText returns the details of a node for a width. For a member of a team they include the team's name and the mark of
// memberMark, which is never cut: the other details are left out first, then the name is cut.
func detailText(glyphs *themes.Glyphs, n *perf.Node, room int) string {
	mark := memberMark(glyphs, n)
	if mark == "" {
		if n.Kind == perf.AdapterNode && widget.Width(n.Detail) > room {
			address, _, _ := strings.Cut(n.Detail, " ") // whole, without the driver's name, which the details have
			return address
		}
		return n.Detail
	}
	team := "team " + widget.Cut(n.Team, maxTeam) + " " + mark
	if whole := n.Detail + "  " + team; widget.Width(whole) <= room {
		return whole
	}
	if widget.Width(team) <= room {
		return team
	}
	return widget.Cut(n.Team, max(room-1-widget.Width(mark), 0)) + " " + mark
}

// duplicateNames returns the names that several adapters have. Without details, their addresses distinguish them.
func duplicateNames(nodes []perf.Node) map[string]bool {
	seen, twice := map[string]bool{}, map[string]bool{}
	for i := range nodes {
		if n := &nodes[i]; n.Kind == perf.AdapterNode {
			if seen[n.Name] {
				twice[n.Name] = true
			}
			seen[n.Name] = true
		}
	}
	return twice
}

// memberMark returns a filled circle for a member that carries its team's traffic, an empty circle for another member, and ""
// for other nodes.
func memberMark(glyphs *themes.Glyphs, n *perf.Node) string {
	switch {
	case n.Team == "" || n.Kind != perf.PortNode:
		return ""
	case n.Active:
		return string(glyphs.Up)
	}
	return string(glyphs.Down)
}

// indents are blanks for the depths of a tree; deeper nodes are at the last.
const indents = "                "

// indent returns the prefix of a node's name: blanks for its depth and the mark of its fold.
func indent(glyphs *themes.Glyphs, r row) string {
	blanks := indents[:min(2*r.depth, len(indents))]
	switch r.fold {
	case open:
		return blanks + string(glyphs.Open) + " "
	case closed:
		return blanks + string(glyphs.Closed) + " "
	default:
		return blanks + "  "
	}
}

// rate returns the cell of a rate: muted when it is zero or unknown, in the colour of an alarm when there is one.
func (v *View) rate(series []int, value float64, alarm bool) widget.TableCell {
	unit, perSecond := deck.UnitOf(v.schema, series)
	cell := widget.TableCell{Text: perf.Number(value, unit, perSecond, v.deck.InBytes)}
	switch {
	case !(deck.Known(value) > 0):
		cell.Style.Role = themes.Muted
	case alarm:
		cell.Style.Role = themes.Bad
	}
	return cell
}

// dropCell returns the cell of dropped packets per second: a warning above 0, bad with an alarm.
func dropCell(value float64, alarm bool) widget.TableCell {
	cell := widget.TableCell{Text: perf.Number(value, perf.NoUnit, false, false), Style: themes.Style{Role: themes.Muted}}
	switch {
	case alarm:
		cell.Style = themes.Style{Role: themes.Bad, Attr: themes.Bold}
	case deck.Known(value) > 0:
		cell.Style.Role = themes.Warn
	}
	return cell
}

// markCell returns a letter for each trouble, each at its own position: i and o for dropped received and sent packets, p for
// pauses, e for damaged frames.
func markCell(t *troubles, alarm bool) widget.TableCell {
	letters := []rune("    ")
	for i, letter := range [troubleCount]rune{receiveDrops: 'i', sendDrops: 'o', paused: 'p', holdsBack: 'p', linkErrors: 'e'} {
		if t.isMarked(trouble(i)) {
			letters[[troubleCount]int{receiveDrops: 0, sendDrops: 1, paused: 2, holdsBack: 2, linkErrors: 3}[i]] = letter
		}
	}
	cell := widget.TableCell{Text: string(letters), Style: themes.Style{Role: themes.Warn, Attr: themes.Bold}}
	if alarm {
		cell.Style.Role = themes.Bad
	}
	return cell
}

// troubleCell returns the cell of one trouble, per second.
func (v *View) troubleCell(t *troubles, kind trouble) widget.TableCell {
	return markWhen(t.isMarked(kind), perf.Number(t[kind], perf.NoUnit, false, false))
}

// pauseCell returns the cell of the longest pause, in percent of the time.
func pauseCell(t *troubles) widget.TableCell {
	return markWhen(t.isMarked(paused) || t.isMarked(holdsBack), shareText(t.pause()))
}

// shareText returns a share of the time in percent: "98%", "<1%".
func shareText(share float64) string {
	switch {
	case math.IsNaN(share):
		return "-"
	case share == 0:
		return "0"
	case share < pauseFrom:
		return "<1%"
	default:
		return perf.Number(math.Round(share*100), perf.Percent, false, false)
	}
}

// markWhen returns the cell of a number: as a warning if it is marked, muted otherwise.
func markWhen(marked bool, text string) widget.TableCell {
	if marked {
		return widget.TableCell{Text: text, Style: themes.Style{Role: themes.Warn}}
	}
	return widget.TableCell{Text: text, Style: themes.Style{Role: themes.Muted}}
}

// spark is a cached sparkline with its key.
type spark struct {
	now   time.Time
	count int // of bands
	text  string
}

// spark returns the sparkline of a node's received and sent traffic, made once per sample for visible rows.
func (v *View) spark(glyphs *themes.Glyphs, n *perf.Node) string {
	count := v.table.Columns[sparkColumn].Width
	if glyphs.Braille {
		count *= 2
	}
	if s, ok := v.sparks[n.ID]; ok && s.now.Equal(v.now) && s.count == count {
		return s.text
	}
	if len(v.buckets) != count {
		v.buckets, v.bands = make([]window.Bucket, count), make([]widget.Band, count)
	}
	series := make([]int, 0, 8)
	series = append(append(series, n.Receive...), n.Send...)
	v.window.Buckets(series, v.now.Add(-sparkSpan), v.now, v.buckets)
	high := v.sparkFloor(n)
	for i, b := range v.buckets {
		v.bands[i] = widget.Band(b)
		if b.Max > high {
			high = b.Max
		}
	}
	text := widget.Sparkline(v.bands, high, glyphs)
	v.sparks[n.ID] = spark{v.now, count, text}
	return text
}

// sparkFloor returns the minimum value of a full sparkline: a tenth of the line rate, so that a nearly idle port does not
// look busy.
func (v *View) sparkFloor(n *perf.Node) float64 {
	floor := float64(n.Speed) / 10
	unit, _ := deck.UnitOf(v.schema, n.Receive)
	switch counted, _ := unit.Counted(); counted {
	case perf.Bytes:
		floor /= 8
	case perf.Kilobytes:
		floor /= 8000
	default:
	}
	return floor
}

// drawTotals draws the line that adds up all ports, in the columns of the tree.
func (v *View) drawTotals(area widget.Area) {
	if v.inventory == nil || area.Height == 0 {
		return
	}
	if list := &v.table.List; list.Length() > list.Height() {
		area.Width -= 2 // the tree's scroll bar
	}
	v.sum.List.SetLength(1)
	v.sum.Draw(area, func(_ int, cells []widget.TableCell) {
		cells[receiveColumn] = v.rate(v.inventory.Receive, v.totals.receive, false)
		cells[sendColumn] = v.rate(v.inventory.Send, v.totals.send, false)
		cells[dropsColumn] = dropCell(v.totals.drops, false)
		for i := range cells {
			cells[i].Style.Attr |= themes.Bold
		}
	})
	area.Ground(0, 0, area.Width, themes.Plain)
	// The label fills the room before the first number.
	room := 0
	for room < area.Width && area.At(room, 0).Rune == ' ' {
		room++
	}
	area.PrintCut(0, 0, room-1, v.inventory.TotalLabel, themes.Style{Attr: themes.Bold})
}

// drawNewestEvents draws the newest events.
func (v *View) drawNewestEvents(area widget.Area) {
	if area.Height == 0 {
		return
	}
	if v.old != "" && area.Width < sideFrom { // the header has no room for the reason
		if lines := browse.Paragraph(string(area.Glyphs().Warning)+" ", v.old+".", area.Width); area.Height >= len(lines)+footMin {
			for y, line := range lines {
				area.PrintCut(0, y, area.Width, line, themes.Style{Role: themes.Warn})
			}
			_, area = area.SplitTop(len(lines))
		}
	}
	head, body := area.SplitTop(1)
	browse.Heading(head, "Events", v.focus == footPart)
	area.Zone(0, 0, area.Width, 1, "overview.events", 0)
	first, end := v.log.Span()
	v.foot.SetLength(v.footRows())
	v.foot.SetHeight(body.Height)
	if end == first {
		body.PrintCut(0, 0, body.Width, "No events yet: link changes, drops and threshold alarms appear here.", themes.Style{Role: themes.Muted})
		return
	}
	from, to := v.foot.Visible()
	for i := from; i < to; i++ {
		line := body.Sub(0, i-from, body.Width, 1)
		if v.opening > 0 && i == v.foot.Length()-1 {
			drawStartEvents(line, v.now, v.log, v.opening)
		} else {
			drawEvent(line, v.now, v.log.At(end-1-i))
		}
		body.Zone(0, i-from, body.Width, 1, "overview.event", i)
		if v.focus == footPart && i == v.foot.Cursor() {
			body.Ground(0, i-from, body.Width, themes.Selected)
		}
	}
}
