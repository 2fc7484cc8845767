package registry

import (
	"fmt"
	"strconv"

	"cxdeck/driver/registry"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/registry/keyset"
)

// The zones of the screen.
const (
	zoneTree   = "registry.tree"
	zoneTable  = "registry.keys"
	zonePage   = "registry.page"
	zoneFilter = "registry.filter"
	zoneShow   = "registry.show"
	zoneDraft  = "registry.draft"
)

var (
	text    = themes.Style{}
	muted   = themes.Style{Role: themes.Muted}
	accent  = themes.Style{Role: themes.Accent}
	strong  = themes.Style{Attr: themes.Bold}
	title   = themes.Style{Role: themes.Title, Attr: themes.Bold}
	good    = themes.Style{Role: themes.Good}
	warn    = themes.Style{Role: themes.Warn}
	bad     = themes.Style{Role: themes.Bad}
	waiting = themes.Style{Role: themes.Pending}
	edited  = themes.Style{Role: themes.Accent, Attr: themes.Bold}
)

// Draw draws the screen's body.
func (v *View) Draw(area widget.Area) {
	l := arrangeParts(area.Width, area.Height, v.focus)
	if v.snapshot == nil || v.elsewhere {
		if !v.sheets.Draw(area, v.deck.Monitor(), perf.RegistryTopic) {
			v.drawNoKeys(area)
		}
		return
	}
	v.drawBar(l.bar.In(area))
	v.drawTree(l.tree.In(area))
	v.drawTable(l.table.In(area))
	v.drawPage(l.page.In(area))
	for _, r := range l.rules {
		style := themes.Style{Role: themes.Border}
		if rule := r.In(area); r.Width == 1 {
			rule.Vertical(0, area.Glyphs().Vertical, style)
		} else {
			rule.Horizontal(0, area.Glyphs().Horizontal, style)
		}
	}
}

// drawNoKeys draws why there are no keys.
func (v *View) drawNoKeys(area widget.Area) {
	why := "Reading the registry."
	m := v.deck.Monitor()
	switch {
	case v.err != nil:
		why = wording.UpperFirst(v.err.Error()) + "."
	case m == nil:
		why = "Waiting for the source."
	case !m.Readable():
		why = "There is no registry here: " + v.deck.CannotChange() + "."
		if m.Status().Info.Kind == perf.SessionSource {
			why = browse.AbsentHost(m, why+" X closes the replay.")
		} else {
			why += " Start cxdeck without --source, and it runs on the embedded lab."
		}
	}
	for y, line := range widget.Wrap(why, area.Width-4) {
		area.Print(2, 1+y, line, muted)
	}
}

// drawBar draws the title of the selected branch, the filters, and the number of edits in the draft.
func (v *View) drawBar(area widget.Area) {
	right := area.Width
	if n := v.draft.Len(); n > 0 {
		words := fmt.Sprintf("draft: %s (r review)", wording.Count(n, "change"))
		right -= widget.Width(words)
		area.Print(right, 0, words, waiting)
		area.Zone(right, 0, area.Width-right, 1, zoneDraft, 0)
		right -= 2
	}
	area = area.Sub(0, 0, right, 1)
	if v.filter.Typing() {
		v.filter.Draw(area, zoneFilter)
		return
	}
	x := area.PrintCut(1, 0, right/2, v.node().Title(&v.tree), title)
	if v.filter.Active() {
		line := area.Sub(x+2, 0, min(16+widget.Width(v.filter.Text()), right/3), 1)
		v.filter.Draw(line, zoneFilter)
		x += 2 + min(widget.Width("filter "+v.filter.Text()), line.Width)
	}
	if v.group != "" {
		x = area.Print(x+2, 0, "group ", muted)
		x = area.Print(x, 0, v.group, accent)
	}
	v.drawShow(area.Sub(x+2, 0, right-x-2, 1))
}

// drawShow draws the choices of shown keys, or only the current one if there is no room.
func (v *View) drawShow(area widget.Area) {
	width := len("show:")
	for _, word := range showWords {
		width += 2 + len(word)
	}
	if width > area.Width {
		if v.show != showAll {
			area.Print(area.Print(0, 0, "show ", muted), 0, showWords[v.show], accent)
		}
		return
	}
	x := area.Print(0, 0, "show:", muted)
	for i, word := range showWords {
		style := muted
		if show(i) == v.show {
			style = themes.Style{Role: themes.Accent, Attr: themes.Bold}
		}
		from := x + 2
		x = area.Print(from, 0, word, style)
		area.Zone(from, 0, x-from, 1, zoneShow, i)
	}
}

func (v *View) drawTree(area widget.Area) {
	if area.Height == 0 || area.Width == 0 {
		return
	}
	head, body := area.SplitTop(1)
	browse.Heading(head.Sub(1, 0, area.Width-1, 1), "By "+v.arrangement.String(), v.focus == treePart)
	list := &v.treeList
	list.SetHeight(body.Height)
	g := area.Glyphs()
	from, to := list.Visible()
	for i := from; i < to; i++ {
		n := &v.tree.Nodes[v.shown[i]]
		y := i - from
		mark := " "
		if n.Branch {
			mark = string(g.Open)
			if v.folded[n.ID] {
				mark = string(g.Closed)
			}
		}
		right := body.Width
		if n.Waits > 0 {
			waits := strconv.Itoa(n.Waits) + string(g.Pending)
			right -= widget.Width(waits) + 1
			body.Print(right+1, y, waits, waiting)
		}
		style := text
		if n.Depth < 2 {
			style = strong
		}
		x := body.Print(min(n.Depth, 6), y, mark+" ", muted)
		body.Print(x, y, widget.CutName(n.Label, right-x, g.Ellipsis), style)
		body.Zone(0, y, body.Width, 1, zoneTree, i)
		if i == list.Cursor() {
			ground := themes.Marked
			if v.focus == treePart {
				ground = themes.Selected
			}
			body.Ground(0, y, body.Width, ground)
		}
	}
}

