package change

import (
	"cxdeck/driver/guide"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// List opens the dialog that lists the guides of forms; id is the zone of the list, open opens the chosen form.
func List(id string, forms []string, open func(id string) ui.Cmd) ui.Cmd {
	var list []*guide.Guide
	for _, name := range forms {
		if g, found := guide.WithForm(name); found {
			list = append(list, g)
		}
	}
	d := &wizardList{list: list, open: open, table: widget.Table{
		ID: id, Focused: true, SortColumn: -1,
		Columns: []widget.TableColumn{{Title: "Wizard", Width: 26}, {Title: "What for", Width: 30, Grow: 1, Rank: 1}},
	}}
	d.table.List.SetLength(len(d.list))
	return ui.OpenDialog(d)
}

// wizardList is the dialog that lists wizards.
type wizardList struct {
	list  []*guide.Guide
	open  func(id string) ui.Cmd
	table widget.Table
}

func (d *wizardList) Title() string { return "Wizards" }

// goalHeight is the number of rows below the list for the goal of the selected wizard, which the list may cut.
const goalHeight = 3

func (d *wizardList) Size(width, height int) (int, int) {
	return min(width, 110), min(height, len(d.list)+1+goalHeight)
}

func (d *wizardList) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		if msg.Name == "enter" {
			return true, d.open(d.list[d.table.List.Cursor()].Form())
		}
		d.table.List.Key(msg.Name)
	case ui.HitMsg:
		if step := msg.Button.WheelRows(); step != 0 {
			d.table.List.Scroll(step)
		} else if msg.ID == d.table.ID && msg.Button == ui.Press && msg.Index < len(d.list) {
			return true, d.open(d.list[msg.Index].Form())
		}
	}
	return false, nil
}

func (d *wizardList) Draw(area widget.Area) {
	list := area
	if area.Height > 2*goalHeight {
		var below widget.Area
		list, below = area.SplitTop(area.Height - goalHeight)
		for y, line := range widget.Wrap(d.list[d.table.List.Cursor()].Goal, below.Width-1) {
			below.Print(0, y+1, line, themes.Style{})
		}
	}
	d.table.Draw(list, func(at int, cells []widget.TableCell) {
		cells[0] = widget.TableCell{Text: d.list[at].Title}
		cells[1] = widget.TableCell{Text: d.list[at].Goal, Style: themes.Style{Role: themes.Muted}}
	})
}

func (d *wizardList) Hints() []ui.Hint {
	return []ui.Hint{{Key: "enter", Name: "open"}, {Key: "esc", Name: "close"}}
}
