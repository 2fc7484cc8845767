package lab

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/fabric"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/perf"
)

// addTeams adds the teams of a host, each with its VLANs beneath, in a group of their own: a team belongs to no
// adapter.
func (v *publisher) addTeams(inventory *perf.Inventory, view *driver.View) {
	if len(view.Teams) == 0 {
		return
	}
	group := len(inventory.Nodes)
	inventory.Nodes = append(inventory.Nodes, perf.Node{ID: "teams", Parent: -1, Kind: perf.GroupNode, Name: "Teams"})
	state, health := perf.StateDown, []perf.Finding(nil)
	for i := range view.Teams {
		t := &view.Teams[i]
		teamIndex := len(inventory.Nodes)
		node := v.teamNode(t, view, group)
		inventory.Nodes = append(inventory.Nodes, node)
		if node.State == perf.StateUp {
			state = perf.StateUp
		}
		for _, f := range node.Health {
			if f.Severity != eventlog.Information {
				health = append(health, perf.Finding{Severity: f.Severity, Text: t.Name + ": " + f.Text})
			}
		}
		for j := range t.VLANs {
			inventory.Nodes = append(inventory.Nodes, v.vlanNode(&t.VLANs[j], t.Connected, float64(node.Speed), teamIndex))
		}
	}
	teamsNode := &inventory.Nodes[group]
	teamsNode.State, teamsNode.Health = state, health
	teamsNode.Identity = []perf.Field{{Label: "Teams", Value: fmt.Sprint(len(view.Teams))}}
}

func (v *publisher) teamNode(t *teams.View, view *driver.View, parent int) perf.Node {
	node := perf.Node{
		ID: "team " + t.Name, Parent: parent, Kind: perf.TeamNode, Name: t.Name, Detail: t.Type.String(), State: perf.StateDown,
		Instances: v.virtuals.instancesOf(driver.VirtualMiniport{Team: t.Name}), Health: teamFindings(t), Identity: teamIdentity(t),
	}
	if t.Connected {
		node.State = perf.StateUp
	}
	rate := 0.0
	for _, m := range t.Members {
		if m.Role == mux.Active {
			rate += portRate(view, m.Port)
		}
	}
	v.setTraffic(&node, rate)
	return node
}

// setTraffic sets the node's speed and its rate series; rate is in bits per second.
func (v *publisher) setTraffic(node *perf.Node, rate float64) {
	node.Speed = uint64(rate)
	if rate > 0 {
		node.SpeedText = fmt.Sprintf("%.0f Gb/s", rate/1e9)
	}
	if len(node.Instances) > 0 {
		name := node.Instances[0]
		node.Receive, node.Send, node.Drops = v.find(name, perf.SummaryReceive), v.find(name, perf.SummarySend), v.find(name, perf.SummaryDrops)
	}
}

// portRate returns the rate of a port's link, 0 without one.
func portRate(view *driver.View, port int) float64 {
	for i := range view.Adapters {
		for j := range view.Adapters[i].Ports {
			if p := &view.Adapters[i].Ports[j]; p.Port == port && p.Up {
				return p.Rate
			}
		}
	}
	return 0
}

// vlanNode returns the row of a VLAN under its team or port; up and rate are the state of that team or port.
func (v *publisher) vlanNode(w *teams.VLANView, up bool, rate float64, parent int) perf.Node {
	owner := perf.Field{Label: "Team", Value: w.Team}
	if w.Team == "" {
		owner = perf.Field{Label: "Port", Value: w.Connection}
	}
	node := perf.Node{
		ID: "vlan " + owner.Label + " " + owner.Value + " " + w.Name, Parent: parent, Kind: perf.VLANNode, Name: w.Name,
		Detail: fmt.Sprintf("VLAN %d", w.ID), State: perf.StateDown, Health: warningFinding(w.Why),
		Instances: v.virtuals.instancesOf(driver.VirtualMiniport{Team: w.Team, Connection: w.Connection, VLAN: w.Name}),
		Identity: []perf.Field{
			{Label: "VLAN", Value: fmt.Sprintf("id %d, priority %d", w.ID, w.Priority)}, owner, {Label: "Device", Value: w.Miniport}, {Label: "GUID", Value: w.GUID},
		},
	}
	if up && w.Why == "" {
		node.State = perf.StateUp
	}
	if !up {
		rate = 0
	}
	v.setTraffic(&node, rate)
	return node
}

