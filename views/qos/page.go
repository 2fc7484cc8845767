package qos

import (
	"fmt"
	"math"
	"strings"

	"cxdeck/driver/lossless"
	"cxdeck/driver/qos"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/views/browse"
)

// writePage writes the mismatches of the port, and what the selected priority carries.
func (v *View) writePage() {
	p := &v.page
	if v.windows() == nil {
		p.Scroll.SetLength(0)
		return
	}
	v.writeMismatches()
	v.writeDrift()
	if v.windows().Ethernet {
		p.Blank()
		v.writeExchange()
		p.Blank()
		v.writeStalls()
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

// writeMismatches writes what RDMA workloads lack, and the mismatches with the counters that show them.
func (v *View) writeMismatches() {
	p, path := &v.page, v.path()
	if len(path.Needs) > 0 {
		v.heading("RDMA that does not run")
		for i := range path.Needs {
			v.writeMismatch(&path.Needs[i])
		}
		p.Blank()
	}
	if len(path.Mismatches) == 0 {
		p.Item(p.Glyphs.Up, "host, adapter, switch and peers agree on flow control, frame size and the priorities of RDMA", good)
		return
	}
	v.heading("Mismatches")
	for i := range path.Mismatches {
		v.writeMismatch(&path.Mismatches[i])
	}
}

// writeMismatch writes a mismatch with its evidence, and the plan that fixes it.
func (v *View) writeMismatch(m *lossless.Mismatch) {
	p := &v.page
	from := len(p.Lines)
	p.Item(p.Glyphs.Warning, wording.UpperFirst(m.Text)+".", warning)
	if at := v.begins.of(v.port(), m); !at.IsZero() {
		p.Lead("  ", "Since "+v.deck.Local(at).Format("15:04:05"), themes.Style{})
	}
	for _, name := range m.Counters {
		if text, ok := v.evidence(m.Priority, name); ok {
			p.Lead("  ", text, themes.Style{})
		}
	}
	for _, e := range m.Evidence {
		p.Lead("  ", v.proof(e), themes.Style{})
	}
	if len(m.Fix) > 0 {
		p.Lead("  ", "Enter: "+m.Title, accent)
	}
	if len(m.Fix) == 0 || v.deck.CannotChange() != "" {
		return
	}
	for line := from; line < len(p.Lines); line++ {
		p.Lines[line].Open, p.Lines[line].Opens = func() ui.Cmd { return v.fix(m) }, m.Title
	}
}

// writeStalls writes the receive-stall monitor of the port: its limits, its state and the stalls that it counted.
func (v *View) writeStalls() {
	p, m := &v.page, &v.port().Stall
	v.heading("Receive-stall monitor")
	p.Field("Limits", m.Limits())
	if m.Stalled > 0 {
		p.Item(p.Glyphs.Warning, wording.UpperFirst(m.Now())+".", warning)
	} else {
		p.Field("State", m.Now())
	}
	p.Field("Stalls", fmt.Sprintf("%d minor, %d critical", m.Minor, m.Critical))
}

// proof returns a count beyond the host's counters, with its rate between the last two samples.
func (v *View) proof(e lossless.Evidence) string {
	text := fmt.Sprintf("%s: %s", wording.UpperFirst(e.Name), perf.Number(float64(e.Count), perf.Packets, false, v.deck.InBytes))
	if rate, ok := v.proofs.rate(e.Name, v.now); ok {
		text += ", " + perf.Number(rate, perf.Packets, true, v.deck.InBytes)
	}
	return text
}

// evidence returns the rate of a counter that shows a mismatch, if the source has the counter.
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

// writePriority writes the class, policies, workloads, marks and rates of a priority.
func (v *View) writePriority(priority int) {
	p, q := &v.page, v.windows()
	v.heading(wording.UpperFirst(priorityPhrase(priority)))
	if !q.Acts && priority != untagged {
		p.Text(wording.UpperFirst(q.Why)+": PFC and traffic classes have no effect.", muted)
	}
	if class, share := classOf(q, priority); class != "-" {
		p.Field("Class", class+", "+share)
	}
	for i := range v.state.QoS.Policies {
		policy := &v.state.QoS.Policies[i]
		if policy.Priority == nil || *policy.Priority != priority {
			continue
		}
		text := policy.Name
		if policy.ShadowedBy != "" {
			text += ", no effect: " + policy.ShadowedBy + " has precedence"
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

// sentCode returns the DSCP of RDMA frames of a priority; with global pause all priorities have the same.
func sentCode(q *qos.PortView, priority int) int {
	if q.AsksPause || q.ObeysPause {
		return q.GlobalDSCP
	}
	return int(q.DSCP[priority])
}

// writeMarks writes the DSCP of RDMA frames of a priority, the field that gives received frames the priority, and the workloads
// whose frames are received with the priority but sent with another.
func (v *View) writeMarks(priority int) {
	p, q := &v.page, v.windows()
	if priority != untagged {
		p.Field("RDMA is sent with", fmt.Sprintf("DSCP %d", sentCode(q, priority)))
		if read := codesOf(q, priority); read != "-" {
			p.Field("Priority read from", "DSCP "+read)
		} else {
			p.Field("Priority read from", "802.1p tag")
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
		p.Add(browse.Line{Text: "Also received", Style: warning, Value: strings.Join(others, "; "), ValueStyle: warning})
	}
}

var figureLabels = [figureCount]string{
	received: "Received", sent: "Sent", pausesIn: "Pause frames received", pausesOut: "Pause frames sent",
	paused: "Share of time paused", dropped: "Frames dropped",
	marked: "Marked frames received", notified: "CNPs sent and received",
}
