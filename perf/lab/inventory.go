package lab

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/wire"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/fabric"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/perf"
)

// publisher publishes a new inventory of a lab whenever something in it changes.
type publisher struct {
	host   *driver.Host
	schema *perf.Schema
	// summary are the series of the console's own set, by instance and counter.
	summary map[[2]string]int
	// names are the instances of ports and cards, virtuals of teams and VLANs.
	names     *instanceNames
	virtuals  *virtualNames
	published *perf.Inventory
	// view is the host's view after lastEvent, its newest event. It is cached because it costs more than the rest of the
	// inventory.
	view      *driver.View
	lastEvent uint64
	// ports are the snapshots behind the published inventory; counters are the counters of the last refresh, at its time.
	ports    []portSnapshot
	teams    []teams.View
	counters []uint64
	at       time.Time
}

// newPublisher publishes the inventory of a host with its current view.
func newPublisher(host *driver.Host, view *driver.View, schema *perf.Schema, builder *Builder) *publisher {
	v := &publisher{
		host: host, names: builder.names, virtuals: &builder.virtuals, ports: make([]portSnapshot, host.Lab().Ports()),
	}
	v.compare(host, schema)
	v.view, v.published = view, v.inventory(view)
	return v
}

// refresh publishes a new inventory if something has changed.
func (v *publisher) refresh(host *driver.Host, schema *perf.Schema) {
	changed := v.compare(host, schema)
	if v.view == nil {
		v.view, changed = host.View(), true
	}
	if changed {
		v.published = v.inventory(v.view)
	}
}

// compare reports whether the inventory has changed, and takes snapshots for the next comparison. It drops the view if it may be
// outdated.
func (v *publisher) compare(host *driver.Host, schema *perf.Schema) bool {
	changed := v.schema != schema
	if changed {
		v.indexSummary(schema)
	}
	now := host.Now()
	elapsed := now.Sub(v.at)
	if events := host.EventsAfter(v.lastEvent); len(events) > 0 {
		v.view, v.lastEvent = nil, events[len(events)-1].Sequence
	}
	for port := range v.ports {
		g, before := readPort(host, port, v.counters, elapsed), &v.ports[port]
		if g.changes != before.changes || g.state != before.state || g.cabled != before.cabled || g.up != before.up || g.functions != before.functions || g.attached != before.attached {
			v.view = nil
		}
		changed = changed || g != *before
		*before = g
	}
	if teams := host.Teams(); len(teams)+len(v.teams) > 0 && !reflect.DeepEqual(teams, v.teams) {
		v.view, v.teams = nil, teams
	}
	v.counters, v.at = append(v.counters[:0], host.Lab().Counters()[:counter.Cell(len(v.ports), 0)]...), now
	return changed
}

func (v *publisher) inventory(view *driver.View) *perf.Inventory {
	inventory := &perf.Inventory{Host: view.Name, TotalLabel: "Total (physical ports)", PendingValues: view.Waits}
	for i := range view.Adapters {
		v.adapter(inventory, &view.Adapters[i], v.names.cards[i], view.Partitions)
	}
	v.addTeams(inventory, view)
	inventory.Receive = v.find("_Total", perf.SummaryReceive)
	inventory.Send = v.find("_Total", perf.SummarySend)
	inventory.Drops = v.find("_Total", perf.SummaryDrops)
	return inventory
}

// indexSummary indexes the series of the console's own set. Schema.Find would build the index of all paths before the first
// frame.
func (v *publisher) indexSummary(schema *perf.Schema) {
	v.schema, v.summary = schema, map[[2]string]int{}
	for i := range schema.Series {
		if series := &schema.Series[i]; series.Set == perf.SummarySet {
			v.summary[[2]string{series.Instance, series.Counter}] = i
		}
	}
}

// find returns the series of the console's own set.
func (v *publisher) find(instance, counter string) []int {
	if i, ok := v.summary[[2]string{instance, counter}]; ok {
		return []int{i}
	}
	return nil
}

