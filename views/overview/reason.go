package overview

import (
	"fmt"
	"strings"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// reasons explain each trouble and where to look, for both driver families.
var reasons = [troubleCount]struct{ loss, means string }{
	receiveDrops: {"drops %s that it receives", "The receive buffer or the receive queues are full, or nothing on the host " +
		"receives these frames. Check *ReceiveBuffers, the RSS queues, VLANs, and the sender's rate."},
	sendDrops: {"drops %s that it should send", "Packets wait longer than the send queue can hold: the port is held " +
		"back by pause frames, its link is down, or the demand exceeds its line rate."},
	paused: {"is held back by pause frames %s of the time", "The far end, or the switch before it, receives too slowly and " +
		"pauses this port. Look for the slow receiver there."},
	holdsBack: {"holds the far end back with pause frames %s of the time", "This host receives too slowly: look at its " +
		"receive buffers, RSS queues and CPUs."},
	linkErrors: {"receives damaged frames: %s", "Bits are corrupted on the way: check the cable, the transceiver and the length of frames " +
		"that both ends allow."},
}

// reasonLines returns why a node is marked: the troubles of its ports with their causes, and the node's health.
func (v *View) reasonLines(at int) (lines []string) {
	nodes := v.nodes()
	for i := range nodes {
		n := &nodes[i]
		if n.Kind != perf.PortNode || i != at && n.Parent != at {
			continue
		}
		t := &v.figures[i].troubles
		for _, kind := range t.list() {
			amount := perf.Number(t[kind], perf.Packets, true, false)
			if kind == paused || kind == holdsBack {
				amount = shareText(t[kind])
			}
			lines = append(lines, n.Name+" "+fmt.Sprintf(reasons[kind].loss, amount)+".", "  "+reasons[kind].means)
		}
	}
	for _, f := range nodes[at].Health {
		if f.Severity != eventlog.Information || strings.Contains(f.Text, "held back") {
			lines = append(lines, "Sensors: "+f.Text+".")
		}
	}
	return lines
}

// isMarked reports whether a node has a marked trouble.
func (v *View) isMarked(at int) bool { return at >= 0 && len(v.figures[at].troubles.list()) > 0 }

// troublePaths returns the counters behind the troubles of a node's ports.
func (v *View) troublePaths(at int) (paths []string) {
	nodes := v.nodes()
	for i := range nodes {
		if n := &nodes[i]; n.Kind == perf.PortNode && (i == at || n.Parent == at) {
			for _, series := range evidenceOf(n, &v.figures[i].troubles, v.evidence, v.window) {
				paths = append(paths, v.schema.Series[series].Path())
			}
		}
	}
	return paths[:min(len(paths), maxTopicCurves)]
}

// reasonDialog explains why a node is marked, and opens the counters behind it.
type reasonDialog struct {
	name    string
	lines   []string
	open    func() ui.Cmd
	answers ui.YesNo
}

// explainMarks opens the dialog for the selected node.
func (v *View) explainMarks() ui.Cmd {
	at := v.selectedNode()
	if at < 0 {
		return nil
	}
	name, paths := v.nodes()[at].Name, v.troublePaths(at)
	d := &reasonDialog{name: name, lines: v.reasonLines(at)}
	d.open = func() ui.Cmd {
		return ui.Go("counters", deck.Focus{Paths: paths, Title: name + ": drops, pauses and errors"})
	}
	d.answers = ui.NewYesNo("overview.reason", widget.Button{Label: "Counters"}, widget.Button{Label: "Back"})
	return ui.OpenDialog(d)
}

// Title names the node.
func (d *reasonDialog) Title() string { return "Why " + d.name + " is marked" }

const maxReasonWidth = 84

// Size returns the size of the wrapped text with the buttons.
func (d *reasonDialog) Size(width, height int) (int, int) {
	width = min(width, maxReasonWidth)
	return width, min(height, len(d.wrapped(width))+2)
}

// wrapped returns the lines wrapped at a width, with their indents.
func (d *reasonDialog) wrapped(width int) (lines []string) {
	for _, line := range d.lines {
		text := strings.TrimLeft(line, " ")
		indent := strings.Repeat(" ", len(line)-len(text))
		for _, wrapped := range widget.Wrap(text, max(width-len(indent), 1)) {
			lines = append(lines, indent+wrapped)
		}
	}
	return lines
}

// Update handles the keys of the buttons.
func (d *reasonDialog) Update(msg ui.Msg) (bool, ui.Cmd) {
	yes, answered := d.answers.Update(msg)
	if yes {
		return true, d.open()
	}
	return answered, nil
}

// Draw draws the text over the buttons.
func (d *reasonDialog) Draw(area widget.Area) {
	text, buttons := area.SplitBottom(1)
	for y, line := range d.wrapped(area.Width) {
		style := themes.Style{}
		if strings.HasPrefix(line, " ") {
			style.Role = themes.Muted
		}
		text.Print(0, y, line, style)
	}
	d.answers.Buttons.Draw(buttons, true)
}

// Hints lists the keys of the dialog.
func (d *reasonDialog) Hints() []ui.Hint {
	return []ui.Hint{{Key: "enter", Name: "counters"}, {Key: "esc", Name: "back"}}
}
