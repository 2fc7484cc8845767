package checkup

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/reach"
	"cxdeck/device/wire"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
	"cxdeck/driver/limits"
	"cxdeck/driver/lossless"
	"cxdeck/driver/registry"
	"cxdeck/driver/survey"
	"cxdeck/driver/virtualization"
)

// eventSpan is the time for which events are facts.
const eventSpan = time.Hour

// minimumFirmware is the oldest firmware of ConnectX-3 that current WinOF drivers support (FAM-3).
const minimumFirmware = "2.40.7000"

// Facts returns the facts about a host. drift is what fails of its kept intent; nil for none.
func Facts(s *survey.Seen, drift *survey.Drift) *findings.Facts {
	h := s.Host
	f := &findings.Facts{Time: h.Now()}
	for _, e := range h.EventsAfter(0) {
		if f.Time.Sub(e.Time) < eventSpan {
			f.Events = append(f.Events, e)
		}
	}
	g := gatherer{Seen: s, facts: f, lab: h.Lab(), host: findings.NewSubject(findings.Host, s.View.Name)}
	g.hostFacts(drift)
	g.ports = make([]*findings.Subject, g.lab.Ports())
	for i := range s.View.Adapters {
		g.card(i)
	}
	g.addresses()
	g.flows()
	g.teams()
	g.machines()
	g.pending()
	g.partitions()
	return f
}

// gatherer fills facts.
type gatherer struct {
	*survey.Seen
	facts *findings.Facts
	lab   *device.Lab
	host  *findings.Subject
	ports []*findings.Subject
}

func (g *gatherer) add(s *findings.Subject) {
	s.Set("known", 1)
	s.Texts["host"] = g.View.Name
	g.facts.Subjects = append(g.facts.Subjects, s)
}

func (g *gatherer) hostFacts(drift *survey.Drift) {
	s, stack := g.host, g.Host.Stack()
	g.add(s)
	s.Flag("network_direct", !stack.NoNetworkDirect)
	missing := false
	for i := range g.QoS.Ports {
		p := &g.QoS.Ports[i]
		missing = missing || p.Enabled && p.Configured != 0
	}
	s.Flag("dcb_missing", missing && !g.QoS.Installed)
	s.Set("drift", 0)
	if drift != nil {
		s.Set("drift", float64(len(drift.Failed)))
		for _, one := range drift.Failed {
			text := one.Title
			if one.Object != "" {
				text = one.Object + ": " + text
			}
			s.Add("drift", findings.Item{Key: fmt.Sprintf("%s %d %s", one.Group, one.Number, one.Object), Text: fmt.Sprintf("%s; wanted %s, found %s", text, one.Wanted, one.Found)})
		}
		s.Texts["intent"] = drift.File
	}
	machine := &g.View.Machine
	for _, sw := range g.View.Switches {
		if sw.Why != "" && sw.IOV {
			s.Add("switch", findings.Item{Key: sw.Name, Text: fmt.Sprintf("the virtual switch %s: %s", sw.Name, sw.Why)})
		}
	}
	if next := machine.Next; next.SRIOV != machine.SRIOV || next.Virtualization != machine.Virtualization || next.Above4G != machine.Above4G {
		s.Add("bios", findings.Item{Key: "bios", Text: "settings of the BIOS wait for the next boot"})
	}
}