func (v *publisher) adapter(inventory *perf.Inventory, a *driver.AdapterView, own []string, partitions []fabric.PartitionView) {
	at := len(inventory.Nodes)
	node := perf.Node{
		ID: a.Description.PCI.String(), Parent: -1, Kind: perf.AdapterNode, Name: a.Description.Name,
		Detail: a.Description.PCI.String() + " " + a.Driver, State: adapterState(a.State),
		Identity: v.adapterIdentity(a), PendingValues: a.Waits,
	}
	inventory.Nodes = append(inventory.Nodes, node)
	for i := range a.Ports {
		p := &a.Ports[i]
		port := v.port(a, p)
		port.Parent = at
		above := &inventory.Nodes[at]
		above.Receive = append(above.Receive, port.Receive...)
		above.Send = append(above.Send, port.Send...)
		above.Drops = append(above.Drops, port.Drops...)
		above.Instances = append(above.Instances, port.Instances...)
		for _, f := range port.Health {
			if f.Severity != eventlog.Information {
				above.Health = append(above.Health, perf.Finding{Severity: f.Severity, Text: p.Description.Connection + ": " + f.Text})
			}
		}
		parent := len(inventory.Nodes)
		inventory.Nodes = append(inventory.Nodes, port)
		if function, own := ownFunction(a, i); own {
			inventory.Nodes = append(inventory.Nodes, functionNode(a, function, len(inventory.Nodes)-1))
		}
		if p.Description.VirtualFunctions > 0 || p.VirtualFunctions > 0 {
			inventory.Nodes = append(inventory.Nodes, v.virtualNode(a, p, parent))
		}
		for j := range p.VLANs {
			inventory.Nodes = append(inventory.Nodes, v.vlanNode(&p.VLANs[j], p.Up, p.Rate, parent))
		}
		for j := range partitions {
			if partitions[j].Port == p.Port {
				inventory.Nodes = append(inventory.Nodes, v.partitionNode(&partitions[j], parent))
			}
		}
	}
	inventory.Nodes[at].Instances = append(inventory.Nodes[at].Instances, own...)
	if len(inventory.Nodes[at].Health) == 0 {
		inventory.Nodes[at].Health = []perf.Finding{{Severity: eventlog.Information, Text: "no sensor alarms"}}
	}
	for _, f := range a.Functions {
		if len(f.Ports) > 1 {
			inventory.Nodes = append(inventory.Nodes, functionNode(a, f, at))
		}
	}
}

// ownFunction returns the function that serves only the given port.
func ownFunction(a *driver.AdapterView, port int) (driver.FunctionView, bool) {
	for _, f := range a.Functions {
		if len(f.Ports) == 1 && f.Ports[0] == port {
			return f, true
		}
	}
	return driver.FunctionView{}, false
}

func functionNode(a *driver.AdapterView, f driver.FunctionView, parent int) perf.Node {
	node := perf.Node{
		ID: "function " + f.PCI.String(), Parent: parent, Kind: perf.FunctionNode, Name: "PF " + f.PCI.String(),
		Detail: "physical", State: adapterState(a.Ports[f.Ports[0]].State),
		Identity: []perf.Field{
			{Label: "Address", Value: f.PCI.String()},
			{Label: "Device ID", Value: fmt.Sprintf("%04X:%04X", a.Description.VendorID, a.Description.DeviceID)},
			{Label: "Instance", Value: f.InstanceID},
		},
	}
	if len(f.Ports) > 1 {
		node.Detail = "both ports"
		node.State = adapterState(a.State)
	}
	for _, p := range f.Ports {
		node.Instances = append(node.Instances, a.Ports[p].Description.Connection)
	}
	return node
}

