package lab

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// page is the text about the selected row. It is written once for a state and a width, and drawn many times.
type page struct {
	list  widget.List
	lines []pageLine
	width int
	stale bool
	// glyphs are the glyphs that it was written with.
	glyphs *themes.Glyphs
}

// pageLine is one line: a text, a value at the right, and what Enter on it opens.
type pageLine struct {
	text, value       string
	indent            int
	style, valueStyle themes.Style
	open              func() ui.Cmd
}

// labelWidth is the column in which the values of fields begin.
const labelWidth = 13

// line is the line under the cursor, nil when there is none.
func (p *page) line() *pageLine {
	if at := p.list.Cursor(); at >= 0 && at < len(p.lines) {
		return &p.lines[at]
	}
	return nil
}

// drawPage draws the page; with the focus it has a cursor.
func (v *View) drawPage(area widget.Area) {
	if area.Height == 0 || area.Width == 0 {
		return
	}
	p := &v.page
	if p.width != area.Width || p.glyphs != area.Glyphs() {
		p.width, p.glyphs, p.stale = area.Width, area.Glyphs(), true
	}
	p.write(v)
	p.list.SetHeight(area.Height)
	from, to := p.list.Visible()
	if !v.inPage {
		from, to = 0, min(area.Height, len(p.lines))
	}
	right := area.Width
	if len(p.lines) > area.Height {
		right -= 2 // for the mark of more lines
	}
	for y, l := range p.lines[from:to] {
		room := area.Width
		if l.value != "" {
			room = right - widget.Width(l.value) - 1
			area.PrintRight(right, y, l.value, l.valueStyle)
		}
		area.PrintCut(l.indent, y, room-l.indent, l.text, l.style)
		area.Zone(0, y, area.Width, 1, zonePage, from+y)
		if v.inPage && from+y == p.list.Cursor() {
			area.Ground(0, y, area.Width, themes.Selected)
		}
	}
	if to < len(p.lines) {
		area.Set(area.Width-1, area.Height-1, area.Glyphs().ArrowDown, accent)
	}
}

// write updates the page after a change.
func (p *page) write(v *View) {
	if !p.stale || p.width == 0 {
		return
	}
	p.stale = false
	p.lines = p.lines[:0]
	switch v.list {
	case scenesPart:
		if s := v.scene(); s != nil {
			v.writeScene(s)
		}
	case flowsPart:
		if f := v.flow(); f != nil {
			v.writeFlow(f)
		}
	default:
		if port := v.port(); port != nil {
			v.writePort(port)
		}
	}
	if len(p.lines) == 0 {
		p.text("Nothing is selected.", muted)
	}
	p.list.SetLength(len(p.lines))
}

func (p *page) blank() { p.lines = append(p.lines, pageLine{}) }

// title is a line in the style of a heading.
func (p *page) title(text string) {
	p.text(text, themes.Style{Role: themes.Title, Attr: themes.Bold})
}

// text is a text over as many lines as it takes.
func (p *page) text(text string, style themes.Style) {
	for _, line := range widget.Wrap(text, p.width) {
		p.lines = append(p.lines, pageLine{text: line, style: style})
	}
}

// item is a text with a glyph before it; Enter on any of its lines opens what it names.
func (p *page) item(glyph rune, text string, style themes.Style, open func() ui.Cmd) {
	lead := string(glyph) + " "
	for _, line := range widget.Wrap(text, p.width-2) {
		p.lines = append(p.lines, pageLine{text: lead + line, style: style, open: open})
		lead = "  "
	}
}

// field is a labelled value.
func (p *page) field(label, value string) {
	lead := label
	for _, line := range widget.Wrap(value, p.width-labelWidth) {
		p.lines = append(p.lines, pageLine{text: widget.Pad(lead, labelWidth) + line})
		lead = ""
	}
}