// card adds a card with its ports.
func (g *gatherer) card(i int) {
	a := &g.View.Adapters[i]
	d := a.Description
	s := findings.NewSubject(findings.Card, d.Name)
	s.Instances, s.Texts["adapter"] = []string{d.Name}, d.Name
	slot := g.lab.Slot(i)
	s.Set("slot", wire.PCIeUsable(slot.Generation, slot.Lanes, d.PCIeMaxPayload)/1e9)
	s.Set("slot_able", wire.PCIeUsable(d.PCIeGeneration, d.PCIeLanes, d.PCIeMaxPayload)/1e9)
	s.Texts["slot_now"] = fmt.Sprintf("PCI Express Gen%d x%d", slot.Generation, slot.Lanes)
	s.Texts["slot_card"] = fmt.Sprintf("Gen%d x%d", d.PCIeGeneration, d.PCIeLanes)
	s.Texts["generation"], s.Texts["lanes"] = fmt.Sprint(d.PCIeGeneration), fmt.Sprint(d.PCIeLanes)
	s.Texts["firmware"] = d.Firmware
	fastest := 0
	for j := range a.Ports {
		s.Ports = append(s.Ports, a.Ports[j].Port)
		fastest = max(fastest, a.Ports[j].Description.SpeedGbps)
		s.Aliases = append(s.Aliases, a.Ports[j].Description.Connection, a.Ports[j].Description.Device)
	}
	s.Set("slot_needed", float64(fastest))
	s.Flag("firmware_old", d.Family == description.WinOF && limits.Older(d.Firmware, minimumFirmware))
	s.Flag("driver_old", d.Family == description.WinOF && !limits.Older("4.70", strings.TrimPrefix(d.Package, "WinOF ")))
	waiting := 0
	for _, f := range a.Firmware {
		if f.Next != f.Current {
			waiting++
			s.Texts["firmware_setting"] = fmt.Sprintf("%s %s", f.Name, f.Next)
		}
	}
	s.Set("firmware_waits", float64(waiting))
	if len(a.Ports) > 1 {
		first, second := a.Ports[0].Description.Link, a.Ports[1].Description.Link
		s.Flag("mixed_types", d.Family == description.WinOF && first == description.Ethernet && second == description.InfiniBand &&
			g.lab.Settings(a.Ports[0].Port).RoCE == description.NoRoCE)
		s.Flag("rss_differs", d.Family == description.WinOF && a.Ports[0].State == driver.Running && a.Ports[1].State == driver.Running &&
			g.lab.Settings(a.Ports[0].Port).RSS != g.lab.Settings(a.Ports[1].Port).RSS)
	}
	g.add(s)
	for j := range a.Ports {
		g.port(a, &a.Ports[j])
	}
}

