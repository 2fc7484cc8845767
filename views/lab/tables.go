package lab

import (
	"fmt"
	"strconv"
	"strings"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/perf/labstate"
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// listTitles are the names of the lists.
var listTitles = [listCount]string{scenesPart: "Scenes", flowsPart: "Workloads", portsPart: "Cables and switch ports"}

// tableIDs are the zones of the lists.
var tableIDs = [listCount]string{scenesPart: "lab.scenes", flowsPart: "lab.workloads", portsPart: "lab.ports"}

// The columns of the scenes.
const (
	sceneTitle = iota
	sceneState
	scenePlace
	sceneStory
)

// The columns of the workloads.
const (
	flowName = iota
	flowPort
	flowProtocol
	flowPriority
	flowScale
	flowDemand
	flowRate
	flowSpark
)

// The columns of the cables and switch ports.
const (
	portName = iota
	portCable
	portLink
	portSwitch
	portSpeed
	portFrame
	portPause
	portMarking
	portSlot
)

var tableColumns = [listCount][]widget.TableColumn{
	scenesPart: {
		sceneTitle: {Title: "Scene", Width: 21},
		sceneState: {Title: "State", Width: 9},
		scenePlace: {Title: "Runs at", Width: 11},
		sceneStory: {Title: "What happens", Width: 16, Grow: 1, Rank: 1},
	},
	flowsPart: {
		flowName:     {Title: "Workload", Width: 25, Grow: 3},
		flowPort:     {Title: "Port", Width: 11},
		flowProtocol: {Title: "Protocol", Width: 8, Rank: 3},
		flowPriority: {Title: "Prio", Width: 4, Right: true, Rank: 4},
		flowScale:    {Title: "Scale", Width: 9},
		flowDemand:   {Title: "Demand", Width: 9, Right: true, Rank: 2},
		flowRate:     {Title: "Now", Width: 9, Right: true},
		flowSpark:    {Title: "60 s", Width: sparkMin, Rank: 1},
	},
	portsPart: {
		portName:    {Title: "Port", Width: 11, Grow: 1},
		portCable:   {Title: "Cable", Width: 12},
		portLink:    {Title: "Link", Width: 6},
		portSwitch:  {Title: "Switch", Width: 8, Rank: 2},
		portSpeed:   {Title: "Speed", Width: 8},
		portFrame:   {Title: "MTU", Width: 6, Right: true},
		portPause:   {Title: "Pause", Width: 9},
		portMarking: {Title: "ECN marks", Width: 16, Rank: 4},
		portSlot:    {Title: "Slot", Width: 8, Rank: 3},
	},
}

var (
	muted   = themes.Style{Role: themes.Muted}
	accent  = themes.Style{Role: themes.Accent}
	good    = themes.Style{Role: themes.Good}
	warning = themes.Style{Role: themes.Warn}
	// altered is the style of values that differ from the lab's description.
	altered = themes.Style{Role: themes.Accent, Attr: themes.Bold}
)

// fill fills the cells of a row of a list.
func (v *View) fill(list part, glyphs *themes.Glyphs, row int, cells []widget.TableCell) {
	i := v.rows[list][row]
	switch list {
	case scenesPart:
		v.fillScene(glyphs, i, cells)
	case flowsPart:
		v.fillFlow(glyphs, i, cells)
	default:
		v.fillPort(glyphs, &v.state.Ports[i], cells)
	}
}

func (v *View) fillScene(glyphs *themes.Glyphs, i int, cells []widget.TableCell) {
	s := &v.state.Scenes[i]
	cells[sceneTitle] = widget.TableCell{Text: s.Title}
	cells[scenePlace] = widget.TableCell{Text: v.place(i)}
	cells[sceneStory] = widget.TableCell{Text: s.Story, Style: muted}
	switch _, runs := v.running[i]; {
	case runs:
		cells[sceneState] = widget.TableCell{Text: string(glyphs.Up) + " running", Style: good}
		cells[sceneTitle].Style.Attr = themes.Bold
	case s.Refusal != "":
		cells[sceneState] = widget.TableCell{Text: "-", Style: muted}
	default:
		cells[sceneState] = widget.TableCell{Text: string(glyphs.Down) + " ready", Style: muted}
	}
}

func (v *View) fillFlow(glyphs *themes.Glyphs, i int, cells []widget.TableCell) {
	f := &v.state.Flows[i]
	cells[flowName] = widget.TableCell{Text: f.Name}
	cells[flowPort] = widget.TableCell{Text: f.Connection, Style: muted}
	cells[flowProtocol] = widget.TableCell{Text: protocolText(f.Protocol), Style: muted}
	cells[flowPriority] = widget.TableCell{Text: priorityText(f.Priority), Style: muted}
	cells[flowScale] = widget.TableCell{Text: scaleText(glyphs, f.Scale)}
	switch f.Scale {
	case 1:
		cells[flowScale].Style = muted
	case 0:
		cells[flowName].Style, cells[flowScale].Style = muted, warning
	default:
		cells[flowScale].Style = altered
	}
	cells[flowDemand] = v.bits(f.ReceiveDemand + f.SendDemand)
	cells[flowRate] = v.bits(f.ReceiveRate + f.SendRate)
	cells[flowSpark] = widget.TableCell{Text: v.spark(glyphs, i), Style: accent}
}

func (v *View) fillPort(glyphs *themes.Glyphs, p *labstate.Port, cells []widget.TableCell) {
	d, s := p.Description, &p.Switch
	cells[portName] = widget.TableCell{Text: d.Connection}
	cells[portCable] = widget.TableCell{Text: string(glyphs.Up) + " plugged in", Style: good}
	if !p.Cabled {
		cells[portCable] = widget.TableCell{Text: string(glyphs.Down) + " unplugged", Style: warning}
	}
	cells[portLink] = widget.TableCell{Text: string(glyphs.Up) + " up", Style: good}
	if !p.Up {
		cells[portLink] = widget.TableCell{Text: string(glyphs.Down) + " down", Style: warning}
	}
	cells[portSwitch] = widget.TableCell{Text: d.Switch.Name, Style: muted}
	cells[portSpeed] = v.alterableCell(strconv.Itoa(s.SpeedGbps)+" Gb/s", s.SpeedGbps != d.Switch.SpeedGbps)
	cells[portFrame] = v.alterableCell(strconv.Itoa(s.MaxFrame), s.MaxFrame != d.Switch.MaxFrame)
	cells[portPause] = v.alterableCell(pauseText(s), pauseAltered(p))
	cells[portMarking] = widget.TableCell{Text: markingText(s)}
	cells[portSlot] = v.alterableCell(slotText(p.Slot), p.Slot != setup.Slot{Generation: p.Adapter.PCIeGeneration, Lanes: p.Adapter.PCIeLanes})
}

// alterableCell returns the cell of a setting, highlighted if it was changed by anyone but an exercise.
func (v *View) alterableCell(text string, changed bool) widget.TableCell {
	if changed && !v.deck.Exercise {
		return widget.TableCell{Text: text, Style: altered}
	}
	return widget.TableCell{Text: text}
}

// bits returns the cell of a rate in bits per second.
func (v *View) bits(rate float64) widget.TableCell {
	cell := widget.TableCell{Text: v.deck.BitRate(rate)}
	if !(rate > 0) {
		cell.Style = muted
	}
	return cell
}

// protocolText returns the name of a protocol: "TCP", "RDMA", "IPoIB", "other".
func protocolText(p description.Protocol) string {
	text, _ := p.MarshalText()
	switch word := string(text); word {
	case "ipoib":
		return "IPoIB"
	case "other":
		return word
	default:
		return strings.ToUpper(word)
	}
}

// priorityText returns a priority, or "-" for frames without one.
func priorityText(priority int) string {
	if priority == counter.Untagged {
		return "-"
	}
	return strconv.Itoa(priority)
}

// scaleText returns the factor of a workload's described demand: "x1", "x2.5", "○ stopped".
func scaleText(glyphs *themes.Glyphs, scale float64) string {
	if scale == 0 {
		return string(glyphs.Down) + " stopped"
	}
	return "x" + strconv.FormatFloat(scale, 'g', 3, 64)
}

// pauseText returns the kind of pause of a switch port: "off", "global", "PFC 3".
func pauseText(s *setup.SwitchPort) string {
	switch s.FlowControl {
	case description.GlobalPause:
		return "global"
	case description.PriorityPause:
		return "PFC " + prioritiesText(s.Lossless)
	default:
		return "off"
	}
}

// pauseAltered reports whether a switch port's pause settings differ from the lab's description.
func pauseAltered(p *labstate.Port) bool {
	d, s := &p.Description.Switch, &p.Switch
	if s.FlowControl != d.FlowControl || s.PauseShare > 0 {
		return true
	}
	return s.FlowControl == description.PriorityPause && prioritiesText(s.Lossless) != listText(d.Lossless)
}

// prioritiesText lists the priorities of a set with a bit for each: "3 4", "none".
func prioritiesText(set uint8) string {
	var list []int
	for p := range 8 {
		if set>>p&1 == 1 {
			list = append(list, p)
		}
	}
	return listText(list)
}

func listText(list []int) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Trim(fmt.Sprint(list), "[]")
}

// markingText returns the queue lengths between which a switch port marks with ECN: "5-200 kB".
func markingText(s *setup.SwitchPort) string {
	if s.Marking.Probability == 0 && s.Marking.Max == 0 {
		return "off"
	}
	size := func(bytes float64) string { return strconv.FormatFloat(bytes/1000, 'g', 4, 64) }
	return size(s.Marking.Min) + "-" + size(s.Marking.Max) + " kB"
}

func slotText(s setup.Slot) string { return fmt.Sprintf("Gen%d x%d", s.Generation, s.Lanes) }
