package virtualization

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization/hyperv"
)

// viewSRIOV returns the state of SR-IOV at a port.
func (v Hypervisor) viewSRIOV(port int) SRIOVView {
	d, card, _ := v.Lab().Port(port)
	permit, mode, counts := v.Permitted(port)
	firmwareVFs, bus, available := v.Allocation(port)
	s := SRIOVView{
		Limit: v.portLimit(card), NumVFs: v.Ports[port].NumVFs, FirmwareVFs: firmwareVFs, Allowed: bus, Open: v.Lab().VirtualFunctions(port),
		Enabled: permit && firmwareVFs > 0, QueuePairs: hyperv.QueuePairs(d.SpeedGbps), Mode: mode, Port1VFs: counts[0], Port2VFs: counts[1],
	}
	if !v.Running(port) {
		s.Open = 0
	}
	s.Free = s.Open
	if at := v.switchOn(d.Connection); at >= 0 {
		s.SwitchName = v.Switches[at].Name
	}
	s.InfiniBand = v.HasInfiniBand(card)
	s.Checks = v.checkSRIOV(port, permit, firmwareVFs, bus)
	s.Support = v.sriovSupport(port, card, firmwareVFs, bus)
	s.Why = failedCheck(s.Checks)
	if s.Why == "" && available < s.NumVFs {
		s.Why = fmt.Sprintf("NumVFs is %d, but the port has only %d VFs", s.NumVFs, available)
		if a := v.card(card); a.Family == description.WinOF2 && available == s.Limit && firmwareVFs > s.Limit {
			s.Why += fmt.Sprintf(", the maximum that driver %s opens on this card", a.DriverVersion)
		}
	}
	var gids []int
	if d.Link == description.InfiniBand && s.Open > 0 {
		own, list, err := hyperv.GIDs(hyperv.GIDTable, s.Open)
		if s.GIDs, gids = own, list; err != nil {
			s.GIDs, gids, s.GIDsWhy = 0, nil, err.Error()
		}
	}
	limit := 0
	if v.family(port) == description.WinOF2 {
		limit = v.pageLimit(port)
	}
	s.Promiscuous = v.Ports[port].Promiscuous
	s.DHCPToPF, s.DHCPWhy = v.viewRedirect(port)
	s.VFs = make([]VFView, s.Open)
	for i := range s.VFs {
		s.VFs[i] = VFView{Port: port, ID: i, State: VFFree, PageLimit: limit, Faults: v.functionFaults(port, i)}
		if gids != nil {
			s.VFs[i].GIDs = gids[i]
		}
	}
	return s
}

// functionFaults returns the faults of a virtual function.
func (v Hypervisor) functionFaults(port, function int) (list []description.FaultKind) {
	if function == 0 {
		for _, kind := range description.FunctionFaults() {
			if v.Lab().Fault(port, kind) > 0 {
				list = append(list, kind)
			}
		}
		return list
	}
	for _, m := range v.Lab().FunctionFaults() {
		if m.Port == port && m.Function == function {
			list = append(list, m.Kind)
		}
	}
	slices.Sort(list)
	return list
}

// sriovSupport returns the field SriovSupport of Get-NetAdapterSriov for a port.
func (v Hypervisor) sriovSupport(port, card, firmwareVFs, bus int) hyperv.SriovSupport {
	supported, _ := v.IovSupport()
	switch {
	case !v.Running(port):
		return hyperv.MissingPfDriver
	case firmwareVFs == 0:
		return hyperv.NotSupported
	case !supported:
		return hyperv.NoIoMmuSupport
	case !v.HasSpace(card):
		return hyperv.NoVfBarSpace
	case v.lacksSRIOV(port) != "":
		return hyperv.NotSupported
	case bus == 0 && v.family(port) == description.WinOF:
		return hyperv.NotSupportedByBus
	}
	return hyperv.Supported
}

