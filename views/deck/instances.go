package deck

import "cxdeck/perf"

// InstancesUnder are the perfmon instances of the node at an index, or of the nodes below it when it has none of its
// own.
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
