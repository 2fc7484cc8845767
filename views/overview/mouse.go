package overview

import (
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// hit handles the mouse; each zone does the same as a key.
func (v *View) hit(msg ui.HitMsg) ui.Cmd {
	if list, p, ok := v.listAt(msg.ID); ok {
		if step := msg.Button.WheelRows(); step != 0 {
			list.Scroll(step)
			v.move()
			return nil
		}
		if msg.Button == ui.Press {
			v.focus = p
		}
	}
	if msg.ID == "overview.tree.scroll" && (msg.Button == ui.Press || msg.Button == ui.Drag) {
		v.table.ScrollHit(msg.Hit)
		v.move()
		return nil
	}
	if msg.Button != ui.Press {
		return nil
	}
	switch msg.ID {
	case "overview.tree":
		return v.pressRow(msg)
	case "overview.tree.head":
		return v.pressTitle(msg.Index)
	case "overview.event":
		v.foot.Select(msg.Index)
		if msg.Double {
			return v.openEventAction().Run()
		}
	case "overview.filter":
		return v.openFilter()
	}
	return nil
}

// listAt returns the list under a zone and the part that it belongs to.
func (v *View) listAt(zone string) (*widget.List, part, bool) {
	switch zone {
	case "overview.tree", "overview.tree.head":
		return &v.table.List, treePart, true
	case "overview.side":
		return &v.page.Scroll, sidePart, true
	case "overview.event", "overview.events":
		return &v.foot, footPart, true
	}
	return nil, 0, false
}

// pressRow selects a row; a press on its fold mark folds it, a double press opens its counters.
func (v *View) pressRow(msg ui.HitMsg) ui.Cmd {
	v.table.List.Select(msg.Index)
	v.move()
	at := v.table.List.Cursor()
	if at < 0 {
		return nil
	}
	if r := v.rows[at]; r.fold != leaf && msg.X <= 2*r.depth+1 {
		return v.toggleFold()
	}
	if a := v.countersAction(); msg.Double && a.Disabled == "" {
		return a.Run()
	}
	return nil
}

// pressTitle sorts by the pressed column; another press restores the source's order.
func (v *View) pressTitle(column int) ui.Cmd {
	by := map[int]order{nameColumn: byName, receiveColumn: byRate, sendColumn: byRate, dropsColumn: byDrops}[column]
	if more, fleet := map[int]order{pausedColumn: byPauses, damagedColumn: byErrors, utilisationColumn: byUtilisation, markColumn: byTrouble}[column]; fleet && isFleet(v.nodes()) {
		by = more
	}
	if by == v.order {
		by = byPlace
	}
	v.order = by
	v.arrange()
	return nil
}
