package sriov

import (
	"fmt"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// minReason is the minimum width of a reason behind the strip; the line below the table also shows the reason.
const minReason = 40

// drawStrip draws the requirements of SR-IOV at the selected port, followed by the first missing one with the key that
// fixes it, or by a summary of the port.
func (v *View) drawStrip(area widget.Area) {
	p := v.port()
	if p == nil || area.Height == 0 {
		return
	}
	glyphs, x := area.Glyphs(), 1
	words := stripWidth(p.SRIOV.Checks) <= area.Width
	for i, c := range p.SRIOV.Checks {
		from := x
		x = area.Print(x, 0, c.Name+" ", muted)
		mark, style := checkMark(glyphs, &c)
		if !words && c.OK {
			mark = string(glyphs.Up)
		}
		x = area.Print(x, 0, mark, style)
		area.Zone(from, 0, x-from, 1, zoneCheck, i)
		x += 2
	}
	switch reason, fixable := v.reason(p); {
	case reason != "" && area.Width-x >= minReason:
		if fixable {
			x = area.Print(x+1, 0, "n fixes it:", accent)
		}
		area.PrintCut(x+1, 0, area.Width-x-1, reason+".", warning)
	case reason == "" && area.Width-x > 24:
		area.PrintRight(area.Width, 0, p.Description.Connection+": "+summary(&p.SRIOV), text)
	}
}

// stripWidth returns the width of the strip with all of its words.
func stripWidth(checks []virtualization.Check) (width int) {
	for i := range checks {
		width += widget.Width(checks[i].Name) + len(" * ok  ")
	}
	return width
}

// reason returns why SR-IOV does not work at a port, empty if it does, and whether the wizard can fix it.
func (v *View) reason(p *driver.PortView) (why string, fixable bool) {
	trouble := firstFailed(&p.SRIOV)
	if trouble == nil {
		return "", false
	}
	if never := v.noSRIOV(p.Description.Connection); never != "" {
		return never, false
	}
	if p.State == driver.Restarting {
		return v.starting(p.Description.Connection), false
	}
	return trouble.Why, true
}

// summary returns the functions of a port in a few words.
func summary(s *virtualization.SRIOVView) string {
	if s.Open == 0 {
		return "no VFs"
	}
	return fmt.Sprintf("%d VFs, %d attached", s.Open, s.Attached)
}

func checkMark(glyphs *themes.Glyphs, c *virtualization.Check) (string, themes.Style) {
	if c.OK {
		return string(glyphs.Up) + " ok", good
	}
	return string(glyphs.Failed) + " no", bad
}

// firstFailed returns the first unmet requirement of a port; nil if there is none.
func firstFailed(s *virtualization.SRIOVView) *virtualization.Check {
	for i := range s.Checks {
		if !s.Checks[i].OK {
			return &s.Checks[i]
		}
	}
	return nil
}

// stripPart is a piece of the allocation bar.
type stripPart struct {
	n     int
	word  string
	glyph rune
	style themes.Style
}

// allocation returns the parts of a port's virtual functions in the order of the bar, each with a glyph and a word.
func allocation(glyphs *themes.Glyphs, s *virtualization.SRIOVView) []stripPart {
	return []stripPart{
		{s.Attached, "attached", glyphs.Full[7], good},
		{s.Free, "free", glyphs.Full[3], accent},
		{max(s.Allowed-s.Open, 0), "not enabled", glyphs.Shade, pending},
		{max(s.FirmwareVFs-max(s.Allowed, s.Open), 0), "not allowed", glyphs.Bullet, muted},
	}
}

// The width of the allocation bar.
const minBar, maxBar = 12, 48

// drawBar draws the allocation of the selected port's virtual functions or, if there is a filter, the filter.
func (v *View) drawBar(area widget.Area) {
	if area.Height == 0 {
		return
	}
	if v.Filter.Typing() || v.Filter.Active() {
		v.DrawFilter(area.Sub(1, 0, area.Width-1, 1))
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
	if s.FirmwareVFs == 0 && s.Open == 0 {
		area.PrintCut(x+1, 0, area.Width-x-1,
			"no virtual functions in the firmware; n sets up SR-IOV step by step", muted)
		return
	}
	legend := fmt.Sprintf("firmware %d  allowed %d  enabled %d", s.FirmwareVFs, s.Allowed, s.Open)
	parts := allocation(area.Glyphs(), s)
	for _, part := range parts[:2] {
		legend += fmt.Sprintf("  %c %s %d", part.glyph, part.word, part.n)
	}
	room := min(max(area.Width-x-widget.Width(legend)-3, 0), maxBar)
	if room >= minBar {
		drawAllocation(area.Sub(x, 0, room, 1), parts, max(s.FirmwareVFs, s.Open))
		x += room + 1
	}
	area.PrintCut(x, 0, area.Width-x, legend, muted)
}

// drawAllocation draws the parts in proportion to total.
func drawAllocation(area widget.Area, parts []stripPart, total int) {
	if total == 0 {
		return
	}
	x, sum := 0, 0
	for _, part := range parts {
		sum += part.n
		end := min(sum*area.Width/total, area.Width)
		if part.n > 0 {
			end = max(end, min(x+1, area.Width)) // a small part keeps one cell
		}
		for ; x < end; x++ {
			area.Set(x, 0, part.glyph, part.style)
		}
	}
}