// virtualNode returns one row for all virtual functions of a port: there may be many.
func (v *publisher) virtualNode(a *driver.AdapterView, p *driver.PortView, parent int) perf.Node {
	d := p.Description
	name := d.Connection + " VFs"
	row, open := fmt.Sprintf("%d VFs", p.VirtualFunctions), fmt.Sprintf("%d virtual, VF 0 to VF %d", p.VirtualFunctions, p.VirtualFunctions-1)
	if p.VirtualFunctions == 0 {
		row, open = "no VFs", fmt.Sprintf("none of %d enabled: SR-IOV is off", d.VirtualFunctions)
	}
	return perf.Node{
		ID: a.Description.PCI.String() + " " + portDetail(a, p) + " VFs", Parent: parent, Kind: perf.FunctionNode,
		Name: row, Detail: "virtual", State: adapterState(p.State),
		Receive: v.find(name, perf.SummaryReceive), Send: v.find(name, perf.SummarySend), Drops: v.find(name, perf.SummaryDrops),
		Instances: append([]string{name}, v.names.functions[p.Port]...),
		Identity: []perf.Field{
			{Label: "Functions", Value: open},
			{Label: "Port", Value: d.Connection},
		},
	}
}

func (v *publisher) port(a *driver.AdapterView, p *driver.PortView) perf.Node {
	d := p.Description
	node := perf.Node{
		ID: a.Description.PCI.String() + " " + portDetail(a, p), Kind: perf.PortNode, Name: d.Connection, Detail: portDetail(a, p),
		State: perf.StateDown, SpeedText: speedText(d), Pending: p.Pending, PendingValues: p.Waits, Team: p.Team, Active: p.Team != "" && p.Role == mux.Active,
		Receive: v.find(d.Connection, perf.SummaryReceive), Send: v.find(d.Connection, perf.SummarySend),
		Drops:     v.find(d.Connection, perf.SummaryDrops),
		Instances: slices.Clip(v.names.ports[p.Port]), Health: v.ports[p.Port].findings(d),
	}
	for _, need := range p.Needs {
		node.Health = append(node.Health, perf.Finding{Severity: eventlog.Warning, Text: need + "; the QoS screen (6) has the plan"})
	}
	if p.Up {
		node.State, node.Speed = perf.StateUp, uint64(d.SpeedGbps)*1e9
	}
	if p.State != driver.Running {
		node.State = adapterState(p.State)
	} else if !p.Cabled {
		node.StateText = "unplugged"
	}
	node.Identity = v.portIdentity(a, p)
	return node
}

func portDetail(a *driver.AdapterView, p *driver.PortView) string {
	for i := range a.Ports {
		if a.Ports[i].Port == p.Port {
			return fmt.Sprintf("port %d", i+1)
		}
	}
	return ""
}

// adapterState converts a state of the driver to a state of the inventory.
func adapterState(s driver.AdapterState) perf.State {
	return [...]perf.State{
		driver.Running: perf.StateRunning, driver.Stopped: perf.StateStopped, driver.Restarting: perf.StateRestarting,
		driver.Failed: perf.StateFailed,
	}[s]
}

// speedText returns "100 GbE" or "56 Gb/s".
func speedText(p *description.Port) string {
	if p.Link == description.Ethernet {
		return fmt.Sprintf("%d GbE", p.SpeedGbps)
	}
	return fmt.Sprintf("%d Gb/s", p.SpeedGbps)
}

// linkText returns "Ethernet, 100 Gb/s" or "InfiniBand FDR, 56 Gb/s".
func linkText(p *description.Port) string {
	kind := "Ethernet"
	if p.Link != description.Ethernet {
		kind = "InfiniBand"
		switch p.SpeedGbps {
		case 10:
			kind += " SDR"
		case 20:
			kind += " DDR"
		case 40:
			kind += " QDR"
		case 56:
			kind += " FDR"
		}
	}
	return fmt.Sprintf("%s, %d Gb/s", kind, p.SpeedGbps)
}

