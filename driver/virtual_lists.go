package driver

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cxdeck/device"
	"cxdeck/driver/hyperv"
	"cxdeck/driver/registry"
)

// viewVirtual puts the computer, Hyper-V and SR-IOV into a view.
func (h *Host) viewVirtual(view *View) {
	v := h.virtual
	view.Machine, view.Net = h.viewMachine(), v.Net.clone()
	connected := make([]int, len(v.Switches))
	v.each(func(_ AdapterName, _ *vm, a *vmAdapter) {
		if i, err := v.sw(a.Switch); err == nil {
			connected[i]++
		}
	})
	for i := range v.Switches {
		view.Switches = append(view.Switches, h.viewSwitch(&v.Switches[i], connected[i]))
	}
	overlays := h.newOverlays(v)
	for i := range v.VMs {
		m := &v.VMs[i]
		one := VMView{
			Name: m.Name, State: m.State, GuestDriver: m.GuestDriver, System: cmp.Or(m.System, view.System),
			Memory: cmp.Or(m.Memory, DefaultMemoryMB), Adapters: make([]VMAdapterView, len(m.Adapters)),
		}
		for j := range m.Adapters {
			a := &one.Adapters[j]
			*a = h.viewVMAdapter(m, &m.Adapters[j])
			if a.Overlay, a.OverlayWhy = overlays.of(m, &m.Adapters[j]); a.Overlay.Subnet != 0 {
				a.OverlayPacket = h.lab.LargestOverlayPacket(a.Port)
			}
		}
		view.VMs = append(view.VMs, one)
	}
	for i := range v.Host {
		view.HostAdapters = append(view.HostAdapters, h.viewVMAdapter(nil, &v.Host[i]))
	}
	for a := range view.Adapters {
		one := &view.Adapters[a]
		one.DeviceName, one.Firmware = h.deviceName(a), h.viewFirmware(a)
		if one.Description.Family == device.WinOF {
			one.HCA = h.hcaName(a)
		}
		for p := range one.Ports {
			port := &one.Ports[p]
			port.SRIOV = h.viewSRIOV(port.Port)
			port.PacketDirect = v.Ports[port.Port].PacketDirect
			port.NetworkVirtualization = v.Ports[port.Port].NetworkVirtualization
		}
	}
	v.each(func(name AdapterName, m *vm, a *vmAdapter) {
		if a.Function == device.NoFunction {
			return
		}
		_, card, index := h.lab.Port(a.Port)
		s := &view.Adapters[card].Ports[index].SRIOV
		if a.Function >= len(s.VFs) {
			return
		}
		f := &s.VFs[a.Function]
		f.VM, f.Adapter, f.MAC, f.VLAN, f.State = m.Name, a.Name, a.MAC, a.VLAN, VFIdle
		if a.Path == PathVF {
			f.State = VFAttached
		}
		f.QueuePairs = h.grantedPairs(a.Port, a.IovQueuePairs)
		f.Pages = a.pages(f.QueuePairs)
		s.Attached++
		s.Free--
	})
}

func (h *Host) viewSwitch(s *SwitchRecord, connected int) SwitchView {
	one := SwitchView{SwitchRecord: *s, Adapters: connected}
	port, _ := h.portOf(h.virtual, s.Name)
	if t, err := h.team(s.Team); err == nil && s.Team != "" {
		for _, m := range h.teams[t].machine.Members {
			one.Ports = append(one.Ports, m.Key)
		}
	} else if port >= 0 {
		one.Ports = []int{port}
	}
	switch {
	case port < 0:
		one.Why = "it leads to no port"
	case !s.IOV:
	case h.miniports[port].state != Running:
		one.Why = h.notRunning(port)
	case h.lab.VirtualFunctions(port) == 0:
		one.Why = h.noFunctions(port)
	default:
		one.IovSupport = true
	}
	return one
}

