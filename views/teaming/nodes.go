package teaming

import (
	"math"

	"cxdeck/driver/teams"
	"cxdeck/perf"
	"cxdeck/views/deck"
)

// vlanRates returns the rates of a VLAN from the counters of its own adapter, in bytes per second; NaN if unknown.
func (v *View) vlanRates(w *teams.VLANView) (receive, send float64) {
	if n := v.vlanNode(w); n != nil {
		return deck.Newest(v.window, n.Receive), deck.Newest(v.window, n.Send)
	}
	return math.NaN(), math.NaN()
}

// vlanNode returns the node of a VLAN in the inventory; nil if it has none yet.
func (v *View) vlanNode(w *teams.VLANView) *perf.Node {
	for _, n := range v.vlans[w.Name] {
		if n.on == w.Team+w.Connection {
			return n.node
		}
	}
	return nil
}

// vlanOn is the node of a VLAN with the team or port that carries it.
type vlanOn struct {
	on   string
	node *perf.Node
}

// findNodes indexes the nodes of ports by connection and the nodes of VLANs by name.
func (v *View) findNodes(inventory *perf.Inventory) {
	v.nodes, v.vlans = map[string]*perf.Node{}, map[string][]vlanOn{}
	if inventory == nil {
		return
	}
	for i := range inventory.Nodes {
		n := &inventory.Nodes[i]
		switch {
		case n.Kind == perf.PortNode:
			v.nodes[n.Name] = n
		case n.Kind == perf.VLANNode && n.Parent >= 0:
			v.vlans[n.Name] = append(v.vlans[n.Name], vlanOn{inventory.Nodes[n.Parent].Name, n})
		}
	}
}