func (v *publisher) adapterIdentity(a *driver.AdapterView) []perf.Field {
	d := a.Description
	lab := v.host.Lab()
	_, card, _ := lab.Port(a.Ports[0].Port)
	slot := lab.Slot(card)
	usable := wire.PCIeUsable(slot.Generation, slot.Lanes, d.PCIeMaxPayload) * 8 / 1e9
	return []perf.Field{
		{Label: "Model", Value: d.Name},
		{Label: "PCIe", Value: fmt.Sprintf("Gen%d x%d, %.0f Gb/s usable", slot.Generation, slot.Lanes, usable)},
		{Label: "Firmware", Value: d.Firmware},
		{Label: "Driver", Value: a.Driver + " " + d.DriverVersion},
		{Label: "NUMA", Value: fmt.Sprintf("node %d", d.NUMANode)},
		{Label: "Address", Value: d.PCI.String()},
		{Label: "PSID", Value: d.PSID},
		{Label: "Package", Value: d.Package},
		{Label: "Device ID", Value: fmt.Sprintf("%04X:%04X", d.VendorID, d.DeviceID)},
		{Label: "Subsystem", Value: fmt.Sprintf("%04X:%04X", d.SubvendorID, d.SubsystemID)},
		{Label: "Node GUID", Value: d.NodeGUID.String()},
	}
}

func (v *publisher) portIdentity(a *driver.AdapterView, p *driver.PortView) []perf.Field {
	d := p.Description
	first := []perf.Field{{Label: "Adapter", Value: a.Description.Name}, {Label: "MAC", Value: d.MAC.String()}}
	if p.Management {
		first = append(first, perf.Field{Label: "Session", Value: "this port carries your session"})
	}
	if p.Team != "" {
		first = append(first, perf.Field{Label: "Team", Value: p.Team + ", " + strings.ToLower(p.Role.String())})
	}
	return slices.Concat(first, linkIdentity(p, v.host.Lab().Settings(p.Port)), v.adapterIdentity(a)[1:], []perf.Field{
		{Label: "Port GUID", Value: d.GUID.String()},
		{Label: "Device", Value: d.Device},
		{Label: "Class key", Value: d.Class},
		{Label: "Interface", Value: d.Interface},
	})
}

// linkIdentity lists a port's link and cable, and the driver's settings for it.
func linkIdentity(p *driver.PortView, s setup.Port) []perf.Field {
	d := p.Description
	fields := []perf.Field{{Label: "Link", Value: linkText(d)}, {Label: "Cabled to", Value: d.Switch.Name}, {Label: "Frames", Value: fmt.Sprintf("up to %d bytes", s.MaxFrame)}}
	if d.Link == description.Ethernet {
		roce := [...]string{description.NoRoCE: "off", description.RoCEv1: "v1", description.RoCEv2: "v2"}[s.RoCE]
		fields = append(fields, perf.Field{Label: "Pause", Value: pauseText(&s)}, perf.Field{Label: "RoCE", Value: roce})
	}
	rss := "off"
	if s.RSS {
		rss = fmt.Sprintf("%d queues, base %d", s.Queues, s.BaseProcessor)
	}
	fields = append(fields, perf.Field{Label: "RSS", Value: rss})
	if d.VirtualFunctions > 0 || p.SRIOV.Open > 0 {
		fields = append(fields, perf.Field{Label: "SR-IOV", Value: fmt.Sprintf("%d VFs, %d attached", p.SRIOV.Open, p.SRIOV.Attached)})
	}
	return fields
}

// pauseText returns the flow control of a port: "PFC on 3", "global pause".
func pauseText(s *setup.Port) string {
	switch {
	case s.Lossless != 0 && s.QoS:
		var priorities []int
		for p := range 8 {
			if s.Lossless>>p&1 == 1 {
				priorities = append(priorities, p)
			}
		}
		return "PFC on " + strings.Trim(fmt.Sprint(priorities), "[]")
	case s.AsksPause && s.ObeysPause:
		return "global pause"
	case s.AsksPause:
		return "global pause, sent only"
	case s.ObeysPause:
		return "global pause, received only"
	default:
		return "off"
	}
}