func (h *Host) viewVMAdapter(m *vm, a *vmAdapter) VMAdapterView {
	one := VMAdapterView{
		VMAdapterRecord: a.VMAdapterRecord, Port: a.Port, Function: a.Function, Path: a.Path, Why: a.Why, Queues: a.Rings,
		Default: a.Default, Slot: a.Slot, History: a.History,
	}
	one.Claim, one.Waits, one.Attached = 0, false, false
	one.Limits = h.adapterLimits(m, a)
	if m == nil {
		return one
	}
	one.VM, one.Blocked = m.Name, a.Switch != "" && h.virtual.blocked(a)
	if a.Port < 0 {
		return one
	}
	if a.Function != device.NoFunction || a.Why == noGuestDriver {
		one.Device = vendorAdapter
	}
	if a.Function != device.NoFunction {
		one.IovQueuePairsGranted = h.grantedPairs(a.Port, a.IovQueuePairs)
		if a.Path == PathSynthetic {
			one.Why = "the link is down"
		}
	}
	if a.VmmqEnabled && !a.Default {
		one.VmmqGranted = len(a.Rings)
	}
	return one
}

// switchPort is the name of an adapter's port at its switch: a GUID that follows from the names.
func (h *Host) switchPort(m *vm, a *vmAdapter) string {
	if a.Switch == "" || a.SwitchPort != "" {
		return a.SwitchPort
	}
	name := AdapterName{"", a.Name}
	if m != nil {
		name.VM = m.Name
	}
	return h.guidFor("port", name)
}

// nic is what Windows calls an adapter: GUIDs that follow from the names.
func (h *Host) nic(m *vm, a *vmAdapter) string {
	switch {
	case a.NIC != "":
		return a.NIC
	case m == nil:
		return strings.ToLower(h.guidFor("adapter", AdapterName{"", a.Name}))
	}
	return strings.ToLower(h.guidFor("machine", AdapterName{m.Name, ""}) + "--" + h.guidFor("adapter", AdapterName{m.Name, a.Name}))
}

// guidFor is a GUID without braces that follows from what it is for and from the names.
func (h *Host) guidFor(what string, name AdapterName) string {
	n := dynamicMAC(h.lab.Description().Host.Name+" "+what, name)
	return fmt.Sprintf("%02X%02X%02X%02X-%s", n[2], n[3], n[4], n[5], h.lab.DrawGUID(int(n[3])<<16 | int(n[4])<<8 | int(n[5]))[9:])
}

// viewSRIOV is SR-IOV at a port.
func (h *Host) viewSRIOV(port int) SRIOVView {
	d, card, _ := h.lab.Port(port)
	permit, mode, counts := h.permitted(port)
	burnt, bus, available := h.allocation(port)
	s := SRIOVView{
		Limit: h.portLimit(card), NumVFs: h.virtual.Ports[port].NumVFs, Burnt: burnt, Allowed: bus, Open: h.lab.VirtualFunctions(port),
		Enabled: permit && burnt > 0, QueuePairs: hyperv.QueuePairs(d.SpeedGbps), Mode: mode, Port1VFs: counts[0], Port2VFs: counts[1],
	}
	if h.miniports[port].state != Running {
		s.Open = 0
	}
	s.Free = s.Open
	for _, one := range h.virtual.Switches {
		if one.Connection == d.Connection {
			s.SwitchName = one.Name
		}
	}
	s.InfiniBand = h.hasInfiniBand(card)
	s.Checks = h.checkSRIOV(port, permit, burnt, bus)
	s.Support = h.sriovSupport(port, card, burnt, bus)
	s.Why = missing(s.Checks)
	if s.Why == "" && available < s.NumVFs {
		s.Why = fmt.Sprintf("Windows may use %d, and the port has %d", s.NumVFs, available)
		if a := &h.lab.Description().Adapters[card]; a.Family == device.WinOF2 && available == s.Limit && burnt > s.Limit {
			s.Why += fmt.Sprintf(", the most that driver %s opens on this card", a.DriverVersion)
		}
	}
	var gids []int
	if d.Link == device.InfiniBand && s.Open > 0 {
		own, list, err := hyperv.GIDs(hyperv.GIDTable, s.Open)
		if s.GIDs, gids = own, list; err != nil {
			s.GIDs, gids, s.GIDsWhy = 0, nil, err.Error()
		}
	}
	limit := 0
	if h.family(port) == device.WinOF2 {
		limit = h.pageLimit(port)
	}
	s.Promiscuous = h.virtual.Ports[port].Promiscuous
	s.DHCPToPF, s.DHCPWhy = h.viewRedirect(port)
	s.VFs = make([]VFView, s.Open)
	for i := range s.VFs {
		s.VFs[i] = VFView{Port: port, ID: i, State: VFFree, PageLimit: limit, Faults: h.functionFaults(port, i)}
		if gids != nil {
			s.VFs[i].GIDs = gids[i]
		}
	}
	return s
}