// port adds a port with its virtual functions.
func (g *gatherer) port(a *driver.AdapterView, p *driver.PortView) {
	d, port := p.Description, p.Port
	s := findings.NewSubject(findings.Port, d.Connection)
	g.ports[port] = s
	s.Port, s.Connection, s.Aliases = port, d.Connection, []string{d.Device}
	s.Texts["adapter"], s.Texts["switch"], s.Texts["driver"] = a.Description.Name, d.Switch.Name, a.Driver
	set, far := g.lab.Operational(port)
	own := g.lab.Settings(port)
	q := &g.QoS.Ports[port]
	ethernet := d.Link == description.Ethernet
	for name, value := range map[string]bool{
		"running": p.State == driver.Running, "stopped": p.State == driver.Stopped, "failed": p.State == driver.Failed,
		"restarting": p.State == driver.Restarting, "cabled": p.Cabled, "up": p.Up, "ethernet": ethernet,
		"winof2": a.Description.Family == description.WinOF2, "management": p.Management,
		"subnet_init": p.Subnet == device.PortInit, "subnet_down": p.Subnet == device.PortDown,
		"manager_down": !ethernet && p.SubnetManager != description.SubnetManaged,
		"rss":          own.RSS, "pfc_offered": q.Offered, "qos_enabled": q.Enabled, "qos_acts": q.Acts,
		"asks_pause": set.AsksPause, "obeys_pause": set.ObeysPause, "debugger": g.lab.Fault(port, description.Debugger) > 0,
		"pause_under_debugger": own.PauseUnderDebugger, "marking": far.Marking.Probability > 0,
		"dcbx": q.DCBX.Exchanges(), "host_willing": g.QoS.Willing, "switch_willing": far.Willing,
		"dropless": g.lab.Dropless(port), "dropless_possible": own.DropTimeout > 0, "in_team": g.lab.InTeam(port),
		"ignores_fcs": own.IgnoreFCS, "promiscuous_vlan": own.Promiscuous, "moderation": own.Moderation,
		"checksums": own.ChecksumTCPIPv4 == 3, "large_send": own.LargeSendIPv4, "burst_reserve": own.KeepsBursts,
		"pfc_lost":    q.Configured&^q.Operational != 0,
		"pfc_differs": far.FlowControl == description.PriorityPause && uint8(q.Operational) != far.Lossless && q.Operational != 0,
		"capturing":   g.lab.Fault(port, description.Capture) > 0, "lacks_update": g.lab.Fault(port, description.MissingUpdate) > 0,
		"sriov_used":  p.SRIOV.SwitchName != "" && p.SRIOV.Enabled && g.iovSwitch(p.SRIOV.SwitchName),
		"rate_limits": own.Limits != [8]int{}, "untagged_lossy": !own.UntaggedLossless,
	} {
		s.Flag(name, value)
	}
	if n, ok := g.Host.InUse(port, registry.Miniport, "AsyncReceiveIndicate"); ok {
		s.Flag("polls", n.Number() == 2)
	}
	reacts := false
	for priority := range uint8(8) {
		reacts = reacts || own.Congestion.Reacts(priority)
	}
	s.Flag("reacts", reacts)
	for name, value := range map[string]float64{
		"code": float64(p.Code), "speed": float64(d.SpeedGbps), "switch_speed": float64(far.SpeedGbps),
		"max_frame": float64(set.MaxFrame), "switch_max_frame": float64(far.MaxFrame), "rings": float64(g.lab.Rings(port)),
		"receive_buffers": float64(own.ReceiveBuffers), "transmit_buffers": float64(own.TransmitBuffers),
		"functions": float64(p.VirtualFunctions), "allowed_functions": float64(p.SRIOV.Allowed),
		"pfc": float64(bits.OnesCount8(uint8(q.Operational))), "pfc_configured": float64(q.Configured), "roce": float64(own.RoCE),
		"pfc_switch": float64(bits.OnesCount8(far.Lossless)), "strict": float64(bits.OnesCount8(set.StrictPriorities)),
		"tcp_window": float64(own.Window), "stores_pairs": float64(own.Connections),
		"keys_pending": float64(p.Waits), "link_changes": float64(g.lostLinks(s)),
	} {
		s.Set(name, value)
	}
	if far.FlowControl != description.PriorityPause {
		s.Set("pfc_switch", 0)
	}
	if r, ok := g.stored(d.Connection, "*ReceiveBuffers"); ok {
		s.Set("default_receive_buffers", r)
	}
	s.Texts["priorities"] = q.Operational.Words()
	if q.Why != "" {
		s.Texts["qos_why"] = q.Why
	}
	if m, ok := g.lab.StallMonitor(port); ok {
		s.Set("stall_seconds", m.Stalled.Seconds())
		s.Flag("stall_monitored", m.Monitors())
	}
	if p.Cabled && !p.Up && p.State == driver.Running {
		s.Set("down_seconds", g.downFor(s).Seconds())
	}
	g.nodes(a, p, s)
	for _, m := range g.Paths[port].Mismatches {
		kind := string(m.Kind)
		if m.Kind == lossless.Unprotected && g.demandOf(port, m.Text) < busyGbps {
			kind = "unprotected-idle"
		}
		s.Add(kind, item(&m))
	}
	for _, m := range g.Paths[port].Needs {
		kind := "need"
		if strings.Contains(m.Text, " stops, ") {
			kind = "need-stops"
		}
		s.Add(kind, item(&m))
	}
	if view, err := g.Host.Limits(d.Connection); err == nil {
		for i := range view {
			if view[i].Broken != "" && g.uses(d.Connection, view[i].Limit) {
				s.Add("limit", findings.Item{Key: view[i].What, Text: view[i].Broken})
			}
		}
	}
	g.add(s)
	for i := range p.SRIOV.VFs {
		g.function(s, &p.SRIOV.VFs[i])
	}
	if why := p.SRIOV.Why; why != "" {
		s.Texts["sriov_why"] = why
		s.Add("vf-short", findings.Item{Key: "short", Text: why})
	}
}