// The columns of the table.
const (
	nameColumn = iota
	ownerColumn
	markColumn
	storedColumn
	effectiveColumn
	defaultColumn
	rangeColumn
	appliesColumn
	flagColumn
)

var columns = []widget.TableColumn{
	nameColumn:      {Title: "Key", Width: 20, Grow: 6},
	ownerColumn:     {Title: "On", Width: 12},
	markColumn:      {Title: "", Width: 1},
	storedColumn:    {Title: "Stored", Width: 11, Grow: 1},
	effectiveColumn: {Title: "Effective", Width: 11, Grow: 1},
	defaultColumn:   {Title: "Default", Width: 10, Grow: 1, Rank: 1},
	rangeColumn:     {Title: "Range", Width: 13, Grow: 1, Rank: 2},
	appliesColumn:   {Title: "Takes effect", Width: 12, Rank: 3},
	flagColumn:      {Title: "", Width: 3},
}

func (v *View) drawTable(area widget.Area) {
	if area.Height == 0 || area.Width == 0 {
		return
	}
	t := &v.table
	t.Focused = v.focus == tablePart
	t.SortColumn, t.Descending = v.sorting, v.descending
	t.Empty = v.emptyText()
	t.Columns[ownerColumn].Width = columns[ownerColumn].Width
	if v.sorting == noSorting && v.scores == nil || v.node().Depth >= 2 && v.arrangement == keyset.ByAdapter && !v.shared {
		t.Columns[ownerColumn].Width = 0 // headings or the tree name the owner
	}
	t.Draw(area, func(row int, cells []widget.TableCell) { v.fill(area, row, cells) })
}

// emptyText returns why the table has no rows, and which key helps.
func (v *View) emptyText() string {
	switch {
	case v.filter.Active():
		return "No key here matches “" + v.filter.Text() + "”. Esc shows all again, / changes the search."
	case v.show == showDraft:
		return "The draft is empty. Enter on a key edits it; v shows other keys."
	case v.show == showFavourites:
		return "There are no favourites here. * on a key makes it one; v shows other keys."
	case v.show != showAll:
		return "No key here is " + showWords[v.show] + ". v shows other keys."
	}
	return "There are no keys here."
}

// storedWithDraft returns the stored value of a key with the draft's value beside it, without their meanings if there is no
// room.
func storedWithDraft(e *keyset.Entry, value registry.Value, g *themes.Glyphs, room int) string {
	write := func(stored, drafted string) string {
		if !value.Exists() {
			drafted = "deleted"
		}
		return stored + " " + string(g.ArrowRight) + " " + drafted
	}
	text := write(keyset.FormatWithMeaning(e.Row, e.Stored), keyset.FormatWithMeaning(e.Row, value))
	if widget.Width(text) > room && e.Stored.Exists() {
		text = write(e.Stored.String(), value.String())
	} else if widget.Width(text) > room {
		text = write("-", value.String())
	}
	return text
}

// fill fills the cells of a row of the table.
func (v *View) fill(area widget.Area, at int, cells []widget.TableCell) {
	r := v.rows[at]
	if r.entry < 0 {
		cells[nameColumn] = widget.TableCell{Text: r.heading, Style: title}
		return
	}
	e, g := v.entry(r), area.Glyphs()
	before := "  "
	if v.favourites[favourite(e)] {
		before = string(g.Favourite) + " "
	}
	cells[nameColumn] = widget.TableCell{Text: before + widget.CutName(e.Row.Name, v.table.ColumnWidth(nameColumn)-2, g.Ellipsis)}
	cells[ownerColumn] = widget.TableCell{Text: e.Owner, Style: muted}
	stored := widget.TableCell{Text: keyset.FormatWithMeaning(e.Row, e.Stored)}
	value, drafted := v.draft.EditOf(e.ID)
	switch {
	case drafted:
		cells[markColumn] = widget.TableCell{Text: string(g.Edited), Style: edited}
		stored = widget.TableCell{Text: storedWithDraft(e, value, g, v.table.ColumnWidth(storedColumn)), Style: edited}
	case e.Changes > 0:
		cells[markColumn] = widget.TableCell{Text: string(g.Bullet), Style: accent}
	}
	if !e.Stored.Exists() && !drafted {
		stored.Style = muted
	}
	cells[storedColumn] = stored
	cells[effectiveColumn] = widget.TableCell{Text: e.EffectiveText()}
	if e.Pending {
		cells[effectiveColumn].Style = waiting
	} else if e.Effective == e.Default || !e.Effective.Exists() {
		cells[effectiveColumn].Style = muted
	}
	cells[defaultColumn] = widget.TableCell{Text: keyset.FormatWithMeaning(e.Row, e.Default), Style: muted}
	cells[rangeColumn] = widget.TableCell{Text: e.Span(), Style: muted}
	cells[appliesColumn] = widget.TableCell{Text: keyset.ShortWords[e.Row.Applies], Style: muted}
	flags, style := "", waiting
	if e.Pending {
		flags = string(g.Pending)
	}
	switch v.grades[r.entry] {
	case registry.Invalid:
		flags, style = flags+string(g.Failed), bad
	case registry.Doubtful:
		flags, style = flags+string(g.Warning), warn
	default:
	}
	cells[flagColumn] = widget.TableCell{Text: flags, Style: style}
}