func (v *View) writeScene(s *labstate.Scene) {
	p := &v.page
	p.title(s.Title)
	scene := v.selected(scenesPart)
	now, plays := v.running[scene]
	switch {
	case plays:
		p.text(fmt.Sprintf("%c plays at %s since %s; Space ends it", p.glyphs.Up, v.place(scene), deck.EventTime(now.entry.Time, v.now)), good)
	case s.Refusal != "":
		p.text("can't be played: "+s.Refusal, warning)
	default:
		p.text(fmt.Sprintf("%c ready; Space plays it at %s, . chooses another port", p.glyphs.Down, v.place(scene)), muted)
	}
	p.text(s.Story, themes.Style{})
	p.blank()
	p.lines = append(p.lines, pageLine{text: "What to look for", value: sinceWord(plays), valueStyle: muted, style: themes.Style{Role: themes.Title, Attr: themes.Bold}})
	if v.schema != nil {
		for _, one := range v.signs(scene) {
			v.writeSign(one, now)
		}
	}
	for _, key := range v.showing(scene).Events {
		v.writeEvent(key, now)
	}
	p.blank()
	p.text(s.LookFor, themes.Style{})
	v.writeRefusals(s)
}

// writeRefusals says which ports can't show a scene, and why.
func (v *View) writeRefusals(s *labstate.Scene) {
	for i, shows := range s.Places {
		if i == 0 {
			v.page.blank()
		}
		if shows.Refusal != "" {
			v.page.text(shows.Refusal+".", muted)
		}
	}
}

// sinceWord heads the values of counters.
func sinceWord(plays bool) string {
	if plays {
		return "since it began"
	}
	return "now"
}

func (v *View) writeSign(one sign, now play) {
	p := &v.page
	if one.series < 0 {
		_, _, counter, _ := perf.SplitPath(one.path)
		p.lines = append(p.lines, pageLine{text: counter, style: muted, value: "not in this source", valueStyle: muted})
		return
	}
	s := &v.schema.Series[one.series]
	line := pageLine{text: s.Counter, style: themes.Style{}, valueStyle: muted, value: "-"}
	if s.Instance != "" {
		line.text += "  " + s.Instance
	}
	line.text = string(wayGlyph(p.glyphs, one.way)) + " " + line.text
	if value, perSecond, ok := v.rise(one.series, now); ok {
		line.value = perf.Number(value, s.Unit, perSecond, v.deck.InBytes)
		if value != 0 {
			line.valueStyle = accent
		}
		if value > 0 && !perSecond && s.Kind == perf.Cumulative {
			line.value = "+" + line.value
		}
	}
	path, title := one.path, s.Counter
	line.open = func() ui.Cmd { return ui.Go("counters", deck.Focus{Paths: []string{path}, Title: title}) }
	p.lines = append(p.lines, line)
}

// wayGlyph shows how a counter changes in a scene; one that stops falls to 0.
func wayGlyph(glyphs *themes.Glyphs, way driver.Way) rune {
	if way == driver.Rises {
		return glyphs.ArrowUp
	}
	return glyphs.ArrowDown
}

// paceSpan is the time over which the rate of a counter is computed.
const paceSpan = 10 * time.Second

// rise is the present value of a series. For a cumulative counter it is the increase since the scene began, or its rate
// when no scene plays, which shows whether it still rises.
func (v *View) rise(series int, now play) (value float64, perSecond, ok bool) {
	s := &v.schema.Series[series]
	if s.Kind != perf.Cumulative {
		value, ok = v.window.Last(series)
		return value, s.PerSecond(), ok && !math.IsNaN(value)
	}
	from := v.now.Add(-paceSpan)
	if now.port != nil {
		from = now.entry.Time
	}
	v.points = v.window.Points(series, from, v.now, v.points[:0])
	v.points = slices.DeleteFunc(v.points, func(p perf.Point) bool { return math.IsNaN(p.Value) })
	if len(v.points) < 2 {
		return 0, false, now.port != nil
	}
	first, last := v.points[0], v.points[len(v.points)-1]
	value = max(last.Value-first.Value, 0)
	if now.port != nil {
		return value, false, true
	}
	return value / time.Duration(last.Time-first.Time).Seconds(), true, true
}