// iovSwitch reports whether a virtual switch was created with SR-IOV.
func (g *gatherer) iovSwitch(name string) bool {
	return slices.ContainsFunc(g.View.Switches, func(s virtualization.SwitchView) bool { return s.Name == name && s.IOV })
}

// momentWords say when a stored value takes effect.
var momentWords = map[registry.Moment]string{
	registry.AtRestart: "a restart of the adapter", registry.AtOnce: "the driver reads it", registry.AtReload: "the driver is loaded again",
	registry.AtReboot: "a reboot", registry.AtNewVM: "a virtual machine starts",
}

// busyGbps is the demand from which the lack of flow control for a workload is more than a remark.
const busyGbps = 0.5

// demandOf returns the current demand of the RDMA workloads of a port that a mismatch names, in Gb/s.
func (g *gatherer) demandOf(port int, text string) (demand float64) {
	for _, f := range g.lab.Flows() {
		if f.Port == port && strings.Contains(text, f.Name) {
			demand += (f.ReceiveDemand + f.SendDemand) / 1e9
		}
	}
	return demand
}

// uses reports whether a connection has a stored key that enables the feature of a limit.
func (g *gatherer) uses(connection string, l *limits.Limit) bool {
	return slices.ContainsFunc(l.Keys, func(name string) bool {
		k, err := g.Host.Key(connection, name)
		if err != nil || !k.Stored.Exists() {
			return false
		}
		n, ok := k.Stored.Integer()
		return ok && l.EnabledBy(n)
	})
}

// item makes an item of a mismatch.
func item(m *lossless.Mismatch) findings.Item {
	one := findings.Item{Key: m.Text, Text: m.Text, Title: m.Title}
	for _, o := range m.Fix {
		one.Fix = append(one.Fix, o)
	}
	return one
}

// stored returns the default of a key of a connection as a number.
func (g *gatherer) stored(connection, key string) (float64, bool) {
	k, err := g.Host.Key(connection, key)
	if err != nil || !k.Default.Exists() {
		return 0, false
	}
	return float64(k.Default.Number()), true
}

// nodes counts the receive rings of a port on processors of another NUMA node than its card.
func (g *gatherer) nodes(a *driver.AdapterView, p *driver.PortView, s *findings.Subject) {
	far := 0
	if each := g.View.ProcessorsPerNode; each > 0 && g.View.NUMANodes > 1 {
		for ring := range g.lab.Rings(p.Port) {
			if g.lab.RingProcessor(p.Port, ring)/each != a.Description.NUMANode {
				far++
			}
		}
	}
	s.Set("far_queues", float64(far))
}

// isLinkLoss reports whether an event is the loss of a link.
func isLinkLoss(key string) bool { return key == "mlx5.link-down" || key == "mlx4.eth-link-down" }

// downFor returns for how long the link of a port has been down.
func (g *gatherer) downFor(s *findings.Subject) time.Duration {
	for _, e := range slices.Backward(g.facts.Events) {
		if isLinkLoss(e.Key) && strings.EqualFold(e.Adapter, s.Name) {
			return g.facts.Time.Sub(e.Time)
		}
	}
	return eventSpan
}

// lostLinks counts losses of the link in ten minutes that no stop of the driver and no change of the operator explains.
func (g *gatherer) lostLinks(s *findings.Subject) (n int) {
	const span, near = 10 * time.Minute, time.Second
	events, journal := g.facts.Events, g.Host.Journal()
	for _, e := range events {
		if !isLinkLoss(e.Key) || !strings.EqualFold(e.Adapter, s.Name) || g.facts.Time.Sub(e.Time) > span {
			continue
		}
		nearby := func(at time.Time) bool { return at.Sub(e.Time).Abs() <= near }
		explained := slices.ContainsFunc(journal, func(entry driver.Entry) bool { return nearby(entry.Time) }) ||
			slices.ContainsFunc(events, func(other eventlog.Event) bool {
				return (other.Key == "mlx5.stopped" || other.Key == "mlx4.eth-stopped") && strings.EqualFold(other.Adapter, s.Name) && nearby(other.Time)
			})
		if !explained {
			n++
		}
	}
	return n
}

