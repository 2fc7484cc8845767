package deck

import "cxdeck/perf"

// TeamInstances returns the perfmon instances of all teams and of their member ports; never nil, which presets take for no
// limit.
func TeamInstances(inventory *perf.Inventory) []string {
	list := []string{}
	if inventory == nil {
		return list
	}
	for i := range inventory.Nodes {
		switch n := &inventory.Nodes[i]; {
		case n.Kind == perf.PortNode && n.Team != "":
			list = append(list, n.Name)
		case n.Kind == perf.TeamNode && len(n.Instances) > 0:
			list = append(list, n.Instances[0])
		}
	}
	return list
}

// InstancesUnder returns the perfmon instances of the node at an index, or of the nodes below it if it has no instances
// itself.
func InstancesUnder(nodes []perf.Node, at int) []string {
	if at < 0 || at >= len(nodes) {
		return nil
	}
	if len(nodes[at].Instances) > 0 {
		return nodes[at].Instances
	}
	under := map[int]bool{at: true}
	var all []string
	for i := at + 1; i < len(nodes); i++ {
		if under[nodes[i].Parent] {
			under[i] = true
			all = append(all, nodes[i].Instances...)
		}
	}
	return all
}
