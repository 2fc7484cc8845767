package adapters

import (
	"fmt"
	"slices"

	"cxdeck/driver/linuxhost"
	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// aboutHeight is the height of the part below the list: its line, and the sentences about the selected setting.
const aboutHeight = 6

func (d *dialog) Draw(area widget.Area) {
	i := d.current()
	if i == nil {
		text := "The settings are being read ..."
		if d.err != nil {
			text = wording.UpperFirst(d.err.Error()) + "."
		}
		for y, line := range widget.Wrap(text, area.Width) {
			area.Print(0, y, line, themes.Style{Role: themes.Muted})
		}
		return
	}
	head, body := area.SplitTop(2)
	d.drawHead(head, i)
	if body.Height > 2*aboutHeight {
		var below widget.Area
		body, below = body.SplitBottom(aboutHeight)
		d.drawAbout(below)
	}
	d.table.Empty = "This interface has no settings that can be changed; . shows the next one."
	if d.filter.Active() {
		d.table.Empty = d.filter.NoMatch("No setting matches")
	}
	d.table.Draw(body, d.fill)
}

// drawHead draws the interface and the state of the draft.
func (d *dialog) drawHead(area widget.Area, i *linuxhost.Interface) {
	at := slices.IndexFunc(d.machine.Interfaces, func(other linuxhost.Interface) bool { return other.Name == i.Name })
	x := area.Print(0, 0, i.Name, themes.Style{Role: themes.Title, Attr: themes.Bold})
	glyph, word, role := area.Glyphs().Down, "down", themes.Muted
	if i.Up {
		glyph, word, role = area.Glyphs().Up, "up", themes.Good
	}
	x = area.Print(x+2, 0, string(glyph)+" "+word, themes.Style{Role: role})
	about := i.Kind
	for n := range d.machine.Adapters {
		if a := &d.machine.Adapters[n]; a.Address == i.Adapter && i.Adapter != "" {
			about = a.Driver + " " + a.Address
		}
	}
	x = area.PrintCut(x+2, 0, area.Width-x-2, about, themes.Style{Role: themes.Muted})
	place := fmt.Sprintf("interface %d of %d", at+1, len(d.machine.Interfaces))
	if x+2+widget.Width(place) <= area.Width {
		area.PrintRight(area.Width, 0, place, themes.Style{Role: themes.Muted})
	}
	if area.Height < 2 {
		return
	}
	state, style := "Enter edits a setting, r reviews the plan.", themes.Style{Role: themes.Muted}
	if len(d.draft) > 0 {
		state, style.Role = fmt.Sprintf("%c %s; r reviews the plan.", area.Glyphs().Pending, wording.Count(len(d.draft), "new value")), themes.Pending
	}
	if why := d.Refusal(); why != "" {
		state, style.Role = why, themes.Warn
	}
	if d.filter.Typing() || d.filter.Active() {
		d.filter.Draw(area.Sub(0, 1, area.Width, 1), "settings.filter")
		return
	}
	area.PrintCut(0, 1, area.Width, state, style)
}

// fill writes a row.
func (d *dialog) fill(n int, cells []widget.TableCell) {
	s := &d.rows[n]
	cells[0] = widget.TableCell{Text: s.Name}
	cells[1] = widget.TableCell{Text: s.Value}
	if s.Value == "off" || s.Value == "0" || s.Value == "none" {
		cells[1].Style.Role = themes.Muted
	}
	if value := d.drafted(s.Name); value != "" {
		cells[2] = widget.TableCell{Text: value, Style: themes.Style{Role: themes.Pending, Attr: themes.Bold}}
	}
	cells[3] = widget.TableCell{Text: s.Limit, Style: themes.Style{Role: themes.Muted}}
	if s.Fixed != "" {
		for c := range cells {
			cells[c].Style.Role = themes.Muted
		}
	}
}

// drawAbout draws what the selected setting means, and what its new value does.
func (d *dialog) drawAbout(area widget.Area) {
	area.Horizontal(0, area.Glyphs().Horizontal, themes.Style{Role: themes.Border})
	s := d.selected()
	if s == nil {
		return
	}
	y := 1
	write := func(text string, role themes.Role) {
		for _, line := range widget.Wrap(text, area.Width) {
			if text != "" && y < area.Height {
				area.Print(0, y, line, themes.Style{Role: role})
				y++
			}
		}
	}
	if s.Meaning != "" {
		write(s.Meaning, themes.Text)
	} else {
		write(linuxhost.Meaning(s.Name), themes.Text)
	}
	if s.Fixed != "" {
		write("It can't be changed: "+s.Fixed+".", themes.Muted)
	}
	value := d.drafted(s.Name)
	if value == "" {
		return
	}
	plan, err := linuxhost.NewPlan(d.machine, d.shown, []string{s.Name + "=" + value})
	if err != nil {
		write(wording.UpperFirst(err.Error())+".", themes.Warn)
		return
	}
	for _, text := range interrupts(plan) {
		write(text, themes.Warn)
	}
	for _, line := range plan.Commands(d.machine) {
		write(line, themes.Muted)
	}
}
