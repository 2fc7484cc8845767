package lab

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/subnet"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/scenes"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// labelWidth is the width of the labels of fields, in cells.
const labelWidth = 13

// drawPage draws the page, with a cursor if it has the focus.
func (v *View) drawPage(area widget.Area) {
	if area.Height == 0 || area.Width == 0 {
		return
	}
	p := &v.page
	p.Fit(area.Width, area.Glyphs())
	p.Rewrite(v.writePage)
	p.Scroll.SetHeight(area.Height)
	from, to := p.Scroll.Visible()
	if !v.inPage {
		from, to = 0, min(area.Height, len(p.Lines))
	}
	right := area.Width
	if len(p.Lines) > area.Height {
		right -= 2 // for the mark of more lines
	}
	for y, l := range p.Lines[from:to] {
		l.Draw(area, y, right)
		area.Zone(0, y, area.Width, 1, zonePage, from+y)
		if v.inPage && from+y == p.Scroll.Cursor() {
			area.Ground(0, y, area.Width, themes.Selected)
		}
	}
	if to < len(p.Lines) {
		area.Set(area.Width-1, area.Height-1, area.Glyphs().ArrowDown, accent)
	}
}

// writePage writes the page about the selected row.
func (v *View) writePage() {
	p := &v.page
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
	if len(p.Lines) == 0 {
		p.Text("Nothing is selected.", muted)
	}
	p.Scroll.SetLength(len(p.Lines))
}

// heading adds a line in the style of a heading.
func heading(p *browse.Page, text string) {
	p.Text(text, themes.Style{Role: themes.Title, Attr: themes.Bold})
}

// field adds a labelled value.
func field(p *browse.Page, label, value string) {
	p.Lead(widget.Pad(label, labelWidth), value, themes.Style{})
}

func (v *View) writeScene(s *labstate.Scene) {
	p := &v.page
	heading(p, s.Title)
	scene := v.selected(scenesPart)
	now, runs := v.running[scene]
	_, replayed := v.deck.ReplaySession()
	switch {
	case runs && replayed:
		p.Text(fmt.Sprintf("%c running at %s since %s, in the recorded session; X closes the replay", p.Glyphs.Up, v.place(scene), deck.EventTime(now.entry.Time, v.now)), good)
	case replayed:
		p.Text(fmt.Sprintf("%c not running at this time of the recorded session; X closes the replay", p.Glyphs.Down), muted)
	case runs:
		p.Text(fmt.Sprintf("%c running at %s since %s; Space ends it", p.Glyphs.Up, v.place(scene), deck.EventTime(now.entry.Time, v.now)), good)
	case s.Refusal != "":
		p.Text("can't run: "+s.Refusal, warning)
	default:
		p.Text(fmt.Sprintf("%c ready; Space runs it at %s, . chooses another port", p.Glyphs.Down, v.place(scene)), muted)
	}
	p.Text(s.Story, themes.Style{})
	p.Blank()
	p.Add(browse.Line{Text: "What to look for", Value: sinceText(runs), ValueStyle: muted, Style: themes.Style{Role: themes.Title, Attr: themes.Bold}})
	if v.schema != nil {
		for _, c := range v.sceneCounters(scene) {
			v.writeSign(c, now)
		}
	}
	for _, key := range v.showing(scene).Events {
		v.writeEvent(key, now)
	}
	p.Blank()
	p.Text(s.LookFor, themes.Style{})
	if s.Fix.Text != "" {
		p.Blank()
		heading(p, "The fix")
		p.Text(s.Fix.Text, themes.Style{})
		if runs && !replayed {
			p.Text("r shows the plan, Space ends the scene with its fix.", muted)
		}
	}
	v.writeRefusals(s)
}

// writeRefusals writes which ports can't run a scene, and why.
func (v *View) writeRefusals(s *labstate.Scene) {
	for i, shows := range s.Places {
		if i == 0 {
			v.page.Blank()
		}
		if shows.Refusal != "" {
			v.page.Text(shows.Refusal+".", muted)
		}
	}
}

// sinceText returns the heading of the values of counters.
func sinceText(runs bool) string {
	if runs {
		return "since it began"
	}
	return "now"
}

func (v *View) writeSign(c sign, now runningScene) {
	p := &v.page
	if c.series < 0 {
		_, _, counter, _ := perf.SplitPath(c.path)
		p.Add(browse.Line{Text: counter, Style: muted, Value: "not in this source", ValueStyle: muted})
		return
	}
	s := &v.schema.Series[c.series]
	line := browse.Line{Text: string(changeGlyph(p.Glyphs, c.way)) + " " + s.Counter, Style: themes.Style{}, ValueStyle: muted, Value: "-"}
	if value, perSecond, ok := v.rise(c.series, now); ok {
		line.Value = perf.Number(value, s.Unit, perSecond, v.deck.InBytes)
		if value != 0 {
			line.ValueStyle = accent
		}
		if value > 0 && !perSecond && s.Kind == perf.Cumulative {
			line.Value = "+" + line.Value
		}
	}
	path, title := c.path, s.Counter
	line.Open = func() ui.Cmd { return ui.Go("counters", deck.Focus{Paths: []string{path}, Title: title}) }
	switch {
	case s.Instance == "":
	case widget.Width(line.Text+"  "+s.Instance+" "+line.Value) <= p.Width:
		line.Text += "  " + s.Instance
	default: // counters of one name differ by their instance
		p.Add(browse.Line{Text: line.Text, Style: line.Style, Open: line.Open})
		line.Text = "  " + s.Instance
	}
	p.Add(line)
}

