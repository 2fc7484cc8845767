package sriov

import (
	"fmt"
	"strconv"

	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// compareAction shows functions side by side.
func (v *View) compareAction() ui.Action {
	a := ui.Action{ID: "sriov.compare", Keys: []string{"c"}, Name: "compare", Help: "Show the marked rows side by side"}
	rows := v.targetRows()
	if len(rows) < 2 {
		a.Disabled = "mark two rows or more with Space to compare them"
		return a
	}
	a.Run = func() ui.Cmd {
		d := &comparison{view: v}
		for _, r := range rows {
			d.ids = append(d.ids, r.id)
		}
		d.list.SetLength(len(aspects))
		return ui.OpenDialog(d)
	}
	return a
}

// comparison is the dialog that compares rows side by side; it follows the live state.
type comparison struct {
	view *View
	ids  []string
	left int // number of columns scrolled off to the left
	list widget.List
}

// aspects are the compared properties; a property that differs between rows is marked.
var aspects = []struct {
	name string
	// moves reports that the value changes all the time, so that a difference is not marked.
	moves bool
	text  func(v *View, g *themes.Glyphs, r *row) string
}{
	{"Port", false, func(_ *View, _ *themes.Glyphs, r *row) string {
		if r.port == nil {
			return "-"
		}
		return r.port.Description.Connection
	}},
	{"VF", false, func(_ *View, _ *themes.Glyphs, r *row) string {
		if r.vf == nil {
			return "-"
		}
		return strconv.Itoa(r.vf.ID)
	}},
	{"VM", false, func(_ *View, _ *themes.Glyphs, r *row) string { return wording.OrDash(r.vmName()) }},
	{"State", false, func(_ *View, g *themes.Glyphs, r *row) string { return stateCell(g, r).Text }},
	{"Path", false, func(_ *View, _ *themes.Glyphs, r *row) string { return string(r.path()) }},
	{"MAC", false, func(_ *View, _ *themes.Glyphs, r *row) string { return wording.OrDash(r.mac()) }},
	{"VLAN", false, func(_ *View, _ *themes.Glyphs, r *row) string { return strconv.Itoa(r.vlan()) }},
	{"IovWeight", false, nicNumber(func(r *row) int { return r.nic.IovWeight })},
	{"VmqWeight", false, nicNumber(func(r *row) int { return r.nic.VmqWeight })},
	{"RdmaWeight", false, nicNumber(func(r *row) int { return r.nic.RdmaWeight })},
	{"IOV queue pairs", false, nicNumber(func(r *row) int { return r.nic.IovQueuePairsGranted })},
	{"Pages", false, func(_ *View, g *themes.Glyphs, r *row) string { return pagesCell(g, r.vf).Text }},
	{"Receive", true, func(v *View, _ *themes.Glyphs, r *row) string { return v.deck.ByteRate(r.load.Receive) }},
	{"Send", true, func(v *View, _ *themes.Glyphs, r *row) string { return v.deck.ByteRate(r.load.Send) }},
	{"Drops", true, func(_ *View, _ *themes.Glyphs, r *row) string { return small(r.load.Drops) }},
	{"Spoofed", true, func(_ *View, _ *themes.Glyphs, r *row) string { return small(r.load.Spoofed) }},
	{"FW CPU", true, func(_ *View, _ *themes.Glyphs, r *row) string { return useText(r.load.Use) }},
	{"Errors2FW", true, func(_ *View, _ *themes.Glyphs, r *row) string { return small(r.load.Errors) }},
	{"last 60 s", true, func(v *View, g *themes.Glyphs, r *row) string { return v.sparkline(g, r) }},
}

func nicNumber(number func(*row) int) func(*View, *themes.Glyphs, *row) string {
	return func(_ *View, _ *themes.Glyphs, r *row) string {
		if r.nic == nil {
			return "-"
		}
		return strconv.Itoa(number(r))
	}
}

// The widths of the comparison's columns.
const nameWidth, sideWidth = 19, 19

func (d *comparison) Title() string { return fmt.Sprintf("Compare %d", len(d.ids)) }

func (d *comparison) Size(width, height int) (int, int) {
	return min(width, nameWidth+sideWidth*len(d.ids)), min(height, len(aspects))
}

func (d *comparison) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.DataMsg:
		d.view.refresh()
	case ui.HitMsg:
		d.list.Scroll(msg.Button.WheelRows())
	case ui.KeyMsg:
		switch msg.Name {
		case "enter", "c":
			return true, nil
		case "left", "h":
			d.left = max(d.left-1, 0)
		case "right", "l":
			d.left = min(d.left+1, len(d.ids)-1)
		default:
			d.list.Key(msg.Name)
		}
	}
	return false, nil
}

func (d *comparison) Draw(area widget.Area) {
	d.list.SetHeight(area.Height)
	from, to := d.list.Visible()
	g := area.Glyphs()
	for at := from; at < to; at++ {
		y, aspect := at-from, &aspects[at]
		area.PrintCut(2, y, nameWidth-2, aspect.name, muted)
		first, differs := "", false
		for i, id := range d.ids {
			cell := "gone"
			if place, there := d.view.places[id]; there {
				cell = aspect.text(d.view, g, &d.view.rows[place])
			}
			if i == 0 {
				first = cell
			}
			differs = differs || cell != first
			if x := nameWidth + sideWidth*(i-d.left); x >= nameWidth && x < area.Width {
				area.PrintCut(x, y, min(sideWidth-1, area.Width-x), cell, text)
			}
		}
		if differs && !aspect.moves {
			area.Set(0, y, g.Edited, accent)
		}
	}
}

func (d *comparison) Hints() []ui.Hint {
	return []ui.Hint{{Key: "left", Name: "sideways"}, {Key: "esc", Name: "close"}}
}
