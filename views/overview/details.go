package overview

import (
	"slices"
	"strings"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// detailsKey identifies the contents of the page about a node.
type detailsKey struct {
	inventory *perf.Inventory
	id        string
	now       time.Time
	chosen    string
	inBytes   bool
}

// drawSide draws the details of the selected node.
func (v *View) drawSide(area widget.Area) {
	focused := v.focus == sidePart
	area.Zone(0, 0, area.Width, area.Height, "overview.side", 0)
	head, body := area.Sub(1, 0, area.Width-1, area.Height).SplitTop(1)
	n := v.node()
	if n == nil {
		browse.Heading(head, "Nothing selected", focused)
		return
	}
	browse.Heading(head, n.Name, focused)
	if key := (detailsKey{v.inventory, n.ID, v.now, v.chosenTopic(), v.deck.InBytes}); v.written != key {
		v.written, v.page.Stale = key, true
	}
	v.page.Show(body, v.writePage)
}

// writePage writes the details of the selected node: its kind, state, waiting changes, health, inner counters and identity. A
// node without an identity shows the identity of its parent.
func (v *View) writePage() {
	page, inventory, n := &v.page, v.inventory, v.node()
	glyphs := page.Glyphs
	if widget.Width(n.Name) > page.Width {
		page.Text(n.Name, themes.Style{}) // the heading may be cut
	}
	kind := deck.KindWord(n.Kind)
	if !strings.HasPrefix(n.Detail, kind) {
		kind += "  " + n.Detail
	} else {
		kind = n.Detail
	}
	page.Text(strings.TrimSpace(kind), themes.Style{Role: themes.Muted})
	page.Text(deck.StateText(glyphs, n), themes.Style{Role: deck.StateRole(n.State)})
	if n.Pending != "" {
		page.Item(glyphs.Pending, n.Pending+" waits for a restart (R)", themes.Style{Role: themes.Pending})
	}
	page.Blank()
	page.Text("Health", themes.Style{Role: themes.Title})
	if len(n.Health) == 0 {
		v.writeMarks(n)
	}
	for _, f := range n.Health {
		glyph, role := deck.SeverityLook(glyphs, f.Severity)
		if f.Severity == eventlog.Information {
			role = themes.Good
		}
		page.Item(glyph, f.Text, themes.Style{Role: role})
	}
	inside := insideWriter{
		page: page, schema: v.schema, window: v.window, inBytes: v.deck.InBytes,
		chosen: v.chosenTopic(), hints: v.deck.CannotChange() == "",
	}
	v.topics = inside.write(v.innerSeries(n))
	identity := n.Identity
	if len(identity) == 0 && n.Parent >= 0 && n.Parent < len(inventory.Nodes) {
		identity = inventory.Nodes[n.Parent].Identity
	}
	if len(identity) > 0 {
		page.Blank()
	}
	for _, f := range identity {
		page.Field(f.Label, f.Value)
	}
}

// writeMarks writes the health of a node without findings of sensors: the first sentence about each of its marks.
func (v *View) writeMarks(n *perf.Node) {
	page, at := &v.page, v.selectedNode()
	if !v.isMarked(at) {
		page.Item(page.Glyphs.Up, "nothing to report", themes.Style{Role: themes.Good})
		return
	}
	for _, line := range v.reasonLines(at) {
		if !strings.HasPrefix(line, " ") {
			page.Item(page.Glyphs.Warning, strings.TrimSuffix(strings.TrimPrefix(line, n.Name+" "), "."), themes.Style{Role: themes.Warn})
		}
	}
}

// innerSeries returns the inner series of the selected node, searched once.
func (v *View) innerSeries(n *perf.Node) *innerSeries {
	key := insideKey{v.schema, n.ID, len(n.Instances)}
	if v.insideKey != key {
		if v.insideKey.schema != v.schema {
			v.runs = runsOf(v.schema)
		}
		v.insideKey, v.inside = key, findInnerSeries(v.schema, v.runs, v.inventory.Nodes, v.selectedNode())
	}
	return v.inside
}

type insideKey struct {
	schema    *perf.Schema
	id        string
	instances int
}

// chosenTopic returns the title of the section whose counters Enter opens, empty for none.
func (v *View) chosenTopic() string {
	if v.focus != sidePart {
		return ""
	}
	return v.topic
}

// chooseTopic chooses the next (1) or previous (-1) section, and scrolls to it; past either end it chooses none.
func (v *View) chooseTopic(step int) {
	at := slices.IndexFunc(v.topics, func(t topic) bool { return t.title == v.topic })
	if at < 0 && step < 0 {
		at = len(v.topics)
	}
	if at += step; at < 0 || at >= len(v.topics) {
		v.topic = ""
		v.page.Scroll.Select(0)
		return
	}
	v.topic = v.topics[at].title
	v.page.Scroll.Select(v.topics[at].line)
}
