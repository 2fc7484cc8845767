package qos

import (
	"fmt"
	"math"
	"strings"

	"cxdeck/driver/qos"
	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// writePage writes the mismatches of the port, and what the selected priority carries.
func (v *View) writePage() {
	p := &v.page
	if v.windows() == nil {
		p.Scroll.SetLength(0)
		return
	}
	v.writeMismatches()
	if v.windows().Ethernet {
		p.Blank()
		v.writeExchange()
	}
	if priority := v.selected(); priority >= 0 {
		p.Blank()
		v.writePriority(priority)
	}
	p.Scroll.SetLength(len(p.Lines))
}

func (v *View) heading(text string) {
	v.page.Text(text, themes.Style{Role: themes.Title, Attr: themes.Bold})
}

// writeMismatches writes what does not fit together, with the counters that show it.
func (v *View) writeMismatches() {
	p, list := &v.page, v.path().Mismatches
	if len(list) == 0 {
		p.Item(p.Glyphs.Up, "adapter and switch port agree on flow control, frame size and the priorities of RDMA", good)
		return
	}
	v.heading("What does not fit together")
	for i := range list {
		m := &list[i]
		from := len(p.Lines)
		p.Item(p.Glyphs.Warning, deck.Sentence(m.Text)+".", warning)
		for _, name := range m.Counters {
			if text, ok := v.evidence(m.Priority, name); ok {
				p.Lead("  ", text, themes.Style{})
			}
		}
		if len(m.Fix) > 0 {
			p.Lead("  ", "Enter: "+m.Title, accent)
		}
		if len(m.Fix) == 0 || v.deck.CannotChange() != "" {
			continue
		}
		for at := from; at < len(p.Lines); at++ {
			p.Lines[at].Open, p.Lines[at].Opens = func() ui.Cmd { return v.fix(m) }, m.Title
		}
	}
}

// evidence returns the rate of a counter that shows a mismatch, when the source has it.
func (v *View) evidence(priority int, name string) (string, bool) {
	if priority < 0 {
		priority = untagged
	}
	for set := range counters {
		series, ok := v.schema.Find(perf.JoinPath(set, instanceOf(v.port(), priority), name))
		if !ok || v.window == nil {
			continue
		}
		value, ok := v.window.LastRates([]int{series})
		if !ok || math.IsNaN(value) {
			continue
		}
		return fmt.Sprintf("%s of %s: %s", name, priorityPhrase(priority), perf.Number(value, v.schema.Series[series].Unit, true, v.deck.InBytes)), true
	}
	return "", false
}

func priorityPhrase(priority int) string {
	if priority == untagged {
		return "frames without a priority"
	}
	return fmt.Sprintf("priority %d", priority)
}

// writePriority writes what leads to a priority.
func (v *View) writePriority(priority int) {
	p, q := &v.page, v.windows()
	v.heading(deck.Sentence(priorityPhrase(priority)))
	if !q.Acts && priority != untagged {
		p.Text(deck.Sentence(q.Why)+": neither PFC nor traffic classes act.", muted)
	}
	if class, share := classOf(q, priority); class != "-" {
		p.Field("Class", class+", "+share)
	}
	for i := range v.state.QoS.Policies {
		one := &v.state.QoS.Policies[i]
		if one.Priority == nil || *one.Priority != priority {
			continue
		}
		text := one.Name
		if one.ShadowedBy != "" {
			text += ", without effect: " + one.ShadowedBy + " comes first"
		}
		p.Field("Policy", text)
	}
	var flows []string
	for i := range v.state.QoS.Flows {
		f := &v.state.QoS.Flows[i]
		if f.Port == v.ports[v.at] && (f.Priority == priority || f.Priority < 0 && priority == untagged) {
			flows = append(flows, f.Name)
		}
	}
	if flows == nil {
		flows = []string{"none"}
	}
	p.Field("Workloads", strings.Join(flows, ", "))
	v.writeMarks(priority)
	for f, label := range figureLabels {
		if text, value := v.figureText(priority, figure(f)); !math.IsNaN(value) {
			p.Add(browse.Line{Text: label, Style: muted, Value: text, ValueStyle: themes.Style{}})
		}
	}
}

// sentCode returns the DSCP of RDMA of a priority: one for all priorities with global pause.
func sentCode(q *qos.PortView, priority int) int {
	if q.AsksPause || q.ObeysPause {
		return q.GlobalDSCP
	}
	return int(q.DSCP[priority])
}

// writeMarks writes what RDMA of a priority carries, what the adapter reads as the priority, and which workloads come back with
// another priority than they are sent with.
func (v *View) writeMarks(priority int) {
	p, q := &v.page, v.windows()
	if priority != untagged {
		p.Field("RDMA is sent with", fmt.Sprintf("DSCP %d", sentCode(q, priority)))
		if read := codesOf(q, priority); read != "-" {
			p.Field("Read from", "DSCP "+read)
		} else {
			p.Field("Read from", "the tag")
		}
	}
	var others []string
	for i := range v.state.QoS.Flows {
		f := &v.state.QoS.Flows[i]
		if f.Port != v.ports[v.at] || f.Received.Adapter != priority || f.Received.Adapter == f.Sent.Adapter {
			continue
		}
		others = append(others, fmt.Sprintf("%s, sent with %s", f.Name, priorityPhrase(f.Sent.Adapter)))
	}
	if others != nil {
		p.Add(browse.Line{Text: "Arrives here", Style: warning, Value: strings.Join(others, "; "), ValueStyle: warning})
	}
}

var figureLabels = [figureCount]string{
	received: "Received", sent: "Sent", pausesIn: "Pause frames received", pausesOut: "Pause frames sent",
	paused: "Part of the time that pauses held it", dropped: "Frames dropped",
}
