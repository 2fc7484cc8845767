package widget

import (
	"strings"

	"cxdeck/themes"
)

// Check is one line of a multi-select list.
type Check struct {
	// ID is what Chosen speaks of; Text is what shows and what a search looks at.
	ID, Text string
}

// Checks is a multi-select list with a line to search it. What is chosen stays chosen while a search hides it.
type Checks struct {
	// ID is the zone of its lines for the mouse: Hit.Index is the line, for Toggle.
	ID string
	// Empty is shown when there is nothing to choose from.
	Empty string

	search *Input
	list   List
	items  []Check
	shown  []int
	chosen map[string]bool
}

// NewChecks makes an empty list; placeholder stands in the search line until something is typed.
func NewChecks(placeholder string) *Checks {
	return &Checks{search: NewInput("", placeholder, 0), chosen: map[string]bool{}}
}

// SetItems replaces what there is to choose from. What was chosen and is still there stays chosen.
func (c *Checks) SetItems(items []Check) {
	c.items = items
	there := make(map[string]bool, len(items))
	for _, item := range items {
		there[item.ID] = true
	}
	for id := range c.chosen {
		if !there[id] {
			delete(c.chosen, id)
		}
	}
	c.filter()
}

// Choose sets whether an item is chosen.
func (c *Checks) Choose(id string, chosen bool) {
	if chosen {
		c.chosen[id] = true
	} else {
		delete(c.chosen, id)
	}
}

// Chosen are the IDs of the chosen items, in the order of the items.
func (c *Checks) Chosen() []string {
	var ids []string
	for _, item := range c.items {
		if c.chosen[item.ID] {
			ids = append(ids, item.ID)
		}
	}
	return ids
}

// Current is the item under the cursor; ok is false when nothing shows.
func (c *Checks) Current() (item Check, ok bool) {
	if row := c.list.Cursor(); row >= 0 {
		return c.items[c.shown[row]], true
	}
	return Check{}, false
}

// Toggle chooses or drops the item on a line, and puts the cursor there.
func (c *Checks) Toggle(row int) {
	if row < 0 || row >= len(c.shown) {
		return
	}
	c.list.Select(row)
	id := c.items[c.shown[row]].ID
	c.Choose(id, !c.chosen[id])
}

// Scroll moves what shows by lines.
func (c *Checks) Scroll(rows int) { c.list.Scroll(rows) }

// Key takes moves, space (toggle), ctrl+a (all that show, or none of them) and text to search for; it says whether it
// took the key.
func (c *Checks) Key(name string, runes []rune) bool {
	switch name {
	case "up", "down", "pgup", "pgdown":
		return c.list.Key(name)
	case " ", "space":
		c.Toggle(c.list.Cursor())
		return true
	case "ctrl+a":
		c.toggleShown()
		return true
	}
	took := c.search.Key(name, runes)
	c.filter()
	return took
}

// Paste adds text to the search.
func (c *Checks) Paste(text string) {
	c.search.Paste(text)
	c.filter()
}

// toggleShown chooses all that show, or drops them when all are chosen.
func (c *Checks) toggleShown() {
	all := true
	for _, i := range c.shown {
		all = all && c.chosen[c.items[i].ID]
	}
	for _, i := range c.shown {
		c.Choose(c.items[i].ID, !all)
	}
}

// filter finds the items that contain every word of the search. The cursor stays on its item while that shows.
func (c *Checks) filter() {
	current := -1
	if row := c.list.Cursor(); row >= 0 && row < len(c.shown) {
		current = c.shown[row]
	}
	words := strings.Fields(strings.ToLower(c.search.Value()))
	c.shown = c.shown[:0]
	row := 0
	for i, item := range c.items {
		if !containsAll(strings.ToLower(item.Text), words) {
			continue
		}
		if i <= current {
			row = len(c.shown)
		}
		c.shown = append(c.shown, i)
	}
	c.list.SetLength(len(c.shown))
	c.list.Select(row)
}

func containsAll(text string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// Draw draws the search line and, below it, the lines that match.
func (c *Checks) Draw(area Area, focused bool) {
	search, body := area.SplitTop(1)
	c.search.Draw(search, focused, themes.Style{})
	c.list.SetHeight(body.Height)
	if len(c.shown) == 0 {
		text := c.Empty
		if len(c.items) > 0 {
			text = "Nothing matches the search; delete a letter to see more."
		}
		for y, line := range Wrap(text, body.Width) {
			body.Print(0, y, line, themes.Style{Role: themes.Muted})
		}
		return
	}
	width := body.Width
	if len(c.shown) > body.Height && width > 1 {
		width--
		drawScrollBar(body.Sub(width, 0, 1, body.Height), &c.list, derivedID(c.ID, ".scroll"))
	}
	g := body.Glyphs()
	from, to := c.list.Visible()
	for row := from; row < to; row++ {
		line := body.Sub(0, row-from, width, 1)
		item := c.items[c.shown[row]]
		mark, style := " ", themes.Style{}
		if c.chosen[item.ID] {
			mark, style = string(g.Checked), themes.Style{Role: themes.Accent, Attr: themes.Bold}
		}
		x := line.Print(0, 0, "["+mark+"] ", style)
		line.PrintCut(x, 0, width-x, item.Text, themes.Style{})
		if row == c.list.Cursor() {
			line.Ground(0, 0, width, cursorGround(focused))
		}
		line.Zone(0, 0, width, 1, c.ID, row)
	}
}

// ScrollHit scrolls to where the mouse pressed or dragged the scroll bar (zone ID+".scroll").
func (c *Checks) ScrollHit(hit Hit) { scrollHit(&c.list, hit) }

// cursorGround is what lies behind the line under the cursor.
func cursorGround(focused bool) themes.Ground {
	if focused {
		return themes.Selected
	}
	return themes.Marked
}
