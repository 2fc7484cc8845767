package registry

import "cxdeck/ui"

// hit handles the mouse; each zone does the same as a key.
func (v *View) hit(msg ui.HitMsg) ui.Cmd {
	if v.snapshot == nil || v.elsewhere {
		return nil
	}
	step := msg.Button.WheelRows()
	switch msg.ID {
	case zoneTable, zoneTable + ".scroll", zoneTable + ".head":
		return v.hitTable(msg)
	case zoneTree:
		if step != 0 {
			v.treeList.Scroll(step)
			v.moveToBranch()
			return nil
		}
		if msg.Button == ui.Press {
			again := v.treeList.Cursor() == msg.Index
			v.focus = treePart
			v.treeList.Select(msg.Index)
			v.moveToBranch()
			if n := v.node(); n.Branch && (again || v.folded[n.ID]) {
				v.foldSelected(!v.folded[n.ID])
			}
		}
	case zonePage, zonePage + ".area":
		return v.hitPage(msg)
	}
	if msg.Button != ui.Press {
		return nil
	}
	switch msg.ID {
	case zoneShow:
		v.show = show(msg.Index)
		v.arrange()
	case zoneFilter:
		v.focus = tablePart
		v.filter.Open()
	case zoneDraft:
		if a := v.reviewAction(); a.Disabled == "" {
			return a.Run()
		}
	}
	return nil
}

func (v *View) hitTable(msg ui.HitMsg) ui.Cmd {
	t := &v.table
	if step := msg.Button.WheelRows(); step != 0 {
		t.List.Scroll(step)
		v.skip(step)
		return nil
	}
	scroll := msg.ID == zoneTable+".scroll"
	if msg.Button != ui.Press && (!scroll || msg.Button != ui.Drag) {
		return nil
	}
	switch {
	case msg.ID == zoneTable+".head":
		v.sortBy(msg.Index)
	case scroll:
		t.ScrollHit(msg.Hit)
		v.skip(1)
	default:
		v.focus = tablePart
		t.List.Select(msg.Index)
		v.skip(1)
		if a := v.editAction(); msg.Double && a.Disabled == "" && !v.deck.ReadOnly {
			return a.Run()
		}
	}
	return nil
}

func (v *View) hitPage(msg ui.HitMsg) ui.Cmd {
	if step := msg.Button.WheelRows(); step != 0 {
		v.focus = pagePart
		v.detail.Scroll.Move(step)
		return nil
	}
	if msg.Button != ui.Press {
		return nil
	}
	v.focus = pagePart
	if msg.ID == zonePage {
		v.detail.Scroll.Select(msg.Index)
		if l := v.detail.Current(); msg.Double && l != nil && l.Open != nil {
			return l.Open()
		}
	}
	return nil
}