// function adds a virtual function.
func (g *gatherer) function(p *findings.Subject, v *virtualization.VFView) {
	s := findings.NewSubject(findings.Function, fmt.Sprintf("%s VF %d", p.Name, v.ID))
	s.Instances = []string{s.Name}
	s.Port, s.Connection = p.Port, p.Connection
	s.Texts["adapter"], s.Texts["number"], s.Texts["port"] = p.Texts["adapter"], fmt.Sprint(v.ID), p.Name
	s.Texts["vm"], s.Texts["guest"] = v.VM, v.Adapter
	s.Texts["who"] = s.Name
	if v.VM != "" {
		s.Texts["who"] = fmt.Sprintf("%s (VF %d of %s)", v.VM, v.ID, p.Name)
	}
	s.Set("pages", float64(v.Pages))
	s.Set("page_limit", float64(v.PageLimit))
	g.add(s)
}

// addresses finds addresses that two ports have. The members of a team share one.
func (g *gatherer) addresses() {
	type user struct{ name, team string }
	seen := map[description.MAC]user{}
	for i := range g.View.Adapters {
		for j := range g.View.Adapters[i].Ports {
			p := &g.View.Adapters[i].Ports[j]
			if p.Description.Link != description.Ethernet {
				continue
			}
			address := p.Description.MAC
			if own := g.lab.Settings(p.Port).Address; own != (description.MAC{}) {
				address = own
			}
			if other, twice := seen[address]; twice && (p.Team == "" || p.Team != other.team) {
				text := fmt.Sprintf("%s and %s have the same MAC address %s", other.name, p.Description.Connection, address)
				g.ports[p.Port].Add("same-mac", findings.Item{Key: address.String(), Text: text})
			} else if !twice {
				seen[address] = user{p.Description.Connection, p.Team}
			}
		}
	}
	guids := map[description.GUID]string{}
	for i := range g.View.Adapters {
		d := g.View.Adapters[i].Description
		if other, twice := guids[d.NodeGUID]; twice && d.NodeGUID != 0 {
			g.host.Add("same-guid", findings.Item{Key: d.Name, Text: fmt.Sprintf("%s and %s have the same node GUID", other, d.Name)})
		}
		guids[d.NodeGUID] = d.Name
	}
	for _, vm := range g.View.VMs {
		for i := range vm.Adapters {
			a := &vm.Adapters[i]
			if other, twice := seen[a.MAC]; twice && vm.State == virtualization.VMRunning {
				g.host.Add("same-mac", findings.Item{Key: a.MAC.String() + vm.Name, Text: fmt.Sprintf("%s and %s have the same MAC address %s", other.name, vm.Name, a.MAC)})
			}
			if vm.State == virtualization.VMRunning {
				seen[a.MAC] = user{name: vm.Name}
			}
		}
	}
}