// parameter is a place in a message of the event catalogue that is filled in when it is written.
var parameter = regexp.MustCompile(`\{[^{}]*\}`)

// writeEvent writes an event that a scene brings: when it came, or what will come.
func (v *View) writeEvent(key string, now play) {
	p := &v.page
	if now.port != nil {
		if e := sighted(v.log, key, now.port.Description.Connection, now.entry.Time); e != nil {
			glyph, role := deck.SeverityLook(p.glyphs, e.Severity)
			sequence := e.Sequence
			p.item(glyph, deck.EventTime(e.Time, v.now)+"  "+deck.EventText(e), themes.Style{Role: role},
				func() ui.Cmd { return ui.Go("events", deck.EventFocus{Sequence: sequence}) })
			return
		}
	}
	row, ok := eventlog.Catalogue().Lookup(key)
	if !ok {
		p.item('-', key, muted, nil)
		return
	}
	text := row.Message
	if text == "" {
		text = row.Symptom
	}
	p.item('-', parameter.ReplaceAllString(text, string(p.glyphs.Ellipsis)), muted, nil)
}

func (v *View) writeFlow(f *labstate.Flow) {
	p := &v.page
	p.title(f.Name)
	if f.Scale == 0 {
		p.text(fmt.Sprintf("%c stopped; Space starts it", p.glyphs.Down), warning)
	} else {
		p.text(fmt.Sprintf("%c runs; Space stops it, + and - raise and lower its demand", p.glyphs.Up), good)
	}
	p.blank()
	p.field("Port", f.Connection)
	p.field("Protocol", protocolWord(f.Protocol))
	if f.Protocol == description.RDMA {
		p.field("Application", applicationWords[f.Application]+transportWords[f.Transport])
	}
	priority := priorityWord(f.Priority)
	if f.Priority == device.Untagged {
		priority = "none: its frames carry no tag"
	}
	p.field("Priority", priority)
	p.field("Flows", strconv.Itoa(f.Tuples)+" five-tuples, which RSS spreads over the processors")
	p.field("Scale", "x"+strconv.FormatFloat(f.Scale, 'g', 3, 64)+" of what the lab describes")
	p.blank()
	v.writeRates("Receive", f.ReceiveRate, f.ReceiveDemand)
	v.writeRates("Send", f.SendRate, f.SendDemand)
	if want, got := f.ReceiveDemand+f.SendDemand, f.ReceiveRate+f.SendRate; want > 0 && got < 0.9*want {
		p.blank()
		p.item(p.glyphs.Warning, fmt.Sprintf("It gets %.0f%% of what it asks for. Enter opens the counters of %s, which show where the rest is lost or held back.",
			100*got/want, f.Connection), warning, nil)
	}
}

func (v *View) writeRates(label string, rate, demand float64) {
	if rate == 0 && demand == 0 {
		return
	}
	v.page.field(label, v.rate(rate)+" of "+v.rate(demand))
}

