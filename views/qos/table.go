package qos

import (
	"fmt"
	"strings"

	"cxdeck/device/dscp"
	"cxdeck/driver/qos"
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// The columns of the priorities.
const (
	priorityColumn = iota
	classColumn
	shareColumn
	algorithmColumn
	pauseColumn
	bufferColumn
	codesColumn
	leadsColumn
	receiveColumn
	sendColumn
	pauseInColumn
	pauseOutColumn
	pausedColumn
	dropsColumn
	marksColumn
	noticesColumn
	sparkColumn
)

var columns = []widget.TableColumn{
	priorityColumn:  {Title: "Priority", Width: 8},
	classColumn:     {Title: "Class", Width: 9},
	shareColumn:     {Title: "Share", Width: 6, Right: true},
	algorithmColumn: {Title: "Algorithm", Width: 9, Rank: 6},
	pauseColumn:     {Title: "PFC", Width: 8},
	bufferColumn:    {Title: "Buffer", Width: 8, Rank: 6},
	codesColumn:     {Title: "DSCP", Width: 5, Rank: 1},
	leadsColumn:     {Title: "Policies", Width: 10, Grow: 1, Rank: 4},
	receiveColumn:   {Title: "Receive", Width: 9, Right: true},
	sendColumn:      {Title: "Send", Width: 9, Right: true},
	pauseInColumn:   {Title: "Pause in", Width: 9, Right: true, Rank: 2},
	pauseOutColumn:  {Title: "Pause out", Width: 9, Right: true, Rank: 2},
	pausedColumn:    {Title: "Paused", Width: 6, Right: true},
	dropsColumn:     {Title: "Drops", Width: 9, Right: true},
	marksColumn:     {Title: "Marks", Width: 9, Right: true, Rank: 5},
	noticesColumn:   {Title: "CNPs", Width: 9, Right: true, Rank: 5},
	sparkColumn:     {Title: "60 s", Width: 8, Rank: 3},
}

var (
	muted   = themes.Style{Role: themes.Muted}
	accent  = themes.Style{Role: themes.Accent}
	good    = themes.Style{Role: themes.Good}
	warning = themes.Style{Role: themes.Warn}
)

// fill fills the cells of a priority.
func (v *View) fill(glyphs *themes.Glyphs, priority int, cells []widget.TableCell) {
	q := v.windows()
	class, share := classOf(q, priority)
	cells[priorityColumn] = widget.TableCell{Text: priorityName(priority)}
	cells[classColumn] = widget.TableCell{Text: class}
	cells[shareColumn] = widget.TableCell{Text: share}
	cells[algorithmColumn] = widget.TableCell{Text: algorithmOf(q, priority), Style: muted}
	cells[bufferColumn] = widget.TableCell{Text: bufferOf(q, priority), Style: muted}
	cells[pauseColumn] = v.pauseCell(glyphs, q, priority)
	cells[codesColumn] = widget.TableCell{Text: codesOf(q, priority), Style: muted}
	cells[leadsColumn] = widget.TableCell{Text: strings.Join(v.policies(priority), ", "), Style: muted}
	for column, f := range map[int]figure{
		receiveColumn: received, sendColumn: sent, pauseInColumn: pausesIn, pauseOutColumn: pausesOut, pausedColumn: paused, dropsColumn: dropped,
		marksColumn: marked, noticesColumn: notified,
	} {
		text, value := v.figureText(priority, f)
		style := themes.Style{}
		switch {
		case !(value > 0):
			style = muted
		case f == dropped, f == paused && value >= tellingPause:
			style = warning
		}
		cells[column] = widget.TableCell{Text: text, Style: style}
	}
	cells[sparkColumn] = widget.TableCell{Text: v.spark(priority, columns[sparkColumn].Width, glyphs), Style: accent}
}

// tellingPause is the time in microseconds a second from which on a priority that waits is marked: a hundredth.
const tellingPause = 1e4

// priorityName names a row.
func priorityName(priority int) string {
	if priority == untagged {
		return "untagged"
	}
	return fmt.Sprint(priority)
}

// classOf returns the traffic class of a priority, and its share.
func classOf(q *qos.PortView, priority int) (name, share string) {
	if !q.Acts || priority == untagged {
		return "-", "-"
	}
	for _, c := range q.Classes {
		if !c.Priorities.Has(priority) {
			continue
		}
		if c.Algorithm == qos.Strict {
			return c.Name, "strict"
		}
		return c.Name, fmt.Sprintf("%d%%", c.Bandwidth)
	}
	return "-", "-"
}

// algorithmOf returns how the class of a priority gets its turn on the line.
func algorithmOf(q *qos.PortView, priority int) string {
	if !q.Acts || priority == untagged {
		return "-"
	}
	for _, c := range q.Classes {
		if c.Priorities.Has(priority) {
			if c.Algorithm == qos.Strict {
				return "Strict"
			}
			return "ETS"
		}
	}
	return "-"
}

// bufferOf returns the receive buffer that takes the frames of a priority (QOS-14). Without PFC there is one for all, lossless
// where global pause protects it.
func bufferOf(q *qos.PortView, priority int) string {
	lossless := q.AsksPause
	if q.Acts && q.Operational != 0 {
		buffers := dscp.Buffers{Lossless: uint8(q.Operational), UntaggedLossless: q.UntaggedLossless, ByDSCP: q.TrustDSCP}
		lossless = buffers.TakesLossless(priority != untagged, uint8(priority&7))
	}
	if lossless {
		return "lossless"
	}
	return "lossy"
}

// codesOf returns the DSCPs that the adapter reads as a priority: "24-31". Without trust in the DSCP there are none.
func codesOf(q *qos.PortView, priority int) string {
	if !q.TrustDSCP || priority == untagged {
		return "-"
	}
	return fmt.Sprintf("%d-%d", 8*priority, 8*priority+7)
}

// pauseCell says whether a priority has PFC at both ends, at one, or at none; the untagged row has global pause.
func (v *View) pauseCell(glyphs *themes.Glyphs, q *qos.PortView, priority int) widget.TableCell {
	if priority == untagged {
		if q.AsksPause || q.ObeysPause {
			return widget.TableCell{Text: string(glyphs.Up) + " on", Style: good}
		}
		return widget.TableCell{Text: "-", Style: muted}
	}
	switch here, there := q.Operational.Has(priority), v.path().SwitchPFC.Has(priority); {
	case here && there:
		return widget.TableCell{Text: string(glyphs.Up) + " on", Style: good}
	case here:
		return widget.TableCell{Text: string(glyphs.Warning) + " host", Style: warning}
	case there:
		return widget.TableCell{Text: string(glyphs.Warning) + " switch", Style: warning}
	}
	return widget.TableCell{Text: "-", Style: muted}
}

// policies returns the policies that lead to a priority at the shown port, by their names.
func (v *View) policies(priority int) (list []string) {
	for i := range v.state.QoS.Policies {
		p := &v.state.QoS.Policies[i]
		if p.Priority != nil && *p.Priority == priority {
			list = append(list, p.Name)
		}
	}
	return list
}

// selected returns the selected priority, -1 for none.
func (v *View) selected() int { return v.table.List.Cursor() }
