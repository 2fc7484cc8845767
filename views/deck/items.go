package deck

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/ui"
)

// ItemLimit is the maximum number of counters in the palette. The add dialog on Counters lists all.
const ItemLimit = 20_000

// Items returns the adapters, sessions, registry keys and counters that the palette can go to.
func (d *Deck) Items() []ui.Item {
	var items []ui.Item
	m := d.Monitor()
	if m != nil {
		if inventory := m.Inventory(); inventory != nil {
			for i := range inventory.Nodes {
				items = append(items, nodeItem(&inventory.Nodes[i]))
				if n := &inventory.Nodes[i]; d.HasSettings() && (n.Kind == perf.PortNode || n.Kind == perf.FunctionNode) {
					items = append(items, ui.Item{Title: "Settings of " + n.Name, Kind: "settings", Run: func() ui.Cmd { return d.OpenSettings(SettingsOf(n)) }})
				}
			}
		}
	}
	for i := range d.sessions {
		items = append(items, d.sessionItem(d.sessions[i]))
	}
	if m != nil && m.Readable() {
		items = append(items, d.keyItems()...)
	}
	if m != nil {
		items = append(items, counterItems(m.Schema())...)
	}
	return items
}

var kindWords = [...]string{
	perf.AdapterNode: "adapter", perf.PortNode: "port", perf.FunctionNode: "function", perf.GroupNode: "group",
	perf.TeamNode: "team", perf.VLANNode: "VLAN", perf.PartitionNode: "virtual port", perf.HostNode: "host",
}

// KindWord returns the word for a kind of node: "port".
func KindWord(kind perf.NodeKind) string {
	if int(kind) >= len(kindWords) {
		return "node"
	}
	return kindWords[kind]
}

// SettingsOf returns the focus on the settings of a port or a function.
func SettingsOf(n *perf.Node) SettingsFocus { return SettingsFocus{Interfaces: []string{n.ID, n.Name}} }

func nodeItem(n *perf.Node) ui.Item {
	title := n.Name
	if n.Detail != "" {
		title += "  " + n.Detail
	}
	focus := Focus{Instances: n.Instances, Title: n.Name}
	item := ui.Item{Title: title, Kind: KindWord(n.Kind), Run: func() ui.Cmd { return ui.Go("counters", focus) }}
	if len(n.Instances) == 0 {
		item.Disabled = "the source has no counters of " + n.Name
	}
	return item
}

func (d *Deck) sessionItem(s store.Session) ui.Item {
	title := fmt.Sprintf("session %d  %s  %s", s.ID, s.Recorded.Format("2006-01-02 15:04"), s.Source.Name)
	if s.Note != "" {
		title += "  " + s.Note
	}
	return ui.Item{Title: title, Kind: "session", Run: func() ui.Cmd { return ui.Go("history", SessionFocus{ID: s.ID}) }}
}

// keyItems returns the keys of all drivers, each name once. The list is cached.
func (d *Deck) keyItems() []ui.Item {
	if d.keys != nil {
		return d.keys
	}
	seen := map[string]bool{}
	for _, family := range [...]description.Family{description.WinOF2, description.WinOF} {
		for i := range registry.Keys(family).Rows {
			row := &registry.Keys(family).Rows[i]
			if name := row.Name; !seen[name] && row.Scope.Stored() {
				seen[name] = true
				d.keys = append(d.keys, ui.Item{Title: name, Kind: "key", Run: func() ui.Cmd {
					return ui.Go("registry", KeyFocus{Key: name})
				}})
			}
		}
	}
	return d.keys
}

// counterItems returns the counters of a schema. They are not cached: they need more memory than the window of the series.
func counterItems(schema *perf.Schema) []ui.Item {
	if schema == nil {
		return nil
	}
	items := make([]ui.Item, 0, min(len(schema.Series), ItemLimit))
	for i := range schema.Series[:min(len(schema.Series), ItemLimit)] {
		path := schema.Series[i].Path()
		items = append(items, ui.Item{Title: path, Kind: "counter", Run: func() ui.Cmd {
			return ui.Go("counters", Focus{Paths: []string{path}, Title: path})
		}})
	}
	return items
}
