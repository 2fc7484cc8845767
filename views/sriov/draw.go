package sriov

import (
	"cmp"
	"fmt"
	"strconv"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// column is one of the table.
type column int

// The columns of the table.
const (
	markColumn column = iota
	idColumn
	vmColumn
	stateColumn
	pathColumn
	macColumn
	vlanColumn
	receiveColumn
	sendColumn
	dropsColumn
	spoofedColumn
	useColumn
	errorsColumn
	pagesColumn
	heatColumn
	sparkColumn
)

// sparkWidth is the width of a sparkline in cells.
const sparkWidth = 8

var columns = []widget.TableColumn{
	markColumn:    {Title: "", Width: 1},
	idColumn:      {Title: "VF", Width: 3, Right: true},
	vmColumn:      {Title: "VM", Width: 10, Grow: 1},
	stateColumn:   {Title: "State", Width: 13},
	pathColumn:    {Title: "Path", Width: 9, Rank: 2},
	macColumn:     {Title: "MAC", Width: 17, Rank: 7},
	vlanColumn:    {Title: "VLAN", Width: 4, Right: true, Rank: 9},
	receiveColumn: {Title: "Receive", Width: 9, Right: true},
	sendColumn:    {Title: "Send", Width: 9, Right: true},
	dropsColumn:   {Title: "Drops", Width: 6, Right: true, Rank: 10},
	spoofedColumn: {Title: "Spoofed", Width: 7, Right: true, Rank: 3},
	useColumn:     {Title: "FW CPU", Width: 6, Right: true, Rank: 4},
	errorsColumn:  {Title: "Errors2FW", Width: 9, Right: true, Rank: 5},
	pagesColumn:   {Title: "Pages", Width: 9, Right: true, Rank: 8},
	heatColumn:    {Title: "Heat", Width: 5, Rank: 11},
	sparkColumn:   {Title: "last 60 s", Width: sparkWidth + 1, Rank: 6},
}

// The styles of the screen.
var (
	text    = themes.Style{}
	bold    = themes.Style{Attr: themes.Bold}
	muted   = themes.Style{Role: themes.Muted}
	accent  = themes.Style{Role: themes.Accent}
	good    = themes.Style{Role: themes.Good}
	warning = themes.Style{Role: themes.Warn}
	bad     = themes.Style{Role: themes.Bad}
	pending = themes.Style{Role: themes.Pending}
	title   = themes.Style{Role: themes.Title, Attr: themes.Bold}
)

// Draw draws the screen's body.
func (v *View) Draw(area widget.Area) {
	if v.scene.host == nil {
		v.drawNothing(area)
		return
	}
	l := place(area.Width, area.Height, v.inPage)
	v.drawStrip(l.strip.In(area))
	v.drawBar(l.bar.In(area))
	if l.table.Height > 0 {
		v.drawTable(l.table.In(area))
		v.drawWhy(l.why.In(area))
		v.drawCharts(l.title.In(area), l.graph.In(area))
	}
	if l.panels.Beside {
		l.panels.DrawRule(area, v.inPage)
	}
	v.drawPage(l.page.In(area))
}

// drawNothing says why there are no virtual functions to show.
func (v *View) drawNothing(area widget.Area) {
	said := "Waiting for the source."
	if m := v.deck.Monitor(); m != nil {
		switch kind := m.Status().Info.Kind; kind {
		case perf.LabSource:
		case perf.SessionSource:
			said = "A recorded session has counters, events and changes, but no host: who had which virtual function is not in it. The " +
				"counters of the functions are on Counters (2), what happened to them on Events (6). X closes the replay."
		case perf.LocalSource:
			said = "The virtual functions of this machine are not read: its adapters are watched by their counters alone. Start cxdeck " +
				"without --source, and it runs on the embedded lab, where SR-IOV can be set up and tried out."
		default:
			said = "A log file has counters and no host, so there are no virtual functions to show. Start cxdeck without --source, and " +
				"it runs on the embedded lab, where SR-IOV can be set up and tried out."
		}
	}
	for y, line := range widget.Wrap(said, area.Width-4) {
		area.Print(2, 1+y, line, muted)
	}
}

// drawStrip draws what SR-IOV needs at the selected port.
func (v *View) drawStrip(area widget.Area) {
	p := v.port()
	if p == nil || area.Height == 0 {
		return
	}
	glyphs, x := area.Glyphs(), 1
	for i, c := range p.SRIOV.Checks {
		from := x
		x = area.Print(x, 0, c.Name+" ", muted)
		mark, style := checkMark(glyphs, &c)
		x = area.Print(x, 0, mark, style)
		area.Zone(from, 0, x-from, 1, zoneCheck, i)
		x += 2
	}
	if area.Width-x > 24 {
		area.PrintRight(area.Width, 0, p.Description.Connection+": "+summary(&p.SRIOV), text)
	}
}

// summary says in a few words what a port has.
func summary(s *driver.SRIOVView) string {
	if s.Open == 0 {
		return "no VFs"
	}
	return fmt.Sprintf("%d VFs, %d attached", s.Open, s.Attached)
}

func checkMark(glyphs *themes.Glyphs, c *driver.Check) (string, themes.Style) {
	if c.OK {
		return string(glyphs.Up) + " ok", good
	}
	return string(glyphs.Failed) + " no", bad
}

// firstTrouble is the first thing in the way at a port, nil when there is none.
func firstTrouble(s *driver.SRIOVView) *driver.Check {
	for i := range s.Checks {
		if !s.Checks[i].OK {
			return &s.Checks[i]
		}
	}
	return nil
}

// part is a piece of the allocation bar.
type part struct {
	n     int
	word  string
	glyph rune
	style themes.Style
}

// allocation are the pieces of a port's virtual functions, from the inside out: each glyph has its word.
func allocation(glyphs *themes.Glyphs, s *driver.SRIOVView) []part {
	return []part{
		{s.Attached, "attached", glyphs.Full[7], good},
		{s.Free, "free", glyphs.Full[3], accent},
		{max(s.Allowed-s.Open, 0), "not enabled", glyphs.Shade, pending},
		{max(s.Burnt-max(s.Allowed, s.Open), 0), "not allowed", glyphs.Bullet, muted},
	}
}

// The width of the allocation bar.
const leastBar, mostBar = 12, 48

// drawBar draws how the virtual functions of the selected port are shared out; with a filter, that.
func (v *View) drawBar(area widget.Area) {
	if area.Height == 0 {
		return
	}
	if v.filter.Typing() || v.filter.Active() {
		v.filter.Draw(area.Sub(1, 0, area.Width-1, 1), zoneFilter)
		return
	}
	p := v.port()
	if p == nil {
		return
	}
	x := area.PrintCut(1, 0, 16, p.Description.Connection, title) + 1
	s := &p.SRIOV
	if n := len(v.marked); n > 0 {
		area.PrintRight(area.Width, 0, fmt.Sprintf("%d marked", n), accent)
		area.Width -= 11
	}
	if s.Burnt == 0 && s.Open == 0 {
		area.PrintCut(x+1, 0, area.Width-x-1, "no virtual functions burnt in the firmware; n leads through setting SR-IOV up", muted)
		return
	}
	legend := fmt.Sprintf("burnt %d  allowed %d  enabled %d", s.Burnt, s.Allowed, s.Open)
	parts := allocation(area.Glyphs(), s)
	for _, one := range parts[:2] {
		legend += fmt.Sprintf("  %c %s %d", one.glyph, one.word, one.n)
	}
	room := min(max(area.Width-x-widget.Width(legend)-3, 0), mostBar)
	if room >= leastBar {
		drawAllocation(area.Sub(x, 0, room, 1), parts, max(s.Burnt, s.Open))
		x += room + 1
	}
	area.PrintCut(x, 0, area.Width-x, legend, muted)
}

// drawAllocation draws the pieces of whole as parts of a line.
func drawAllocation(area widget.Area, parts []part, whole int) {
	if whole == 0 {
		return
	}
	x, sum := 0, 0
	for _, one := range parts {
		sum += one.n
		end := min(sum*area.Width/whole, area.Width)
		if one.n > 0 {
			end = max(end, min(x+1, area.Width)) // even one of many shows
		}
		for ; x < end; x++ {
			area.Set(x, 0, one.glyph, one.style)
		}
	}
}

func (v *View) drawTable(area widget.Area) {
	v.table.Focused = !v.inPage
	v.table.Empty = v.emptyText()
	glyphs := area.Glyphs()
	v.table.Draw(area, func(at int, cells []widget.TableCell) { v.fill(glyphs, &v.rows[at], cells) })
}

// emptyText says why the table has no rows, and which key helps.
func (v *View) emptyText() string {
	switch {
	case v.filter.Active():
		return "No virtual function and no adapter matches “" + v.filter.Text() + "”. Esc shows all again, / changes the filter."
	case v.group != byPort:
		return "There are no virtual functions and no virtual machines yet. n leads through setting SR-IOV up."
	default:
		return "This host has no ports."
	}
}

// fill fills the cells of a row.
func (v *View) fill(glyphs *themes.Glyphs, r *row, cells []widget.TableCell) {
	if v.marked[r.id] {
		cells[markColumn] = widget.TableCell{Text: string(glyphs.Checked), Style: accent}
	}
	if r.head {
		v.fillHead(glyphs, r, cells)
		return
	}
	cells[idColumn] = widget.TableCell{Text: "-", Style: muted}
	if r.vf != nil {
		cells[idColumn] = widget.TableCell{Text: strconv.Itoa(r.vf.ID)}
	}
	room := v.table.ColumnWidth(int(vmColumn))
	switch {
	case v.group == byVM && r.nic != nil:
		cells[vmColumn] = widget.TableCell{Text: "  " + widget.CutName(r.nic.Name, room-2, glyphs.Ellipsis)}
	case r.vmName() != "":
		cells[vmColumn] = widget.TableCell{Text: widget.CutName(r.vmName(), room, glyphs.Ellipsis)}
	case v.group != byPort && r.port != nil:
		cells[vmColumn] = widget.TableCell{Text: widget.CutName(r.port.Description.Connection, room, glyphs.Ellipsis), Style: muted}
	}
	cells[stateColumn] = stateCell(glyphs, r)
	if r.nic != nil {
		cells[pathColumn] = widget.TableCell{Text: string(r.nic.Path)}
		if r.nic.Path != driver.PathVF {
			cells[pathColumn].Style = muted
		}
	}
	cells[macColumn] = widget.TableCell{Text: r.mac()}
	cells[vlanColumn] = widget.TableCell{Text: "-", Style: muted}
	if id := r.vlan(); id > 0 {
		cells[vlanColumn] = widget.TableCell{Text: strconv.Itoa(id)}
	}
	v.fillLoad(glyphs, r, cells)
}

// fillHead fills the cells of a row that others stand under.
func (v *View) fillHead(glyphs *themes.Glyphs, r *row, cells []widget.TableCell) {
	var name string
	if r.vm != nil {
		name = r.vm.Name
		cells[stateColumn] = vmState(glyphs, r.vm)
		if r.vm.GuestDriver == "" {
			cells[macColumn] = widget.TableCell{Text: "no guest driver", Style: muted}
		} else {
			cells[macColumn] = widget.TableCell{Text: "driver " + r.vm.GuestDriver, Style: muted}
		}
	} else {
		name = r.port.Description.Connection
		cells[stateColumn] = portState(glyphs, &r.port.SRIOV)
		cells[pathColumn] = widget.TableCell{Text: fmt.Sprintf("%d/%d", r.port.SRIOV.Attached, r.port.SRIOV.Open), Style: muted}
		cells[macColumn] = widget.TableCell{Text: r.card.Description.Name, Style: muted}
	}
	cells[vmColumn] = widget.TableCell{Text: widget.CutName(name, v.table.ColumnWidth(int(vmColumn)), glyphs.Ellipsis), Style: bold}
}

// portState says whether SR-IOV works at a port.
func portState(glyphs *themes.Glyphs, s *driver.SRIOVView) widget.TableCell {
	switch {
	case s.Open > 0 && firstTrouble(s) != nil:
		return widget.TableCell{Text: fmt.Sprintf("%c %s", glyphs.Warning, countVFs(s.Open)), Style: warning}
	case s.Open > 0:
		return widget.TableCell{Text: fmt.Sprintf("%c %s", glyphs.Up, countVFs(s.Open)), Style: good}
	default:
		return widget.TableCell{Text: string(glyphs.Down) + " no VFs", Style: muted}
	}
}

func countVFs(n int) string {
	if n == 1 {
		return "1 VF"
	}
	return fmt.Sprintf("%d VFs", n)
}

// vmState is how a virtual machine is.
func vmState(glyphs *themes.Glyphs, vm *driver.VMView) widget.TableCell {
	switch vm.State {
	case driver.VMRunning:
		return widget.TableCell{Text: string(glyphs.Up) + " running", Style: good}
	case driver.VMPaused:
		return widget.TableCell{Text: string(glyphs.Restarting) + " paused", Style: pending}
	case driver.VMSaved:
		return widget.TableCell{Text: string(glyphs.Down) + " saved", Style: muted}
	default:
		return widget.TableCell{Text: string(glyphs.Down) + " off", Style: muted}
	}
}

// stateCell is how a function or an adapter is.
func stateCell(glyphs *themes.Glyphs, r *row) widget.TableCell {
	glyph, style := glyphs.Up, good
	switch word := r.stateWord(); word {
	case "quarantined":
		glyph, style = glyphs.Failed, bad
	case "blocked", "watched", "no VF":
		glyph, style = glyphs.Warning, warning
	case "idle":
		glyph, style = glyphs.Restarting, pending
	case "free", "off", "saved", "no switch":
		glyph, style = glyphs.Down, muted
	case "paused":
		glyph, style = glyphs.Restarting, pending
	}
	return widget.TableCell{Text: string(glyph) + " " + r.stateWord(), Style: style}
}

// fillLoad fills the cells of what a row moves and costs.
func (v *View) fillLoad(glyphs *themes.Glyphs, r *row, cells []widget.TableCell) {
	idle := r.vf != nil && r.vf.State == driver.VFFree && r.load == (perf.LabLoad{})
	number := func(c column, value float64, text string, look themes.Style) {
		cells[c] = widget.TableCell{Text: text, Style: look}
		if value == 0 {
			cells[c] = widget.TableCell{Text: "0", Style: muted}
		}
	}
	number(receiveColumn, r.load.Receive, v.rate(r.load.Receive), text)
	number(sendColumn, r.load.Send, v.rate(r.load.Send), text)
	number(dropsColumn, r.load.Drops, small(r.load.Drops), bad)
	number(spoofedColumn, r.load.Spoofed, small(r.load.Spoofed), warning)
	number(useColumn, r.load.Use, fmt.Sprintf("%.0f%%", r.load.Use), useStyle(r.load.Use))
	number(errorsColumn, r.load.Errors, small(r.load.Errors)+" "+string(glyphs.Warning), warning)
	cells[pagesColumn] = pagesCell(glyphs, r.vf)
	if idle {
		return
	}
	cells[heatColumn] = heatCell(glyphs, r.heat)
	cells[sparkColumn] = widget.TableCell{Text: v.spark(glyphs, r), Style: muted}
}

// hot is the use of the firmware from which on it takes a colour, in percent a second.
const hot = 25

func useStyle(use float64) themes.Style {
	if use >= hot {
		return warning
	}
	return text
}

// small writes a number a second in three digits.
func small(value float64) string { return perf.Number(value, perf.NoUnit, false, false) }

// pagesCell is the host memory of a function, against its limit when it has one.
func pagesCell(glyphs *themes.Glyphs, vf *driver.VFView) widget.TableCell {
	switch {
	case vf == nil:
		return widget.TableCell{Text: "-", Style: muted}
	case vf.PageLimit == 0:
		return widget.TableCell{Text: strconv.Itoa(vf.Pages)}
	case vf.Pages >= vf.PageLimit:
		return widget.TableCell{Text: fmt.Sprintf("%d/%d%c", vf.Pages, vf.PageLimit, glyphs.Warning), Style: warning}
	default:
		return widget.TableCell{Text: fmt.Sprintf("%d/%d", vf.Pages, vf.PageLimit)}
	}
}

// heats are the levels of heat from the lowest, each with its word, so that no colour is needed to tell them apart.
var heats = []struct {
	from  float64
	level int // of the glyph
	word  string
	style themes.Style
}{{0, 0, "low", muted}, {0.25, 2, "mid", good}, {0.5, 5, "high", warning}, {0.75, 7, "top", bad}}

func heatCell(glyphs *themes.Glyphs, heat float64) widget.TableCell {
	if heat == 0 {
		return widget.TableCell{Text: "-", Style: muted}
	}
	at := 0
	for i, one := range heats {
		if heat >= one.from {
			at = i
		}
	}
	return widget.TableCell{Text: fmt.Sprintf("%c%s", glyphs.Full[heats[at].level], heats[at].word), Style: heats[at].style}
}

// rate writes bytes a second in the operator's unit.
func (v *View) rate(value float64) string {
	return perf.Number(value, perf.Bytes, true, v.deck.InBytes)
}

// why says why a row is not as it should be, empty for nothing; trouble says that it needs a look.
func (r *row) why() (said string, trouble bool) {
	switch {
	case r.head && r.port != nil:
		if c := firstTrouble(&r.port.SRIOV); c != nil {
			return c.Name + ": " + c.Why + ". n leads through what is missing", true
		}
		return r.port.SRIOV.Why, false
	case r.nic != nil && r.nic.Quarantine != "":
		return "in quarantine: " + r.nic.Quarantine + ". z releases it", true
	case r.watched() != "":
		return fmt.Sprintf("VF %d %s. z puts it into quarantine", r.number(), r.watched()), true
	case r.nic != nil:
		return r.nic.Why, r.nic.IovWeight > 0 || r.nic.Blocked
	default:
		return "", false
	}
}

// drawWhy says in one line what is wrong with the selected row, or what is sorted and grouped how.
func (v *View) drawWhy(area widget.Area) {
	r := v.row()
	if r == nil || area.Height == 0 {
		return
	}
	said, trouble := r.why()
	if said == "" {
		sorted := cmp.Or(columns[v.table.SortColumn].Title, "mark")
		area.PrintCut(0, 0, area.Width, fmt.Sprintf("  under each %s, by %s", v.group.word(), sorted), muted)
		return
	}
	glyph, style := area.Glyphs().Bullet, muted
	if trouble {
		glyph, style = area.Glyphs().Warning, warning
	}
	area.PrintCut(0, 0, area.Width, string(glyph)+" "+deck.Sentence(said)+".", style)
}