// changeGlyph returns the arrow for a counter that rises or falls in a scene; a counter that stops falls to 0.
func changeGlyph(glyphs *themes.Glyphs, way scenes.Trend) rune {
	if way == scenes.Rises {
		return glyphs.ArrowUp
	}
	return glyphs.ArrowDown
}

// rateSpan is the time over which the rate of a counter is computed.
const rateSpan = 10 * time.Second

// rise returns the current value of a series. For a cumulative counter it returns the increase since the scene began, or the rate
// if no scene runs.
func (v *View) rise(series int, now runningScene) (value float64, perSecond, ok bool) {
	s := &v.schema.Series[series]
	if s.Kind != perf.Cumulative {
		value, ok = v.window.Last(series)
		return value, s.PerSecond(), ok && !math.IsNaN(value)
	}
	from := v.now.Add(-rateSpan)
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

// parameter matches a placeholder in a message of the event catalogue.
var parameter = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[^{}]*\}`) })

// writeEvent writes an event of a scene: the newest one since the scene began, or its message in the catalogue.
func (v *View) writeEvent(key string, now runningScene) {
	p := &v.page
	if now.port != nil {
		if e := newestEvent(v.log, key, now.port.Description.Connection, now.entry.Time); e != nil {
			glyph, role := deck.SeverityLook(p.Glyphs, e.Severity)
			sequence := e.Sequence
			from := len(p.Lines)
			p.Item(glyph, deck.EventTime(e.Time, v.now)+"  "+deck.EventText(e), themes.Style{Role: role})
			for i := range p.Lines[from:] {
				p.Lines[from+i].Open = func() ui.Cmd { return ui.Go("events", deck.EventFocus{Sequence: sequence}) }
			}
			return
		}
	}
	row, ok := eventlog.Catalogue().Lookup(key)
	if !ok {
		p.Item('-', key, muted)
		return
	}
	text := row.Message
	if text == "" {
		text = row.Symptom
	}
	p.Item('-', parameter().ReplaceAllString(text, string(p.Glyphs.Ellipsis)), muted)
}

func (v *View) writeFlow(f *labstate.Flow) {
	p := &v.page
	heading(p, f.Name)
	if f.Scale == 0 {
		p.Text(fmt.Sprintf("%c stopped; Space starts it", p.Glyphs.Down), warning)
	} else {
		p.Text(fmt.Sprintf("%c runs; Space stops it, + and - raise and lower its demand", p.Glyphs.Up), good)
	}
	p.Blank()
	field(p, "Port", f.Connection)
	field(p, "Protocol", protocolText(f.Protocol))
	if f.Protocol == description.RDMA {
		field(p, "Application", applicationWords[f.Application]+transportWords[f.Transport])
	}
	priority := priorityText(f.Priority)
	if f.Priority == counter.Untagged {
		priority = "none: its frames carry no tag"
	}
	field(p, "Priority", priority)
	field(p, "Flows", strconv.Itoa(f.Tuples)+" five-tuples, which RSS spreads over the CPUs")
	if f.Burst > 0 {
		field(p, "Bursts", fmt.Sprintf("of %d packets", f.Burst))
	}
	field(p, "Scale", "x"+strconv.FormatFloat(f.Scale, 'g', 3, 64)+" of its described demand")
	p.Blank()
	v.writeRates("Receive", f.ReceiveRate, f.ReceiveDemand)
	v.writeRates("Send", f.SendRate, f.SendDemand)
	if want, got := f.ReceiveDemand+f.SendDemand, f.ReceiveRate+f.SendRate; want > 0 && got < 0.9*want {
		p.Blank()
		p.Item(p.Glyphs.Warning, fmt.Sprintf("It gets %.0f%% of its demand. Enter opens the counters of %s, which show where the rest is lost or held back.",
			100*got/want, f.Connection), warning)
	}
}

func (v *View) writeRates(label string, rate, demand float64) {
	if rate == 0 && demand == 0 {
		return
	}
	field(&v.page, label, v.deck.BitRate(rate)+" of "+v.deck.BitRate(demand))
}

func (v *View) writePort(port *labstate.Port) {
	p := &v.page
	d, s := port.Description, &port.Switch
	heading(p, d.Connection)
	switch {
	case !port.Cabled:
		p.Text(fmt.Sprintf("%c unplugged; Space plugs it in", p.Glyphs.Down), warning)
	case port.Subnet == subnet.Init:
		p.Text(fmt.Sprintf("%c waits in INIT for a subnet manager; e sets it up", p.Glyphs.Down), warning)
	case !port.Up:
		p.Text(fmt.Sprintf("%c link down", p.Glyphs.Down), warning)
	default:
		p.Text(fmt.Sprintf("%c link up; Space pulls the cable, e sets up the switch port", p.Glyphs.Up), good)
	}
	p.Blank()
	field(p, "Adapter", port.Adapter.Name)
	field(p, "Cabled to", d.Switch.Name)
	field(p, "Speed", v.withDescribed(fmt.Sprintf("%d Gb/s", s.SpeedGbps), s.SpeedGbps != d.Switch.SpeedGbps, fmt.Sprintf("%d Gb/s", d.Switch.SpeedGbps)))
	field(p, "MTU", v.withDescribed(fmt.Sprintf("frames up to %d bytes", s.MaxFrame), s.MaxFrame != d.Switch.MaxFrame, strconv.Itoa(d.Switch.MaxFrame)))
	if s.MaxFrame < d.MaxFrame {
		p.Item(p.Glyphs.Warning, fmt.Sprintf("The adapter may send frames of %d bytes: what is longer than %d is lost here.", d.MaxFrame, s.MaxFrame), warning)
	}
	if port.Description.Link == description.InfiniBand {
		v.writeSubnet(port)
	} else {
		v.writePauses(port)
		field(p, "VLANs", v.withDescribed(vlansText(s), vlansText(s) != everyVLAN, everyVLAN))
		if s.Aggregation > 0 {
			field(p, "Aggregated", fmt.Sprintf("in group %d", s.Aggregation))
		}
	}
	p.Blank()
	slot := setup.Slot{Generation: port.Adapter.PCIeGeneration, Lanes: port.Adapter.PCIeLanes}
	field(p, "Slot", v.withDescribed(slotText(port.Slot), port.Slot != slot, slotText(slot)))
	field(p, "CPUs", v.withDescribed(fmt.Sprintf("%.0f%% of their speed", 100*port.ProcessorSpeed), port.ProcessorSpeed != 1, "100%"))
	if flows, rate := v.traffic(port); flows > 0 {
		field(p, "Traffic", v.deck.BitRate(rate)+" in "+workloads(flows))
	}
	v.writeFarEnd(port)
}

// writeSubnet writes the state of an InfiniBand port and its subnet manager.
func (v *View) writeSubnet(port *labstate.Port) {
	p := &v.page
	field(p, "Port state", port.Subnet.String())
	manager, described := port.Switch.SubnetManager, port.Description.Switch.SubnetManager
	field(p, "Subnet", "manager "+v.withDescribed(subnetWords[manager], manager != described, subnetWords[described]))
}

// writePauses writes the settings of pause and ECN at both ends of an Ethernet link.
func (v *View) writePauses(port *labstate.Port) {
	p, d, s := &v.page, port.Description, &port.Switch
	described := setup.SwitchPort{FlowControl: d.Switch.FlowControl}
	for _, priority := range d.Switch.Lossless {
		described.Lossless |= 1 << priority
	}
	field(p, "Pause", v.withDescribed(pauseText(s), pauseText(s) != pauseText(&described), pauseText(&described)))
	if s.FlowControl != d.FlowControl {
		p.Item(p.Glyphs.Warning, "The two ends pause in different ways: the adapter is set to "+flowControlWords[d.FlowControl]+".", warning)
	}
	if s.PauseShare > 0 {
		field(p, "It pauses us", fmt.Sprintf("%.0f%% of the time", 100*s.PauseShare))
	}
	field(p, "ECN", fmt.Sprintf("marks RDMA frames from a queue of %s on, %g%% of them at %s, all above",
		kilobytes(s.Marking.Min), 100*s.Marking.Probability, kilobytes(s.Marking.Max)))
}

// The words for RDMA applications, and for transports other than reliable connections.
var (
	applicationWords = [...]string{description.SMBDirect: "SMB Direct", description.NDSPI: "NDSPI, whose connections no counter counts", description.Verbs: "verbs",
		description.StorageSpaces: "Storage Spaces Direct"}
	transportWords = [...]string{description.Reliable: "", description.Unreliable: ", unreliable connections", description.Datagram: ", datagrams"}
)

// flowControlWords are the words for ways to pause.
var flowControlWords = [...]string{description.NoFlowControl: "no pause", description.GlobalPause: "global pause", description.PriorityPause: "PFC"}

// withDescribed adds the described value to a value that differs from it, except in an exercise, which would give away what was changed.
func (v *View) withDescribed(value string, changed bool, described string) string {
	if !changed || v.deck.Exercise {
		return value
	}
	return value + strings.Repeat(" ", 2) + "(was " + described + ")"
}

func kilobytes(bytes float64) string { return strconv.FormatFloat(bytes/1000, 'g', 4, 64) + " kB" }
