package fabric

import (
	"fmt"

	"cxdeck/device/infiniband/trap"
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// drawTraps draws the traps that the subnet manager received, the newest first.
func (d *dialog) drawTraps(area widget.Area) {
	muted := themes.Style{Role: themes.Muted}
	if len(d.now.Notices) == 0 {
		area.Print(0, 0, "The subnet manager has received no trap.", muted)
		return
	}
	line := func(y int, style themes.Style, time, number, kind, from, name string) {
		area.PrintCut(0, y, area.Width, fmt.Sprintf("%-8s  %-4s  %-13s  %-26s  %s", time, number, kind, from, name), style)
	}
	line(0, themes.Style{Role: themes.Title}, "Time", "Trap", "Type", "From", "Event")
	start := d.now.at.Add(-d.now.Now())
	for y := 1; y < area.Height && y <= len(d.now.Notices); y++ {
		n := &d.now.Notices[len(d.now.Notices)-y]
		style := themes.Style{}
		if n.Trap.Kind() != trap.Informational {
			style.Role = themes.Warn
		}
		line(y, style, start.Add(n.At).Format("15:04:05"), fmt.Sprint(uint16(n.Trap)), n.Trap.Kind().String(),
			fmt.Sprintf("%s/%d, LID %d", n.Node, n.Port, n.LID), n.Trap.Name())
	}
}
