package deck

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/ui"
)

// Why asks the Diagnose screen about a row of a screen: what is wrong with its object, or what was checked when nothing is; it is
// the argument of ui.Go("diagnose", Why{...}).
type Why struct {
	// Object is the object of the row: a connection, a card, a team, a machine, a virtual function, or the host.
	Object string
	// Row names the row if it is more than the object: a counter, a key, an event. Value is its value, and From explains where the
	// value comes from. They are empty for a row that is the object itself.
	Row, Value, From string
	// Set, Instance and Counter identify the counter of the row; empty for none.
	Set, Instance, Counter string
	// Key is the name of the row's registry key; empty for none.
	Key string
	// Event is the key of the row's event, and At its time; empty for none.
	Event string
	At    time.Time
}

// WhyAction asks the Diagnose screen about the selected row of a screen; an Object of "" means that no row is selected.
func (d *Deck) WhyAction(screen string, about Why) ui.Action {
	a := ui.Action{ID: screen + ".why", Keys: []string{"w"}, Name: "why?", Object: about.Object,
		Help: "Open the findings and the evidence about the object of the selected row, or what was checked when nothing is wrong"}
	m := d.Monitor()
	switch {
	case about.Object == "":
		a.Disabled = "the selected row has no object that rules check"
	case m == nil || m.Health() == nil:
		a.Disabled = "the rules run when the source has two samples"
	}
	if about.Row != "" {
		a.Object = about.Row
	}
	a.Run = func() ui.Cmd { return ui.Go("diagnose", about) }
	return a
}

// WhyNode asks about a node of the inventory.
func WhyNode(nodes []perf.Node, at int) Why {
	if at < 0 || at >= len(nodes) {
		return Why{}
	}
	n := &nodes[at]
	switch n.Kind {
	case perf.FunctionNode, perf.VLANNode, perf.PartitionNode:
		about := Why{Object: n.Name, Row: n.Name, Value: n.StateText, From: n.Detail}
		if n.Kind != perf.FunctionNode && n.Parent >= 0 {
			about.Object = nodes[n.Parent].Name
		}
		if n.Kind == perf.FunctionNode && n.Parent >= 0 && strings.HasPrefix(n.Name, "PF ") {
			about.Object = nodes[n.Parent].Name
		}
		return about
	case perf.GroupNode:
		return Why{}
	default:
		return Why{Object: n.Name}
	}
}

// WhyCounter asks about a counter; nodes find the object of its instance, value is its newest value with its unit.
func WhyCounter(inventory *perf.Inventory, set, instance, counter, value string) Why {
	about := Why{Row: strings.TrimSpace(counter + " of " + instance), Value: value, Set: set, Instance: instance, Counter: counter}
	if instance == "" {
		about.Row = counter
	}
	if inventory != nil {
		about.Object = inventory.Host
		for i := range inventory.Nodes {
			if n := &inventory.Nodes[i]; n.Name == instance {
				about.Object = n.Name
				break
			} else if slices.Contains(n.Instances, instance) && (n.Kind == perf.PortNode || n.Kind == perf.FunctionNode || about.Object == inventory.Host) {
				about.Object = n.Name
			}
		}
	}
	if c, known := perf.Catalogue().Counter(set, counter); known {
		about.From = wording.UpperFirst(strings.TrimSuffix(c.Summary, "."))
		if c.Where != "" {
			about.From += ". Counted: " + strings.TrimSuffix(c.Where, ".")
		}
		if c.AlwaysZero || c.Uncaused != "" {
			about.From += ". It is always 0 here"
		}
		if c.Advice != "" {
			about.From += ". " + wording.UpperFirst(strings.TrimSuffix(c.Advice, "."))
		}
		about.From += "."
	}
	return about
}

// WhyEvent asks about an event; host is the object of an event without an adapter. nil asks nothing.
func WhyEvent(inventory *perf.Inventory, e *eventlog.Event) Why {
	if e == nil {
		return Why{}
	}
	about := Why{Object: e.Adapter, Row: "the event of " + e.Time.Format(time.TimeOnly), Value: e.Message, Event: e.Key, At: e.Time}
	if inventory != nil {
		if about.Object == "" {
			about.Object = inventory.Host
		}
		for i := range inventory.Nodes {
			if n := &inventory.Nodes[i]; slices.Contains(n.Instances, e.Adapter) && n.Kind == perf.PortNode {
				about.Object = n.Name
			}
		}
	}
	if row, known := eventlog.Catalogue().Lookup(e.Key); known {
		about.From = fmt.Sprintf("%s. %s", wording.UpperFirst(strings.TrimSuffix(row.Trigger, ".")), row.Cause)
	}
	return about
}
