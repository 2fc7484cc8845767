package perf

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/mux"
)

// addTeams adds the teams of a host, each with its VLANs beneath, in a group of their own: a team belongs to no
// adapter.
func (v *labInventory) addTeams(inventory *Inventory, view *driver.View) {
	if len(view.Teams) == 0 {
		return
	}
	group := len(inventory.Nodes)
	inventory.Nodes = append(inventory.Nodes, Node{ID: "teams", Parent: -1, Kind: GroupNode, Name: "Teams"})
	state, health := StateDown, []Finding(nil)
	for i := range view.Teams {
		t := &view.Teams[i]
		at := len(inventory.Nodes)
		node := v.teamNode(t, view, group)
		inventory.Nodes = append(inventory.Nodes, node)
		if node.State == StateUp {
			state = StateUp
		}
		for _, f := range node.Health {
			if f.Severity != eventlog.Information {
				health = append(health, Finding{f.Severity, t.Name + ": " + f.Text})
			}
		}
		for j := range t.VLANs {
			inventory.Nodes = append(inventory.Nodes, v.vlanNode(&t.VLANs[j], t.Connected, float64(node.Speed), at))
		}
	}
	of := &inventory.Nodes[group]
	of.State, of.Health = state, health
	of.Identity = []Field{{"Teams", fmt.Sprint(len(view.Teams))}}
}

func (v *labInventory) teamNode(t *driver.TeamView, view *driver.View, parent int) Node {
	node := Node{
		ID: "team " + t.Name, Parent: parent, Kind: TeamNode, Name: t.Name, Detail: t.Type.String(), State: StateDown,
		Instances: v.virtuals.of(driver.VirtualMiniport{Team: t.Name}), Health: teamFindings(t), Identity: teamIdentity(t),
	}
	if t.Connected {
		node.State = StateUp
	}
	rate := 0.0
	for _, m := range t.Members {
		if m.Role == mux.Active {
			rate += portRate(view, m.Port)
		}
	}
	v.carry(&node, rate)
	return node
}

// carry gives a virtual miniport its rates and the speed of what carries it.
func (v *labInventory) carry(node *Node, rate float64) {
	node.Speed = uint64(rate)
	if rate > 0 {
		node.SpeedText = fmt.Sprintf("%.0f Gb/s", rate/1e9)
	}
	if len(node.Instances) > 0 {
		name := node.Instances[0]
		node.Receive, node.Send, node.Drops = v.find(name, SummaryReceive), v.find(name, SummarySend), v.find(name, SummaryDrops)
	}
}

// portRate is the rate of a port's link, 0 without one.
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

// vlanNode is the row of a VLAN under its team or port, which is up or not and has a rate.
func (v *labInventory) vlanNode(w *driver.VLANView, up bool, rate float64, parent int) Node {
	owner := Field{"Team", w.Team}
	if w.Team == "" {
		owner = Field{"Port", w.Connection}
	}
	node := Node{
		ID: "vlan " + owner.Label + " " + owner.Value + " " + w.Name, Parent: parent, Kind: VLANNode, Name: w.Name,
		Detail: fmt.Sprintf("VLAN %d", w.ID), State: StateDown, Health: remark(w.Why),
		Instances: v.virtuals.of(driver.VirtualMiniport{Team: w.Team, Connection: w.Connection, VLAN: w.Name}),
		Identity: []Field{
			{"VLAN", fmt.Sprintf("id %d, priority %d", w.ID, w.Priority)}, owner, {"Device", w.Miniport}, {"GUID", w.GUID},
		},
	}
	if up && w.Why == "" {
		node.State = StateUp
	}
	if !up {
		rate = 0
	}
	v.carry(&node, rate)
	return node
}

// partitionNode is the row of a virtual port of IPoIB under its port.
func (v *labInventory) partitionNode(p *driver.PartitionView, parent int) Node {
	node := Node{
		ID: "partition " + p.Connection, Parent: parent, Kind: PartitionNode, Name: p.Connection,
		Detail: "PKey " + p.PKey.String(), State: StateDown, Health: remark(p.Why),
		Instances: v.virtuals.of(driver.VirtualMiniport{Connection: p.On, Partition: p.Name}),
		Identity: []Field{
			{"PKey", p.PKey.String()}, {"Port", p.On}, {"Name", p.Name}, {"Device", p.Device}, {"GUID", p.GUID},
		},
	}
	if p.Up {
		node.State = StateUp
	}
	v.carry(&node, p.Rate)
	return node
}

// remark is a finding of why something does not work, none when it does.
func remark(why string) []Finding {
	if why == "" {
		return nil
	}
	return []Finding{{eventlog.Warning, why}}
}

// teamFindings say why a team is not up, or only in part, and what became of its newest failover.
func teamFindings(t *driver.TeamView) []Finding {
	list := remark(t.Why)
	for _, f := range slices.Backward(t.Failovers) {
		if !f.TookOver() {
			continue
		}
		list = append(list, Finding{eventlog.Information, fmt.Sprintf("%s  from %s to %s, %s frames lost in %d ms",
			f.At.Format("15:04:05"), connections(f.From), connections(f.To), Number(float64(f.LostReceived+f.LostSent), NoUnit, false, false),
			f.Outage.Milliseconds())})
		break
	}
	return list
}

// connections lists connections, and says so when there are none.
func connections(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

func teamIdentity(t *driver.TeamView) []Field {
	driverName := "mlx4, multiplexer"
	if t.Family == device.WinOF2 {
		driverName = "Windows Server"
	}
	fields := []Field{{"Type", t.Type.String()}, {"Made by", driverName}}
	if t.IPoIB {
		fields = append(fields, Field{"Link", "IPoIB"})
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
		fields = append(fields, Field{label, words})
	}
	if len(t.Members) == 0 {
		fields = append(fields, Field{"Members", "none"})
	}
	primary, failback := t.Primary, "to the primary when it is back"
	if primary == "" {
		primary = "not named: the first member"
	}
	if !t.Failback {
		failback = "off"
	}
	fields = append(fields, Field{"Primary", primary}, Field{"Failback", failback})
	if len(t.Members) > 0 {
		fields = append(fields, Field{"MAC", t.MAC.String()})
	}
	for i := range t.VLANs {
		label := "VLANs"
		if i > 0 {
			label = ""
		}
		fields = append(fields, Field{label, fmt.Sprintf("%s, id %d, priority %d", t.VLANs[i].Name, t.VLANs[i].ID, t.VLANs[i].Priority)})
	}
	return append(fields, Field{"Device", t.Miniport}, Field{"GUID", t.GUID})
}
