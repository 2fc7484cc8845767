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

// details are the page about a node, and what it was written for.
type details struct {
	detailsKey
	page   *browse.Page
	topics []topic
}

type detailsKey struct {
	inventory *perf.Inventory
	id        string
	now       time.Time
	width     int
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
	key := detailsKey{v.inventory, n.ID, v.now, body.Width, v.chosenTopic(), v.deck.InBytes}
	if v.details.detailsKey != key || v.details.page == nil {
		v.details = details{detailsKey: key, page: browse.NewPage(body.Width)}
		v.details.topics = v.describe(area.Glyphs(), v.details.page, body.Width)
	}
	v.details.page.Draw(body, &v.side)
}

// describe writes the page about the selected node: what it is, how healthy it is, what waits for a restart, its inner
// work, and its identity. A node without an identity of its own has that of the node above it.
func (v *View) describe(glyphs *themes.Glyphs, page *browse.Page, width int) []topic {
	inventory, n := v.inventory, v.node()
	if widget.Width(n.Name) > width {
		page.Text(n.Name, themes.Style{}) // the heading has it cut
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
		page.Item(glyphs.Up, "nothing to report", themes.Style{Role: themes.Good})
	}
	for _, f := range n.Health {
		glyph, role := deck.SeverityLook(glyphs, f.Severity)
		if f.Severity == eventlog.Information {
			role = themes.Good
		}
		page.Item(glyph, f.Text, themes.Style{Role: role})
	}
	inside := insider{
		page: page, schema: v.schema, window: v.window, glyphs: glyphs, width: width, inBytes: v.deck.InBytes,
		chosen: v.chosenTopic(), hints: v.deck.CannotChange() == "",
	}
	topics := inside.write(v.insideOf(n))
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
	return topics
}

// insideOf returns the inner series of the selected node, searched once.
func (v *View) insideOf(n *perf.Node) *inside {
	key := insideKey{v.schema, n.ID, len(n.Instances)}
	if v.insideKey != key {
		if v.insideKey.schema != v.schema {
			v.runs = runsOf(v.schema)
		}
		v.insideKey, v.inside = key, lookInside(v.schema, v.runs, v.inventory.Nodes, v.at())
	}
	return v.inside
}

type insideKey struct {
	schema    *perf.Schema
	id        string
	instances int
}

// chosenTopic is the title of the section that Enter opens, empty for none.
func (v *View) chosenTopic() string {
	if v.focus != sidePart {
		return ""
	}
	return v.topic
}

// chooseTopic chooses the section before or after the chosen one, past either end none, and scrolls to it.
func (v *View) chooseTopic(step int) {
	topics := v.details.topics
	at := slices.IndexFunc(topics, func(t topic) bool { return t.title == v.topic })
	if at < 0 && step < 0 {
		at = len(topics)
	}
	if at += step; at < 0 || at >= len(topics) {
		v.topic = ""
		v.side.Select(0)
		return
	}
	v.topic = topics[at].title
	v.side.Select(topics[at].line)
}