// functionFaults are what goes wrong with a virtual function.
func (h *Host) functionFaults(port, function int) (list []device.FaultKind) {
	if function == 0 {
		for _, kind := range device.FunctionFaults() {
			if h.lab.Fault(port, kind) > 0 {
				list = append(list, kind)
			}
		}
		return list
	}
	for _, m := range h.lab.Misdeeds() {
		if m.Port == port && m.Function == function {
			list = append(list, m.Kind)
		}
	}
	slices.Sort(list)
	return list
}

// sriovSupport is what Get-NetAdapterSriov says of a port.
func (h *Host) sriovSupport(port, card, burnt, bus int) hyperv.SriovSupport {
	supported, _ := h.iovSupport()
	switch {
	case h.miniports[port].state != Running:
		return hyperv.MissingPfDriver
	case burnt == 0:
		return hyperv.NotSupported
	case !supported:
		return hyperv.NoIoMmuSupport
	case !h.hasSpace(card):
		return hyperv.NoVfBarSpace
	case h.lacksSRIOV(port) != "":
		return hyperv.NotSupported
	case bus == 0 && h.family(port) == device.WinOF:
		return hyperv.NotSupportedByBus
	}
	return hyperv.Supported
}

// checkSRIOV are the things that SR-IOV needs, in the order in which they are set up.
func (h *Host) checkSRIOV(port int, permit bool, burnt, bus int) []Check {
	d, card, _ := h.lab.Port(port)
	a, b := &h.lab.Description().Adapters[card], h.virtual.BIOS
	supported, reasons := h.iovSupport()
	check := func(name string, ok bool, why string) Check {
		if ok {
			why = ""
		}
		return Check{name, ok, why}
	}
	bios := "SR-IOV is off in the BIOS; switch it on, and start the host again"
	if !b.Virtualization {
		bios = "virtualization is off in the BIOS; switch it on, and start the host again"
	}
	if n := h.virtual.NextBIOS; n.SRIOV && n.Virtualization {
		bios = "it is on in the BIOS from the next start of the host"
	}
	flash := "the firmware has no virtual functions; set SRIOV_EN and NUM_OF_VFS"
	if next := h.virtual.Cards[card].Next; next["SRIOV_EN"] == 1 && next["NUM_OF_VFS"] > 0 {
		flash = "the firmware has virtual functions from the next start of the host, or of the card"
	}
	driver := "SR-IOV is off in the driver; set *SRIOV to 1, and restart the adapter"
	if a.Family == device.WinOF {
		switch {
		case h.hasInfiniBand(card):
			driver = "a card with a port of InfiniBand has no virtual functions with this driver; mlxconfig makes it Ethernet"
		case !permit:
			driver = "SR-IOV is off in the driver; set PermitSriov to 1, and reload the driver"
		default:
			driver = "the driver gives this port none; see SriovPortMode and the counts of the ports"
		}
	}
	switch h.miniports[port].state {
	case Running:
	case Restarting:
		driver = "the driver is still starting"
	default:
		driver = "the driver does not run"
	}
	version := ""
	if supported || !b.SRIOV || !b.Virtualization { // what Windows lacks is said of that
		version = h.lacksSRIOV(port)
	}
	if version != "" {
		driver = version
	}
	on := slices.IndexFunc(h.virtual.Switches, func(s SwitchRecord) bool { return s.Connection == d.Connection })
	sw := "no virtual switch is on " + d.Connection + "; make one with SR-IOV"
	if on >= 0 && !h.virtual.Switches[on].IOV {
		sw = "the virtual switch " + h.virtual.Switches[on].Name + " was made without SR-IOV; make it anew with it"
	}
	return []Check{
		check("BIOS", b.SRIOV && b.Virtualization, bios),
		check("OS", supported || !b.SRIOV || !b.Virtualization, strings.Join(reasons, " ")),
		check("BAR space", h.hasSpace(card), fmt.Sprintf("the virtual functions of %s need %d MB of address space, and the host has %d for"+
			" all cards; lower NUM_OF_VFS, or allow addresses above 4 GB in the BIOS", a.Name, h.functionSpace(card), h.space())),
		check("Firmware", burnt > 0, flash),
		check("Driver", h.miniports[port].state == Running && permit && (burnt == 0 || bus > 0) && version == "", driver),
		check("Switch", on >= 0 && h.virtual.Switches[on].IOV, sw),
	}
}