// flows adds what workloads demand and get, and the ones without a receiver.
func (g *gatherer) flows() {
	n := len(g.ports)
	rdma, all := make([]float64, n), make([]float64, n)
	receives, sends, received, sent := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	connected := make([]float64, n)
	states, modes := g.lab.Flows(), map[description.RoCEMode]bool{}
	for i, f := range states {
		if f.Scale == 0 {
			continue
		}
		all[f.Port]++
		if described := g.lab.Description().Flows; i < len(described) && described[i].Protocol == description.RDMA {
			rdma[f.Port]++
			if described[i].Transport == description.Reliable {
				connected[f.Port] += float64(described[i].Connections)
			}
			if mode := g.lab.Settings(f.Port).RoCE; mode != description.NoRoCE {
				modes[mode] = true
			}
		}
		receives[f.Port] += f.ReceiveDemand / 1e9
		sends[f.Port] += f.SendDemand / 1e9
		received[f.Port] += f.ReceiveRate / 1e9
		sent[f.Port] += f.SendRate / 1e9
	}
	for port, s := range g.ports {
		s.Set("rdma_flows", rdma[port])
		s.Set("workloads", all[port])
		s.Set("receive_demand", receives[port])
		s.Set("send_demand", sends[port])
		s.Set("receive_rate", received[port])
		s.Set("send_rate", sent[port])
		path := g.lab.RemotePath(port)
		s.Set("rdma_connected", connected[port])
		drops, atPeers, unheeded := uint64(0), uint64(0), uint64(0)
		for priority, d := range path.SwitchDrops {
			drops += d
			atPeers += path.PeerDrops[priority]
			unheeded += path.Unheeded[priority]
		}
		s.Set("unheeded", float64(unheeded))
		s.Set("peer_drops", float64(atPeers))
		s.Set("far_lost_cnps", float64(path.LostNotices))
		s.Set("far_drops", float64(drops))
	}
	g.host.Set("roce_modes", float64(len(modes)))
	g.unreached(states)
}

// unreached adds the workloads that find no receiver, by the port and the reason.
func (g *gatherer) unreached(states []device.FlowState) {
	for i, r := range g.lab.Reaches() {
		why := r.Reasons.First(0)
		if i >= len(g.lab.Description().Flows) {
			break // traffic that machines make themselves
		}
		if why == reach.NoReason || i < len(states) && states[i].Scale == 0 {
			continue
		}
		s := g.ports[r.Port]
		on, team := s.Name, false
		if name := g.teamOf(r.Port); name != "" {
			on, team = "the team "+name, true
		}
		clause, _ := why.Clause(on, team, r.VLAN)
		if why == reach.NoMachine {
			clause = "its virtual machines are removed, stopped or blocked"
		}
		kind := unreachedKinds[why]
		s.Add(kind, findings.Item{Key: r.Name, Text: fmt.Sprintf("%s finds no receiver: %s", r.Name, clause)})
	}
}

// unreachedKinds are the kinds of items of the reasons.
var unreachedKinds = map[reach.Reason]string{
	reach.NoTransport: "unreached-transport", reach.NoGID: "unreached-gid", reach.NoConnections: "unreached-connections",
	reach.NoMachine: "unreached-machine", reach.NoCarrier: "unreached-team", reach.NoLink: "unreached-link", reach.NoPath: "unreached-path",
	reach.NotForwarded: "unreached-vlan", reach.NoMiniport: "unreached-miniport", reach.TeamBroken: "unreached-team",
	reach.FrameBarred: "unreached-barred", reach.OverLength: "unreached-length",
}

func (g *gatherer) teamOf(port int) string {
	for i := range g.View.Teams {
		for _, m := range g.View.Teams[i].Members {
			if m.Port == port {
				return g.View.Teams[i].Name
			}
		}
	}
	return ""
}

func (g *gatherer) teams() {
	for i := range g.View.Teams {
		t := &g.View.Teams[i]
		s := findings.NewSubject(findings.Team, t.Name)
		up, slowest, fastest := 0.0, 0.0, 0.0
		for _, m := range t.Members {
			s.Ports = append(s.Ports, m.Port)
			s.Connection = m.Connection
			s.Aliases = append(s.Aliases, m.Connection)
			p, _, _ := g.lab.Port(m.Port)
			speed := float64(p.SpeedGbps)
			if slowest == 0 || speed < slowest {
				slowest = speed
			}
			fastest = max(fastest, speed)
			if g.lab.State(m.Port).Up {
				up++
			} else {
				s.Texts["member"] = m.Connection
			}
			if m.Why != "" && g.lab.State(m.Port).Up {
				s.Add("member", findings.Item{Key: m.Connection, Text: fmt.Sprintf("%s does not carry traffic: %s", m.Connection, m.Why)})
			}
		}
		s.Set("members", float64(len(t.Members)))
		s.Set("members_up", up)
		s.Set("slowest", slowest)
		s.Set("fastest", fastest)
		s.Flag("connected", t.Connected)
		s.Set("team_discards", float64(t.Discarded[0]+t.Discarded[1]))
		if t.Why != "" {
			s.Add("why", findings.Item{Key: "why", Text: t.Why})
		}
		for _, v := range t.VLANs {
			if v.Why != "" {
				s.Add("vlan", findings.Item{Key: v.Name, Text: fmt.Sprintf("VLAN %d (%s) carries nothing: %s", v.ID, v.Name, v.Why)})
			}
		}
		g.add(s)
	}
	for port, s := range g.ports {
		for _, v := range g.Host.VLANsOf(port) {
			if v.Why != "" {
				s.Add("vlan", findings.Item{Key: v.Name, Text: fmt.Sprintf("VLAN %d (%s) carries nothing: %s", v.ID, v.Name, v.Why)})
			}
		}
	}
}