// partitionNode returns the row of a virtual port of IPoIB under its port.
func (v *publisher) partitionNode(p *fabric.PartitionView, parent int) perf.Node {
	node := perf.Node{
		ID: "partition " + p.Connection, Parent: parent, Kind: perf.PartitionNode, Name: p.Connection,
		Detail: "PKey " + p.PKey.String(), State: perf.StateDown, Health: warningFinding(p.Why),
		Instances: v.virtuals.instancesOf(driver.VirtualMiniport{Connection: p.On, Partition: p.Name}),
		Identity: []perf.Field{
			{Label: "PKey", Value: p.PKey.String()}, {Label: "Port", Value: p.On}, {Label: "Name", Value: p.Name}, {Label: "Device", Value: p.Device}, {Label: "GUID", Value: p.GUID},
		},
	}
	if p.Up {
		node.State = perf.StateUp
	}
	v.setTraffic(&node, p.Rate)
	return node
}

// warningFinding returns a warning with the reason why something does not work; none for an empty reason.
func warningFinding(why string) []perf.Finding {
	if why == "" {
		return nil
	}
	return []perf.Finding{{Severity: eventlog.Warning, Text: why}}
}

// teamFindings returns why a team is down or degraded, and the outcome of its newest failover.
func teamFindings(t *teams.View) []perf.Finding {
	list := warningFinding(t.Why)
	for _, f := range slices.Backward(t.Failovers) {
		if !f.TookOver() {
			continue
		}
		list = append(list, perf.Finding{Severity: eventlog.Information, Text: fmt.Sprintf("%s  from %s to %s, %s frames lost in %d ms",
			f.At.Format("15:04:05"), joinConnections(f.From), joinConnections(f.To), perf.Number(float64(f.LostReceived+f.LostSent), perf.NoUnit, false, false),
			f.Outage.Milliseconds())})
		break
	}
	return list
}

// joinConnections returns connections as a list in text, "none" for an empty one.
func joinConnections(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

func teamIdentity(t *teams.View) []perf.Field {
	driverName := "mlx4, multiplexer"
	if t.Family == description.WinOF2 {
		driverName = "Windows Server"
	}
	fields := []perf.Field{{Label: "Type", Value: t.Type.String()}, {Label: "Driver", Value: driverName}}
	if t.IPoIB {
		fields = append(fields, perf.Field{Label: "Link", Value: "IPoIB"})
	}
	for i := range t.Members {
		m := &t.Members[i]
		label := "Members"
		if i > 0 {
			label = ""
		}
		words := m.Connection + ", " + strings.ToLower(m.Role.String())
		if m.Status != mux.Connected {
			words = m.Connection + ", " + strings.ToLower(m.Status.String())
		}
		if m.Why != "" {
			words += ": " + m.Why
		}
		fields = append(fields, perf.Field{Label: label, Value: words})
	}
	if len(t.Members) == 0 {
		fields = append(fields, perf.Field{Label: "Members", Value: "none"})
	}
	primary, failback := t.Primary, "to the primary when it is back"
	if primary == "" {
		primary = "not set: the first member"
	}
	if !t.Failback {
		failback = "off"
	}
	fields = append(fields, perf.Field{Label: "Primary", Value: primary}, perf.Field{Label: "Failback", Value: failback})
	if len(t.Members) > 0 {
		fields = append(fields, perf.Field{Label: "MAC", Value: t.MAC.String()})
	}
	for i := range t.VLANs {
		label := "VLANs"
		if i > 0 {
			label = ""
		}
		fields = append(fields, perf.Field{Label: label, Value: fmt.Sprintf("%s, id %d, priority %d", t.VLANs[i].Name, t.VLANs[i].ID, t.VLANs[i].Priority)})
	}
	return append(fields, perf.Field{Label: "Device", Value: t.Miniport}, perf.Field{Label: "GUID", Value: t.GUID})
}