// checkSRIOV checks the requirements of SR-IOV, in the order of their set-up.
func (v Hypervisor) checkSRIOV(port int, permit bool, firmwareVFs, bus int) []Check {
	d, card, _ := v.Lab().Port(port)
	a, b := v.card(card), v.BIOS
	supported, reasons := v.IovSupport()
	check := func(name string, ok bool, why string) Check {
		if ok {
			why = ""
		}
		return Check{name, ok, why}
	}
	bios := "SR-IOV is off in the BIOS; turn it on, and reboot the host"
	if !b.Virtualization {
		bios = "virtualization is off in the BIOS; turn it on, and reboot the host"
	}
	if n := v.NextBIOS; n.SRIOV && n.Virtualization {
		bios = "it is on in the BIOS from the next reboot"
	}
	flash := "the firmware has no virtual functions; set SRIOV_EN and NUM_OF_VFS"
	if next := v.Cards[card].Next; next["SRIOV_EN"] == 1 && next["NUM_OF_VFS"] > 0 {
		flash = "the firmware has virtual functions from the next reboot or card reset on"
	}
	driver := "SR-IOV is off in the driver; set *SRIOV to 1, and restart the adapter"
	if a.Family == description.WinOF {
		switch {
		case v.HasInfiniBand(card):
			driver = "a card with an InfiniBand port has no virtual functions with this driver; mlxconfig changes it to Ethernet"
		case !permit:
			driver = "SR-IOV is off in the driver; set PermitSriov to 1, and reload the driver"
		default:
			driver = "the driver assigns no virtual functions to this port; see SriovPortMode and the number of functions of each port"
		}
	}
	switch {
	case v.Restarting(port):
		driver = "the driver is still starting"
	case !v.Running(port):
		driver = "the driver does not run"
	}
	version := ""
	if supported || !b.SRIOV || !b.Virtualization { // the missing requirement of Windows
		version = v.lacksSRIOV(port)
	}
	if version != "" {
		driver = version
	}
	on := v.switchOn(d.Connection)
	needed := "no virtual switch is on " + d.Connection + "; create one with SR-IOV"
	if on >= 0 && !v.Switches[on].IOV {
		needed = "the virtual switch " + v.Switches[on].Name + " was created without SR-IOV; recreate it with SR-IOV"
	}
	return []Check{
		check("BIOS", b.SRIOV && b.Virtualization, bios),
		check("OS", supported || !b.SRIOV || !b.Virtualization, strings.Join(reasons, " ")),
		check("BAR space", v.HasSpace(card), fmt.Sprintf("the virtual functions of %s need %d MB of address space, and the host has %d for"+
			" all cards; lower NUM_OF_VFS, or allow addresses above 4 GB in the BIOS", a.Name, v.functionSpace(card), v.space())),
		check("Firmware", firmwareVFs > 0, flash),
		check("Driver", v.Running(port) && permit && (firmwareVFs == 0 || bus > 0) && version == "", driver),
		check("Switch", on >= 0 && v.Switches[on].IOV, needed),
	}
}

// failedCheck returns why a port has no virtual functions: the reason of the first check that fails; empty when none fails. It
// ignores the switch: without it, functions are open and unassigned.
func failedCheck(checks []Check) string {
	for _, c := range checks[:len(checks)-1] {
		if !c.OK {
			return c.Why
		}
	}
	return ""
}

// noFunctions returns a sentence on why a port has no virtual functions open.
func (v Hypervisor) noFunctions(port int) string {
	permit, _, _ := v.Permitted(port)
	firmwareVFs, bus, available := v.Allocation(port)
	why, text := failedCheck(v.checkSRIOV(port, permit, firmwareVFs, bus)), v.connection(port)+" has no virtual functions now"
	switch {
	case why != "":
		return text + ": " + why
	case available == 0:
		return text + ": Windows may use none of them; set NumVFs"
	}
	return text + "; it opens them when it is restarted"
}

// AllowedEtherTypes returns the filter of frames that virtual functions of a port send: whether the list applies, and its
// entries; without an entry the driver's own list applies (IOV-8).
func (v Hypervisor) AllowedEtherTypes(port int) hyperv.Filter {
	f := hyperv.Filter{Family: v.family(port), Enabled: true}
	for _, scope := range []registry.Scope{registry.Miniport, registry.BusDevice} {
		if n, ok := v.number(port, "VFAllowedTxEtherTypeListEnable", scope); ok {
			f.Enabled = n != 0
		}
		for i := range 8 {
			if n, ok := v.number(port, fmt.Sprintf("VFAllowedTxEtherType%d", i), scope); ok {
				f.Types = append(f.Types, uint16(n))
			}
		}
	}
	return f
}