func (g *gatherer) machines() {
	used := 0
	for _, vm := range g.View.VMs {
		for i := range vm.Adapters {
			a := &vm.Adapters[i]
			s := findings.NewSubject(findings.Machine, vm.Name)
			if len(vm.Adapters) > 1 {
				s.Name = vm.Name + "/" + a.Name
			}
			s.Texts["vm"], s.Texts["guest"], s.Texts["why"], s.Texts["quarantine"] = vm.Name, a.Name, a.Why, a.Quarantine
			s.Texts["guest_driver"] = vm.GuestDriver
			s.Port = a.Port
			if a.Port >= 0 {
				s.Connection = g.lab.Connection(a.Port)
			}
			s.Flag("wants_function", a.IovWeight > 0)
			s.Flag("has_function", a.Function >= 0 && a.Path == virtualization.PathVF)
			s.Flag("vm_running", vm.State == virtualization.VMRunning)
			s.Flag("quarantined", a.Quarantine != "")
			s.Flag("guest_driver", vm.GuestDriver != "")
			s.Flag("blocked", a.Blocked)
			s.Flag("has_why", a.Why != "")
			if a.Function >= 0 {
				used++
			}
			if a.OverlayWhy != "" {
				s.Add("overlay", findings.Item{Key: "overlay", Text: a.OverlayWhy})
			}
			if a.Why != "" && vm.State == virtualization.VMRunning {
				s.Add("why", findings.Item{Key: "why", Text: a.Why})
			}
			for _, l := range a.Limits {
				s.Add("limit", findings.Item{Key: l, Text: l})
			}
			g.add(s)
		}
	}
	g.host.Set("functions_used", float64(used))
}

// pending adds keys whose stored values are not in effect, and values that drivers replaced.
func (g *gatherer) pending() {
	for _, k := range g.Host.Pending() {
		text := fmt.Sprintf("%s %s is stored and not in effect: %s is used until %s", k.Row.Name, k.Stored, k.Effective, momentWords[k.TakesEffect])
		for _, s := range g.ports {
			if len(k.Connections) > 0 && s.Name == k.Connections[0] {
				s.Add("pending", findings.Item{Key: k.Row.Name, Text: text})
			}
		}
	}
	for _, s := range g.ports {
		effective, err := g.Host.Registry(s.Name)
		if err != nil {
			continue
		}
		for _, found := range effective.Findings() {
			kind := "replaced"
			if found.Verdict.Grade == registry.Doubtful {
				kind = "doubtful"
			}
			s.Add(kind, findings.Item{Key: found.Row.Name, Text: fmt.Sprintf("%s: %s", found.Row.Name, found.Verdict)})
		}
	}
}

func (g *gatherer) partitions() {
	for _, p := range g.View.Partitions {
		if p.Why != "" && p.Port >= 0 && p.Port < len(g.ports) {
			g.ports[p.Port].Add("partition", findings.Item{Key: p.Name, Text: fmt.Sprintf("the virtual port %s with PKey %s is not connected: %s", p.Name, p.PKey, p.Why)})
		}
	}
}