// missing is why a port has no virtual functions: the first thing that they need and that is not there; empty when all is
// there. Without a switch functions are there, and nobody has them.
func missing(checks []Check) string {
	for _, c := range checks[:len(checks)-1] {
		if !c.OK {
			return c.Why
		}
	}
	return ""
}

// noFunctions says that a port has no virtual functions open, and why.
func (h *Host) noFunctions(port int) string {
	permit, _, _ := h.permitted(port)
	burnt, bus, available := h.allocation(port)
	why, text := missing(h.checkSRIOV(port, permit, burnt, bus)), h.connection(port)+" has no virtual functions now"
	switch {
	case why != "":
		return text + ": " + why
	case available == 0:
		return text + ": Windows may use none of them; set NumVFs"
	}
	return text + "; it opens them when it is restarted"
}

// VPorts are the virtual ports of the switches in the cards, as Get-NetAdapterVPort lists them: the default one of each
// port with a virtual switch, those of adapters with a queue of their own, and those of virtual functions.
func (h *Host) VPorts() (list []VPortView) {
	v := h.virtual
	for port := range h.miniports {
		d, _, _ := h.lab.Port(port)
		has := slices.ContainsFunc(v.Switches, func(s SwitchRecord) bool { return s.Connection == d.Connection })
		if !has || h.miniports[port].state != Running {
			continue
		}
		list = append(list, VPortView{
			Connection: d.Connection, Function: device.NoFunction, MAC: h.mac(port), Processor: h.lab.RingProcessor(port, 0), QueuePairs: h.lab.HostRings(port),
		})
		first := len(list)
		v.each(func(_ AdapterName, m *vm, a *vmAdapter) {
			if m == nil || a.Port != port || a.Path == NoPath || a.Default && a.Function == device.NoFunction {
				return
			}
			one := VPortView{
				Connection: d.Connection, ID: a.Slot + 1, Function: a.Function, MAC: a.MAC, VLAN: a.VLAN, VM: m.Name, Adapter: a.Name,
				QueuePairs: max(1, len(a.Rings)),
			}
			if a.Function != device.NoFunction {
				one.QueuePairs = h.grantedPairs(port, a.IovQueuePairs)
			}
			if len(a.Rings) > 0 {
				one.Processor = h.lab.RingProcessor(port, a.Rings[0])
			}
			list = append(list, one)
		})
		slices.SortFunc(list[first:], func(a, b VPortView) int { return a.ID - b.ID })
	}
	return list
}

// SwitchPorts are the ports of the virtual switches, as vfpctrl /list-vmswitch-port lists them.
func (h *Host) SwitchPorts() (list []SwitchPortView) {
	v := h.virtual
	v.each(func(name AdapterName, m *vm, a *vmAdapter) {
		i, err := v.sw(a.Switch)
		if err != nil {
			return
		}
		one := SwitchPortView{
			Name: h.switchPort(m, a), FriendlyName: a.Name, Switch: v.Switches[i].Name, SwitchID: strings.Trim(v.Switches[i].GUID, "{}"),
			VM: name.VM, Adapter: a.Name, NIC: h.nic(m, a), MAC: a.MAC, Type: "Synthetic", Blocked: m != nil && v.blocked(a),
			VMQ: m != nil && len(a.Rings) > 0 && !a.Default,
		}
		switch {
		case m == nil:
			one.Type = "Internal"
		case a.Function != device.NoFunction:
			one.Type = "SR-IOV"
		}
		list = append(list, one)
	})
	return list
}