func (v *View) writePort(port *labstate.Port) {
	p := &v.page
	d, s := port.Description, &port.Switch
	p.title(d.Connection)
	switch {
	case !port.Cabled:
		p.text(fmt.Sprintf("%c cable out; Space plugs it in", p.glyphs.Down), warning)
	case port.Subnet == device.PortInit:
		p.text(fmt.Sprintf("%c waits in INIT for a subnet manager; e sets it up", p.glyphs.Down), warning)
	case !port.Up:
		p.text(fmt.Sprintf("%c link down", p.glyphs.Down), warning)
	default:
		p.text(fmt.Sprintf("%c link up; Space pulls the cable, e sets the switch port up", p.glyphs.Up), good)
	}
	p.blank()
	p.field("Adapter", port.Adapter.Name)
	p.field("Cabled to", d.Switch.Name)
	p.field("Speed", was(fmt.Sprintf("%d Gb/s", s.SpeedGbps), s.SpeedGbps != d.Switch.SpeedGbps, fmt.Sprintf("%d Gb/s", d.Switch.SpeedGbps)))
	p.field("MTU", was(fmt.Sprintf("frames up to %d bytes", s.MaxFrame), s.MaxFrame != d.Switch.MaxFrame, strconv.Itoa(d.Switch.MaxFrame)))
	if s.MaxFrame < d.MaxFrame {
		p.item(p.glyphs.Warning, fmt.Sprintf("The adapter may send frames of %d bytes: what is longer than %d is lost here.", d.MaxFrame, s.MaxFrame), warning, nil)
	}
	if port.Description.Link == description.InfiniBand {
		v.writeSubnet(port)
	} else {
		v.writePauses(port)
		p.field("VLANs", was(vlansWord(s), vlansWord(s) != everyVLAN, everyVLAN))
		if s.Aggregation > 0 {
			p.field("Aggregated", fmt.Sprintf("in group %d", s.Aggregation))
		}
	}
	p.blank()
	slot := device.Slot{Generation: port.Adapter.PCIeGeneration, Lanes: port.Adapter.PCIeLanes}
	p.field("Slot", was(slotWord(port.Slot), port.Slot != slot, slotWord(slot)))
	p.field("Processors", was(fmt.Sprintf("%.0f%% of their speed", 100*port.ProcessorSpeed), port.ProcessorSpeed != 1, "100%"))
	if flows, rate := v.traffic(port); flows > 0 {
		p.field("Traffic", v.rate(rate)+" in "+workloads(flows))
	}
	v.writeFarEnd(port)
}

// writeSubnet writes what an InfiniBand port has in place of pause and marks.
func (v *View) writeSubnet(port *labstate.Port) {
	p := &v.page
	p.field("Port state", port.Subnet.String())
	manager, described := port.Switch.SubnetManager, port.Description.Switch.SubnetManager
	p.field("Subnet", "manager "+was(subnetWords[manager], manager != described, subnetWords[described]))
}

// writePauses writes how the ends of an Ethernet link slow each other down.
func (v *View) writePauses(port *labstate.Port) {
	p, d, s := &v.page, port.Description, &port.Switch
	described := device.SwitchSettings{FlowControl: d.Switch.FlowControl}
	for _, priority := range d.Switch.Lossless {
		described.Lossless |= 1 << priority
	}
	p.field("Pause", was(pauseWord(s), pauseWord(s) != pauseWord(&described), pauseWord(&described)))
	if s.FlowControl != d.FlowControl {
		p.item(p.glyphs.Warning, "The two ends pause in different ways: the adapter is set to "+flowControlWords[d.FlowControl]+".", warning, nil)
	}
	if s.PauseShare > 0 {
		p.field("It pauses us", fmt.Sprintf("%.0f%% of the time", 100*s.PauseShare))
	}
	p.field("ECN", fmt.Sprintf("marks RDMA frames from a queue of %s on, %g%% of them at %s, all above",
		kilobytes(s.Marking.Least), 100*s.Marking.Probability, kilobytes(s.Marking.Most)))
}

// The words for RDMA applications, and for transports other than reliable connections.
var (
	applicationWords = [...]string{description.SMBDirect: "SMB Direct", description.NDSPI: "NDSPI, whose connections count nowhere", description.Verbs: "verbs"}
	transportWords   = [...]string{description.Reliable: "", description.Unreliable: ", unreliable connections", description.Datagram: ", datagrams"}
)

// flowControlWords are the words for ways to pause.
var flowControlWords = [...]string{description.NoFlowControl: "no pause", description.GlobalPause: "global pause", description.PriorityPause: "PFC"}

// was adds the described value to a value that differs from it.
func was(value string, changed bool, described string) string {
	if !changed {
		return value
	}
	return value + strings.Repeat(" ", 2) + "(was " + described + ")"
}

func kilobytes(bytes float64) string { return strconv.FormatFloat(bytes/1000, 'g', 4, 64) + " kB" }
