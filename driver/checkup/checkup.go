package checkup

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/subnet"
	"cxdeck/device/wire"
	"cxdeck/driver"
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
func Facts(s *survey.HostViews, drift *survey.Drift) *findings.Facts {
	h := s.Host
	f := &findings.Facts{Time: h.Now()}
	for _, e := range h.EventsAfter(0) {
		if f.Time.Sub(e.Time) < eventSpan {
			f.Events = append(f.Events, e)
		}
	}
	g := gatherer{HostViews: s, facts: f, lab: h.Lab(), host: findings.NewSubject(findings.Host, s.View.Name)}
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
	*survey.HostViews
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
		for _, failure := range drift.Failed {
			text := failure.Title
			if failure.Object != "" {
				text = failure.Object + ": " + text
			}
			s.Add("drift", findings.Item{Key: fmt.Sprintf("%s %d %s", failure.Group, failure.Number, failure.Object), Text: fmt.Sprintf("%s; wanted %s, found %s", text, failure.Wanted, failure.Found)})
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
		"wrong_type": a.Description.Family == description.WinOF && g.Host.WrongType(port),
		"restarting": p.State == driver.Restarting, "cabled": p.Cabled, "up": p.Up, "ethernet": ethernet,
		"winof2": a.Description.Family == description.WinOF2, "management": p.Management,
		"subnet_init": p.Subnet == subnet.Init, "subnet_down": p.Subnet == subnet.Down,
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

// item makes an item of a mismatch.
func item(m *lossless.Mismatch) findings.Item {
	row := findings.Item{Key: m.Text, Text: m.Text, Title: m.Title}
	for _, o := range m.Fix {
		row.Fix = append(row.Fix, o)
	}
	return row
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

func (g *gatherer) partitions() {
	for _, p := range g.View.Partitions {
		if p.Why != "" && p.Port >= 0 && p.Port < len(g.ports) {
			g.ports[p.Port].Add("partition", findings.Item{Key: p.Name, Text: fmt.Sprintf("the virtual port %s with PKey %s is not connected: %s", p.Name, p.PKey, p.Why)})
		}
	}
}