// virtualCommands are the commands of Operations that take what the host knows.
func (h *Host) virtualCommands(o Operation) (commands []string, ok bool) {
	switch o := o.(type) {
	case SetFirmware:
		if card, err := h.adapter(o.Adapter); err == nil {
			return o.commands(h.deviceName(card)), true
		}
	case SetSriovPorts:
		if card, err := h.adapter(o.Adapter); err == nil {
			return o.commands(h.hcaName(card)), true
		}
	case Quarantine:
		if a, err := h.virtual.adapter(AdapterName{o.VM, o.Adapter}); err == nil && o.Reason == "" {
			of := adapterOf(o.VM, o.Adapter)
			return []string{
				fmt.Sprintf("Set-VMNetworkAdapter %s -IovWeight %d", of, a.IovWeight), connectCommand(o.VM, o.Adapter, a.Switch),
			}, true
		}
	case ReleasePort:
		if a, err := h.virtual.adapter(AdapterName{o.VM, o.Adapter}); err == nil && a.Switch != "" {
			i, err := h.virtual.vm(o.VM)
			if err == nil {
				return o.commands(h.switchPort(&h.virtual.VMs[i], a)), true
			}
		}
	case ResetVF:
		port, err := h.port(o.Connection)
		if err != nil {
			return nil, false
		}
		h.virtual.each(func(name AdapterName, _ *vm, a *vmAdapter) {
			if a.Port == port && a.Function == o.Function {
				of := adapterOf(name.VM, name.Adapter)
				commands = []string{
					fmt.Sprintf("Set-VMNetworkAdapter %s -IovWeight 0", of), fmt.Sprintf("Set-VMNetworkAdapter %s -IovWeight %d", of, a.IovWeight),
				}
			}
		})
		return commands, true
	case RemoveNetVirtualization:
		return RemoveNetVirtualization{Records: o.there(h)}.Commands(), true
	case RestoreNetVirtualization:
		return o.missing(h).Commands(), true
	}
	return nil, false
}

var hcaCalled = regexp.MustCompile(`^HCA \d+$`)

// hcaName is what the commands of the WinOF driver call a card: "HCA 0". One that the lab calls so keeps its name, the
// others have the numbers that are left.
func (h *Host) hcaName(card int) string {
	cards := h.lab.Description().Adapters
	if hcaCalled.MatchString(cards[card].Name) {
		return cards[card].Name
	}
	number, name := -1, ""
	for i := range card + 1 {
		if cards[i].Family != device.WinOF || hcaCalled.MatchString(cards[i].Name) {
			continue
		}
		taken := func(a device.Adapter) bool { return a.Name == name }
		for name = ""; name == "" || slices.ContainsFunc(cards, taken); {
			number++
			name = fmt.Sprintf("HCA %d", number)
		}
	}
	return name
}

// AllowedEtherTypes is what virtual functions of a port may send: whether the list counts, and its entries; without any
// entry the driver's own list counts (IOV-8).
func (h *Host) AllowedEtherTypes(port int) hyperv.Filter {
	f := hyperv.Filter{Family: h.family(port), Enabled: true}
	for _, scope := range []registry.Scope{registry.Miniport, registry.BusDevice} {
		if n, ok := h.number(port, "VFAllowedTxEtherTypeListEnable", scope); ok {
			f.Enabled = n != 0
		}
		for i := range 8 {
			if n, ok := h.number(port, fmt.Sprintf("VFAllowedTxEtherType%d", i), scope); ok {
				f.Types = append(f.Types, uint16(n))
			}
		}
	}
	return f
}
